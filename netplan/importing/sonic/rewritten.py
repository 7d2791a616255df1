"""Rows of a config_db against what netplan writes there (``netplan.importing.rewritten_rows``)."""

from __future__ import annotations

from collections.abc import Iterator

from netplan.importing.rewritten import Known, others, patterns_of
from netplan.importing.rewritten_rows import ROWS
from netplan.importing.sonic.switches import SwitchReader
from netplan.model.values import parse_address
from netplan.nos import shipped
from netplan.reading.config_db.switch import DbSwitch, plain_name
from netplan.reading.switches.lines import BELOW
from netplan.reading.switches.places import Matched, Placing, matches_of
from netplan.reading.switches.rules import Rules, lines_like, rules_of

_NOS = "sonic"
_ROWS = ROWS[_NOS]
_PATTERNS = patterns_of(_ROWS)
_TABLES = tuple(dict.fromkeys(pattern.partition(BELOW)[0] for pattern in _PATTERNS))

_INTERFACES = ("INTERFACE", "VLAN_INTERFACE", "PORTCHANNEL_INTERFACE")


def tell_rewritten(read: SwitchReader) -> None:
    """Adds to ``refused``."""
    rules = rules_of(_NOS, shipped())
    if rules is None:
        return
    spots: list[tuple[str, ...]] = []
    for other in others(_ROWS, _lines(rules, read.switch, spots), _known(rules, read.switch)):
        read.refuse(other.value, other.why, *spots[other.line])


def _lines(rules: Rules, switch: DbSwitch, spots: list[tuple[str, ...]]) -> Iterator[Matched]:
    """The rows and fields of the tables as lines; the number of one is that of its place in ``spots``."""
    reader = Placing(lines_like(rules, _PATTERNS), "")
    for table in _TABLES:
        below = reader.step(reader.root, table)
        for key in switch.keys(table):
            reader.line = len(spots)
            spots.append((table, key))
            state = reader.step(below, key)
            row = switch.row(table, key)
            for field in row.fields if row is not None else ():
                reader.line = len(spots)
                spots.append((table, key, field))
                reader.step(state, f"{field} = {plain_name(switch.text(table, key, field) or '')}")
    for pattern in _PATTERNS:
        yield from matches_of(pattern, reader.found.get(pattern, ()))


def _known(rules: Rules, switch: DbSwitch) -> Known:
    dynamic = rules.nos.dynamic_buffers
    return {
        "mtu": {mtu for port in switch.ports if (mtu := switch.text("PORT", port, "mtu")) is not None},
        "addresses": {*_addresses(switch)},
        "dynamic_th": {str(dynamic.dynamic_th)} if dynamic is not None else set(),
        "lossless_mtu": {str(dynamic.lossless_mtu)} if dynamic is not None else set(),
    }


def _addresses(switch: DbSwitch) -> Iterator[str]:
    keys = (key for table in _INTERFACES for key in switch.keys(table))
    found = (parse_address(key.partition("|")[2].partition("/")[0]) for key in keys)
    yield from (str(address) for address in found if address is not None)
