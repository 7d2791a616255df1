"""Reads the output directory without ever following a symbolic link below it."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from hashlib import sha256
from io import FileIO
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from netplan.records import dataclass

# O_NONBLOCK: do not wait for a writer if a FIFO stands where a file is expected.
_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


MAX_BYTES = 256 << 20
"""Limit for one file. netplan's largest ones are a few MB; anything above was not written by it and may not
fit in memory."""


class WriteError(Exception):
    """The output directory cannot be compared or written as requested.

    ``paths``: the offending paths relative to the directory; empty if it is the directory itself.
    """

    def __init__(self, message: str, paths: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.message = message
        self.paths = tuple(paths)


@contextmanager
def os_errors(directory: Path, path: str = "") -> Iterator[None]:
    """Turn an ``OSError`` into a `WriteError` that names ``path`` below ``directory``."""
    try:
        yield
    except OSError as error:
        raise failed(directory, path, error) from error


def failed(directory: Path, path: str, error: OSError) -> WriteError:
    return WriteError(f"{directory / path}: {error.strerror or error}", (path,) if path else ())


def parents(path: str) -> Iterator[str]:
    """``a/b/c`` -> ``a/b``, ``a``: the folders between the output directory and the file, deepest first."""
    while "/" in path:
        path = path.rpartition("/")[0]
        yield path


@dataclass(frozen=True, slots=True)
class File:
    """A regular file as it is on disk."""

    data: bytes
    executable: bool


class Seen(NamedTuple):
    """A regular file's content (``sha256``, hexadecimal), and what reveals a later change.

    ``changed_ns``: st_ctim, which the kernel updates with every change of content, mode or name and which,
    unlike the modification time, no program can set back (inode(7), "ctime").
    """

    sha256: str
    executable: bool
    size: int
    changed_ns: int
    inode: int

    @classmethod
    def of(cls, digest: str, info: os.stat_result) -> Seen:
        executable = bool(info.st_mode & stat.S_IXUSR)
        return cls(digest, executable, info.st_size, info.st_ctime_ns, info.st_ino)

    def is_still(self, info: os.stat_result) -> bool:
        return stat.S_ISREG(info.st_mode) and self[1:] == Seen.of("", info)[1:]


NOTHING_KNOWN: Mapping[str, Seen] = MappingProxyType({})


class Tree:
    """The output directory. It may be a symbolic link or absent; nothing below it may be a link.

    ``known``: earlier states of files; files that did not change since are not read again.
    """

    def __init__(self, root: Path, known: Mapping[str, Seen] = NOTHING_KNOWN) -> None:
        self._root, self._known = root, known
        with os_errors(root):
            try:
                mode = root.stat().st_mode
            except FileNotFoundError:
                mode = 0
        if mode and not stat.S_ISDIR(mode):
            raise WriteError(f"{root} is not a directory")
        self._folders = {"": bool(mode)}

    def read(self, path: str) -> File | None:
        """The file at ``path``, or None. Raises `WriteError` if something else is there."""
        found = self._read(path)
        return File(found[0], bool(found[1].st_mode & stat.S_IXUSR)) if found else None

    def look(self, path: str) -> Seen | None:
        """Like `read`, but only the digest."""
        if (known := self._known.get(path)) and self._is_folder(path.rpartition("/")[0]):
            try:
                info = os.lstat(f"{self._root}/{path}")
            except OSError:
                return self._digest(path)  # reports what is wrong
            if known.is_still(info):
                return known
        return self._digest(path)

    def _digest(self, path: str) -> Seen | None:
        found = self._read(path)
        return Seen.of(sha256(found[0]).hexdigest(), found[1]) if found else None

    def _read(self, path: str) -> tuple[bytes, os.stat_result] | None:
        if not self._is_folder(path.rpartition("/")[0]):
            return None
        try:
            descriptor = os.open(f"{self._root}/{path}", _READ)
            try:
                return self._content(path, descriptor)
            finally:
                os.close(descriptor)
        except FileNotFoundError:
            return None
        except OSError as error:
            # open(2): errors of O_NOFOLLOW for a symbolic link.
            if error.errno == errno.ELOOP:
                raise self._in_the_way(path, "a symbolic link") from error
            raise failed(self._root, path, error) from error

    def _content(self, path: str, descriptor: int) -> tuple[bytes, os.stat_result]:
        """The file's state is from before reading, so that a change during reading shows next time."""
        info = os.fstat(descriptor)
        if not stat.S_ISREG(info.st_mode):
            raise self._in_the_way(path, "a directory or a special file")
        data = b"" if info.st_size > MAX_BYTES else FileIO(descriptor, closefd=False).readall()
        if max(info.st_size, len(data)) > MAX_BYTES:
            raise self._in_the_way(path, f"larger than {MAX_BYTES >> 20} MiB")
        return data, info

    def _is_folder(self, path: str) -> bool:
        known = self._folders.get(path)
        if known is None:
            known = self._is_folder(path.rpartition("/")[0]) and self._look(path)
            self._folders[path] = known
        return known

    def _look(self, path: str) -> bool:
        with os_errors(self._root, path):
            try:
                mode = (self._root / path).lstat().st_mode
            except FileNotFoundError:
                return False
        if stat.S_ISDIR(mode):
            return True
        raise self._in_the_way(path, "a symbolic link" if stat.S_ISLNK(mode) else "not a directory")

    def _in_the_way(self, path: str, what: str) -> WriteError:
        return WriteError(
            f"{self._root / path} is {what}; move it away or delete it, then render again", (path,)
        )
