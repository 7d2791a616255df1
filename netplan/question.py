"""Digest of everything that determines a command's output: its inputs, options, data files and the program.

Two runs with the same digest, on an output directory with the same content, print the same;
`netplan.write.memory` relies on it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from importlib import metadata
from pathlib import Path

from netplan import program
from netplan.load import InputError, input_files

_MOST_FILES = 10_000
"""Limit of files in a site's folder (--nos-dir); with more, no digest is made."""


def question(inputs: Sequence[str], options: Mapping[str, object], data: Sequence[str | None]) -> str | None:
    """The digest for a command with these inputs and options. ``data``: other files and folders it reads.

    None if it cannot be computed: standard input, unreadable files (the run itself reports those), or a
    library without a version.
    """
    if "-" in inputs or "-" in data:
        return None
    try:
        files = [*input_files(inputs), *(path for name in data if name is not None for path in _below(name))]
        lines = [
            program.digest(),
            str(Path.cwd()),
            repr(list(inputs)),
            repr(sorted(options.items())),
            repr(data),
        ]
        lines += [f"{program.digest_of(path)} {path!r}" for path in files]
    except (InputError, OSError, ValueError, metadata.PackageNotFoundError):
        return None
    return sha256("\n".join(lines).encode(errors="surrogateescape")).hexdigest()


def _below(name: str) -> Iterator[Path]:
    """The file itself, or all files below a folder. Raises ValueError above _MOST_FILES."""
    path = Path(name)
    if not path.is_dir():
        yield path
        return
    for count, file in enumerate(sorted(path.rglob("*"))):
        if count > _MOST_FILES:
            raise ValueError(f"{name} holds more than {_MOST_FILES} files")
        if not file.is_dir():
            yield file
