"""The order of a change: the first of several whose states are not refuted."""

from __future__ import annotations

from collections.abc import Sequence

from netplan.changes.effects import effects
from netplan.changes.judge import Judge
from netplan.changes.route import ORDERS, Changed, waves_of
from netplan.changes.states import Ends, State
from netplan.changes.wave import Course, Order, Wave


def course(ends: Ends) -> Course:
    """Switches first, else switches last, else a maintenance window in which the pods are stopped."""
    change, judge = Changed(ends, effects()), Judge(ends)
    against: list[tuple[Order, tuple[str, ...]]] = []
    tried: list[tuple[State, ...]] = []
    for order in ORDERS:
        waves = waves_of(change, order)
        if order == "window":
            return Course(order, waves, tuple(against))
        states = tuple(wave.after for wave in waves)
        if states in tried:
            continue
        tried.append(states)
        faults = change.readdressed or _first_faults(judge, waves)
        if not faults:
            return Course(order if len(waves) > 1 else "plain", waves, tuple(against))
        against.append((order, faults))
    raise AssertionError("the window is the last of all orders")


def _first_faults(judge: Judge, waves: Sequence[Wave]) -> tuple[str, ...]:
    """Of the first wave that has any."""
    return next(filter(None, (judge.faults(wave) for wave in waves)), ())
