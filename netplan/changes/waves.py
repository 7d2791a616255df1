"""The order of a change: the first of several orders none of whose states is refuted."""

from __future__ import annotations

from dataclasses import dataclass

from netplan.changes.effects import effects
from netplan.changes.ends import Ends
from netplan.changes.judge import Judge
from netplan.changes.route import CONNECTED, Changed, waves_of
from netplan.changes.state import State
from netplan.changes.wave import Course, Order, Wave


def course(ends: Ends) -> Course:
    """Network first, else pods first, stopping only the workloads that neither order keeps connected. If
    nothing else works, a maintenance window with all pods stopped."""
    change, judge = Changed(ends, effects()), Judge(ends)
    tried: list[_Tried] = []
    for order in CONNECTED:
        waves = waves_of(change, order)
        if any(_states(waves) == _states(other.waves) for other in tried):
            continue
        one = _tried(order, waves, change, judge)
        if not one.faults:
            return Course(order if len(waves) > 1 else "plain", waves, (), _against(tried))
        tried.append(one)
    return _stopping(change, tried)


@dataclass(frozen=True, slots=True)
class _Tried:
    """``stopped``: workloads to stop for the order to work; None if stopping some is not enough."""

    order: Order
    waves: tuple[Wave, ...]
    faults: tuple[str, ...]
    stopped: frozenset[str] | None


def _tried(order: Order, waves: tuple[Wave, ...], change: Changed, judge: Judge) -> _Tried:
    if change.readdressed:
        return _Tried(order, waves, change.readdressed, None)
    concerned = {name for _, names in change.ends.applied.blocked for name in names}
    texts: dict[str, None] = dict.fromkeys(text for text, names in change.ends.applied.blocked if names)
    if concerned and concerned >= set(change.workloads):
        return _Tried(order, waves, tuple(texts), None)
    for wave in waves:
        refuted = judge.faults(wave)
        texts |= dict.fromkeys(each.text for each in refuted)
        concerned |= {each.workload for each in refuted}
        if "" in concerned or concerned >= set(change.workloads):
            return _Tried(order, waves, tuple(texts), None)
    return _Tried(order, waves, tuple(texts), frozenset(concerned))


def _stopping(change: Changed, tried: list[_Tried]) -> Course:
    """The order that stops the fewest workloads."""
    possible = [(len(each.stopped), each.order, each.stopped) for each in tried if each.stopped is not None]
    if not possible:
        return Course("window", waves_of(change, "window"), change.workloads, _against(tried))
    _, order, stopped = min(possible, key=lambda each: each[0])
    names = tuple(name for name in change.workloads if name in stopped)
    return Course(order, waves_of(change, order, names), names, _against(tried))


def _against(tried: list[_Tried]) -> tuple[tuple[Order, tuple[str, ...]], ...]:
    return tuple((each.order, each.faults) for each in tried)


def _states(waves: tuple[Wave, ...]) -> tuple[State, ...]:
    return tuple(wave.after for wave in waves)
