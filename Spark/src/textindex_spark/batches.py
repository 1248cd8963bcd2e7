"""Searches the shards of a set apart, for a batch of queries, exactly. It knows neither Spark nor Ray."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from .command import CommandFailed, run
from .paths import local_path
from .shards import listed, manifest

MOST_ROUNDS = 40
"""A text that takes every step needs fewer rounds; more are a mistake of ours."""


class SetChanged(RuntimeError):
    """A shard is not what its statistics are of: the set changed while it was searched."""


class Hit(NamedTuple):
    """One result of a query of a batch; `number` is the place of the query in the batch, from 0."""

    query: str
    rank: int
    id: str
    score: float
    number: int


@dataclass(frozen=True)
class SearchOptions:
    """How all queries of a batch are run.

    Attributes:
        filter: query text that hits must match too, without an effect on their order.
        field: the field to look in where a query names none.
        steps: how far to go where a page is not full, as `textindex search --steps` takes it; all
            steps if there are none. A text stands for a list with one name.
        rank: `relevance`, `weight` or `combined`; what is usual for the index if there is none.
        trusted_owners: other users, by number, whose shards may be read.
    """

    filter: str | None = None
    field: str | None = None
    steps: Sequence[str] = ()
    rank: str | None = None
    trusted_owners: Sequence[int] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "steps", listed(self.steps))
        object.__setattr__(self, "trusted_owners", tuple(self.trusted_owners))

    def arguments(self) -> list[str]:
        """The options of `textindex search` and `textindex statistics`."""
        named = {"--filter": self.filter, "--field": self.field, "--rank": self.rank,
                 "--steps": ",".join(self.steps) or None}
        arguments = [f"{name}={value}" for name, value in named.items() if value is not None]
        return arguments + [f"--trusted-owner={owner}" for owner in self.trusted_owners]


@dataclass(frozen=True)
class Question:
    """What each shard is asked, for all queries at once.

    Attributes:
        verb: `statistics` for what a shard knows of the queries, `search` for its best.
        batch: the queries, as lines of JSON.
        known: the sums of what all shards know so far.
        limit: how many results are wanted of a query.
        command: the command `textindex`.
        options: further options of it.
    """

    verb: str
    batch: str
    known: str | None
    limit: int
    command: str
    options: SearchOptions = SearchOptions()

    def ask(self, shard: str) -> str:
        """What the command prints for a shard, the path of its folder."""
        with tempfile.TemporaryDirectory(dir=os.environ.get("TEXTINDEX_LOCAL")) as work:
            queries = _file(work, "queries.jsonl", self.batch)
            arguments = [self.command, self.verb, "--index", shard, "--queries", queries,
                         "--limit", str(self.limit), *self.options.arguments()]
            if self.verb == "search":
                arguments.append("--json")
            if self.known is not None:
                option = "--statistics" if self.verb == "search" else "--known"
                arguments += [option, _file(work, "sums.jsonl", self.known)]
            return run(arguments)


Asker = Callable[[Question, Sequence[str]], list[str]]
"""Asks each of some shards, wherever that is, and gives what they answered, in their order."""


def search_shards(
    path: str, texts: Sequence[str], limit: int, command: str, asker: Asker,
    options: SearchOptions = SearchOptions(),
) -> list[Hit]:
    """Searches a set for each of some queries.

    First all shards say what they know of the queries, in as many rounds as the steps of the queries
    take; then each finds its best by the sums. So results, order and scores are those of one index of
    all objects.

    Raises:
        ValueError: the limit is negative.
        CommandFailed: there is no set, or a shard could not be searched.
        SetChanged: the set changed meanwhile.
    """
    check_limit(limit)
    folder = local_path(path)
    try:
        shards = [os.path.join(folder, shard["name"]) for shard in manifest(folder)["shards"]]
    except FileNotFoundError as error:
        raise CommandFailed(f"there is no set of shards in {folder}") from error
    if not texts:
        return []
    batch = query_lines(texts)
    known: str | None = None
    for _ in range(MOST_ROUNDS):
        told = asker(Question("statistics", batch, known, limit, command, options), shards)
        known = _sum(command, told, known)
        if all(json.loads(line)["isComplete"] for line in json_lines(known)):
            break
    else:
        raise RuntimeError("the statistics of the queries do not settle")
    found = asker(Question("search", batch, known, limit, command, options), shards)
    answers = [[json.loads(line) for line in json_lines(text)] for text in found]
    _check_generations(answers, [json.loads(line) for line in json_lines(known)])
    return _merge(answers, texts, limit)


def search_whole(
    path: str, texts: Sequence[str], limit: int, command: str,
    options: SearchOptions = SearchOptions(),
) -> list[Hit]:
    """Searches a set for each of some queries, in one process that opens all of its shards.

    Raises ValueError for a negative limit.
    """
    check_limit(limit)
    if not texts:
        return []
    with tempfile.TemporaryDirectory(dir=os.environ.get("TEXTINDEX_LOCAL")) as work:
        queries = _file(work, "queries.jsonl", query_lines(texts))
        printed = run([command, "search", "--index", local_path(path), "--queries", queries,
                       "--limit", str(limit), "--json", *options.arguments()])
    return _merge([[json.loads(line) for line in json_lines(printed)]], texts, limit)


def check_limit(limit: int) -> None:
    """Raises ValueError for a number of results that cannot be."""
    if limit < 0:
        raise ValueError(f"textindex: limit must not be negative, as {limit} is")


def query_lines(texts: Sequence[str]) -> str:
    """Queries as the command reads them."""
    return "".join(json.dumps({"query": text}) + "\n" for text in texts)


def json_lines(text: str) -> list[str]:
    """Lines of JSON: a text in them may have other signs that Python takes for ends of lines."""
    return [line for line in text.split("\n") if line]


def _file(folder: str, name: str, text: str) -> str:
    path = os.path.join(folder, name)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path


def _sum(command: str, told: Sequence[str], known: str | None) -> str:
    """Adds up what shards told; what was complete before stays."""
    with tempfile.TemporaryDirectory() as work:
        files = [_file(work, f"{number}.jsonl", text) for number, text in enumerate(told)]
        arguments = [command, "statistics", "--sum", *files]
        if known is not None:
            arguments += ["--known", _file(work, "known.jsonl", known)]
        return run(arguments)


def _check_generations(shards: list[list[dict[str, Any]]], known: list[dict[str, Any]]) -> None:
    for sums in known:
        found = sum(int(lines[sums["number"]]["generation"], 16) for lines in shards) % 2**64
        if found != int(sums["statistics"]["generation"], 16):
            raise SetChanged("the set changed while it was searched; search it again")


def _merge(shards: list[list[dict[str, Any]]], texts: Sequence[str], limit: int) -> list[Hit]:
    """The best of all shards: by score, by relevance, by shard, then as each shard has them."""
    merged: list[Hit] = []
    for number, text in enumerate(texts):
        hits = [
            (-float(hit["score"]), -float(hit["relevance"]), shard, hit["rank"], hit["identifier"])
            for shard, lines in enumerate(shards) for hit in lines[number]["hits"]
        ]
        for rank, (score, _, _, _, identifier) in enumerate(sorted(hits)[:limit]):
            merged.append(Hit(text, rank, identifier, -score, number))
    return merged
