"""NP903: paths that can coexist in one directory on every file system."""

from __future__ import annotations

import re
from collections.abc import Sequence

from netplan.diagnostics import Diagnostic
from netplan.model.artifact import Artifact
from netplan.verify.problems import problem

_NAME = r"(?!\.{1,2}(?:/|\Z))[A-Za-z0-9._@+-]{1,255}"
"""One path component: no separator of any system, no white space, no control character."""
_PATH = re.compile(rf"{_NAME}(?:/{_NAME})*\Z")


def path_problems(artifacts: Sequence[Artifact]) -> list[Diagnostic]:
    """Unsafe paths, and paths that collide on a case-insensitive file system."""
    found: list[Diagnostic] = []
    files: dict[str, str] = {}
    folders: dict[str, str] = {}
    for artifact in artifacts:
        if not _PATH.match(artifact.path):
            found.append(problem("NP903", artifact, "the path is not a plain relative path"))
        path = artifact.path.lower()
        if other := files.get(path):
            found.append(problem("NP903", artifact, f"the same path as {other}"))
        files[path] = artifact.path
        folder = path.rpartition("/")[0]
        while folder and folder not in folders:  # parents of a known folder are known
            folders[folder] = artifact.path
            folder = folder.rpartition("/")[0]
    for artifact in artifacts:
        if inner := folders.get(artifact.path.lower()):
            found.append(problem("NP903", artifact, f"also the folder of {inner}"))
    return found
