"""Files of a revision in git, by ``git cat-file`` only: no hooks, no filters, no fetching, no shell.

The one subprocess of netplan, and its only use. It asks for objects of the repository that the working
directory is in; git is told to run nothing of it.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path

from netplan.load import MAX_BYTES, InputError

_SECONDS = 60
_MOST_FILES = 20_000
_TREE, _BLOB = "tree", "blob"
_ENVIRONMENT = {
    "GIT_NO_LAZY_FETCH": "1",  # objects that a partial clone lacks are not fetched
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_ALLOW_PROTOCOL": "",
    "LC_ALL": "C",
}
_OPTIONS = ("-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false", "-c", "protocol.allow=never")


def is_revision(given: str) -> bool:
    """``REV:path``, unless there is a file of that name."""
    return ":" in given and not Path(given).exists()


def texts_of(given: str) -> Mapping[str, str]:
    """Name of a file as ``REV:path`` -> text, for ``REV:path`` of a file or a folder: of a folder all below
    it. Raises InputError where git does not have it."""
    revision, _, path = given.partition(":")
    if not revision or revision.startswith("-"):
        raise InputError(f"{given!r} is no file, folder or REV:path of git")
    name = f"{revision}:{path.rstrip('/')}"
    kind = _git("cat-file", "-t", name).decode().strip()
    if kind == _BLOB:
        return {name: _text(name, name)}
    if kind != _TREE:
        raise InputError(f"{given!r} is a {kind} of git, not a file or folder")
    found: dict[str, str] = {}
    for file, identity in _below(name, name if name.endswith(":") else f"{name}/"):
        if len(found) == _MOST_FILES:
            raise InputError(f"{given!r} has more than {_MOST_FILES:,} files")
        found[file] = _text(identity, file)
    return found


def _below(tree: str, prefix: str) -> Iterator[tuple[str, str]]:
    """Files below a tree, (name, object), as ``cat-file -p`` lists them: mode, kind, object, name."""
    for line in _git("cat-file", "-p", tree).decode(errors="replace").splitlines():
        about, _, name = line.partition("\t")
        mode, kind, identity = about.split(" ")
        if kind == _TREE:
            yield from _below(identity, f"{prefix}{name}/")
        elif kind == _BLOB and mode != "120000":  # a link is a text that names another file
            yield f"{prefix}{name}", identity


def _text(identity: str, name: str) -> str:
    size = int(_git("cat-file", "-s", identity))
    if size > MAX_BYTES:
        raise InputError(f"{name} is larger than {MAX_BYTES // 2**20} MiB")
    try:
        return _git("cat-file", "blob", identity).decode("utf-8")
    except UnicodeDecodeError:
        raise InputError(f"{name} is not UTF-8") from None


def _git(*arguments: str) -> bytes:
    environment = {**os.environ, **_ENVIRONMENT}
    try:
        done = subprocess.run(
            ["git", "--no-pager", *_OPTIONS, *arguments],
            capture_output=True,
            check=False,
            env=environment,
            stdin=subprocess.DEVNULL,
            timeout=_SECONDS,
        )
    except FileNotFoundError:
        raise InputError("git is not installed; name a file or folder instead of REV:path") from None
    except subprocess.TimeoutExpired:
        raise InputError(f"git {' '.join(arguments[:2])} took more than {_SECONDS} s") from None
    if done.returncode:
        said = done.stderr.decode(errors="replace").strip().removeprefix("fatal: ")
        raise InputError(f"git does not have {arguments[-1]}: {said}")
    return done.stdout
