"""Sets built and searched on Ray: the sets of Spark, though nodes are killed."""

from __future__ import annotations

import os
import tempfile
import unittest

import support
from support import Item, item

import textindex_spark
from textindex_spark.shards import manifest

BUILDS = int(os.environ.get("TEXTINDEX_BUILDS", "6"))
QUERIES = ["duck", "white whale", '"white whale"', "duk", "oce", "zebra", "duck OR whale", ""]


@unittest.skipUnless(support.ray_is_there(), "Ray is not installed (PyPI: pip install ray)")
class RayTests(support.FolderTests):
    @classmethod
    def tearDownClass(cls) -> None:
        import ray

        ray.shutdown()

    def items(self, count: int) -> list[Item]:
        items = [item(number) for number in range(count)]
        return items + [{**item(number), "title": "duck", "version": 0}
                        for number in range(0, count, 5)]

    def expected(self, count: int, shards: int) -> list[support.Found]:
        items = support.in_order([item(number) for number in range(count)], shards)
        return support.search_command(support.index_of(self.path("whole"), items), QUERIES, 10)

    def check(self, count: int, shards: int) -> None:
        from textindex_spark import on_ray

        support.start_ray()
        items = self.items(count)
        blocks = [items[first:first + 30] for first in range(0, len(items), 30)]
        made = on_ray.write(blocks, self.set, shards, order="version")
        spark = support.session()
        frame = spark.createDataFrame(items, "id string, title string, body string, version int")
        other = textindex_spark.write(frame, self.path("spark"), shards, order="version")
        self.assertEqual(made, other)
        support.command("set", "verify", self.set)
        found = support.found(on_ray.search(self.set, QUERIES), QUERIES)
        self.assertEqual(found, self.expected(count, shards))

    def test_a_set_is_that_of_spark(self) -> None:
        self.check(100, 3)

    def test_shards_may_be_empty_and_one(self) -> None:
        self.check(2, 1)

    def test_other_input_and_identifiers_twice_are_errors(self) -> None:
        from textindex_spark import CommandFailed, on_ray

        support.start_ray()
        first = on_ray.write([[item(number) for number in range(20)]], self.set, 2)
        with self.assertRaisesRegex(CommandFailed, "other content"):
            on_ray.write([[item(number) for number in range(10)]], self.set, 2)
        self.assertEqual(manifest(self.set), support.committed(first))
        with self.assertRaisesRegex(CommandFailed, "identifier"):
            on_ray.write([[item(1)], [item(1)]], self.path("twice"), 2)
        with self.assertRaisesRegex(CommandFailed, 'no "id"'):
            on_ray.write([[{"title": "duck"}]], self.path("none"), 2)

    def test_blocks_may_be_shards_as_they_come(self) -> None:
        from textindex_spark import CommandFailed, on_ray

        support.start_ray()
        blocks = [[item(number) for number in range(first, first + 5)] for first in range(0, 15, 5)]
        made = on_ray.write(blocks, self.set, 2, by="file")
        self.assertEqual([shard["objects"] for shard in made["shards"]], [5, 10])
        self.assertNotIn("hash", made)
        made = on_ray.write(blocks, self.path("few"), 4, by="file")
        self.assertEqual(sorted(shard["objects"] for shard in made["shards"]), [0, 5, 5, 5])
        with self.assertRaisesRegex(CommandFailed, "5 identifiers are in several shards"):
            on_ray.write([blocks[0], blocks[0]], self.path("twice"), 2, by="file")
        on_ray.write([blocks[0], blocks[0]], self.path("twice"), 2, by="file", check=False)
        with self.assertRaisesRegex(ValueError, "order needs by"):
            on_ray.write(blocks, self.path("x"), 2, by="file", order="version")

    def test_what_cannot_be_indexed_is_left_out_as_on_spark(self) -> None:
        from textindex_spark import CommandFailed, on_ray

        support.start_ray()
        items = [item(number) for number in range(8)]
        items += [{"id": "x"}, {"title": "duck"}, {"title": "whale"}, {"id": "y", "title": float("nan")}]
        with self.assertRaisesRegex(CommandFailed, "See `tolerate`"):
            on_ray.write([items], self.set, 1)
        with self.assertRaisesRegex(CommandFailed, "4 rows cannot be indexed, and 3 are tolerated"):
            on_ray.write([items], self.set, 3, tolerate=3)
        for order in [None, "version"]:
            made = on_ray.write([items], self.set, 3, tolerate=4, order=order)
            self.assertEqual(made["failed"], 4)
            self.assertEqual(sum(shard["objects"] for shard in made["shards"]), 8)

    def test_paths_and_options_are_those_of_spark(self) -> None:
        from textindex_spark import CommandFailed, on_ray

        support.start_ray()
        items = support.in_order([item(number) for number in range(20)], 2)
        on_ray.write([items], f"file:{self.set}", 2)
        for refused in [lambda path: on_ray.write([items], path, 2), lambda path: on_ray.search(path, [])]:
            with self.assertRaisesRegex(ValueError, "s3a"):
                refused("s3a://bucket/x")
        with self.assertRaisesRegex(CommandFailed, "no set of shards"):
            on_ray.search(self.path("none"), QUERIES)
        whole = support.index_of(self.path("whole"), items)
        expected = support.search_command(whole, QUERIES, 10, "--filter", "-whale", "--field", "title")
        found = on_ray.search(f"file://{self.set}", QUERIES, filter="-whale", field="title")
        self.assertEqual(support.found(found, QUERIES), expected)
        support.give_away(self, self.set, 65534)
        with self.assertRaisesRegex(CommandFailed, "--trusted-owner"):
            on_ray.search(self.set, QUERIES)
        self.assertGreater(len(on_ray.search(self.set, QUERIES, trusted_owners=[65534])), 0)

    def test_a_dataset_of_ray_is_written(self) -> None:
        from textindex_spark import on_ray

        ray = support.start_ray()
        try:
            import ray.data
        except ImportError as error:
            self.skipTest(f"Ray has no ray.data here: {error}")
        items = [item(number) for number in range(40)]
        made = on_ray.write(ray.data.from_items(items), self.set, 2)
        self.assertEqual(sum(shard["objects"] for shard in made["shards"]), 40)


@unittest.skipUnless(support.ray_is_there(), "Ray is not installed (PyPI: pip install ray)")
class RayClusterTests(unittest.TestCase):
    """Faults of builds on a head and two nodes; TEXTINDEX_BUILDS is how many builds have random ones."""

    @classmethod
    def setUpClass(cls) -> None:
        import ray
        import ray_faults

        ray.shutdown()
        place = tempfile.TemporaryDirectory()
        cls.addClassCleanup(place.cleanup)
        cls.builds = ray_faults.RayBuilds(place.name, int(os.environ.get("TEXTINDEX_SEED", "47")))
        cls.addClassCleanup(cls.builds.stop)

    def test_whatever_is_killed_nothing_changes(self) -> None:
        import faults

        # One of each, then at random.
        for victim in ["node", "worker", "child", "driver"]:
            self.builds.run(victim)
        while self.builds.counts["builds"] < BUILDS:
            self.builds.run()
        self.builds.finish()
        print("\n" + faults.figures(self.builds.counts, "ray"), flush=True)
        self.assertGreaterEqual(self.builds.counts["nodes"], 1)
        self.assertGreaterEqual(self.builds.counts["drivers"], 1)


if __name__ == "__main__":
    unittest.main()
