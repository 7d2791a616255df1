"""Lines that netplan writes itself and that no key of an inventory has: each is told where the switch has
another value, which the next render would replace. ``rewritten_rows`` has them, by NOS.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass

from netplan.diagnostics import Source
from netplan.importing.facts import Remark, not_taken
from netplan.importing.rewritten_rows import ROWS, Rewritten
from netplan.model.readback import ReadSwitch
from netplan.model.values import natural
from netplan.reading.switches.places import Matched, matched
from netplan.reading.switches.rules import Rules

Known = Mapping[str, Set[str]]
"""Word of a row, such as mtu, -> what it stands for on this switch; nothing if that is not known."""
_GARP = "vlan-garp"


@dataclass(frozen=True, slots=True)
class Other:
    """A line with another value than netplan writes."""

    row: Rewritten
    line: int
    value: str
    why: str


def patterns_of(rows: Iterable[Rewritten]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(pattern for row in rows for pattern in (row.line, *row.beside)))


def others(rows: Iterable[Rewritten], lines: Iterable[Matched], known: Known) -> Iterator[Other]:
    """``lines``: those of ``patterns_of`` the rows."""
    stated: dict[str, list[Matched]] = {}
    for line in lines:
        stated.setdefault(line.pattern, []).append(line)
    for row in rows:
        seen: set[tuple[int, str]] = set()
        for line in stated.get(row.line, ()):
            values = _joined(line.values, [stated.get(pattern, ()) for pattern in row.beside])
            if values is None:
                continue
            value = " ".join(str(each) for name, each in values.items() if name.startswith("now"))
            wanted = [*_wanted(row.writes, values, known)]
            if value in wanted or (row.writes and not wanted) or (line.line, value) in seen:
                continue
            seen.add((line.line, value))
            yield Other(row, line.line, value, row.why or f"netplan writes {wanted[0]}")


def _joined(values: Mapping[str, object], beside: Iterable[Sequence[Matched]]) -> Mapping[str, object] | None:
    """With the columns of the lines that belong to it; None where one is missing."""
    found = dict(values)
    for lines in beside:
        fitting = (each.values for each in lines if _fits(found, each.values))
        other = next(fitting, None)
        if other is None:
            return None
        found = {**other, **found}
    return found


def _fits(one: Mapping[str, object], other: Mapping[str, object]) -> bool:
    return all(one[name] == other[name] for name in one.keys() & other.keys())


def _wanted(writes: Iterable[str], values: Mapping[str, object], known: Known) -> Iterator[str]:
    for text in writes:
        if text.startswith("{"):
            yield from sorted(known.get(text[1:-1], ()), key=natural)
        else:
            yield str(values[text[1:-1]]) if text.startswith("<") else text


def rewritten(rules: Rules, read: ReadSwitch, text: str, file: str) -> Iterator[Remark]:
    """Of a running configuration."""
    rows = ROWS.get(rules.nos.name, ())
    known = _known(rules, read)
    for other in others(rows, matched(rules, text, patterns_of(rows)), known):
        at = Source(file, other.line or 1, 1)
        if other.value:
            yield not_taken(at, other.row.what, other.value, other.why)
        else:
            yield Remark(at, f"{other.row.what}: {other.why}", alike=other.row.what)
    yield from _vlan_mtus(read, text, file)
    yield from _not_learning(rules, read, text, file)


def _known(rules: Rules, read: ReadSwitch) -> Known:
    overhead = rules.nos.units.mtu_overhead
    mtus = {str(port.ip_mtu + overhead) for port in read.ports.values() if port.ip_mtu is not None}
    return {
        "mtu": mtus,
        "neighbours": {str(len(read.neighbours))} if read.neighbours else set(),
        "loopback": {str(read.loopbacks[0].ip)} if read.loopbacks else set(),
    }


def _vlan_mtus(read: ReadSwitch, text: str, file: str) -> Iterator[Remark]:
    """netplan gives the interface of a VLAN the MTU of the switch type's ports."""
    of_ports = {port.ip_mtu for port in read.ports.values()}
    for vlan, interface in read.vlan_interfaces.items():
        if interface.ip_mtu is not None and any(of_ports) and interface.ip_mtu not in of_ports:
            facts = ("vlan-mtu", "vlan-ip-mtu", "vlan-address")
            lines = (read.where(text, fact, "vlan", str(vlan)) for fact in facts)
            what = f"IP MTU {interface.ip_mtu:,} of VLAN {vlan}"
            why = "netplan writes that of the ports"
            at = Source(file, next(filter(None, lines), None) or 1, 1)
            yield Remark(at, f"{read.name}: {what}: {why}", alike=f"MTU of a VLAN: {why}")


def _not_learning(rules: Rules, read: ReadSwitch, text: str, file: str) -> Iterator[Remark]:
    """VLANs whose interface makes no entry of a gratuitous ARP: the line is missing that netplan writes."""
    stand = rules.stands.get(_GARP)
    for vlan, interface in read.vlan_interfaces.items() if stand is not None else ():
        if stand is not None and not interface.garp:
            line = read.where(text, "vlan-address", "vlan", str(vlan))
            command = stand.line.replace("<vlan>", str(vlan))
            why = "learns nothing from gratuitous ARP; with fabric.arp netplan writes"
            what = f"{read.name}: VLAN {vlan} {why} {command}"
            yield Remark(Source(file, line or 1, 1), what, alike=why)
