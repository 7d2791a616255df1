"""What produces a resource, as lines of output, and the ports of nodes as the SR-IOV operator found them,
from the SriovNetworkNodeState objects of a dump."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from netplan.diagnostics import Path
from netplan.graph.kubernetes.cluster import SRIOV, ObjectGraph
from netplan.graph.kubernetes.producers import Producer, Selected
from netplan.reading.kubernetes.objects import Thing, listing, mapping
from netplan.reading.kubernetes.placeholders import templated
from netplan.trace.chains.model import Line, Subject, at

_SHOWN = 4
ONLY_A_KIND = (
    "it selects a kind of NIC, but no file says which ports those are: SriovNetworkNodeState objects would"
)
_VALUES = (("mtu", "MTU"), ("linkType", "linkType"), ("linkSpeed", "speed"))


def ports_of(
    cluster: ObjectGraph, *, producer: Producer | None = None, names: Sequence[str] = ()
) -> Iterator[Line]:
    """Ports that a producer selects or that have one of the names: the first few, and how many more there
    are."""
    found = [
        _line(state, place, port)
        for state, place, port in _ports(cluster)
        if port.get("name") in names or (producer is not None and _takes(cluster, producer, state, port))
    ]
    yield from found[:_SHOWN]
    if len(found) > _SHOWN:
        yield Line(f"and {len(found) - _SHOWN} more ports of nodes")


def _ports(cluster: ObjectGraph) -> list[tuple[Thing, Path, dict[str, Any]]]:
    def make() -> list[tuple[Thing, Path, dict[str, Any]]]:
        return [
            (state, ("status", "interfaces", index), port)
            for state in cluster.of(SRIOV, "SriovNetworkNodeState")
            for index, port in enumerate(listing(state.get("status", "interfaces")))
            if isinstance(port, dict)
        ]

    return cluster.once("ports of node states", make)


def _takes(cluster: ObjectGraph, producer: Producer, state: Thing, port: dict[str, Any]) -> bool:
    labels = _labels(cluster).get(state.name)
    if labels is not None and any(labels.get(k) != v for k, v in producer.labels.items()):
        return False
    return any(_selects(selected, port) for selected in producer.selected)


def _selects(selected: Selected, port: dict[str, Any]) -> bool:
    """All that is stated must fit (k8snetworkplumbingwg/sriov-network-operator 249e200 api/v1/helper.go,
    SriovNetworkNicSelector.Selected)."""
    stated = dict(selected.stated)
    kinds = [(str(port.get(key)), stated[key]) for key in ("vendor", "deviceID") if key in stated]
    if any(own != wanted for own, wanted in kinds):
        return False
    called = {str(name) for name in (port.get("name"), *listing(port.get("altNames")))}
    named = (not selected.ports or bool(called & {*selected.ports})) and (
        not selected.pci or str(port.get("pciAddress")).lower() in selected.pci
    )
    return named and bool(kinds or selected.named)


def _labels(cluster: ObjectGraph) -> dict[str, dict[str, Any]]:
    """Node -> its labels, of the Node objects that are here."""

    def make() -> dict[str, dict[str, Any]]:
        return {node.name: mapping(node.metadata.get("labels")) for node in cluster.of("", "Node")}

    return cluster.once("labels of nodes", make)


def _line(state: Thing, place: Path, port: dict[str, Any]) -> Line:
    vfs = [f"{port.get('numVfs', 0)} of {port['totalvfs']} VFs"] if "totalvfs" in port else []
    values = [f"{word} {port[key]}" for key, word in _VALUES if port.get(key) not in (None, "")]
    said = ", ".join([f"{port.get('name')} {port.get('pciAddress')}", *values, *vfs])
    return Line(f"node {state.name}: {said}", at(state, place))


def producer_lines(
    cluster: ObjectGraph, producers: list[Producer]
) -> tuple[tuple[Line, ...], tuple[Subject, ...]]:
    """What the producers of a resource select, and the parts of objects that state it."""
    lines: list[Line] = []
    for producer in producers[:_SHOWN]:
        lines.append(Line(f"{producer}: {_said(producer)}", at(producer.thing, producer.at)))
        lines += ports_of(cluster, producer=producer)
    if len(producers) > _SHOWN:
        lines.append(Line(f"and {len(producers) - _SHOWN} more that produce it"))
    for thing in cluster.of(SRIOV, "SriovNetworkPoolConfig"):
        mode = thing.spec.get("rdmaMode")
        if isinstance(mode, str) and mode:
            lines.append(Line(f"{thing}: RDMA mode {mode}", at(thing, ("spec", "rdmaMode"))))
    return tuple(lines), tuple(Subject(p.thing, p.at) for p in producers)


def _said(producer: Producer) -> str:
    """Selectors, settings and labels of the nodes, in words."""
    parts = [f"{key} {value}" for each in producer.selected for key, value in each.stated]
    parts += [f"{key} {value}" for key, value in producer.settings]
    labels = ", ".join(f"{key}={value}" for key, value in producer.labels.items() if not templated(value))
    return ", ".join(parts or ["no selector"]) + (f"; nodes {labels}" if labels else "")


def all_named(cluster: ObjectGraph, producers: list[Producer]) -> bool:
    """Whether every producer names its ports, or some node's state does."""
    return all(
        any(each.named for each in p.selected) or any(True for _ in ports_of(cluster, producer=p))
        for p in producers
    )
