"""What a record (NetBox, Nautobot) says of switches and cards, where cables, configurations or hosts show
otherwise: role, platform, MAC address."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from netplan.importing.cabling import CARD, Cable
from netplan.importing.facts import Contradiction, Of, Said, Site, first_faults, place
from netplan.importing.netbox.nics import MAC
from netplan.importing.switches import PLATFORM, ROLE, SwitchRow, platform_nos


def record_clashes(site: Site, rows: Iterable[SwitchRow], cables: Iterable[Cable]) -> Iterator[Contradiction]:
    """The first of each kind, with the number of the others."""
    roles = (("role", f"switch {name}, role: {why}") for name, why in other_roles(rows, cables).items())
    yield from first_faults((*roles, *_platforms(site), *_hosts(site), *_macs(site)))


def other_roles(rows: Iterable[SwitchRow], cables: Iterable[Cable]) -> Mapping[str, str]:
    """Switch -> its role by its cables and that of record, where they differ."""
    shown: dict[tuple[str, bool], Cable] = {}
    for cable in cables:
        shown.setdefault((cable.switch, cable.kind == CARD), cable)
        if cable.kind != CARD:
            shown.setdefault((cable.far[0], False), cable)
    found: dict[str, str] = {}
    for row in rows:
        said = row.fields.get(ROLE)
        if said is not None and row.role not in ("", said.value):
            seen = shown.get((row.name, row.role == "leaf"))
            where = f" ({place(seen.said.at)})" if seen is not None else ""
            found[row.name] = f"{row.role} by its cables{where} or {said.value} of record ({place(said.at)})"
    return found


def _platforms(site: Site) -> Iterator[tuple[object, str]]:
    for of in site.every("switch"):
        nos, said = site.said("switch", of, "nos"), site.said("switch", of, PLATFORM)
        named = platform_nos(said) if said is not None else None
        if nos is not None and said is not None and named not in (None, nos.value):
            here = f"{nos.value} ({place(nos.at)}) or platform {said.value} of record ({place(said.at)})"
            yield "nos", f"switch {of[0]}, nos: {here}"


def _hosts(site: Site) -> Iterator[tuple[object, str]]:
    """Hosts of record that have the configuration of a switch."""
    for of in site.every("switch"):
        nos, said = site.said("switch", of, "nos"), site.said("node", of, "recorded")
        if nos is not None and said is not None:
            yield (
                "host",
                f"{of[0]} is a host of record ({place(said.at)}) and runs {nos.value} ({place(nos.at)})",
            )


def _macs(site: Site) -> Iterator[tuple[object, str]]:
    for of in site.every("card"):
        own, said = site.said("card", of, "mac"), site.said("card", of, MAC)
        if own is not None and said is not None and own.value != said.value:
            yield "mac", f"{_card(site, of)}, MAC address: {_both(own, said)}"


def _card(site: Site, of: Of) -> str:
    return f"{of[0]} {site.text('card', of, 'netdev') or of[-1]}"


def _both(own: Said, said: Said) -> str:
    return f"{own.value} ({place(own.at)}) or {said.value} of record ({place(said.at)})"
