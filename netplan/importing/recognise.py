"""What a text is, by what is in it: names of files say nothing."""

from __future__ import annotations

import re
from typing import Literal

Source = Literal["kubernetes", "config_db", "lldp", "lldp_table", "launch_kit"]

_HEAD = 4096
_LLDP = re.compile(r'\A\s*\{\s*"lldp"\s*:')
_TABLE = re.compile(r"^ *LocalPort +RemoteDevice +RemotePortID\b", re.MULTILINE)
_CONFIG_DB = re.compile(r'"(?:DEVICE_METADATA|PORT|VLAN|DEVICE_NEIGHBOR|BGP_NEIGHBOR|PORT_QOS_MAP)[|"]')
_LAUNCH_KIT = re.compile(r"^clusterConfig\s*:", re.MULTILINE)
_OBJECT = re.compile(r"""["']?apiVersion["']?\s*:""")


def recognised(text: str) -> Source:
    """Kubernetes' for whatever is nothing else: its reader says what is wrong with a broken file."""
    if _LLDP.match(text):
        return "lldp"
    if _TABLE.search(text[:_HEAD]):
        return "lldp_table"
    is_object = _OBJECT.search(text[:_HEAD]) is not None
    if not is_object and text.lstrip().startswith("{") and _CONFIG_DB.search(text):
        return "config_db"
    return "launch_kit" if not is_object and _LAUNCH_KIT.search(text) else "kubernetes"
