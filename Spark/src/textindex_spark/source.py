"""The format `textindex` of Spark's data frames, by its data source interface for Python (Spark 4)."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, MutableMapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pyspark.sql.datasource import (
    DataSource, DataSourceArrowWriter, DataSourceReader, InputPartition, WriterCommitMessage)

from .batches import search_whole
from .command import program
from .searching import RESULTS
from .shards import (
    IndexOptions, Lines, build_shard, commit_set, identifier_text, json_line, shard_name,
    shard_number)
from .writing import add_empty

if TYPE_CHECKING:
    import pyarrow
    from pyspark.sql import SparkSession
    from pyspark.sql.types import StructType


def register(spark: SparkSession) -> None:
    """Makes the format `textindex` known to a session.

        textindex_spark.register(spark)
        placed = textindex_spark.place(frame, shards=4)
        placed.write.format("textindex").option("shards", 4).mode("append").save("/srv/notes")
        spark.read.format("textindex").option("query", "white whale").load("/srv/notes").show()
    """
    spark.dataSource.register(TextIndexSource)


class TextIndexSource(DataSource):
    """The format `textindex`.

    Options for writing (lists have commas between their names, or are JSON):
        path: the folder of the set; `save(path)` gives it.
        shards: how many shards the set has: as many as the frame has partitions.
        id, fields, attributes, weight, options: as `textindex_spark.write` takes them.
        division: `id` (the default): each row must be in the partition of its identifier, as `place`
            puts it. `any`: each partition is a shard as it is; identifiers must be unique.
        textindex: the command.

    The mode must be `append`. A set is not changed in place: writing the same rows again does nothing,
    and writing others is an error.

    Options for reading, which gives rows of (query, rank, id, score):
        path: the folder of the set; `load(path)` gives it.
        query: one query. queries: many, a list in JSON.
        limit: how many results to give for a query (default: 10).
        tasks: how many tasks divide the queries (default: 1). Each opens the whole set. With
            `textindex_spark.search` tasks divide the shards instead: for large sets, or few queries.
        textindex: the command.
    """

    @classmethod
    def name(cls) -> str:
        """The name of the format."""
        return "textindex"

    def schema(self) -> str:
        """The columns of results."""
        return RESULTS

    def reader(self, schema: StructType) -> DataSourceReader:
        """Searches the set."""
        return SetReader(self.options)

    def writer(self, schema: StructType, overwrite: bool) -> DataSourceArrowWriter:
        """Builds the set."""
        if overwrite:
            raise ValueError(
                'textindex: a set is not overwritten; use mode("append") and a folder of its own')
        return SetWriter(self.options)


@dataclass
class Queries(InputPartition):
    """The queries of one task."""

    texts: list[str]


class SetReader(DataSourceReader):
    """Gives the results of queries in a set; each task takes some of the queries."""

    def __init__(self, options: MutableMapping[str, str]) -> None:
        self.path = _path(options)
        self.texts = _texts(options)
        self.limit = _number(options, "limit", 10)
        self.tasks = _number(options, "tasks", 1)
        self.command = program(options.get("textindex"))

    def partitions(self) -> Sequence[InputPartition]:
        """Divides the queries evenly."""
        if not self.texts:
            raise ValueError(
                'textindex: name a query: option("query", …), option("queries", a list in JSON)')
        tasks = max(min(self.tasks, len(self.texts)), 1)
        cuts = [len(self.texts) * number // tasks for number in range(tasks + 1)]
        return [Queries(self.texts[first:end]) for first, end in zip(cuts, cuts[1:])]

    def read(self, partition: InputPartition) -> Iterator[tuple[Any, ...]]:
        """Searches for the queries of one task."""
        assert isinstance(partition, Queries)
        for hit in search_whole(self.path, partition.texts, self.limit, self.command):
            yield tuple(hit)


@dataclass
class Built(WriterCommitMessage):
    """The name of a shard that a task built."""

    name: str


class SetWriter(DataSourceArrowWriter):
    """Builds a set; each task builds the shard of the number of its partition."""

    def __init__(self, options: MutableMapping[str, str]) -> None:
        self.path = _path(options)
        self.shards = _number(options, "shards", 0)
        if self.shards < 1:
            raise ValueError('textindex: say how many shards there are: option("shards", …)')
        self.division = options.get("division", "id")
        if self.division not in ("id", "any"):
            raise ValueError(f"textindex: division is id or any, not {self.division}")
        self.index = IndexOptions(
            options.get("id", "id"), tuple(_list(options, "fields", ["title", "body"])),
            tuple(_list(options, "attributes", [])), options.get("weight"),
            tuple(_list(options, "options", [])))
        self.command = program(options.get("textindex"))

    def write(self, iterator: Iterator[pyarrow.RecordBatch]) -> WriterCommitMessage:
        """Builds the shard of a partition."""
        from pyspark import TaskContext

        context = TaskContext.get()
        number = context.partitionId() if context else 0
        if number >= self.shards:
            raise ValueError(
                f"textindex: the frame has more partitions than the {self.shards} shards; divide it: "
                f"textindex_spark.place(frame, {self.shards})")
        os.makedirs(self.path, exist_ok=True)
        build_shard(self._lines(iterator, number), self.path, number, self.shards,
                    self.index.arguments(), self.command)
        return Built(shard_name(number, self.shards))

    def _lines(self, batches: Iterator[pyarrow.RecordBatch], number: int) -> Iterator[Lines]:
        for batch in batches:
            rows = batch.to_pylist()
            if self.division == "id":
                for row in rows:
                    self._check_place(row.get(self.index.id), number)
            lines = [json_line(row, self.index) + "\n" for row in rows]
            yield "".join(lines).encode(), len(lines)

    def _check_place(self, identifier: Any, number: int) -> None:
        if identifier is not None and shard_number(
            identifier_text(identifier), self.shards
        ) != number:
            raise ValueError(
                "textindex: a row is in the partition of another shard; divide the frame: "
                f'textindex_spark.place(frame, {self.shards}, id="{self.index.id}")')

    def commit(self, messages: list[WriterCommitMessage | None]) -> None:
        """Makes the shards the set that readers see, once all are there."""
        made = {message.name for message in messages if isinstance(message, Built)}
        if self.division == "id":
            os.makedirs(self.path, exist_ok=True)
            add_empty(self.path, made, self.shards, self.index.arguments(), self.command)
        commit_set(self.path, self.shards, self.command, any_division=self.division == "any")

    def abort(self, messages: list[WriterCommitMessage | None]) -> None:
        """Leaves what is there: the set of before is as it was, and the same work may go on."""


def _path(options: MutableMapping[str, str]) -> str:
    path = options.get("path")
    if not path:
        raise ValueError("textindex: name the folder of the set")
    return os.path.abspath(path.removeprefix("file://"))


def _number(options: MutableMapping[str, str], name: str, standard: int) -> int:
    text = options.get(name)
    if text is None:
        return standard
    try:
        return int(text)
    except ValueError:
        raise ValueError(f"textindex: {name} is a number, not {text}") from None


def _list(options: MutableMapping[str, str], name: str, standard: list[str]) -> list[str]:
    text = options.get(name)
    if text is None:
        return standard
    if text.startswith("["):
        return [str(entry) for entry in json.loads(text)]
    return [entry.strip() for entry in text.split(",") if entry.strip()]


def _texts(options: MutableMapping[str, str]) -> list[str]:
    if "query" in options and "queries" in options:
        raise ValueError("textindex: query or queries, not both")
    if "query" in options:
        return [options["query"]]
    try:
        texts = json.loads(options.get("queries", "[]"))
    except ValueError:
        texts = None
    if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
        raise ValueError('textindex: queries is a list in JSON: ["white whale", "duck"]')
    return texts
