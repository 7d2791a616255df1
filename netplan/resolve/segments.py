"""Build underlay, rails, VLANs and subnets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain, islice
from itertools import count as counting
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
    count, prefixes = values["count"], tuple(values.get("prefixes", ()))
    by_rail = "rail_networks" in values
    build = _of_rail_networks if by_rail else _of_supernets
    supernets, rail_networks = build(values, prefixes, context)
    return Rails(
        count=count,
        segment=values["segment"],
        numbering=values["numbering"],
        first_subnet=values["first_subnet"],
        vlan_ids=_vlan_ids(values, count, context),
        supernets=supernets,
        prefixes=prefixes,
        rail_prefixes_stated="rail_prefixes" in values,
        rail_networks=rail_networks,
        gateway=values["gateway"],
        external=values["gateway_owner"] == "external",
        reserved=_spans(values, "reserved", at, context),
        at=at,
    )


Networks = tuple[tuple[IPNetwork, ...], ...]
"""Rail -> its networks, one of each address family."""


def _of_supernets(
    values: Mapping[str, Any], prefixes: tuple[int, ...], context: Context
) -> tuple[tuple[IPNetwork, ...], Networks]:
    """Rail r has the r-th part of each supernet."""
    at: Path = ("rails", "supernets")
    supernets = tuple(context.network(text, (*at, i)) for i, text in enumerate(values.get("supernets", ())))
    count = values["count"]
    rail_prefixes = tuple(values.get("rail_prefixes", ())) or tuple(
        n.prefixlen + (count - 1).bit_length() for n in supernets
    )
    ok = _families_fit(supernets, prefixes, rail_prefixes, context)
    return supernets, _parts(supernets, rail_prefixes, count, context) if ok else ()


def _of_rail_networks(
    values: Mapping[str, Any], prefixes: tuple[int, ...], context: Context
) -> tuple[tuple[IPNetwork, ...], Networks]:
    """Each rail has the networks stated for it; no rail has any if one of them does not fit."""
    at: Path = ("rails", "rail_networks")
    stated = values["rail_networks"]
    for key in ("supernets", "rail_prefixes"):
        if key in values:
            what = f"{key} and rail_networks both say which addresses a rail has"
            context.problems.add("NP204", ("rails", key), what, f"remove {key}, or rail_networks")
    if len(stated) != values["count"]:
        what = f"{values['count']} rails, but rail_networks has {len(stated)}"
        context.problems.add("NP104", at, what, "write one for each rail, in the order of the rails")
    networks: list[tuple[IPNetwork, ...]] = []
    for rail, entry in enumerate(stated):
        one = {(*at, rail): entry}
        texts = one if isinstance(entry, str) else {(*at, rail, i): text for i, text in enumerate(entry)}
        networks.append(tuple(context.network(text, path) for path, text in texts.items()))
    fit = [_rail_fits(rail, own, networks[0], prefixes, context) for rail, own in enumerate(networks)]
    return (), tuple(networks) if all(fit) and len(stated) == values["count"] else ()


def _rail_fits(
    rail: int,
    own: tuple[IPNetwork, ...],
    first: tuple[IPNetwork, ...],
    prefixes: tuple[int, ...],
    context: Context,
) -> bool:
    """Whether a rail has a network of each family that rail 0 has, in the same order, each with room for its
    subnets; reports NP204 otherwise."""
    at: Path = ("rails", "rail_networks", rail)
    if NOWHERE in own or NOWHERE in first:
        return False
    families = [f"IPv{n.version}" for n in own]
    if rail == 0 and (len(own) != len(prefixes) or len(set(families)) < len(own)):
        what = f"rail 0 has {' and '.join(families)}, and there are {len(prefixes)} prefixes"
        context.problems.add(
            "NP204", at, what, "give one network of each address family, and its prefix length"
        )
        return False
    if (wanted := [f"IPv{n.version}" for n in first]) != families:
        what = f"rail {rail} has {' and '.join(families)}, rail 0 has {' and '.join(wanted)}"
        context.problems.add("NP204", at, what, "give each rail the same address families, in the same order")
        return False
    ok = True
    for network, prefix in zip(own, prefixes, strict=False):
        if not network.prefixlen <= prefix <= _WIDTH[network.version]:
            what = f"a subnet of /{prefix} is not part of {network} of rail {rail}"
            context.problems.add("NP204", at, what, "lengthen the prefix, or enlarge the network")
            ok = False
    return ok


_WIDTH = {4: 32, 6: 128}


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
        if not net.prefixlen <= rail <= prefix <= _WIDTH[net.version]:
            what = f"supernet {net}, rail prefix /{rail} and subnet prefix /{prefix} do not nest"
            hint = "lengthen the prefix, or use a larger supernet"
            context.problems.add("NP204", (*at, "prefixes", index), what, hint)
            ok = False
    return ok


def _parts(
    supernets: tuple[IPNetwork, ...], rail_prefixes: tuple[int, ...], count: int, context: Context
) -> Networks:
    """Rail r gets the r-th subnet of each supernet; empty, with NP203, if they do not all fit."""
    rails = []
    for rail in range(count):
        nth = (nth_subnet(net, prefix, rail) for net, prefix in zip(supernets, rail_prefixes, strict=True))
        parts = tuple(part for part in nth if part is not None)
        if len(parts) < len(supernets):
            parts_there = 1 << (rail_prefixes[0] - supernets[0].prefixlen)
            what = (
                f"{count} rails of /{rail_prefixes[0]} do not fit: {supernets[0]} has room for {parts_there}"
            )
            context.problems.add("NP203", ("rails", "supernets"), what, "enlarge the supernet")
            return ()
        rails.append(parts)
    return tuple(rails)


def _vlan_ids(values: Mapping[str, Any], count: int, context: Context) -> tuple[int, ...]:
    """One per rail; reports NP104 if there are more or fewer, and makes up the number."""
    if "vlan_ids" not in values:
        return ()
    stated = values["vlan_ids"]
    if isinstance(stated, list):
        ids, hint = tuple(stated), "write one for each rail, in the order of the rails"
        made = tuple(islice(chain(ids, counting(max(ids) + 1)), count))
    else:
        first, _, last = str(stated).partition("-")
        ids = tuple(range(int(first), int(last or first) + 1))
        made = tuple(range(int(first), int(first) + count))
        hint = f"write {made[0]}-{made[-1]}"
    if len(ids) != count:
        what = f"vlan_ids {stated} gives {len(ids)} ids for {count} rails"
        context.problems.add("NP104", ("rails", "vlan_ids"), what, hint)
    return made
