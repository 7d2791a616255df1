"""NP220, NP849: AS numbers of leaves and spines."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from netplan.checks.registry import Finding, check
from netplan.model.fabric import Fabric, Underlay
from netplan.model.hardware import Switch
from netplan.model.ranges import gathered


def _routing(fabric: Fabric) -> dict[str, Switch]:
    """Leaves with uplinks, where an underlay routes them."""
    links = fabric.switch_links if fabric.underlay is not None else ()
    return {link.lower.name: link.lower for link in links if link.lower.role == "leaf"}


def _asn(underlay: Underlay, leaf: Switch) -> int:
    return underlay.leaf_asn + (leaf.id - 1 if underlay.leaf_asn_counts else 0)


@check("NP220", "two tiers or leaves share an AS number", on=Fabric, counts=lambda f: len(_routing(f)))
def shared_asn(fabric: Fabric) -> Iterator[Finding]:
    """Every leaf has an AS number of its own, and the spines have another one together.

    **Why.** BGP refuses a route with its own AS number in the path: leaves with one number never learn each
    other's subnets. Allowing it instead lets a packet go down and up again, which can close a PFC deadlock.
    **Fix.** Write `leaf_asn` with a `+`, so that it counts up by leaf, away from `spine_asn`.
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
            yield Finding(at, what, f"write leaf_asn: {underlay.leaf_asn}+, which counts up by leaf")


@check(
    "NP849",
    "spines that count up",
    on=Fabric,
    counts=lambda fabric: int(fabric.underlay is not None),
)
def counting_spines(fabric: Fabric) -> Iterator[Finding]:
    """All spines share one AS number, so that a leaf refuses a route that has passed a spine already.

    **Why.** A spine_asn with a + would say otherwise, and no number counts up. With a number of their own,
    paths over different spines are equal for a leaf only where it ignores AS numbers (multipath-relax), and
    a packet may go down and up again.
    **Fix.** Write `spine_asn` without the `+`.
    **Source.** RFC 7938 section 5.2.1
    """
    if fabric.underlay is not None and fabric.underlay.spine_asn_counts:
        what = f"spine_asn is {fabric.underlay.spine_asn}+, but all spines share one AS number"
        yield Finding((*fabric.underlay.at, "spine_asn"), what, f"write {fabric.underlay.spine_asn}")
