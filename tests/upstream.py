"""Files of other projects that tests validate against: ``upstream.toml`` lists them, ``make upstream``
fetches them."""

from __future__ import annotations

import os
import tomllib
from functools import cache
from pathlib import Path
from typing import NamedTuple

REPOSITORY = Path(__file__).resolve().parent.parent


class Source(NamedTuple):
    """Files from one folder of one commit; ``files`` maps names to sha256."""

    into: str
    base: str
    files: dict[str, str]


def root() -> Path:
    """``NETPLAN_UPSTREAM``, else ``../shared/upstream`` beside the repository."""
    return Path(os.environ.get("NETPLAN_UPSTREAM") or REPOSITORY / "../shared/upstream").resolve()


MARKED = {"running": False}
"""Whether the running test declares by a marker that it needs these files (tests/conftest.py)."""


def folder(name: str) -> Path:
    """One of the folders, for a test with a marker: tests without one also run on machines without the
    files."""
    assert MARKED["running"], (
        f"a test that reads {name} of the upstream files needs a marker: crd, formats or yang"
    )
    return root() / name


@cache
def sources() -> tuple[Source, ...]:
    listed = tomllib.loads((REPOSITORY / "tests" / "upstream.toml").read_text())
    return tuple(Source(entry["into"], entry["base"], entry["files"]) for entry in listed["source"])


def missing(folder: str) -> str | None:
    """Why tests that read ``folder`` cannot run; None if every listed file is there."""
    paths = [
        f"{source.into}/{name}"
        for source in sources()
        for name in source.files
        if source.into.split("/")[0] == folder
    ]
    absent = sorted(path for path in paths if not (root() / path).is_file())
    if not absent:
        return None
    return (
        f"{len(absent)} of {len(paths)} upstream files are not in {root()} (first: {absent[0]}); "
        "run make upstream or set NETPLAN_UPSTREAM"
    )
