"""NP903: paths that can stand beside each other in one directory, on every file system."""

from __future__ import annotations

import re
from collections.abc import Sequence

from netplan.diagnostics import Diagnostic
from netplan.model.artifact import Artifact
from netplan.verify.problems import problem

_PART = re.compile(r"(?!\.{1,2}\Z)[A-Za-z0-9._@+-]{1,255}\Z")
"""One name of a path: no separator of any system, no white space, no control character."""


def path_problems(artifacts: Sequence[Artifact]) -> list[Diagnostic]:
    """Unsafe paths, and paths that are the same where upper and lower case are."""
    found: list[Diagnostic] = []
    files: dict[str, str] = {}
    folders: dict[str, str] = {}
    for artifact in artifacts:
        if not all(_PART.match(part) for part in artifact.path.split("/")):
            found.append(problem("NP903", artifact, "the path is not a plain relative path"))
        if other := files.get(artifact.path.lower()):
            found.append(problem("NP903", artifact, f"the same path as {other}"))
        files[artifact.path.lower()] = artifact.path
        parts = artifact.path.lower().split("/")
        for end in range(1, len(parts)):
            folders.setdefault("/".join(parts[:end]), artifact.path)
    for artifact in artifacts:
        if inner := folders.get(artifact.path.lower()):
            found.append(problem("NP903", artifact, f"also the folder of {inner}"))
    return found
