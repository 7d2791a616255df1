"""Cables between two leaves, as of a pair with MLAG: an inventory has only those that lead up to spines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from netplan.importing.cabling import CARD, SWITCH, Cable
from netplan.importing.facts import Remark, Site
from netplan.importing.switch_lags import in_lag

_WHY = "a cable between two leaves is not taken, those of an inventory lead up to spines"


def sideways(site: Site, cables: Sequence[Cable]) -> list[Cable]:
    """Of two switches with hosts: those in a LAG, and those of which both ends have other switches above. One
    without may be a spine with hosts."""
    leaves = {cable.switch for cable in cables if cable.kind == CARD}
    between = [cable for cable in cables if cable.kind == SWITCH]
    below = {c.switch for c in between if c.far[0] not in leaves}
    below |= {c.far[0] for c in between if c.switch not in leaves}
    return [c for c in between if {c.switch, c.far[0]} <= leaves and _is_sideways(site, c, below)]


def _is_sideways(site: Site, cable: Cable, below: set[str]) -> bool:
    ends = ((cable.switch, cable.port), cable.far)
    return {cable.switch, cable.far[0]} <= below or any(in_lag(site, end) is not None for end in ends)


def sideways_remarks(cables: Iterable[Cable]) -> Iterator[Remark]:
    """Each once, from its lower side."""
    for cable in cables:
        if (cable.switch, cable.port) < cable.far:
            what = f"{cable.switch} {cable.port} to {' '.join(cable.far)}"
            yield Remark(cable.said.at, f"{what}: {_WHY}", alike=_WHY)
