"""The traffic classes of a switch whose running configuration is text, and its PFC watchdog."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial

from netplan.diagnostics import Source
from netplan.importing.facts import Fact, Of, Remark, Value
from netplan.importing.lossless import PFC_PRIORITY, beside_best_effort, lossless_classes
from netplan.importing.shipped_watchdog import shipped_times
from netplan.importing.sonic.qos import CODE_POINTS
from netplan.importing.stated_dscps import dscp_facts
from netplan.importing.weights import BEYOND, REST, STOCK_REST
from netplan.model.nos import NosProfile
from netplan.model.readback import ReadPort, ReadQos, ReadSwitch
from netplan.reading.switches.profiles import own_lines

_POLL = re.compile(
    r"^[ \"]*(?:nv set qos pfc-watchdog |set class-of-service \S+ \S+ pfc-watchdog )?"
    r"poll(?:ing)?-interval(?:\"?:)? *\"?([0-9]{1,5})\b",
    re.MULTILINE,
)
"""``qos.pfc-watchdog.polling-interval`` of NVUE, ``pfc-watchdog poll-interval`` of Junos."""


def class_facts(
    nos: NosProfile, read: ReadSwitch, text: str, stated: str, file: str
) -> Iterator[Fact | Remark]:
    """``stated``: the text without what its profiles stand for."""
    yield from _Classes(nos, read, text, stated, file).facts()


@dataclass(frozen=True, slots=True)
class _Classes:
    nos: NosProfile
    read: ReadSwitch
    text: str
    stated: str
    file: str

    def _at(self, line: int | None) -> Source:
        return Source(self.file, line or 1, 1)

    def facts(self) -> Iterator[Fact | Remark]:
        """From the QoS settings that most ports have."""
        by_qos = Counter(id(port.qos) for port in self.read.ports.values() if port.qos.pfc or port.qos.queues)
        if not by_qos:
            return
        for port in self.read.ports.values():
            if port.trust and port.qos.pfc:
                line = self.read.line(self.text, "trust", port.name)
                yield Fact("cluster", (), "trust", port.trust, self._at(line))
        most = by_qos.most_common(1)[0][0]
        port = next(port for port in self.read.ports.values() if id(port.qos) == most)
        shared = beside_best_effort(port.qos)
        lossless = {queue: own for queue, own in lossless_classes(port.qos).items() if queue not in shared}
        for queue, own in shared.items():
            at = self._at(self.read.line(self.text, "pfc", port.name))
            what = f"PFC priority {', '.join(map(str, own))} in queue {queue}, beside priorities without PFC"
            yield Remark(at, f"{what}: an inventory has one priority in a queue", alike=what)
        by_point = [*self._dscp(port.qos, port.name, lossless)]
        yield from by_point
        yield from self._lossless(lossless, port.name)
        yield from self._queues(port)
        yield from self._thresholds(port, {fact.of for fact in by_point if fact.field == "usual"})
        yield from self._beyond(port)

    def _class(self, number: int, field: str, value: Value, fact: str, port: str) -> Fact:
        """The line: of the switch itself, else of a profile, else about another class."""
        asked = ((self.stated, number), (self.text, number), (self.text, None))
        lines = (self.read.line(text, fact, port, of) for text, of in asked)
        return Fact("class", (str(number),), field, value, self._at(next(filter(None, lines), None)))

    def _dscp(self, qos: ReadQos, port: str, lossless: Collection[int]) -> Iterator[Fact]:
        """As for SONiC: the queue with the most code points and no PFC is best effort, and unlisted code
        points go to queue 0. No source confirms this for these NOSes."""
        points: dict[int, list[int]] = {}
        for dscp, queues in qos.queues.items():
            if len(queues) == 1:
                points.setdefault(next(iter(queues)), []).append(dscp)
        sizes = Counter({queue: len(values) for queue, values in points.items()})
        unlisted = CODE_POINTS - len(qos.queues)
        sizes[0] += unlisted
        if points and unlisted:
            yield self._class(0, REST if self.nos.stock_map is None else STOCK_REST, True, "dscp", port)
        usual = next((queue for queue, _ in sizes.most_common() if queue not in lossless), None)
        for queue, values in points.items():
            if queue == usual:
                yield self._class(queue, "usual", True, "dscp", port)
            else:
                every = tuple(map(str, sorted(values)))
                line_of, own = partial(self._point, port), own_lines(self.stated)
                yield from dscp_facts(str(queue), every, line_of, own, self._at)

    def _thresholds(self, port: ReadPort, usual: Collection[Of]) -> Iterator[Fact | Remark]:
        """ECN; that of best effort is told, too."""
        for queue, (low, high) in port.ecn.items():
            fact = self._class(queue, "kmin_bytes", low, "ecn", port.name)
            yield from (fact, replace(fact, field="kmax_bytes", value=high))
            if fact.of in usual:
                what = f"ECN of queue {queue}, {low:,} to {high:,} bytes"
                yield Remark(fact.at, f"{what}: an inventory has none for best effort", alike=what)

    def _point(self, port: str, dscp: str) -> int:
        """The line of a code point."""
        line = self.read.where(self.text, "dscp", "dscp", dscp)
        return line or self.read.line(self.text, "dscp", port) or 1

    def _lossless(self, lossless: Mapping[int, tuple[int, ...]], port: str) -> Iterator[Fact]:
        for queue, priorities in lossless.items():
            yield self._class(queue, "lossless", True, "pfc", port)
            if priorities != (queue,):
                columns = (("pfc-group", "pg"), ("pfc-queue", "queue"), ("dscp", "queue"))
                lines = (self.read.where(self.text, fact, column, str(queue)) for fact, column in columns)
                at = self._at(next(filter(None, lines), None))
                yield Fact("class", (str(queue),), PFC_PRIORITY, tuple(map(str, priorities)), at)

    def _beyond(self, port: ReadPort) -> Iterator[Fact]:
        """Weights of the switch and those of its profile that do not go together."""
        weights = {queue: sum(own) for queue, own in port.qos.weights.items() if queue not in port.qos.strict}
        total, most = sum(weights.values()), self.nos.limits.weights_max
        for queue in weights if 0 < most < total else ():
            yield self._class(queue, BEYOND, f"{total} of {most}", "weight", port.name)

    def _queues(self, port: ReadPort) -> Iterator[Fact]:
        qos = port.qos
        for queue in qos.strict:
            yield self._class(queue, "scheduling", "strict", "strict", port.name)
        stated = "share" if qos.shares else "weight"
        for queue, values in (qos.shares or qos.weights).items():
            if len(values) == 1 and queue not in qos.strict:
                yield self._class(queue, stated, next(iter(values)), stated, port.name)
        if qos.watchdog:
            yield from self._watchdog(port)
        for queue, values in qos.ecn_percent.items():
            if len(values) == 1:
                yield self._class(queue, "probability_percent", next(iter(values)), "ecn-percent", port.name)

    def _watchdog(self, port: ReadPort) -> Iterator[Fact]:
        poll, qos = _POLL.search(self.text), port.qos
        line_on = partial(self.read.line, self.text, "watchdog", port.name)
        yield from shipped_times(self.read.nos, qos, lambda: self._at(line_on()))
        if poll:  # the reader has only the product with the number of polls
            at = self._at(self.text.count("\n", 0, poll.start()) + 1)
            yield Fact("cluster", (), "watchdog/poll_ms", int(poll[1]), at)
        for name, times in (("detection_ms", qos.detection_ms), ("restoration_ms", qos.restoration_ms)):
            if len(times) == 1:
                facts = (f"watchdog-{name.removesuffix('_ms')}", "watchdog-polls")  # or number of polls
                lines = (self.read.line(self.text, fact, port.name) for fact in facts)
                at = self._at(next(filter(None, lines), None))
                yield Fact("cluster", (), f"watchdog/{name}", next(iter(times)), at)
