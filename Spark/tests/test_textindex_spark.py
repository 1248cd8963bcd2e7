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


class SparkTestCase(support.FolderTests):
    def setUp(self) -> None:
        super().setUp()
        self.spark = support.session()

    def frame(self, items: list[Item]):
        return self.spark.createDataFrame(items, "id string, title string, body string, version int")


class SparkTests(SparkTestCase):
    """Sets by functions."""

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
            self.assertEqual(json.load(file), support.committed(first))

    def test_a_set_of_another_division_is_not_replaced(self) -> None:
        frame = self.frame([item(number) for number in range(20)])
        first = textindex_spark.write(frame, self.set, 2)
        for shards, options in [(3, {}), (2, {"by": "file"})]:
            with self.assertRaisesRegex(textindex_spark.CommandFailed, "is not overwritten; name another"):
                textindex_spark.write(frame, self.set, shards, **options)
        with self.assertRaisesRegex(Exception, "other content"):
            textindex_spark.write(frame, self.set, 2, options="--stem=english")
        self.assertEqual(textindex_spark.shards.manifest(self.set), support.committed(first))
        self.assertEqual(len(os.listdir(self.set)), 3)
        support.command("set", "verify", self.set)
        self.assertEqual(textindex_spark.write(frame, self.set, 2), first)

    def test_an_index_is_no_folder_for_a_set(self) -> None:
        index = support.index_of(self.path("live"), [item(1)])
        before = sorted(os.listdir(index))
        with self.assertRaisesRegex(Exception, "is an index, and no set of shards"):
            textindex_spark.write(self.frame([item(1)]), index, 1)
        self.assertEqual(sorted(os.listdir(index)), before)

    def test_a_text_is_a_list_with_one_name(self) -> None:
        frame = self.frame([item(number) for number in range(20)])
        made = textindex_spark.write(frame, self.set, 2, fields="title")
        self.assertEqual(made["fields"], ["title"])
        queries = self.spark.createDataFrame([("duk",), ("duck",)], "query string")
        rows = textindex_spark.search(self.spark, self.set, queries, steps="exact").collect()
        self.assertEqual({row.number for row in rows}, {1})

    def test_a_negative_limit_is_refused_at_once(self) -> None:
        queries = self.spark.createDataFrame([("duck",)], "query string")
        with self.assertRaisesRegex(ValueError, "limit must not be negative"):
            textindex_spark.search(self.spark, self.set, queries, limit=-1)

    def test_identifiers_must_be_unique_without_an_order(self) -> None:
        with self.assertRaises(Exception) as failure:
            textindex_spark.write(self.frame([item(1), item(1)]), self.set, 2)
        self.assertIn("identifier", str(failure.exception))
        self.assertFalse(os.path.exists(os.path.join(self.set, "SET.json")))

    def written(self, count: int, frame, shards: int, **options: object) -> dict[str, object]:
        """Writes a frame; so many rows of it are there."""
        made = textindex_spark.write(frame, self.set, shards, **options)
        self.assertEqual(sum(shard["objects"] for shard in made["shards"]), count)
        support.command("set", "verify", self.set)
        return made

    def test_urls_of_files_are_paths_and_others_are_refused(self) -> None:
        before = sorted(os.listdir("."))
        frame = self.frame([item(number) for number in range(6)])
        textindex_spark.write(frame, f"file://{self.set}", 2)
        queries = self.spark.createDataFrame([("duck",)], "query string")
        for path in [self.set, f"file:{self.set}", f"file://{self.set}"]:
            self.assertGreater(textindex_spark.search(self.spark, path, queries).count(), 0)
        with self.assertRaisesRegex(ValueError, "s3a"):
            textindex_spark.write(frame, "s3a://bucket/x", 2)
        with self.assertRaisesRegex(ValueError, "s3a"):
            textindex_spark.search(self.spark, "s3a://bucket/x", queries)
        self.assertEqual(sorted(os.listdir(".")), before)

    def test_a_search_without_a_set_is_an_error_of_ours(self) -> None:
        queries = self.spark.createDataFrame([("duck",)], "query string")
        with self.assertRaisesRegex(textindex_spark.CommandFailed, "no set of shards"):
            textindex_spark.search(self.spark, self.set, queries)

    def test_as_many_rows_may_be_left_out_as_are_tolerated(self) -> None:
        items = [item(number) for number in range(8)]
        items += [{"id": f"x{number}", "title": None, "body": None} for number in range(2)]
        items += [{"id": None, "title": "duck"}]
        with self.assertRaisesRegex(Exception, "cannot be indexed.*See `tolerate`"):
            textindex_spark.write(self.frame(items), self.set, 1)
        # Of several shards each has fewer than that.
        with self.assertRaisesRegex(Exception, "3 rows cannot be indexed, and 2 are tolerated"):
            textindex_spark.write(self.frame(items), self.set, 3, tolerate=2)
        self.assertFalse(os.path.exists(os.path.join(self.set, "SET.json")))
        for order in [None, "version"]:
            made = self.written(8, self.frame(items), 3, tolerate=3, order=order)
            self.assertEqual((made["failed"], len(made["problems"])), (3, 3))
            self.assertIn("none of the fields", str(made["problems"]))
        with self.assertRaisesRegex(Exception, "is an identifier there twice"):
            textindex_spark.write(self.frame(items + [item(1)]), self.path("b"), 3, tolerate=9)
        with self.assertRaisesRegex(ValueError, "--tolerate is not for options"):
            textindex_spark.write(self.frame(items), self.set, 3, options=["--tolerate", "3"])

    def test_rows_may_be_divided_as_they_come(self) -> None:
        items = [item(number) for number in range(40)]
        frame = self.frame(items).repartition(5)
        made = self.written(40, frame, 3, by="file")
        self.assertNotIn("hash", made)
        self.assertTrue(all(shard["objects"] > 0 for shard in made["shards"]))
        queries = self.spark.createDataFrame([("duck OR whale",)], "query string")
        rows = textindex_spark.search(self.spark, self.set, queries, limit=40).collect()
        whole = support.index_of(self.path("whole"), items)
        # Of equal scores the order is that of the shards.
        expected = support.search_command(whole, ["duck OR whale"], 40)[0]
        self.assertEqual(sorted((row.id, row.score) for row in rows), sorted(expected))
        # Partitions that are not there are empty shards.
        self.set = self.path("few")
        made = self.written(40, frame.coalesce(2), 4, by="file")
        self.assertEqual([shard["objects"] for shard in made["shards"]][2:], [0, 0])

    def test_identifiers_in_several_shards_are_found(self) -> None:
        # Two partitions with the same objects.
        twice = self.frame([item(number) for number in range(10)] * 2)
        with self.assertRaisesRegex(textindex_spark.CommandFailed, "10 identifiers are in several"):
            textindex_spark.write(twice, self.set, 2, by="file")
        self.assertFalse(os.path.exists(os.path.join(self.set, "SET.json")))
        made = textindex_spark.write(twice, self.set, 2, by="file", check=False)
        self.assertEqual(sum(shard["objects"] for shard in made["shards"]), 20)
        self.assertIn("10 objects in several shards", support.command("set", "verify", self.set, status=1))

    def test_a_division_is_by_id_or_by_file(self) -> None:
        frame = self.frame([item(1)])
        with self.assertRaisesRegex(ValueError, "by is id or file"):
            textindex_spark.write(frame, self.set, 2, by="day")
        with self.assertRaisesRegex(ValueError, "order needs by"):
            textindex_spark.write(frame, self.set, 2, by="file", order="version")

    def test_numbers_that_json_does_not_have_are_missing(self) -> None:
        nan, infinity = float("nan"), float("inf")
        rows = [("a", "duck", nan, nan, [1.0, nan]), ("b", "duck", infinity, 2.0, [-infinity]),
                ("c", "duck", 2.5, 3.0, None)]
        frame = self.spark.createDataFrame(
            rows, "id string, title string, weight double, price float, sizes array<double>")
        columns = dict(fields=["title"], attributes=["price", "sizes"], weight="weight")
        made = self.written(3, frame, 2, **columns)
        self.assertEqual(made["failed"], 0)
        textindex_spark.register(self.spark)
        placed = textindex_spark.place(frame, 2).write.format("textindex").mode("append")
        placed.option("shards", 2).option("fields", "title").option("attributes", "price,sizes").option(
            "weight", "weight").save(self.path("format"))
        self.assertEqual(
            textindex_spark.shards.manifest(self.path("format")), support.committed(made))

    def test_a_query_that_is_there_twice_has_two_results(self) -> None:
        self.written(20, self.frame([item(number) for number in range(20)]), 2)
        queries = self.spark.createDataFrame([("duck",), (None,), ("duck",)], "query string").coalesce(1)
        rows = textindex_spark.search(self.spark, self.set, queries, limit=3).collect()
        by_number = {number: [(row.rank, row.id, row.score) for row in rows if row.number == number]
                     for number in range(3)}
        self.assertEqual(len(by_number[0]), 3)
        self.assertEqual((by_number[1], by_number[2]), ([], by_number[0]))

    def test_all_queries_may_have_a_filter_a_field_and_steps(self) -> None:
        items = [item(number) for number in range(40)]
        self.written(40, self.frame(items), 2)
        whole = support.index_of(self.path("whole"), support.in_order(items, 2))
        textindex_spark.register(self.spark)
        for options, arguments in [
            (dict(filter="-whale"), ["--filter", "-whale"]), (dict(field="title"), ["--field", "title"]),
            (dict(steps=["exact", "typos"]), ["--steps", "exact,typos"]),
            (dict(rank="relevance"), ["--rank", "relevance"]),
        ]:
            expected = support.search_command(whole, QUERIES, 10, *arguments)
            queries = self.spark.createDataFrame([(text,) for text in QUERIES], "query string")
            rows = textindex_spark.search(self.spark, self.set, queries, **options).collect()
            self.assertEqual(support.found(rows, QUERIES), expected, options)
            reader = self.spark.read.format("textindex").option("queries", json.dumps(QUERIES))
            for name, value in options.items():
                reader.option(name, value if isinstance(value, str) else ",".join(value))
            rows = reader.load(self.set).collect()
            self.assertEqual(support.found(rows, QUERIES), expected, options)

    def test_shards_of_users_who_are_trusted_are_searched(self) -> None:
        self.written(20, self.frame([item(number) for number in range(20)]), 2)
        support.give_away(self, self.set, 65534)
        queries = self.spark.createDataFrame([("duck",)], "query string")
        with self.assertRaisesRegex(Exception, "--trusted-owner"):
            textindex_spark.search(self.spark, self.set, queries)
        found = textindex_spark.search(self.spark, self.set, queries, trusted_owners=[65534])
        self.assertGreater(found.count(), 0)
        textindex_spark.register(self.spark)
        reader = self.spark.read.format("textindex").option("query", "duck")
        rows = reader.option("trusted_owners", "65534").load(self.set)
        self.assertEqual(rows.count(), found.count())


class SourceTests(SparkTestCase):
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
                         support.committed(
                             textindex_spark.write(frame, other, shards, order="version")))
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

    def test_a_set_of_another_division_is_not_replaced(self) -> None:
        items = self.frame([item(number) for number in range(20)])
        self.save(textindex_spark.place(items, 2), 2)
        first = textindex_spark.shards.manifest(self.set)
        for frame, shards, options in [
            (textindex_spark.place(items, 3), 3, {}), (textindex_spark.place(items, 2), 2, {"by": "file"})
        ]:
            with self.assertRaisesRegex(Exception, "is not overwritten; name another folder"):
                self.save(frame, shards, **options)
        self.assertEqual(textindex_spark.shards.manifest(self.set), first)
        self.assertEqual(len(os.listdir(self.set)), 3)

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
                             support.committed(textindex_spark.write(frame, other, 2)))

    def test_a_frame_must_be_divided_as_the_set_is(self) -> None:
        frame = self.frame([item(number) for number in range(20)])
        self.fails("textindex_spark.place(frame, 3", frame.repartition(3), 3)
        self.fails("more partitions", textindex_spark.place(frame, 3), 2, by="file")
        self.fails("how many shards", frame, 0)
        self.fails("by is id or file", frame, 2, by="some")
        self.fails("not overwritten", textindex_spark.place(frame, 2), 2, mode="overwrite")
        nobody = self.spark.createDataFrame([(None, "duck")], "id string, title string")
        self.fails("shard", nobody, 1, fields="title", by="file")

    def test_unknown_options_are_refused(self) -> None:
        frame = textindex_spark.place(self.frame([item(1)]), 2)
        for name in ["atributes", "division", "limit"]:
            self.fails(f"no option {name} for writing; there are path, shards", frame, 2, **{name: "x"})
        self.fails("no column day", frame, 2, order="day")
        self.fails("order needs by", frame, 2, order="version", by="file")
        self.fails("true or false", frame, 2, by="file", check="no")
        self.save(frame, 2)
        for name, value in [("limt", "1"), ("shards", "2")]:
            with self.assertRaisesRegex(Exception, f"no option {name} for reading; there are path, query"):
                self.spark.read.format("textindex").option("query", "duck").option(name, value).load(
                    self.set).collect()

    def test_of_several_rows_of_an_object_the_one_with_the_greatest_value_counts(self) -> None:
        items = [item(number) for number in range(20)]
        old = [{**made, "title": "old", "version": version} for made in items[::3] for version in [None, 0]]
        rows = self.frame(old[::2] + items + old[1::2] + items[::5])
        self.save(textindex_spark.place(rows, 3), 3, order="VERSION".lower())
        other = textindex_spark.write(self.frame(items), self.path("other"), 3)
        self.assertEqual(textindex_spark.shards.manifest(self.set), support.committed(other))

    def test_urls_of_files_are_paths_for_the_format(self) -> None:
        where = self.set
        self.set = f"file:{where}"
        self.save(textindex_spark.place(self.frame([item(number) for number in range(9)]), 2), 2)
        support.command("set", "verify", where)
        for path in [where, f"file:{where}", f"file://{where}"]:
            rows = self.spark.read.format("textindex").option("query", "duck").load(path)
            self.assertGreater(rows.count(), 0)
        self.set = "s3a://bucket/x"
        self.fails("s3a", self.frame([item(1)]), 1)

    def test_rows_that_are_tolerated_are_left_out_by_the_format(self) -> None:
        items = [item(number) for number in range(8)] + [{"id": "x"}, {"title": "duck"}]
        placed = textindex_spark.place(self.frame(items), 2)
        self.fails("See `tolerate`", placed, 2)
        self.save(placed, 2, tolerate=2)
        shards = textindex_spark.shards.manifest(self.set)["shards"]
        self.assertEqual(sum(shard["objects"] for shard in shards), 8)

    def test_identifiers_in_several_partitions_are_found(self) -> None:
        twice = self.frame([item(number) for number in range(10)] * 2)
        self.fails("10 identifiers are in several shards", twice, 2, by="file")
        self.save(twice, 2, by="file", check="false")

    def test_partitions_may_be_shards_as_they_are(self) -> None:
        items = [item(number) for number in range(30)]
        self.save(self.frame(items).coalesce(1), 1, by="file")
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
            ("limit must not be negative", {"query": "duck", "limit": "-1"}),
            ("a list in JSON", {"queries": "duck"}), ("a number", {"query": "duck", "limit": "ten"}),
        ]:
            with self.assertRaises(Exception) as failure:
                reader.options(**options).load(self.set).collect()
            self.assertIn(message, str(failure.exception))
            reader = self.spark.read.format("textindex")


if __name__ == "__main__":
    unittest.main()
