"""Networks that netplan renders under another name than pods ask for today: an inventory has one name for all
rails, to which rail and leaf are appended (``attachment_name`` of ``netplan/plan/attachments.py``)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from netplan.importing.cabling import CARD, Cable
from netplan.importing.cards import Card
from netplan.importing.facts import Remark, not_taken
from netplan.importing.kubernetes.claims import CLAIMED
from netplan.importing.networks import FoundNetwork, NetworkRow
from netplan.importing.text import Entry, Section

_WHY = "pods that ask for the name of today have to change"


def renamed_networks(
    rows: Iterable[NetworkRow], cards: Sequence[Card], cables: Iterable[Cable], rails: Section
) -> Iterator[Remark]:
    """``rails``: the section, whose ``segment`` says whether leaves have a network each."""
    leaves = _leaves(cards, cables)
    for row in rows:
        for part in row.parts:
            names = _names(row, part, leaves, rails)
            if part.of[1] not in names and CLAIMED not in part.fields:
                why = f"rendered as {next(iter(names))}; {_WHY}"
                told = not_taken(part.fields["mode"].at, "name of a network", "/".join(part.of), why)
                yield replace(told, alike=_WHY)


def _names(
    row: NetworkRow, part: FoundNetwork, leaves: Mapping[int, Sequence[str]], rails: Section
) -> dict[str, None]:
    if part.rail is None or not row.rails:
        return {row.name: None}
    plain, segment = f"{row.name}-{part.rail}", rails.get("segment")
    found = [f"{plain}-{leaf}" for leaf in leaves.get(part.rail, ())]
    stated = segment.value if isinstance(segment, Entry) else ""
    if stated in ("stretched", "host") or not leaves:
        return {plain: None}
    if not found:  # its cables are asked for
        return {plain: None, part.of[1]: None} if part.of[1].startswith(f"{plain}-") else {plain: None}
    return dict.fromkeys(found if segment is None else (*found, plain))


def _leaves(cards: Iterable[Card], cables: Iterable[Cable]) -> dict[int, list[str]]:
    """Rail -> its leaves."""
    rails = {card.of: card.rail for card in cards}
    found: dict[int, list[str]] = {}
    for cable in cables:
        rail = rails.get(cable.far) if cable.kind == CARD else None
        if rail is not None and cable.switch not in found.setdefault(rail, []):
            found[rail].append(cable.switch)
    return found
