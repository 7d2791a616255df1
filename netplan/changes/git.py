"""Files of a git revision, by ``git cat-file`` only: no hooks, no filters, no fetching, no shell. And
unstaged files, by ``git ls-files``, which runs the repository's own filters as a commit does.

git is the only subprocess of netplan. It works on the repository of the working directory.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from netplan.load import MAX_BYTES, InputError

_SECONDS = 60
_MOST_FILES = 20_000
_MOST_BYTES = 2**30
_TREE, _BLOB = "tree", "blob"
_REMOVED = "R"
"""Tag of ``git ls-files -t`` for a file that is only in the index (git-ls-files(1))."""
_ENVIRONMENT = {
    "GIT_NO_LAZY_FETCH": "1",  # do not fetch objects that a partial clone lacks
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_ALLOW_PROTOCOL": "",
    "LC_ALL": "C",
}
_OPTIONS = ("-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false", "-c", "protocol.allow=never")


def is_revision(given: str) -> bool:
    """Whether it is ``REV:path`` and not an existing file of that name."""
    return ":" in given and not Path(given).exists()


def texts_of(given: str) -> Mapping[str, str]:
    """``REV:path`` -> text for a file, or for each file below a folder. Raises InputError if git does not
    have it."""
    revision, _, path = given.partition(":")
    if not revision or revision.startswith("-") or "\n" in given:
        raise InputError(f"{given!r} is not a file, folder or REV:path in git")
    name = f"{revision}:{path.rstrip('/')}"
    kind = _git("cat-file", "-t", name).decode().strip()
    if kind == _BLOB:
        return _texts({name: name})
    if kind != _TREE:
        raise InputError(f"{given!r} is a git {kind}, not a file or folder")
    files: dict[str, str] = {}
    for file, identity in _below(name, name if name.endswith(":") else f"{name}/"):
        if len(files) == _MOST_FILES:
            raise InputError(f"{given!r} has more than {_MOST_FILES:,} files")
        files[file] = identity
    return _texts(files)


def not_staged(directory: Path, owned: Iterable[str]) -> list[str]:
    """Files below the directory that the index lacks or has with other content (of ``owned``), and files that
    are only in the index. Raises InputError."""
    wanted = {os.path.normpath(directory / name) for name in owned}
    listing = ("ls-files", "-z", "-t", "--others", "--modified", "--deleted", "--", str(directory))
    found = set()
    for line in os.fsdecode(_git(*listing)).split("\0"):
        tag, _, name = line.partition(" ")
        if tag == _REMOVED or os.path.normpath(name) in wanted:
            found.add(name)
    return sorted(found - {""})


def _below(tree: str, prefix: str) -> Iterator[tuple[str, str]]:
    """(name, object) of files below a tree, from the lines of ``cat-file -p``: mode, type, object, name."""
    for line in _git("cat-file", "-p", tree).decode(errors="replace").splitlines():
        about, _, name = line.partition("\t")
        mode, kind, identity = about.split(" ")
        if kind == _TREE:
            yield from _below(identity, f"{prefix}{name}/")
        elif kind == _BLOB and mode != "120000":  # a link's text names another file
            yield f"{prefix}{name}", identity


def _texts(files: Mapping[str, str]) -> dict[str, str]:
    """Name -> text of all objects in one call. Asks for sizes first and reads nothing that is too large."""
    if not files:
        return {}
    asked = "".join(f"{identity}\n" for identity in files.values()).encode()
    total = 0
    for name, said in zip(files, _git("cat-file", "--batch-check", given=asked).splitlines(), strict=True):
        stated = said.rpartition(b" ")[2]
        if not stated.isdigit():
            raise InputError(f"git does not have {name}: {said.decode(errors='replace')}")
        size = int(stated)
        total += size
        if size > MAX_BYTES or total > _MOST_BYTES:
            limit = (MAX_BYTES if size > MAX_BYTES else _MOST_BYTES) // 2**20
            raise InputError(f"{name}: more than {limit} MiB are read up to here; name less of it")
    blobs, at, found = _git("cat-file", "--batch", given=asked), 0, {}
    for name in files:
        start = blobs.index(b"\n", at) + 1
        at = start + int(blobs[at:start].rpartition(b" ")[2])
        found[name] = _decoded(blobs[start:at], name)
        at += 1  # the newline after each object
    return found


def _decoded(raw: bytes, name: str) -> str:
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        raise InputError(f"{name} is not UTF-8") from None


def _git(*arguments: str, given: bytes = b"") -> bytes:
    """``given``: on standard input."""
    environment = {**os.environ, **_ENVIRONMENT}
    try:
        done = subprocess.run(
            ["git", "--no-pager", *_OPTIONS, *arguments],
            capture_output=True,
            check=False,
            env=environment,
            input=given,
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
