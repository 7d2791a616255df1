"""Uplinks of switches whose role is open, such as border leaves, that are not where their ids would have
them: the range of the leaves' uplinks does not hold them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from netaddr import IPNetwork

from netplan.importing.cabling import SWITCH, Cable
from netplan.importing.facts import Site, place
from netplan.importing.link_sessions import addresses_of
from netplan.importing.switches import SwitchRow, Uplinks
from netplan.importing.text import INEXPRESSIBLE, Entry, listed, todo
from netplan.model.ranges import gathered


def of_border(rows: Iterable[SwitchRow], cables: Iterable[Cable]) -> list[Cable]:
    """Cables to spines of switches that may be leaves: no host shows it."""
    roles = {row.name: row.role for row in rows}
    up = (cable for cable in cables if cable.kind == SWITCH and roles.get(cable.far[0]) == "spine")
    return [cable for cable in up if roles.get(cable.switch) == ""]


def border_entry(
    site: Site, rows: Iterable[SwitchRow], found: Uplinks, others: Sequence[Cable]
) -> Entry | None:
    """What ``uplinks`` asks. ``found``: the range of the leaves; ``others``: uplinks that do not count up in
    one range with those. None if they have no address, and the range has room for them."""
    own = {row.name: row for row in rows}
    odd = [own[cable.switch] for cable in others]
    last = max((row.id for row in odd), default=0)
    stated = any(addresses_of(site, cable) for cable in others)
    room = found.space.size // (2 * found.per_leaf)
    if not odd or (last <= room and not stated):
        return None
    names = gathered(dict.fromkeys(row.name for row in odd))
    what = f"{INEXPRESSIBLE}: uplinks of {names} that do not count up with its id beside those of the leaves"
    what += f"; state {found.space}, and remove {names} and its links here"
    if (wide := _wide(found, last)) is not None:
        what += f", or {wide}, which numbers its uplinks anew"
    return todo(what, listed(_seen(site, own, others)))


def _wide(found: Uplinks, last: int) -> IPNetwork | None:
    """The range that begins with the same network and has those of a leaf with this id."""
    bits = 32 if found.space.version == 4 else 128
    size = 2 * found.per_leaf * last
    length = min(bits - (size - 1).bit_length(), found.space.prefixlen)
    wide = IPNetwork(f"{found.space.network}/{max(length, 0)}").cidr
    return wide if wide.first == found.space.first else None


def _seen(site: Site, own: dict[str, SwitchRow], others: Iterable[Cable]) -> Iterator[str]:
    for cable in others:
        row = own[cable.switch]
        texts = ", ".join(f"{text} ({place(said.at)})" for text, said in addresses_of(site, cable))
        yield f"{cable.switch} with id {row.id} {cable.port} {texts or 'without an address'}"
