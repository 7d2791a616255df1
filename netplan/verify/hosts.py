"""NP312, NP417: what pods are told, against what their nodes are told."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from netplan.model.artifact import Artifact
from netplan.model.nic_text import NIC_SCRIPT, read_nic_script
from netplan.verify.cluster import Cluster, Pod
from netplan.verify.tree import Finding, Object, Tree

_TRAFFIC_CLASSES = ("NCCL_IB_TC", "UCX_IB_TRAFFIC_CLASS")
_LINK_MTU = re.compile(r"^MTUBytes=(\d+)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Mtu:
    """An MTU in bytes and where it stands."""

    artifact: Artifact
    where: str
    value: int


@dataclass(frozen=True, slots=True)
class Fit:
    """What a pod's interface asks for, and the smallest MTU that a file gives the HCAs of nodes."""

    pod: Mtu
    node: Mtu


def mtus(cluster: Cluster) -> list[Fit]:
    """Every MTU of NADs and of operators' networks, where a file sets those of nodes."""
    smallest = min(_node_mtus(cluster.tree), key=lambda mtu: mtu.value, default=None)
    if smallest is None:
        return []
    return [
        Fit(Mtu(network.thing.artifact, str(network.thing), part["mtu"]), smallest)
        for network in cluster.each_network
        for part in (*network.plugins, network.thing.spec)
        if isinstance(part.get("mtu"), int)
    ]


def _node_mtus(tree: Tree) -> Iterator[Mtu]:
    for thing in tree.objects:
        if thing.kind == "SriovNetworkNodePolicy" and isinstance(thing.spec.get("mtu"), int):
            yield Mtu(thing.artifact, str(thing), thing.spec["mtu"])
    for artifact in tree.artifacts:
        if artifact.path.startswith("hosts/") and artifact.path.endswith(".link"):
            for value in _LINK_MTU.findall(artifact.text):
                yield Mtu(artifact, artifact.path, int(value))


def mtu_chain(cluster: Cluster, fit: Fit) -> Iterator[Finding]:
    """No interface of a pod has a larger MTU than the function it is on.

    **Why.** macvlan refuses it and the pod does not start; elsewhere large packets are lost in silence.
    **Fix.** This is a bug in netplan: report it with the inventory.
    **Source.** containernetworking/plugins plugins/main/macvlan; sriov-network-operator, policy spec.mtu.
    """
    if fit.node.value < fit.pod.value:
        has = f"{fit.pod.where} has MTU {fit.pod.value}"
        yield Finding(fit.pod.artifact, f"{has}, {fit.node.where} {fit.node.value}")


@dataclass(frozen=True, slots=True)
class Nic:
    """A file that sets the classes of NICs, and the DSCPs that it keeps lossless."""

    artifact: Artifact
    lossless: frozenset[int]


@dataclass(frozen=True, slots=True)
class Marked:
    """A pod's traffic class byte, and the files it is held against."""

    pod: Pod
    name: str
    value: str
    nics: tuple[Nic, ...]


def marked(cluster: Cluster) -> list[Marked]:
    """Traffic classes of all containers, where some file sets the NICs' classes."""
    nics = tuple(_nics(cluster.tree))
    return [
        Marked(pod, entry["name"], str(entry.get("value")), nics)
        for pod in (cluster.pods if nics else ())
        for container in pod.template["spec"]["containers"]
        for entry in container.get("env", ())
        if entry["name"] in _TRAFFIC_CLASSES
    ]


def _nics(tree: Tree) -> Iterator[Nic]:
    for artifact in tree.artifacts:
        said = read_nic_script(artifact.text) if NIC_SCRIPT.match(artifact.path) else None
        if said is not None and said.priorities and said.pfc:  # none is lossy on purpose
            lossless = (dscp for dscp, priority in said.priorities.items() if priority in said.pfc)
            yield Nic(artifact, frozenset(lossless))
    for thing in tree.objects:
        qos = _template_qos(thing)
        if qos.get("trust") == "dscp" and isinstance(qos.get("pfc"), str):
            on = [flag == "1" for flag in qos["pfc"].split(",")]
            yield Nic(thing.artifact, frozenset(dscp for dscp in range(64) if on[dscp // 8]))


def _template_qos(thing: Object) -> dict[str, Any]:
    """What a template sets of the NICs' QoS; their map of code points stays DSCP / 8 (what mlnx_qos prints,
    att/netarbiter nvmf/OUTPUTSAMPLE.setup-nic-lossless-layer3.sh.md)."""
    if thing.kind != "NicConfigurationTemplate":
        return {}
    qos = thing.spec["template"].get("roceOptimized", {}).get("qos", {})
    return qos if isinstance(qos, dict) else {}


def lossless_on_nics(cluster: Cluster, mark: Marked) -> Iterator[Finding]:
    """The traffic class byte of pods is the DSCP of a lossless priority on every NIC.

    **Why.** One differing copy of the value sends training traffic through a queue that drops.
    **Fix.** This is a bug in netplan: report it with the inventory.
    **Source.** NVIDIA/nccl docs/env, NCCL_IB_TC; openucx/ucx src/uct/ib/base; Mellanox/mlnx-tools mlnx_qos.
    """
    artifact, where = mark.pod.thing.artifact, f"{mark.pod.thing}: {mark.pod.where} has {mark.name}"
    if not mark.value.isdecimal() or int(mark.value) > 255:
        yield Finding(artifact, f"{where} {mark.value}, a byte is 0 to 255")
        return
    dscp = int(mark.value) >> 2
    for nic in mark.nics:
        if dscp not in nic.lossless:
            known = ", ".join(map(str, sorted(nic.lossless)[:8])) or "none"
            what = f"{where} {mark.value}, DSCP {dscp}; {nic.artifact.path} keeps {known} lossless"
            yield Finding(artifact, what)
            return
