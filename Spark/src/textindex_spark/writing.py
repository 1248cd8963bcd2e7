"""Builds a set of shards of the rows of a data frame."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from .command import program
from .shards import IndexOptions, Lines, build_shard, commit_set, shard_name

if TYPE_CHECKING:
    import pyarrow
    from pyspark.sql import Column, DataFrame


def shard_of(identifier: Column, shards: int) -> Column:
    """The number of the shard of an identifier: 60 bits of its SHA-256, modulo the number of shards."""
    from pyspark.sql import functions as F

    digits = F.substring(F.sha2(identifier.cast("string"), 256), 1, 15)
    return F.pmod(F.conv(digits, 16, 10).cast("bigint"), F.lit(shards)).cast("int")


def place(frame: DataFrame, shards: int, *, id: str = "id", order: str | None = None) -> DataFrame:
    """Divides the rows of a frame by the shards of their identifiers: one partition for each shard.

    The rows of a partition are in the order of their identifiers, which become texts. What
    `df.write.format("textindex")` writes must be divided so.

    Args:
        frame: the objects.
        shards: how many shards there are.
        id: the column that identifies an object.
        order: of several rows with one identifier the one with the greatest value of this column
            counts. Without it identifiers must be unique.
    """
    from pyspark.sql import functions as F

    rows = frame if order is None else _newest(frame, id, order)
    rows = rows.withColumn(id, F.col(id).cast("string"))
    return rows.repartitionById(shards, shard_of(F.col(id), shards)).sortWithinPartitions(id)


def _newest(frame: DataFrame, id: str, order: str) -> DataFrame:
    """Of the rows with one identifier the one that counts."""
    from pyspark.sql import functions as F

    # Of equal values the row whose text is the greatest, so that each attempt has the same.
    rank = F.struct(F.col(order), F.to_json(F.struct("*")))
    newest = frame.groupBy(F.col(id)).agg(F.max_by(F.struct("*"), rank).alias("row"))
    return newest.select("row.*")


def write(
    frame: DataFrame,
    path: str,
    shards: int,
    *,
    id: str = "id",
    fields: Sequence[str] = ("title", "body"),
    attributes: Sequence[str] = (),
    weight: str | None = None,
    order: str | None = None,
    options: Sequence[str] = (),
    textindex: str | None = None,
) -> dict[str, Any]:
    """Writes the rows of a frame as a set of shards, and gives what SET.json then says.

    Each shard is built by one task, of its objects in the order of their identifiers, on the worker's
    own disk; it gets its name in one step. Any number of attempts of a task may run at once, be killed,
    or come late: a shard that is there with the same content is none's failure. The set is committed
    last, so readers see all of it or what was there before.

    Args:
        frame: the objects.
        path: the folder of the set, on a file system that driver and workers share.
        shards: how many shards to make.
        id: the column that identifies an object.
        fields: the columns to index, strings or lists of strings.
        attributes: the columns to filter and sort by, as `textindex index --attribute` takes them.
        weight: a column of numbers to rank by.
        order: of several rows with one identifier the one with the greatest value of this column
            counts. Without it identifiers must be unique.
        options: further options of `textindex index`, such as `["--stem", "english"]`.
        textindex: the command on the workers and here.

    Raises:
        CommandFailed: a shard or the set could not be made.
    """
    from pyspark.sql import functions as F

    if shards < 1:
        raise ValueError("shards must be at least 1")
    target, command = os.path.abspath(path), program(textindex)
    os.makedirs(target, exist_ok=True)
    wanted = IndexOptions(id, tuple(fields), tuple(attributes), weight, tuple(options))
    rows = frame if order is None else _newest(frame, id, order)
    lines = rows.select(
        F.col(id).cast("string").alias("id"),
        F.to_json(F.struct(*[
            # The identifier as it is hashed; and members of structures by their whole names.
            (F.col(name).cast("string") if name == id else F.col(name)).alias(name)
            for name in wanted.members()
        ])).alias("line"),
    )
    number = shard_of(F.col("id"), shards)
    placed = lines.repartitionById(shards, number).sortWithinPartitions("id", "line")
    arguments = wanted.arguments()

    def build(batches: Iterator[pyarrow.RecordBatch]) -> Iterator[pyarrow.RecordBatch]:
        import pyarrow
        from pyspark import TaskContext

        context = TaskContext.get()
        number = context.partitionId() if context else 0
        made = build_shard(_joined(batches), target, number, shards, arguments, command)
        yield pyarrow.RecordBatch.from_pylist([{"shard": json.dumps(made)}])

    made = placed.select("line").mapInArrow(build, "shard string").collect()
    add_empty(target, {json.loads(row.shard)["shard"]["name"] for row in made}, shards, arguments,
              command)
    return commit_set(target, shards, command)


def add_empty(
    target: str, made: set[str], shards: int, arguments: Sequence[str], command: str
) -> None:
    """Adds the shards that no task was started for: Spark leaves out what it knows to be empty."""
    for number in range(shards):
        if shard_name(number, shards) not in made:
            build_shard([], target, number, shards, arguments, command)


def _joined(batches: Iterator[pyarrow.RecordBatch]) -> Iterator[Lines]:
    """The texts in the first column of batches, as lines."""
    import pyarrow.compute as compute

    for batch in batches:
        if batch.num_rows:
            lines = compute.binary_join_element_wise(batch.column(0), "", "\n").to_pylist()
            yield "".join(lines).encode(), len(lines)
