"""Where sets are: folders of a file system that all machines share."""

from __future__ import annotations

import os
import re

# A single letter is a drive, no scheme.
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+):")


def local_path(path: str | os.PathLike[str]) -> str:
    """The absolute path of a folder that is named by a path or by a URL `file:`.

    As in Hadoop, percent signs in URLs stand for themselves. A relative path whose first part has a
    colon needs `./` in front.

    Raises:
        ValueError: the path is empty, or a URL of another scheme, of another machine, or without a
            whole path. A set is built and read through the file system: object stores are no place
            for it.
    """
    text = os.fspath(path)
    if not text:
        raise ValueError("textindex: name the folder of the set")
    scheme = _SCHEME.match(text)
    if not scheme:
        return os.path.abspath(text)
    if scheme[1].lower() != "file":
        raise ValueError(
            f"textindex: a set is a folder of a file system that all machines share, and {text} has the "
            f"scheme {scheme[1]}; give a path (/srv/notes, ./{text}) or file:/srv/notes")
    rest = text[scheme.end():]
    if rest.startswith("//"):
        host, slash, rest = rest[2:].partition("/")
        if host not in ("", "localhost"):
            raise ValueError(f"textindex: {text} names a folder of the machine {host}")
        rest = slash + rest
    if not rest.startswith("/"):
        raise ValueError(f"textindex: {text} needs a whole path: file:/srv/notes")
    return os.path.abspath(rest)
