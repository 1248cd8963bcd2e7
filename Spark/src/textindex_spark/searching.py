"""Searches a set of shards for a batch of queries, exactly: each shard in a task of its own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from .batches import Question, SearchOptions, check_limit, search_shards
from .command import program

if TYPE_CHECKING:
    import pyarrow
    from pyspark.sql import DataFrame, SparkSession

RESULTS = "query string, rank int, id string, score double, number int"
"""The columns of results."""


def search(
    spark: SparkSession,
    path: str,
    queries: DataFrame,
    limit: int = 10,
    *,
    query: str = "query",
    filter: str | None = None,
    field: str | None = None,
    steps: Sequence[str] = (),
    rank: str | None = None,
    trusted_owners: Sequence[int] = (),
    textindex: str | None = None,
) -> DataFrame:
    """Searches a set for each query of a frame: a frame of (query, rank, id, score, number).

    Each shard is searched by one task. First all say what they know of the queries, in as many rounds as
    the steps of the queries take; then each finds its best by the sums. So results, order and scores are
    those of one index of all objects.

    `number` is the place of the query among the rows of `queries` as they are collected, from 0: a
    query that is there twice has two results.

    The driver takes part in all of it: the queries are collected there and go to each task, and the
    answers of all shards are merged there, shards × queries × limit hits. That is right for thousands
    of queries. Divide more of them, or read the format `textindex`, whose tasks divide the queries.

    Args:
        spark: the session.
        path: the folder of the set, on a file system that driver and workers share: a path, or a URL
            `file:`.
        queries: the queries; rows without one have no results.
        limit: how many results to give for a query.
        query: the column of the queries.
        filter: query text that hits must match too, without an effect on their order.
        field: the field to look in where a query names none.
        steps: how far to go where there are few hits: `exact`, `variants`, `unfinished`, `typos`,
            `insideWords`, `someWords`. All of these if none is named.
        rank: `relevance`, `weight` or `combined`. Without it `combined` if the set has weights.
        trusted_owners: other users, by number, whose shards may be read.
        textindex: the command on the workers and here.

    Raises:
        ValueError: the limit is negative.
        CommandFailed: there is no set. What fails in a task is raised by Spark, with its message.
        SetChanged: the set changed meanwhile.
    """

    def ask(question: Question, shards: Sequence[str]) -> list[str]:
        return _in_tasks(spark, question, list(shards))

    check_limit(limit)  # Before the queries are collected.
    rows = enumerate(row[0] for row in queries.select(query).collect())
    asked = [(number, text) for number, text in rows if text is not None]
    options = SearchOptions(filter, field, steps, rank, trusted_owners)
    texts = [text for _, text in asked]
    hits = search_shards(path, texts, limit, program(textindex), ask, options)
    found = [tuple(hit._replace(number=asked[hit.number][0])) for hit in hits]
    return spark.createDataFrame(found, RESULTS)


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
