"""Configurations of switches that lack the lines by which their NOS is known: a file copied off the switch,
what RANCID or AVD write, a tree of NVUE's REST API. They are named with what is missing."""

from __future__ import annotations

import re

from netplan.importing.switch_forms import HEAD

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
        lines = "'! Command: show running-config' (EOS) or '!Command: show running-config' (NX-OS)"
        return f"a configuration of EOS or NX-OS without the line that says which; put {lines} in front"
    if _ONYX.search(head):
        return "a configuration of Onyx without the lines from '## Running database' on; dump it whole"
    if _TREE.search(head) and _INTERFACE.search(head):
        return "a tree of NVUE that is no list of header and set; give nv config show -o yaml"
    return ""
