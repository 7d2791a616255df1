"""Classes of a running NX-OS configuration, in the words that the rules of cisco-nxos read back.

A class map with one ``match`` means the same with ``match-all``, ``match-any`` or neither. Thresholds have a
unit (`netplan.importing.ecn_units`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from netplan.diagnostics import Source
from netplan.importing.ecn_units import in_bytes, unit_facts
from netplan.importing.facts import Fact, Remark, not_taken

_CLASS = re.compile(
    r"^class-map type qos (?:match-all )?(?!match-)(\S+)[ \t]*\n((?:[ \t]+[^\n]*(?:\n|\Z))*)", re.M
)
_MATCH = re.compile(r"^[ \t]+match ", re.M)
_QUEUE = re.compile(
    r"^[ \t]+class type queuing c-out-8q-q([0-7])[ \t]*\n((?:(?![ \t]+class )[ \t]+[^\n]*\n)*)", re.M
)
_ECN = re.compile(
    r"^([ \t]+random-detect minimum-threshold )([0-9]{1,9}) ([a-z]+)( maximum-threshold )([0-9]{1,9}) \3 ",
    re.M,
)
_STRICT = re.compile(r"^[ \t]+priority level [1-8]", re.M)


def plain_classes(text: str) -> str:
    """The same lines at the same numbers."""
    return _ECN.sub(_in_bytes, _CLASS.sub(_any, text))


def _any(found: re.Match[str]) -> str:
    if len(_MATCH.findall(found[2])) != 1:
        return found[0]
    return f"class-map type qos match-any {found[1]}\n{found[2]}"


def _in_bytes(found: re.Match[str]) -> str:
    ends = in_bytes(found[2], found[5], found[3])
    return found[0] if ends is None else f"{found[1]}{ends[0]} bytes{found[4]}{ends[1]} bytes "


def told_classes(text: str, at: Callable[[int], Source]) -> Iterator[Fact | Remark]:
    for found in _CLASS.finditer(text):
        if len(_MATCH.findall(found[2])) > 1:
            why = (
                "a class of several matches that all have to fit is not taken; state its class in fabric.qos"
            )
            yield not_taken(at(found.start()), "class-map", found[1], why)
    queues = [*_QUEUE.finditer(text)]
    ranked = [(queue, _STRICT.search(queue[2])) for queue in queues]
    strict = [(queue, line) for queue, line in ranked if line is not None]
    for queue, line in strict if all(queue[1] != "7" for queue, _ in strict) else ():
        why = "NX-OS takes strict queues from queue 7 downwards; state scheduling of the class"
        yield not_taken(at(queue.start(2) + line.start()), f"queue {queue[1]}", line[0].strip(), why)
    for queue in queues:
        for ecn in _ECN.finditer(queue[2]):
            yield from unit_facts(queue[1], ecn[2], ecn[5], ecn[3], at(queue.start(2) + ecn.start()))
