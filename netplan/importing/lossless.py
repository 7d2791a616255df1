"""Lossless classes, also those of which only some lines of PFC are read, and those whose PFC priority is
another number than their queue, as in Juniper's own design (Juniper/jvd 005ab34
data_center/aidc/aiml_multitenancy_backend: queue 4, pfc-priority 3). An inventory has one number for both.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from netplan.importing.facts import Said, Site, place
from netplan.importing.open_lines import asked_by_lines
from netplan.importing.text import Entry, clash, todo
from netplan.model.readback import ReadQos

PFC_PRIORITY = "pfc_priority"
"""Field of a class: its PFC priorities, where they are not its own number."""
BY = "PFC by "
"""Of fields of a class: ``PFC by no-loss`` says whether it has that line. Without any of them it has none."""
_ONE = "one number for class, PFC priority and queue"


def lossless_classes(qos: ReadQos) -> Mapping[int, tuple[int, ...]]:
    """Queue -> its PFC priorities: that it sends (``pfc_groups``), else that stop it (``pfc_queues``), else
    the class's own (``class_queues``)."""
    found: dict[int, tuple[int, ...]] = {}
    for priority in sorted(qos.pfc):
        maps = (qos.pfc_groups, qos.pfc_queues, qos.class_queues)
        queues = next((own[priority] for own in maps if priority in own), {priority})
        for queue in queues:
            found[queue] = (*found.get(queue, ()), priority)
    return found


def beside_best_effort(qos: ReadQos) -> Mapping[int, tuple[int, ...]]:
    """Queue -> its PFC priorities, where most of its code points go by priorities without PFC. So it is where
    priority 4 gets PFC beside ``qos roce`` of NVUE, which has it in queue 0."""
    found: dict[int, tuple[int, ...]] = {}
    for queue, priorities in lossless_classes(qos).items():
        sending = frozenset[int]().union(*map(qos.sending, priorities))
        points = {dscp for dscp, own in qos.queues.items() if own == {queue}} & qos.groups.keys()
        free = [dscp for dscp in points if not qos.groups[dscp] & sending]
        if queue not in priorities and 2 * len(free) > len(points):
            found[queue] = priorities
    return found


def lossless_entry(site: Site, number: str) -> Entry | None:
    """True, what it asks, or None."""
    own = site.said("class", (number,), "lossless")
    if (asked := asked_lossless(site, number)) is not None:
        return asked
    return Entry(True, place(own.at)) if own is not None else asked_by_lines(site, number, "lossless")


def asked_lossless(site: Site, number: str) -> Entry | None:
    """Where lines of PFC name the class, and it is open whether it is lossless."""
    of = (number,)
    said, unlike = [*site.prefixed("class", of, BY)], site.about("class", of, BY)
    own = site.said("class", of, "lossless")
    found = {part: f"{part if each.value else f'no {part}'} ({place(each.at)})" for part, each in said}
    found |= {each.field.removeprefix(BY): f"{each.field} {each.values}" for each in unlike}
    if unlike or not all(each.value for _, each in said) or (found and own is None):
        what = f"true, or remove the key: PFC of Junos goes by {', '.join(found)}"
        return todo(what, "; ".join(found.values()))
    also = f"; lossless elsewhere ({place(own.at)})" if own is not None else ""
    return asked_by_lines(site, number, "lossless", also, alone=True)


def other_priority(site: Site, number: str) -> Entry | None:
    """What ``priority`` asks where PFC makes it open: of the class itself, and of one whose number is the PFC
    priority of another."""
    if (conflict := site.conflict("class", (number,), PFC_PRIORITY)) is not None:
        return clash(conflict)
    if (own := site.said("class", (number,), PFC_PRIORITY)) is not None:
        seen = f"PFC priority {_listed(own)}, queue {number} ({place(own.at)})"
        return todo(f"{_ONE}; with another than {_listed(own)} set the PFC priority of the hosts too", seen)
    seen = "; ".join(
        f"{number} is the PFC priority of class {other} ({place(said.at)})"
        for other, said in _elsewhere(site)
        if number in _listed(said).split(", ")
    )
    return todo(f"{_ONE}, which no other class has", seen) if seen else None


def _elsewhere(site: Site) -> Iterator[tuple[str, Said]]:
    for (other,) in site.every("class"):
        if (said := site.said("class", (other,), PFC_PRIORITY)) is not None:
            yield other, said


def _listed(said: Said) -> str:
    return ", ".join(map(str, said.value)) if isinstance(said.value, tuple) else str(said.value)
