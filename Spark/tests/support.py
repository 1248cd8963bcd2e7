"""What the tests share: objects, queries, one index as the truth, and a session."""

from __future__ import annotations

import importlib.util
import json
import os
import random
import subprocess
import sys
import tempfile
import unittest
from collections.abc import Iterable, Sequence
from typing import Any

TESTS = os.path.dirname(os.path.abspath(__file__))
SOURCE = os.path.join(os.path.dirname(TESTS), "src")
ROOT = os.path.dirname(os.path.dirname(TESTS))
sys.path.insert(0, SOURCE)
# Workers import the package from here, and what tests send along.
os.environ["PYTHONPATH"] = os.pathsep.join([SOURCE, TESTS, os.environ.get("PYTHONPATH", "")])
os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
# Ray stays on the loopback interface, counts nothing, and does not print errors that tests expect.
os.environ.setdefault("RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER", "0")
os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
os.environ.setdefault("RAY_IGNORE_UNHANDLED_ERRORS", "1")

from textindex_spark.batches import query_lines  # noqa: E402
from textindex_spark.shards import shard_number  # noqa: E402

COMMAND = os.environ.get("TEXTINDEX", "textindex")
Item = dict[str, Any]
Found = list[tuple[str, float]]
"""Identifiers and scores, the best first."""

WORDS = ("duck ducks whale white book secret theory ocean captain recipe the and harbour harpoon sea "
         "season window winter letter letters orchard engine index search log.txt straße").split()


def session(**settings: str) -> Any:
    """The session of the tests, with two threads of this machine."""
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.master("local[2]").appName("textindex-spark-test")
    standard = {"spark.ui.enabled": "false", "spark.driver.memory": "1g",
                "spark.sql.shuffle.partitions": "2", "spark.ui.showConsoleProgress": "false"}
    for name, value in {**standard, **settings}.items():
        builder = builder.config(name, value)
    spark = builder.getOrCreate()
    spark.sparkContext.setLogLevel("OFF")
    return spark


def ray_is_there() -> bool:
    """Whether Ray is installed; the tests say so where it is not. TEXTINDEX_RAY=0 leaves it out."""
    return os.environ.get("TEXTINDEX_RAY") != "0" and importlib.util.find_spec("ray") is not None


def start_ray() -> Any:
    """A small Ray of this machine, if there is none yet."""
    import ray

    if not ray.is_initialized():
        ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, logging_level="ERROR",
                 object_store_memory=256 << 20, _node_ip_address="127.0.0.1")
    return ray


def item(number: int) -> Item:
    """A small object, always the same for a number."""
    title = [WORDS[(number * 7 + i) % len(WORDS)] for i in range(1 + number % 3)]
    body = [WORDS[(number * 5 + i * i) % len(WORDS)] for i in range(1 + number % 11)]
    return {"id": f"n{number}", "title": " ".join(title), "body": " ".join(body), "version": 1}


def random_items(generator: random.Random, count: int) -> list[Item]:
    """Objects of words of which few are common and most are rare."""
    def text(most: int) -> str:
        return " ".join(
            WORDS[min(int(generator.expovariate(0.25)), len(WORDS) - 1)]
            + ("" if generator.random() < 0.9 else generator.choice(["", "s", "ing", "x1"]))
            for _ in range(generator.randint(0, most)))
    return [{"id": f"n{number}", "title": text(4), "body": text(30)} for number in range(count)]


def nine_kinds(generator: random.Random, items: Sequence[Item], count: int) -> list[str]:
    """Queries of nine kinds, of the words that the objects have."""
    counts: dict[str, int] = {}
    for made in items:
        for word in f"{made['title']} {made['body']}".split():
            counts[word] = counts.get(word, 0) + 1
    words = sorted(counts, key=lambda word: (-counts[word], word)) or list(WORDS)
    third = max(len(words) // 3, 1)
    groups = [words[:third], words[third:2 * third] or words, words[2 * third:] or words]
    texts = [f"{made['title']} {made['body']}".split() for made in items]
    texts = [text for text in texts if len(text) > 1] or [["duck", "whale"]]

    def pair() -> list[str]:
        text = generator.choice(texts)
        first = generator.randrange(len(text) - 1)
        return text[first:first + 2]

    def part(word: str) -> str:
        return word[1:4] or word

    kinds = [
        lambda: generator.choice(groups[0]), lambda: generator.choice(groups[1]),
        lambda: generator.choice(groups[2]),
        lambda: " ".join(generator.sample(words, min(2, len(words)))),
        lambda: f"{generator.choice(words)} the",
        lambda: " OR ".join(generator.choices(words, k=generator.randint(3, 5))),
        lambda: '"' + " ".join(pair()) + '"',
        lambda: generator.choice(words)[:3] + "*",
        lambda: f"*{part(generator.choice(words))}*",
    ]
    return [kinds[number % 9]() for number in range(count)]


def random_queries(generator: random.Random, count: int) -> list[str]:
    """Texts as people may write them: with errors, fields, what must not be, and signs alone."""
    def word() -> str:
        text = generator.choice(WORDS)
        if len(text) > 4 and generator.random() < 0.25:
            place = generator.randrange(len(text))
            text = text[:place] + text[place + 1:]
        return text
    forms = [
        lambda: word(), lambda: f"{word()} {word()}", lambda: f"{word()} {word()} {word()} {word()}",
        lambda: f"+{word()} -{word()}", lambda: f"title:{word()}", lambda: f"{word()}~1 {word()}",
        lambda: f"({word()} OR {word()}) {word()}", lambda: f"{word()[:2]}", lambda: f'"{word()} {word()}',
        lambda: f"{word()} OR body:{word()[:3]}*", lambda: "", lambda: "!?", lambda: f"wi?{word()[-2:]}",
    ]
    return [generator.choice(forms)() for _ in range(count)]


def lines(items: Iterable[Item]) -> bytes:
    """Objects as lines of JSON."""
    return "".join(json.dumps(made, ensure_ascii=False) + "\n" for made in items).encode()


def by_shard(items: Iterable[Item], shards: int) -> list[list[Item]]:
    """The objects of each shard, in the order of their identifiers."""
    parts: list[list[Item]] = [[] for _ in range(shards)]
    for made in sorted(items, key=lambda made: str(made["id"]).encode()):
        parts[shard_number(str(made["id"]), shards)].append(made)
    return parts


def in_order(items: Iterable[Item], shards: int) -> list[Item]:
    """Objects as they come in a set: ties come so."""
    return [made for part in by_shard(items, shards) for made in part]


def command(*arguments: str, input: bytes = b"", status: int | None = 0) -> str:
    """What the command prints; it must end with the status, if one is given."""
    done = subprocess.run([COMMAND, *arguments], input=input, capture_output=True)
    if status is not None and done.returncode != status:
        raise AssertionError(f"{arguments}: {done.returncode}: {done.stderr.decode()[-500:]}")
    return done.stdout.decode()


def index_of(folder: str, items: Iterable[Item], *arguments: str, removed: Sequence[str] = ()) -> str:
    """Indexes objects, and removes some of them."""
    command("index", "-", "--index", folder, *arguments, input=lines(items))
    for first in range(0, len(removed), 100):
        command("remove", *removed[first:first + 100], "--index", folder)
    return folder


def search_command(
    index: str, texts: Sequence[str], limit: int, *arguments: str
) -> list[Found]:
    """What the command finds in an index or a set, for each text."""
    with tempfile.TemporaryDirectory() as folder:
        queries = os.path.join(folder, "q.jsonl")
        with open(queries, "w", encoding="utf-8") as file:
            file.write(query_lines(texts))
        printed = command("search", "--queries", queries, "--index", index, "--limit", str(limit),
                          "--json", *arguments)
    return [[(hit["identifier"], hit["score"]) for hit in json.loads(line)["hits"]]
            for line in printed.split("\n") if line]


def committed(made: dict[str, Any]) -> dict[str, Any]:
    """What `write` gives without what is not in SET.json; nothing was left out."""
    made = dict(made)
    if made.pop("failed") != 0 or made.pop("problems") != []:
        raise AssertionError(made)
    return made


def found(rows: Iterable[Any], texts: Sequence[str]) -> list[Found]:
    """Identifiers and scores for each text, of rows of (query, rank, id, score, number)."""
    by_query: dict[str, list[tuple[int, str, float]]] = {}
    for row in rows:
        query, rank, id, score, number = row
        if texts[number] != query:
            raise AssertionError(f"{query} is not number {number}")
        by_query.setdefault(query, []).append((rank, id, score))
    return [[(id, score) for _, id, score in sorted(by_query.get(text, []))] for text in texts]


def give_away(test: unittest.TestCase, folder: str, owner: int) -> None:
    """Gives a folder and all in it to another user; without that right the test is skipped."""
    if os.getuid() != 0:
        test.skipTest("only root may give files to others")
    for place, _, names in os.walk(folder):
        for name in [place, *[os.path.join(place, name) for name in names]]:
            os.chown(name, owner, owner)


class FolderTests(unittest.TestCase):
    """Tests with a folder of their own."""

    def setUp(self) -> None:
        # Tasks of a failed job may still be at work in it.
        folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.set = os.path.join(self.folder, "set")

    def path(self, name: str) -> str:
        """A path in the folder."""
        return os.path.join(self.folder, name)
