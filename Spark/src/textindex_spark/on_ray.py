"""Builds and searches sets of shards on Ray, as `textindex_spark` does on Spark. It needs `ray`.

    from textindex_spark import on_ray
    on_ray.write(ray.data.read_json("notes.jsonl"), "/srv/notes", shards=4)
    on_ray.search("/srv/notes", ["white whale", "duck"], limit=10)
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import ray

from .batches import Hit, Question, search_shards
from .command import program
from .shards import (
    IndexOptions, Lines, build_shard, commit_set, identifier_text, json_line, shard_number)

RETRIES = 4
"""How often a task is tried again whose worker or node died. What it raises is not tried again."""

BLOCK = 1000
"""Lines that are fed at once."""

Row = tuple[str, Any, str]
"""An identifier, what tells which of several rows counts, and the object as a line."""


def write(
    data: Any,
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
    """Writes objects as a set of shards, and gives what SET.json then says.

    Each block of the objects is divided by one task, and each shard is built by one, of its objects in
    the order of their identifiers. Tasks of nodes that die run again elsewhere.

    Args:
        data: a `ray.data.Dataset`, or blocks: each an Arrow table, a list of rows, or a reference to
            one of these.
        path: the folder of the set, on a file system that all nodes share.
        shards, id, fields, attributes, weight, order, options, textindex: as `textindex_spark.write`
            takes them.

    Raises:
        CommandFailed: a shard or the set could not be made.
    """
    if shards < 1:
        raise ValueError("shards must be at least 1")
    target, command = os.path.abspath(path), program(textindex)
    os.makedirs(target, exist_ok=True)
    index = IndexOptions(id, tuple(fields), tuple(attributes), weight, tuple(options))
    blocks = data.to_arrow_refs() if hasattr(data, "to_arrow_refs") else list(data)
    divide = ray.remote(num_cpus=1, max_retries=RETRIES, num_returns=shards)(_divide)
    build = ray.remote(num_cpus=1, max_retries=RETRIES)(_build)
    parts = [divide.remote(block, shards, index, order) for block in blocks]
    columns = [[part] if shards == 1 else part for part in parts]
    built = [build.remote(target, number, shards, index, order is not None, command,
                          *[column[number] for column in columns]) for number in range(shards)]
    _get(built)
    return commit_set(target, shards, command)


def search(
    path: str, queries: Iterable[str], limit: int = 10, *, textindex: str | None = None
) -> list[Hit]:
    """Searches a set for each of some queries: results, order and scores of one index of all objects.

    Each shard is searched by one task in each round.

    Raises:
        CommandFailed: a shard could not be searched.
        SetChanged: the set changed meanwhile.
    """

    def ask(question: Question, shards: Sequence[str]) -> list[str]:
        shared = ray.put(question)
        answer = ray.remote(num_cpus=1, max_retries=RETRIES)(Question.ask)
        return list(_get([answer.remote(shared, shard) for shard in shards]))

    return search_shards(path, list(queries), limit, program(textindex), ask)


def _get(references: list[Any]) -> Any:
    """What tasks give, or the error of the first that failed, as it was raised."""
    try:
        return ray.get(references)
    except ray.exceptions.RayTaskError as error:
        raise error.cause from error


def _divide(block: Any, shards: int, index: IndexOptions, order: str | None) -> Any:
    """The rows of a block for each shard, without a list around them if there is one shard."""
    rows: list[Mapping[str, Any]] = block if isinstance(block, list) else block.to_pylist()
    parts: list[list[Row]] = [[] for _ in range(shards)]
    for row in rows:
        line = json_line(row, index)
        identifier = identifier_text(row[index.id])
        rank = row[order] if order else None
        parts[shard_number(identifier, shards)].append((identifier, rank, line))
    return parts[0] if shards == 1 else tuple(parts)


def _build(
    target: str, number: int, shards: int, index: IndexOptions, ordered: bool, command: str,
    *parts: list[Row],
) -> dict[str, Any]:
    """Builds a shard of the rows that blocks have for it."""
    # By bytes, as Spark sorts: Python's order of texts is that of code points, which is the same.
    rows = sorted((row for part in parts for row in part), key=lambda row: (row[0], row[2]))
    if ordered:
        newest: dict[str, Row] = {}
        for row in rows:
            other = newest.get(row[0])
            if other is None or _precedes(other, row):
                newest[row[0]] = row
        rows = list(newest.values())
    return build_shard(_lines(rows), target, number, shards, index.arguments(), command)


def _precedes(a: Row, b: Row) -> bool:
    """Whether the second of two rows counts. Rows without a value come first."""
    if a[1] is None or b[1] is None:
        return (a[1] is not None, a[2]) < (b[1] is not None, b[2])
    return bool((a[1], a[2]) < (b[1], b[2]))


def _lines(rows: list[Row]) -> Iterator[Lines]:
    for first in range(0, len(rows), BLOCK):
        some = rows[first:first + BLOCK]
        yield "".join(line + "\n" for _, _, line in some).encode(), len(some)
