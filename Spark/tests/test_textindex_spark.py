"""Sets built and searched on Spark, by functions and by the format `textindex`.

    python -m unittest discover -s Spark/tests          # or: make spark-test
"""

import datetime
import json
import os
import unittest

import support
from support import Item, item

import textindex_spark

QUERIES = ["duck", "white whale", "secret theory book", '"white whale"', "duk", "oce", "zebra",
           "duck OR whale", "captain -duck", "title:duck", "the", ""]


class SparkTests(support.FolderTests):
    def setUp(self) -> None:
        super().setUp()
        self.spark = support.session()

    def frame(self, items: list[Item]):
        return self.spark.createDataFrame(items, "id string, title string, body string, version int")

    def check(self, count: int, shards: int, limit: int) -> None:
        items = [item(number) for number in range(count)]
        # Old versions of some, which do not count.
        old = [{**item(number), "title": "duck", "version": 0} for number in range(0, count, 5)]
        made = textindex_spark.write(self.frame(items + old), self.set, shards, order="version")
        self.assertEqual(sum(shard["objects"] for shard in made["shards"]), count)
        support.command("set", "verify", self.set)
        queries = self.spark.createDataFrame([(text,) for text in QUERIES], "query string")
        rows = textindex_spark.search(self.spark, self.set, queries, limit=limit).collect()
        whole = support.index_of(self.path("whole"), support.in_order(items, shards))
        self.assertEqual(
            support.found(rows, QUERIES), support.search_command(whole, QUERIES, limit))

    def test_a_set_has_the_results_of_one_index(self) -> None:
        self.check(count=80, shards=3, limit=10)

    def test_shards_may_be_empty(self) -> None:
        self.check(count=3, shards=4, limit=2)

    def test_a_frame_may_be_empty(self) -> None:
        made = textindex_spark.write(self.frame([]), self.set, 2)
        self.assertEqual([shard["objects"] for shard in made["shards"]], [0, 0])

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


class SourceTests(SparkTests):
    """The format `textindex`."""

    def setUp(self) -> None:
        super().setUp()
        textindex_spark.register(self.spark)

    def save(self, frame, shards: int, mode: str = "append", **options: object) -> None:
        writer = frame.write.format("textindex").option("shards", shards).mode(mode)
        for name, value in options.items():
            writer = writer.option(name, value)
        writer.save(self.set)

    def fails(self, message: str, frame, shards: int, **options: object) -> None:
        with self.assertRaises(Exception) as failure:
            self.save(frame, shards, **options)
        self.assertIn(message, str(failure.exception))
        self.assertFalse(os.path.exists(os.path.join(self.set, "SET.json")))

    def check(self, count: int, shards: int, limit: int) -> None:
        items = [item(number) for number in range(count)]
        old = [{**item(number), "title": "duck", "version": 0} for number in range(0, count, 5)]
        frame = self.frame(items + old)
        self.save(textindex_spark.place(frame, shards, order="version"), shards)
        other = os.path.join(self.folder, "other")
        self.assertEqual(textindex_spark.shards.manifest(self.set),
                         textindex_spark.write(frame, other, shards, order="version"))
        reader = self.spark.read.format("textindex").option("queries", json.dumps(QUERIES))
        rows = reader.option("limit", limit).option("tasks", 2).load(self.set).collect()
        whole = support.index_of(self.path("whole"), support.in_order(items, shards))
        self.assertEqual(
            support.found(rows, QUERIES), support.search_command(whole, QUERIES, limit))

    def test_a_frame_may_be_empty(self) -> None:
        self.save(textindex_spark.place(self.frame([]), 2), 2)
        made = textindex_spark.shards.manifest(self.set)
        self.assertEqual([shard["objects"] for shard in made["shards"]], [0, 0])

    def test_building_again_gives_the_same_set_and_other_input_is_an_error(self) -> None:
        items = [item(number) for number in range(20)]
        self.save(textindex_spark.place(self.frame(items), 2), 2)
        first = textindex_spark.shards.manifest(self.set)
        self.save(textindex_spark.place(self.frame(items[::-1]), 2), 2)
        with self.assertRaises(Exception) as failure:
            self.save(textindex_spark.place(self.frame(items[:10]), 2), 2)
        self.assertIn("other content", str(failure.exception))
        self.assertEqual(textindex_spark.shards.manifest(self.set), first)

    def test_identifiers_must_be_unique_without_an_order(self) -> None:
        self.fails("identifier", textindex_spark.place(self.frame([item(1), item(1)]), 2), 2)

    def test_identifiers_may_be_of_any_type_once_they_are_placed(self) -> None:
        for number, (kind, values) in enumerate([
            ("double", [1.5, 2.0, 1e7, -0.25]), ("boolean", [True, False]), ("bigint", [7, -8, 9]),
        ]):
            rows = [(value, "duck", "whale") for value in values]
            frame = self.spark.createDataFrame(rows, f"id {kind}, title string, body string")
            self.set, other = self.path(f"placed{number}"), self.path(f"written{number}")
            if kind != "bigint":
                self.fails("cast it to a string", frame.coalesce(1), 1)
            self.save(textindex_spark.place(frame, 2), 2)
            self.assertEqual(textindex_spark.shards.manifest(self.set),
                             textindex_spark.write(frame, other, 2))

    def test_a_frame_must_be_divided_as_the_set_is(self) -> None:
        frame = self.frame([item(number) for number in range(20)])
        self.fails("textindex_spark.place(frame, 3", frame.repartition(3), 3)
        self.fails("more partitions", textindex_spark.place(frame, 3), 2, division="any")
        self.fails("how many shards", frame, 0)
        self.fails("division is id or any", frame, 2, division="some")
        self.fails("not overwritten", textindex_spark.place(frame, 2), 2, mode="overwrite")
        nobody = self.spark.createDataFrame([(None, "duck")], "id string, title string")
        self.fails("shard", nobody, 1, fields="title", division="any")

    def test_partitions_may_be_shards_as_they_are(self) -> None:
        items = [item(number) for number in range(30)]
        self.save(self.frame(items).coalesce(1), 1, division="any")
        self.assertNotIn("hash", textindex_spark.shards.manifest(self.set))
        support.command("set", "verify", self.set)

    def test_columns_of_all_types_and_options_are_taken(self) -> None:
        day = datetime.date(2026, 1, 2)
        frame = self.spark.createDataFrame(
            [(7, ["white", "duck"], ("Ann",), day, 2.5), (8, None, ("Bob",), None, None)],
            "key long, words array<string>, author struct<name string>, day date, weight double")
        self.save(textindex_spark.place(frame, 1, id="key"), 1, id="key", fields='["words","author.name"]',
                  attributes="day:date", weight="weight", options='["--stem","english"]')
        reader = self.spark.read.format("textindex").option("query", "ducks ann day:2026-01-02")
        self.assertEqual([row.id for row in reader.load(self.set).collect()], ["7"])

    def test_a_query_must_be_named(self) -> None:
        self.save(textindex_spark.place(self.frame([item(number) for number in range(20)]), 2), 2)
        reader = self.spark.read.format("textindex")
        for message, options in [
            ("name a query", {}), ("not both", {"query": "duck", "queries": "[]"}),
            ("a list in JSON", {"queries": "duck"}), ("a number", {"query": "duck", "limit": "ten"}),
        ]:
            with self.assertRaises(Exception) as failure:
                reader.options(**options).load(self.set).collect()
            self.assertIn(message, str(failure.exception))
            reader = self.spark.read.format("textindex")


if __name__ == "__main__":
    unittest.main()
