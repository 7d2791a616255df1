"""The waves of a change as text for a terminal, Markdown for a pull request, and data."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from netplan.changes.model import WORDS, Touched
from netplan.changes.wave import Course, Wave, rules
from netplan.markup import cell
from netplan.model.folding import folded
from netplan.model.ranges import expand, gathered
from netplan.model.values import natural
from netplan.printable import printable
from netplan.report import few

_MOST = 3
_FAULTS = 2
_TITLES = {
    "outward": "network first",
    "inward": "pods first",
    "window": "maintenance window",
    "plain": "one wave",
}


def wave_lines(course: Course) -> Iterator[str]:
    """The waves as text, without the heading of the section."""
    yield f"  {why(course)}"
    for text in against(course):
        yield printable(f"    {text}")
    for number, wave in enumerate(course.waves, 1):
        rule = rules()[0][wave.kind]
        yield printable(f"  {number}  {rule.who}: {rule.title}")
        yield from (printable(f"       {label}: {text}") for label, text in _said(wave))


def wave_markdown(course: Course, *, whole: bool = False) -> Iterator[str]:
    """The waves as a table; ``whole``: with checks and the way back, for the page of ``-o``."""
    yield f"{why(course)[0].upper()}{why(course)[1:]}."
    yield ""
    yield from (f"- {cell(text)}" for text in against(course))
    if course.against:
        yield ""
    head = ["wave", "who", "what", "interrupts"]
    head += ["by hand", "then check", "roll back"] if whole else []
    yield f"| {' | '.join(head)} |"
    yield f"|{'---|' * len(head)}"
    for number, wave in enumerate(course.waves, 1):
        rule = rules()[0][wave.kind]
        cells = [
            str(number),
            rule.who,
            f"{rule.title}: {_targets(wave)}",
            "; ".join(_interrupted(wave)) or "nothing",
        ]
        if whole:
            cells += ["; ".join(_by_hand(wave)), "; ".join(rule.check), rule.back]
        yield f"| {' | '.join(map(cell, cells))} |"
    yield ""


def wave_data(course: Course) -> dict[str, Any]:
    against = [{"order": order, "refuted": list(faults)} for order, faults in course.against]
    return {
        "order": {"name": course.order, "why": rules()[1][course.order], "against": against},
        "waves": [_data(number, wave) for number, wave in enumerate(course.waves, 1)],
    }


def _data(number: int, wave: Wave) -> dict[str, Any]:
    rule = rules()[0][wave.kind]
    return {
        "number": number,
        "kind": wave.kind,
        "who": rule.who,
        "what": rule.title,
        "targets": list(wave.targets),
        "interrupts": _interrupted(wave),
        "by_hand": _by_hand(wave),
        "check": list(rule.check),
        "back": rule.back,
    }


def why(course: Course) -> str:
    return f"{_TITLES[course.order]}: {rules()[1][course.order]}"


def against(course: Course) -> Iterator[str]:
    """For each rejected order, what it would break."""
    for order, faults in course.against:
        rest = f" (and {len(faults) - _FAULTS} more)" if len(faults) > _FAULTS else ""
        name = f"not {_TITLES[order]}"
        if order == course.order:
            name = f"while the pods of {', '.join(course.stopped)} run"
        yield f"{name}: {'; '.join(faults[:_FAULTS])}{rest}"


def _said(wave: Wave) -> Iterator[tuple[str, str]]:
    rule = rules()[0][wave.kind]
    yield "what", _targets(wave)
    yield "interrupts", "; ".join(_interrupted(wave)) or "nothing"
    if hand := _by_hand(wave):
        yield "by hand", "; ".join(hand)
    yield "then check", "; ".join(rule.check)
    yield "roll back", rule.back


def _targets(wave: Wave) -> str:
    runs = list(dict.fromkeys(run.texts[0] for run in folded(("", (name,)) for name in wave.targets)))
    return few(runs, _MOST)


def _interrupted(wave: Wave) -> list[str]:
    always = rules()[0][wave.kind].interrupts
    return [*([always] if always else []), *_listed(wave.interrupts)]


def _by_hand(wave: Wave) -> list[str]:
    return list(dict.fromkeys(each.effect.what for each in wave.hand))


def _listed(rows: Iterable[Touched]) -> list[str]:
    """Each effect once, with what it affects."""
    found: dict[str, dict[str, None]] = {}
    for each in rows:
        places = found.setdefault(WORDS[each.effect.word], {})
        places |= dict.fromkeys([each.where] if each.where else _names(each))
    return [f"{word} ({gathered(sorted(places, key=natural))})" for word, places in found.items()]


def _names(row: Touched) -> list[str]:
    """Single switch names, so that a switch in several rows is listed once."""
    if row.part != "switches" or any(" " in each for each in row.target.split(", ")):
        return [row.target]
    return [name for each in row.target.split(", ") for name in expand(each)]
