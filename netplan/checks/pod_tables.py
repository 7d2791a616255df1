"""NP64x and NP65x: back ends that choose their own routing tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from netplan.checks.registry import Finding, check
from netplan.model.fabric import Fabric, Network
from netplan.model.plan import Plan

LEAST = {
    "plugins": (1, 6, 0),
    "sriov_cni": (2, 10, 1),
    "whereabouts": (0, 8, 0),
}
"""Key of ``cluster.cni_plugins`` -> oldest sufficient version.

plugins: the main plugins honour ``table`` and ``scope`` of a route, and sbr has ``table``
(containernetworking/plugins pkg/ipam/ipam_linux.go, plugins/meta/sbr/main.go). sriov_cni: 2.10.0 is built
with a library of 2024-03 that drops ``table`` (k8snetworkplumbingwg/sriov-cni v2.10.0 go.mod:
containernetworking/plugins v1.4.2-0.20240312120516). whereabouts: the first that is built with a CNI release
whose Route has Table and Scope, 1.2.0 (its go.mod; containernetworking/cni pkg/types/types.go).
"""


def _by_table(fabric: Fabric) -> list[Network]:
    return [n for n in fabric.networks if n.routing == "table"]


def _count(fabric: Fabric) -> int:
    return len(_by_table(fabric))


@check("NP643", "IPAM routes with tables need newer plugins", on=Fabric, counts=_count)
def too_old(fabric: Fabric) -> Iterator[Finding]:
    """`routing: table` writes routes with a table; plugins that are too old drop the table.

    **Why.** The rail's routes then end up in table main: its default route takes precedence over that of
    the pod network and the pod loses the cluster network, or ADD fails with "file exists". The rules
    point to an empty table.
    **Fix.** State the plugin versions of the nodes in `cluster.cni_plugins`; if they are too old, use
    `routing: sbr` or `script`.
    **Source.** containernetworking/plugins 3d27709f pkg/ipam/ipam_linux.go at v1.5.1 and v1.6.0;
    k8snetworkplumbingwg/sriov-cni v2.10.0 go.mod; measured with plugins 1.1.1 and 1.9.1.
    """
    for network in _by_table(fabric):
        asked = network.by_mode.table_programs, network.by_ipam.table_programs
        for program in (name for programs in asked for name in programs or ()):
            least = LEAST[program]
            stated = getattr(fabric.cluster.cni_plugins, program)
            if stated is None or stated < least:
                has = "does not state it" if stated is None else f"states {_text(stated)}"
                what = f"network {network.name} has routing table, which needs {program} {_text(least)}"
                yield Finding(
                    (*network.at, "routing"),
                    f"{what} or newer, cluster.cni_plugins {has}",
                    f"state {program} of the nodes in cluster.cni_plugins, or set routing: sbr or script",
                )


def _text(version: tuple[int, ...]) -> str:
    return ".".join(map(str, version))


@check("NP644", "IPAM cannot put the routes of a network into tables", on=Fabric, counts=_count)
def not_by_ipam(fabric: Fabric) -> Iterator[Finding]:
    """The routes are part of the NetworkAttachmentDefinition, the same for every node and pod.

    **Why.** nv-ipam's routes have no table; a NAD cannot hold a gateway that differs from node to node;
    an on-link route has gateway 0.0.0.0, which was tested for IPv4 only.
    **Fix.** Set `routing: script`, which finds its gateway in the pod, or `sbr`.
    **Source.** Mellanox/nvidia-k8s-ipam 3ce4a34 pkg/cni/plugin/plugin.go (its routes have no table);
    containernetworking/plugins v1.6.0 pkg/ipam/ipam_linux.go.
    """
    for network in _by_table(fabric):
        if why := _why_not(fabric, network):
            what = f"network {network.name} has routing table, but {why}"
            yield Finding((*network.at, "routing"), what, "set routing: script or sbr")


def _why_not(fabric: Fabric, network: Network) -> str:
    rails = fabric.rails
    if network.by_ipam.table_programs is None:
        return f"ipam is {network.ipam}"
    if network.by_mode.table_programs is None:
        return f"mode is {network.mode}"
    if rails is None or not network.per_rail:
        return "it is not for each rail"
    if rails.segment == "host":
        return "rails.segment is host"
    if rails.gateway == "none":
        return "the rails have no gateway"
    if (v6 := rails.range_of(6)) is not None:
        return f"{v6.network} of the rails is IPv6"
    return ""


def _tabled(plan: Plan) -> int:
    return sum(r.table is not None for w in plan.workloads for r in w.routes)


@check("NP645", "interfaces of a pod share a routing table", on=Plan, counts=_tabled)
def shared_table(plan: Plan) -> Iterator[Finding]:
    """Table and rule priority of rail r are 700 + r, whatever component writes them.

    **Why.** With two interfaces on one rail, the routes of the second replace or join those of the first,
    so packets from one address leave on the other interface.
    **Fix.** Give the workload one network per rail, or set `routing: sbr` on one of the two.
    **Source.** ip-rule(8), ip-route(8): a table is looked up for every rule that names it.
    """
    for w in plan.workloads:
        taken = {(r.interface, r.table, r.version) for r in w.routes if r.table is not None}
        for (table, version), count in sorted(Counter((t, v) for _, t, v in taken).items()):
            if count > 1:
                names = sorted(i for i, t, v in taken if (t, v) == (table, version))
                what = f"interfaces {' and '.join(names)} of {w.name} both have routing table {table}"
                yield Finding((*w.workload.at, "networks"), what, "give one of them routing: sbr or none")
