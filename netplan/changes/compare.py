"""Two sides to one difference."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace

from netplan.changes.effects import effects
from netplan.changes.files import host_effects, pod_effects
from netplan.changes.intent import intent_of
from netplan.changes.model import ORDER, Difference, Effect, Intent, Touched
from netplan.changes.objects import object_effects
from netplan.changes.sides import Side
from netplan.changes.switches import cable_effects, switch_effects
from netplan.load import InputError
from netplan.model.folding import folded
from netplan.model.site import PATH, SiteFacts, SiteSwitch
from netplan.nos import NosLibrary, shipped
from netplan.reading.site import read_site
from netplan.write.manifest import MANIFEST

_NUMBER = re.compile(r"([0-9]+)")


def difference(old: Side, new: Side, library: NosLibrary | None = None) -> Difference:
    """Raises InputError where a side is not of the form that netplan renders."""
    facts = (facts_of(old), facts_of(new))
    known = effects()
    found = [
        *switch_effects(old, new, facts, library or shipped(), known),
        *cable_effects(facts, known),
        *object_effects(old, new, facts[1], known),
        *host_effects(old, new, facts[1], known),
        *pod_effects(old, new, known),
    ]
    before, after = ({path for path in side.texts if path != MANIFEST} for side in (old, new))
    return Difference(
        intent=_intent(old, new),
        effects=tuple(sorted(_folded(found), key=lambda each: ORDER[each.effect.word])),
        added=tuple(sorted(after - before)),
        removed=tuple(sorted(before - after)),
        changed=tuple(sorted(p for p in before & after if old.texts[p] != new.texts[p])),
        untouched=tuple(_untouched(old, new, facts[1].switches)),
        notes=tuple(_notes(old, new)),
    )


def _folded(found: list[Touched]) -> Iterator[Touched]:
    """Rows that count up together are one: leaf-[1-4], VLAN [100-103]."""
    groups: dict[tuple[str, Effect, str], list[Touched]] = {}
    for each in found:
        alike = _NUMBER.sub("0", f"{each.target} {each.change}")
        groups.setdefault((alike, each.effect, each.where), []).append(each)
    for rows in groups.values():
        width = len(_NUMBER.split(rows[0].target))  # every number is a column: several may count up
        columns = ((*_NUMBER.split(row.target), *_NUMBER.split(row.change)) for row in rows)
        for run in folded((rows[0].where, texts) for texts in columns):
            target, change = "".join(run.texts[:width]), "".join(run.texts[width:])
            yield replace(rows[0], target=target, change=change)


def _intent(old: Side, new: Side) -> tuple[Intent, ...]:
    if old.document is None or new.document is None:
        return ()
    return intent_of(old.document, new.document)


def facts_of(side: Side) -> SiteFacts:
    if PATH not in side.texts:
        raise InputError(f"{side.name}: there is no {PATH}: render it again with this netplan")
    try:
        return read_site(side.texts[PATH])
    except ValueError as error:
        raise InputError(f"{side.name}: {PATH}: {error}") from error


def _untouched(old: Side, new: Side, switches: Mapping[str, SiteSwitch]) -> Iterator[str]:
    """Parts of which no file differs, and the switches among all."""
    before, after = old.part("switches"), new.part("switches")
    same = sum(before.get(name) == after.get(name) for name in switches)
    if switches and same == len(switches):
        yield f"all {same} switches: no file differs"
    elif same:
        yield f"{same} of {len(switches)} switches: no file differs"
    for part, what in (("hosts", "hosts"), ("pods", "pods of the workloads"), ("kubernetes", "objects")):
        if old.part(part) == new.part(part):
            yield f"{what}: no file differs"


def _notes(old: Side, new: Side) -> Iterator[str]:
    for side in (old, new):
        if side.document is None:
            yield f"{side.name} is a rendered directory: what changed in the inventory is not known"
