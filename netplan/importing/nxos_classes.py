"""What of the classes of a running NX-OS configuration is not taken, and in which unit they are."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from netplan.diagnostics import Source
from netplan.importing.ecn_facts import unit_facts
from netplan.importing.facts import Fact, Remark, not_taken
from netplan.importing.open_lines import open_field
from netplan.reading.switches.other_words import MATCH, NXOS_CLASS, NXOS_ECN

_QUEUE = re.compile(
    r"^[ \t]+class type queuing c-out-8q-q([0-7])[ \t]*\n((?:(?![ \t]+class )[ \t]+[^\n]*\n)*)", re.M
)
_UNNUMBERED = re.compile(
    r"^[ \t]+class type (network-qos|queuing) (?!c-8q-nq|c-out-8q-q|c-in-)(\S+)[ \t]*$", re.M
)
STRICT_ASKED = "strict_asked"
"""Field of a class: the line by which its queue would be strict, if NX-OS took strict queues from another one
than queue 7 downwards."""
_STRICT = re.compile(r"^[ \t]+priority level [1-8]", re.M)

_OUTPUT = r"[ \t]+service-policy type queuing output (\S+)[ \t]*$"
_ON_SYSTEM = re.compile(rf"^system qos[ \t]*\n(?:[ \t]+[^\n]*\n)*?{_OUTPUT}", re.M)
_ON_PORT = re.compile(rf"^interface [^\n]+\n(?:[ \t]+[^\n]*\n)*?{_OUTPUT}", re.M)
_DECIDES = (
    ("ecn", re.compile(r"^[ \t]+(random-detect [^\n]*\becn)[ \t]*$", re.M)),
    ("scheduling", re.compile(r"^[ \t]+(priority level [1-8])[ \t]*$", re.M)),
    ("bandwidth_percent", re.compile(r"^[ \t]+(bandwidth (?:remaining )?percent [1-9][0-9]*)[ \t]*$", re.M)),
)
"""Key of a class, and the line of a queuing policy that states it."""


def told_classes(text: str, at: Callable[[int], Source]) -> Iterator[Fact | Remark]:
    for found in NXOS_CLASS.finditer(text):
        if len(MATCH.findall(found[2])) > 1:
            why = (
                "a class of several matches that all have to fit is not taken; state its class in fabric.qos"
            )
            yield not_taken(at(found.start()), "class-map", found[1], why)
    for found in _UNNUMBERED.finditer(text):
        why = "no class map states its qos-group alone, so its lines are not taken"
        yield not_taken(at(found.start()), f"class of a {found[1]} policy", found[2], why)
    queues = [*_QUEUE.finditer(text)]
    ranked = [(queue, _STRICT.search(queue[2])) for queue in queues]
    strict = [(queue, line) for queue, line in ranked if line is not None]
    for queue, line in strict if all(queue[1] != "7" for queue, _ in strict) else ():
        where, stated = at(queue.start(2) + line.start()), line[0].strip()
        why = "NX-OS takes strict queues from queue 7 downwards, so its class is asked for scheduling"
        yield not_taken(where, f"queue {queue[1]}", stated, why)
        yield Fact("class", (queue[1],), STRICT_ASKED, stated, where)
    for queue in queues:
        for ecn in NXOS_ECN.finditer(queue[2]):
            yield from unit_facts(queue[1], ecn[2], ecn[5], ecn[3], at(queue.start(2) + ecn.start()))
    yield from _of_ports(text, at)


def _of_ports(text: str, at: Callable[[int], Source]) -> Iterator[Fact]:
    """Queues by policies of ports, where the system has none."""
    names = () if _ON_SYSTEM.search(text) else dict.fromkeys(found[1] for found in _ON_PORT.finditer(text))
    for name in names:
        head = rf"^policy-map type queuing {re.escape(name)}[ \t]*\n((?:[ \t]+[^\n]*\n)*)"
        if (policy := re.search(head, text, re.M)) is None:
            continue
        for queue in _QUEUE.finditer(text, *policy.span(1)):
            for key, pattern in _DECIDES:
                if line := pattern.search(text, *queue.span(2)):
                    what = f"{line[1]} of policy {name}, which ports have and system qos has not"
                    yield Fact("class", (queue[1],), open_field(key, what), what, at(line.start(1)))
