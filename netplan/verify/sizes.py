"""NP694: objects that are too large for the API server or etcd as they come."""

from __future__ import annotations

import json
from collections.abc import Iterator

from netplan.diagnostics import Diagnostic, Path
from netplan.model.artifact import Artifact
from netplan.model.codes import CODES
from netplan.reading.kubernetes.objects import Thing
from netplan.verify.read import Read

ETCD_BYTES = 1536 << 10
"""Of one request: --max-request-bytes, as it ships (etcd.io, System limits: 1.5 MiB)."""
CONFIG_MAP_BYTES = 1 << 20
"""Of all values of a ConfigMap (kubernetes.io, ConfigMaps: "cannot exceed 1 MiB")."""
_LOOKED_AT = CONFIG_MAP_BYTES // 2
"""Files below it hold no such object: as JSON an object is not twice as long."""


def size_problems(files: Read) -> tuple[list[Diagnostic], int]:
    """Problems, and the number of objects."""
    large = {path: a for path, a in files.artifacts.items() if len(a.text) > _LOOKED_AT}
    objects = files.tree.things
    return [p for thing in objects if thing.file in large for p in _of(thing, large[thing.file])], len(
        objects
    )


def _of(thing: Thing, artifact: Artifact) -> Iterator[Diagnostic]:
    stated = len(json.dumps(thing.body, separators=(",", ":"), ensure_ascii=False).encode())
    if stated > ETCD_BYTES:
        what = f"{stated:,} bytes, etcd takes {ETCD_BYTES:,} in a request"
        yield _problem(thing, artifact, what, "raise --max-request-bytes of etcd, or split the cluster")
        return
    values = thing.body.get("data") if thing.body.get("kind") == "ConfigMap" else None
    held = sum(len(str(value).encode()) for value in values.values()) if isinstance(values, dict) else 0
    if held > CONFIG_MAP_BYTES:
        what = f"{held:,} bytes of data, a ConfigMap holds {CONFIG_MAP_BYTES:,}"
        yield _problem(thing, artifact, what, "bring the files to the hosts in another way")


def _problem(thing: Thing, artifact: Artifact, what: str, hint: str) -> Diagnostic:
    entity = artifact.entities[0] if artifact.entities else ""
    at: Path = tuple(entity.split(".", 1)) if entity else ()
    name = f"{thing.body.get('kind')} {thing.body.get('metadata', {}).get('name', '')}"
    return Diagnostic("NP694", CODES["NP694"].severity, at, f"{artifact.path}: {name} has {what}", hint)
