"""Cables between two leaves, as of a pair with MLAG, or between two spines: an inventory has only those that
lead up from leaves to spines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from netplan.importing.cabling import CARD, SWITCH, Cable
from netplan.importing.facts import Remark, Site
from netplan.importing.switch_lags import in_lag
from netplan.importing.switches import SwitchRow

_WHY = "a cable between two {} is not taken, those of an inventory lead up to spines"


def sideways(site: Site, cables: Sequence[Cable]) -> list[Cable]:
    """Of two switches with hosts: those in a LAG, and those of which both ends have other switches above. One
    without may be a spine with hosts. Of two without hosts: those of which both ends have leaves below."""
    leaves = {cable.switch for cable in cables if cable.kind == CARD}
    between = [cable for cable in cables if cable.kind == SWITCH]
    pairs = [pair for c in between for pair in ((c.switch, c.far[0]), (c.far[0], c.switch))]
    below = {one for one, other in pairs if other not in leaves}
    spines = {one for one, other in pairs if other in leaves} - leaves
    return [c for c in between if {c.switch, c.far[0]} <= spines or _is_peer(site, c, leaves, below)]


def _is_peer(site: Site, cable: Cable, leaves: set[str], below: set[str]) -> bool:
    ends = ((cable.switch, cable.port), cable.far)
    pair = {cable.switch, cable.far[0]}
    return pair <= leaves and (pair <= below or any(in_lag(site, end) is not None for end in ends))


def sideways_remarks(cables: Iterable[Cable], rows: Iterable[SwitchRow]) -> Iterator[Remark]:
    """Each once, from its lower side."""
    leaves = {row.name for row in rows if row.role == "leaf"}
    for cable in cables:
        if (cable.switch, cable.port) < cable.far:
            what = f"{cable.switch} {cable.port} to {' '.join(cable.far)}"
            why = _WHY.format("leaves" if cable.switch in leaves else "spines")
            yield Remark(cable.said.at, f"{what}: {why}", alike=why)
