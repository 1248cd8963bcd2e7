"""A set built and searched on Spark, against one index of all objects.

    python -m unittest discover -s Spark/tests          # or: make spark-test
"""

import hashlib
import json
import os
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "src"))

import textindex_spark  # noqa: E402
from pyspark.sql import SparkSession  # noqa: E402

COMMAND = os.environ["TEXTINDEX"]
WORDS = "duck whale white book secret theory ocean captain recipe ducks log.txt the".split()
QUERIES = ["duck", "white whale", "secret theory book", '"white whale"', "duk", "oce", "zebra",
           "duck OR whale", "captain -duck", "title:duck", "the", ""]


def item(number: int) -> dict[str, object]:
    title = [WORDS[(number * 7 + i) % len(WORDS)] for i in range(1 + number % 3)]
    body = [WORDS[(number * 5 + i * i) % len(WORDS)] for i in range(1 + number % 11)]
    return {"id": f"n{number}", "title": " ".join(title), "body": " ".join(body), "version": 1}


def place(identifier: str, shards: int) -> int:
    return int(hashlib.sha256(identifier.encode()).hexdigest()[:15], 16) % shards


class SparkTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        source = os.path.dirname(os.path.dirname(os.path.abspath(textindex_spark.__file__)))
        os.environ["PYTHONPATH"] = os.pathsep.join([source, os.environ.get("PYTHONPATH", "")])
        os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
        cls.spark = (
            SparkSession.builder.master("local[2]").appName("textindex-spark-test")
            .config("spark.ui.enabled", "false").config("spark.driver.memory", "1g")
            .config("spark.sql.shuffle.partitions", "2").getOrCreate())
        cls.spark.sparkContext.setLogLevel("ERROR")

    @classmethod
    def tearDownClass(cls) -> None:
        cls.spark.stop()

    def setUp(self) -> None:
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.set = os.path.join(self.folder.name, "set")

    def frame(self, items: list[dict[str, object]]):
        return self.spark.createDataFrame(items, "id string, title string, body string, version int")

    def expected(self, items: list[dict[str, object]], limit: int) -> list[list[tuple[str, float]]]:
        """What one index finds that has the objects in the order of the shards."""
        index, queries = (os.path.join(self.folder.name, name) for name in ["whole", "q.jsonl"])
        lines = "".join(json.dumps(item) + "\n" for item in items)
        subprocess.run([COMMAND, "index", "-", "--index", index], input=lines.encode(), check=True,
                       stdout=subprocess.DEVNULL)
        with open(queries, "w", encoding="utf-8") as file:
            file.writelines(json.dumps({"query": text}) + "\n" for text in QUERIES)
        printed = subprocess.run(
            [COMMAND, "search", "--queries", queries, "--index", index, "--limit", str(limit), "--json"],
            check=True, capture_output=True).stdout.decode()
        return [[(hit["identifier"], hit["score"]) for hit in json.loads(line)["hits"]]
                for line in printed.split("\n") if line]

    def check(self, count: int, shards: int, limit: int) -> None:
        items = [item(number) for number in range(count)]
        # Old versions of some, which do not count.
        old = [{**item(number), "title": "duck", "version": 0} for number in range(0, count, 5)]
        made = textindex_spark.write(self.frame(items + old), self.set, shards, order="version")
        self.assertEqual(sum(shard["objects"] for shard in made["shards"]), count)
        subprocess.run([COMMAND, "set", "verify", self.set], check=True, stdout=subprocess.DEVNULL)
        queries = self.spark.createDataFrame([(text,) for text in QUERIES], "query string")
        rows = textindex_spark.search(self.spark, self.set, queries, limit=limit).collect()
        items.sort(key=lambda item: (place(str(item["id"]), shards), str(item["id"])))
        for text, expected in zip(QUERIES, self.expected(items, limit)):
            found = sorted((row.rank, row.id, row.score) for row in rows if row["query"] == text)
            self.assertEqual([(id, score) for _, id, score in found], expected, text)

    def test_a_set_has_the_results_of_one_index(self) -> None:
        self.check(count=80, shards=3, limit=10)

    def test_shards_may_be_empty(self) -> None:
        self.check(count=3, shards=4, limit=2)

    def test_building_again_gives_the_same_set_and_other_input_is_an_error(self) -> None:
        items = [item(number) for number in range(20)]
        first = textindex_spark.write(self.frame(items), self.set, 2)
        self.assertEqual(textindex_spark.write(self.frame(items[::-1]), self.set, 2), first)
        with self.assertRaises(Exception) as failure:
            textindex_spark.write(self.frame(items[:10]), self.set, 2)
        self.assertIn("other content", str(failure.exception))
        with open(os.path.join(self.set, "SET.json"), encoding="utf-8") as file:
            self.assertEqual(json.load(file), first)

    def test_identifiers_must_be_unique_without_an_order(self) -> None:
        with self.assertRaises(Exception) as failure:
            textindex_spark.write(self.frame([item(1), item(1)]), self.set, 2)
        self.assertIn("identifier", str(failure.exception))
        self.assertFalse(os.path.exists(os.path.join(self.set, "SET.json")))


if __name__ == "__main__":
    unittest.main()
