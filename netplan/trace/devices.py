"""Which HCA of a host a pod interface is: what device plugins select, in the order Multus deals it out."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from netplan.catalog import hca_rows
from netplan.graph.hosts import Stated
from netplan.graph.kubernetes.cluster import Nad, ObjectGraph, same_resource
from netplan.model.site import SiteHca, SiteHost
from netplan.reading.kubernetes.objects import Thing

_RANGE = re.compile(r"(\d{1,4})-(\d{1,4})\Z")


@dataclass(frozen=True, slots=True)
class Selector:
    """``pci``: of devices or PFs, ``netdevs``: names of PFs. ``mtu`` and ``vfs`` are None where unstated."""

    pci: frozenset[str]
    netdevs: frozenset[str]
    labels: Mapping[str, str]
    vendors: frozenset[str] = frozenset()
    ids: frozenset[str] = frozenset()
    mtu: Stated | None = None
    vfs: int | None = None

    def takes(self, hca: SiteHca, host: SiteHost) -> bool:
        return host.has(self.labels) and (hca.pci in self.pci or hca.netdev in self.netdevs)

    def refuses(self, hca: SiteHca) -> str:
        """Vendor or ids of a card that are not those it asks for, of a card in the catalog; else empty."""
        row = hca_rows().get(hca.model)
        if row is None:
            return ""
        if self.vendors and row["vendor"] not in self.vendors:
            return f"vendor {', '.join(sorted(self.vendors))}, and {hca.model} has {row['vendor']}"
        known = {row["pf_id"], row["vf_id"]}
        if self.ids and not self.ids & known:
            return f"device {', '.join(sorted(self.ids))}, and {hca.model} has {', '.join(sorted(known))}"
        return ""


class Selectors:
    """Of all resources of a cluster; each is worked out once."""

    def __init__(self, cluster: ObjectGraph) -> None:
        self._cluster = cluster
        self.of = lru_cache(maxsize=None)(self._of)

    def _of(self, resource: str) -> tuple[Selector, ...]:
        """Everything that produces a resource, by its full name."""
        name = resource.rpartition("/")[2]
        return (*_of_policies(self._cluster, name), *_of_plugins(self._cluster, resource))


def _of_policies(cluster: ObjectGraph, name: str) -> Iterator[Selector]:
    for thing in cluster.policies:
        if thing.spec["resourceName"] == name:
            chosen = thing.spec["nicSelector"]
            yield replace(
                _selector(chosen, thing.spec.get("nodeSelector", {})),
                mtu=_mtu(thing),
                vfs=_functions(chosen, thing.spec.get("numVfs")),
            )


def _functions(chosen: Mapping[str, Any], made: int | None) -> int | None:
    """VFs of the resource on each PF: those of a range, else all that are made."""
    ranges = (n.partition("#")[2] for key in ("pfNames", "rootDevices") for n in chosen.get(key, ()))
    spans = [_RANGE.match(text) for text in ranges]
    sizes = [int(m[2]) - int(m[1]) + 1 for m in spans if m is not None]
    return min(sizes) if spans and len(sizes) == len(spans) else made


def _mtu(policy: Thing) -> Stated | None:
    value = policy.spec.get("mtu")
    return Stated(value, f"{policy.file}:{policy.source(('spec', 'mtu')).line}") if value else None


def _of_plugins(cluster: ObjectGraph, resource: str) -> Iterator[Selector]:
    for config in cluster.configs:
        for _, entry in config.entries:
            if same_resource(config.full(entry), resource):
                given = entry.get("selectors", {})
                for chosen in given if isinstance(given, list) else [given]:
                    yield _selector(chosen, {})


def _selector(chosen: Mapping[str, Any], labels: Mapping[str, str]) -> Selector:
    """``pfNames`` and ``rootDevices`` may end in a range of VFs: ``ens1f0#0-3``, ``0000:18:00.0#0-3``
    (sriov-network-device-plugin README.md, selectors)."""
    ports = (n.partition("#")[0] for n in chosen.get("pfNames", ()))
    roots = (n.partition("#")[0] for n in chosen.get("rootDevices", ()))
    return Selector(
        pci=frozenset([*roots, *chosen.get("pciAddresses", ())]),
        netdevs=frozenset([*ports, *chosen.get("ifNames", ())]),
        labels=labels,
        vendors=frozenset([*chosen.get("vendors", ()), *filter(None, [chosen.get("vendor")])]),
        ids=frozenset([*chosen.get("devices", ()), *filter(None, [chosen.get("deviceID")])]),
    )


@dataclass(frozen=True, slots=True)
class Device:
    """The HCA, or why there is none: ``wrong`` names it, empty where the files just do not say."""

    hca: SiteHca | None
    selector: Selector | None = None
    wrong: str = ""


def device_of(known: Selectors, network: Nad, master: str | None, host: SiteHost, nth: int) -> Device:
    """The device of the ``nth`` attachment (from 0) of a pod that uses the network's resource."""
    if master is not None:
        return _of_master(master, host)
    if network.resource is None:
        return Device(None)
    return _dealt(network.resource, known.of(network.resource), host, nth)


def _of_master(master: str, host: SiteHost) -> Device:
    """The PF itself, or the one that a VLAN interface is on."""
    found = next((hca for hca in host.hcas if hca.netdev == master.partition(".")[0]), None)
    unknown = found is None and any(hca.netdev for hca in host.hcas)
    return Device(found, None, f"{host.name} has no interface {master}" if unknown else "")


def _dealt(resource: str, chosen: tuple[Selector, ...], host: SiteHost, nth: int) -> Device:
    """Multus deals a pod's devices of one resource sorted by PCI address; several VFs of one PF are alike
    (k8snetworkplumbingwg/multus-cni v4.3.0 pkg/types/types.go, SortDeviceIDs)."""
    taken = [(hca, s) for hca in host.hcas for s in chosen if s.takes(hca, host)]
    taken.sort(key=lambda pair: pair[0].pci or "")
    if len(taken) > nth or len(taken) == 1:
        hca, selector = taken[min(nth, len(taken) - 1)]
        other = selector.refuses(hca)
        wrong = f"resource {resource} is of {other}: it has no device on {host.name}" if other else ""
        return Device(hca, selector, wrong)
    described = any(hca.pci or hca.netdev for hca in host.hcas)
    wrong = f"resource {resource} selects no HCA number {nth + 1} of {host.name}" if described else ""
    return Device(None, next(iter(chosen), None), wrong)
