"""Ports of a rail that have its VLAN tagged where no network on the rail tags: netplan writes all of them
untagged then."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from netplan.importing.facts import Contradiction, Of, Remark, Said, Site, first_faults, place
from netplan.importing.hosts import HostKind
from netplan.importing.networks import NetworkRow
from netplan.importing.vlans import membership_of, vlans_of
from netplan.model.modes import mode_of

_WHY = "no network in the dumps tags it, and without one netplan writes it untagged"


@dataclass(frozen=True, slots=True)
class _Port:
    of: Of
    kind: str
    rail: int
    vlan: object
    tagged: bool
    at: Said

    @property
    def alike(self) -> tuple[object, ...]:
        return self.kind, self.rail, self.vlan

    def __str__(self) -> str:
        how = "tagged" if self.tagged else "untagged"
        return f"{' '.join(self.of)} has VLAN {self.vlan} {how} ({place(self.at.at)})"


def unlike_tagging(
    site: Site, rows: Iterable[NetworkRow], kinds: Iterable[HostKind]
) -> Iterator[Contradiction]:
    """Rails where some ports of hosts of one kind tag the VLAN and others do not; networks are held against
    ports elsewhere."""
    yield from first_faults(_unlike(_ports(site, rows, kinds)))


def _unlike(ports: Iterable[_Port]) -> Iterator[tuple[object, str]]:
    own = [*ports]
    usual = {port.alike: port for port in reversed(own) if not port.tagged}
    for port in own:
        if port.tagged and (other := usual.get(port.alike)) is not None:
            yield "tagging", f"rail {port.rail}: {port}, {other}"


def tagged_alone(site: Site, rows: Iterable[NetworkRow], kinds: Iterable[HostKind]) -> Iterator[Remark]:
    """Rails whose ports all tag."""
    own = [*_ports(site, rows, kinds)]
    untagged = {port.alike for port in own if not port.tagged}
    for port in own:
        if port.tagged and port.alike not in untagged:
            what = f"{' '.join(port.of)} has VLAN {port.vlan} tagged"
            yield Remark(port.at.at, f"{what}: {_WHY}", alike=_WHY)


def _could_tag(row: NetworkRow) -> bool:
    mode = mode_of(row.first.text("mode"))
    return mode is None or mode.tags


def _ports(site: Site, rows: Iterable[NetworkRow], kinds: Iterable[HostKind]) -> Iterator[_Port]:
    """Of rails without a network whose VFs could tag."""
    used = {rail for row in rows if _could_tag(row) for rail in row.rails}
    for kind in kinds:
        every = (card for cards in kind.own.values() for card in cards)
        behind = [card for card in every if card.rail is not None and card.rail not in used]
        vlans = vlans_of(site, behind)
        for card in behind:
            port, vlan = membership_of(site, card), vlans.get(card.of)
            if port is not None and vlan is not None and card.rail is not None:
                tagged = port.access is None or port.access.value != vlan.value
                yield _Port(port.port, kind.name, card.rail, vlan.value, tagged, vlan)
