"""Cables between switches whose ends carry IP packets of different sizes: the smaller end drops what the
larger one sends (NP305)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from netplan.importing.cabling import SWITCH, Cable
from netplan.importing.facts import Contradiction, Of, Said, Site, first_faults, place
from netplan.importing.switches import SwitchRow
from netplan.nos import shipped
from netplan.reading.switches.rules import rules_of

SHIPPED_MTU: Mapping[str, int] = {"cumulus-nvue": 9216}
"""NOS -> the MTU of ports that state none (docs.nvidia.com, Cumulus Linux 5.9, Switch Port Attributes, MTU).
That of others depends on port and model."""


def unlike_mtus(site: Site, cables: Iterable[Cable]) -> Iterator[Contradiction]:
    """Those with the same values are one."""
    yield from first_faults((values, what) for _, values, what in _unlike(site, cables))


def mtu_questions(site: Site, rows: Iterable[SwitchRow], cables: Iterable[Cable]) -> Mapping[str, str]:
    """Switch -> the contradiction, where the ends differ by the MTU that most ports of each switch have."""
    usual = {row.name: row.mtu for row in rows}
    found: dict[str, str] = {}
    for cable, values, what in _unlike(site, cables):
        if values == (usual.get(cable.switch), usual.get(cable.far[0])):
            for name in (cable.switch, cable.far[0]):
                found.setdefault(name, what)
    return found


def _unlike(site: Site, cables: Iterable[Cable]) -> Iterator[tuple[Cable, tuple[object, ...], str]]:
    """Each cable once, with the MTUs and both places."""
    nos = {of[0]: site.text("switch", of, "nos") for of in site.every("switch")}
    headers = {name: _header(name) for name in {*nos.values()}}
    seen = set[frozenset[Of]]()
    for cable in cables:
        ends = ((cable.switch, cable.port), cable.far)
        if cable.kind != SWITCH or cable.doubt is not None or frozenset(ends) in seen:
            continue
        seen.add(frozenset(ends))
        found = [(of, said) for of in ends if (said := site.said("port", of, "mtu")) is not None]
        sizes = {_packet(said, headers.get(nos.get(of[0], ""))) for of, said in found}
        if len(found) > 1 and len(sizes) > 1 and None not in sizes:
            values = " or ".join(f"{said.value} ({place(said.at)})" for _, said in found)
            what = f"{cable.switch} {cable.port} to {' '.join(cable.far)}, mtu: {values}"
            yield cable, tuple(said.value for _, said in found), what


def _header(nos: str) -> int | None:
    """Bytes that the MTU of a port counts beside the IP packet; None for an unknown NOS."""
    rules = rules_of(nos, shipped()) if nos else None
    return rules.nos.units.mtu_overhead if rules is not None else None


def _packet(said: Said, header: int | None) -> int | None:
    return said.value - header if header is not None and isinstance(said.value, int) else None
