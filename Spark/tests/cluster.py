"""A Spark cluster of this machine: a master and two workers, on hosts of their own, as Spark wants for
two attempts of one task. All that runs in it is known by a variable of its environment."""

from __future__ import annotations

import contextlib
import json
import os
import re
import select
import signal
import subprocess
import sys
import time
import uuid
from typing import Any

import support
from textindex_spark.command import die_with_parent

HOSTS = ["127.0.0.1", "127.0.0.2"]
MARK = "TEXTINDEX_TEST_CLUSTER"


def _binary(name: str) -> str:
    import pyspark

    return os.path.join(os.path.dirname(pyspark.__file__), "bin", name)


def _waits(condition: Any, seconds: float, what: str) -> Any:
    """What a condition gives once it is true."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        value = condition()
        if value:
            return value
        time.sleep(0.05)
    raise AssertionError(f"waited {seconds} s for {what}")


def marked(mark: str) -> dict[int, str]:
    """The command lines of all processes of a mark, by process."""
    found = {}
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/environ", "rb") as file:
                is_marked = f"{MARK}={mark}".encode() in file.read().split(b"\0")
            if is_marked:
                with open(f"/proc/{name}/cmdline", "rb") as file:
                    found[int(name)] = file.read().replace(b"\0", b" ").decode(errors="replace")
        except OSError:
            pass  # It has ended.
    return {pid: line for pid, line in found.items() if line}


class Cluster:
    """The processes, and where they write.

    Attributes:
        url: where drivers find the master.
    """

    def __init__(self, folder: str, cores: int = 1) -> None:
        self.folder, self.cores = folder, cores
        self.mark = uuid.uuid4().hex
        self.environment = {
            **os.environ, MARK: self.mark, "SPARK_LOCAL_IP": "127.0.0.1",
            "SPARK_DAEMON_MEMORY": "256m", "SPARK_WORKER_DIR": os.path.join(folder, "work"),
            "PYSPARK_PYTHON": sys.executable, "PYSPARK_DRIVER_PYTHON": sys.executable,
            "TEXTINDEX_LOCAL": os.path.join(folder, "local")}
        os.makedirs(os.path.join(folder, "local"), exist_ok=True)
        log = os.path.join(folder, "master.log")
        self.master = self._start("master", "127.0.0.1", log, [])
        found = _waits(lambda: re.search(r"spark://127\.0\.0\.1:\d+", _text(log)), 60, "the master")
        self.url = found.group(0)
        self.workers = [self.start_worker(number) for number in range(len(HOSTS))]
        _waits(lambda: _text(log).count("Registering worker") >= len(HOSTS), 60, "the workers")

    def _start(self, kind: str, host: str, log: str, more: list[str]) -> subprocess.Popen[bytes]:
        name = {"master": "master.Master", "worker": "worker.Worker"}[kind]
        with open(log, "ab") as file:
            return subprocess.Popen(
                [_binary("spark-class"), f"org.apache.spark.deploy.{name}", "--host", host, "--port",
                 "0", "--webui-port", "0", *more],
                env={**self.environment, "SPARK_LOCAL_IP": host}, stdout=file,
                stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, start_new_session=True,
                preexec_fn=die_with_parent)

    def start_worker(self, number: int) -> subprocess.Popen[bytes]:
        """Starts a worker, at first or again."""
        log = os.path.join(self.folder, f"worker{number}.log")
        return self._start("worker", HOSTS[number], log,
                           ["--cores", str(self.cores), "--memory", "1g", self.url])

    def processes(self) -> dict[int, str]:
        """The command lines of all that runs in the cluster, by process."""
        return marked(self.mark)

    def of_kind(self, kind: str) -> list[int]:
        """Processes: `worker`, `executor`, `python` or `child`, the command."""
        wanted = {"worker": "deploy.worker.Worker", "executor": "CoarseGrainedExecutorBackend",
                  "python": "pyspark.daemon", "child": "textindex index "}[kind]
        also = "textindex set add" if kind == "child" else wanted
        return [pid for pid, line in self.processes().items() if wanted in line or also in line]

    def heal(self) -> None:
        """Starts workers again that were killed."""
        for number, worker in enumerate(self.workers):
            if worker.poll() is not None:
                self.workers[number] = self.start_worker(number)

    def stop(self) -> None:
        """Ends all of it."""
        for process in [*self.workers, self.master]:
            process.kill()
            process.wait()
        for pid in self.processes():
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass


def _text(path: str) -> str:
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read()


class Driver:
    """A process with a session in a cluster, that builds sets one after the other.

    The cluster has a `folder`, an `environment` and a `url`; the program takes the url and the settings.
    """

    def __init__(self, cluster: Any, program: str = __file__, **settings: str) -> None:
        self.log = os.path.join(cluster.folder, "driver.log")
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                [sys.executable, os.path.abspath(program), cluster.url, json.dumps(settings)],
                env=cluster.environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log,
                start_new_session=True, preexec_fn=die_with_parent)
        self.rest = b""

    def begin(self, **arguments: Any) -> None:
        """Begins to build; the arguments are those of `build`."""
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(arguments).encode() + b"\n")
        self.process.stdin.flush()

    def answer(self, seconds: float) -> dict[str, Any] | None:
        """What became of it: the manifest, or an error. None if there is no answer by then."""
        assert self.process.stdout is not None
        end = time.monotonic() + seconds
        while b"\n" not in self.rest:
            left = end - time.monotonic()
            if left <= 0 or not select.select([self.process.stdout], [], [], left)[0]:
                return None
            read = os.read(self.process.stdout.fileno(), 1 << 16)
            if not read:
                self.process.wait(30)
                return {"error": "the driver died"}
            self.rest += read
        line, self.rest = self.rest.split(b"\n", 1)
        answer: dict[str, Any] = json.loads(line)
        return answer

    def build(self, seconds: float = 120, **arguments: Any) -> dict[str, Any]:
        """Builds, and gives what became of it."""
        self.begin(**arguments)
        answer = self.answer(seconds)
        assert answer is not None, f"no answer in {seconds} s; see {self.log}"
        return answer

    def stop(self) -> None:
        """Ends the driver and its Java."""
        assert self.process.stdin is not None and self.process.stdout is not None
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.process.wait()
        with contextlib.suppress(BrokenPipeError):
            self.process.stdin.close()
        self.process.stdout.close()


def build(spark: Any, input: str, set: str, shards: int, **options: Any) -> dict[str, Any]:
    """Builds a set of lines of JSON, by the function or by the format."""
    import textindex_spark

    salted = options.pop("salted", False)
    by_format = options.pop("by_format", False)
    frame = spark.read.schema("id string, title string, body string").json(input)
    if not by_format:
        textindex_spark.write(frame, set, shards, **options)
        return textindex_spark.shards.manifest(set)
    textindex_spark.register(spark)
    placed = textindex_spark.place(frame, shards)
    if salted:  # Another text in each attempt; functions of Spark repeat their choices.
        from pyspark.sql import functions as F
        salt = F.expr("reflect('java.util.UUID', 'randomUUID')")
        placed = placed.withColumn("title", F.concat("title", F.lit(" "), salt))
    writer = placed.write.format("textindex").mode("append")
    for name, value in {"shards": shards, **options}.items():
        writer = writer.option(name, value)
    writer.save(set)
    return textindex_spark.shards.manifest(set)


def main() -> None:
    """The driver: reads what to build, prints what became of it."""
    url, settings = sys.argv[1], json.loads(sys.argv[2])
    standard = {
        "spark.master": url, "spark.executor.memory": "512m", "spark.driver.host": "127.0.0.1",
        "spark.task.maxFailures": "4", "spark.network.timeout": "20s", "spark.network.timeoutInterval": "10s",
        "spark.executor.heartbeatInterval": "2s", "spark.excludeOnFailure.enabled": "false"}
    spark = support.session(**{**standard, **settings})
    print(json.dumps({"ready": True}), flush=True)
    for line in sys.stdin:
        try:
            answer = build(spark, **json.loads(line))
        except Exception as error:  # noqa: BLE001  Whatever it was is the answer.
            answer = {"error": str(error)[-2000:]}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
