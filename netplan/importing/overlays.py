"""Rails that several leaves with routed uplinks share, by VXLAN or by means that no dump shows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from netplan.importing.cabling import SWITCH
from netplan.importing.facts import Said, Site, place
from netplan.importing.text import INEXPRESSIBLE, Entry, listed, todo

_WHAT = (
    f"{INEXPRESSIBLE}: one subnet of a rail on several leaves with routed uplinks, as netplan configures no "
    "VXLAN; state stretched and remove underlay, switch_types, switches and links to leave the switches as "
    "they are, or state leaf and plan a subnet for each leaf"
)


def over_routed(
    site: Site, vlans: Mapping[int, Mapping[int, Said]], leaves: Mapping[int, Sequence[str]]
) -> Entry | None:
    """What to ask about the segment of stretched rails; None if nothing shows that their uplinks route."""
    several = {rail: mine for rail, mine in leaves.items() if len(mine) > 1}
    carried = [
        text for rail, mine in sorted(several.items()) for text in _vnis(site, vlans.get(rail, {}), mine)
    ]
    if carried:
        return todo(_WHAT, listed(carried))
    routed = [*_routed(site, {leaf for mine in several.values() for leaf in mine})]
    return todo(_WHAT, f"uplinks: {listed(routed)}; no dump shows a VXLAN") if routed else None


def _vnis(site: Site, vlans: Mapping[int, Said], leaves: Sequence[str]) -> Iterator[str]:
    """The first leaf of each VLAN that has a VNI."""
    for vlan in vlans:
        found = ((leaf, site.said("svi", (leaf, str(vlan)), "vni")) for leaf in leaves)
        for leaf, said in found:
            if said is not None:
                yield f"VLAN {vlan} is VNI {said.value} on {leaf} ({place(said.at)})"
                break


def _routed(site: Site, leaves: set[str]) -> Iterator[str]:
    """The first routed uplink of each leaf."""
    seen: set[str] = set()
    for of in site.every("port"):
        peer = site.listed("port", of, "peer")
        address = next(site.prefixed("port", of, "address/"), None)
        if of[0] in leaves - seen and peer[:1] == (SWITCH,) and address is not None:
            seen.add(of[0])
            yield f"{of[0]} {of[1]} has {address[0]} ({place(address[1].at)})"
