"""Classes of a running EOS configuration, in the words that the rules of arista-eos read back.

The configuration of a site says less than netplan's own. A traffic class that no line maps to a queue uses
the queue with its number: the RoCE guide of ROCm (docs.amd.com, Arista switches) maps DSCP 26 to class 3,
sets ECN in uc-tx-queue 3 and has no such line; the page says so at the class, as no source states it for
every ASIC. Thresholds of ECN have a unit (`netplan.importing.ecn_units`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from netplan.diagnostics import Source
from netplan.importing.ecn_units import in_bytes, unit_facts
from netplan.importing.facts import Fact, Remark, not_taken
from netplan.reading.switches.columns import spans

_DSCP = re.compile(r"^qos map dscp [0-9 ,-]+ to traffic-class ([0-7])( drop-precedence [0-9])?[ \t]*$", re.M)
_MAPPED = re.compile(r"^qos map traffic-class ([0-7][0-7 ,-]{0,20}) to (?:uc-)?tx-queue [0-7]", re.M)
_QUEUE = re.compile(r"^( *)(?:uc-)?tx-queue ([0-7])[ \t]*\n((?:\1 [^\n]*\n)*)", re.M)
_ECN = re.compile(
    r"^([ \t]+random-detect ecn minimum-threshold )([0-9]{1,9}) ([a-z]+)( maximum-threshold )([0-9]{1,9}) "
    r"\3( max-mark-probability [0-9]{1,3})?( weight [0-9]+)?[ \t]*$",
    re.M,
)
_SHARE = re.compile(r"^ +bandwidth percent ([0-9]{1,3})[ \t]*$", re.M)
_RANKED = re.compile(r"^ +(?:no priority|priority strict)[ \t]*$", re.M)
_STRICT = (
    'without "no priority" the queue is strict, as EOS ships it; state its bandwidth_percent or scheduling'
)
"""pyavd 6.4.0, qos_profiles.tx_queues.priority: a queue is strict unless ``no priority`` is there."""


def plain_classes(text: str) -> str:
    """The same lines at the same numbers, and below them the queues of classes that no line maps."""
    text = _ECN.sub(_in_bytes, _DSCP.sub(lambda found: found[0].removesuffix(found[2] or ""), text))
    added = (f"qos map traffic-class {number} to tx-queue {number}\n" for number, _ in _unmapped(text))
    return "\n".join((text, *added)) if _DSCP.search(text) else text


def _in_bytes(found: re.Match[str]) -> str:
    ends = in_bytes(found[2], found[5], found[3])
    if ends is None:
        return found[0]
    return f"{found[1]}{ends[0]} bytes{found[4]}{ends[1]} bytes{found[6] or ' weight 0'}"


def _unmapped(text: str) -> Iterator[tuple[str, int]]:
    """Classes without a queue of their own, each with the offset of the first map of DSCP."""
    mapped = {number for found in _MAPPED.finditer(text) for number in spans(found[1])}
    first: dict[str, int] = {}
    for found in _DSCP.finditer(text):
        first.setdefault(found[1], found.start())
    yield from ((number, at) for number, at in sorted(first.items()) if int(number) not in mapped)


def told_classes(text: str, at: Callable[[int], Source]) -> Iterator[Fact | Remark]:
    """What stands behind the classes, and what of them is not taken. ``text``: as it is in the file; ``at``:
    the place of an offset."""
    for number, offset in _unmapped(text):
        yield Fact("class", (number,), "queue_as_shipped", True, at(offset))
    for queue in _QUEUE.finditer(text):
        number, start = queue[2], queue.start(3)
        for ecn in _ECN.finditer(queue[3]):
            yield from unit_facts(number, ecn[2], ecn[5], ecn[3], at(start + ecn.start()))
        for share in _SHARE.finditer(queue[3]) if not _RANKED.search(queue[3]) else ():
            what = f"bandwidth percent of tx-queue {number}"
            yield not_taken(at(start + share.start()), what, share[1], _STRICT)
