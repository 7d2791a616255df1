"""Open handles of output folders: names are resolved in their folder, not from the root again, and a folder
replaced by a symbolic link since the survey is not followed."""

from __future__ import annotations

import os
from pathlib import Path

from netplan.write.tree import failed

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


class Folders:
    """The folders leading to one file, outermost first. Files are written in path order, so few folders are
    open at a time and each is opened about once."""

    def __init__(self, directory: Path, root: int) -> None:
        """``root``: a handle of ``directory``, which stays open."""
        self._directory, self._root = directory, root
        self._open: list[tuple[str, int]] = []

    def handle(self, folder: str) -> int:
        """A handle of the folder, which is created if missing; it is closed when another one is requested."""
        while self._open and not f"{folder}/".startswith(f"{self._open[-1][0]}/"):
            os.close(self._open.pop()[1])
        inner, at = self._open[-1] if self._open else ("", self._root)
        for name in folder[len(inner) :].split("/"):
            if name:
                inner = f"{inner}/{name}" if inner else name
                at = self._enter(at, inner, name)
                self._open.append((inner, at))
        return at

    def close(self) -> None:
        while self._open:
            os.close(self._open.pop()[1])

    def _enter(self, parent: int, folder: str, name: str) -> int:
        try:
            try:
                return os.open(name, _FOLDER, dir_fd=parent)
            except FileNotFoundError:
                os.mkdir(name, dir_fd=parent)
                return os.open(name, _FOLDER, dir_fd=parent)
        except OSError as error:
            raise failed(self._directory, folder, error) from error
