"""Runs the command `textindex`."""

from __future__ import annotations

import ctypes
import functools
import os
import signal
import subprocess
from typing import IO, Any


class CommandFailed(RuntimeError):
    """The command ended with an error; the message is its own."""


_LIBC = ctypes.CDLL(None)  # Loaded before any fork: other threads may hold the loader's lock then.


def program(path: str | None = None) -> str:
    """The command: `path`, else the variable TEXTINDEX, else the one in PATH."""
    return path or os.environ.get("TEXTINDEX") or "textindex"


def die_with_parent() -> None:
    """Run in a child before its program: it is killed when the process that started it ends."""
    # A killed worker must not leave a child that takes the end of the pipe for the end of its
    # input.
    try:
        _LIBC.prctl(1, signal.SIGKILL)
    except (OSError, AttributeError):
        pass  # Only Linux has it; elsewhere nobody adds what such a child makes.


def start(arguments: list[str], **streams: Any) -> subprocess.Popen[bytes]:
    """Starts the command; it ends with the process that started it.

    Raises CommandFailed if there is no such command.
    """
    try:
        return subprocess.Popen(arguments, preexec_fn=die_with_parent, **streams)
    except FileNotFoundError as error:
        raise CommandFailed(
            f"there is no command {arguments[0]} here; name it by the variable TEXTINDEX") from error


def run(arguments: list[str], output: IO[bytes] | int = subprocess.PIPE) -> str:
    """Runs the command to its end and gives what it printed.

    Raises CommandFailed with what it said of an error.
    """
    process = start(arguments, stdout=output, stderr=subprocess.PIPE)
    printed, errors = process.communicate()
    if process.returncode != 0:
        message = errors.decode(errors="replace").strip()[-1000:]
        raise CommandFailed(f"{arguments[0]} {arguments[1]} ended with {process.returncode}: {message}")
    return (printed or b"").decode()


@functools.lru_cache(maxsize=None)
def knows(command: str, verb: str, option: str) -> bool:
    """Whether a verb of the command has an option: older ones lack some."""
    try:
        return option in run([command, verb, "--help"]).split()
    except CommandFailed:
        return False
