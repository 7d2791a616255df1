"""Builds one difference from two sides."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from netplan.changes.effects import effects
from netplan.changes.ends import Ends
from netplan.changes.intent import intent_of
from netplan.changes.model import INSTALLED, ORDER, Difference, Intent
from netplan.changes.rows import folded_rows
from netplan.changes.sides import Side
from netplan.changes.switches import switch_effects
from netplan.load import InputError
from netplan.model.site import PATH, SiteFacts, SiteSwitch
from netplan.nos import NosLibrary, shipped
from netplan.reading.site import read_site
from netplan.write.manifest import MANIFEST


def ends_of(old: Side, new: Side, library: NosLibrary | None = None) -> Ends:
    """Raises InputError if a side is not in the form that netplan renders."""
    return Ends(old, new, (facts_of(old), facts_of(new)), library or shipped())


def difference(ends: Ends) -> Difference:
    old, new, facts = ends.old, ends.new, ends.facts
    found = [
        *switch_effects(
            (ends.reads(name, "old", "new") for name in ends.differing),
            effects(),
            alike=lambda name: not ends.differs(name, "old", "new"),
        ),
        *ends.cable_rows,
        *ends.chart_rows,
        *ends.applied.object_rows,
        *ends.host_rows("old", "new"),
        *(each for each in ends.name_rows if each.kind not in INSTALLED),
        *ends.applied.pod_rows,
    ]
    before, after = ({path for path in side.texts if path != MANIFEST} for side in (old, new))
    return Difference(
        intent=_intent(old, new),
        effects=tuple(sorted(folded_rows(found), key=lambda each: ORDER[each.effect.word])),
        added=tuple(sorted(after - before)),
        removed=tuple(sorted(before - after)),
        changed=tuple(sorted(p for p in before & after if old.texts[p] != new.texts[p])),
        untouched=tuple(_untouched(old, new, facts[1].switches)),
        notes=tuple(_notes(old, new)),
    )


def _intent(old: Side, new: Side) -> tuple[Intent, ...]:
    if old.document is None or new.document is None:
        return ()
    return intent_of(old.document, new.document)


def facts_of(side: Side) -> SiteFacts:
    if PATH not in side.texts:
        raise InputError(f"{side.name}: {PATH} is missing: render it again with this netplan version")
    try:
        return read_site(side.texts[PATH])
    except ValueError as error:
        raise InputError(f"{side.name}: {PATH}: {error}") from error


def _untouched(old: Side, new: Side, switches: Mapping[str, SiteSwitch]) -> Iterator[str]:
    """Parts in which no file differs, and how many switches do not."""
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
            yield f"{side.name} is a rendered directory: changes in the inventory are unknown"
