"""What readers of commands that print JSON share: values of any shape, and where they stand."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from netplan.diagnostics import Source
from netplan.live.model import Kind, Reading, Unsure, Unused, Whole, ip_version
from netplan.model.document import Places
from netplan.model.values import parse_address, parse_network

_NO_VALUE = "N/A"
UNICAST = {"ipv4 unicast": 4, "ipv6 unicast": 6}
"""Address family as FRR names it, in lower case -> IP version."""
Found = Iterator[Reading | Whole | Unused | Unsure]
_DOTTED = re.compile(r"([0-9]{1,5})\.([0-9]{1,5})")
_SPEED = re.compile(r"(\d{1,7}) ?([GM])(?:b/s|bps)?", re.IGNORECASE)


def mapping(data: Any, *keys: str) -> dict[str, Any]:
    """The object at the end of these keys; an empty one where there is none."""
    for key in keys:
        data = data.get(key) if isinstance(data, dict) else None
    return data if isinstance(data, dict) else {}


def objects(data: Any) -> list[dict[str, Any]]:
    """Those of a list; an object stands for a list of one."""
    return [one for one in (data if isinstance(data, list) else [data]) if isinstance(one, dict)]


def text(data: Any, key: str) -> str:
    """A text or a number; anything else says nothing."""
    value = data.get(key) if isinstance(data, dict) else None
    return str(value).strip()[:80] if isinstance(value, str) else ""


def one_of(shown: str, *words: str) -> str:
    """A word of which no source has the form says nothing but as one of these."""
    return shown if shown in words else ""


def speed(shown: str) -> str:
    """``400G``, ``100 Gb/s``, ``100000 Mb/s``, ``100Gbps`` as the plan has it; auto as nothing."""
    found = _SPEED.fullmatch(shown)
    if found is None:
        return ""
    number = int(found[1])
    if found[2] in "gG":
        return f"{number}G"
    return f"{number // 1000}G" if number % 1000 == 0 else ""


def asn(shown: str) -> str:
    """An AS as a plain number, also where the switch shows it in asdot (RFC 5396)."""
    dotted = _DOTTED.fullmatch(shown)
    return shown if dotted is None else str((int(dotted[1]) << 16) + int(dotted[2]))


def addresses(shown: Iterable[str]) -> str:
    """In order and, of IPv6, in their short form, as the plan has them."""
    networks = {each: parse_network(each) for each in shown if each}
    return " ".join(sorted(str(network or each) for each, network in networks.items()))


def is_link_local(shown: str) -> bool:
    """Of an IPv6 address, with a length or an interface behind it: every interface with IPv6 has one."""
    return shown.lower().startswith("fe80:")


def of_interface(where: str, name: str, svi: re.Pattern[str], shown: str, oper: str, place: Source) -> Found:
    """Addresses, none too, of a port, or of a VLAN interface whose names ``svi`` has, with its state."""
    vlan = svi.fullmatch(name)
    kind: Kind = "interfaces" if vlan is None else "svi"
    subject = name if vlan is None else vlan[1]
    yield said(where, kind, subject, "addresses", shown, place)
    if vlan is not None and oper:
        yield said(where, kind, subject, "oper", oper, place)


def neighbour(shown: str) -> str:
    """A BGP neighbour, of IPv6 in its short form; other words as they are."""
    address = parse_address(shown)
    return shown.lower() if address is None else str(address)


def first(places: Places, row: dict[str, Any]) -> Source:
    """Where an object of a list begins to speak."""
    return places.source_of(row, next(iter(row), ""))


def said(where: str, kind: Kind, subject: str, field: str, found: str, place: Source) -> Reading:
    return Reading(where=where, kind=kind, subject=subject, field=field, found=found, at=place)


def stated(where: str, kind: Kind, subject: str, values: dict[str, str], place: Source) -> Iterator[Reading]:
    """``values``: field -> what is shown of it, empty where nothing is."""
    for field, found in values.items():
        if found and found.upper() != _NO_VALUE:
            yield said(where, kind, subject, field, found, place)


def whole_bgp(where: str, addresses: Iterable[str], place: Source, version: int = 0) -> Iterator[Whole]:
    """Of a list of all neighbours: each IP version that is in it is in it as a whole. ``version``: the one
    that the list is of, where it tells."""
    rows = frozenset(map(neighbour, addresses))
    versions = {ip_version(address) for address in rows} | {version}
    for each in sorted(versions - {0}):
        yield Whole(where=where, kind="bgp", at=place, version=each, rows=rows)


def whole_list(where: str, addresses: Iterable[str], place: Source, version: int) -> Found:
    """Of the IP version that a list of FRR is of: other sessions may carry its routes too, but need not.
    Without one it may be of another address family, where not each planned session is in it."""
    rows = list(addresses)
    if version:
        yield from (one for one in whole_bgp(where, rows, place, version) if one.version == version)
    elif rows:
        yield Unused(place, "BGP summary without heading and command: what is not there is not seen")


def of_any_family(found: Found, place: Source) -> Found:
    """What is found of sessions counts if a planned one is among them; what is missing, as far as no list is
    there that says more."""
    sessions = list[Reading | Whole | Unused]()
    for one in found:
        if isinstance(one, Unsure) or (isinstance(one, Reading) and one.subject == "local"):
            yield one
        else:
            sessions.append(replace(one, weak=True) if isinstance(one, Whole) else one)
    if any(isinstance(one, Reading) for one in sessions):
        yield Unsure(tuple(sessions), place)
    else:
        yield from sessions


def of_vrf(vrf: str, place: Source) -> Unused:
    return Unused(place, f"BGP summary of {vrf}, not of the default VRF")
