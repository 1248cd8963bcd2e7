"""Searches a set of shards for a batch of queries, exactly: each shard in a task of its own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from .batches import Question, search_shards
from .command import program

if TYPE_CHECKING:
    import pyarrow
    from pyspark.sql import DataFrame, SparkSession

RESULTS = "query string, rank int, id string, score double"
"""The columns of results."""


def search(
    spark: SparkSession,
    path: str,
    queries: DataFrame,
    limit: int = 10,
    *,
    query: str = "query",
    textindex: str | None = None,
) -> DataFrame:
    """Searches a set for each query of a frame, and gives a frame of (query, rank, id, score).

    Each shard is searched by one task. First all say what they know of the queries, in as many rounds as
    the steps of the queries take; then each finds its best by the sums. So results, order and scores are
    those of one index of all objects.

    Args:
        spark: the session.
        path: the folder of the set, on a file system that driver and workers share.
        queries: the queries; they are collected on the driver.
        limit: how many results to give for a query.
        query: the column of the queries.
        textindex: the command on the workers and here.

    Raises:
        CommandFailed: a shard could not be searched.
        SetChanged: the set changed meanwhile.
    """

    def ask(question: Question, shards: Sequence[str]) -> list[str]:
        return _in_tasks(spark, question, list(shards))

    texts = [row[0] for row in queries.select(query).collect() if row[0] is not None]
    hits = search_shards(path, texts, limit, program(textindex), ask)
    return spark.createDataFrame([tuple(hit) for hit in hits], RESULTS)


def _in_tasks(spark: SparkSession, question: Question, shards: list[str]) -> list[str]:
    """What the shards answer, in their order."""

    def answer(batches: Iterator[pyarrow.RecordBatch]) -> Iterator[pyarrow.RecordBatch]:
        import pyarrow

        for rows in batches:
            for number in rows.column(0).to_pylist():
                answered = {"number": number, "text": question.ask(shards[number])}
                yield pyarrow.RecordBatch.from_pylist([answered])

    numbers = spark.range(0, len(shards), 1, len(shards))
    rows = numbers.mapInArrow(answer, "number bigint, text string").collect()
    return [row.text for row in sorted(rows, key=lambda row: int(row.number))]
