"""HCAs of rails without a cable, where others have one: NP826 wants all of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from netplan.importing.cabling import CARD, Cable
from netplan.importing.cards import Card
from netplan.importing.facts import Of, place
from netplan.importing.names import folded
from netplan.importing.text import TODO, comment
from netplan.model.inventory_text import flow
from netplan.model.ranges import gathered
from netplan.model.values import natural
from netplan.report import count


@dataclass(frozen=True, slots=True)
class Uncabled:
    """``cards``: without a cable. ``where``: of the first cable of another one."""

    cards: tuple[Card, ...]
    where: str

    def __str__(self) -> str:
        hosts = gathered(sorted({card.node for card in self.cards}, key=natural))
        what = f"no dump has the cables of {count(len(self.cards), 'HCA')} of {hosts}, others have one"
        todo = "dump the LLDP neighbours of these hosts or of their switches, or state them in links"
        return f"{what} ({self.where}); {todo}"


def uncabled(cards: Iterable[Card], cables: Iterable[Cable]) -> Uncabled | None:
    """None where all HCAs of rails have a cable, or none has one. Hosts of cables in doubt are left out: what
    contradicts itself is asked about first."""
    cables = [*cables]
    ends = {cable.far: cable for cable in cables if cable.kind == CARD}
    used = [card for card in cards if card.rail is not None and not card.virtual]
    first = next((card for card in used if card.of in ends), None)
    if first is None:
        return None
    fabric = first.text("link")  # of two fabrics, one may have switches that tell no neighbours
    doubts = {*chain.from_iterable(map(_nodes, cables))}
    open_ends = (card for card in used if card.of not in ends and card.text("link") == fabric)
    without = tuple(card for card in open_ends if card.node not in doubts)
    return Uncabled(without, place(ends[first.of].said.at)) if without else None


def _nodes(cable: Cable) -> Iterator[str]:
    """Those that a cable in doubt may end on."""
    doubt = cable.doubt
    if doubt is None:
        return
    if doubt.kind == CARD:
        yield doubt.of[0]
    for said in (doubt.one, doubt.other):
        if isinstance(said.value, tuple) and said.value[0] == CARD:
            yield said.value[1]


def uncabled_lines(found: Uncabled, names: Mapping[Of, str]) -> Iterator[str]:
    """Rows of ``links``. ``names``: card -> HCA."""
    single = sorted(
        (natural(names[card.of]), natural(card.node), names[card.of], card.node) for card in found.cards
    )
    by_hca = folded((hca, (node,)) for *_, hca, node in single)
    rows: Sequence[tuple[str, str]] = sorted((run.texts[0], str(run.key)) for run in by_hca)
    asked = f"{TODO}: switch, ports and cable_m; no dump has these cables, others have one ({found.where})"
    for run in folded((hosts, (hca,)) for hosts, hca in rows):
        values = {"hosts": str(run.key), "hca": run.texts[0], "switch": TODO, "ports": TODO, "cable_m": TODO}
        yield f"  - {flow(values).text}{comment(asked)}"
