"""Builds of which something is killed at a random moment: executors, workers, drivers, Python, the command.

    python Spark/tests/faults.py --builds 50 --seed 7          # make torture runs it

After each build the set is the one of a build in which nothing is killed; or the build failed, nothing
was committed, and building again gives the set. Half of the builds are of a job that was done before,
whose set gives its results whatever happens to them. No command is left running. The last line says how often what happened.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import tempfile
import time
from typing import Any

import support
from cluster import Cluster, Driver, _waits
from faulty import FaultyCommand

SHARDS = 3
QUERIES = ["duck", "white whale", '"white whale"', "oce", "duk"]
# Slow tasks are tried a second time, on the other host.
SPECULATION = {
    "spark.speculation": "true", "spark.speculation.quantile": "0.5",
    "spark.speculation.multiplier": "1.5", "spark.speculation.interval": "200ms",
    "spark.speculation.minTaskRuntime": "2s", "spark.speculation.efficiency.enabled": "false"}
VICTIMS = ["executor", "executor", "child", "child", "python", "worker", "driver"]


class Builds:
    """Builds in one cluster, and what has happened so far."""

    def __init__(self, folder: str, seed: int = 1) -> None:
        self.folder, self.generator = folder, random.Random(seed)
        self.counts = dict.fromkeys(
            ["builds", "kills", "failed", "kept", "executors", "children", "pythons", "workers",
             "drivers", "attempts"], 0)
        self.cluster = Cluster(os.path.join(folder, "cluster"))
        # Time in which to be killed.
        self.command = FaultyCommand(
            os.path.join(folder, "faulty"),
            {"verb": "index", "do": "sleep", "seconds": 0.4, "times": 100_000},
            {"verb": "set add", "do": "sleep", "seconds": 0.2, "times": 100_000})
        items = [support.item(number) for number in range(240)]
        self.input = self._input("new.jsonl", items)
        self.driver = self._start_driver()
        quiet = os.path.join(folder, "quiet")
        self.manifest = self._build(quiet, self.input, SHARDS)
        started = time.monotonic()
        self._build(os.path.join(folder, "timed"), self.input, SHARDS)
        self.seconds = time.monotonic() - started
        self.expected = support.search_command(quiet, QUERIES, 10)

    def _input(self, name: str, items: list[support.Item]) -> str:
        path = os.path.join(self.folder, name)
        with open(path, "wb") as file:
            file.write(support.lines(items))
        return path

    def _start_driver(self) -> Driver:
        driver = Driver(self.cluster, **SPECULATION)
        answer = driver.answer(120)
        assert answer == {"ready": True}, (answer, open(driver.log, encoding="utf-8").read()[-2000:])
        return driver

    def _build(self, set: str, input: str, shards: int) -> dict[str, Any]:
        made = self.driver.build(set=set, input=input, shards=shards, textindex=self.command.path)
        assert "shards" in made, made
        return made

    def run(self) -> None:
        """One build, in which one process is killed."""
        number = self.counts["builds"]
        target = os.path.join(self.folder, f"set{number}")
        before: list[support.Found] | None = None
        if self.generator.random() < 0.5:
            self._build(target, self.input, SHARDS)
            before = support.search_command(target, QUERIES, 10)
        self.driver.begin(set=target, input=self.input, shards=SHARDS, textindex=self.command.path,
                          by_format=self.generator.random() < 0.4)
        victim = self.generator.choice(VICTIMS)
        answer = self.driver.answer(self.generator.uniform(0.05, 0.8 * self.seconds))
        if answer is None:
            self._kill(victim)
            answer = self.driver.answer(180)
        assert answer is not None, f"build {number} does not end after a killed {victim}"
        self.cluster.heal()
        if self.driver.process.poll() is not None:
            self.driver.stop()
            self.driver = self._start_driver()
        if "shards" not in answer:
            self._check_failed(target, before, answer)
        self._check(target, answer)
        self.counts["builds"] += 1

    def _kill(self, kind: str) -> None:
        """Kills a process of a kind; children are there for a short time only."""
        end = time.monotonic() + 2
        pids = [self.driver.process.pid] if kind == "driver" else []
        while not pids and time.monotonic() < end:
            pids = self.cluster.of_kind(kind)
        if not pids:
            return
        try:
            pid = self.generator.choice(sorted(pids))
            os.killpg(pid, signal.SIGKILL) if kind == "driver" else os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            return
        self.counts["kills"] += 1
        self.counts[{"child": "children"}.get(kind, f"{kind}s")] += 1

    def _check_failed(
        self, target: str, before: list[support.Found] | None, answer: dict[str, Any]
    ) -> None:
        self.counts["failed"] += 1
        self.counts["kept"] += check_failed(target, before, self.manifest, answer)
        self._wait_for_children()
        answer.clear()
        answer.update(self._build(target, self.input, SHARDS))

    def _check(self, target: str, made: dict[str, Any]) -> None:
        assert made == self.manifest, (made, self.manifest)
        support.command("set", "verify", target)
        assert support.search_command(target, QUERIES, 10) == self.expected
        self._wait_for_children()

    def _wait_for_children(self) -> None:
        _waits(lambda: not self.cluster.of_kind("child"), 30, "the end of all commands")

    def finish(self) -> None:
        """Stops the driver, and looks for what is left of jobs."""
        self.counts["attempts"] = len(self.command.calls("index"))
        self.driver.stop()
        _waits(lambda: not self.cluster.of_kind("executor") and not self.cluster.of_kind("python"),
               60, "the end of executors")

    def stop(self) -> None:
        """Ends everything."""
        self.driver.stop()
        self.cluster.stop()


def check_failed(
    target: str, before: list[support.Found] | None, whole: dict[str, Any], answer: dict[str, Any]
) -> bool:
    """Nothing is committed that is not whole, and what was there before is there: whether it is."""
    path = os.path.join(target, "SET.json")
    if not os.path.exists(path):
        assert before is None, answer
        return False
    with open(path, encoding="utf-8") as file:
        assert json.load(file) == whole, answer
    if before is None:
        return False  # It was killed when all was done.
    assert support.search_command(target, QUERIES, 10) == before, answer
    return True


def figures(counts: dict[str, int], engine: str = "spark") -> str:
    """What happened, in one line."""
    return f"figures {engine} " + " ".join(f"{name}={count}" for name, count in counts.items())


def main(kind: Any = Builds, engine: str = "spark", description: str | None = __doc__) -> None:
    """The long form, of builds on one of the engines."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--builds", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        builds = kind(folder, options.seed)
        try:
            while builds.counts["builds"] < options.builds:
                builds.run()
                if options.verbose:
                    print(figures(builds.counts, engine), flush=True)
            builds.finish()
        finally:
            builds.stop()
    print(figures(builds.counts, engine))


if __name__ == "__main__":
    main()
