"""Sets built and searched on Ray: the sets of Spark, though nodes are killed."""

from __future__ import annotations

import os
import threading
import time
import unittest
from typing import Any

import support
from faulty import FaultyCommand
from support import Item, item

import textindex_spark
from textindex_spark.shards import manifest

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
        self.assertEqual(manifest(self.set), first)
        with self.assertRaisesRegex(CommandFailed, "identifier"):
            on_ray.write([[item(1)], [item(1)]], self.path("twice"), 2)
        with self.assertRaisesRegex(ValueError, "has no id"):
            on_ray.write([[{"title": "duck"}]], self.path("none"), 2)

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
class RayClusterTests(support.FolderTests):
    def test_a_node_that_dies_changes_nothing(self) -> None:
        import ray
        from ray.cluster_utils import Cluster

        from textindex_spark import on_ray

        ray.shutdown()
        slow = FaultyCommand(
            self.path("faulty"), {"verb": "index", "do": "sleep", "seconds": 1, "times": 100})
        memory = 128 << 20
        cluster = Cluster(initialize_head=True, head_node_args={
            "num_cpus": 0, "object_store_memory": memory, "include_dashboard": False})
        self.addCleanup(cluster.shutdown)
        nodes: list[Any] = [cluster.add_node(num_cpus=1, object_store_memory=memory)
                            for _ in range(2)]
        ray.init(address=cluster.address, log_to_driver=False, logging_level="ERROR")
        self.addCleanup(ray.shutdown)
        items = [item(number) for number in range(60)]

        def kill() -> None:
            # Not an orderly end: all that runs on the node dies, with what was in its memory.
            while not os.path.exists(slow.log):
                time.sleep(0.05)
            nodes[0].kill_raylet(check_alive=False)
            cluster.add_node(num_cpus=1, object_store_memory=memory)

        killer = threading.Thread(target=kill)
        killer.start()
        blocks = [items[first:first + 10] for first in range(0, 60, 10)]
        made = on_ray.write(blocks, self.set, 4, textindex=slow.path)
        killer.join()
        quiet = on_ray.write(blocks, self.path("quiet"), 4)
        self.assertEqual(made, quiet)
        attempts = len(slow.calls("index"))
        self.assertGreaterEqual(attempts, 4)
        print(f"\nfigures ray builds=1 nodes_killed=1 attempts={attempts}", flush=True)


if __name__ == "__main__":
    unittest.main()
