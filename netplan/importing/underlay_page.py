"""The section ``underlay``: AS numbers, loopbacks and networks of the uplinks, or what was seen of them."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence, Set

from netplan.importing.border_uplinks import border_entry, of_border
from netplan.importing.cabling import SWITCH, Cable
from netplan.importing.facts import Remark, Said, Site, place, shown
from netplan.importing.lacking_asns import NO_BGP, without_asn
from netplan.importing.link_sessions import addresses_of, expected_asns
from netplan.importing.loopback_sessions import loopback_sessions
from netplan.importing.rail_switches import has_part
from netplan.importing.routed_links import routed_ports
from netplan.importing.sessions import underlay_faults
from netplan.importing.switch_ids import loopback_space
from netplan.importing.switch_lags import addresses_of_lags, in_lag
from netplan.importing.switches import (
    SwitchRow,
    Uplinks,
    has_odd_end,
    leaf_asn,
    link_networks,
    uplinks_among,
    uplinks_of,
)
from netplan.importing.text import INEXPRESSIBLE, TODO, Entry, Section, listed, todo
from netplan.model.values import natural

_BY_HAND = "or remove underlay and the links between switches, and keep their routing as it is by hand"
_RENUMBERS = "which renumbers them"
_IN_LAGS = f"{INEXPRESSIBLE}: uplinks in LAGs; state a {{}}, one for each port, {_BY_HAND}"


def underlay_section(
    site: Site, rows: Sequence[SwitchRow], cables: Sequence[Cable], carriers: Container[str]
) -> Section:
    """Only if switches route over uplinks. ``carriers``: those on rails."""
    uplinks = uplinks_among(rows, cables)
    if not _has_uplinks(site, rows, cables) or _switched(site, rows, uplinks):
        return {}
    asns = [(row, row.fields["asn"]) for row in rows if "asn" in row.fields]
    if not asns and not _is_routed(site, rows, uplinks):
        return {}
    linked = [row for row in rows if has_part(site, row, cables, carriers)]
    space = loopback_space(site, [row.name for row in linked])
    whole = f"smallest range that contains them{_bare(rows, linked)}"
    found = {
        "leaf_asn": _leaf_asn(site, linked, asns, _bare(rows, linked)),
        "spine_asn": _spine_asn(site, rows, uplinks),
        "loopbacks": Entry(str(space), whole) if space else _no_space(rows),
        **_uplinks(site, rows, uplinks, of_border(rows, cables)),
    }
    faults = underlay_faults(site, cables, {row.name: row.role for row in rows})
    return found | {key: _asked(found[key], str(why)) for key, why in faults.items() if key in found}


def _bare(rows: Iterable[SwitchRow], linked: Sequence[SwitchRow]) -> str:
    """Switches without a part in it, such as a ToR for storage."""
    names = [row.name for row in rows if row not in linked]
    return f"; of {listed(names)} no dump has one, nor a cable to another switch" if names else ""


def _asked(entry: Entry, why: str) -> Entry:
    """The question which of two ends is right, beside that for the value if there is one."""
    if entry.value == TODO:
        return Entry(TODO, f"{entry.comment}; sources disagree: {why}")
    own = f"by the switches' own configurations {entry.value}"
    return todo(f"decide, sources disagree: {why}", own)


def _is_routed(site: Site, rows: Iterable[SwitchRow], uplinks: Iterable[Cable]) -> bool:
    loopbacks = any("loopback" in row.fields for row in rows)
    return loopbacks or any(addresses_of(site, each) or _session(site, each) for each in uplinks)


def without_uplinks(site: Site, rows: Sequence[SwitchRow], cables: Sequence[Cable]) -> Iterator[Remark]:
    """AS numbers and loopbacks of leaves that no dump connects with another switch."""
    wanted = {"asn", "loopback"} if _has_uplinks(site, rows, cables) else {"asn"}
    stated = [row for row in rows if wanted & row.fields.keys()]
    switched = _switched(site, rows, uplinks_among(rows, cables))
    if not stated or (_has_uplinks(site, rows, cables) and not switched):
        return
    words = {"asn": "AS number", "loopback": "loopback"}
    each = {
        row.name: [f"{word} {row.fields[key].value}" for key, word in words.items() if key in row.fields]
        for row in stated
    }
    own = (f"{name} {', '.join(values)}" for name, values in each.items())
    why = f"{switched} and no BGP neighbour" if switched else "no dump shows a link between switches"
    why += ", so underlay is left out and these are not in the inventory"
    way_out = "" if switched else "; add LLDP of the leaves if they have uplinks"
    first = stated[0].fields.get("asn") or stated[0].fields["loopback"]
    yield Remark(first.at, f"{listed(own)}: {why}{way_out}")


def _switched(site: Site, rows: Iterable[SwitchRow], uplinks: Sequence[Cable]) -> str:
    """The first uplink and its VLANs, where every one has VLANs and no address, and no switch a neighbour."""
    vlans = [_vlans(site, cable) for cable in uplinks]
    routed = any(addresses_of(site, cable) for cable in uplinks) or _has_uplinks(site, rows, ())
    return vlans[0] if vlans and all(vlans) and not routed else ""


def _vlans(site: Site, cable: Cable) -> str:
    for field, word in (("tagged", "tagged"), ("access", "untagged")):
        said = site.said("port", (cable.switch, cable.port), field)
        if said is not None:
            return f"{cable.switch} {cable.port} has VLAN {shown(said.value)} {word} ({place(said.at)})"
    return ""


def _has_uplinks(site: Site, rows: Iterable[SwitchRow], cables: Iterable[Cable]) -> bool:
    sessions = any(
        True for row in rows for kind in ("neighbour/", "unnumbered/") for _ in _of(site, row.name, kind)
    )
    return sessions or any(cable.kind == SWITCH for cable in cables)


def _of(site: Site, switch: str, prefix: str) -> Iterator[tuple[str, Said]]:
    return site.prefixed("switch", (switch,), prefix)


def _leaf_asn(
    site: Site, rows: Sequence[SwitchRow], asns: Sequence[tuple[SwitchRow, Said]], bare: str
) -> Entry:
    leaf = leaf_asn(rows)
    at = next((place(said.at) for row, said in asns if row.role == "leaf"), "")
    return Entry(int(leaf) if leaf.isdecimal() else leaf, at + bare) if leaf else _no_asn(site, rows, asns)


def _no_asn(site: Site, rows: Sequence[SwitchRow], asns: Sequence[tuple[SwitchRow, Said]]) -> Entry:
    leaves = [row for row in rows if row.role == "leaf"]
    what = "a first AS number that counts up with the ids (4200000100+)"
    what = f"one AS number, or {what}" if len(leaves) < 2 else what
    if not leaves or not all("asn" in row.fields for row in leaves):
        seen = listed(f"{row.name} {said.value} ({place(said.at)})" for row, said in asns)
        return todo(what, "; ".join(filter(None, (seen, without_asn(site, leaves)))) or NO_BGP)
    stated = [(row, row.fields["asn"]) for row in leaves]
    seen = listed(f"{row.name} with id {row.id}: {said.value} ({place(said.at)})" for row, said in stated)
    shared = len({said.value for _, said in stated}) == 1
    why = "leaves that share an AS number" if shared else "AS numbers that do not count up with the ids"
    return todo(f"{INEXPRESSIBLE}: {why}; state {what}, which renumbers leaves, {_BY_HAND}", seen)


def _spine_asn(site: Site, rows: Sequence[SwitchRow], uplinks: Sequence[Cable]) -> Entry:
    """The number of all spines, each from its own configuration or from those of the leaves below it."""
    spines = [row for row in rows if row.role == "spine"]
    own, known = _known(site, spines, uplinks)
    numbers = {said.value for _, said in known}
    if spines and len(numbers) == 1 and {row.name for row in spines} <= {name for name, _ in known}:
        first = known[0][1]
        return Entry(first.value, place(first.at) if own else f"of a leaf's neighbour, {place(first.at)}")
    what = "one AS number of all spines"
    if len(numbers) > 1:
        what = f"{INEXPRESSIBLE}: spines with several AS numbers; state {what}"
    seen = listed(f"{name} {said.value} ({place(said.at)})" for name, said in known)
    return todo(what, seen or _neighbours(site, rows) or _of_open_roles(rows))


def _known(
    site: Site, spines: Iterable[SwitchRow], uplinks: Iterable[Cable]
) -> tuple[bool, list[tuple[str, Said]]]:
    """Whether a spine states its AS number itself, and those of all; a leaf is asked where it does not."""
    own = {row.name: row.fields["asn"] for row in spines if "asn" in row.fields}
    heard = [(name, said) for name, said in expected_asns(site, uplinks) if name not in own]
    return bool(own), sorted([*own.items(), *heard], key=lambda pair: natural(pair[0]))


def _of_open_roles(rows: Iterable[SwitchRow]) -> str:
    """AS numbers of switches that may be spines, else why none is known."""
    found = [(row, row.fields["asn"]) for row in rows if "asn" in row.fields]
    seen = [f"{row.name} {said.value} ({place(said.at)})" for row, said in found if not row.role]
    if seen:
        return f"of switches whose role is open, {listed(seen)}"
    return "no dump has the AS number of a spine" if found else NO_BGP


def _neighbours(site: Site, rows: Iterable[SwitchRow]) -> str:
    """What the switches expect of their neighbours, where no cable shows who those are."""
    return listed(
        f"{row.name} has {said.value} at {far} ({place(said.at)})"
        for row in rows
        for far, said in _of(site, row.name, "neighbour/")
    )


def _no_space(rows: Sequence[SwitchRow]) -> Entry:
    seen = [
        f"{row.name} with id {row.id}: {said.value} ({place(said.at)})"
        for row in rows
        if (said := row.fields.get("loopback")) is not None
    ]
    what = "range in which the loopback of a switch is address number id"
    lacking = [row.name for row in rows if "loopback" not in row.fields]
    if not seen:
        return todo(what, "LOOPBACK_INTERFACE of each switch")
    return todo(what, f"{listed(seen)}{f'; in no dump: {listed(lacking)}' if lacking else ''}")


def _uplinks(
    site: Site, rows: Sequence[SwitchRow], uplinks: Sequence[Cable], others: Sequence[Cable]
) -> dict[str, Entry]:
    """``others``: of switches whose role is open; the range holds theirs where they count up with them."""
    wide = uplinks_of(site, rows, [*uplinks, *others]) if others else None
    found = wide or uplinks_of(site, rows, uplinks)
    if found is None:
        return {"uplinks": _no_range(site, rows, uplinks)}
    asked = border_entry(site, rows, found, others) if wide is None else None
    return {
        "uplinks": asked or Entry(str(found.space), "smallest range that contains them"),
        "uplinks_per_leaf": Entry(found.per_leaf, "networks of a leaf in that range"),
        **loopback_sessions(site, [row.name for row in rows], str(found.space)),
    }


def _no_range(site: Site, rows: Sequence[SwitchRow], uplinks: Sequence[Cable]) -> Entry:
    what = "range of /31 or /127 networks of the uplinks"
    own = {(cable.switch, cable.port): addresses_of(site, cable) for cable in uplinks}
    bare = [cable for cable in uplinks if not own[cable.switch, cable.port]]
    if (entry := _of_bare(site, bare, what)) is not None:
        return entry
    seen = [
        f"{' '.join(of)} {', '.join(f'{text} ({place(said.at)})' for text, said in mine)}"
        for of, mine in own.items()
        if mine
    ]
    if not seen:
        return _uncabled(site, rows, what)
    if bare:
        lacking = listed(f"{cable.switch} {cable.port}" for cable in bare)
        return todo(what, f"{listed(seen)}; without an address: {lacking}")
    return todo(f"{INEXPRESSIBLE}: {_odd(site, rows, uplinks)}, {_BY_HAND}", listed(seen))


def _of_bare(site: Site, bare: Sequence[Cable], what: str) -> Entry | None:
    """Where uplinks have no address: sessions without one, and LAGs with their addresses, else the ports in
    them."""
    sessions = [(cable, said) for cable in bare if (said := _session(site, cable)) is not None]
    if sessions:
        why = f"{INEXPRESSIBLE}: uplinks without addresses (BGP unnumbered); state a {what}, {_BY_HAND}"
        return todo(why, listed(f"{c.switch} {c.port} ({place(said.at)})" for c, said in sessions))
    bundled = [(c, said) for c in bare if (said := in_lag(site, (c.switch, c.port))) is not None]
    if not bundled:
        return None
    ports = [f"{cable.switch} {cable.port} ({place(said.at)})" for cable, said in bundled]
    return todo(_IN_LAGS.format(what), listed(_lags(site, {cable.switch for cable, _ in bundled}) or ports))


def _lags(site: Site, switches: Set[str]) -> list[str]:
    lags = addresses_of_lags(site, sorted(switches, key=natural))
    return [f"{' '.join(of)} {said.value} ({place(said.at)})" for of, said in lags]


def _uncabled(site: Site, rows: Sequence[SwitchRow], what: str) -> Entry:
    """Where no cable shows which ports are the uplinks."""
    open_ends = [(row.name, said) for row in rows for _, said in _of(site, row.name, "unnumbered/")]
    if seen := routed_ports(site, [row.name for row in rows]):
        return todo(what, listed(seen))
    if lags := _lags(site, {row.name for row in rows}):
        return todo(_IN_LAGS.format(what), listed(lags))
    if open_ends:
        why = f"{INEXPRESSIBLE}: uplinks without addresses (BGP unnumbered); state a {what}, {_BY_HAND}"
        return todo(why, listed(f"{name} {said.value} ({place(said.at)})" for name, said in open_ends))
    return todo(what, "no routed port of a switch is in the dumps; docs/addresses.md has the formula")


def _odd(site: Site, rows: Sequence[SwitchRow], uplinks: Sequence[Cable]) -> str:
    """Why the addresses are no range of networks, and what to state."""
    if odd := [cable for cable in uplinks if _is_odd(site, cable)]:
        whom = f"{odd[0].switch} {odd[0].port}"
        more = f" and {len(odd) - 1} more" if len(odd) > 1 else ""
        why = f"the leaf has the odd address on {whom}{more}, netplan gives it the even one"
        return f"{why}; state a range, and a rollout exchanges the addresses of both ends"
    lengths = {text.rpartition("/")[2] for cable in uplinks for text, _ in addresses_of(site, cable)}
    families = {4: uplinks_of(site, rows, uplinks, 4), 6: uplinks_of(site, rows, uplinks, 6)}
    ranges = [_as_keys(found) for found in families.values() if found is not None]
    if len(ranges) > 1:
        return f"uplinks with IPv4 and IPv6 addresses; state one of the families, {' or '.join(ranges)}"
    if lengths - {"31", "127"}:
        shown = ", ".join(f"/{length}" for length in sorted(lengths, key=int))
        return f"uplinks with networks of length {shown}; state a range of /31 or /127 networks, {_RENUMBERS}"
    why = "networks of uplinks that do not count up with ids and ports of leaves"
    return f"{why}; state a range, {_RENUMBERS}"


def _is_odd(site: Site, cable: Cable) -> bool:
    networks = link_networks(site, cable.switch, cable.port)
    return any(has_odd_end(site, cable, network) for network in networks)


def _as_keys(found: Uplinks) -> str:
    return f"uplinks: {found.space} with uplinks_per_leaf: {found.per_leaf}"


def _session(site: Site, cable: Cable) -> Said | None:
    """Where the leaf states a BGP session without addresses over the uplink, or else over others."""
    found = dict(_of(site, cable.switch, "unnumbered/"))
    return found.get(cable.port) or next(iter(found.values()), None)
