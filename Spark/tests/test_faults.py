"""What goes wrong while sets are built: it is an error or makes no difference, and is never a wrong set."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from concurrent.futures import ThreadPoolExecutor

import faults
import support
from faulty import FaultyCommand
from support import item

from textindex_spark import CommandFailed, SetChanged
from textindex_spark.batches import Question, search_shards
from textindex_spark.shards import build_shard, commit_set, manifest, shard_name

BUILDS = int(os.environ.get("TEXTINDEX_BUILDS", "6"))
QUERIES = ["duck", "white whale", '"white whale"', "oce", "duk"]


class SetFaultTests(support.FolderTests):
    """Faults of sets, without an engine."""

    def add(self, shard: int, items: list[support.Item], shards: int, *arguments: str,
            status: int = 0) -> str:
        index = tempfile.mkdtemp(dir=self.folder)
        support.index_of(os.path.join(index, "index"), items, *arguments)
        return support.command("set", "add", self.set, "--shard", str(shard), "--of", str(shards),
                               "--index", os.path.join(index, "index"), "--json", status=status)

    def build(self, count: int = 60, shards: int = 3) -> list[list[support.Item]]:
        parts = support.by_shard([item(number) for number in range(count)], shards)
        for number, part in enumerate(parts):
            self.add(number, part, shards)
        commit_set(self.set, shards, support.COMMAND)
        return parts

    def search(self) -> list[support.Found]:
        return support.search_command(self.set, QUERIES, 10)

    def apart(self, before_search=lambda: None) -> list[support.Found]:
        """In two phases; something may happen between them."""
        def ask(question: Question, shards) -> list[str]:
            if question.verb == "search":
                before_search()
            return [question.ask(shard) for shard in shards]

        return support.found(search_shards(self.set, QUERIES, 10, support.COMMAND, ask), QUERIES)

    def refuses(self) -> None:
        """The set is not searched."""
        with self.assertRaises(AssertionError):
            self.search()

    def test_a_shard_that_is_left_out_is_not_committed(self) -> None:
        parts = support.by_shard([item(number) for number in range(30)], 3)
        self.add(0, parts[0], 3)
        self.add(2, parts[2], 3)
        with self.assertRaisesRegex(CommandFailed, "1 shard missing|shard-00001-of-00003"):
            commit_set(self.set, 3, support.COMMAND)
        self.assertFalse(os.path.exists(os.path.join(self.set, "SET.json")))
        self.assertIn("shard-00001-of-00003 is missing",
                      support.command("set", "status", self.set, status=1))

    def test_committing_twice_and_at_once_changes_nothing(self) -> None:
        self.build()
        first = manifest(self.set)
        with ThreadPoolExecutor(4) as pool:
            made = list(pool.map(lambda _: commit_set(self.set, 3, support.COMMAND), range(4)))
        self.assertEqual(made, [first] * 4)
        self.assertEqual(self.search(), self.apart())

    def test_of_attempts_at_once_one_makes_the_shard(self) -> None:
        items = support.by_shard([item(number) for number in range(60)], 2)[0]
        with ThreadPoolExecutor(4) as pool:
            made = list(pool.map(lambda _: json.loads(self.add(0, items, 2)), range(4)))
        self.assertEqual([each["isNew"] for each in made].count(True), 1)
        self.assertEqual(len({each["shard"]["digest"] for each in made}), 1)

    def test_a_late_attempt_changes_nothing(self) -> None:
        parts = self.build()
        first = manifest(self.set)
        self.assertFalse(json.loads(self.add(1, parts[1], 3))["isNew"])
        self.add(1, parts[1][1:], 3, status=2)
        self.assertEqual(manifest(self.set), first)
        support.command("set", "verify", self.set)

    def test_a_corrupt_shard_is_found(self) -> None:
        self.build(count=400, shards=2)
        expected = self.search()
        folder = os.path.join(self.set, shard_name(1, 2), "generation-1")
        tables = sorted(name for name in os.listdir(folder) if name.endswith((".ldb", ".log")))
        for name in tables:
            path = os.path.join(folder, name)
            with open(path, "rb") as file:
                whole = file.read()
            if not whole:
                continue
            for place in range(0, len(whole), max(len(whole) // 4, 1)):
                with open(path, "r+b") as file:
                    file.seek(place)
                    file.write(bytes([whole[place] ^ 0x5A]))
                done = subprocess.run([support.COMMAND, "set", "verify", self.set],
                                      capture_output=True)
                if done.returncode == 0:
                    # What a log lacks at its end may never have been written.
                    self.assertTrue(name.endswith(".log"), f"{name} at {place}")
                    self.assertEqual(self.search(), expected, f"{name} at {place}")
                else:
                    self.assertIn(done.returncode, [1, 2], f"{name} at {place}: {done.stdout!r}")
                with open(path, "r+b") as file:
                    file.write(whole)
        self.assertEqual(self.search(), expected)

    def test_wrong_counts_are_refused(self) -> None:
        self.build()
        path = os.path.join(self.set, "SET.json")
        made = manifest(self.set)
        made["shards"][1]["objects"] += 1
        with open(path, "w", encoding="utf-8") as file:
            json.dump(made, file)
        self.refuses()
        support.command("set", "verify", self.set, status=1)
        made["shards"][1]["objects"] -= 1
        made["shards"][1]["digest"] = "0" * 16
        with open(path, "w", encoding="utf-8") as file:
            json.dump(made, file)
        self.assertIn("other content", support.command("set", "status", self.set, status=1))
        support.command("set", "verify", self.set, status=1)

    def test_a_stale_set_stays_until_the_next_is_committed(self) -> None:
        self.build()
        expected = self.search()
        items = [item(number) for number in range(200, 300)]
        parts = support.by_shard(items, 5)
        for number, part in enumerate(parts):
            self.assertEqual(self.search(), expected)
            self.add(number, part, 5)
        commit_set(self.set, 5, support.COMMAND)
        whole = support.index_of(self.path("whole"), support.in_order(items, 5))
        self.assertEqual(self.search(), support.search_command(whole, QUERIES, 10))
        # A shard of it that is gone, and one that is another.
        shutil.move(os.path.join(self.set, shard_name(4, 5)), self.path("gone"))
        self.refuses()
        with self.assertRaises(CommandFailed):
            self.apart()

    def test_shards_of_other_settings_are_no_set(self) -> None:
        parts = support.by_shard([item(number) for number in range(40)], 2)
        self.add(0, parts[0], 2)
        self.add(1, parts[1], 2, "--stem", "english")
        with self.assertRaisesRegex(CommandFailed, "another analysis"):
            commit_set(self.set, 2, support.COMMAND)
        told = []
        for number in range(2):
            question = Question("statistics", '{"query":"duck"}\n', None, 10, support.COMMAND)
            told.append(self.path(f"told{number}.jsonl"))
            with open(told[-1], "w", encoding="utf-8") as file:
                file.write(question.ask(os.path.join(self.set, shard_name(number, 2))))
        support.command("statistics", "--sum", *told, status=2)

    def test_a_set_that_changes_between_the_phases_is_noticed(self) -> None:
        parts = self.build()
        name = shard_name(0, 3)

        def swap() -> None:
            shutil.move(os.path.join(self.set, name), self.path("old"))
            self.add(0, parts[0][1:], 3)

        with self.assertRaises(SetChanged):
            self.apart(swap)

    def test_a_killed_feeder_leaves_neither_a_shard_nor_a_process(self) -> None:
        local = self.path("local")
        os.mkdir(local)
        program = (
            "import sys, time; sys.path.insert(0, sys.argv[1])\n"
            "from textindex_spark.shards import build_shard\n"
            "def blocks():\n"
            "    for number in range(100):\n"
            "        yield b'{\"id\":\"%d\",\"title\":\"duck\"}\\n' % number, 1\n"
            "    print('fed', flush=True); time.sleep(60)\n"
            "build_shard(blocks(), sys.argv[2], 0, 1, [], sys.argv[3])\n")
        feeder = subprocess.Popen(
            [sys.executable, "-c", program, support.SOURCE, self.set, support.COMMAND],
            stdout=subprocess.PIPE, env={**os.environ, "TEXTINDEX_LOCAL": local})
        assert feeder.stdout is not None
        self.assertEqual(feeder.stdout.readline(), b"fed\n")
        feeder.kill()
        feeder.wait()
        feeder.stdout.close()
        end = time.monotonic() + 10
        while _running(local) and time.monotonic() < end:
            time.sleep(0.05)
        self.assertEqual(_running(local), [])
        self.assertFalse(os.path.exists(self.set))

    def test_a_command_that_dies_is_an_error_and_its_work_is_removed(self) -> None:
        local = self.path("local")
        os.mkdir(local)
        os.environ["TEXTINDEX_LOCAL"] = local
        self.addCleanup(os.environ.pop, "TEXTINDEX_LOCAL")
        dying = FaultyCommand(self.path("faulty"), {"verb": "index", "do": "die"})
        blocks = [(support.lines([item(1)]), 1)]
        with self.assertRaisesRegex(CommandFailed, "died by a rule"):
            build_shard(blocks, self.set, 0, 1, [], dying.path)
        self.assertEqual(os.listdir(local), [])
        build_shard(blocks, self.set, 0, 1, [], dying.path)
        commit_set(self.set, 1, dying.path)

    def test_a_missing_command_is_an_error(self) -> None:
        with self.assertRaisesRegex(CommandFailed, "TEXTINDEX"):
            build_shard([], self.set, 0, 1, [], self.path("nothing"))

    def in_namespace(self, script: str) -> subprocess.CompletedProcess[bytes]:
        """Runs a script that may mount file systems for itself."""
        if subprocess.run(["unshare", "-m", "true"], capture_output=True).returncode != 0:
            self.skipTest("this user may not mount file systems")
        return subprocess.run(["unshare", "-m", "sh", "-euc", script, support.COMMAND, self.set,
                               self.path("index")], capture_output=True)

    def test_a_full_disk_amid_publishing_leaves_no_shard(self) -> None:
        os.mkdir(self.set)
        items = [{"id": f"n{number}", "title": f"w{number}", "body": " ".join(
            f"x{number * 7 + i}" for i in range(40))} for number in range(4000)]
        support.index_of(self.path("index"), items)
        done = self.in_namespace(
            'mount -t tmpfs -o size=256k none "$1"; status=0\n'
            '"$0" set add "$1" --shard 0 --of 1 --index "$2" || status=$?\n'
            'ls -A "$1"; exit $status')
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertNotIn(b"shard-", done.stdout)

    def test_a_set_is_searched_from_a_mount_for_reading(self) -> None:
        self.build()
        done = self.in_namespace(
            'mount --bind "$1" "$1"; mount -o remount,ro,bind "$1"\n'
            '"$0" search duck --index "$1" --json')
        self.assertEqual(done.returncode, 0, done.stderr)
        hits = [(hit["identifier"], hit["score"]) for hit in json.loads(done.stdout)["hits"]]
        self.assertEqual(hits, self.search()[0])

    def test_shards_of_another_user_are_refused_with_the_reason(self) -> None:
        self.build()
        support.give_away(self, self.set, 65534)
        done = subprocess.run([support.COMMAND, "search", "duck", "--index", self.set],
                              capture_output=True)
        self.assertEqual(done.returncode, 2)
        self.assertIn(b"--trusted-owner 65534", done.stderr)


def _running(text: str) -> list[str]:
    """Processes whose command lines have a text."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/cmdline", "rb") as file:
                line = file.read().replace(b"\0", b" ").decode(errors="replace")
        except OSError:
            continue
        if text in line:
            found.append(line)
    return found


class ClusterFaultTests(support.FolderTests):
    """Faults of builds on a master and two workers."""

    SHARDS = 4

    @classmethod
    def setUpClass(cls) -> None:
        cls.started = time.monotonic()
        place = tempfile.TemporaryDirectory()
        cls.addClassCleanup(place.cleanup)
        cls.builds = faults.Builds(place.name, int(os.environ.get("TEXTINDEX_SEED", "47")))
        cls.addClassCleanup(cls.builds.stop)
        cls.quiet = cls.build(os.path.join(place.name, "quiet4"))

    @classmethod
    def build(cls, set: str, textindex: str = support.COMMAND, **options: object) -> dict[str, object]:
        return cls.builds.driver.build(
            input=cls.builds.input, set=set, shards=cls.SHARDS, textindex=textindex, **options)

    def check(self, faulty: FaultyCommand, **options: object) -> None:
        self.assertEqual(self.build(self.set, faulty.path, **options), self.quiet)
        support.command("set", "verify", self.set)

    def test_killed_executors_and_commands_change_nothing(self) -> None:
        for by_format in [False, True]:
            self.set = self.path(f"set{by_format}")
            faulty = FaultyCommand(
                self.path(f"faulty{by_format}"), {"verb": "index", "shard": 0, "do": "executor"},
                {"verb": "set add", "shard": 1, "do": "after"},
                {"verb": "index", "shard": 2, "do": "die"},
                {"verb": "set add", "shard": 3, "do": "kill"})
            self.check(faulty, by_format=by_format)
            for shard in range(self.SHARDS):
                self.assertGreaterEqual(len(faulty.calls("index", shard)), 2, shard)

    def test_two_attempts_at_once_change_nothing(self) -> None:
        faulty = FaultyCommand(
            self.path("faulty"), {"verb": "index", "shard": 0, "do": "sleep", "seconds": 40})
        started = time.monotonic()
        self.check(faulty)
        self.assertLess(time.monotonic() - started, 40)
        hosts = {call["host"] for call in faulty.calls("index", 0)}
        self.assertEqual(hosts, {"127.0.0.1", "127.0.0.2"})

    def test_input_that_is_another_each_time_is_an_error(self) -> None:
        faulty = FaultyCommand(self.path("faulty"), {"verb": "set add", "shard": 0, "do": "after"})
        answer = self.build(self.set, faulty.path, salted=True, by_format=True)
        self.assertIn("other content", str(answer.get("error")))
        self.assertFalse(os.path.exists(os.path.join(self.set, "SET.json")))

    # Its driver ends with it, so it comes last.
    def test_with_random_kills_nothing_changes(self) -> None:
        # All faults of a cluster together take three minutes at most, one build at least.
        self.builds.run()
        end = self.started + 150
        while self.builds.counts["builds"] < BUILDS and time.monotonic() < end:
            self.builds.run()
        self.builds.finish()
        print("\n" + faults.figures(self.builds.counts), flush=True)
        self.assertGreater(self.builds.counts["builds"], 0)


if __name__ == "__main__":
    unittest.main()
