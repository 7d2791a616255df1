"""What SONiC's models accept as values and keys, and what only those of some images do."""

from __future__ import annotations

import re
from collections.abc import Mapping

from netplan.reading.config_db.switch import DbSwitch, whole_number
from netplan.records import dataclass


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


ONCE: Mapping[tuple[str, str], Once] = {
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
