"""NP220, NP654, NP655, NP849, NP866: AS numbers and router IDs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from netplan.checks.registry import Finding, check
from netplan.diagnostics import Path, Severity
from netplan.model.fabric import Fabric, Underlay
from netplan.model.hardware import Switch
from netplan.model.plan import Plan
from netplan.model.ranges import gathered


def _routing(fabric: Fabric) -> dict[str, Switch]:
    """Leaves with uplinks, if the inventory has an underlay."""
    links = fabric.switch_links if fabric.underlay is not None else ()
    return {link.lower.name: link.lower for link in links if link.lower.role == "leaf"}


def _asn(underlay: Underlay, leaf: Switch) -> int:
    return underlay.leaf_asn + (leaf.id - 1 if underlay.leaf_asn_counts else 0)


@check(
    "NP220",
    "tiers or leaves share an AS number",
    on=Fabric,
    counts=lambda f: len(_routing(f)),
    about="switches",
)
def shared_asn(fabric: Fabric) -> Iterator[Finding]:
    """Every leaf has its own AS number; all spines share another.

    **Why.** BGP rejects a route with its own AS number in the path, so leaves that share one never learn
    each other's subnets. Allowing it (allowas-in) lets packets go down and up again, which can close a
    PFC deadlock.
    **Fix.** Write `leaf_asn` with a `+`, so that it counts up by leaf and does not reach `spine_asn`.
    **Source.** RFC 4271 section 9.1.2; RFC 7938 section 5.2.1
    """
    underlay = fabric.underlay
    if underlay is None:
        return
    by_asn: dict[int, list[str]] = defaultdict(list)
    for leaf in _routing(fabric).values():
        by_asn[_asn(underlay, leaf)].append(leaf.name)
    at = (*underlay.at, "leaf_asn")
    spines = [switch.name for switch in fabric.switches if switch.role == "spine"]
    for asn, leaves in by_asn.items():
        if asn == underlay.spine_asn:
            what = f"{gathered(leaves)} and {gathered(spines)} have AS number {asn}, spine_asn"
            yield Finding(at, what, "move leaf_asn or spine_asn, so that the leaves do not count up to it")
        elif len(leaves) > 1 and not underlay.leaf_asn_counts:
            what = f"{gathered(leaves)} all have AS number {asn}, so they refuse each other's routes"
            yield Finding(at, what, f"write leaf_asn: {underlay.leaf_asn}+, which counts up per leaf")


def _stated(fabric: Fabric) -> dict[str, Path]:
    """Switch -> place of its stated router ID."""
    return {s.name: (*s.at, "router_id") for s in fabric.switches if s.router_id is not None}


@check(
    "NP654",
    "duplicate router ID",
    on=Plan,
    counts=lambda plan: sum(bool(switch.neighbours) for switch in plan.switches),
)
def shared_router_id(plan: Plan) -> Iterator[Finding]:
    """Every BGP speaker of a site has a router ID of its own.

    **Why.** Neighbours with the same ID refuse the session; a third speaker keeps only one of the equal
    routes that two speakers with the same ID announce.
    **Fix.** State another `router_id`, or leave it out to have it derived from the loopback or the
    switch's id.
    **Source.** RFC 6286 section 2.1; RFC 4271 sections 6.2 and 9.1.2.2
    """
    stated, first = _stated(plan.fabric), dict[str, str]()
    for switch in plan.switches:
        other = first.setdefault(switch.router_id, switch.name) if switch.neighbours else switch.name
        if other != switch.name:
            at = stated.get(switch.name, stated.get(other, switch.at))
            what = f"{other} and {switch.name} both have router ID {switch.router_id}"
            yield Finding(at, what, "state another router_id for one of them")


@check(
    "NP655",
    "router ID without BGP",
    on=Plan,
    counts=lambda plan: len(_stated(plan.fabric)),
    severity=Severity.WARNING,
)
def router_id_unused(plan: Plan) -> Iterator[Finding]:
    """A switch without `underlay` or without links to other switches runs no BGP.

    **Why.** The key has no effect, but looks as if it had one.
    **Fix.** State `underlay` and the links of the switch, or remove the key.
    **Source.** netplan's own rule: switches run BGP where `underlay` and links between them are stated; RFC
    4271 section 4.2 (what a BGP identifier is for).
    """
    speaking, seen = {s.name for s in plan.switches if s.neighbours}, set[Path]()
    for name, at in _stated(plan.fabric).items():
        if name not in speaking and at not in seen:
            seen.add(at)
            yield Finding(at, f"router_id is stated, but {name} runs no BGP", "remove it, or state its links")


@check(
    "NP849",
    "spine AS numbers that count up",
    on=Fabric,
    counts=lambda fabric: int(fabric.underlay is not None),
)
def counting_spines(fabric: Fabric) -> Iterator[Finding]:
    """All spines share one AS number, so that a leaf rejects a route that has already passed a spine.

    **Why.** `spine_asn` does not count up, so the + has no effect. If every spine had its own number, a
    leaf would treat paths over different spines as equal only with multipath-relax, and a packet could go
    down and up again.
    **Fix.** Write `spine_asn` without the `+`.
    **Source.** RFC 7938 section 5.2.1
    """
    if fabric.underlay is not None and fabric.underlay.spine_asn_counts:
        what = f"spine_asn is {fabric.underlay.spine_asn}+, but all spines share one AS number"
        yield Finding((*fabric.underlay.at, "spine_asn"), what, f"write {fabric.underlay.spine_asn}")


RESERVED_ASNS = {
    0: "is not a valid AS number (RFC 7607)",
    23456: "stands for every 4-byte AS number (RFC 6793)",
    65535: "is reserved (RFC 7300)",
    4294967295: "is reserved (RFC 7300)",
}
LARGEST_ASN = 4294967295


@check("NP866", "invalid AS number", on=Plan, counts=lambda plan: len(plan.addresses.asns), about="switches")
def reserved_asn(plan: Plan) -> Iterator[Finding]:
    """AS numbers have 32 bits, and four of them are reserved; numbers that count up by id may reach them.

    **Why.** The switch rejects the line or resets the session and gets no routes.
    **Fix.** Use private numbers with room to count up: 4200000000 to 4294967294, or 64512 to 65534.
    **Source.** RFC 6996 (private use); RFC 6793, RFC 7300 and RFC 7607
    """
    underlay, seen = plan.fabric.underlay, set()
    for switch in plan.fabric.switches if underlay is not None else ():
        asn = plan.addresses.asns.get(switch.name)
        key = "spine_asn" if switch.role == "spine" else "leaf_asn"
        why = RESERVED_ASNS.get(asn, "") if asn is not None else ""
        if asn is not None and asn > LARGEST_ASN:
            why = f"is above {LARGEST_ASN}"
        if underlay is not None and why and key not in seen:
            seen.add(key)
            what = f"{switch.name} has AS number {asn}, which {why}"
            yield Finding((*underlay.at, key), what, f"move {key}, for example to 4200000000 and up")
