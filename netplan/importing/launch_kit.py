"""A ``cluster-config.yaml`` of k8s-launch-kit: hosts from its discovery, networks of its profile.

The file has no version: ``clusterConfig`` is a map in the release of October 2025
(Mellanox/network-operator-docs 9ce9ca0 docs/k8s-launch-kit.rst), later a list of groups
(NVIDIA/k8s-launch-kit pkg/config/config.go 05af62cb, 4fa3b5c1; cluster-config.yaml 378fd361). A PF has
``pciAddress``, ``networkInterface``, ``rdmaDevice`` and ``traffic``; from 26.1 on ``deviceID`` and, if it is
east-west, ``rail``; from 26.4 on ``numaNode``. Files written by people have addresses without quotes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from netplan.diagnostics import Diagnostic
from netplan.importing.facts import Fact, Remark
from netplan.importing.kubernetes.nics import LINKS, MELLANOX, MOST_RAILS
from netplan.importing.kubernetes.objects import Reader, no_address, pci_of
from netplan.importing.launch_kit_left import left_keys
from netplan.importing.launch_kit_limits import limit_facts
from netplan.importing.launch_kit_networks import network_facts
from netplan.importing.launch_kit_operator import is_openshift, operator_facts
from netplan.model.document import Places
from netplan.reading.kubernetes.kubeyaml import parse
from netplan.reading.kubernetes.load import thing_of
from netplan.report import count

Path = tuple[str | int, ...]
_TEXTS = {"networkInterface": "netdev", "rdmaDevice": "rdma_device"}
_GPU_LABELS = {"gpuType": "nvidia.kubernetes-launch-kit.gpu", "productType": "nvidia.com/gpu.product"}
"""``productType``: before 26.4 (NVIDIA/k8s-launch-kit docs/user/heterogeneous-clusters.md 089ceea4;
pkg/networkoperatorplugin/templates.go 05af62cb, mergeCompatibleGroups)."""
_LONGEST_LABEL = 63
"""Of Kubernetes; discovery shortens longer ones by a hash."""
MOST_CARDS = 200_000
"""Limit: nodes of a group times its PFs."""


@dataclass(frozen=True, slots=True)
class ReadConfig:
    found: tuple[Fact | Remark, ...]
    problems: tuple[Diagnostic, ...]


def read_launch_kit(name: str, text: str, places: Places) -> ReadConfig:
    parsed = parse(name, text, places)
    found: list[Fact | Remark] = []
    for body, at in parsed.documents:
        if isinstance(body, dict):
            read = Reader(thing_of(body, name, at, places))
            found += [*_groups(read), *read.refused]
    return ReadConfig(tuple(found), parsed.problems)


def _groups(read: Reader) -> Iterator[Fact | Remark]:
    one = isinstance(read.thing.get("clusterConfig"), dict)
    groups: list[Path] = [("clusterConfig",)] if one else [path for path, _ in read.rows("clusterConfig")]
    for path in groups:
        yield from _group(read, path)
    yield from operator_facts(read)
    yield from limit_facts(read)
    yield from network_facts(read, groups)
    yield from left_keys(read, len(groups) == 1)


def _group(read: Reader, path: Path) -> Iterator[Fact | Remark]:
    """Facts of a group: every node has all of its cards."""
    nodes = read.texts(*path, "workerNodes")
    rows = [at for at, _ in read.rows(*path, "pfs")]
    if len(nodes) * len(rows) > MOST_CARDS:
        yield Remark(read.at(*path), f"{len(nodes):,} nodes of {len(rows):,} cards are too many, left out")
        return
    for number, node in enumerate(nodes):
        yield read.fact("node", (node,), "there", True, *path, "workerNodes", number)
        yield from read.labels("node", (node,), *path, "nodeSelector")
        yield from _own_labels(read, node, path)
    unnamed = [row for row in rows if not read.text(*row, "deviceID")]
    if nodes and unnamed:
        way_out = "add their SriovNetworkNodeState, or the tar of collect.sh"
        what = f"{count(len(unnamed), 'PF')} without deviceID: only another dump can say the model; {way_out}"
        yield Remark(read.at(*unnamed[0]), what)
    stated = read.word(LINKS, *path, "linkType")
    meant = read.word(LINKS, "profile", "fabric")
    for row in rows:
        fabric = read.text(*row, "traffic") == "east-west"
        yield from _function(read, nodes, row, (stated or meant) if fabric else "")


def _own_labels(read: Reader, node: str, path: Path) -> Iterator[Fact]:
    """Labels by the GPU, by which the objects of merged groups select their nodes: discovery writes them, or
    found them."""
    stated = read.names(*path, "nodeSelector")
    for key, label in _GPU_LABELS.items():
        if label not in stated and 0 < len(gpu := read.text(*path, key)) <= _LONGEST_LABEL:
            yield read.fact("node", (node,), f"label/{label}", gpu, *path, key)
    if is_openshift(read):
        yield read.fact("node", (node,), "distribution", "openshift", "flavor")


def _function(read: Reader, nodes: list[str], row: Path, link: str) -> Iterator[Fact | Remark]:
    """One PF of the group, on every node."""
    text = read.text(*row, "pciAddress")
    pci = pci_of(text)
    if not pci:
        yield no_address(text, read.at(*row))
        return
    for node in nodes:
        yield from _card(read, (node, pci), row, link)


def _card(read: Reader, of: tuple[str, str], row: Path, link: str) -> Iterator[Fact]:
    if device := read.text(*row, "deviceID").lower():
        yield read.fact("card", of, "device", f"{MELLANOX}:{device}", *row, "deviceID")
    for key, name in _TEXTS.items():
        if text := read.text(*row, key):
            yield read.fact("card", of, name, text, *row, key)
    rail, numa = read.number(*row, "rail", most=MOST_RAILS - 1), read.number(*row, "numaNode")
    single = read.thing.get("profile", "multirail") is False or read.text(*row, "traffic") == "north-south"
    if rail is not None and not single:
        yield read.fact("card", of, "rail", rail, *row, "rail")
    if numa is not None:
        yield read.fact("card", of, "numa", numa, *row, "numaNode")
    if link:
        yield read.fact("card", of, "link", link, *row)
