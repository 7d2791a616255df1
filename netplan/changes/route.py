"""The orders in which a change can be made, each a sequence of waves."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace

from netplan.changes.effects import Effects
from netplan.changes.ends import Ends
from netplan.changes.model import INSTALLED, Effect, Touched
from netplan.changes.rows import folded_rows
from netplan.changes.state import State, Version
from netplan.changes.switches import ISOLATED, WORDS, switch_effects
from netplan.changes.wave import Kind, Order, Wave
from netplan.model.ranges import gathered
from netplan.model.values import natural


class Changed:
    """What differs between both ends, grouped by who applies it."""

    def __init__(self, ends: Ends, effects: Effects) -> None:
        self.ends, self._effects = ends, effects
        self.objects = tuple(each for each in ends.applied.object_rows if each.kind != "gone")
        self.gone, self.cleared = ends.applied.gone_rows, ends.applied.cleared_rows
        self.pods, self.cables = ends.applied.pod_rows, ends.cable_rows

    @property
    def readdressed(self) -> tuple[str, ...]:
        """Pools that assign new addresses under running pods."""
        return tuple(
            f"{each.target}: {each.effect.what}" for each in self.objects if each.effect.word == "readdressed"
        )

    @property
    def isolated(self) -> tuple[Touched, ...]:
        """Switches that are removed, isolated in the way of their NOS."""
        old, new = (side.switches for side in self.ends.facts)
        by_nos: dict[str, list[str]] = {}
        for name, switch in old.items():
            if name not in new:
                by_nos.setdefault(switch.nos, []).append(name)
        return tuple(
            Touched("switches", gathered(sorted(names, key=natural)), WORDS[ISOLATED], effect)
            for nos, names in by_nos.items()
            for effect in (self._effects.of_switch(ISOLATED, nos),)
        )

    @property
    def workloads(self) -> tuple[str, ...]:
        """Workloads before and after; removed ones are deleted first, new ones start at the end."""
        return self.ends.applied.workloads[0]

    def of_switches(self, names: Iterable[str], before: State, after: State) -> tuple[Touched, ...]:
        """Effects on switches. Commands remove an address before they set it elsewhere; loaded files do
        not."""
        ends = self.ends
        pairs = [ends.reads(name, before.version(name), after.version(name)) for name in names]
        rows = switch_effects(pairs, self._effects, ends.sent(before) | ends.sent(after))
        commands = all(ends.form(name) for name in ends.differing)
        return tuple(each for each in rows if not (commands and each.effect.word == "twice"))


class WaveBuilder:
    """Builds waves one after another; a wave that would change nothing is left out. ``stopped``:
    workloads."""

    def __init__(self, change: Changed, stopped: tuple[str, ...] = ()) -> None:
        self._change, self._stopped = change, stopped
        self._state = State()
        self.waves: list[Wave] = []

    def switches(self, kind: Kind, version: Version, *tiers: Iterable[str]) -> None:
        """Adds waves of switches, without those that are removed."""
        ends = self._change.ends
        stay = ends.facts[1].switches
        for names in map(tuple, tiers):
            before, after = self._state, self._state.with_switches(names, version)
            unlike = tuple(n for n in names if n in stay and ends.differs(n, before.version(n), version))
            if unlike:
                rows = self._change.of_switches(unlike, before, after)
                self._add(kind, unlike, (*rows, *self._by_hand(unlike, version)), after)
            self._state = after

    def _by_hand(self, names: Iterable[str], version: Version) -> Iterator[Touched]:
        """Work that no file of the wave does, grouped by switches that share it."""
        ends, found = self._change.ends, dict[str, list[str]]()
        for name in names:
            change = ends.change(name, self._state.version(name), version)
            for text in change.by_hand if change else ():
                found.setdefault(text, []).append(name)
        for text, those in found.items():
            effect = Effect("by-hand", f"{gathered(those)}: {text}", "", "reasoned")
            yield Touched("switches", gathered(those), "by hand", effect)

    def cables(self) -> None:
        self._of_rows("cables", self._change.cables, replace(self._state, cables="new"))

    def hosts_added(self) -> None:
        """The old files, with NICs that also know the new DSCPs."""
        self._hosts("hosts-add", "added")

    def hosts_set(self) -> None:
        """The new files, with NICs that also know the old DSCPs."""
        ends = self._change.ends
        if ends.host_texts("set") == ends.host_texts("new"):
            self.hosts()
        else:
            self._hosts("hosts-set", "set")

    def hosts(self) -> None:
        self._hosts("hosts-finish" if self._state.hosts == "set" else "hosts", "new")

    def _hosts(self, kind: Kind, version: Version) -> None:
        rows = self._change.ends.host_rows(self._state.hosts, version)
        self._of_rows(kind, rows, replace(self._state, hosts=version))

    def objects(self) -> None:
        """CRDs are installed before the objects that use them."""
        self._of_rows("charts", self._change.ends.chart_rows, self._state)
        self._of_rows("objects", self._change.objects, replace(self._state, objects="new"))

    def objects_cleared(self) -> None:
        """Objects that others cannot coexist with."""
        self._of_rows("objects-clear", self._change.cleared, self._state)

    def isolate(self) -> None:
        """Removed switches forward nothing when their cables are pulled."""
        rows = self._change.isolated
        self._of_rows("isolate", rows, self._state)

    def objects_removed(self) -> None:
        self._of_rows("objects-remove", self._change.gone, self._state)

    def stop(self) -> None:
        """Stops all workloads, or some while others run; removed ones in any case."""
        if gone := self._change.ends.applied.workloads[1]:
            self._add("delete", gone, (), self._state)
        self._nodes("drain", ("gone", "type"))
        if self._stopped:
            all_of_them = self._stopped == self._change.workloads
            after = replace(self._state, pods="stopped") if all_of_them else self._state
            self._add("stop", self._stopped, (), after)

    def pods(self) -> None:
        """While pods are recreated one by one, old and new pods run side by side."""
        running = tuple(name for name in self._change.ends.applied.restarted if name not in self._stopped)
        if running:
            self._add("pods", running, self._change.pods, replace(self._state, pods="both"))
        self._state = replace(self._state, pods="new")
        if self._stopped:
            self._add("start", self._stopped, self._change.pods, self._state)

    def join(self) -> None:
        """Nodes join before pods are placed by labels."""
        self._nodes("join", ("new", "type", "labels"))

    def _nodes(self, kind: Kind, changes: tuple[str, ...]) -> None:
        """Hosts with these changes, and moved ones; their files say what to install."""
        rows = [each for each in self._change.ends.name_rows if each.kind in changes]
        names = {*(each.target for each in rows), *self._change.ends.moved}
        own = tuple(each for each in rows if each.kind not in INSTALLED)
        if names:
            self._add(kind, tuple(sorted(names, key=natural)), own, self._state)

    def _of_rows(self, kind: Kind, rows: tuple[Touched, ...], after: State) -> None:
        if rows:
            together = tuple(folded_rows(rows))
            self._add(kind, tuple(dict.fromkeys(each.target for each in together)), together, after)
        self._state = after

    def _add(self, kind: Kind, targets: tuple[str, ...], rows: Iterable[Touched], after: State) -> None:
        self.waves.append(Wave(kind, targets, tuple(rows), self._state, after))
        self._state = after


def _outward(route: WaveBuilder, spines: tuple[str, ...], leaves: tuple[str, ...]) -> None:
    route.stop()
    route.switches("switches-set", "set", spines, leaves)
    route.isolate()
    route.cables()
    route.hosts_set()
    route.objects_cleared()
    route.objects()
    route.join()
    route.pods()
    route.hosts()
    route.switches("switches-remove", "new", leaves, spines)
    route.objects_removed()


def _inward(route: WaveBuilder, spines: tuple[str, ...], leaves: tuple[str, ...]) -> None:
    route.stop()
    route.switches("switches-add", "added", spines, leaves)
    route.hosts_added()
    route.isolate()
    route.cables()
    route.objects_cleared()
    route.objects()
    route.join()
    route.pods()
    route.hosts()
    route.switches("switches-finish", "new", leaves, spines)
    route.objects_removed()


def _window(route: WaveBuilder, spines: tuple[str, ...], leaves: tuple[str, ...]) -> None:
    route.stop()
    route.switches("switches-replace", "new", (*leaves, *spines))
    route.isolate()
    route.cables()
    route.hosts()
    route.objects_cleared()
    route.objects()
    route.join()
    route.pods()
    route.objects_removed()


ORDERS: Mapping[Order, Callable[[WaveBuilder, tuple[str, ...], tuple[str, ...]], None]] = {
    "outward": _outward,
    "inward": _inward,
    "window": _window,
}


CONNECTED: tuple[Order, ...] = ("outward", "inward")
"""Orders in which pods keep running."""


def waves_of(change: Changed, order: Order, stopped: tuple[str, ...] = ()) -> tuple[Wave, ...]:
    """``stopped``: for an order in which pods keep running; in a window all are stopped."""
    route = WaveBuilder(change, change.workloads if order == "window" else stopped)
    ORDERS[order](route, change.ends.tier(leaves=False), change.ends.tier(leaves=True))
    return tuple(route.waves)
