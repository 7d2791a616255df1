"""Contradictions between two clusters of one fabric: NP131 to NP134, each with both places."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, fields
from itertools import combinations
from typing import Any, NamedTuple

from netplan.diagnostics import Diagnostic, Path
from netplan.model.hardware import Switch, SwitchLink
from netplan.sharing.member import Member
from netplan.sharing.overlaps import address_overlaps, vlan_clashes

_ONCE = "state it once, in the files of the fabric"
_SETTINGS: Sequence[Path] = (
    ("fabric", "name"),
    ("fabric", "type"),
    ("fabric", "qos"),
    ("fabric", "arp"),
    ("fabric", "adaptive_routing"),
    ("underlay",),
)
"""What configures switches; the rest of ``fabric`` concerns the pods of a cluster."""


def disagreements(clusters: Sequence[Member]) -> Iterator[Diagnostic]:
    """For every two clusters; the finding is at the later one's place, its message has the other's."""
    for one, other in combinations(clusters, 2):
        if one.site == other.site:
            what = f"{one.there(('site',))} uses the site name {one.site} too"
            yield other.finding("NP132", ("site",), what, "give each cluster a site of its own")
            continue
        yield from _settings(one, other)
        yield from _switches(one, other)
        yield from _uplinks(one, other)
        yield from _ports(one, other)
        yield from _hosts(one, other)
        yield from vlan_clashes(one, other)
        yield from address_overlaps(one, other)


def _settings(one: Member, other: Member) -> Iterator[Diagnostic]:
    for path in _SETTINGS:
        ours, theirs = (_model(c, path) for c in (one, other))
        if ours != theirs:
            at = _apart(_stated(one, path), _stated(other, path), path)
            here, there = (_shown(_stated(c, at)) for c in (other, one))
            what = f"{at[-1]} is {here}, in {one.there(at)} {there}"
            yield other.finding("NP131", at, what, _ONCE)


def _model(cluster: Member, path: Path) -> object:
    """The resolved value, so that a default equals the same value written out."""
    return getattr(cluster.fabric, str(path[-1]))


def _stated(cluster: Member, path: Path) -> Any:
    """What the files state at a path; None if nothing."""
    here: Any = cluster.document.data
    for part in path:
        here = here.get(part) if isinstance(here, dict) else None
    return here


def _apart(ours: Any, theirs: Any, path: Path) -> Path:
    """The innermost key at which two values differ."""
    if isinstance(ours, dict) and isinstance(theirs, dict):
        differing = [key for key in {**ours, **theirs} if ours.get(key) != theirs.get(key)]
        if len(differing) == 1:
            (key,) = differing
            return _apart(ours.get(key), theirs.get(key), (*path, key))
    return path


def _shown(value: Any) -> str:
    if value is None:
        return "not stated"
    return "stated otherwise" if isinstance(value, dict | list) else str(value)


def _switches(one: Member, other: Member) -> Iterator[Diagnostic]:
    ours = {switch.name: switch for switch in one.fabric.switches}
    ids = {switch.id: switch for switch in one.fabric.switches if _numbered(one, switch)}
    for switch in other.fabric.switches:
        same, numbered = ours.get(switch.name), ids.get(switch.id)
        if same is not None and same != switch:
            stated = ("id", "role", "router_id", "type")
            keys = [key for key in stated if getattr(same, key) != getattr(switch, key)]
            what = f"{', '.join(keys)} of switch {switch.name} differ from those in {one.there(same.at)}"
            yield other.finding("NP131", switch.at, what, _ONCE)
        elif same is None and numbered is not None and _numbered(other, switch):
            what = f"switch {switch.name} has id {switch.id}, as {numbered.name} in {one.there(numbered.at)}"
            yield other.finding("NP132", switch.at, what, f"state another id for {switch.name}")


def _numbered(cluster: Member, switch: Switch) -> bool:
    """Whether its id numbers a loopback, an AS number or subnets."""
    return cluster.fabric.underlay is not None or switch.role == "leaf"


def _uplinks(one: Member, other: Member) -> Iterator[Diagnostic]:
    """A link in only one cluster would shift the /31s of the leaf's other links; for a link in both, the
    ports at its ends are configured once and must be equal."""
    both = {s.name for s in one.fabric.switches} & {s.name for s in other.fabric.switches}
    ours, theirs = (_cables(c) for c in (one, other))
    for key in theirs.keys() - ours.keys():
        if key[0] in both:
            yield _one_sided(other, theirs[key].at, one, key)
    for key in ours.keys() - theirs.keys():
        if key[0] in both:
            yield _one_sided(one, ours[key].at, other, key)
    for key, cable in theirs.items():
        if key in ours:
            yield from _unlike_ends(one, ours[key], other, cable)


_Ends = tuple[str, str, str, str]


def _one_sided(has: Member, at: Path, lacks: Member, key: _Ends) -> Diagnostic:
    what = f"{_named(key)} is not in {lacks.there(('links',))}"
    return has.finding("NP131", at, f"{what}, which has {key[0]} too", _ONCE)


def _unlike_ends(one: Member, ours: SwitchLink, other: Member, theirs: SwitchLink) -> Iterator[Diagnostic]:
    known = _values(ours)
    for name, value in _values(theirs).items():
        if value != known[name]:
            here, there = (_shown(each or None) for each in (value, known[name]))
            what = f"{name} of {_named(_ends(theirs))} is {here}, in {one.there((*ours.at, name))} {there}"
            yield other.finding("NP131", (*theirs.at, name), what, _ONCE)


def _values(cable: SwitchLink) -> Mapping[str, Any]:
    """The keys of a link, without its switches, which are compared separately."""
    ends = {"lower", "lower_port", "upper", "upper_port", "settings", "at"}
    own = {field.name: getattr(cable, field.name) for field in fields(cable) if field.name not in ends}
    return {**own, **asdict(cable.settings)}


def _named(key: _Ends) -> str:
    return f"the link {key[0]} {key[1]} to {key[2]} {key[3]}"


def _cables(cluster: Member) -> Mapping[_Ends, SwitchLink]:
    return {_ends(cable): cable for cable in cluster.fabric.switch_links}


def _ends(cable: SwitchLink) -> _Ends:
    return cable.lower.name, cable.lower_port, cable.upper.name, cable.upper_port


class _Plugged(NamedTuple):
    peer: str
    at: Path


def _ports(one: Member, other: Member) -> Iterator[Diagnostic]:
    ours = _plugged(one)
    for (switch, port), theirs in _plugged(other).items():
        known = ours.get((switch, port))
        if known is not None and known.peer != theirs.peer:
            what = f"{switch} {port} goes to {theirs.peer}, in {one.there(known.at)} to {known.peer}"
            yield other.finding("NP132", theirs.at, what, "correct one of the two links")


def _plugged(cluster: Member) -> Mapping[tuple[str, str], _Plugged]:
    found = {}
    for link in cluster.fabric.host_links:
        found[link.switch.name, link.port] = _Plugged(f"{link.host.name} {link.hca.name}", link.at)
    for cable in cluster.fabric.switch_links:
        for switch, port, peer, far in (
            (cable.lower, cable.lower_port, cable.upper, cable.upper_port),
            (cable.upper, cable.upper_port, cable.lower, cable.lower_port),
        ):
            found[switch.name, port] = _Plugged(f"{peer.name} {far}", cable.at)
    return found


def _hosts(one: Member, other: Member) -> Iterator[Diagnostic]:
    ours = {host.name: host for host in one.fabric.hosts if host.named}
    macs = defaultdict(list)
    for host in one.fabric.hosts:
        for name, own in host.hcas.items():
            macs[own.mac].append((f"{host.name} {name}", (*own.at, "mac")))
    for host in other.fabric.hosts:
        if host.named and host.name in ours:
            what = f"host {host.name} is also in {one.there(ours[host.name].at)}"
            yield other.finding("NP132", host.at, what, "keep it in the files of one cluster")
            continue
        for name, own in host.hcas.items():
            for known, at in macs[own.mac][:1] if own.mac else ():
                what = f"MAC {own.mac} of {host.name} {name} is also that of {known} in {one.there(at)}"
                yield other.finding("NP132", (*own.at, "mac"), what, "correct one of the two")
