"""Ports that several hosts share by a breakout cable, where no source says which part each of them has."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from netplan.importing.cable_lengths import length_of
from netplan.importing.cabling import CARD, Cable, Ends
from netplan.importing.facts import Fact, Of, Remark, Site, place
from netplan.importing.names import folded
from netplan.importing.text import TODO, comment
from netplan.model.inventory_text import flow
from netplan.model.values import natural

SHARED, PART = "shared/", "part/"
"""Fields of a port: the host and interface of an end, and the card that it is."""


def shared_facts(site: Site, ends: Ends) -> Iterator[Fact | Remark]:
    """Each card has the port, and with it the VLANs; the port has no single far end."""
    for of in site.every("port"):
        for name, said in [*site.prefixed("port", of, SHARED)]:
            host, interface = said.value if isinstance(said.value, tuple) else ("", "")
            cards = ends.cards(ends.nodes.get(host, host), (interface,))
            if len(cards) == 1:
                yield Fact("card", cards[0].of, "port", of, said.at)
                yield Fact("port", of, f"{PART}{name}", (CARD, *cards[0].of), said.at)
            else:
                what = f"{' '.join(of)} has {name}, which is neither a card nor a switch in the dumps"
                yield Remark(said.at, what, alike=ends.unknown(of[0]))


def shared_cables(site: Site) -> Iterator[Cable]:
    for of in site.every("port"):
        for _, said in site.prefixed("port", of, PART):
            if isinstance(said.value, tuple):
                yield Cable(of[0], of[1], CARD, said.value[1:], said, shared=True)


def shared_lines(site: Site, cables: Iterable[Cable], names: Mapping[Of, str]) -> Iterator[str]:
    """Rows of ``links``. ``names``: card -> HCA."""
    own = [cable for cable in cables if cable.shared and cable.far in names]
    own.sort(key=lambda c: (natural(names[c.far]), natural(c.switch), natural(c.port), natural(c.far[0])))
    groups: dict[tuple[str, str, object], list[Cable]] = {}
    for cable in own:
        metres = length_of(site, cable)
        key = (names[cable.far], cable.switch, metres.value if metres is not None else TODO)
        groups.setdefault(key, []).append(cable)
    for (hca, switch, length), mine in groups.items():
        for run in folded(("", (node,)) for node in dict.fromkeys(cable.far[0] for cable in mine)):
            values = {"hosts": run.texts[0], "hca": hca, "switch": switch, "ports": TODO, "cable_m": length}
            on = ", ".join(dict.fromkeys(cable.port for cable in mine))
            asked = "ports" if length != TODO else "ports and cable_m"
            why = f"parts of {on}, whose record has several ends, {place(mine[0].said.at)}"
            yield f"  - {flow(values).text}{comment(f'{TODO}: {asked}; {why}')}"
