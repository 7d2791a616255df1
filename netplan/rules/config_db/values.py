"""NP876: values that SONiC's models reject in any row."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping

from netplan.model.values import natural
from netplan.reading.config_db.switch import DbSwitch, listed, whole_number
from netplan.records import dataclass
from netplan.rules.config_db.registry import RowFinding, rule


@dataclass(frozen=True, slots=True)
class Form:
    """``least`` and ``most`` bound a number, otherwise ``pattern`` matches the whole text; ``words``
    describes it. ``ends``: the first and last of its values, if they are in a row."""

    words: str
    pattern: re.Pattern[str] | None = None
    least: int = 0
    most: int = 0
    ends: tuple[str, ...] = ()

    def takes(self, text: str) -> bool:
        if self.pattern is not None:
            return self.pattern.fullmatch(text) is not None
        number = _signed(text)
        return number is not None and self.least <= number <= self.most


def _signed(text: str) -> int | None:
    bare = text.strip().removeprefix("-")
    number = whole_number(bare)
    return None if number is None else (-number if text.strip().startswith("-") else number)


def _between(least: int, most: int) -> Form:
    return Form(f"a number from {least} to {most}", None, least, most, (str(least), str(most)))


def _words(*words: str) -> Form:
    return Form(f"one of {', '.join(words)}", re.compile("|".join(words)), ends=(words[0], words[-1]))


_BYTES = Form("a number of bytes", None, 0, 2**64 - 1)
_TC = _between(0, 15)
_PG = Form("a number from 0 to 7", re.compile("[0-7]?"))
_QUEUE = Form("a number from 0 to 9", re.compile("[0-9]?"))
_PRIORITIES = Form("priorities 0 to 7 with commas between", re.compile("([0-7](,[0-7])*)?"))
_PERCENT = _between(0, 100)
_BOOLEAN = _words("true", "false")
_UP = _words("up", "down")
_COLOURS = ("green", "yellow", "red")
_ECN = ("none", "green", "yellow", "red", "green_yellow", "green_red", "yellow_red", "all")

_HASHES = (
    "IN_PORT|DST_MAC|SRC_MAC|ETHERTYPE|VLAN_ID|IP_PROTOCOL|DST_IP|SRC_IP|L4_DST_PORT|L4_SRC_PORT|"
    "INNER_DST_MAC|INNER_SRC_MAC|INNER_ETHERTYPE|INNER_IP_PROTOCOL|INNER_DST_IP|INNER_SRC_IP|"
    "INNER_L4_DST_PORT|INNER_L4_SRC_PORT|IPV6_FLOW_LABEL"
)
_HASH = Form("hash fields such as SRC_IP, L4_SRC_PORT", re.compile(f"(({_HASHES})(,({_HASHES}))*)?"))

FIELDS: Mapping[str, Mapping[str, Form]] = {
    "PORT": {
        "speed": _between(1, 1_600_000),
        "mtu": _between(68, 9216),
        "fec": _words("rs", "fc", "none", "auto"),
        "autoneg": _words("on", "off"),
        "admin_status": _UP,
        "pfc_asym": _words("on", "off"),
        "subport": _between(0, 8),
    },
    "PORTCHANNEL": {"mtu": _between(1, 9216), "min_links": _between(1, 1024), "admin_status": _UP},
    "VLAN": {"vlanid": _between(2, 4094), "mtu": _between(1, 9216), "admin_status": _UP},
    "VLAN_MEMBER": {"tagging_mode": _words("tagged", "untagged", "priority_tagged")},
    "PORT_QOS_MAP": {"pfc_enable": _PRIORITIES, "pfcwd_sw_enable": _PRIORITIES},
    "SCHEDULER": {"type": _words("DWRR", "WRR", "STRICT"), "weight": _between(1, 100)},
    "WRED_PROFILE": {
        "ecn": _words(*(f"ecn_{word}" for word in _ECN)),
        **{f"wred_{colour}_enable": _BOOLEAN for colour in _COLOURS},
        **{f"{colour}_drop_probability": _PERCENT for colour in _COLOURS},
        **{f"{colour}_{end}_threshold": _BYTES for colour in _COLOURS for end in ("min", "max")},
    },
    "BUFFER_POOL": {
        "type": _words("ingress", "egress", "both"),
        "mode": _words("static", "dynamic"),
        "size": _BYTES,
        "xoff": _BYTES,
    },
    "BUFFER_PROFILE": {
        "dynamic_th": _between(-8, 7),
        **dict.fromkeys(("size", "static_th", "xon", "xoff", "xon_offset"), _BYTES),
        "headroom_type": _words("static", "dynamic"),
    },
    "PFC_WD": {
        "POLL_INTERVAL": _between(100, 1000),
        "detection_time": _between(100, 5000),
        "restoration_time": _between(100, 60_000),
        "action": _words("drop", "forward", "alert"),
    },
    "DEVICE_METADATA": {
        "buffer_model": _words("dynamic", "traditional"),
        "default_pfcwd_status": _words("enable", "disable"),
        "docker_routing_config_mode": _words("separated", "unified", "split", "split-unified"),
        "bgp_asn": _between(0, 2**32 - 1),
    },
    "BGP_NEIGHBOR": {"asn": _between(1, 2**32 - 1), "admin_status": _UP},
    "SWITCH_HASH": {"ecmp_hash": _HASH, "lag_hash": _HASH},
    "VLAN_INTERFACE": {"grat_arp": _words("enabled", "disabled")},
    "DEFAULT_LOSSLESS_BUFFER_PARAMETER": {"default_dynamic_th": _between(-8, 7)},
}
"""Table -> field -> what the model accepts."""

MAPS: Mapping[str, tuple[Form, Form]] = {
    "DSCP_TO_TC_MAP": (Form("a DSCP from 0 to 63", re.compile("6[0-3]|[1-5][0-9]?|[0-9]?")), _TC),
    "DOT1P_TO_TC_MAP": (_PG, _TC),
    "TC_TO_QUEUE_MAP": (_TC, _QUEUE),
    "TC_TO_PRIORITY_GROUP_MAP": (_TC, _PG),
    "MAP_PFC_PRIORITY_TO_QUEUE": (_PG, _PG),
    "PFC_PRIORITY_TO_PRIORITY_GROUP_MAP": (_PG, _PG),
    "CABLE_LENGTH": (
        Form("a port", re.compile(".*", re.DOTALL)),
        Form('metres such as "40m"', re.compile("[0-9]+m")),
    ),
}
"""Table whose rows are maps -> what it accepts as key and as value."""

_NOTHING = "None"
"""What null becomes in the database: equivalent to not stated (swsssdk, typed_to_raw)."""
_FRRCFGD = {("BGP_NEIGHBOR", "admin_status")}
"""Fields for which frrcfgd accepts true and false too (sonic-net/sonic-buildimage 086b03bd frrcfgd.py)."""


@dataclass(frozen=True, slots=True)
class Once:
    """What images from database version ``since`` to before ``before`` take besides; ``becomes``: db_migrator
    rewrites it."""

    form: Form
    before: tuple[int, ...]
    since: tuple[int, ...] = ()
    becomes: bool = False

    def holds(self, switch: DbSwitch) -> bool:
        """Whether it is right on the image of the file, or becomes so when the file is loaded."""
        if not switch.versioned:
            return self.becomes
        return switch.older_than(*self.before) and not switch.older_than(*self.since)


_ONCE: Mapping[tuple[str, str], Once] = {
    ("PORT", "autoneg"): Once(_words("0", "1"), (3, 0, 1), becomes=True),
    ("PORT", "subport"): Once(_between(0, 12), (202511,), (202505,)),
    ("PFC_WD", "POLL_INTERVAL"): Once(_between(100, 3000), (202511,)),
    ("VLAN", "vlanid"): Once(_between(1, 4094), (202405,)),
    ("VLAN", ""): Once(_words("Vlan1"), (202405,)),
}
"""Table and field, or no field for its keys (scripts/db_migrator.py of sonic-utilities, version_3_0_0;
sonic-port, sonic-pfcwd and sonic-vlan.yang on the branches of sonic-net/sonic-buildimage)."""

KEYS: Mapping[str, tuple[re.Pattern[str], str]] = {
    "VLAN": (
        re.compile("Vlan(409[0-5]|40[0-8][0-9]|[1-3][0-9]{3}|[1-9][0-9]{2}|[1-9][0-9]|[2-9])"),
        "Vlan2 to Vlan4095",
    ),
    "BUFFER_PG": (re.compile(r".*\|[0-7](-[0-7])?", re.DOTALL), "PORT|3 or PORT|3-4"),
    "QUEUE": (re.compile(r".+\|.+", re.DOTALL), "PORT|3 or PORT|3-4"),
    "BUFFER_QUEUE": (
        re.compile(r".*\|(1[0-5]|[0-9])(-(1[0-5]|[0-9]))?", re.DOTALL), "PORT|3 or PORT|3-4",
    ),
}  # fmt: skip
"""Table -> pattern of its keys, and its description."""


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
    for table, forms in FIELDS.items():
        for key in switch.keys(table):
            for name in switch.rows(table)[key].fields:
                if name in forms:
                    yield from _field(switch, table, key, name, forms[name])
    yield from _of_ports(switch)
    for table, (left, right) in MAPS.items():
        for key in switch.keys(table):
            yield from _pairs(switch, table, key, left, right)
    for table, (pattern, words) in KEYS.items():
        once = _ONCE.get((table, ""))
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


def _field(switch: DbSwitch, table: str, key: str, name: str, form: Form) -> Iterator[RowFinding]:
    text = switch.text(table, key, name) or ""
    if text == _NOTHING or (switch.frrcfgd and (table, name) in _FRRCFGD and text in {"true", "false"}):
        return
    once = _ONCE.get((table, name))
    other = once if once and once.form.takes(text) else None
    if not form.takes(text) and not (other and other.holds(switch)):
        message = f"{name} of {table} {key} is {text or 'empty'}, but the model takes {form.words}"
        message += _before(switch, other)
        at = switch.spot(table, key, name)
        yield RowFinding(at, message, f"write {form.words}", _unsure(switch, other))


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


def refused_entries(switch: DbSwitch, table: str, key: str, name: str) -> list[str]:
    """The fields of which a finding at this field tells: in a map all that are refused."""
    if table not in MAPS:
        return [name]
    left, right = MAPS[table]
    fields = switch.rows(table)[key].fields
    return [
        one for one in fields if not (left.takes(one) and right.takes(switch.text(table, key, one) or ""))
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
