"""Digest of the program: what it derives from the same input, a run with the same digest derives again."""

from __future__ import annotations

import sys
from functools import cache
from hashlib import file_digest, sha256
from pathlib import Path

from netplan import __version__, resources

_LIBRARIES = ("click", "jinja2", "jsonschema", "netaddr", "pyyaml")


@cache
def digest() -> str:
    """Of netplan's own code and data, and of the versions of Python and its libraries. Raises OSError,
    ValueError or PackageNotFoundError (an ImportError) if one of them cannot be read."""
    from importlib import metadata  # a small run needs no digest, and this imports the package email

    package = Path(__file__).resolve().parent
    own = [path for path in package.rglob("*") if path.suffix != ".pyc" and path.is_file()]
    own += [
        path
        for folder in (resources.schemas(), resources.templates())
        for path in folder.rglob("*")
        if path.is_file()
    ]
    lines = [f"{digest_of(path)} {path}" for path in sorted(set(own))]
    lines += [f"{name} {metadata.version(name)}" for name in _LIBRARIES]
    return sha256("\n".join([__version__, sys.version, *lines]).encode()).hexdigest()


def version() -> str | None:
    """The digest, for what is kept from run to run; None if there is none."""
    try:
        return digest()
    except (OSError, ValueError, ImportError):
        return None


def digest_of(path: Path) -> str:
    """Of a regular file; ValueError for a pipe or device, which can be read only once."""
    if not path.is_file():
        raise ValueError(f"{path} is not a file")
    with path.open("rb") as stream:
        return file_digest(stream, "sha256").hexdigest()
