"""NP694: objects too large for the API server or etcd with default limits."""

from __future__ import annotations

import json
from typing import Any

from netplan.diagnostics import Diagnostic, Path
from netplan.model.artifact import Artifact
from netplan.model.codes import CODES
from netplan.reading.kubernetes.objects import Thing
from netplan.verify.forms import longest
from netplan.verify.read import Read

ETCD_BYTES = 1536 << 10
"""Per request: default of --max-request-bytes (etcd.io, System limits: 1.5 MiB)."""
CONFIG_MAP_BYTES = 1 << 20
"""Of all values of a ConfigMap (kubernetes.io, ConfigMaps: "cannot exceed 1 MiB")."""
_LOOKED_AT = CONFIG_MAP_BYTES // 2
"""Smaller files cannot hold such an object: as JSON an object is at most twice as long."""


def size_problems(files: Read) -> tuple[list[Diagnostic], int]:
    """Problems, and the number of objects checked."""
    with_objects = {thing.file: files.artifacts[thing.file] for thing in files.tree.things}
    large = {path: a for path, a in with_objects.items() if len(a.text) > _LOOKED_AT}
    objects = [thing for thing in files.tree.things if thing.file in large]
    forms = {thing.form for thing in objects if thing.form is not None}
    small = {form for form in forms if _excess(longest(form)) is None}
    over = ((thing, _excess(thing.body)) for thing in objects if thing.form not in small)
    found = [_problem(thing, large[thing.file], *excess) for thing, excess in over if excess]
    return found, len(files.tree.things)


def _excess(body: dict[str, Any]) -> tuple[str, str] | None:
    """How an object exceeds a limit, and what to do about it; None if it does not."""
    stated = len(json.dumps(body, separators=(",", ":"), ensure_ascii=False).encode())
    if stated > ETCD_BYTES:
        what = f"{stated:,} bytes, etcd takes {ETCD_BYTES:,} in a request"
        return what, "raise --max-request-bytes of etcd, or split the cluster"
    values = body.get("data") if body.get("kind") == "ConfigMap" else None
    held = sum(len(str(value).encode()) for value in values.values()) if isinstance(values, dict) else 0
    if held > CONFIG_MAP_BYTES:
        what = f"{held:,} bytes of data, a ConfigMap holds {CONFIG_MAP_BYTES:,}"
        return what, "bring the files to the hosts in another way"
    return None


def _problem(thing: Thing, artifact: Artifact, what: str, hint: str) -> Diagnostic:
    entity = artifact.entities[0] if artifact.entities else ""
    at: Path = tuple(entity.split(".", 1)) if entity else ()
    name = f"{thing.body.get('kind')} {thing.body.get('metadata', {}).get('name', '')}"
    return Diagnostic("NP694", CODES["NP694"].severity, at, f"{artifact.path}: {name} has {what}", hint)
