"""NP85x, second part: adaptive routing, and hosts with more than one cable."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from netplan.checks.registry import Finding, check
from netplan.diagnostics import Path
from netplan.model.fabric import Fabric
from netplan.model.hardware import Hca, HostHca

_BOND = re.compile(r"bond|team|mlx5_bond_")
"""Device names of bonds: Linux bonding and team drivers, and the RDMA device of a RoCE LAG."""


def _adaptive_hcas(fabric: Fabric) -> int:
    return sum(h.for_pods for t in fabric.host_types for h in t.hcas) if fabric.adaptive_routing else 0


@check("NP853", "adaptive routing with an HCA that needs packets in order", on=Fabric, counts=_adaptive_hcas)
def hca_wants_order(fabric: Fabric) -> Iterator[Finding]:
    """Adaptive routing sends the packets of one connection over several paths.

    **Why.** An HCA without out-of-order placement treats every overtaken packet as lost and requests it
    again, so bandwidth is lower than without adaptive routing.
    **Fix.** Use an HCA with out-of-order placement, or set `fabric.adaptive_routing: false`.
    **Source.** docs.nvidia.com, Network Operator 26.4.0, Spectrum-X NIC configuration: device IDs 1021, 1023
    and a2dc; of a model stated in the inventory its own `source`.
    """
    if not fabric.adaptive_routing:
        return
    for kind in fabric.host_types:
        for hca in kind.hcas:
            if hca.for_pods and hca.link == "ethernet" and not hca.model.out_of_order:
                what = f"{kind.name} {hca.name} is a {hca.model.name}, fabric.adaptive_routing is true"
                hint = "use another HCA, state out_of_order in catalog.hcas, or turn adaptive routing off"
                yield Finding((*hca.at, "model"), what, hint)


@check(
    "NP854",
    "adaptive routing without routed links",
    on=Fabric,
    counts=lambda fabric: int(fabric.adaptive_routing),
)
def adaptive_unrouted(fabric: Fabric) -> Iterator[Finding]:
    """Switches choose among the equal routes of an IP prefix.

    **Why.** It has no effect on bridged ports, VLAN interfaces and LAGs; other fabric types have their
    own mechanism.
    **Fix.** State `underlay`, or set `fabric.adaptive_routing: false`.
    **Source.** CumulusNetworks/docs, Equal Cost Multipath Load Sharing, Adaptive Routing
    """
    at: Path = ("fabric", "adaptive_routing")
    if not fabric.adaptive_routing:
        return
    if fabric.type != "roce":
        what = f"fabric.adaptive_routing is true, but fabric.type is {fabric.type}"
        yield Finding(at, what, "set it to false: it applies to RoCE switches only")
    elif fabric.switch_links and fabric.underlay is None:
        what = "fabric.adaptive_routing is true, but without underlay the links between switches are bridged"
        yield Finding(at, what, "state underlay, or set it to false")


@check(
    "NP855",
    "HCA that is a bond",
    on=Fabric,
    counts=lambda fabric: sum(len(t.hcas) for t in fabric.host_types),
)
def bonded_hca(fabric: Fabric) -> Iterator[Finding]:
    """LAG and dual-homed hosts are not supported yet: an HCA of the inventory is one port on one switch.

    **Why.** A bond needs a LAG on the switch, or MLAG or EVPN multihoming on two, with one gateway address
    and MAC on both; netplan configures none of these, and half of the traffic would be lost.
    **Fix.** Describe each port as an HCA with a rail of its own; NCCL uses several rails at once.
    **Source.** netplan's own rule: an HCA is one port on one switch; LAG and MLAG are not planned.
    """
    hint = "describe each port as an HCA of its own: LAG and dual-homed hosts are not supported yet"
    devices: list[tuple[str, str, Hca | HostHca]] = [
        *((kind.name, hca.name, hca) for kind in fabric.host_types for hca in kind.hcas),
        *((host.name, name, own) for host in fabric.hosts for name, own in host.hcas.items()),
    ]
    for owner, hca, device in devices:
        for key, name in (("netdev", device.netdev), ("rdma_device", device.rdma_device)):
            if _is_bond(name):
                yield Finding((*device.at, key), f"{key} {name} of {owner} {hca} is a bond", hint)


@lru_cache(maxsize=4096)  # hosts have the same names
def _is_bond(name: str | None) -> bool:
    return name is not None and _BOND.match(name) is not None
