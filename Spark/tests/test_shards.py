"""Paths, lines and single shards, without an engine."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import unittest

import support
from faulty import FaultyCommand
from support import item

from textindex_spark import CommandFailed
from textindex_spark.batches import SearchOptions, search_shards, search_whole
from textindex_spark.command import knows
from textindex_spark.paths import local_path
from textindex_spark.shards import (
    BuiltShard, IdentifierHashes, IndexOptions, build_shard, check_free, check_identifiers, finish_set,
    json_line, manifest, precedence, shard_number)

SIZED = """#!/bin/sh
# A command that knows --table-size, and hands on the rest.
log={log!r}; real={real!r}
if [ "$1 $2" = "index --help" ]; then echo "  --table-size <megabytes>  How large files are."; exit; fi
echo "$@" >> "$log"
if [ "$1" = index ]; then
    for word; do
        shift
        if [ "$word" = --table-size ]; then skip=1; elif [ -n "$skip" ]; then skip=; else set -- "$@" "$word"; fi
    done
fi
exec "$real" "$@"
"""


class PathTests(unittest.TestCase):
    def test_paths_and_urls_of_files_are_folders(self) -> None:
        for given, expected in [
            ("/srv/notes", "/srv/notes"), ("notes", os.path.abspath("notes")), ("/srv/a:b/", "/srv/a:b"),
            ("./a:b", os.path.abspath("a:b")), ("file:/srv/notes", "/srv/notes"),
            ("file:///srv/notes", "/srv/notes"), ("FILE://localhost/srv/notes", "/srv/notes"),
            ("file:/srv/a%20b", "/srv/a%20b"),
        ]:
            self.assertEqual(local_path(given), expected)

    def test_other_urls_are_refused_with_the_reason(self) -> None:
        for given, message in [
            ("s3a://bucket/x", "scheme s3a"), ("hdfs:///x", "scheme hdfs"), ("dbfs:/x", "scheme dbfs"),
            ("notes:2026/x", "./notes:2026/x"), ("file://host/x", "machine host"), ("", "name the folder"),
            ("file:notes", "whole path"), ("file:", "whole path"),
        ]:
            with self.assertRaises(ValueError) as failure:
                local_path(given)
            self.assertIn(message, str(failure.exception))


class LineTests(unittest.TestCase):
    def test_numbers_that_json_does_not_have_are_missing(self) -> None:
        options = IndexOptions(fields=("title",), attributes=("price", "sizes"), weight="weight")
        row = {"id": 7, "title": "duck", "price": float("nan"), "weight": float("-inf"),
               "sizes": [1.5, float("nan"), 2.0]}
        self.assertEqual(json_line(row, options), '{"id":"7","title":"duck","sizes":[1.5,2.0]}')

    def test_a_text_is_a_list_with_one_name(self) -> None:
        index = IndexOptions(fields="title", attributes="price:number", options="--stem=english")
        self.assertEqual((index.fields, index.attributes), (("title",), ("price:number",)))
        self.assertEqual(index.members(), ["id", "title", "price"])
        self.assertEqual(index.arguments()[-1], "--stem=english")
        with self.assertRaisesRegex(ValueError, "--expect"):
            IndexOptions(options="--expect=5")
        self.assertEqual(SearchOptions(steps="exact").arguments(), ["--steps=exact"])

    def test_ray_is_named_where_it_is_missing(self) -> None:
        program = (
            "import sys; sys.modules['ray'] = None; sys.path.insert(0, sys.argv[1])\n"
            "from textindex_spark import on_ray\n")
        done = subprocess.run([sys.executable, "-c", program, support.SOURCE], capture_output=True, text=True)
        self.assertEqual(done.returncode, 1)
        self.assertIn("ImportError: textindex_spark.on_ray needs Ray: pip install", done.stderr)

    def test_options_that_are_parameters_are_refused(self) -> None:
        for option in ["--tolerate", "--expect=5", "--index", "--field"]:
            with self.assertRaisesRegex(ValueError, option.split("=")[0]):
                IndexOptions(options=(option, "5"))
        with self.assertRaisesRegex(ValueError, "negative"):
            IndexOptions(tolerate=-1)

    def test_the_greatest_value_counts_and_then_the_greatest_line(self) -> None:
        rows = [(None, "z"), (-1.0, "a"), (-1.0, "b"), (float("inf"), "a"), (float("nan"), "a")]
        ranks = [precedence(*row) for row in rows]
        self.assertEqual(sorted(ranks[::-1]), ranks)


class ShardTests(support.FolderTests):
    def test_identifiers_of_two_shards_are_compared(self) -> None:
        def built(name: str, identifiers: list[str]) -> BuiltShard:
            hashes = IdentifierHashes()
            for identifier in identifiers:
                hashes.add(identifier)
            return BuiltShard(name, len(identifiers)).compared(hashes)

        check_identifiers([])
        check_identifiers([built("a", ["1", "2", "2"]), built("b", []), built("c", ["3"])])
        with self.assertRaisesRegex(CommandFailed, "1 identifiers .* in a and in c"):
            check_identifiers([built("a", ["1", "2"]), built("b", ["3"]), built("c", ["4", "2"])])

    def test_what_is_left_out_is_counted_and_told(self) -> None:
        lines = support.lines([item(1), {"id": "x"}, item(2)])
        with self.assertRaisesRegex(CommandFailed, "1 of 3 rows cannot be indexed: .*none of the fields"):
            build_shard([(lines, 3)], self.set, 0, 1, [], support.COMMAND)
        made = build_shard([(lines, 3)], self.set, 0, 1, ["--tolerate", "1"], support.COMMAND)
        self.assertEqual((made.objects, made.failed), (2, 1))
        self.assertIn("none of the fields", made.problems[0])
        lines += support.lines([item(1)])
        for expect in [None, 4]:
            with self.assertRaisesRegex(CommandFailed, "4 rows, 2 objects, 1 left out: is an identifier"):
                build_shard([(lines, 4)], self.set, 0, 1, ["--tolerate", "1"], support.COMMAND,
                            expect=expect)

    def test_large_files_are_asked_for_where_the_command_knows_them(self) -> None:
        blocks = [(support.lines([item(1)]), 1)]
        real = FaultyCommand(self.path("real"))
        build_shard(blocks, self.set, 0, 1, [], real.path, expect=1)
        arguments = " ".join(real.calls("index")[0]["arguments"])
        self.assertIn("--expect 1", arguments)
        known = knows(support.COMMAND, "index", "--table-size")
        self.assertEqual("--table-size 32" in arguments, known)

        sized, log = self.path("sized"), self.path("log")
        with open(sized, "w", encoding="utf-8") as file:
            file.write(SIZED.format(log=log, real=os.path.abspath(support.COMMAND)))
        os.chmod(sized, 0o755)
        build_shard(blocks, self.set, 0, 1, [], sized)
        with open(log, encoding="utf-8") as file:
            self.assertIn(" --table-size 32", file.readline())
        os.remove(log)
        build_shard(blocks, self.set, 0, 1, ["--table-size", "8"], sized)
        with open(log, encoding="utf-8") as file:
            self.assertEqual(file.readline().count("--table-size"), 1)

    def test_a_search_without_a_set_is_an_error_of_ours(self) -> None:
        for search in [
            lambda: search_shards(self.set, ["duck"], 1, support.COMMAND, lambda *_: []),
            lambda: search_whole(self.set, ["duck"], 1, support.COMMAND),
        ]:
            with self.assertRaises(CommandFailed):
                search()

    def test_a_negative_limit_is_refused_at_once(self) -> None:
        for search in [
            lambda: search_shards(self.set, ["duck"], -1, support.COMMAND, lambda *_: []),
            lambda: search_whole(self.set, ["duck"], -1, support.COMMAND),
        ]:
            with self.assertRaisesRegex(ValueError, "limit must not be negative"):
                search()

    def test_a_set_is_not_replaced(self) -> None:
        def build(items: list[support.Item], shards: int, any_division: bool = False) -> None:
            built = [build_shard([(support.lines(part), len(part))], self.set, number, shards, [],
                                 support.COMMAND)
                     for number, part in enumerate(support.by_shard(items, shards))]
            finish_set(self.set, shards, built, IndexOptions(), support.COMMAND, any_division=any_division)

        items = [item(number) for number in range(20)]
        check_free(self.set, 2)
        build(items, 2)
        first = manifest(self.set)
        build(items, 2)
        check_free(self.set, 2)
        # Another job that was looked at before this set was committed.
        for other in [lambda: build(items, 3), lambda: build(items, 2, any_division=True)]:
            with self.assertRaisesRegex(CommandFailed, "is not overwritten; name another folder"):
                other()
        shutil.move(os.path.join(self.set, "shard-00001-of-00002"), self.path("gone"))
        with self.assertRaisesRegex(CommandFailed, "shard-00001-of-00002 is another one"):
            build([made for made in items if shard_number(made["id"], 2) == 0], 2)
        self.assertEqual(manifest(self.set), first)

    def test_a_manifest_that_is_not_known_is_refused(self) -> None:
        os.mkdir(self.set)
        known = {"version": 1, "hash": "sha256-60", "shards": [{"name": "shard-00000-of-00001"}]}
        for made, message in [
            ({**known, "hash": "md5"}, "divided in another way"), ({**known, "version": 2}, "another version"),
            ({"version": 1}, "cannot be read"), ([], "cannot be read"),
        ]:
            with open(os.path.join(self.set, "SET.json"), "w", encoding="utf-8") as file:
                json.dump(made, file)
            for asked in [
                lambda: manifest(self.set), lambda: check_free(self.set, 1),
                lambda: search_shards(self.set, ["duck"], 1, support.COMMAND, lambda *_: []),
            ]:
                with self.assertRaisesRegex(CommandFailed, message):
                    asked()

    def test_options_of_searches_may_begin_with_a_dash(self) -> None:
        options = SearchOptions("-whale", "title", ("exact", "typos"), "weight", (7, 8))
        self.assertEqual(options.arguments(), [
            "--filter=-whale", "--field=title", "--rank=weight", "--steps=exact,typos",
            "--trusted-owner=7", "--trusted-owner=8"])
        self.assertEqual(SearchOptions().arguments(), [])


if __name__ == "__main__":
    unittest.main()
