"""A cluster that only knows the CRDs it has so far: what it rejects if the stages are applied in order.

CRDs of a chart exist from the start. Those that the Network Operator applies (identified by their folder in
its repository) appear once a NicClusterPolicy asks for their component; if none of the tree does, somebody
else installed the component before (kubernetes/README.md says so).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any

import yaml

from netplan.model.stages import BUILT_IN_NAMESPACES, STAGES
from tests import upstream
from tests.crd import validate_object

Objects = list[dict[str, Any]]

COMPONENTS = {"state-nv-ipam-cni": "nvIpam", "state-nic-configuration-operator": "nicConfigurationOperator"}
"""Folder below manifests/ of the Network Operator -> key of NicClusterPolicy.spec that makes it apply
them."""


@cache
def late(release: str) -> dict[tuple[str, str], str]:
    """(group, kind) -> component that brings its CRD."""
    found = {}
    for source in upstream.sources():
        folder = source.base.rstrip("/").rpartition("/")[2]
        if source.into != f"crds-by-release/{release}" or "/manifests/" not in source.base:
            continue
        for name in source.files:
            spec = yaml.safe_load((upstream.folder(source.into) / name).read_text())["spec"]
            found[spec["group"], spec["names"]["kind"]] = COMPONENTS[folder]
    return found


def stages(tree: dict[str, str]) -> list[tuple[str, Objects]]:
    """(folder, objects) of each stage, by its kustomization."""
    out = []
    for folder in (f"kubernetes/{stage.folder}" for stage in STAGES):
        index = tree.get(f"{folder}/kustomization.yaml")
        if index is not None:
            files = yaml.safe_load(index)["resources"]
            out.append((folder, [o for f in files for o in yaml.safe_load_all(tree[f"{folder}/{f}"])]))
    return out


def refused(applied: Iterable[tuple[str, Objects]], release: str) -> list[str]:
    """What a server with strict field validation rejects, stage after stage."""
    steps = list(applied)
    asked = {c for _, objects in steps for o in objects for c in components(o)}
    waiting = {key for key, component in late(release).items() if component in asked}
    namespaces = set(BUILT_IN_NAMESPACES)
    out = []
    for folder, objects in steps:
        namespaces |= {o["metadata"]["name"] for o in objects if o["kind"] == "Namespace"}
        for o in objects:
            out += [f"{folder}: {o['kind']} {e}" for e in _errors(o, release, waiting, namespaces)]
        there = {c for o in objects for c in components(o)}
        waiting = {key for key in waiting if late(release)[key] not in there}
    return out


def components(body: dict[str, Any]) -> Sequence[str]:
    return tuple(body["spec"]) if body["kind"] == "NicClusterPolicy" else ()


def _errors(
    body: dict[str, Any], release: str, waiting: set[tuple[str, str]], namespaces: set[str]
) -> list[str]:
    group = body["apiVersion"].rpartition("/")[0]
    if (group, body["kind"]) in waiting:
        return [f"no matches for kind in version {body['apiVersion']}"]
    namespace = body["metadata"].get("namespace")
    lost = [f"namespace {namespace} not found"] if namespace and namespace not in namespaces else []
    return lost + validate_object(body, bundle=release)
