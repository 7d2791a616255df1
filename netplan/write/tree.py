"""Looking at the output directory without ever following a symbolic link below it."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

# O_NONBLOCK: opening a FIFO that stands where a file is expected must not wait for a writer.
_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


MAX_BYTES = 256 << 20
"""Of one file. netplan's largest have a few megabytes; more is nothing it wrote and may not fit in memory."""


class WriteError(Exception):
    """The output directory cannot be compared or written as asked.

    ``paths``: the culprits relative to the directory; empty when it is the directory itself.
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
        raise WriteError(f"{directory / path}: {error.strerror or error}", (path,) if path else ()) from error


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


class Tree:
    """The output directory. It may be a symbolic link itself or be absent; nothing below it may be a link."""

    def __init__(self, root: Path) -> None:
        self._root = root
        with os_errors(root):
            try:
                mode = root.stat().st_mode
            except FileNotFoundError:
                mode = 0
        if mode and not stat.S_ISDIR(mode):
            raise WriteError(f"{root} is not a directory")
        self._folders = {"": bool(mode)}

    def read(self, path: str) -> File | None:
        """The file at ``path``, or None. Raises `WriteError` when something else stands there."""
        if not self._is_folder(path.rpartition("/")[0]):
            return None
        with os_errors(self._root, path):
            try:
                descriptor = os.open(f"{self._root}/{path}", _READ)
            except FileNotFoundError:
                return None
            except OSError as error:
                # open(2): what O_NOFOLLOW answers when the file is a symbolic link.
                if error.errno == errno.ELOOP:
                    raise self._in_the_way(path, "a symbolic link") from error
                raise
            try:
                mode = os.fstat(descriptor).st_mode
                if not stat.S_ISREG(mode):
                    raise self._in_the_way(path, "a directory or a special file")
                with os.fdopen(descriptor, "rb", closefd=False) as stream:
                    data = stream.read(MAX_BYTES + 1)
                if len(data) > MAX_BYTES:
                    raise self._in_the_way(path, f"larger than {MAX_BYTES >> 20} MiB")
                return File(data, bool(mode & stat.S_IXUSR))
            finally:
                os.close(descriptor)

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
