"""The format `textindex` of Spark's data frames, by its data source interface for Python (Spark 4)."""

from __future__ import annotations

import json
import logging
import os
from collections.abc import Iterable, Iterator, Mapping, MutableMapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pyspark.sql.datasource import (
    DataSource, DataSourceArrowWriter, DataSourceReader, InputPartition, WriterCommitMessage)

from .batches import SearchOptions, check_limit, search_whole
from .command import program
from .paths import local_path
from .searching import RESULTS
from .shards import (
    BuiltShard, IdentifierHashes, IndexOptions, Lines, build_shard, check_free, finish_set,
    identifier_text, json_line, member, precedence, shard_number)
from .writing import check_division

if TYPE_CHECKING:
    import pyarrow
    from pyspark.sql import SparkSession
    from pyspark.sql.types import StructType

WRITING = ["path", "shards", "id", "fields", "attributes", "weight", "by", "order", "tolerate", "check",
           "options", "textindex"]
READING = ["path", "query", "queries", "limit", "tasks", "filter", "field", "steps", "rank",
           "trusted_owners", "textindex"]


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
        path: the folder of the set, a path or a URL `file:`; `save(path)` gives it.
        shards: how many shards the set has: as many as the frame has partitions.
        id, fields, attributes, weight, tolerate, options: as `textindex_spark.write` takes them.
        by: `id` (the default): each row must be in the partition of its identifier, as `place` puts
            it. `file`: each partition is a shard as it is.
        order: with `by` `id`, of several rows with one identifier the one with the greatest value of
            this column counts. They must be next to each other, as `place` puts them. Without it
            identifiers must be unique.
        check: `true` (the default) or `false`: with `by` `file`, look for identifiers that are in
            several shards, by eight bytes of each that go to the driver.
        textindex: the command.

    The mode must be `append`. A set is not changed in place: writing the same rows again does nothing,
    and writing others is an error, or the same in another number of shards or division. How many rows were left out is logged as a warning.

    Options for reading, which gives rows of (query, rank, id, score, number):
        path: the folder of the set, a path or a URL `file:`; `load(path)` gives it.
        query: one query. queries: many, a list in JSON; `number` is the place in it.
        limit: how many results to give for a query (default: 10).
        tasks: how many tasks divide the queries (default: 1). Each opens the whole set. With
            `textindex_spark.search` tasks divide the shards instead: for large sets, or few queries.
        filter, field, steps, rank, trusted_owners: as `textindex_spark.search` takes them.
        textindex: the command.

    Other options are an error.
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
        """Builds the set.

        Raises ValueError for options that are not known, and for those that do not fit the frame;
        CommandFailed if another set is in the folder.
        """
        if overwrite:
            raise ValueError(
                'textindex: a set is not overwritten; use mode("append") and a folder of its own')
        writer = SetWriter(self.options)
        check_free(writer.path, writer.shards, any_division=writer.by == "file")
        if writer.order is not None and writer.order.split(".")[0] not in schema.fieldNames():
            raise ValueError(f"textindex: the frame has no column {writer.order} to order by")
        return writer


@dataclass
class Queries(InputPartition):
    """The queries of one task, and how many there are before them."""

    texts: list[str]
    first: int


class SetReader(DataSourceReader):
    """Gives the results of queries in a set; each task takes some of the queries."""

    def __init__(self, options: MutableMapping[str, str]) -> None:
        _check_names(options, READING, "reading")
        self.path = local_path(options.get("path", ""))
        self.texts = _texts(options)
        self.limit = _number(options, "limit", 10)
        check_limit(self.limit)
        self.tasks = _number(options, "tasks", 1)
        self.how = SearchOptions(
            options.get("filter"), options.get("field"), tuple(_list(options, "steps", [])),
            options.get("rank"), tuple(_numbers(options, "trusted_owners")))
        self.command = program(options.get("textindex"))

    def partitions(self) -> Sequence[InputPartition]:
        """Divides the queries evenly."""
        if not self.texts:
            raise ValueError(
                'textindex: name a query: option("query", …), option("queries", a list in JSON)')
        tasks = max(min(self.tasks, len(self.texts)), 1)
        cuts = [len(self.texts) * number // tasks for number in range(tasks + 1)]
        return [Queries(self.texts[first:end], first) for first, end in zip(cuts, cuts[1:])]

    def read(self, partition: InputPartition) -> Iterator[tuple[Any, ...]]:
        """Searches for the queries of one task."""
        assert isinstance(partition, Queries)
        hits = search_whole(self.path, partition.texts, self.limit, self.command, self.how)
        for hit in hits:
            yield tuple(hit._replace(number=hit.number + partition.first))


@dataclass
class Built(WriterCommitMessage):
    """The shard that a task built."""

    shard: BuiltShard


class SetWriter(DataSourceArrowWriter):
    """Builds a set; each task builds the shard of the number of its partition."""

    def __init__(self, options: MutableMapping[str, str]) -> None:
        _check_names(options, WRITING, "writing")
        self.path = local_path(options.get("path", ""))
        self.shards = _number(options, "shards", 0)
        if self.shards < 1:
            raise ValueError('textindex: say how many shards there are: option("shards", …)')
        self.by, self.order = options.get("by", "id"), options.get("order")
        check_division(self.by, self.order)
        self.compare = self.by == "file" and _truth(options, "check", True)
        self.index = IndexOptions(
            options.get("id", "id"), tuple(_list(options, "fields", ["title", "body"])),
            tuple(_list(options, "attributes", [])), options.get("weight"),
            tuple(_list(options, "options", [])), _number(options, "tolerate", 0))
        self.command = program(options.get("textindex"))

    def write(self, iterator: Iterator[pyarrow.RecordBatch]) -> WriterCommitMessage:
        """Builds the shard of a partition."""
        from pyspark import TaskContext

        context = TaskContext.get()
        number = context.partitionId() if context else 0
        if number >= self.shards:
            way = ("textindex_spark.place(frame, {})" if self.by == "id" else "frame.coalesce({})")
            raise ValueError(
                f"textindex: the frame has more partitions than the {self.shards} shards; divide it: "
                + way.format(self.shards))
        os.makedirs(self.path, exist_ok=True)
        hashes = IdentifierHashes() if self.compare else None
        made = build_shard(self._lines(iterator, number, hashes), self.path, number, self.shards,
                           self.index.arguments(), self.command)
        return Built(made.compared(hashes))

    def _lines(
        self, batches: Iterator[pyarrow.RecordBatch], number: int, hashes: IdentifierHashes | None
    ) -> Iterator[Lines]:
        rows = (batch.to_pylist() for batch in batches)
        for some in rows if self.order is None else _newest(rows, self.index.id, self.order, self.index):
            for row in some:
                identifier = member(row, self.index.id)
                if identifier is None:
                    continue  # The command says so.
                if self.by == "id":
                    self._check_place(identifier, number)
                if hashes is not None:
                    hashes.add(identifier_text(identifier))
            lines = [json_line(row, self.index) + "\n" for row in some]
            yield "".join(lines).encode(), len(lines)

    def _check_place(self, identifier: Any, number: int) -> None:
        if shard_number(identifier_text(identifier), self.shards) != number:
            raise ValueError(
                "textindex: a row is in the partition of another shard; divide the frame: "
                f'textindex_spark.place(frame, {self.shards}, id="{self.index.id}")')

    def commit(self, messages: list[WriterCommitMessage | None]) -> None:
        """Makes the shards the set that readers see, once all are there."""
        built = [message.shard for message in messages if isinstance(message, Built)]
        os.makedirs(self.path, exist_ok=True)
        made = finish_set(self.path, self.shards, built, self.index, self.command,
                          any_division=self.by == "file")
        if made["failed"]:
            logging.getLogger("textindex_spark").warning(
                "textindex: %d rows were left out: %s", made["failed"], "; ".join(made["problems"]))

    def abort(self, messages: list[WriterCommitMessage | None]) -> None:
        """Leaves what is there: the set of before is as it was, and the same work may go on."""


def _newest(
    blocks: Iterable[list[Mapping[str, Any]]], id: str, order: str, index: IndexOptions
) -> Iterator[list[Mapping[str, Any]]]:
    """Of rows with one identifier that are next to each other the one that counts."""
    best: Mapping[str, Any] | None = None
    for rows in blocks:
        chosen = []
        for row in rows:
            identifier = member(row, id)
            if best is not None and (identifier is None or member(best, id) != identifier):
                chosen.append(best)
                best = None
            if best is None or _precedence(best, order, index) < _precedence(row, order, index):
                best = row
        yield chosen
    if best is not None:
        yield [best]


def _precedence(row: Mapping[str, Any], order: str, index: IndexOptions) -> tuple[int, Any, str]:
    return precedence(member(row, order), json_line(row, index))


def _check_names(options: MutableMapping[str, str], known: Sequence[str], what: str) -> None:
    unknown = sorted(set(name.lower() for name in options) - set(known))
    if unknown:
        raise ValueError(
            f"textindex: no option {', '.join(unknown)} for {what}; there are {', '.join(known)}")


def _number(options: MutableMapping[str, str], name: str, standard: int) -> int:
    text = options.get(name)
    if text is None:
        return standard
    try:
        return int(text)
    except ValueError:
        raise ValueError(f"textindex: {name} is a number, not {text}") from None


def _numbers(options: MutableMapping[str, str], name: str) -> list[int]:
    try:
        return [int(text) for text in _list(options, name, [])]
    except ValueError:
        raise ValueError(f"textindex: {name} are numbers, not {options[name]}") from None


def _truth(options: MutableMapping[str, str], name: str, standard: bool) -> bool:
    text = options.get(name)
    if text is None:
        return standard
    if text.lower() not in ("true", "false"):
        raise ValueError(f"textindex: {name} is true or false, not {text}")
    return text.lower() == "true"


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
