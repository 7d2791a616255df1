"""Which hosts of the site, and which devices of them, objects of a cluster take."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from netplan.graph.kubernetes.cluster import NIC_CONFIGURATION, SRIOV, ObjectGraph
from netplan.graph.kubernetes.producers import Producer
from netplan.model.site import SiteFacts
from netplan.reading.kubernetes.objects import Thing, inside, listing, mapping
from netplan.trace.devices import is_policy
from netplan.trace.selecting import NAMING, SelectablePort, fit, vfs_named

Vfs = frozenset[int] | None
"""None: all of a port."""
Taken = Mapping[tuple[str, str], Vfs]
"""By host and HCA."""


def vfs_meet(one: Vfs, other: Vfs) -> bool:
    return one is None or other is None or bool(one & other)


class Nodes:
    """The hosts of the site, with the labels of their running nodes if the cluster's objects have these."""

    def __init__(self, running: ObjectGraph, facts: SiteFacts) -> None:
        self._hosts = {host.name: host for host in facts.hosts}
        nodes = {node.name: mapping(node.metadata.get("labels")) for node in running.of("", "Node")}
        self._labels = {name: {**host.labels, **nodes.get(name, {})} for name, host in self._hosts.items()}
        self._known = nodes.keys()
        self._selected: dict[tuple[tuple[str, str], ...], frozenset[str]] = {}

    def selected(self, labels: Mapping[str, Any]) -> frozenset[str]:
        """Hosts with the labels; of a host whose node is not shown, a label that is not stated may have any
        value."""
        key = tuple(sorted((name, str(value)) for name, value in labels.items()))
        if key not in self._selected:
            self._selected[key] = frozenset(host for host in self._hosts if self._has(host, key))
        return self._selected[key]

    def _has(self, host: str, wanted: tuple[tuple[str, str], ...]) -> bool:
        own, open_ = self._labels[host], host not in self._known
        return all(str(own[name]) == value if name in own else open_ for name, value in wanted)

    def meet(self, one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
        return bool(self.selected(one) & self.selected(other))

    def taken(self, producer: Producer) -> Taken:
        """Devices that its selectors surely take."""
        count = producer.thing.spec.get("numVfs") if is_policy(producer) else None
        made = count if type(count) is int else None
        found: dict[tuple[str, str], Vfs] = {}
        fits: dict[tuple[Any, ...], list[Vfs]] = {}
        for name in self.selected(producer.labels):
            for hca in self._hosts[name].hcas:
                alike = (hca.pci, hca.netdev, hca.model, hca.link)
                if alike not in fits:
                    port = SelectablePort(hca, made, is_policy(producer))
                    given = [each.given for each in producer.selected if _surely(port, each.given)]
                    fits[alike] = [vfs_named(hca, each) for each in given[:1]]
                if fits[alike]:
                    found[name, hca.name] = fits[alike][0]
        return found


def _surely(port: SelectablePort, given: Mapping[str, Any]) -> bool:
    """Whether no key contradicts it, and what is known of it confirms a key that names ports, or else all."""
    found = fit(port, given)
    names = {key for key in NAMING if given.get(key)}
    described = port.hca.pci or port.hca.netdev
    return bool(described and not found.key and (not found.unknown or names - {*found.unknown}))


_OFFLOAD = ("ovsHardwareOffloadConfig", "name")
_OF_NODES = {
    (SRIOV, "SriovNetworkPoolConfig"): "remove first, the operator drains no node of two and configures none",
    (NIC_CONFIGURATION, "NicConfigurationTemplate"): "remove first, the operator applies none of two",
}
"""Kinds of which a node, or a NIC of it, has one (k8snetworkplumbingwg/sriov-network-operator 88f03b19
controllers/helper.go, findNodePoolConfig; Mellanox/nic-configuration-operator 8bfbeb3 README.md)."""


def one_of_nodes(thing: Thing) -> str:
    """What to do where two take a node; empty for other kinds, and for pools that the operator skips."""
    advice = _OF_NODES.get((thing.group, thing.kind), "")
    return "" if inside(thing.spec, _OFFLOAD) else advice


def nodes_of(thing: Thing) -> Mapping[str, Any]:
    """Labels of the nodes that it takes, as far as it names one value; none for all nodes."""
    selector = mapping(thing.spec.get("nodeSelector"))
    if thing.kind != "SriovNetworkPoolConfig":
        return selector
    rows = [mapping(row) for row in listing(selector.get("matchExpressions"))]
    one = {str(r.get("key")): listing(r.get("values"))[0] for r in rows if _names_one(r)}
    return {**one, **mapping(selector.get("matchLabels"))}


def _names_one(row: Mapping[str, Any]) -> bool:
    return row.get("operator") == "In" and len(listing(row.get("values"))) == 1


def same_nics(one: Thing, other: Thing) -> bool:
    """Whether two templates may be for one NIC."""
    both = [mapping(thing.spec.get("nicSelector")) for thing in (one, other)]
    types = {nic.get("nicType") for nic in both if nic.get("nicType")}
    listed = [{*map(str, found)} for nic in both if (found := listing(nic.get("pciAddresses")))]
    return len(types) < 2 and (len(listed) < 2 or bool(listed[0] & listed[1]))
