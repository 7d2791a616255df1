"""Lines of PFC that no class of the switch is lossless by: in another form than netplan writes, or without
those that belong to them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from netplan.diagnostics import Source
from netplan.importing.facts import Fact
from netplan.importing.lossless import lossless_classes
from netplan.importing.open_lines import open_field
from netplan.importing.rewritten import others, patterns_of
from netplan.importing.rewritten_rows import Rewritten
from netplan.model.readback import ReadSwitch
from netplan.reading.switches.places import matched
from netplan.reading.switches.rules import Rules

_EOS = "priority-flow-control priority <now:priority> no-drop"
_NXOS = "policy-map type network-qos <network> / class type network-qos c-8q-nq<now:queue> / pause.*"


def _row(line: str, *beside: str) -> Rewritten:
    return Rewritten(line, why="no class is lossless by it", beside=beside)


ROWS: Mapping[str, tuple[Rewritten, ...]] = {
    "arista-eos": (
        _row(f"qos profile <profile> / {_EOS}", "interface <port> / service-profile <profile>"),
        _row(f"interface <port> / {_EOS}"),
    ),
    "cisco-nxos": (_row(_NXOS, "system qos / service-policy type network-qos <network>"),),
}
"""NOS -> lines of PFC, with the number of the class, and what puts them into use."""


def half_pfc(rules: Rules, read: ReadSwitch, text: str, file: str) -> Iterator[Fact]:
    rows = ROWS.get(rules.nos.name, ())
    every = {id(port.qos): port.qos for port in read.ports.values()}.values()
    lossless = {queue for qos in every for queue in lossless_classes(qos)}
    queues = {number: own for qos in every for number, own in qos.class_queues.items()}
    lines = text.split("\n")
    for other in others(rows, matched(rules, text, patterns_of(rows)), {}):
        for queue in sorted(queues.get(int(other.value), {int(other.value)}) - lossless):
            stated = lines[other.line - 1].strip()
            at = Source(file, other.line or 1, 1)
            yield Fact("class", (str(queue),), open_field("lossless", stated), stated, at)
