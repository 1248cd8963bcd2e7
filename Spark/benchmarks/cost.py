"""What building a set on Spark costs, Spark's part and ours, from 1 to 8 shards, on two workers of this machine.

    TEXTINDEX=.build/release/textindex python Spark/benchmarks/cost.py corpus.jsonl.gz [queries.jsonl]

`Spark alone` reads, divides and sorts the same lines and hands them to Python, which drops them. Seconds
are those of the clock; processor seconds are those of all processes of the cluster and of the driver. With
queries (lines of JSON with a `query`) it also prints what a query takes in the set, in one process.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from typing import Any

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "tests"))

import support  # noqa: E402
from cluster import MARK, Cluster  # noqa: E402

import textindex_spark  # noqa: E402
from textindex_spark.writing import shard_of  # noqa: E402

SHARDS = [1, 2, 4, 8]
TICKS = os.sysconf("SC_CLK_TCK")
# Logs the processor seconds of each command.
TIMED = '''#!{python} -IS
import os, sys
child = os.spawnv(os.P_NOWAIT, {real!r}, [{real!r}, *sys.argv[1:]])
_, status, used = os.wait4(child, 0)
with open({log!r}, "a") as log:
    log.write(f"{{used.ru_utime + used.ru_stime}}\\n")
sys.exit(os.waitstatus_to_exitcode(status))
'''


def processor_seconds(pids: list[int]) -> float:
    """Of processes and of their children that have ended."""
    total = 0
    for pid in pids:
        try:
            with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
                total += sum(map(int, file.read().rsplit(")", 1)[1].split()[11:15]))
        except OSError:
            pass
    return total / TICKS


def measured(cluster: Cluster, work: Callable[[], Any]) -> tuple[float, float]:
    """Seconds of the clock and of processors that some work takes."""
    pids = [*cluster.processes(), os.getpid()]
    before, started = processor_seconds(pids), time.monotonic()
    work()
    seconds = time.monotonic() - started
    return seconds, processor_seconds(list(dict.fromkeys([*pids, *cluster.processes()]))) - before


def spark_alone(frame: Any, shards: int) -> None:
    """What `write` has Spark do, without a command to feed."""
    from pyspark.sql import functions as F

    def drop(batches: Iterator[Any]) -> Iterator[Any]:
        import pyarrow
        import pyarrow.compute as compute

        count = 0
        for batch in batches:
            lines = compute.binary_join_element_wise(batch.column(0), "", "\n").to_pylist()
            count += len("".join(lines).encode())
        yield pyarrow.RecordBatch.from_pylist([{"bytes": count}])

    lines = frame.select(
        F.col("id").cast("string").alias("id"), F.to_json(F.struct("id", "title", "body")).alias("line"))
    placed = lines.repartitionById(shards, shard_of(F.col("id"), shards))
    placed.sortWithinPartitions("id", "line").select("line").mapInArrow(drop, "bytes bigint").collect()


def query_milliseconds(index: str, queries: str) -> float:
    """Processor time of a query in a batch, without that of starting."""
    def seconds(times: int) -> float:
        with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as file:
            with open(queries, encoding="utf-8") as given:
                file.write(given.read() * times)
            file.flush()
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            subprocess.run([support.COMMAND, "search", "--queries", file.name, "--index", index,
                            "--json"], check=True, stdout=subprocess.DEVNULL)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    with open(queries, encoding="utf-8") as file:
        count = sum(1 for line in file if line.strip())
    return (seconds(11) - seconds(1)) / 10 / count * 1000


def size(folder: str) -> float:
    """Megabytes of the files in a folder."""
    return sum(os.path.getsize(os.path.join(place, name))
               for place, _, names in os.walk(folder) for name in names) / 1e6


def main() -> None:
    """Prints the table."""
    corpus, queries = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else None
    with tempfile.TemporaryDirectory() as folder:
        log, command = os.path.join(folder, "commands.log"), os.path.join(folder, "textindex")
        with open(command, "w", encoding="utf-8") as file:
            file.write(TIMED.format(
                python=sys.executable, real=os.path.abspath(support.COMMAND), log=log))
        os.chmod(command, 0o755)
        cluster = Cluster(os.path.join(folder, "cluster"))
        os.environ[MARK] = cluster.mark
        try:
            table(cluster, corpus, queries, folder, command, log)
        finally:
            cluster.stop()


def table(cluster: Cluster, corpus: str, queries: str | None, folder: str, command: str,
          log: str) -> None:
    """Builds all sets, and prints a line for each."""
    started = time.monotonic()
    spark = support.session(**{"spark.master": cluster.url, "spark.executor.memory": "900m",
                               "spark.driver.host": "127.0.0.1"})
    spark.range(2).mapInArrow(lambda batches: batches, "id bigint").collect()
    print(f"session and first task: {time.monotonic() - started:.1f} s; "
          f"load {os.getloadavg()[0]:.1f}", flush=True)
    frame = spark.read.schema("id string, title string, body string").json(corpus)
    print("| shards | Spark alone s | with us s | Spark alone CPU s | with us CPU s | the commands "
          "CPU s | set MB | ms a query |\n|---|---|---|---|---|---|---|---|")
    spark_alone(frame, 2)  # Java is slow at first.
    for shards in SHARDS:
        alone = measured(cluster, lambda: spark_alone(frame, shards))
        if os.path.exists(log):
            os.remove(log)
        target = os.path.join(folder, f"set{shards}")
        whole = measured(cluster, lambda: textindex_spark.write(
            frame, target, shards, textindex=command))
        with open(log, encoding="utf-8") as file:
            ours = sum(map(float, file))
        time_of_query = f"{query_milliseconds(target, queries):.2f}" if queries else ""
        print(f"| {shards} | {alone[0]:.1f} | {whole[0]:.1f} | {alone[1]:.1f} | {whole[1]:.1f} | "
              f"{ours:.1f} | {size(target):.0f} | {time_of_query} |", flush=True)
    print(f"load {os.getloadavg()[0]:.1f}")
    spark.stop()


if __name__ == "__main__":
    main()
