"""Sets of 1 to 64 shards have the results of one index of all objects: identifiers, order, scores, `==`.

Each case is searched by the command as a set, by the command in two phases with statistics through
files, on Spark by function and by format, and on Ray. TEXTINDEX_QUERIES is how many queries of nine
kinds each case has, TEXTINDEX_SEED repeats a run's choices.
"""

from __future__ import annotations

import json
import os
import random
import unittest
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import support
from support import Found, Item

import textindex_spark
from textindex_spark.batches import Question, search_shards
from textindex_spark.shards import commit_set, shard_number

QUERIES = int(os.environ.get("TEXTINDEX_QUERIES", "200"))
SEED = int(os.environ.get("TEXTINDEX_SEED", "47"))
LIMIT = 10


@dataclass(frozen=True)
class Case:
    """How a set is made.

    Attributes:
        shards: how many there are.
        objects: how many objects.
        skewed: nine of ten objects are in the first shard.
        removed: every so many objects were there and are removed; 0 for none.
        arguments: options of `textindex index`.
        everywhere: search on Spark and Ray, too.
    """

    shards: int
    objects: int
    skewed: bool = False
    removed: int = 0
    arguments: tuple[str, ...] = ()
    everywhere: bool = False


CASES = [
    Case(1, 120),
    Case(2, 250, removed=3, arguments=("--stem", "english"), everywhere=True),
    Case(3, 300, skewed=True),
    Case(5, 400, skewed=True, removed=4, everywhere=True),
    Case(8, 3),
    Case(16, 300, removed=2, arguments=("--stop-words", "none")),
    Case(32, 40, removed=5),
    Case(64, 800, skewed=True, removed=7, everywhere=True),
]


def objects_of(case: Case, generator: random.Random) -> list[Item]:
    """The objects of a case, in the order of the shards."""
    items = support.random_items(generator, case.objects)
    if case.skewed:
        for number, made in enumerate(items):
            # The next name that belongs to the first shard.
            salt = 0
            while number % 10 and shard_number(f"n{number}.{salt}", case.shards) != 0:
                salt += 1
            made["id"] = f"n{number}.{salt}"
    return support.in_order(items, case.shards)


def locally(question: Question, shards: Sequence[str]) -> list[str]:
    """Asks the shards with processes of this machine."""
    with ThreadPoolExecutor(2) as pool:
        return list(pool.map(question.ask, shards))


class ExactTests(support.FolderTests):
    def searchers(self, case: Case) -> dict[str, Callable[[list[str]], list[Found]]]:
        """The ways to search the set."""
        def command(texts: list[str]) -> list[Found]:
            return support.search_command(self.set, texts, LIMIT)

        def apart(texts: list[str]) -> list[Found]:
            return support.found(
                search_shards(self.set, texts, LIMIT, support.COMMAND, locally), texts)

        ways = {"command": command, "command, two phases": apart}
        if case.everywhere:
            ways.update({"Spark": self.on_spark, "Spark's format": self.by_format})
            if support.ray_is_there():
                ways["Ray"] = self.on_ray
        return ways

    def on_spark(self, texts: list[str]) -> list[Found]:
        spark = support.session()
        frame = spark.createDataFrame([(text,) for text in texts], "query string")
        return support.found(
            textindex_spark.search(spark, self.set, frame, limit=LIMIT).collect(), texts)

    def by_format(self, texts: list[str]) -> list[Found]:
        spark = support.session()
        textindex_spark.register(spark)
        reader = spark.read.format("textindex").option("queries", json.dumps(texts))
        return support.found(
            reader.option("limit", LIMIT).option("tasks", 3).load(self.set).collect(), texts)

    def on_ray(self, texts: list[str]) -> list[Found]:
        from textindex_spark import on_ray

        support.start_ray()
        return support.found(on_ray.search(self.set, texts, LIMIT), texts)

    def build(self, case: Case, items: list[Item], arguments: Sequence[str]) -> str:
        """Builds the set and one index of all objects; some objects are removed from both again."""
        removed = [str(made["id"]) for made in items[::case.removed]] if case.removed else []
        for number, part in enumerate(support.by_shard(items, case.shards)):
            index = support.index_of(
                self.path(f"shard{number}"), part, *arguments,
                removed=[made["id"] for made in part if made["id"] in set(removed)])
            support.command("set", "add", self.set, "--shard", str(number), "--of",
                            str(case.shards), "--index", index)
        commit_set(self.set, case.shards, support.COMMAND)
        return support.index_of(self.path("whole"), items, *arguments, removed=removed)

    def check(self, number: int, case: Case) -> None:
        generator = random.Random(SEED * 1000 + number)
        items = objects_of(case, generator)
        whole = self.build(case, items, case.arguments)
        texts = support.nine_kinds(generator, items, QUERIES)
        texts += support.random_queries(generator, QUERIES // 2)
        texts = list(dict.fromkeys(texts))
        expected = support.search_command(whole, texts, LIMIT)
        for name, search in self.searchers(case).items():
            found = search(texts)
            different = [text for text, a, b in zip(texts, found, expected) if a != b]
            self.assertEqual(different, [], f"{name}, {case}, seed {SEED}")
        hits = sum(map(len, expected))
        self.assertGreater(hits, 0)
        print(f"\nfigures exact cases=1 shards={case.shards} queries={len(texts)} hits={hits} "
              f"ways={len(self.searchers(case))}", flush=True)


def _add(number: int, case: Case) -> None:
    def test(self: ExactTests) -> None:
        self.check(number, case)

    kind = ("_skewed" if case.skewed else "") + ("_with_removals" if case.removed else "")
    setattr(ExactTests, f"test_{case.shards:02}_shards_of_{case.objects}_objects{kind}", test)


for _number, _case in enumerate(CASES):
    _add(_number, _case)


if __name__ == "__main__":
    unittest.main()
