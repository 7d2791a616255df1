"""NP876: values that SONiC's models reject in any row."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from netplan.model.values import natural
from netplan.reading.config_db.switch import DbSwitch, listed, with_others
from netplan.rules.config_db.models import FIELDS, KEYS, MAPS, ONCE, Form, Once
from netplan.rules.config_db.registry import RowFinding, rule

_NOTHING = "None"
"""What null becomes in the database: equivalent to not stated (swsssdk, typed_to_raw)."""
_FRRCFGD = {("BGP_NEIGHBOR", "admin_status")}
"""Fields for which frrcfgd accepts true and false too (sonic-net/sonic-buildimage 086b03bd frrcfgd.py)."""


def _counts(switch: DbSwitch) -> int:
    return sum(len(row.fields) for table in {*FIELDS, *MAPS} for row in switch.rows(table).values())


@rule("NP876", "value that SONiC's model rejects", on=DbSwitch, counts=_counts)
def refused(switch: DbSwitch) -> Iterator[RowFinding]:
    """A number is out of range, a keyword is unknown, or a key has the wrong format: DSCP 64, weight 0,
    `pfc_enable` 8, MTU 9300, a cable of `40`, a priority group row without its number, a detection time in
    PFC_WD GLOBAL. What only older models take is right in a file of their version, and a note in one without
    a version: Vlan1 before 202405, a polling interval of the watchdog up to 3,000 ms before 202511.

    **Why.** With YANG validation the whole configuration is rejected; without it the daemon drops the row
    or applies the part it can parse.

    **Fix.** Write a value in the format named.

    **Source.** sonic-net/sonic-buildimage 086b03bd src/sonic-yang-models/yang-models/*.yang (ranges,
    patterns, enumerations; sonic-pfcwd.yang: must ifname != 'GLOBAL'); `config reload` refuses a file by them
    (sonic-utilities 691b1bb config/main.py); sonic-net/sonic-swss e6b0c5b orchagent/pfcwdsworch.cpp
    (createEntry reads POLL_INTERVAL and BIG_RED_SWITCH of GLOBAL).
    """
    for table in FIELDS:
        yield from _fields(switch, table)
    yield from _of_ports(switch)
    for table, (left, right) in MAPS.items():
        for key in switch.keys(table):
            yield from _pairs(switch, table, key, left, right)
    for table, (pattern, words) in KEYS.items():
        once = ONCE.get((table, ""))
        for key in switch.keys(table):
            other = once if once and once.form.takes(key) else None
            if not pattern.fullmatch(key) and not (other and other.holds(switch)):
                message = f"key {key} of {table} does not have the form {words}{_before(switch, other)}"
                yield RowFinding(switch.spot(table, key), message, f"write {words}", _unsure(switch, other))


def _unsure(switch: DbSwitch, once: Once | None) -> bool:
    """Whether an image that the file does not name may take a value."""
    return once is not None and not switch.versioned


def _before(switch: DbSwitch, once: Once | None) -> str:
    return f"; images before {once.before[0]} take it" if once and _unsure(switch, once) else ""


_OF_PORTS = frozenset({"action", "detection_time", "restoration_time", "pfc_stat_history"})
"""Fields of PFC_WD that its row GLOBAL does not take."""


def _of_ports(switch: DbSwitch) -> Iterator[RowFinding]:
    table, key = "PFC_WD", "GLOBAL"
    row = switch.row(table, key)
    names = [name for name in (row.fields if row else ()) if name.lower() in _OF_PORTS]
    if names:
        message = f"{table} {key} has {listed(names, _SHOWN)}, but the model takes that in rows of ports only"
        hint = f"write {', '.join(name.lower() for name in names)} in the row of each port"
        yield RowFinding(switch.spot(table, key, names[0]), message, hint)


def _fields(switch: DbSwitch, table: str) -> Iterator[RowFinding]:
    """One finding for each value that is refused, however many rows have it."""
    for name, text, keys in _refused(switch, table):
        form, once = FIELDS[table][name], ONCE.get((table, name))
        other = once if once and once.form.takes(text) else None
        more = with_others(len(keys) - 1, "row has it", "rows have it")
        message = f"{name} of {table} {keys[0]} is {text or 'empty'}, but the model takes {form.words}"
        at, unsure = switch.spot(table, keys[0], name), _unsure(switch, other)
        if _is_of_frrcfgd(table, name, text) and not switch.whole:
            unsure, more = True, f"; frrcfgd takes it{more}"
        message = f"{message}{_before(switch, other)}{more}"
        yield RowFinding(at, message, f"write {form.words}", unsure)


def _refused(switch: DbSwitch, table: str) -> Iterator[tuple[str, str, list[str]]]:
    """Name and text of the fields that the model refuses, and the rows with it."""
    found: dict[tuple[str, str], list[str]] = {}
    for key in switch.keys(table):
        for name in (name for name in switch.rows(table)[key].fields if name in FIELDS[table]):
            found.setdefault((name, switch.text(table, key, name) or ""), []).append(key)
    for (name, text), keys in sorted(found.items(), key=lambda one: natural(one[1][0])):
        if not _takes(switch, table, name, text):
            yield name, text, keys


def _takes(switch: DbSwitch, table: str, name: str, text: str) -> bool:
    if text == _NOTHING or (switch.frrcfgd and _is_of_frrcfgd(table, name, text)):
        return True
    once = ONCE.get((table, name))
    return FIELDS[table][name].takes(text) or bool(once and once.form.takes(text) and once.holds(switch))


def _is_of_frrcfgd(table: str, name: str, text: str) -> bool:
    return (table, name) in _FRRCFGD and text in {"true", "false"}


def _pairs(switch: DbSwitch, table: str, key: str, left: Form, right: Form) -> Iterator[RowFinding]:
    """One finding for all entries of a row that have no such key, and one for each value."""
    fields = switch.rows(table)[key].fields
    no_keys = sorted((one for one in fields if not left.takes(one)), key=natural)
    if no_keys:
        names = listed([one or "nothing" for one in no_keys], _SHOWN)
        which = f"an entry for {names}" if len(no_keys) == 1 else f"entries for {names}"
        message = f"{table} {key} has {which}, but the model takes {left.words}"
        hint = f"remove or correct the {'entry' if len(no_keys) == 1 else 'entries'}"
        yield RowFinding(switch.spot(table, key, no_keys[0]), message, hint)
    values: dict[str, list[str]] = {}
    for one in sorted(fields, key=natural):
        if one not in no_keys and not right.takes(text := switch.text(table, key, one) or ""):
            values.setdefault(text, []).append(one)
    for text, entries in values.items():
        names = listed(entries, _SHOWN)
        message = f"{table} {key} has {text or 'nothing'} for {names}, but the model takes {right.words}"
        yield RowFinding(switch.spot(table, key, entries[0]), message, f"write {right.words}")


_SHOWN = 8


def refused_with(switch: DbSwitch, table: str, key: str, name: str) -> list[tuple[str, str]]:
    """Rows and fields of which a finding at this field tells: in a map all that are refused, else all rows
    with the value."""
    if table not in MAPS:
        text = switch.text(table, key, name)
        return [(one, name) for one in switch.rows(table) if switch.text(table, one, name) == text]
    left, right = MAPS[table]
    fields = switch.rows(table)[key].fields
    return [
        (key, one)
        for one in fields
        if not (left.takes(one) and right.takes(switch.text(table, key, one) or ""))
    ]


def legal_instead(switch: DbSwitch, table: str, key: str, name: str) -> tuple[str, ...]:
    """Values that the model takes in place of a refused one: what the table has most often, else the first
    and the last that the model takes; of a map what its row has most often, and the key itself. Empty if
    none is known, or if an entry of a map is refused as a whole."""
    if table in MAPS:
        left, form = MAPS[table]
        stated = [switch.text(table, key, one) for one in switch.rows(table)[key].fields if left.takes(name)]
    elif name not in FIELDS[table]:
        return ()
    else:
        form = FIELDS[table][name]
        stated = [switch.text(table, row, name) for row in switch.keys(table)]
    legal = Counter(text for text in stated if text and form.takes(text))
    usual = tuple(text for text, _ in legal.most_common(1))
    if table in MAPS:
        return (*usual, name) if usual and form.takes(name) else usual
    return usual or form.ends
