"""Ids of switches: the numbers of their loopbacks, else those in their names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from netaddr import IPAddress, IPNetwork

from netplan.importing.facts import Site
from netplan.model.ranges import gathered, trailing_number
from netplan.model.values import natural, parse_address

_ABOVE = 100
"""Spines count from 101 on, by the numbers in their names."""
_BITS = 20
"""Size of the largest range that is tried."""


@dataclass(frozen=True, slots=True)
class Ids:
    """``what``: where they are from."""

    numbers: Mapping[str, int]
    what: str


def ids_of(site: Site, roles: Mapping[str, str]) -> Ids:
    """``roles``: of every switch, empty where open. Where the dumps have the loopbacks of some, the ids of
    these are in the smallest range that holds them, and others get ids that are free. Only one of the same
    series, such as leaf-1 beside leaf-3, takes a larger range, in which its number has room."""
    known = {name: ip for name in roles if (ip := _loopback(site, name)) is not None}
    lacking = sorted(roles.keys() - known.keys(), key=natural)
    spaces = [*_spaces(known.values())]
    if not spaces:
        what = "from the names: the dumps do not have the loopbacks of all, or not one of each"
        return Ids(_by_name(roles), what)
    alike = _alike(known, lacking, roles)
    named = [*alike, *(name for name in lacking if not _of_a_known_role(name, known, roles))]
    ranges = [(space, _by_loopback(space, known, named, roles)) for space in spaces]
    space, found = next((pair for pair in ranges if {*alike} <= pair[1].keys()), ranges[0])
    rest = [name for name in lacking if name not in found]
    by_name = [name for name in lacking if name in found]
    told = _told(by_name, "by the name") + _told(rest, "the next that are free")
    return Ids(_filled(found, rest), f"numbers of the loopbacks in {space}{told}")


def _told(names: Sequence[str], how: str) -> str:
    return f"; of {gathered(names)}, whose loopback no dump has, {how}" if names else ""


def _alike(known: Iterable[str], lacking: Iterable[str], roles: Mapping[str, str]) -> list[str]:
    """Those of a series of which others have loopbacks."""
    series = {_series(name, roles) for name in known if roles[name]}
    return [name for name in lacking if _series(name, roles) in series]


def _series(name: str, roles: Mapping[str, str]) -> tuple[str, str]:
    return roles[name], name.rstrip("0123456789")


def _of_a_known_role(name: str, known: Iterable[str], roles: Mapping[str, str]) -> bool:
    """Whether its role is open, or that of one with a loopback."""
    return roles[name] in {"", *(roles[other] for other in known)}


def loopback_space(site: Site, names: Iterable[str]) -> IPNetwork | None:
    """The smallest range in which every loopback has a number from 1 on; None if a switch has no loopback, or
    two have the same."""
    found = [_loopback(site, name) for name in names]
    known = [ip for ip in found if ip is not None]
    return next(_spaces(known), None) if len(known) == len(found) else None


def _loopback(site: Site, name: str) -> IPAddress | None:
    return parse_address(site.text("switch", (name,), "loopback"))


def _spaces(addresses: Iterable[IPAddress]) -> Iterator[IPNetwork]:
    """Ranges in which they are different numbers from 1 on, the smallest first."""
    found = [*addresses]
    if not found or len({*found}) < len(found) or len({ip.version for ip in found}) > 1:
        return
    low, high = min(found), max(found)
    bits = 32 if low.version == 4 else 128
    for length in range(bits, bits - _BITS, -1):
        space = IPNetwork(f"{low}/{length}").cidr
        if space.first < int(low) and int(high) <= space.last:
            yield space


def _by_name(roles: Mapping[str, str]) -> Mapping[str, int]:
    """By the numbers in the names; by order where those are not different ones of all whose role is known."""
    found = {name: _number(name, role) for name, role in roles.items() if role or not any(roles.values())}
    if found and all(found.values()) and len({*found.values()}) == len(found):
        return _filled(found, sorted(roles.keys() - found.keys(), key=natural))
    return {name: number for number, name in enumerate(sorted(roles, key=natural), 1)}


def _number(name: str, role: str) -> int:
    """0 without a number in the name."""
    number = trailing_number(name) or 0
    return number + _ABOVE * (role != "leaf") if number else 0


def _by_loopback(
    space: IPNetwork, known: Mapping[str, IPAddress], lacking: Iterable[str], roles: Mapping[str, str]
) -> dict[str, int]:
    """Those of ``lacking`` are as far from the numbers in their names as switches of the same role are, where
    these ids are free."""
    found = {name: int(ip) - space.first for name, ip in known.items()}
    steps: dict[str, set[int]] = {}
    for name, own in found.items():
        steps.setdefault(roles[name], set()).add(own - _number(name, roles[name]))
    taken = {*found.values()}
    for name in lacking:
        number, apart = _number(name, roles[name]), steps.get(roles[name], {0})
        wanted = number + min(apart)
        if number and len(apart) == 1 and wanted > 0 and wanted not in taken:
            found[name] = wanted
            taken.add(wanted)
    return found


def _filled(numbers: Mapping[str, int], rest: Iterable[str]) -> Mapping[str, int]:
    """The rest count up from the highest."""
    return {**numbers, **{name: number for number, name in enumerate(rest, max(numbers.values()) + 1)}}
