"""Lines of PFC and ECN from which no class of the switch has either: others that belong to them are missing,
or in another form."""

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

_NVUE = "nv set qos congestion-control default-global traffic-class <now*:queue> (min|max)-threshold .+"
"""Without ``ecn enable``, which the profile may have as shipped."""


def _row(line: str, *beside: str) -> Rewritten:
    return Rewritten(line, why="no class has it", beside=beside)


ROWS: Mapping[str, Mapping[str, tuple[Rewritten, ...]]] = {
    "arista-eos": {
        "lossless": (
            _row(f"qos profile <profile> / {_EOS}", "interface <port> / service-profile <profile>"),
            _row(f"interface <port> / {_EOS}"),
        )
    },
    "cisco-nxos": {
        "lossless": (_row(_NXOS, "system qos / service-policy type network-qos <network>"),),
    },
    "cumulus-nvue": {"ecn": (_row(_NVUE),)},
}
"""NOS -> key of a class -> lines, with the number of the class, and what puts them into use."""


def half_stated(rules: Rules, read: ReadSwitch, text: str, file: str) -> Iterator[Fact]:
    ports = read.ports.values()
    every = {id(port.qos): port.qos for port in ports}.values()
    settled = {
        "lossless": {queue for qos in every for queue in lossless_classes(qos)},
        "ecn": {queue for port in ports for queue in port.ecn}
        | {queue for qos in every for queue in qos.unmarked},
    }
    queues = {number: own for qos in every for number, own in qos.class_queues.items()}
    lines = text.split("\n")
    for key, rows in ROWS.get(rules.nos.name, {}).items():
        for other in others(rows, matched(rules, text, patterns_of(rows)), {}):
            number, stated = int(other.value), lines[other.line - 1].strip()
            of = queues.get(number, {number}) if key == "lossless" else {number}
            for queue in sorted(of - settled[key]):
                at = Source(file, other.line or 1, 1)
                yield Fact("class", (str(queue),), open_field(key, stated), stated, at)
