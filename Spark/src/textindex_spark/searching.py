"""Searches a set of shards for a batch of queries, exactly."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from .command import program, run

if TYPE_CHECKING:
    import pyarrow
    from pyspark.sql import DataFrame, SparkSession

MOST_ROUNDS = 40
"""A text that takes every step needs fewer rounds; more are a mistake of ours."""


def search(
    spark: "SparkSession",
    path: str,
    queries: "DataFrame",
    limit: int = 10,
    *,
    query: str = "query",
    textindex: str | None = None,
) -> "DataFrame":
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
        RuntimeError: the set changed meanwhile.
    """
    folder, command = os.path.abspath(path), program(textindex)
    with open(os.path.join(folder, "SET.json"), encoding="utf-8") as file:
        names = [shard["name"] for shard in json.load(file)["shards"]]
    texts = [row[0] for row in queries.select(query).collect() if row[0] is not None]
    batch = "".join(json.dumps({"query": text}) + "\n" for text in texts)
    if not texts:
        return spark.createDataFrame([], "query string, rank int, id string, score double")
    known: str | None = None
    for _ in range(MOST_ROUNDS):
        told = _in_shards(spark, folder, names, command, batch, known, ["statistics"], limit)
        known = _sum(command, told, known)
        if all(json.loads(line)["isComplete"] for line in _lines(known)):
            break
    else:
        raise RuntimeError("the statistics of the queries do not settle")
    found = _in_shards(spark, folder, names, command, batch, known, ["search"], limit)
    answers = [[json.loads(line) for line in _lines(text)] for text in found]
    _check_generations(answers, [json.loads(line) for line in _lines(known)])
    rows = _merge(answers, texts, limit)
    return spark.createDataFrame(rows, "query string, rank int, id string, score double")


def _lines(text: str) -> list[str]:
    """Lines of JSON: a text in them may have other signs that Python takes for ends of lines."""
    return [line for line in text.split("\n") if line]


def _check_generations(shards: list[list[dict[str, Any]]], known: list[dict[str, Any]]) -> None:
    """Raises RuntimeError where a shard is not what its statistics are of."""
    for sums in known:
        found = sum(int(lines[sums["number"]]["generation"], 16) for lines in shards) % 2**64
        if found != int(sums["statistics"]["generation"], 16):
            raise RuntimeError("the set changed while it was searched; search it again")


def _in_shards(
    spark: "SparkSession", folder: str, names: list[str], command: str, batch: str,
    known: str | None, what: list[str], limit: int,
) -> list[str]:
    """What the command prints for each shard, in their order."""

    def ask(batches: "Iterator[pyarrow.RecordBatch]") -> "Iterator[pyarrow.RecordBatch]":
        import pyarrow

        for rows in batches:
            for number in rows.column(0).to_pylist():
                printed = ask_shard(os.path.join(folder, names[number]), command, batch, known, what, limit)
                yield pyarrow.RecordBatch.from_pylist([{"number": number, "text": printed}])

    shards = spark.range(0, len(names), 1, len(names))
    rows = shards.mapInArrow(ask, "number bigint, text string").collect()
    return [row.text for row in sorted(rows, key=lambda row: row.number)]


def ask_shard(
    shard: str, command: str, batch: str, known: str | None, what: list[str], limit: int
) -> str:
    """Runs `textindex statistics` or `textindex search` for a batch of queries in one shard."""
    with tempfile.TemporaryDirectory(dir=os.environ.get("TEXTINDEX_LOCAL")) as work:
        queries = os.path.join(work, "queries.jsonl")
        with open(queries, "w", encoding="utf-8") as file:
            file.write(batch)
        arguments = [command, *what, "--index", shard, "--queries", queries, "--limit", str(limit)]
        if what == ["search"]:
            arguments.append("--json")
        if known is not None:
            sums = os.path.join(work, "sums.jsonl")
            with open(sums, "w", encoding="utf-8") as file:
                file.write(known)
            arguments += ["--statistics" if what == ["search"] else "--known", sums]
        return run(arguments)


def _sum(command: str, told: list[str], known: str | None) -> str:
    """Adds up what shards told; what was complete before stays."""
    with tempfile.TemporaryDirectory() as work:
        files = []
        for number, text in enumerate(told):
            files.append(os.path.join(work, f"{number}.jsonl"))
            with open(files[-1], "w", encoding="utf-8") as file:
                file.write(text)
        arguments = [command, "statistics", "--sum", *files]
        if known is not None:
            arguments += ["--known", os.path.join(work, "known.jsonl")]
            with open(arguments[-1], "w", encoding="utf-8") as file:
                file.write(known)
        return run(arguments)


def _merge(
    shards: list[list[dict[str, Any]]], texts: list[str], limit: int
) -> list[tuple[str, int, str, float]]:
    """The best of all shards: by score, by relevance, by shard, then as each shard has them."""
    rows: list[tuple[str, int, str, float]] = []
    for number, text in enumerate(texts):
        hits = [
            (-float(hit["score"]), -float(hit["relevance"]), shard, hit["rank"], hit["identifier"])
            for shard, lines in enumerate(shards) for hit in lines[number]["hits"]
        ]
        for rank, (score, _, _, _, identifier) in enumerate(sorted(hits)[:limit]):
            rows.append((text, rank, identifier, -score))
    return rows
