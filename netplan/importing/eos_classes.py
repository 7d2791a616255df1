"""What stands behind the classes of a running EOS configuration, and what of them is not taken.

That a class without a line has the queue with its number (``netplan.reading.switches.other_words``) no source
states for every ASIC: the page says so at the class.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from netplan.diagnostics import Source
from netplan.importing.ecn_facts import unit_facts
from netplan.importing.facts import Fact, Remark, not_taken
from netplan.reading.switches.other_words import EOS_ECN, unmapped_classes

_QUEUE = re.compile(r"^( *)(?:uc-)?tx-queue ([0-7])[ \t]*\n((?:\1 [^\n]*\n)*)", re.M)
_SHARE = re.compile(r"^ +bandwidth percent ([0-9]{1,3})[ \t]*$", re.M)
_RANKED = re.compile(r"^ +(?:no priority|priority strict)[ \t]*$", re.M)
_STRICT = (
    'without "no priority" the queue is strict, as EOS ships it; state its bandwidth_percent or scheduling'
)
"""pyavd 6.4.0, qos_profiles.tx_queues.priority: a queue is strict unless ``no priority`` is there."""


def told_classes(text: str, at: Callable[[int], Source]) -> Iterator[Fact | Remark]:
    """What stands behind the classes, and what of them is not taken. ``text``: as it is in the file; ``at``:
    the place of an offset."""
    for number, offset in unmapped_classes(text):
        yield Fact("class", (number,), "queue_as_shipped", True, at(offset))
    for queue in _QUEUE.finditer(text):
        number, start = queue[2], queue.start(3)
        for ecn in EOS_ECN.finditer(queue[3]):
            yield from unit_facts(number, ecn[2], ecn[5], ecn[3], at(start + ecn.start()))
        for share in _SHARE.finditer(queue[3]) if not _RANKED.search(queue[3]) else ():
            what = f"bandwidth percent of tx-queue {number}"
            yield not_taken(at(start + share.start()), what, share[1], _STRICT)
