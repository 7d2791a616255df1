"""``fabric.qos``: the classes the switches have."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping

from netplan.importing.eos_watchdog import ASKED
from netplan.importing.facts import Contradiction, Remark, Said, Site, first_faults, place, shown, texts_in
from netplan.importing.lossless import PFC_PRIORITY, asked_lossless, lossless_entry, other_priority
from netplan.importing.nxos_classes import STRICT_ASKED
from netplan.importing.open_lines import KEYS as OPEN_KEYS
from netplan.importing.open_lines import asked_by_lines
from netplan.importing.shipped_trust import untrusted
from netplan.importing.shipped_watchdog import asked_times, asked_watchdog
from netplan.importing.stated_dscps import STATED, points_of
from netplan.importing.switches import SwitchRow
from netplan.importing.text import INEXPRESSIBLE, TODO, Entry, block, clash, line, stated, todo, told
from netplan.importing.unlike_classes import WATCHDOG, Unlike, folded, told_beside, unlike_classes
from netplan.importing.unreached import AS_SHIPPED, SHOWN_BY
from netplan.importing.weights import BEYOND, SHARE_ASKED, SUM, WHOLE
from netplan.model.inventory_text import flow

CNP_DSCP = ("48",)
"""Code point of the class named cnp in the shipped inventories."""
BEST_EFFORT = "0"
"""Its number in an inventory (NP404)."""
_ECN = ("kmin_bytes", "kmax_bytes", "probability_percent")


def qos_entry(site: Site, switches: Iterable[SwitchRow], carriers: Container[str]) -> Entry | list[str]:
    """``switches``: of the fabric; ``carriers``: those on rails."""
    names = _names(site)
    if not names:
        return _no_class(site)
    unlike = {(each.number, each.key): each.entry for each in unlike_classes(site, switches, carriers).among}
    classes = [text for number, name in names.items() for text in _class(site, number, name, unlike)]
    trust = stated(site, "cluster", (), "trust") or asked_by_lines(site, "", "trust") or untrusted(site)
    trusted = [line(2, "trust", trust)] if trust is not None and trust.value != "dscp" else []
    lines = ["  qos:", *trusted, "    classes:", *classes]
    if asked := _watchdog_asked(site) or unlike.get(("", WATCHDOG)) or asked_watchdog(site):
        return [*lines, line(2, WATCHDOG, asked)]
    return [*lines, *block(2, WATCHDOG, _watchdog(site))]


def _no_class(site: Site) -> Entry:
    seen = next(filter(None, (asked_by_lines(site, "", key) for key in OPEN_KEYS)), None)
    runs = any(site.said("switch", of, "nos") for of in site.every("switch"))
    where = "none follows from the switch configurations" if runs else "no switch configuration is"
    return seen or todo("classes, ECN and PFC", f"{where} in the dumps")


def _names(site: Site) -> dict[str, str]:
    """Number of a class -> its name here; best effort has none."""
    found: dict[str, str] = {}
    for (number,) in site.every("class"):
        of = (number,)
        fields = site.fields("class", of)
        marked = "dscp" in fields or site.conflict("class", of, "dscp") is not None
        marked |= AS_SHIPPED in fields
        marked |= "scheduling" in fields and asked_by_lines(site, number, "dscp") is not None
        if "lossless" in fields or asked_lossless(site, number):  # never best effort, whatever the maps say
            found[number] = "roce" if "roce" not in found.values() else f"lossless-{number}"
        elif "usual" in fields or not (marked or _is_of_cnps(site, number)):
            continue
        elif "cnp" not in found.values() and _is_of_cnps(site, number):
            found[number] = "cnp"
        else:
            found[number] = f"tc{number}"
    return found


def _by_pcp(site: Site) -> bool:
    return site.text("cluster", (), "trust") == "pcp"


def _is_of_cnps(site: Site, number: str) -> bool:
    """By its code point; where ports look at none, the class that is served first."""
    strict = site.text("class", (number,), "scheduling") == "strict"
    points = points_of(site, number)
    return (points is not None and points.value == CNP_DSCP) or (strict and _by_pcp(site))


def _bandwidth(site: Site, number: str) -> Entry | None:
    """The share of its queue among all that get packets."""
    if (beyond := site.said("class", (number,), BEYOND)) is not None:
        what = "percent of this class that runs, which nv show qos egress-scheduler default-global prints"
        why = "with those that qos roce has for classes without a line the weights add up to"
        return todo(what, f"{why} {beyond.value} ({place(beyond.at)})")
    of = (number,)
    own = site.said("class", of, "share") or site.said("class", of, "weight")
    if own is None or not isinstance(own.value, int):
        return None
    stated, total = f"weight {own.value}", site.number("class", of, SUM)
    if (asked := site.said("class", of, SHARE_ASKED)) is not None:
        return todo("its share of the bandwidth in percent", f"{stated}, {asked.value} ({place(own.at)})")
    if not own.value or not total:
        return None
    percent = min(max(round(WHOLE * own.value / total), 1), WHOLE - 1)
    plain = total == WHOLE and site.said("class", of, "share") is not None
    return Entry(percent, ("" if plain else f"{stated} of {total}, ") + place(own.at))


def _class(site: Site, number: str, name: str, unlike: Mapping[tuple[str, str], Entry]) -> list[str]:
    """``unlike``: what not all switches have, by class and key."""
    of = (number,)
    fields = site.fields("class", of)
    entries: dict[str, Entry] = {"dscp": _dscp(site, number), "priority": _priority(site, number)}
    if (lossless := lossless_entry(site, number)) is not None:
        entries["lossless"] = lossless
    entries.update(_served(site, number, fields))
    if (ecn := _ecn(site, number, fields)) is not None:
        entries["ecn"] = ecn
    for (own, key), entry in unlike.items():
        if own == number and not _is_asked(entries.get(key)):
            entries[key] = entry
    for conflict in site.about("class", of):
        if conflict.field in _ECN:
            entries["ecn"] = clash(conflict)
        elif conflict.field in ("scheduling", "share", "weight", SUM, SHARE_ASKED):
            entries["bandwidth_percent"] = clash(conflict)
        elif conflict.field == "queue":
            entries["priority"] = clash(conflict)
    return block(3, name, entries)


def _is_asked(entry: Entry | None) -> bool:
    return entry is not None and entry.value == TODO


def _served(site: Site, number: str, fields: Mapping[str, Said]) -> dict[str, Entry]:
    of = (number,)
    if site.text("class", of, "scheduling") == "strict":
        return {"scheduling": Entry("strict", place(fields["scheduling"].at))}
    if (asked := site.said("class", of, STRICT_ASKED)) is not None:
        why = "strict, or remove the key; NX-OS takes strict queues from queue 7 downwards"
        return {"scheduling": todo(why, f"{asked.value} ({place(asked.at)})")}
    bandwidth = _bandwidth(site, number) or asked_by_lines(site, number, "bandwidth_percent", alone=True)
    scheduling = asked_by_lines(site, number, "scheduling", alone=bandwidth is not None)
    return {
        **({"scheduling": scheduling} if scheduling is not None else {}),
        **({"bandwidth_percent": bandwidth} if bandwidth is not None else {}),
    }


def _ecn(site: Site, number: str, fields: Mapping[str, Said]) -> Entry | None:
    of = (number,)
    marking = {key: fields[key].value for key in _ECN if key in fields}
    if "kmin_bytes" in marking and "kmax_bytes" in marking:
        return Entry(flow(marking), _unit(site, number, place(fields["kmin_bytes"].at)))
    if other := [said for _, said in site.prefixed("class", of, "ecn_in/")]:
        seen = "; ".join(f"{said.value} ({place(said.at)})" for said in other)
        return todo("thresholds of ECN in bytes; the size of the unit depends on the ASIC", seen)
    return asked_by_lines(site, number, "ecn", alone=site.text("class", of, "scheduling") == "strict")


def _unit(site: Site, number: str, at: str) -> str:
    """``at``, and the size of the unit in which the thresholds are stated."""
    units = site.prefixed("class", (number,), "ecn_by/")
    taken = [f"{unit} taken as {said.value:,} bytes each, not confirmed" for unit, said in units]
    return "; ".join([at, *taken[:1]])


def dscp_clashes(site: Site) -> Iterator[tuple[tuple[str, str], str]]:
    """Code points that are in two classes, of different switches: the classes, and both places."""
    first: dict[str, tuple[str, Said]] = {}
    for (number,) in site.every("class"):
        if (said := site.said("class", (number,), "dscp")) is None:
            continue
        for point in site.listed("class", (number,), "dscp"):
            other, there = first.setdefault(point, (number, said))
            if other != number:
                what = f"DSCP {point} is in class {other} ({place(there.at)}) and {number} ({place(said.at)})"
                yield (other, number), what


def other_points(site: Site) -> Iterator[Contradiction]:
    yield from first_faults((numbers, why) for numbers, why in dscp_clashes(site))


def unlike_switches(
    site: Site, rows: Iterable[SwitchRow], carriers: Container[str]
) -> Iterator[Contradiction]:
    """Settings that not all on rails have, without those of classes of which they contradict code points or
    PFC priorities, which are told as such."""
    mapped = any(site.conflict("class", of, PFC_PRIORITY) for of in site.every("class"))
    found = _told(site, unlike_classes(site, rows, carriers).among)
    yield from folded(each for each in found if each.key != "lossless" or not mapped)


def switches_beside(site: Site, rows: Iterable[SwitchRow], carriers: Container[str]) -> Iterator[Remark]:
    """Those on no rail that lack settings of the others."""
    yield from told_beside(_told(site, unlike_classes(site, rows, carriers).beside))


def _told(site: Site, found: Iterable[Unlike]) -> Iterator[Unlike]:
    doubted = {number for numbers, _ in dscp_clashes(site) for number in numbers}
    asked = {"", *_names(site)} - doubted
    return (each for each in found if each.number in asked)


def _dscp(site: Site, number: str) -> Entry:
    for field in ("dscp", STATED):
        if (conflict := site.conflict("class", (number,), field)) is not None:
            return clash(conflict)
    if (doubt := next((why for numbers, why in dscp_clashes(site) if number in numbers), None)) is not None:
        return todo("decide, sources disagree", doubt)
    said = points_of(site, number)
    points, shipped = texts_in(said.value if said else None), _as_shipped(site, number)
    if said is not None and len(points) == 1 and not shipped:
        return Entry(int(points[0]), place(said.at))
    if said is None and (asked := asked_by_lines(site, number, "dscp")) is not None:
        return asked
    own = f"{', '.join(points)} ({place(said.at)})" if said else ""
    where = "; ".join(filter(None, (own, shipped))) or "no map of DSCP in the dumps has it"
    rest = "; all others become best effort" if shipped else ""
    return todo(f"the one DSCP of class {number}{rest}", where)


def _as_shipped(site: Site, number: str) -> str:
    said = site.said("class", (number,), AS_SHIPPED)
    shown = site.text("class", (number,), SHOWN_BY)
    what = f"code points without a line follow the map as shipped: {shown}"
    return f"{what}; {place(said.at)}" if said is not None else ""


def _priority(site: Site, number: str) -> Entry:
    """In netplan priority, class and queue are the same number."""
    if number == BEST_EFFORT:
        return _beside_best_effort(site)
    if (asked := other_priority(site, number)) is not None:
        return asked
    queue, pcp = site.said("class", (number,), "queue"), site.said("class", (number,), "pcp")
    if pcp is not None and _by_pcp(site) and pcp.value != (number,):
        return todo(
            "one number for class, priority and PCP", f"its PCP is {shown(pcp.value)} ({place(pcp.at)})"
        )
    shipped = site.said("class", (number,), "queue_as_shipped")
    if number in "01234567" and (queue is None or queue.value == number):
        why = f"no line maps class {number} to a queue: tx-queue {number}, as EOS ships it; show qos maps"
        return Entry(int(number), f"{why}; {place(shipped.at)}" if shipped else _class_at(site, number))
    where = f"its queue is {queue.value} ({place(queue.at)})" if queue else f"class {number}"
    return todo("one number for class, priority and queue", where)


def _class_at(site: Site, number: str) -> str:
    """Where a class is stated by its number."""
    fields = site.fields("class", (number,))
    stated = (fields[key] for key in ("queue", "lossless", "dscp", "scheduling") if key in fields)
    return next((f"class {number}, {place(said.at)}" for said in stated), "")


def _beside_best_effort(site: Site) -> Entry:
    """Class 0 beside another one that is best effort, as SONiC's own map has them."""
    what = f"{INEXPRESSIBLE}: class 0 carries what matches no class; remove this one, whose packets are then "
    what += "best effort, or state another number from 1 to 7, which moves them"
    where = [f"best effort is class {number} today ({place(said.at)})" for number, said in _usual(site)]
    return todo(what, "; ".join(where) or f"class {BEST_EFFORT} with PFC or a code point of its own")


def _usual(site: Site) -> Iterator[tuple[str, Said]]:
    for (number,) in site.every("class"):
        if (said := site.said("class", (number,), "usual")) is not None and number != BEST_EFFORT:
            yield number, said


def other_best_effort(site: Site) -> Iterator[Remark]:
    """Packets that match no class, on switches that have them in another one than class 0."""
    for number, said in _usual(site):
        why = "an inventory has it in class 0, so packets that match no class move to queue 0"
        yield Remark(said.at, f"best effort in class {number}: {why}")


def _watchdog(site: Site) -> Mapping[str, Entry]:
    entries: dict[str, Entry] = {}
    for name, said in site.prefixed("cluster", (), "watchdog/"):
        entries[name] = told(said)
    for conflict in site.about("cluster", (), "watchdog/"):
        entries[conflict.field.removeprefix("watchdog/")] = clash(conflict)
    return entries | dict(asked_times(site))


def _watchdog_asked(site: Site) -> Entry | None:
    """Where a switch has one that netplan does not write."""
    if (conflict := site.conflict("cluster", (), ASKED)) is not None:
        return clash(conflict)
    said = site.said("cluster", (), ASKED)
    if said is None or not isinstance(said.value, tuple):
        return None
    answer, unlike = said.value
    what = (
        f"{answer}, which drops the packets of a stuck queue, or remove the key: netplan writes no watchdog"
    )
    return todo(what, f"the one that runs has {unlike} ({place(said.at)})")
