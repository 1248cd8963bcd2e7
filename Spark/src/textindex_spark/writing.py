"""Builds a set of shards of the rows of a data frame."""

from __future__ import annotations

import os
import pickle
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from .command import program
from .paths import local_path
from .shards import (
    IdentifierHashes, IndexOptions, Lines, build_shard, check_free, finish_set)

if TYPE_CHECKING:
    import pyarrow
    from pyspark.sql import Column, DataFrame
    from pyspark.sql.types import DataType

DIVISIONS = ("id", "file")
"""What rows can be divided by."""


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
    # Rows without an identifier have nothing in common.
    columns = [F.col(f"`{name}`") for name in frame.columns]
    alone = F.when(F.col(id).isNull(), F.to_json(F.struct(*columns)))
    newest = frame.groupBy(F.col(id), alone).agg(F.max_by(F.struct("*"), rank).alias("row"))
    return newest.select("row.*")


def check_division(by: str, order: str | None) -> None:
    """Raises ValueError for what rows cannot be divided by."""
    if by not in DIVISIONS:
        raise ValueError(f"textindex: by is id or file, not {by}")
    if by == "file" and order is not None:
        raise ValueError(
            'textindex: order needs by="id": rows with one identifier may be in different files')


def write(
    frame: DataFrame,
    path: str,
    shards: int,
    *,
    id: str = "id",
    fields: Sequence[str] = ("title", "body"),
    attributes: Sequence[str] = (),
    weight: str | None = None,
    by: str = "id",
    order: str | None = None,
    tolerate: int = 0,
    check: bool = True,
    options: Sequence[str] = (),
    textindex: str | None = None,
) -> dict[str, Any]:
    """Writes the rows of a frame as a set of shards, and gives what SET.json then says.

    Each shard is built by one task on the worker's own disk; it gets its name in one step. Any number of
    attempts of a task may run at once, be killed, or come late: a shard that is there with the same
    content is none's failure. The set is committed last, so readers see all of it or nothing. A set that
    is there is not overwritten: the same rows again, divided alike, change nothing, and all else is an
    error.

    What is given also has `failed`, how many rows were left out, and `problems`, the first reasons.

    Args:
        frame: the objects.
        path: the folder of the set, on a file system that driver and workers share: a path, or a URL
            `file:`. Other schemes are refused.
        shards: how many shards to make.
        id: the column that identifies an object.
        fields: the columns to index, strings or lists of strings. NaN and infinities count as missing
            in all columns.
        attributes: the columns to filter and sort by, as `textindex index --attribute` takes them.
        weight: a column of numbers to rank by.
        by: what rows are divided by. `id`: by the hashes of their identifiers, each shard in the order
            of its identifiers; the set says so, and `textindex set verify` proves it. `file`: as they
            come, without a shuffle or a sort. The partitions of the frame, such as its files, become
            shards; more than there are shards are put together, and where there are fewer the last
            shards are empty. The same files must then be read in the same partitions if the job is to
            run again.
        order: of several rows with one identifier the one with the greatest value of this column
            counts. Without it identifiers must be unique. It needs `by="id"`.
        tolerate: how many rows of all may be left out that cannot be indexed, such as those without
            text. With more it is an error, and nothing is committed.
        check: with `by="file"`, look for identifiers that are in several shards. Eight bytes for each
            row go to the driver. Without it `textindex set verify` notices alone. Within a shard, and with `by="id"`
            everywhere, they are always an error.
        options: further options of `textindex index`, such as `["--stem", "english"]`.
        textindex: the command on the workers and here.

    Raises:
        ValueError: a parameter is wrong.
        CommandFailed: the set could not be made, or another one is in the folder. What fails in a task is raised by Spark, with the
            message of the `CommandFailed` there.
    """
    from pyspark.sql import functions as F

    if shards < 1:
        raise ValueError("shards must be at least 1")
    check_division(by, order)
    target, command = local_path(path), program(textindex)
    wanted = IndexOptions(
        id, fields, attributes, weight, options, tolerate)
    rows = frame if order is None else _newest(frame, id, order)
    types = dict(zip(wanted.members(), rows.select(*map(F.col, wanted.members())).schema.fields))
    lines = rows.select(
        F.col(id).cast("string").alias("id"),
        F.to_json(F.struct(*[
            # The identifier as it is hashed; and members of structures by their whole names.
            (F.col(name).cast("string") if name == id
             else _finite(F.col(name), types[name].dataType)).alias(name)
            for name in wanted.members()
        ])).alias("line"),
    )
    check_free(target, shards, any_division=by == "file")
    os.makedirs(target, exist_ok=True)
    arguments, compare = wanted.arguments(), by == "file" and check

    def build(batches: Iterator[pyarrow.RecordBatch]) -> Iterator[pyarrow.RecordBatch]:
        import pyarrow
        from pyspark import TaskContext

        context = TaskContext.get()
        number = context.partitionId() if context else 0
        hashes = IdentifierHashes() if compare else None
        made = build_shard(_joined(batches, hashes), target, number, shards, arguments, command)
        yield pyarrow.RecordBatch.from_pylist([{"shard": pickle.dumps(made.compared(hashes))}])

    if by == "file":
        placed = lines.coalesce(shards)
    else:
        number = shard_of(F.col("id"), shards)
        placed = lines.repartitionById(shards, number).sortWithinPartitions("id", "line")
    made = placed.select("line", "id").mapInArrow(build, "shard binary").collect()
    built = [pickle.loads(row.shard) for row in made]
    return finish_set(target, shards, built, wanted, command, any_division=by == "file")


def _finite(column: Column, kind: DataType) -> Column:
    """A column without the numbers that JSON does not have, which Spark writes as texts."""
    from pyspark.sql import functions as F
    from pyspark.sql.types import ArrayType, DoubleType, FloatType

    def is_finite(value: Column) -> Column:
        return ~(F.isnan(value) | (F.abs(value) == F.lit(float("inf"))))

    if isinstance(kind, (DoubleType, FloatType)):
        return F.when(is_finite(column), column)
    if isinstance(kind, ArrayType) and isinstance(kind.elementType, (DoubleType, FloatType)):
        return F.filter(column, lambda value: value.isNull() | is_finite(value))
    return column


def _joined(
    batches: Iterator[pyarrow.RecordBatch], hashes: IdentifierHashes | None
) -> Iterator[Lines]:
    """The texts in the first column of batches, as lines; the second has the identifiers."""
    import pyarrow.compute as compute

    for batch in batches:
        if batch.num_rows:
            if hashes is not None:
                for identifier in batch.column(1).to_pylist():
                    if identifier is not None:
                        hashes.add(identifier)
            lines = compute.binary_join_element_wise(batch.column(0), "", "\n").to_pylist()
            yield "".join(lines).encode(), len(lines)
