"""The ways that a change can take: each a row of waves."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

from netplan.changes.effects import Effects
from netplan.changes.files import host_effects, pod_effects
from netplan.changes.model import Touched, Word
from netplan.changes.objects import object_effects
from netplan.changes.rows import folded_rows
from netplan.changes.states import Ends, State, Version
from netplan.changes.switches import cable_effects, switch_effects
from netplan.changes.wave import Kind, Order, Wave

_REMADE: frozenset[Word] = frozenset({"remake", "new-pods", "readdressed"})


class Changed:
    """What differs between both ends, by who applies it."""

    def __init__(self, ends: Ends, effects: Effects) -> None:
        self.ends, self._effects = ends, effects
        old, new, facts = ends.old, ends.new, ends.facts[1]
        rows = tuple(object_effects(old, new, facts, effects))
        self.objects = tuple(each for each in rows if each.change != "gone")
        self.gone = tuple(each for each in rows if each.change == "gone")
        self.hosts = tuple(host_effects(old, new, facts, effects))
        self.pods = tuple(pod_effects(old, new, effects))
        self.cables = tuple(cable_effects(ends.facts, effects))

    @property
    def readdressed(self) -> tuple[str, ...]:
        """Pools that give addresses anew under running pods."""
        return tuple(
            f"{each.target}: {each.effect.what}" for each in self.objects if each.effect.word == "readdressed"
        )

    @property
    def remade(self) -> tuple[Touched, ...]:
        """Why running pods have to be made anew."""
        rows = (*self.pods, *self.objects)
        return tuple(each for each in rows if each.effect.word in _REMADE and each.change != "new")

    def of_switches(self, before: State, after: State) -> tuple[Touched, ...]:
        """Commands remove an address before they set it elsewhere; files that are loaded do not."""
        ends = self.ends
        one, other = (ends.side(state, "new") for state in (before, after))
        rows = switch_effects(one, other, ends.facts, ends.library, self._effects)
        commands = all(ends.form(name) for name in ends.differing)
        return tuple(each for each in rows if not (commands and each.effect.word == "twice"))


class Route:
    """Waves one after the other; one that would change nothing is left out."""

    def __init__(self, change: Changed) -> None:
        self._change = change
        self._state = State()
        self.waves: list[Wave] = []

    def switches(self, kind: Kind, version: Version, *tiers: Iterable[str]) -> None:
        ends = self._change.ends
        for names in map(tuple, tiers):
            before, after = self._state, self._state.with_switches(names, version)
            unlike = tuple(n for n in names if ends.differs(n, before.version(n), version))
            if unlike:
                self._add(kind, unlike, self._change.of_switches(before, after), after)
            self._state = after

    def cables(self) -> None:
        self._of_rows("cables", self._change.cables, replace(self._state, cables="new"))

    def hosts(self) -> None:
        self._of_rows("hosts", self._change.hosts, replace(self._state, hosts="new"))

    def objects(self) -> None:
        self._of_rows("objects", self._change.objects, replace(self._state, objects="new"))

    def objects_removed(self) -> None:
        self._of_rows("objects-remove", self._change.gone, self._state)

    def stop(self) -> None:
        self._add("stop", self._workloads(0), (), replace(self._state, pods="stopped"))

    def start(self) -> None:
        self._add("start", self._workloads(1), self._change.pods, replace(self._state, pods="new"))

    def pods(self) -> None:
        """While it goes on, old and new pods run beside each other."""
        if self._change.remade:
            self._add("pods", self._workloads(1), self._change.pods, replace(self._state, pods="both"))
        self._state = replace(self._state, pods="new")

    def _workloads(self, end: int) -> tuple[str, ...]:
        return tuple(self._change.ends.facts[end].workloads)

    def _of_rows(self, kind: Kind, rows: tuple[Touched, ...], after: State) -> None:
        if rows:
            together = tuple(folded_rows(rows))
            self._add(kind, tuple(dict.fromkeys(each.target for each in together)), together, after)
        self._state = after

    def _add(self, kind: Kind, targets: tuple[str, ...], rows: Iterable[Touched], after: State) -> None:
        self.waves.append(Wave(kind, targets, tuple(rows), self._state, after))
        self._state = after


def _outward(route: Route, spines: tuple[str, ...], leaves: tuple[str, ...]) -> None:
    route.switches("switches-set", "set", spines, leaves)
    route.cables()
    route.hosts()
    route.objects()
    route.pods()
    route.switches("switches-remove", "new", leaves, spines)
    route.objects_removed()


def _inward(route: Route, spines: tuple[str, ...], leaves: tuple[str, ...]) -> None:
    route.switches("switches-add", "added", spines, leaves)
    route.cables()
    route.objects()
    route.pods()
    route.hosts()
    route.switches("switches-finish", "new", leaves, spines)
    route.objects_removed()


def _window(route: Route, spines: tuple[str, ...], leaves: tuple[str, ...]) -> None:
    route.stop()
    route.switches("switches-replace", "new", (*leaves, *spines))
    route.cables()
    route.hosts()
    route.objects()
    route.start()
    route.objects_removed()


ORDERS: Mapping[Order, Callable[[Route, tuple[str, ...], tuple[str, ...]], None]] = {
    "outward": _outward,
    "inward": _inward,
    "window": _window,
}


def waves_of(change: Changed, order: Order) -> tuple[Wave, ...]:
    route = Route(change)
    ORDERS[order](route, change.ends.tier(leaves=False), change.ends.tier(leaves=True))
    return tuple(route.waves)
