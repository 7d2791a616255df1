"""Build underlay, rails, VLANs and subnets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from netaddr import IPNetwork

from netplan.diagnostics import Path
from netplan.model.fabric import Rails, Subnet, Underlay, Vlan
from netplan.model.values import AddressSpan, natural, nth_subnet
from netplan.resolve.context import NOWHERE, Context


def build_underlay(values: Mapping[str, Any], context: Context) -> Underlay:
    leaf, spine = str(values["leaf_asn"]), str(values["spine_asn"])
    return Underlay(
        leaf_asn=int(leaf.rstrip("+")),
        leaf_asn_counts=leaf.endswith("+"),
        spine_asn=int(spine.rstrip("+")),
        spine_asn_counts=spine.endswith("+"),
        loopbacks=context.network(values["loopbacks"], ("underlay", "loopbacks")),
        uplinks=context.network(values["uplinks"], ("underlay", "uplinks")),
        uplinks_per_leaf=values["uplinks_per_leaf"],
        max_oversubscription=values.get("max_oversubscription_percent"),
        at=("underlay",),
    )


def build_vlans(vlans: Mapping[str, Any]) -> dict[str, Vlan]:
    return {
        name: Vlan(name=name, id=vlans[name]["id"], at=("vlans", name)) for name in sorted(vlans, key=natural)
    }


def build_subnets(
    subnets: Mapping[str, Any], vlans: Mapping[str, Vlan], context: Context
) -> dict[str, Subnet]:
    out = {}
    for name in sorted(subnets, key=natural):
        values, at = subnets[name], ("subnets", name)
        vlan = values.get("vlan")
        if vlan is not None:
            context.knows((*at, "vlan"), "VLAN", vlan, vlans, "vlans")
        cidr, stated = context.network(values["cidr"], (*at, "cidr")), values.get("gateway", "none")
        gateway = None if stated == "none" else context.address(stated, (*at, "gateway"))
        out[name] = Subnet(
            name=name,
            cidr=cidr,
            vlan=vlans.get(vlan or ""),
            gateway=gateway,
            external=values["gateway_owner"] == "external",
            routes=_routes(values.get("routes", []), cidr, (*at, "routes"), context),
            exclude=_spans(values, "exclude", at, context),
            reserved=_spans(values, "reserved", at, context),
            at=at,
        )
    return context.whole("subnets", out)


def _routes(texts: Sequence[str], cidr: IPNetwork, at: Path, context: Context) -> tuple[IPNetwork, ...]:
    """Prefixes routed via the gateway; reports NP204 if one is not of the subnet's address family."""
    found = [context.network(text, (*at, index)) for index, text in enumerate(texts)]
    for index, network in enumerate(found):
        if network.version != cidr.version and NOWHERE not in (network, cidr):
            what = f"route {network} is IPv{network.version}, subnet {cidr} is IPv{cidr.version}"
            context.problems.add("NP204", (*at, index), what, "write prefixes of the subnet's family only")
    return tuple(found)


def _spans(values: Mapping[str, Any], key: str, at: Path, context: Context) -> tuple[AddressSpan, ...]:
    return tuple(_span(text, (*at, key, index), context) for index, text in enumerate(values.get(key, [])))


def _span(text: str, path: Path, context: Context) -> AddressSpan:
    """Parse ``"10.0.0.1-10.0.0.9"`` or a single address into (first, last)."""
    first, _, last = text.partition("-")
    low, high = context.address(first, path), context.address(last or first, path)
    if low.version != high.version or high < low:
        context.problems.add("NP201", path, f"the end of {text} is before its start", "write first-last")
    return low, high


def build_rails(values: Mapping[str, Any], context: Context) -> Rails:
    at: Path = ("rails",)
    supernets = tuple(
        context.network(text, (*at, "supernets", i)) for i, text in enumerate(values.get("supernets", []))
    )
    prefixes = tuple(values.get("prefixes", ()))
    stated = tuple(values.get("rail_prefixes", ()))
    count = values["count"]
    rail_prefixes = stated or tuple(n.prefixlen + (count - 1).bit_length() for n in supernets)
    ok = _families_fit(supernets, prefixes, rail_prefixes, context)
    rail_networks = _rail_networks(supernets, rail_prefixes, count, context) if ok else ()
    return Rails(
        count=count,
        segment=values["segment"],
        numbering=values["numbering"],
        vlan_ids=_vlan_ids(values, count, context),
        supernets=supernets,
        prefixes=prefixes,
        rail_prefixes_stated=bool(stated),
        rail_networks=rail_networks,
        gateway=values["gateway"],
        external=values["gateway_owner"] == "external",
        reserved=_spans(values, "reserved", at, context),
        at=at,
    )


def _families_fit(
    supernets: tuple[IPNetwork, ...],
    prefixes: tuple[int, ...],
    rail_prefixes: tuple[int, ...],
    context: Context,
) -> bool:
    """Whether each supernet has a rail prefix and a subnet prefix that nest in it, and each address family
    occurs once; reports NP204 otherwise."""
    at: Path = ("rails",)
    if len(supernets) != len(prefixes) or len(supernets) != len(rail_prefixes):
        context.problems.add(
            "NP204",
            at,
            f"{len(supernets)} supernets, {len(prefixes)} prefixes, {len(rail_prefixes)} rail_prefixes",
            "give one entry of each for every supernet",
        )
        return False
    if NOWHERE in supernets:
        return False
    ok = True
    if len({n.version for n in supernets}) < len(supernets):
        context.problems.add(
            "NP204", (*at, "supernets"), "two supernets of one address family", "keep one of each"
        )
        ok = False
    for index, (net, prefix, rail) in enumerate(zip(supernets, prefixes, rail_prefixes, strict=True)):
        width = 32 if net.version == 4 else 128
        if not net.prefixlen <= rail <= prefix <= width:
            what = f"supernet {net}, rail prefix /{rail} and subnet prefix /{prefix} do not nest"
            hint = "lengthen the prefix, or use a larger supernet"
            context.problems.add("NP204", (*at, "prefixes", index), what, hint)
            ok = False
    return ok


def _rail_networks(
    supernets: tuple[IPNetwork, ...], rail_prefixes: tuple[int, ...], count: int, context: Context
) -> tuple[tuple[IPNetwork, ...], ...]:
    """Rail r gets the r-th subnet of each supernet; empty, with NP203, if they do not all fit."""
    rails = []
    for rail in range(count):
        parts = [nth_subnet(net, prefix, rail) for net, prefix in zip(supernets, rail_prefixes, strict=True)]
        if any(p is None for p in parts):
            parts_there = 1 << (rail_prefixes[0] - supernets[0].prefixlen)
            what = (
                f"{count} rails of /{rail_prefixes[0]} do not fit: {supernets[0]} has room for {parts_there}"
            )
            context.problems.add("NP203", ("rails", "supernets"), what, "enlarge the supernet")
            return ()
        rails.append(tuple(p for p in parts if p is not None))
    return tuple(rails)


def _vlan_ids(values: Mapping[str, Any], count: int, context: Context) -> tuple[int, ...]:
    if "vlan_ids" not in values:
        return ()
    first, _, last = str(values["vlan_ids"]).partition("-")
    ids = tuple(range(int(first), int(last or first) + 1))
    if len(ids) != count:
        what = f"vlan_ids {values['vlan_ids']} gives {len(ids)} ids for {count} rails"
        context.problems.add("NP104", ("rails", "vlan_ids"), what, f"write {first}-{int(first) + count - 1}")
    return tuple(range(int(first), int(first) + count))
