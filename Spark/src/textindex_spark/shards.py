"""Builds one shard of a set, and commits a set. It knows neither Spark nor Ray."""

from __future__ import annotations

import datetime
import decimal
import hashlib
import json
import math
import numbers
import os
import shutil
import subprocess
import tempfile
from array import array
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from .command import CommandFailed, knows, run, start

TABLE_MEGABYTES = 32
"""How large the files of a shard are. It is built once, and few files are quicker to copy and open."""

MOST_PROBLEMS = 10
"""How many reasons of rows that were left out are told."""

HASH_RULE = "sha256-60"
"""How SET.json names the rule that divides objects by their identifiers."""

OWN_OPTIONS = ("--index", "-i", "--expect", "--tolerate", "--report", "--json", "--sync", "--id", "--field",
               "--attribute", "--weight")
"""Options of `textindex index` that have parameters of their own here, or that are ours."""

Lines = tuple[bytes, int]
"""Whole lines of JSON, each with its line feed, and how many there are."""


def listed(names: Sequence[str]) -> tuple[str, ...]:
    """Names where a list is meant: a text is one of them, and not its letters."""
    return (names,) if isinstance(names, str) else tuple(names)


@dataclass(frozen=True)
class IndexOptions:
    """What of an object is indexed, and how. A text stands for a list with one name.

    Attributes:
        id: the member that identifies an object.
        fields: the members to index, strings or lists of strings.
        attributes: the members to filter and sort by, as `textindex index --attribute` takes them.
        weight: a member that is a number to rank by.
        options: further options of `textindex index`, such as `("--stem", "english")`.
        tolerate: how many objects may be left out, of all shards together.

    Raises ValueError for options that are parameters here.
    """

    id: str = "id"
    fields: Sequence[str] = ("title", "body")
    attributes: Sequence[str] = ()
    weight: str | None = None
    options: Sequence[str] = ()
    tolerate: int = 0

    def __post_init__(self) -> None:
        for name in ("fields", "attributes", "options"):
            object.__setattr__(self, name, listed(getattr(self, name)))
        if self.tolerate < 0:
            raise ValueError("textindex: tolerate must not be negative")
        for option in self.options:
            if option.split("=")[0] in OWN_OPTIONS:
                raise ValueError(
                    f"textindex: {option.split('=')[0]} is not for options; it is a parameter of its own "
                    "(id, fields, attributes, weight, tolerate), or is set for each shard")

    def members(self) -> list[str]:
        """The members of an object that matter, each once."""
        attributes = [name.split(":")[0] for name in self.attributes]
        names = [self.id, *self.fields, *attributes, *([self.weight] if self.weight else [])]
        return list(dict.fromkeys(names))

    def arguments(self) -> list[str]:
        """The options of `textindex index`."""
        arguments = ["--id", self.id]
        for name in self.fields:
            arguments += ["--field", name]
        for name in self.attributes:
            arguments += ["--attribute", name]
        if self.weight:
            arguments += ["--weight", self.weight]
        if self.tolerate:
            arguments += ["--tolerate", str(self.tolerate)]
        return arguments + list(self.options)


def shard_number(identifier: str, shards: int) -> int:
    """The number of the shard of an identifier: 60 bits of its SHA-256, modulo the number of shards."""
    return int(hashlib.sha256(identifier.encode()).hexdigest()[:15], 16) % shards


def shard_name(number: int, shards: int) -> str:
    """The folder of a shard in that of its set."""
    return f"shard-{number:05d}-of-{shards:05d}"


def json_line(row: Mapping[str, Any], options: IndexOptions) -> str:
    """An object as a line of JSON, of the members that matter; its identifier is a text.

    Numbers that JSON does not have, NaN and the infinities, count as missing, also in lists. An object
    without an identifier is a line that `textindex index` leaves out, or that is an error there.
    """
    made: dict[str, Any] = {}
    for name in options.members():
        value = _finite(member(row, name))
        if value is not None:
            made[name] = value
    if options.id in made:
        made[options.id] = identifier_text(made[options.id])
    # Without spaces, as Spark writes it: the digest of a shard is of its lines.
    return json.dumps(
        made, ensure_ascii=False, separators=(",", ":"), default=_plain, allow_nan=False)


def identifier_text(value: Any) -> str:
    """The text of an identifier: the same as that of Spark's cast, by which rows are divided.

    Raises ValueError for what Python and Spark write differently, as truth values and fractions.
    """
    if isinstance(value, str):
        return value
    if isinstance(value, numbers.Integral) and not isinstance(value, bool):
        return str(int(value))
    raise ValueError(
        f"an identifier is a text or a whole number, not of type {type(value).__name__}; cast it to a string")


def member(row: Mapping[str, Any], name: str) -> Any:
    """A member of an object, or None if it has none."""
    # author.name is the member name of the object author, if no member has the whole name.
    if name in row or "." not in name:
        return row.get(name)
    first, rest = name.split(".", 1)
    inner = row.get(first)
    return member(inner, rest) if isinstance(inner, Mapping) else None


def _finite(value: Any) -> Any:
    """A value without the numbers that JSON does not have."""
    if _is_infinite(value):
        return None
    if isinstance(value, (list, tuple)):
        return [inner for inner in value if not _is_infinite(inner)]
    return value


def _is_infinite(value: Any) -> bool:
    return isinstance(value, (float, decimal.Decimal)) and not math.isfinite(value)


def precedence(value: Any, line: str) -> tuple[int, Any, str]:
    """What tells which of several rows with one identifier counts: the greatest.

    As Spark orders them, no value comes first and NaN last. Of equal values the greatest line counts,
    so that each attempt has the same.
    """
    if value is None:
        return 0, 0, line
    if isinstance(value, float) and math.isnan(value):
        return 2, 0, line
    return 1, value, line


def _plain(value: Any) -> Any:
    """What JSON has for values of columns."""
    if isinstance(value, (datetime.date, datetime.datetime)):
        return value.isoformat()
    if isinstance(value, decimal.Decimal):
        return float(value)
    raise TypeError(f"a column of {type(value).__name__} cannot be indexed; cast it to a string")


@dataclass(frozen=True)
class BuiltShard:
    """A shard that is there.

    Attributes:
        name: its folder in that of the set.
        objects: how many it has.
        digest: a sum over its content.
        failed: how many objects were left out.
        problems: why, for the first of them.
        hashes: of the identifiers, where they are to be compared with those of other shards.
    """

    name: str
    objects: int
    digest: str = ""
    failed: int = 0
    problems: tuple[str, ...] = ()
    hashes: bytes | None = None

    def compared(self, hashes: IdentifierHashes | None) -> BuiltShard:
        """The shard with the hashes of its identifiers, if these are to be compared."""
        return self if hashes is None else replace(self, hashes=hashes.packed())


class IdentifierHashes:
    """Eight bytes of each identifier, to find those that are in several shards."""

    def __init__(self) -> None:
        self._hashes = array("Q")

    def add(self, identifier: str) -> None:
        """Adds one of a shard."""
        digest = hashlib.blake2b(identifier.encode(errors="surrogatepass"), digest_size=8).digest()
        self._hashes.append(int.from_bytes(digest, "little"))

    def packed(self) -> bytes:
        """All of them."""
        return self._hashes.tobytes()


def check_identifiers(built: Sequence[BuiltShard]) -> None:
    """Raises CommandFailed if an identifier is in two shards.

    Shards without hashes are not looked at. Among n identifiers two different ones have one hash by
    chance in n² / 2⁶⁵ of all cases: one of 3,700 for a hundred million.
    """
    import numpy as np

    parts = [np.frombuffer(shard.hashes or b"", dtype=np.uint64) for shard in built]
    if not parts:
        return
    hashes = np.concatenate(parts)
    numbers = np.repeat(np.arange(len(parts)), [len(part) for part in parts])
    order = np.argsort(hashes, kind="stable")
    hashes, numbers = hashes[order], numbers[order]
    # Twice in one shard is what its own count finds.
    twice = np.flatnonzero((hashes[1:] == hashes[:-1]) & (numbers[1:] != numbers[:-1]))
    if len(twice):
        first, second = (built[int(numbers[twice[0] + step])].name for step in range(2))
        raise CommandFailed(
            f"{len(twice)} identifiers are in several shards, one of them in {first} and in {second}; "
            'make them unique, or divide the objects by="id"')


def build_shard(
    blocks: Iterable[Lines],
    target: str,
    number: int,
    shards: int,
    arguments: Sequence[str],
    command: str,
    *,
    expect: int | None = None,
) -> BuiltShard:
    """Builds one shard on the local disk and adds it to the set in one step.

    Any number of attempts may do so at once, on any machines, and be killed at any time.

    Args:
        blocks: the objects, in an order that is the same in each attempt.
        target: the folder of the set.
        number: the number of the shard, from 0.
        shards: how many shards the set has.
        arguments: options of `textindex index`.
        command: the command `textindex`.
        expect: how many objects there are, where that is known before.

    Raises:
        CommandFailed: the shard could not be built, or is there already with other content.
    """
    work = tempfile.mkdtemp(prefix=f"shard-{number:05d}.", dir=os.environ.get("TEXTINDEX_LOCAL"))
    index, report = os.path.join(work, "index"), os.path.join(work, "report.json")
    errors = open(os.path.join(work, "errors"), "wb+")
    process: subprocess.Popen[bytes] | None = None
    try:
        process = start(
            [command, "index", "-", "--index", index, "--report", report,
             *_sized(command, arguments, expect), *arguments],
            stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=errors,
        )
        fed = _feed(blocks, process)
        status = process.wait()
        counted = _report(report)
        if counted is not None and status != 0 and counted["failed"] and not counted["isTolerated"]:
            raise CommandFailed(
                f"shard {number}: {counted['failed']} of {fed} rows cannot be indexed: "
                f"{'; '.join(counted['problems'][:3])}. See `tolerate`")
        if counted is not None and counted["indexed"] + counted["failed"] != fed:
            raise CommandFailed(
                f"shard {number}: {fed} rows, {counted['indexed']} objects, {counted['failed']} left out: "
                "is an identifier there twice? See `order`")
        if counted is None or status != 0:
            errors.seek(0)
            said = errors.read().decode(errors="replace").strip()[-1000:]
            raise CommandFailed(f"shard {number}: {command} index: {said or f'ended with {status}'}")
        added = json.loads(run(
            [command, "set", "add", target, "--shard", str(number), "--of", str(shards),
             "--index", index, "--json"]))["shard"]
        return BuiltShard(
            added["name"], added["objects"], added["digest"], counted["failed"],
            tuple(counted["problems"][:MOST_PROBLEMS]))
    finally:
        if process is not None and process.poll() is None:
            process.kill()
            process.wait()
        errors.close()
        shutil.rmtree(work, ignore_errors=True)


def _sized(command: str, arguments: Sequence[str], expect: int | None) -> list[str]:
    """Options for large files. Commands that lack `--table-size` make them where they expect a count."""
    sized = [] if expect is None else ["--expect", str(expect)]
    if not any(argument.split("=")[0] == "--table-size" for argument in arguments) and knows(
        command, "index", "--table-size"
    ):
        sized += ["--table-size", str(TABLE_MEGABYTES)]
    return sized


def _report(path: str) -> dict[str, Any] | None:
    """What became of the input, if the command came to its end."""
    try:
        with open(path, encoding="utf-8") as file:
            report: dict[str, Any] = json.load(file)
    except FileNotFoundError:
        return None
    return report


def add_empty(
    target: str, built: Sequence[BuiltShard], shards: int, arguments: Sequence[str], command: str
) -> list[BuiltShard]:
    """Adds the shards that no task was started for, and gives all."""
    made = {shard.name for shard in built}
    missing = [number for number in range(shards) if shard_name(number, shards) not in made]
    return [*built, *[build_shard([], target, number, shards, arguments, command, expect=0)
                      for number in missing]]


def _feed(blocks: Iterable[Lines], process: subprocess.Popen[bytes]) -> int:
    """Writes lines, and gives how many there were."""
    fed = 0
    assert process.stdin is not None
    try:
        for lines, count in blocks:
            process.stdin.write(lines)
            fed += count
        process.stdin.close()
    except BrokenPipeError:
        pass  # Its exit code says why.
    return fed


def finish_set(
    target: str,
    shards: int,
    built: Sequence[BuiltShard],
    index: IndexOptions,
    command: str,
    *,
    any_division: bool = False,
) -> dict[str, Any]:
    """Adds the shards that are empty, looks at what was left out, and commits the set.

    Gives what SET.json then says, with the number of rows that were left out (`failed`) and the
    reasons of the first of them (`problems`).

    Raises:
        CommandFailed: too many rows were left out, an identifier is in two shards, another set is there,
            or the set could not be committed.
    """
    check_free(target, shards, any_division=any_division)
    every = add_empty(target, built, shards, index.arguments(), command)
    failed = sum(shard.failed for shard in every)
    problems = [f"{shard.name}: {problem}" for shard in every for problem in shard.problems]
    if failed > index.tolerate:
        raise CommandFailed(
            f"{failed} rows cannot be indexed, and {index.tolerate} are tolerated: "
            f"{'; '.join(problems[:3])}")
    check_identifiers([shard for shard in every if shard.hashes is not None])
    check_same(target, every)
    committed = commit_set(target, shards, command, any_division=any_division)
    return {**committed, "failed": failed, "problems": problems[:MOST_PROBLEMS]}


def check_free(target: str, shards: int, *, any_division: bool = False) -> None:
    """Raises CommandFailed if a set is committed that no attempt of the same work can have made.

    A shard of the same name is compared when it is added.
    """
    try:
        there = manifest(target)
    except FileNotFoundError:
        return
    rule = None if any_division else HASH_RULE
    if len(there["shards"]) != shards or there.get("hash") != rule:
        division = "by id" if there.get("hash") else "by file"
        raise CommandFailed(
            f"a set of {len(there['shards'])} shards, divided {division}, is committed in {target}, and a set "
            "is not overwritten; name another folder")


def check_same(target: str, built: Sequence[BuiltShard]) -> None:
    """Raises CommandFailed if a set is committed whose shards have other content than those built."""
    try:
        there = {shard["name"]: shard["digest"] for shard in manifest(target)["shards"]}
    except FileNotFoundError:
        return
    other = [shard.name for shard in built if there.get(shard.name) != shard.digest]
    if other:
        raise CommandFailed(
            f"{other[0]} is another one in the set that is committed in {target}, and a set is not "
            "overwritten; name another folder")


def commit_set(
    target: str, shards: int, command: str, *, any_division: bool = False
) -> dict[str, Any]:
    """Makes the shards in a folder the set that readers see, and gives what SET.json then says.

    Committing again what is committed changes nothing.

    Raises:
        CommandFailed: a shard is missing, or has other fields than the others.
    """
    arguments = [command, "set", "commit", target, "--of", str(shards), "--json"]
    run(arguments + (["--any-division"] if any_division else []))
    return manifest(target)


def manifest(target: str) -> dict[str, Any]:
    """What SET.json says.

    Raises:
        FileNotFoundError: nothing is committed.
        CommandFailed: it cannot be read, or is of another version.
    """
    path = os.path.join(target, "SET.json")
    with open(path, encoding="utf-8") as file:
        try:
            committed: dict[str, Any] = json.load(file)
            known = committed["version"] == 1 and committed.get("hash") in (None, HASH_RULE)
            names = [shard["name"] for shard in committed["shards"]]
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise CommandFailed(f"{path} cannot be read: {error!r}") from error
    if not known or not names:
        raise CommandFailed(f"{path} is of another version of textindex, or divided in another way")
    return committed
