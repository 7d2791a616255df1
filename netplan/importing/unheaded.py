"""Configurations of switches that neither their head nor several signs of one NOS identify: parts of one, and
texts with signs of two. They are named with what is missing."""

from __future__ import annotations

import re

from netplan.importing.switch_forms import HEAD
from netplan.importing.switch_signs import other_keys, signs_of
from netplan.report import few

_FIRST = "'! Command: show running-config' (EOS) or '!Command: show running-config' (NX-OS)"
_TITLES = {"arista-eos": "EOS", "cisco-nxos": "NX-OS"}
_COMMANDS = re.compile(
    r"^interface (?:Ethernet|Port-Channel|port-channel|Vlan|Loopback|loopback)[0-9/]+\s*$", re.MULTILINE
)
_OTHERS = re.compile(r"^(?:frr version|Building configuration|version 1[0-9]\.[0-9])", re.MULTILINE)
_ONYX = re.compile(r"^ *interface ethernet [0-9/]+ \S", re.MULTILINE)
_TREE = re.compile(r"""(?:\A\s*\{|^["']?set["']?:|^["']?header["']?:|^["']?interface["']?:)""", re.MULTILINE)
_INTERFACE = re.compile(r"""["']?interface["']?: *\{?\s*["']?(?:eth0|lo|swp[0-9][0-9a-z,-]*)["']?: *""")


def lacks(text: str) -> str:
    """What the text looks like and lacks; empty for any other."""
    head = text[:HEAD]
    if _COMMANDS.search(head) and not _OTHERS.search(head):
        seen = [f"of {_TITLES[nos]}: {few(names, 3)}" for nos, names in signs_of(text).items()]
        why = f"; its signs ({'; '.join(seen)}) are too few or of both" if seen else ""
        return f"a configuration of EOS or NX-OS without the line that says which{why}; put {_FIRST} in front"
    if _ONYX.search(head):
        return "a configuration of Onyx without the lines from '## Running database' on; dump it whole"
    if _TREE.search(head) and _INTERFACE.search(head):
        other = few(other_keys(text), 3)
        why = f", with the key {other}, which NVUE does not have" if other else ""
        return f"a tree of NVUE that is no list of header and set{why}; give nv config show -o yaml"
    return ""
