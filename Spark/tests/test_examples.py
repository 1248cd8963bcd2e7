"""The quickstart and the example job do what the documents say, and the package's types are right."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
import unittest

import support

EXAMPLES = os.path.join(os.path.dirname(support.TESTS), "examples")
sys.path.insert(0, EXAMPLES)
BOOKS = os.path.join(support.ROOT, "Demo", "books")


class ExampleTests(support.FolderTests):
    def test_the_quickstart_finds_what_the_command_finds(self) -> None:
        import quickstart

        spark = support.session()
        results = quickstart.main(spark, BOOKS, self.set).collect()
        found = support.found(results, quickstart.QUERIES)
        self.assertEqual(found, support.search_command(self.set, quickstart.QUERIES, 3))
        self.assertTrue(found[0][0][0].startswith("moby-dick/"), found[0])
        support.command("set", "verify", self.set)

    def test_json_lines_parquet_and_folders_give_one_set(self) -> None:
        import build_set

        spark = support.session()
        chapters = build_set.read(spark, "folder", [BOOKS]).cache()
        chapters.write.json(self.path("jsonl"))
        chapters.write.parquet(self.path("parquet"))
        for kind, path in [("folder", BOOKS), ("jsonl", self.path("jsonl")),
                           ("parquet", self.path("parquet"))]:
            target = self.path(f"set-{kind}")
            build_set.main([path, "--from", kind, "--output", target, "--shards", "2"])
        made = [support.command("set", "status", self.path(f"set-{kind}"))
                for kind in ["folder", "jsonl", "parquet"]]
        self.assertEqual(made, ["committed: 2 shards, 269 objects\n"] * 3)
        texts = ["white whale", '"monte cristo"', "captn"]
        found = [support.search_command(self.path(f"set-{kind}"), texts, 10)
                 for kind in ["folder", "jsonl", "parquet"]]
        self.assertEqual(found[0], found[1])
        self.assertEqual(found[0], found[2])

    def test_spark_submit_runs_the_job(self) -> None:
        import pyspark

        with open(self.path("notes.jsonl"), "wb") as file:
            file.write(support.lines([support.item(number) for number in range(30)]))
        submit = os.path.join(os.path.dirname(pyspark.__file__), "bin", "spark-submit")
        done = subprocess.run(
            [submit, "--master", "local[2]", "--conf", "spark.ui.enabled=false",
             os.path.join(EXAMPLES, "build_set.py"), self.path("notes.jsonl"), "--output", self.set,
             "--shards", "2"], capture_output=True)
        self.assertEqual(done.returncode, 0, done.stderr.decode()[-2000:])
        self.assertIn("2 shards, 30 objects", done.stdout.decode())

    @unittest.skipUnless(importlib.util.find_spec("mypy"), "mypy is not installed")
    def test_types_are_right(self) -> None:
        done = subprocess.run(
            [sys.executable, "-m", "mypy", "--strict"], cwd=os.path.dirname(support.TESTS),
            capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout)


if __name__ == "__main__":
    unittest.main()
