"""The share of a class where a switch states weights or percents of its queues: of how much, by the other
queues that get packets.

A queue to which no code point leads takes nothing of a port, whatever its weight is: ``config qos reload`` of
SONiC gives queues 0 to 6 weights with every map of DSCP (sonic-net/sonic-buildimage 0791705b
files/build_templates/qos_config.j2). In an inventory best effort has what the classes leave.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from netplan.importing.facts import Fact, Remark, not_taken
from netplan.importing.open_lines import open_field

SUM = "sum of weights"
"""Field of a class: what all queues of a switch that get packets add up to."""
BEYOND = "weights beyond the whole"
"""Field of a class: the same and the most that the switch takes, which is less, so not all of them hold."""
REST = "rest"
"""Field of class 0: it has the code points that no line of a map has."""
STOCK_REST = "rest as shipped"
"""The same where such code points stay in the queues of the map that the NOS ships."""
SHARE_ASKED = "share_asked"
"""Field of a class: why no share follows from the weight of its queue."""
WHOLE = 100
_LEADS = frozenset({"dscp", "usual", REST})
_IDLE = "shares in the inventory are of the queues to which a code point leads"


@dataclass(frozen=True, slots=True)
class _Queue:
    """``led``: the classes in it that packets can be in."""

    number: str
    led: tuple[str, ...]
    strict: bool
    weight: Fact | None

    @property
    def of(self) -> int:
        return self.weight.value if self.weight is not None and isinstance(self.weight.value, int) else 0


def weight_sums(said: Iterable[Fact | Remark]) -> Iterator[Fact | Remark]:
    """``said``: of one switch. Switches with other sums serve a class in other shares, whatever its own
    weight: the sums contradict each other then."""
    rows = [fact for fact in said if isinstance(fact, Fact)]
    stated = [fact for fact in rows if fact.kind == "class" and fact.field in ("weight", "share")]
    if stated:
        led = _led(rows)
        queues = {each.number: each for each in _queues(rows, led) if not each.strict}
        yield from _sums(stated, queues, _queue_of(rows), led is not None)
        yield from _idle([each for each in queues.values() if not each.led])


def _sums(
    stated: Sequence[Fact], queues: Mapping[str, _Queue], queue_of: Mapping[str, str], known: bool
) -> Iterator[Fact]:
    """``queues``: those that are not strict. ``known``: whether it is which of them get packets."""
    live = [each for each in queues.values() if each.led]
    bare, total = [each.number for each in live if each.weight is None], sum(each.of for each in live)
    if stated[0].field == "share" and (bare or not known):
        total, bare = max(total, WHOLE), []  # the others have the rest
    for fact in stated:
        queue = queues.get(queue_of.get(fact.of[0], fact.of[0]))
        if queue is not None:
            why = _asked(queue, fact.of[0], bare)
            yield Fact("class", fact.of, SHARE_ASKED if why else SUM, why or total, fact.at)


def _idle(queues: Iterable[_Queue]) -> Iterator[Remark]:
    found = [(each, each.weight) for each in queues if each.of and each.weight is not None]
    if found:
        weights = ", ".join(f"{each.number} ({each.of})" for each, _ in found)
        yield not_taken(found[0][1].at, "weights of queues without packets", weights, _IDLE)


def _asked(queue: _Queue, number: str, bare: list[str]) -> str:
    others = [other for other in queue.led if other != number]
    if number not in queue.led:
        return "no code point leads to it"
    if others:
        return f"queue {queue.number} is also that of class {', '.join(others)}"
    return f"queue {', '.join(bare)} has no weight" if bare else ""


def _led(rows: Iterable[Fact]) -> frozenset[str] | None:
    """The classes that packets can be in; None where that is not known, as of code points as shipped."""
    found = set()
    for fact in rows:
        unread = fact.field.startswith((open_field("dscp", ""), open_field("trust", "")))
        if unread or fact.field == STOCK_REST or (fact.field == "trust" and fact.value != "dscp"):
            return None
        if fact.kind == "class" and fact.field in _LEADS:
            found.add(fact.of[0])
    return frozenset(found) or None


def _queue_of(rows: Iterable[Fact]) -> dict[str, str]:
    return {fact.of[0]: str(fact.value) for fact in rows if fact.kind == "class" and fact.field == "queue"}


def _queues(rows: list[Fact], led: frozenset[str] | None) -> Iterator[_Queue]:
    queue_of = _queue_of(rows)
    classes: dict[str, set[str]] = {}
    for fact in rows:
        if fact.kind == "class":
            classes.setdefault(queue_of.get(fact.of[0], fact.of[0]), set()).add(fact.of[0])
    for queue, mine in sorted(classes.items()):
        own = [fact for fact in rows if fact.kind == "class" and fact.of[0] in mine]
        weights = [fact for fact in own if fact.field in ("weight", "share")]
        strict = any(fact.field == "scheduling" and fact.value == "strict" for fact in own)
        here = sorted(fact.of[0] for fact in weights) if led is None else sorted(mine & led)
        yield _Queue(queue, tuple(dict.fromkeys(here)), strict, weights[0] if weights else None)
