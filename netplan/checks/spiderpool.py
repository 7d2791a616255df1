"""NP648 to NP652: networks whose addresses and routes Spiderpool manages."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from netplan.checks.registry import Finding, check
from netplan.model.fabric import Fabric, Network

SPIDERPOOL: Final = "spiderpool"

LEAST = (1, 0)
"""First release with rdmaIsolation for sriov (PR 4549) and correct ip rules for several interfaces (PR 3873;
spidernet-io/spiderpool dbb0b9d0 changelogs/changelog_artifact_v1.0.0)."""

_NOT_CARRIED = ("vlan_qos", "trust", "spoofchk", "link_state", "min_tx_rate_mbps", "max_tx_rate_mbps")
"""Network keys not carried. The CRD has the rates, but under other names in releases before PR 4739."""


def _of(fabric: Fabric) -> list[Network]:
    return [n for n in fabric.networks if SPIDERPOOL in (n.ipam, n.routing)]


def _count(fabric: Fabric) -> int:
    return len(_of(fabric))


@check("NP648", "Spiderpool missing or too old", on=Fabric, counts=_count)
def not_there(fabric: Fabric) -> Iterator[Finding]:
    """Networks with `ipam: spiderpool` are SpiderMultusConfigs, from which Spiderpool creates the NAD.

    **Why.** Without Spiderpool there is no NAD, and pods do not start. Before 1.0 the coordinator's rules
    for several interfaces are wrong, and the API server prunes rdmaIsolation.
    **Fix.** State `cluster.spiderpool.release` 1.0 or newer; else use nv-ipam and `routing: sbr`.
    **Source.** spidernet-io/spiderpool dbb0b9d0 changelogs/changelog_artifact_v1.0.0, PR 3873 and PR 4549.
    """
    stated = fabric.cluster.spiderpool
    if stated is not None and stated.release >= LEAST:
        return
    has = "is not stated" if stated is None else "states release {}.{}".format(*stated.release)
    for network in _of(fabric):
        what = f"network {network.name} needs Spiderpool 1.0 or newer, cluster.spiderpool {has}"
        instead = {"ipam": (network.ipam, "nv-ipam"), "routing": (network.routing, "sbr")}
        words = {key: f"{key}: {word}" for key, (now, word) in instead.items() if now == SPIDERPOOL}
        hint = f"state cluster.spiderpool.release, or set {' and '.join(words.values())}"
        yield Finding((*network.at, min(words)), what, hint)


@check("NP649", "network that Spiderpool cannot create", on=Fabric, counts=_count)
def not_by_spiderpool(fabric: Fabric) -> Iterator[Finding]:
    """A SpiderIPPool's gateway is the pod's default route until the coordinator moves it into a table.

    **Why.** With only one of `ipam` and `routing` set to spiderpool, the rail's default route takes over
    the pod's traffic, or the pod has no address. SpiderMultusConfig does not support host-device, and a
    pool cannot hold a gateway that differs from node to node.
    **Fix.** Set `ipam: spiderpool` and `routing: spiderpool` of a network for each rail, with `mode: sriov`,
    `macvlan` or `ipvlan` and IPv4 subnets that have a gateway.
    **Source.** spidernet-io/spiderpool a7fbd3b2 docs/usage/route.md; charts/spiderpool/crds, cniType.
    """
    for network in _of(fabric):
        for key, why in _why_not(fabric, network):
            yield Finding(
                (*network.at, key), f"network {network.name} is Spiderpool's, but {why}", _HINTS[key]
            )


_HINTS = {
    "ipam": "set ipam: spiderpool",
    "routing": "set routing: spiderpool, or another ipam",
    "mode": "set mode: sriov, macvlan or ipvlan, or another ipam and routing",
    "for_each": "set for_each: rails, or another ipam and routing",
}


def _why_not(fabric: Fabric, network: Network) -> Iterator[tuple[str, str]]:
    rails = fabric.rails
    if network.ipam != SPIDERPOOL:
        yield "ipam", f"ipam is {network.ipam}"
    if network.routing != SPIDERPOOL:
        yield "routing", f"routing is {network.routing}"
    if not network.by_mode.spiderpool:
        yield "mode", f"mode is {network.mode}"
    if not network.per_rail or rails is None:
        yield "for_each", "it is not for each rail"
        return
    if rails.segment == "host":
        yield "routing", "rails.segment is host"
    elif rails.gateway == "none":
        yield "routing", "the rails have no gateway"
    if (v6 := rails.range_of(6)) is not None:
        yield "ipam", f"{v6.network} of the rails is IPv6"


@check("NP650", "Spiderpool and sbr on one pod", on=Fabric, counts=_count)
def two_numberings(fabric: Fabric) -> Iterator[Finding]:
    """Both number routing tables from 100 or 101, one by interface and the other by existing rules,
    without regard to each other.

    **Why.** Two interfaces may share a table, so packets from one address leave on the other interface.
    **Fix.** Set `routing: spiderpool` on all networks of a workload, or on none.
    **Source.** spidernet-io/spiderpool a7fbd3b2 cmd/coordinator/cmd/utils.go; containernetworking/plugins
    3d27709f plugins/meta/sbr/main.go.
    """
    for w in fabric.workloads:
        by = {n.routing: n for n in w.networks}
        if SPIDERPOOL in by and "sbr" in by:
            ours, other = by[SPIDERPOOL], by["sbr"]
            what = f"workload {w.name} has {ours.name} with routing spiderpool and {other.name} with sbr"
            yield Finding((*w.at, "networks"), what, f"set routing of {other.name} to none")


@check("NP651", "setting that SpiderMultusConfig lacks", on=Fabric, counts=_count)
def not_carried(fabric: Fabric) -> Iterator[Finding]:
    """Spiderpool builds the NAD from resource, VLAN, RDMA isolation and pools; other settings have no field.

    **Why.** The setting would never reach a node.
    **Fix.** Remove it, or use another `ipam` and `routing`, so that netplan writes the NAD.
    **Source.** spidernet-io/spiderpool a7fbd3b2 charts/spiderpool/crds, spec.sriov; PR 4739 for the rates.
    """
    for network in _of(fabric):
        for key in _NOT_CARRIED:
            value = getattr(network, key)
            if value is not None:
                what = f"network {network.name} states {key} {value}, but Spiderpool creates its NAD"
                yield Finding((*network.at, key), what, f"remove {key}, or set another ipam and routing")


@check("NP652", "NAD with two owners", on=Fabric, counts=_count)
def two_owners(fabric: Fabric) -> Iterator[Finding]:
    """With `owners.nads: operator` an operator creates the NADs, but the NAD of a Spiderpool network is
    created by Spiderpool.

    **Why.** The stated owner would not be the one that writes it.
    **Fix.** Set `owners.nads: netplan`; Spiderpool still creates the NADs of its own networks.
    **Source.** spidernet-io/spiderpool a7fbd3b2 pkg/multuscniconfig/multusconfig_informer.go: it sets itself
    as owner.
    """
    if fabric.cluster.owners.nads == "operator":
        for network in _of(fabric):
            what = f"network {network.name} is created by Spiderpool, but owners.nads is operator"
            yield Finding((*fabric.cluster.at, "owners", "nads"), what, "set nads: netplan")
