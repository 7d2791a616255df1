"""Fields that netplan writes, and that no key of an inventory has: each is told where the switch has another
value, which the next render would replace.

Tables and fields: sonic-net/sonic-buildimage 086b03bd src/sonic-yang-models/yang-models; what netplan writes
there: templates/switch/sonic.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from netplan.importing.sonic.switches import SwitchReader
from netplan.nos import shipped
from netplan.reading.config_db.switch import plain_name
from netplan.reading.switches.rules import rules_of

_COLOURS = ("green", "yellow", "red")
_THRESHOLDS = ("min_threshold", "max_threshold", "drop_probability")
_FIXED: Mapping[tuple[str, str], tuple[str, ...]] = {
    ("PFC_WD", "action"): ("drop",),
    ("SCHEDULER", "type"): ("DWRR", "STRICT"),
    ("WRED_PROFILE", "ecn"): ("ecn_all", "ecn_none"),
    **{("WRED_PROFILE", f"wred_{colour}_enable"): ("true",) for colour in _COLOURS},
    ("BGP_NEIGHBOR", "admin_status"): ("up",),
    ("VLAN_INTERFACE", "grat_arp"): ("enabled",),
    ("LLDP", "enabled"): ("true",),
}
"""What netplan writes first, then what is no less than that."""
_PARTS: Mapping[str, frozenset[str]] = {"SCHEDULER": frozenset({"type", "weight"})}
"""Fields of rows that netplan replaces with rows of its own."""
_REFERENCES = {"SCHEDULER": "scheduler", "WRED_PROFILE": "wred_profile"}
"""Table -> the field of QUEUE that names its rows; others are in use by nothing."""
_STOCK = frozenset({"3-4", "0-2", "5-6"})
"""Ranges of queues and priority groups in the image's own rows, which buffers.patch.json divides
(files/build_templates/buffers_config.j2 there)."""
_RANGES = "buffers.patch.json is for the image's rows 0-2, 3-4 and 5-6, and for rows of one number"
_OWN_PROFILES = ("pg_lossless_", "ingress_lossy_", "NULL")
"""Of the image and of buffermgrd (sonic-net/sonic-swss cfgmgr/buffermgr.cpp)."""
_PROFILES = "netplan leaves priority groups to the profiles that the switch works out itself"


def tell_rewritten(read: SwitchReader) -> None:
    """Adds to ``refused``."""
    for (table, field), wanted in _FIXED.items():
        _tell(read, _rows(read, table), table, field, wanted)
    for table, known in _PARTS.items():
        for key in _rows(read, table):
            row = read.switch.row(table, key)
            for field in (name for name in (row.fields if row else ()) if name not in known):
                value = read.switch.text(table, key, field)
                read.refuse(value, f"netplan's {table} rows have none", table, key, field)
    _colours(read)
    _identity(read)
    _buffers(read)
    _mtus(read)


def _tell(read: SwitchReader, rows: Iterable[str], table: str, field: str, wanted: tuple[str, ...]) -> None:
    for key in rows:
        value = read.switch.text(table, key, field)
        if value is not None and value not in wanted:
            read.refuse(value, f"netplan writes {wanted[0]}", table, key, field)


def _rows(read: SwitchReader, table: str) -> list[str]:
    """Of a table that queues refer to, the rows that one uses."""
    field = _REFERENCES.get(table)
    if field is None:
        return read.switch.keys(table)
    names = (read.switch.text("QUEUE", key, field) for key in read.switch.keys("QUEUE"))
    used = {plain_name(name) for name in names if name}
    return [key for key in read.switch.keys(table) if key in used]


def _colours(read: SwitchReader) -> None:
    """Thresholds of yellow and red packets that differ from those of green ones, which netplan writes."""
    table = "WRED_PROFILE"
    for key in _rows(read, table):
        for part in _THRESHOLDS:
            if (green := read.switch.text(table, key, f"green_{part}")) is not None:
                for colour in _COLOURS[1:]:
                    _tell(read, [key], table, f"{colour}_{part}", (green,))


def _identity(read: SwitchReader) -> None:
    """Maps that netplan writes number by number: PFC priority to queue; class to priority group, where those
    without PFC are in group 0."""
    for key in read.switch.keys("MAP_PFC_PRIORITY_TO_QUEUE"):
        for priority in map(str, range(8)):
            _tell(read, [key], "MAP_PFC_PRIORITY_TO_QUEUE", priority, (priority,))
    for key in read.switch.keys("TC_TO_PRIORITY_GROUP_MAP"):
        for number in map(str, range(8)):
            _tell(read, [key], "TC_TO_PRIORITY_GROUP_MAP", number, (number, "0"))


def _buffers(read: SwitchReader) -> None:
    rules = rules_of("sonic", shipped())
    dynamic = rules.nos.dynamic_buffers if rules is not None else None
    if dynamic is not None and read.switch.text("DEVICE_METADATA", "localhost", "buffer_model") == "dynamic":
        pairs = (
            ("DEFAULT_LOSSLESS_BUFFER_PARAMETER", "default_dynamic_th", dynamic.dynamic_th),
            ("LOSSLESS_TRAFFIC_PATTERN", "mtu", dynamic.lossless_mtu),
        )
        for table, field, number in pairs:
            _tell(read, read.switch.keys(table), table, field, (str(number),))
    for table in ("BUFFER_PG", "BUFFER_QUEUE"):
        for key in read.switch.keys(table):
            part = key.rpartition("|")[2]
            if "|" in key and not part.isdecimal() and part not in _STOCK:
                read.refuse(part, _RANGES, table, key)
    for key in read.switch.keys("BUFFER_PG"):
        profile = plain_name(read.switch.text("BUFFER_PG", key, "profile") or "")
        if profile and not profile.startswith(_OWN_PROFILES):
            read.refuse(profile, _PROFILES, "BUFFER_PG", key, "profile")


def _mtus(read: SwitchReader) -> None:
    """netplan gives a VLAN the MTU of the switch type's ports."""
    of_ports = {read.switch.text("PORT", port, "mtu") for port in read.switch.ports}
    for key in read.switch.keys("VLAN"):
        value = read.switch.text("VLAN", key, "mtu")
        if value is not None and value not in of_ports:
            read.refuse(value, "netplan writes the MTU of the ports", "VLAN", key, "mtu")
