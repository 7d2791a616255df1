"""NP317: keys that say something nobody reads."""

from __future__ import annotations

from collections.abc import Iterator

from netplan.checks.registry import Finding, check
from netplan.diagnostics import Severity
from netplan.model.fabric import Fabric, Rails


def _key_count(fabric: Fabric) -> int:
    segments = int(fabric.rails is not None) + len(fabric.subnets) + len(fabric.vlans)
    return segments + len(fabric.networks) + len(fabric.workloads)


@check("NP317", "a key without effect", on=Fabric, counts=_key_count, severity=Severity.WARNING)
def without_effect(fabric: Fabric) -> Iterator[Finding]:
    """Every key of the inventory changes what is planned.

    **Why.** Whoever wrote the key counts on it: on a VLAN that no port carries, a gateway that no pod uses.
    **Fix.** Remove the key, or state what it needs.
    **Source.** schemas/inventory.schema.json, the descriptions of the keys named
    """
    if fabric.rails is not None:
        yield from _of_rails(fabric.rails)
    used = {subnet.vlan.name for subnet in fabric.subnets if subnet.vlan is not None}
    for vlan in fabric.vlans:
        if vlan.name not in used:
            what = f"VLAN {vlan.name} is on no port: no subnet names it"
            yield Finding(vlan.at, what, f"set vlan: {vlan.name} for a subnet, or remove it")
    for subnet in fabric.subnets:
        keys = [
            key for key, stated in (("gateway_owner", subnet.external), ("routes", subnet.routes)) if stated
        ]
        for key in keys if subnet.gateway is None else ():
            what = f"{key} of subnet {subnet.name} has no effect: the subnet has no gateway"
            yield Finding((*subnet.at, key), what, f"state gateway, or remove {key}")
    yield from _of_devices(fabric)


def _of_devices(fabric: Fabric) -> Iterator[Finding]:
    for network in fabric.networks:
        if network.share_max is not None and not network.shared:
            what = f"share_max of network {network.name} has no effect: mode {network.mode} shares no HCA"
            hint = "remove share_max, or use mode macvlan, ipvlan, ipoib or device-only"
            yield Finding((*network.at, "share_max"), what, hint)
    for w in fabric.workloads:
        for network in (n for n in w.networks if n.name in w.devices):
            why = f"mode {network.mode} takes one device for each attachment"
            if network.mode == "host-path":
                why = "mode host-path takes no devices"
            elif network.shared:
                why = "its HCAs are shared, and a pod takes one unit of all"
            if network.shared or network.mode != "device-only":
                what = f"devices of {w.name} for network {network.name} has no effect: {why}"
                yield Finding((*w.at, "devices", network.name), what, f"remove {network.name} from devices")


def _of_rails(rails: Rails) -> Iterator[Finding]:
    if rails.segment != "host":
        return
    if rails.vlan_ids:
        what = "rails.vlan_ids has no effect: with rails.segment host every link is routed and has no VLAN"
        yield Finding((*rails.at, "vlan_ids"), what, "remove vlan_ids, or set rails.segment: leaf")
    pairs = zip(rails.supernets, rails.prefixes, strict=False)
    short = [net for net, prefix in pairs if prefix >= (31 if net.version == 4 else 127)]
    if rails.gateway == "last" and short and len(short) == len(rails.supernets):
        what = "rails.gateway last has no effect: of a link of two addresses the switch has the even one"
        yield Finding((*rails.at, "gateway"), what, "remove gateway, or lengthen the link networks")
