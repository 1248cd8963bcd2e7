"""Builds on Ray of which something is killed at a random moment: nodes, workers, drivers, the command.

    python Spark/tests/ray_faults.py --builds 50 --seed 7          # make torture runs it

After each build the set is the one of a build in which nothing is killed; or the build failed, nothing
was committed, and building again gives the set. Half of the builds are of a job that was done before,
whose set gives its results whatever happens to them. No command is left running. The last line says how often what happened.
"""

from __future__ import annotations

import json
import os
import random
import signal
import sys
import time
import uuid
from typing import Any

import support
from cluster import MARK, Driver, _waits, marked
from faulty import FaultyCommand
from faults import QUERIES, SHARDS, check_failed, main

NODES = 2
MEMORY = 128 << 20
VICTIMS = ["node", "node", "worker", "worker", "child", "driver"]
# What processes of a kind have in their command lines. A worker has the name of its task.
KINDS = {"worker": ["ray::_"], "child": ["textindex index ", "textindex set add"]}


class RayCluster:
    """A head without work and two nodes of one core; all are known by a variable of the environment.

    Attributes:
        folder: where drivers write.
        url: where drivers find it.
    """

    def __init__(self, folder: str) -> None:
        from ray.cluster_utils import Cluster

        self.folder, self.mark = folder, uuid.uuid4().hex
        os.makedirs(os.path.join(folder, "local"), exist_ok=True)
        os.environ.update({MARK: self.mark, "TEXTINDEX_LOCAL": os.path.join(folder, "local")})
        self.environment = dict(os.environ)
        self._cluster = Cluster(initialize_head=True, head_node_args={
            "num_cpus": 0, "object_store_memory": MEMORY, "include_dashboard": False,
            "node_ip_address": "127.0.0.1"})
        self.url: str = self._cluster.address
        self.nodes: list[Any] = []
        self.heal()

    def heal(self) -> None:
        """Starts nodes, at first or for those that were killed."""
        while len(self.nodes) < NODES:
            # On a host of its own: a driver belongs to any node of its host, and dies with it.
            self.nodes.append(self._cluster.add_node(
                num_cpus=1, object_store_memory=MEMORY, node_ip_address="127.0.0.2"))

    def kill_node(self, number: int) -> None:
        """Not an orderly end: all that runs on the node dies, with what was in its memory."""
        self.nodes.pop(number).kill_raylet(check_alive=False)

    def of_kind(self, kind: str) -> list[int]:
        """Processes: `worker`, which does a task, or `child`, the command."""
        return [pid for pid, line in marked(self.mark).items()
                if any(text in line for text in KINDS[kind])]

    def stop(self) -> None:
        """Ends all of it."""
        self._cluster.shutdown()
        for name in [MARK, "TEXTINDEX_LOCAL"]:
            os.environ.pop(name, None)


class RayBuilds:
    """Builds in one cluster, and what has happened so far."""

    def __init__(self, folder: str, seed: int = 1) -> None:
        self.folder, self.generator = folder, random.Random(seed)
        self.counts = dict.fromkeys(
            ["builds", "kills", "failed", "kept", "nodes", "workers", "children", "drivers",
             "attempts"], 0)
        # Time in which to be killed.
        self.command = FaultyCommand(
            os.path.join(folder, "faulty"),
            {"verb": "index", "do": "sleep", "seconds": 0.4, "times": 100_000},
            {"verb": "set add", "do": "sleep", "seconds": 0.2, "times": 100_000})
        self.cluster = RayCluster(os.path.join(folder, "cluster"))
        self.driver = self._start_driver()
        quiet = os.path.join(folder, "quiet")
        self.manifest = self._build(quiet, [0, 240], SHARDS)
        started = time.monotonic()
        self._build(os.path.join(folder, "timed"), [0, 240], SHARDS)
        self.seconds = time.monotonic() - started
        self.expected = support.search_command(quiet, QUERIES, 10)

    def _start_driver(self) -> Driver:
        driver = Driver(self.cluster, os.path.abspath(__file__))
        answer = driver.answer(120)
        assert answer == {"ready": True}, (answer, open(driver.log, encoding="utf-8").read()[-2000:])
        return driver

    def _build(self, set: str, items: list[int], shards: int) -> dict[str, Any]:
        made = self.driver.build(set=set, items=items, shards=shards, textindex=self.command.path)
        assert "shards" in made, made
        return made

    def run(self, victim: str | None = None) -> None:
        """One build, in which one process or node is killed: any, or one of a kind."""
        number = self.counts["builds"]
        target = os.path.join(self.folder, f"set{number}")
        before: list[support.Found] | None = None
        if self.generator.random() < 0.5:
            self._build(target, [0, 240], SHARDS)
            before = support.search_command(target, QUERIES, 10)
        victim = victim or self.generator.choice(VICTIMS)
        self.driver.begin(set=target, items=[0, 240], shards=SHARDS, textindex=self.command.path)
        answer = self.driver.answer(self.generator.uniform(0.05, 0.5 * self.seconds))
        if answer is None:
            self._kill(victim)
            answer = self.driver.answer(120)
        assert answer is not None, (
            f"build {number} does not end after a killed {victim}: "
            + open(self.driver.log, encoding="utf-8").read()[-2000:])
        self.cluster.heal()
        if self.driver.process.poll() is not None:
            self.driver.stop()
            self.driver = self._start_driver()
        if "shards" not in answer:
            self.counts["failed"] += 1
            self.counts["kept"] += check_failed(target, before, self.manifest, answer)
            self._wait_for_children()
            answer = self._build(target, [0, 240], SHARDS)
        assert answer == self.manifest, (answer, self.manifest)
        support.command("set", "verify", target)
        assert support.search_command(target, QUERIES, 10) == self.expected
        self._wait_for_children()
        self.counts["builds"] += 1

    def _kill(self, kind: str) -> None:
        """Kills a process of a kind, or a node."""
        if kind == "node":
            self.cluster.kill_node(self.generator.randrange(NODES))
            self.cluster.heal()  # As whatever starts nodes does.
        elif kind == "driver":
            os.killpg(self.driver.process.pid, signal.SIGKILL)
        else:
            try:
                pids = _waits(lambda: self.cluster.of_kind(kind), 2, kind)
                os.kill(self.generator.choice(sorted(pids)), signal.SIGKILL)
            except (AssertionError, ProcessLookupError):
                return  # They are there for a short time only.
        self.counts["kills"] += 1
        self.counts[{"child": "children"}.get(kind, f"{kind}s")] += 1

    def _wait_for_children(self) -> None:
        _waits(lambda: not self.cluster.of_kind("child"), 30, "the end of all commands")

    def finish(self) -> None:
        """Counts attempts, and stops the driver; nothing of its work is left."""
        self.counts["attempts"] = len(self.command.calls("index"))
        self.driver.stop()
        _waits(lambda: not self.cluster.of_kind("worker"), 60, "the end of workers")

    def stop(self) -> None:
        """Ends everything."""
        self.driver.stop()
        self.cluster.stop()


def drive(address: str) -> None:
    """The driver: reads what to build, prints what became of it."""
    import ray

    from textindex_spark import on_ray
    from textindex_spark.shards import manifest

    # Ray prints warnings where the answers go.
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    ray.init(address=address, log_to_driver=False, logging_level="ERROR",
             _node_ip_address="127.0.0.1")
    print(json.dumps({"ready": True}), file=answers, flush=True)
    for line in sys.stdin:
        wanted = json.loads(line)
        items = [support.item(number) for number in range(*wanted["items"])]
        blocks = [items[first:first + 20] for first in range(0, len(items), 20)]
        answer: dict[str, Any]
        try:
            on_ray.write(blocks, wanted["set"], wanted["shards"], textindex=wanted["textindex"])
            answer = manifest(wanted["set"])
        except Exception as error:  # noqa: BLE001  Whatever it was is the answer.
            answer = {"error": str(error)[-2000:]}
        print(json.dumps(answer), file=answers, flush=True)


if __name__ == "__main__":
    # A driver is started with an address and settings.
    if len(sys.argv) == 3 and ":" in sys.argv[1]:
        drive(sys.argv[1])
    else:
        main(RayBuilds, "ray", __doc__)
