"""Builds and searches sets of shards on Ray, as `textindex_spark` does on Spark. It needs `ray`.

    from textindex_spark import on_ray
    on_ray.write(ray.data.read_json("notes.jsonl"), "/srv/notes", shards=4)
    on_ray.search("/srv/notes", ["white whale", "duck"], limit=10)
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

try:
    import ray
except ModuleNotFoundError as error:
    if error.name != "ray":
        raise
    raise ImportError(
        "textindex_spark.on_ray needs Ray: pip install 'ray>=2.40', or this package with [ray]"
    ) from error

from .batches import Hit, Question, SearchOptions, search_shards
from .command import program
from .paths import local_path
from .shards import (
    BuiltShard, IdentifierHashes, IndexOptions, Lines, build_shard, check_free, finish_set,
    identifier_text, json_line, member, precedence, shard_number)
from .writing import check_division

RETRIES = 4
"""How often a task is tried again whose worker or node died. What it raises is not tried again."""

BLOCK = 1000
"""Lines that are fed at once."""

Row = tuple[str | None, Any, str]
"""An identifier, the value that tells which of several rows counts, and the object as a line."""


def write(
    data: Any,
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
    """Writes objects as a set of shards, and gives what SET.json then says.

    Each block of the objects is divided by one task, and each shard is built by one, of its objects in
    the order of their identifiers. With `by="file"` blocks are shards as they are, or several in a row
    are one. Tasks of nodes that die run again elsewhere.

    Args:
        data: a `ray.data.Dataset`, or blocks: each an Arrow table, a list of rows, or a reference to
            one of these.
        path: the folder of the set, on a file system that all nodes share.
        shards, id, fields, attributes, weight, by, order, tolerate, check, options, textindex: as
            `textindex_spark.write` takes them.

    Raises:
        ValueError: a parameter is wrong, or an identifier is neither a text nor a whole number.
        CommandFailed: a shard or the set could not be made, or another set is in the folder.
    """
    if shards < 1:
        raise ValueError("shards must be at least 1")
    check_division(by, order)
    target, command = local_path(path), program(textindex)
    index = IndexOptions(id, fields, attributes, weight, options, tolerate)
    check_free(target, shards, any_division=by == "file")
    os.makedirs(target, exist_ok=True)
    blocks = data.to_arrow_refs() if hasattr(data, "to_arrow_refs") else list(data)
    if by == "file":
        as_they_are = ray.remote(num_cpus=1, max_retries=RETRIES)(_build_blocks)
        cuts = [len(blocks) * number // shards for number in range(shards + 1)]
        built = [as_they_are.remote(target, number, shards, index, check, command, *blocks[first:end])
                 for number, (first, end) in enumerate(zip(cuts, cuts[1:]))]
    else:
        divide = ray.remote(num_cpus=1, max_retries=RETRIES, num_returns=shards)(_divide)
        build = ray.remote(num_cpus=1, max_retries=RETRIES)(_build)
        parts = [divide.remote(block, shards, index, order) for block in blocks]
        columns = [[part] if shards == 1 else part for part in parts]
        built = [build.remote(target, number, shards, index, order is not None, command,
                              *[column[number] for column in columns]) for number in range(shards)]
    return finish_set(target, shards, _get(built), index, command, any_division=by == "file")


def search(
    path: str,
    queries: Iterable[str],
    limit: int = 10,
    *,
    filter: str | None = None,
    field: str | None = None,
    steps: Sequence[str] = (),
    rank: str | None = None,
    trusted_owners: Sequence[int] = (),
    textindex: str | None = None,
) -> list[Hit]:
    """Searches a set for each of some queries: results, order and scores of one index of all objects.

    Each shard is searched by one task in each round. All queries go to each task, and the answers of
    all come together here: divide very many queries.

    Args:
        path: the folder of the set, on a file system that all nodes share.
        queries: the queries. A hit has the place of its query, so that one may be there twice.
        limit, filter, field, steps, rank, trusted_owners, textindex: as `textindex_spark.search`
            takes them.

    Raises:
        ValueError: the limit is negative.
        CommandFailed: there is no set, or a shard could not be searched.
        SetChanged: the set changed meanwhile.
    """

    def ask(question: Question, shards: Sequence[str]) -> list[str]:
        shared = ray.put(question)
        answer = ray.remote(num_cpus=1, max_retries=RETRIES)(Question.ask)
        return list(_get([answer.remote(shared, shard) for shard in shards]))

    options = SearchOptions(filter, field, steps, rank, trusted_owners)
    return search_shards(path, list(queries), limit, program(textindex), ask, options)


def _get(references: list[Any]) -> Any:
    """What tasks give, or the error of the first that failed, as it was raised."""
    try:
        return ray.get(references)
    except ray.exceptions.RayTaskError as error:
        raise error.cause from error


def _rows(block: Any) -> list[Mapping[str, Any]]:
    return block if isinstance(block, list) else list(block.to_pylist())


def _divide(block: Any, shards: int, index: IndexOptions, order: str | None) -> Any:
    """The rows of a block for each shard, without a list around them if there is one shard."""
    parts: list[list[Row]] = [[] for _ in range(shards)]
    for row in _rows(block):
        line, given = json_line(row, index), member(row, index.id)
        # The command says what is wrong with a row that has none.
        identifier = None if given is None else identifier_text(given)
        rank = member(row, order) if order else None
        number = 0 if identifier is None else shard_number(identifier, shards)
        parts[number].append((identifier, rank, line))
    return parts[0] if shards == 1 else tuple(parts)


def _build(
    target: str, number: int, shards: int, index: IndexOptions, ordered: bool, command: str,
    *parts: list[Row],
) -> BuiltShard:
    """Builds a shard of the rows that blocks have for it."""
    # By bytes, as Spark sorts: Python's order of texts is that of code points, which is the same.
    rows = sorted((row for part in parts for row in part), key=lambda row: (row[0] or "", row[2]))
    if ordered:
        newest: dict[str, Row] = {}
        for row in rows:
            if row[0] is None:
                continue
            other = newest.get(row[0])
            if other is None or precedence(*other[1:]) < precedence(*row[1:]):
                newest[row[0]] = row
        rows = [row for row in rows if row[0] is None or newest[row[0]] is row]
    lines = [line for _, _, line in rows]
    return build_shard(
        _blocks(lines), target, number, shards, index.arguments(), command, expect=len(lines))


def _build_blocks(
    target: str, number: int, shards: int, index: IndexOptions, check: bool, command: str,
    *blocks: Any,
) -> BuiltShard:
    """Builds a shard of blocks as they are."""
    hashes = IdentifierHashes() if check else None
    lines = []
    for block in blocks:
        for row in _rows(block):
            lines.append(json_line(row, index))
            identifier = member(row, index.id)
            if hashes is not None and identifier is not None:
                hashes.add(identifier_text(identifier))
    made = build_shard(
        _blocks(lines), target, number, shards, index.arguments(), command, expect=len(lines))
    return made.compared(hashes)


def _blocks(lines: list[str]) -> Iterator[Lines]:
    for first in range(0, len(lines), BLOCK):
        some = lines[first:first + BLOCK]
        yield "".join(line + "\n" for line in some).encode(), len(some)
