"""Rewrite the list ``fields`` of netplan/catalog/operator_releases.yaml from the CRDs and chart values of the
Network Operator's releases: ``python tools/release_fields.py``; with ``--check`` only compare.

Everything above the list is written by hand: releases, their charts, images and sources. Fields that every
release has are not listed, nor are fields below a listed one.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

from tools.made_file import ROOT, make

TARGET = ROOT / "netplan" / "catalog" / "operator_releases.yaml"
MARK = "# From here on made by tools/release_fields.py; do not edit.\n"
OPEN = frozenset({"status", "metadata"})
"""Written by controllers, or the same for all kinds."""
FOLDERS = {
    "configuration.net.nvidia.com": "manifests/state-nic-configuration-operator",
    "nv-ipam.nvidia.com": "manifests/state-nv-ipam-cni",
    "mellanox.com": "deployment/network-operator/crds",
}
"""Folder of a group's CRDs in Mellanox/network-operator; other groups are in its SR-IOV chart."""
SRIOV_FOLDER = "deployment/network-operator/charts/sriov-network-operator/crds"
VALUES = "HelmValues"
CHART = "deployment/network-operator/"
SECTIONS = ("maintenanceOperator", "nfd", "operator", "sriovNetworkOperator")
SRIOV_CHART = "sriov-network-operator"
"""The parts of the chart's values, and the sub-chart, that netplan sets."""

Fields = dict[tuple[str, str], dict[str, set[str]]]
"""(kind, source) -> dotted field -> releases that have it; the empty field is the kind itself."""


def text(upstream: Path) -> str:
    """The file as it should be, from the CRDs and values in the folder NETPLAN_UPSTREAM."""
    head = TARGET.read_text(encoding="utf-8").split(MARK)[0]
    releases = list(yaml.safe_load(head)["releases"])
    found = _fields(upstream / "crds-by-release", releases)
    found |= _values(upstream / "chart-values" / "network-operator", releases)
    rows = list(_rows(found, releases))
    return f"{head}{MARK}fields:\n" + "".join(rows)


def _fields(crds: Path, releases: list[str]) -> Fields:
    found: Fields = {}
    for release in releases:
        for path in sorted((crds / release).glob("*.yaml")):
            spec = yaml.load(path.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)["spec"]
            folder = FOLDERS.get(spec["group"], SRIOV_FOLDER)
            kind = found.setdefault((spec["names"]["kind"], f"{folder}/{path.name}"), {})
            schema = spec["versions"][-1]["schema"]["openAPIV3Schema"]
            for name in ("", *_paths(schema, "")):
                kind.setdefault(name, set()).add(release)
    return found


def _values(charts: Path, releases: list[str]) -> Fields:
    chart, nested = f"{CHART}values.yaml", f"{CHART}charts/{SRIOV_CHART}/values.yaml"
    found: Fields = {(VALUES, chart): {"": set(releases)}, (VALUES, nested): {"": set(releases)}}
    for release in releases:
        folder = charts / release
        own = yaml.safe_load((folder / "values.yaml").read_text(encoding="utf-8"))
        deeper = yaml.safe_load((folder / "charts" / SRIOV_CHART / "values.yaml").read_text(encoding="utf-8"))
        for name in _keys({key: own[key] for key in SECTIONS if key in own}, ""):
            found[VALUES, chart].setdefault(name, set()).add(release)
        for name in _keys({SRIOV_CHART: deeper}, ""):
            found[VALUES, nested].setdefault(name, set()).add(release)
    return found


def _keys(values: Any, above: str) -> Iterator[str]:
    for key, value in values.items() if isinstance(values, dict) else ():
        name = f"{above}.{key}" if above else key
        yield name
        yield from _keys(value, name)


def _paths(schema: dict[str, Any], above: str) -> Iterator[str]:
    """List items have the list's name and [] in their path."""
    for name, part in schema.get("properties", {}).items():
        if above or name not in OPEN:
            path = f"{above}.{name}" if above else name
            yield path
            yield from _paths(part, path)
    for key, suffix in (("items", "[]"), ("additionalProperties", ".*")):
        if isinstance(schema.get(key), dict):
            yield from _paths(schema[key], above + suffix)


def _rows(fields: Fields, releases: list[str]) -> Iterator[str]:
    for (kind, source), by_field in sorted(fields.items()):
        spans = {name: _span(kind, name, have, releases) for name, have in by_field.items()}
        for name, span in sorted(spans.items()):
            if span != (None, None) and not any(spans.get(up) == span for up in _above(name)):
                yield _row(kind, name, span, source)


def _above(name: str) -> Iterator[str]:
    while name:
        name = name.rpartition(".")[0]
        yield name.removesuffix("[]")  # items and maps have no rows of their own


def _row(kind: str, name: str, span: tuple[str | None, str | None], source: str) -> str:
    ends = "".join(f', {key}: "{end}"' for key, end in zip(("since", "until"), span, strict=True) if end)
    return f'  - {{object: {kind}, field: "{name}"{ends}, source: {source}}}\n'


def _span(kind: str, name: str, have: set[str], releases: list[str]) -> tuple[str | None, str | None]:
    """(first, last) release; None if it is the first or last of all."""
    places = [place for place, release in enumerate(releases) if release in have]
    first, last = places[0], places[-1]
    if len(places) != last - first + 1:
        raise ValueError(f"{kind} {name} comes, goes and comes again")
    since = releases[first] if first else None
    until = releases[last] if last < len(releases) - 1 else None
    return since, until


if __name__ == "__main__":
    sys.exit(make(TARGET, text, sys.argv[1:]))
