"""Rows that a file names and does not have: which of them are missing, and which the switch may have."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from netplan.reading.config_db.switch import DbSwitch, once

OF_IMAGES = re.compile(
    r"AZURE(_TUNNEL|_UPLINK|_LOSSLESS|_LOSSY)?|scheduler\.[0-9]+"
    r"|(ingress|egress)_loss(less|y)_(pool|profile)|q_lossy_profile|pg_lossless_.*_profile"
)
"""Maps, schedulers, pools and profiles that a switch has already (sonic-net/sonic-buildimage 086b03bd
files/build_templates/qos_config.j2, device/*/buffers_defaults_*.j2, sonic-swss cfgmgr/buffermgr.cpp): a
partial file may name them, and state single fields of them."""
_NUMBERED = re.compile("[A-Za-z-]+[0-9]{1,4}")
_MADE = re.compile(r"pg_lossless_[0-9]+_[0-9]+m_profile")
_NAMED_BY: Mapping[str, Sequence[tuple[str, int, str]]] = {
    "VLAN": (("VLAN_MEMBER", 0, ""), ("VLAN_INTERFACE", 0, ""), ("VXLAN_TUNNEL_MAP", 0, "vlan")),
    "PORTCHANNEL": (
        ("PORTCHANNEL_MEMBER", 0, ""),
        ("PORTCHANNEL_INTERFACE", 0, ""),
        ("VLAN_MEMBER", 1, ""),
    ),
}
"""What a part may add beside those of the switch -> table, and part of its key or field, that names it."""


def is_missing(switch: DbSwitch, table: str, name: str) -> bool:
    """Whether a row is missing. A partial file without the table does not tell, nor one with a few ports."""
    if not _is_whole(switch) and (not _tells(switch, table) or OF_IMAGES.fullmatch(name)):
        return False
    if name in switch.rows(table) or name in switch.lost(table):
        return False
    return not (table == "VLAN" and _is_renamed(switch, name))


def _tells(switch: DbSwitch, table: str) -> bool:
    return len(switch.rows(table)) >= _ALL_PORTS if table == "PORT" else switch.has(table)


_ALL_PORTS = 32
"""A part with so many PORT rows has those of all ports, or nearly so: another port is a note."""
_ABOUT_PORTS: Mapping[str, int] = {
    "BUFFER_PG": 0,
    "BUFFER_QUEUE": 0,
    "INTERFACE": 0,
    "PORTCHANNEL_MEMBER": 1,
    "PORT_QOS_MAP": 0,
    "QUEUE": 0,
    "VLAN_MEMBER": 1,
}
"""Table -> part of its key that names a port."""


def _is_whole(switch: DbSwitch) -> bool:
    return switch.whole and not _is_cut(switch)


@once
def _is_cut(switch: DbSwitch) -> bool:
    """Whether a file that looks whole has rows for less than half of the ports that its other tables name: an
    excerpt, or what is to be added to a switch."""
    named = {
        name
        for table, part in _ABOUT_PORTS.items()
        for key in switch.rows(table)
        for name in key.split("|")[part : part + 1]
        if name.startswith("Ethernet")
    }
    ports = switch.rows("PORT").keys()
    return len(ports) < _ALL_PORTS and len(named - ports) > max(len(named & ports), _FEW)


_FEW = 2
"""So many ports that PORT does not have may be slips, whatever else is named."""


def is_misspelt(switch: DbSwitch, table: str, name: str) -> bool:
    """Whether a table has a name that differs in dashes and case only."""
    return name not in switch.rows(table) and _letters(name) in _letters_of(switch, table)


@once
def _letters_of(switch: DbSwitch, table: str) -> frozenset[str]:
    return frozenset(map(_letters, switch.rows(table)))


def _letters(name: str) -> str:
    return re.sub("[-_]", "", name).lower()


def _is_renamed(switch: DbSwitch, name: str) -> bool:
    """Whether a row of VLAN has the number of a missing VLAN under another name: NP878."""
    return name in _by_vlan_ids(switch)


@once
def _by_vlan_ids(switch: DbSwitch) -> frozenset[str]:
    stated = (switch.number("VLAN", key, "vlanid") for key in switch.rows("VLAN"))
    return frozenset(f"Vlan{number}" for number in stated if number is not None)


def is_made(switch: DbSwitch, name: str) -> bool:
    """Whether buffermgrd makes a profile of that name, when a port of its speed and cable comes up; the model
    refuses a file without it (sonic-net/sonic-swss e6b0c5b cfgmgr/buffermgr.cpp, doSpeedUpdateTask)."""
    return not switch.dynamic and _MADE.fullmatch(name) is not None


def may_be_there(switch: DbSwitch, name: str, *tables: str) -> bool:
    """Whether a part may name a port, VLAN or port channel that the switch has: it is laid over the switch,
    and names every VLAN and port channel that it adds."""
    return (
        (switch.laid_over or (switch.whole and _is_cut(switch)))
        and _NUMBERED.fullmatch(name) is not None
        and all(
            table == "PORT" or (table in _NAMED_BY and switch.rows(table).keys() <= _used(switch, table))
            for table in tables
        )
    )


@once
def _used(switch: DbSwitch, target: str) -> frozenset[str]:
    """Names of rows of a table that keys, or fields of other rows, state."""
    return frozenset(
        str(row.fields.get(field, "")) if field else "".join(key.split("|")[part : part + 1])
        for table, part, field in _NAMED_BY[target]
        for key, row in switch.rows(table).items()
    )
