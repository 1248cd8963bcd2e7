"""A command that runs `textindex` and does harm on the way, by rules: it stands between jobs and the real one.

Each call but one for help is logged. A rule is for a verb (`index`, `set add`, `search` …), a shard or all, so many times:

    sleep        waits first
    die          ends with an error
    kill         kills what started it: the worker, from inside
    executor     kills the executor that it runs in
    after        lets the command finish, then kills the executor: the work is done, and nobody was told
"""

from __future__ import annotations

import json
import os
import stat
import sys
from typing import Any

import support

_PROGRAM = '''#!{python} -IS
import json, os, signal, sys, time
here, real = {folder!r}, {real!r}

def parent(pid):
    with open(f"/proc/{{pid}}/stat") as file:
        return int(file.read().rsplit(")", 1)[1].split()[1])

def executor():
    """The process id and the host of the executor that this runs in; 0 if there is none."""
    pid = os.getpid()
    while pid > 1:
        with open(f"/proc/{{pid}}/cmdline") as file:
            words = file.read().split(chr(0))
        if any("CoarseGrainedExecutorBackend" in word for word in words):
            return pid, words[words.index("--hostname") + 1]
        pid = parent(pid)
    return 0, ""

def claim(number, times):
    """Whether this call is one of those that a rule is for: each is counted once."""
    for turn in range(times):
        try:
            os.mkdir(os.path.join(here, f"rule-{{number}}-{{turn}}"))
            return True
        except FileExistsError:
            pass
    return False

arguments = sys.argv[1:]
if "--help" in arguments:
    os.execv(real, [real, *arguments])
verb = " ".join(arguments[:2]) if arguments[0] == "set" else arguments[0]
text = " ".join(arguments)
pid, host = executor()
with open(os.path.join(here, "calls.jsonl"), "a") as log:
    log.write(json.dumps({{"verb": verb, "arguments": arguments, "host": host, "pid": os.getpid()}}) + "\\n")
with open(os.path.join(here, "rules.json")) as file:
    rules = json.load(file)
after = False
for number, rule in enumerate(rules):
    shard = rule.get("shard")
    if rule["verb"] != verb or shard is not None and not (
            f"shard-{{shard:05d}}" in text or f"--shard {{shard}} " in text + " "):
        continue
    if not claim(number, rule.get("times", 1)):
        continue
    if rule["do"] == "sleep":
        time.sleep(rule["seconds"])
    elif rule["do"] == "die":
        sys.exit("died by a rule")
    elif rule["do"] == "kill":
        os.kill(os.getppid(), signal.SIGKILL)
    elif rule["do"] == "executor":
        os.kill(pid, signal.SIGKILL)
        time.sleep(60)
    elif rule["do"] == "after":
        after = True
if after:
    os.spawnv(os.P_WAIT, real, [real, *arguments])
    os.kill(pid, signal.SIGKILL)
    time.sleep(60)
os.execv(real, [real, *arguments])
'''


class FaultyCommand:
    """The command in a folder of its own, with its rules and its log.

    Attributes:
        path: the command.
        log: where calls are logged, as lines of JSON.
    """

    def __init__(self, folder: str, *rules: dict[str, Any]) -> None:
        os.makedirs(folder, exist_ok=True)
        self.path = os.path.join(folder, "textindex")
        self.log = os.path.join(folder, "calls.jsonl")
        with open(os.path.join(folder, "rules.json"), "w", encoding="utf-8") as file:
            json.dump(list(rules), file)
        with open(self.path, "w", encoding="utf-8") as file:
            file.write(_PROGRAM.format(
                python=sys.executable, folder=folder, real=os.path.abspath(support.COMMAND)))
        os.chmod(self.path, os.stat(self.path).st_mode | stat.S_IXUSR)

    def calls(self, verb: str, shard: int | None = None) -> list[dict[str, Any]]:
        """The calls of a verb, of a shard or of all."""
        if not os.path.exists(self.log):
            return []
        with open(self.log, encoding="utf-8") as file:
            calls = [json.loads(line) for line in file]
        return [call for call in calls if call["verb"] == verb and (
            shard is None or f"shard-{shard:05d}" in " ".join(call["arguments"])
            or f"--shard {shard} " in " ".join(call["arguments"]) + " ")]
