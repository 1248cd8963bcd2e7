"""Builds a set of shards of the rows of a data frame."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from .command import CommandFailed, program, run, start

if TYPE_CHECKING:
    import pyarrow
    from pyspark.sql import Column, DataFrame


def shard_of(identifier: "Column", shards: int) -> "Column":
    """The number of the shard of an identifier: 60 bits of its SHA-256, modulo the number of shards."""
    from pyspark.sql import functions as F

    digits = F.substring(F.sha2(identifier.cast("string"), 256), 1, 15)
    return F.pmod(F.conv(digits, 16, 10).cast("bigint"), F.lit(shards)).cast("int")


def write(
    frame: "DataFrame",
    path: str,
    shards: int,
    *,
    id: str = "id",
    fields: Sequence[str] = ("title", "body"),
    attributes: Sequence[str] = (),
    weight: str | None = None,
    order: str | None = None,
    options: Sequence[str] = (),
    textindex: str | None = None,
) -> dict[str, Any]:
    """Writes the rows of a frame as a set of shards, and gives what SET.json then says.

    Each shard is built by one task, of its objects in the order of their identifiers, on the worker's
    own disk; it gets its name in one step. Any number of attempts of a task may run at once, be killed,
    or come late: a shard that is there with the same content is none's failure. The set is committed
    last, so readers see all of it or what was there before.

    Args:
        frame: the objects.
        path: the folder of the set, on a file system that driver and workers share.
        shards: how many shards to make.
        id: the column that identifies an object.
        fields: the columns to index, strings or lists of strings.
        attributes: the columns to filter and sort by, as `textindex index --attribute` takes them.
        weight: a column of numbers to rank by.
        order: of several rows with one identifier the one with the greatest value of this column
            counts. Without it identifiers must be unique.
        options: further options of `textindex index`, such as `["--stem", "english"]`.
        textindex: the command on the workers and here.

    Raises:
        CommandFailed: a shard or the set could not be made.
    """
    from pyspark.sql import functions as F

    if shards < 1:
        raise ValueError("shards must be at least 1")
    target, command = os.path.abspath(path), program(textindex)
    os.makedirs(target, exist_ok=True)
    names = [id, *fields, *[a.split(":")[0] for a in attributes], *([weight] if weight else [])]
    if order is not None:
        # Of equal values the row whose text is the greatest, so that each attempt has the same.
        rank = F.struct(F.col(order), F.to_json(F.struct("*")))
        frame = frame.groupBy(F.col(id)).agg(F.max_by(F.struct("*"), rank).alias("row")).select("row.*")
    lines = frame.select(
        F.col(id).cast("string").alias("id"),
        F.to_json(F.struct(*[
            # The identifier as it is hashed; and members of structures by their whole names.
            (F.col(name).cast("string") if name == id else F.col(name)).alias(name)
            for name in dict.fromkeys(names)
        ])).alias("line"),
    )
    placed = lines.repartitionById(shards, shard_of(F.col("id"), shards)).sortWithinPartitions("id", "line")
    arguments = ["--id", id]
    for name in fields:
        arguments += ["--field", name]
    for name in attributes:
        arguments += ["--attribute", name]
    if weight:
        arguments += ["--weight", weight]
    arguments += list(options)

    def build(batches: "Iterator[pyarrow.RecordBatch]") -> "Iterator[pyarrow.RecordBatch]":
        import pyarrow
        from pyspark import TaskContext

        context = TaskContext.get()
        number = context.partitionId() if context else 0
        made = build_shard(batches, target, number, shards, arguments, command)
        yield pyarrow.RecordBatch.from_pylist([{"shard": json.dumps(made)}])

    made = placed.select("line").mapInArrow(build, "shard string").collect()
    if len(made) != shards:
        raise CommandFailed(f"Spark made {len(made)} shards instead of {shards}")
    run([command, "set", "commit", target, "--of", str(shards), "--json"])
    with open(os.path.join(target, "SET.json"), encoding="utf-8") as file:
        committed: dict[str, Any] = json.load(file)
    return committed


def build_shard(
    batches: "Iterator[pyarrow.RecordBatch]",
    target: str,
    number: int,
    shards: int,
    arguments: Sequence[str],
    command: str,
) -> dict[str, Any]:
    """Builds one shard of lines of JSON, the first column of batches, and adds it to the set."""
    work = tempfile.mkdtemp(prefix=f"shard-{number:05d}.", dir=os.environ.get("TEXTINDEX_LOCAL"))
    index, report = os.path.join(work, "index"), os.path.join(work, "report.json")
    errors = open(os.path.join(work, "errors"), "wb+")
    process: subprocess.Popen[bytes] | None = None
    try:
        process = start(
            [command, "index", "-", "--index", index, "--report", report, *arguments],
            stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=errors,
        )
        fed = feed(batches, process)
        if process.wait() != 0:
            errors.seek(0)
            said = errors.read().decode(errors="replace").strip()[-1000:]
            raise CommandFailed(f"shard {number}: {command} index: {said}")
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


def feed(batches: "Iterator[pyarrow.RecordBatch]", process: "subprocess.Popen[bytes]") -> int:
    """Writes the first column of batches as lines, and gives how many there were."""
    import pyarrow.compute as compute

    fed = 0
    assert process.stdin is not None
    try:
        for batch in batches:
            if batch.num_rows == 0:
                continue
            lines = compute.binary_join_element_wise(batch.column(0), "", "\n").to_pylist()
            process.stdin.write("".join(lines).encode())
            fed += len(lines)
        process.stdin.close()
    except BrokenPipeError:
        pass  # Its exit code says why.
    return fed
