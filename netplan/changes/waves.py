"""The order of a change: the first of several whose states are not refuted."""

from __future__ import annotations

from netplan.changes.effects import effects
from netplan.changes.judge import Judge
from netplan.changes.route import CONNECTED, Changed, waves_of
from netplan.changes.states import Ends, State
from netplan.changes.wave import Course, Order


def course(ends: Ends) -> Course:
    """Switches first, else switches last; the pods of a workload that neither serves are stopped meanwhile. A
    maintenance window in which all pods are stopped where nothing else is left."""
    change, judge = Changed(ends, effects()), Judge(ends)
    against: list[tuple[Order, tuple[str, ...]]] = []
    found: list[tuple[Order, frozenset[str]]] = []
    tried: list[tuple[State, ...]] = []
    for order in CONNECTED:
        waves = waves_of(change, order)
        states = tuple(wave.after for wave in waves)
        if states in tried:
            continue
        tried.append(states)
        refuted = [each for wave in waves for each in judge.faults(wave)]
        texts = change.readdressed or tuple(dict.fromkeys(each.text for each in refuted))
        if not texts:
            return Course(order if len(waves) > 1 else "plain", waves, (), tuple(against))
        against.append((order, texts))
        concerned = frozenset(each.workload for each in refuted)
        if not change.readdressed and "" not in concerned and concerned < set(change.workloads):
            found.append((order, concerned))
    if not found:
        return Course("window", waves_of(change, "window"), change.workloads, tuple(against))
    order, stopped = min(found, key=lambda each: len(each[1]))
    names = tuple(name for name in change.workloads if name in stopped)
    return Course(order, waves_of(change, order, names), names, tuple(against))
