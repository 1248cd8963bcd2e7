"""Builds one shard of a set, and commits a set. It knows neither Spark nor Ray."""

from __future__ import annotations

import datetime
import decimal
import hashlib
import json
import numbers
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .command import CommandFailed, run, start

Lines = tuple[bytes, int]
"""Whole lines of JSON, each with its line feed, and how many there are."""


@dataclass(frozen=True)
class IndexOptions:
    """What of an object is indexed, and how.

    Attributes:
        id: the member that identifies an object.
        fields: the members to index, strings or lists of strings.
        attributes: the members to filter and sort by, as `textindex index --attribute` takes them.
        weight: a member that is a number to rank by.
        options: further options of `textindex index`, such as `("--stem", "english")`.
    """

    id: str = "id"
    fields: tuple[str, ...] = ("title", "body")
    attributes: tuple[str, ...] = ()
    weight: str | None = None
    options: tuple[str, ...] = ()

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
        return arguments + list(self.options)


def shard_number(identifier: str, shards: int) -> int:
    """The number of the shard of an identifier: 60 bits of its SHA-256, modulo the number of shards."""
    return int(hashlib.sha256(identifier.encode()).hexdigest()[:15], 16) % shards


def shard_name(number: int, shards: int) -> str:
    """The folder of a shard in that of its set."""
    return f"shard-{number:05d}-of-{shards:05d}"


def json_line(row: Mapping[str, Any], options: IndexOptions) -> str:
    """An object as a line of JSON, of the members that matter; its identifier is a text.

    Raises ValueError for an object without an identifier or without its fields.
    """
    made: dict[str, Any] = {}
    for name in options.members():
        value = _member(row, name)
        if value is not None:
            made[name] = value
    if options.id not in made:
        raise ValueError(f"an object has no {options.id}")
    made[options.id] = identifier_text(made[options.id])
    # Without spaces, as Spark writes it: the digest of a shard is of its lines.
    return json.dumps(made, ensure_ascii=False, separators=(",", ":"), default=_plain)


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


def _member(row: Mapping[str, Any], name: str) -> Any:
    # author.name is the member name of the object author, if no member has the whole name.
    if name in row or "." not in name:
        return row.get(name)
    first, rest = name.split(".", 1)
    inner = row.get(first)
    return _member(inner, rest) if isinstance(inner, Mapping) else None


def _plain(value: Any) -> Any:
    """What JSON has for values of columns."""
    if isinstance(value, (datetime.date, datetime.datetime)):
        return value.isoformat()
    if isinstance(value, decimal.Decimal):
        return float(value)
    raise TypeError(f"a column of {type(value).__name__} cannot be indexed; cast it to a string")


def build_shard(
    blocks: Iterable[Lines],
    target: str,
    number: int,
    shards: int,
    arguments: Sequence[str],
    command: str,
) -> dict[str, Any]:
    """Builds one shard on the local disk and adds it to the set in one step.

    Any number of attempts may do so at once, on any machines, and be killed at any time. Gives what
    `textindex set add --json` says.

    Args:
        blocks: the objects, in an order that is the same in each attempt.
        target: the folder of the set.
        number: the number of the shard, from 0.
        shards: how many shards the set has.
        arguments: options of `textindex index`.
        command: the command `textindex`.

    Raises:
        CommandFailed: the shard could not be built, or is there already with other content.
    """
    work = tempfile.mkdtemp(prefix=f"shard-{number:05d}.", dir=os.environ.get("TEXTINDEX_LOCAL"))
    index, report = os.path.join(work, "index"), os.path.join(work, "report.json")
    errors = open(os.path.join(work, "errors"), "wb+")
    process: subprocess.Popen[bytes] | None = None
    try:
        process = start(
            [command, "index", "-", "--index", index, "--report", report, *arguments],
            stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=errors,
        )
        fed = _feed(blocks, process)
        if process.wait() != 0:
            errors.seek(0)
            said = errors.read().decode(errors="replace").strip()[-1000:]
            ended = said or f"ended with {process.returncode}"
            raise CommandFailed(f"shard {number}: {command} index: {ended}")
        with open(report, encoding="utf-8") as file:
            counted = json.load(file)
        if counted["indexed"] != fed:
            raise CommandFailed(
                f"shard {number}: {fed} rows, {counted['indexed']} objects: is an identifier there "
                "twice? See `order`")
        made: dict[str, Any] = json.loads(run(
            [command, "set", "add", target, "--shard", str(number), "--of", str(shards),
             "--index", index, "--json"]))
        return made
    finally:
        if process is not None and process.poll() is None:
            process.kill()
            process.wait()
        errors.close()
        shutil.rmtree(work, ignore_errors=True)


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
    """What SET.json says. Raises FileNotFoundError if nothing is committed."""
    with open(os.path.join(target, "SET.json"), encoding="utf-8") as file:
        committed: dict[str, Any] = json.load(file)
    return committed
