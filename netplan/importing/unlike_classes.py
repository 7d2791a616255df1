"""PFC, ECN, strict queues, shares and the PFC watchdog that some switches run and others do not: an inventory
has them for the whole fabric, so that netplan would write them to the others, or take them away."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from netplan.importing.facts import Contradiction, Fact, Remark, Said, Site, place
from netplan.importing.open_lines import open_field
from netplan.importing.switches import SwitchRow
from netplan.importing.text import Entry, todo
from netplan.model.ranges import gathered

_RUNS, _OPEN = "runs/", "open"
WATCHDOG = "pfc_watchdog"
_FIELDS: Mapping[str, str] = {
    "lossless": "lossless",
    "kmin_bytes": "ecn",
    "scheduling": "scheduling",
    "weight": "bandwidth_percent",
    "share": "bandwidth_percent",
}
"""Field of a class -> the key of the inventory that it shows."""
_CALLED: Mapping[str, str] = {
    "lossless": "PFC",
    "ecn": "ECN",
    "scheduling": "a strict queue",
    "bandwidth_percent": "a share of the bandwidth",
    WATCHDOG: "a PFC watchdog",
}
_ASKED: Mapping[str, str] = {
    "lossless": "true if all switches are to have it, else remove the key",
    "ecn": "thresholds for all switches, or remove the key",
    "scheduling": "strict if it is to be so on all switches, else remove the key",
    "bandwidth_percent": "a share for all switches, or remove the key",
    WATCHDOG: "its times if all switches are to have it, else remove the key",
}


@dataclass(frozen=True, slots=True)
class Unlike:
    """``number``: of the class, empty for the watchdog; ``key``: of the inventory; ``own``: switches that
    have it, ``bare``: those that have not."""

    number: str
    key: str
    own: Mapping[str, Said]
    bare: Mapping[str, Said]

    @property
    def what(self) -> str:
        return f"{_CALLED[self.key]} of class {self.number}" if self.number else _CALLED[self.key]

    @property
    def entry(self) -> Entry:
        return todo(f"{_ASKED[self.key]}; sources disagree", self.told(self.what))

    def told(self, what: str) -> str:
        has = f"{'has' if len(self.own) == 1 else 'have'} {what}"
        return f"{_named(self.own)} {has}, {_named(self.bare)} not"


def _named(switches: Mapping[str, Said]) -> str:
    return f"{gathered(switches)} ({place(next(iter(switches.values())).at)})"


def runs_facts(switch: str, said: Iterable[Fact | Remark]) -> Iterator[Fact]:
    """``said``: of one switch. What it runs, and of which keys it has lines that are not read."""
    for fact in said:
        if isinstance(fact, Fact) and (found := _run(fact)) is not None:
            key, state = found
            number = fact.of[0] if fact.of else ""
            yield Fact("switch", (switch,), f"{_RUNS}{key}/{number}/{state}", True, fact.at)


def _run(fact: Fact) -> tuple[str, str] | None:
    if fact.kind == "cluster":
        if fact.field.startswith("watchdog"):
            return WATCHDOG, "on"
    elif fact.kind != "class":
        return None
    for key in _CALLED:
        if fact.field.startswith((open_field(key, ""), f"{key}_in/")):
            return key, _OPEN
    key = _FIELDS.get(fact.field, "") if fact.kind == "class" else ""
    on = bool(fact.value) if key != "scheduling" else fact.value == "strict"
    return (key, "on") if key and on else None


Runs = Mapping[tuple[str, str], Mapping[str, Said]]
"""(number of a class, key) -> switch -> where it has it."""


@dataclass(frozen=True, slots=True)
class Compared:
    """``among``: on rails alone, of switches whose configuration is among the dumps. ``beside``: what these
    have and others have not; they need not."""

    among: Sequence[Unlike]
    beside: Sequence[Unlike]


def unlike_classes(site: Site, rows: Iterable[SwitchRow], carriers: Container[str]) -> Compared:
    """``carriers``: switches on rails. What others alone have is compared too, as netplan would write it to
    all."""
    read = {row.name: row.fields["nos"] for row in rows if "nos" in row.fields}
    runs, opened = _running(site, read)
    among, beside = list[Unlike](), list[Unlike]()
    for (number, key), own in sorted(runs.items()):
        bare = {name: at for name, at in read.items() if name not in own and (name, key) not in opened}
        inside, outside = _parted(bare, carriers)
        of_rails, _ = _parted(own, carriers)
        if inside and not _is_strict(runs, number, key, inside):
            among.append(Unlike(number, key, of_rails or own, inside))
        if of_rails and outside and not _is_strict(runs, number, key, outside):
            beside.append(Unlike(number, key, of_rails, outside))
    return Compared(among, beside)


def _parted(of: Mapping[str, Said], carriers: Container[str]) -> tuple[dict[str, Said], dict[str, Said]]:
    """Those on rails, and the others."""
    inside = {name: said for name, said in of.items() if name in carriers}
    return inside, {name: said for name, said in of.items() if name not in carriers}


def _running(site: Site, names: Iterable[str]) -> tuple[Runs, set[tuple[str, str]]]:
    """What switches run, and (switch, key) of what lines that are not read may set."""
    runs: dict[tuple[str, str], dict[str, Said]] = {}
    opened: set[tuple[str, str]] = set()
    for name in names:
        for text, said in site.prefixed("switch", (name,), _RUNS):
            key, number, state = text.split("/")
            if state == _OPEN:
                opened.add((name, key))
            else:
                runs.setdefault((number, key), {}).setdefault(name, said)
    return runs, opened


def _is_strict(runs: Runs, number: str, key: str, bare: Iterable[str]) -> bool:
    """Whether those without a share have the class in a strict queue, which is told as such."""
    return key == "bandwidth_percent" and {*bare} <= runs.get((number, "scheduling"), {}).keys()


def folded(found: Iterable[Unlike]) -> Iterator[Contradiction]:
    """One for the same switches."""
    groups: dict[tuple[tuple[str, ...], ...], list[Unlike]] = {}
    for each in found:
        groups.setdefault((tuple(each.own), tuple(each.bare)), []).append(each)
    for first, *others in groups.values():
        yield Contradiction(first.told(", ".join(each.what for each in (first, *others))), 0)


_APART = (
    "no card on a rail has a cable there, nor is it between switches that have one, so it is not compared "
    "with them; netplan writes fabric.qos to all switches: remove it from switches if it is to stay as it is"
)


def told_beside(found: Iterable[Unlike]) -> Iterator[Remark]:
    """One for the same settings."""
    lacks: dict[str, list[Unlike]] = {}
    for each in found:
        for name in each.bare:
            lacks.setdefault(name, []).append(each)
    groups: dict[str, list[str]] = {}
    for name, own in lacks.items():
        groups.setdefault(", ".join(each.what for each in own), []).append(name)
    for what, names in groups.items():
        called, first = gathered(names), lacks[names[0]][0]
        yield Remark(
            first.bare[names[0]].at, f"{called} without {what}: {_APART}", alike=_APART, value=called
        )
