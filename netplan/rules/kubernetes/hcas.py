"""NP799: HCAs shared by several pods."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from netplan.diagnostics import Path, Severity
from netplan.graph.kubernetes.cluster import ObjectGraph, Pod, quantities, same_resource
from netplan.reading.kubernetes.objects import listing, mapping
from netplan.rules.kubernetes.counts import DEFAULT_NETWORK
from netplan.rules.kubernetes.pods import attached
from netplan.rules.kubernetes.registry import ObjectFinding, rule

_OVER = frozenset({"macvlan", "ipvlan", "ipoib", "vlan"})
"""Plugins whose interface is stacked on that of the HCA, which they name as ``master``."""


def _shared(cluster: ObjectGraph) -> dict[str, dict[str, Any]]:
    """Resources of the RDMA shared device plugin: full name -> selectors."""
    return {
        config.full(entry): mapping(entry.get("selectors"))
        for config in cluster.configs
        for _, entry in (config.entries if config.shared else ())
    }


def _on_infiniband(selectors: dict[str, Any]) -> bool:
    """Whether the HCAs are InfiniBand: the subnet manager assigns GIDs, so no interface is needed."""
    types = {str(kind).lower() for kind in listing(selectors.get("linkTypes"))}
    return bool(types) and not types & {"ether", "ethernet"}


def _sharing(cluster: ObjectGraph) -> list[tuple[Pod, Path, str]]:
    """Pods with their own network namespace that request such a resource, and where."""
    shared = _shared(cluster)
    found = []
    for pod in cluster.pods if shared else ():
        if pod.spec.get("hostNetwork") is True or DEFAULT_NETWORK in pod.annotations:
            continue
        places = {
            name: (*at, "resources", "limits", name)
            for at, container in pod.containers()
            for name in quantities(container, "limits")
            if any(same_resource(name, resource) for resource in shared)
        }
        found += [(pod, at, name) for name, at in places.items()]
    return found


@rule(
    "NP799", "shared HCA without an interface of its own in the pod", on=_sharing, severity=Severity.WARNING
)
def no_interface(cluster: ObjectGraph, sharing: tuple[Pod, Path, str]) -> Iterator[ObjectFinding]:
    """The RDMA-shared device plugin gives a container the device files of HCAs but no interface.

    **Why.** A RoCE GID comes from the address of an interface on the same HCA. A pod with only the pod
    network sees the device with all-zero GIDs: `ibv_devinfo` works, but no queue pair reaches RTR.
    **Fix.** Attach a macvlan or ipvlan network whose master is the HCA's interface. For InfiniBand, set
    `linkTypes: ["infiniband"]` in the selectors.
    **Source.** Mellanox/k8s-rdma-shared-dev-plugin 410b0f3 pkg/resources/rdma_device_spec.go (device files,
    no interface), #72, #101, #112; projectcalico/calico#8482.
    """
    pod, at, name = sharing
    networks = attached(cluster, pod)
    selectors = next(s for resource, s in _shared(cluster).items() if same_resource(name, resource))
    if networks is None or _on_infiniband(selectors):
        return
    if not networks:
        message = f"its containers request {name}, but no network is attached"
        yield ObjectFinding(
            pod.thing, at, message, "attach a macvlan or ipvlan network on the HCA's interface"
        )
        return
    interfaces = {str(i) for i in listing(selectors.get("ifNames"))}
    masters = [
        str(plugin["master"]).partition(".")[0] if network.types[0] in _OVER and "master" in plugin else None
        for network in networks
        for _, plugin in network.plugins[:1]
    ]
    if interfaces and masters and None not in masters and not interfaces & {*masters}:
        own, other = ", ".join(sorted(interfaces)), ", ".join(map(str, masters))
        message = f"{name} belongs to {own}, but its networks are on {other}"
        yield ObjectFinding(pod.thing, at, message, "attach a network whose master is one of these")
