"""NP799: HCAs shared by several pods."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from netplan.diagnostics import Path, Severity
from netplan.graph.kubernetes.cluster import Nad, ObjectGraph, Pod, quantities
from netplan.graph.kubernetes.producers import producers_of
from netplan.graph.kubernetes.tags import standing_on
from netplan.reading.kubernetes.objects import listing
from netplan.rules.kubernetes.counts import DEFAULT_NETWORK
from netplan.rules.kubernetes.networks import IPOIB
from netplan.rules.kubernetes.pods import attached
from netplan.rules.kubernetes.registry import ObjectFinding, rule

_OVER = frozenset({"macvlan", "ipvlan", "ipoib", "vlan"})
"""Plugins whose interface is stacked on that of the HCA, which they name as ``master``."""


def _by_shared_plugin(cluster: ObjectGraph, resource: str) -> list[bool]:
    """For each producer of the resource, whether it is the RDMA shared device plugin."""
    return [p.config is not None and p.config.shared for p in producers_of(cluster, resource)]


def _selectors(cluster: ObjectGraph, resource: str) -> list[Mapping[str, Any]]:
    return [selected.given for each in producers_of(cluster, resource) for selected in each.selected]


def _on_infiniband(selectors: Mapping[str, Any]) -> bool:
    """Whether the HCAs are InfiniBand, by link type or by names: the subnet manager assigns GIDs, so no
    interface is needed."""
    types = {str(kind).lower() for kind in listing(selectors.get("linkTypes"))}
    names = [str(name) for name in listing(selectors.get("ifNames"))]
    if types:
        return not types & {"ether", "ethernet"}
    return bool(names) and all(map(IPOIB.match, names))


def _sharing(cluster: ObjectGraph) -> list[tuple[Pod, Path, str]]:
    """Pods with their own network namespace that request such a resource, and where."""
    found = []
    for pod in cluster.pods if any(config.shared for config in cluster.configs) else ():
        if pod.spec.get("hostNetwork") is True or DEFAULT_NETWORK in pod.annotations:
            continue
        places = {
            name: (*at, "resources", "limits", name)
            for at, container in pod.containers()
            for name in quantities(container, "limits")
            if any(_by_shared_plugin(cluster, name))
        }
        found += [(pod, at, name) for name, at in places.items()]
    return found


def _masters(networks: Iterable[Nad]) -> Iterator[str | None]:
    """Interface that each network is stacked on; None if it is not, or does not name it."""
    for network in networks:
        for _, plugin in network.plugins[:1]:
            yield str(plugin["master"]) if network.types[0] in _OVER and "master" in plugin else None


@rule(
    "NP799", "shared HCA without an interface of its own in the pod", on=_sharing, severity=Severity.WARNING
)
def no_interface(cluster: ObjectGraph, sharing: tuple[Pod, Path, str]) -> Iterator[ObjectFinding]:
    """The RDMA-shared device plugin gives a container the device files of HCAs but no interface. HCAs of
    `devices` or `ifNames` such as ib0 are InfiniBand. A resource that another plugin has too is left out.

    **Why.** A RoCE GID comes from the address of an interface on the same HCA. A pod with only the pod
    network sees the device with all-zero GIDs: `ibv_devinfo` works, but no queue pair reaches RTR.
    **Fix.** Attach a macvlan or ipvlan network whose master is the HCA's interface. For InfiniBand, set
    `linkTypes: ["infiniband"]` in the selectors.
    **Source.** Mellanox/k8s-rdma-shared-dev-plugin 410b0f3 pkg/resources/rdma_device_spec.go (device files,
    no interface), #72, #101, #112; projectcalico/calico#8482.
    """
    pod, at, name = sharing
    networks = attached(cluster, pod)
    selectors = _selectors(cluster, name)
    if networks is None or any(map(_on_infiniband, selectors)) or not all(_by_shared_plugin(cluster, name)):
        return
    if not networks:
        message = f"its containers request {name}, but no network is attached"
        yield ObjectFinding(
            pod.thing, at, message, "attach a macvlan or ipvlan network on the HCA's interface"
        )
        return
    interfaces = {str(i) for each in selectors for i in listing(each.get("ifNames"))}
    masters = [*_masters(networks)]
    under = {name for master in masters for name in standing_on(master or "")}
    if interfaces and masters and None not in masters and not interfaces & under:
        own, other = ", ".join(sorted(interfaces)), ", ".join(map(str, masters))
        message = f"{name} belongs to {own}, but its networks are on {other}"
        yield ObjectFinding(pod.thing, at, message, "attach a network whose master is one of these")
