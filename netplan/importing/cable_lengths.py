"""Lengths of cables: as recorded, else the length that the headroom of a port is configured for.

Headroom has to be enough for the cable, so its length is a bound, not a measure: SONiC's CABLE_LENGTH selects
a row of the SKU's pg_profile_lookup.ini, most of which know 5 m, 40 m and 300 m only (sonic-net/sonic-swss
cfgmgr/buffermgr.cpp; tables: sonic-net/sonic-buildimage device/*/pg_profile_lookup.ini), and NVUE states one
length for many ports.
"""

from __future__ import annotations

from collections.abc import Iterator

from netplan.importing.cabling import CARD, Cable
from netplan.importing.facts import Contradiction, Of, Remark, Said, Site, first_faults, place

RECORD, HEADROOM = "cable_m", "headroom_m"
ROUNDED = "an inventory has whole metres; rounded up"
"""Up, so that headroom is never too small."""


def length_of(site: Site, cable: Cable) -> Said | None:
    """In metres; of a cable between switches either end may have it. None if the records disagree."""
    ends = _ends(cable)
    if any(site.conflict("port", of, RECORD) for of in ends):
        return None
    found = (site.said("port", of, field) for field in (RECORD, HEADROOM) for of in ends)
    return next((said for said in found if said is not None), None)


def _ends(cable: Cable) -> list[Of]:
    own = (cable.switch, cable.port)
    return [own] if cable.kind == CARD else [own, cable.far]


def _both(site: Site) -> Iterator[tuple[Of, Said, int, Said, int]]:
    for of in site.every("port"):
        record, room = site.said("port", of, RECORD), site.said("port", of, HEADROOM)
        if record is None or room is None:
            continue
        if isinstance(record.value, int) and isinstance(room.value, int):
            yield of, record, record.value, room, room.value


def short_headroom(site: Site) -> Iterator[Contradiction]:
    """Ports whose cable is longer than their headroom allows for: the record or the headroom is wrong."""
    whys = [
        f"{' '.join(of)}: headroom for a cable of {allowed} m ({place(room.at)}), the recorded cable has "
        f"{metres} m ({place(record.at)}); correct the record, or the inventory's length raises the headroom"
        for of, record, metres, room, allowed in _both(site)
        if metres > allowed
    ]
    yield from first_faults(("headroom", why) for why in whys)


def other_headroom(site: Site) -> Iterator[Remark]:
    """Headroom for longer cables than the records have: the length of the record is written."""
    for of, record, metres, room, allowed in _both(site):
        if metres < allowed:
            what = f"{' '.join(of)}: {allowed} m is the length that its headroom is configured for"
            text = f"{what}; the recorded cable of {metres} m ({place(record.at)}) is written"
            yield Remark(room.at, text, alike="length of headroom")
