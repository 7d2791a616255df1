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
Values = Mapping[str, object]
_LINE = "#"
"""Its number, beside the columns of a line."""
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
    stated: dict[str, list[Values]] = {}
    for line in lines:
        stated.setdefault(line.pattern, []).append({**line.values, _LINE: line.line})
    for row in rows:
        seen: set[tuple[object, str]] = set()
        for values in _joined(row, stated):
            value = " ".join(str(each) for name, each in values.items() if name.startswith("now"))
            wanted, at = [*_wanted(row.writes, values, known)], values[_LINE]
            if value in wanted or (row.writes and not wanted) or (at, value) in seen:
                continue
            seen.add((at, value))
            yield Other(row, int(str(at)), value, row.why or f"netplan writes {wanted[0]}")


def _joined(row: Rewritten, stated: Mapping[str, Sequence[Values]]) -> Iterable[Values]:
    """The lines of a row, each with the columns of those that belong to it; without those that lack one."""
    found = stated.get(row.line, ())
    for pattern in row.beside:
        others = stated.get(pattern, ())
        shared = sorted(found[0].keys() & others[0].keys() - {_LINE}) if found and others else []
        first: dict[tuple[object, ...], Values] = {}
        for each in others:
            first.setdefault(tuple(each[name] for name in shared), each)
        keyed = ((each, first.get(tuple(each[name] for name in shared))) for each in found)
        found = [{**other, **each} for each, other in keyed if other is not None]
    return found


def _wanted(writes: Iterable[str], values: Values, known: Known) -> Iterator[str]:
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
            why = "does not learn from gratuitous ARP; with fabric.arp netplan writes"
            what = f"{read.name}: VLAN {vlan} {why} {command}"
            yield Remark(Source(file, line or 1, 1), what, alike=why)
