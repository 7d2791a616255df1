"""Marks that identify the running configuration of a NOS, and lines that are reported and not read.

EOS heads what ``show running-config`` prints with ``! Command:`` and ``! device: name (model, EOS-version)``,
NX-OS with ``!Command:`` and, below it, ``version``, Onyx with ``## Running database`` and ``## Hostname:``;
``display set`` of Junos begins with ``set version``; NVUE prints a list of ``header`` and ``set``
(CumulusNetworks/docs, nv config show). Without such a head ``switch_signs`` decides.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from netplan.importing.switch_signs import nos_of

HEAD = 20_000
"""Characters at the beginning of a text in which its marks are looked for."""
_NAME = r"([A-Za-z0-9][A-Za-z0-9._-]{0,62})"


@dataclass(frozen=True, slots=True)
class Form:
    """``marks``: any of them identifies the NOS; ``hostname``, ``model``, ``release``: where they stand, if
    at all. ``file``: the NOS's output file with lines of this form. ``told``: lines that matter here but are
    not read, each with the message for the first of them. ``alias``: the NOS's other name for a port."""

    nos: str
    file: str
    marks: re.Pattern[str]
    hostname: re.Pattern[str]
    model: re.Pattern[str]
    release: re.Pattern[str]
    told: tuple[tuple[re.Pattern[str], str], ...]
    alias: str = ""


_NEVER = r"(?!)()"
Told = tuple[tuple[str, str], ...]
_RANGE = "lines of {1}, a range of ports, are not read"
_LEFT_RANGE = r"^interface +((?:e(?:t|th|thernet)?|port-channel|vlan) ?[0-9][0-9/]*(?: *[,-][^\n]*))$"
"""One of several slots and parts, such as Ethernet5/1-6/4, is no list of ports without the hardware."""
_OTHER_SLOTS = r"(?!((?:[0-9]{1,3}/){1,2})[0-9]{1,3}-\2[0-9]{1,3} )"
"""In front of a range of ports that is not of one slot, which the readers of Onyx know."""
VIRTUAL = "{1}: the address shared by several switches is a gateway alone: an inventory has it on one switch"
VRF = "{1} is in a VRF: its addresses are taken, the VRF is not"
ROUTE = "{1}: static routes are not taken, the inventory has no key for them"
ACL = "{1} has an ACL, which the inventory has no key for"
_SHAPE = "{1}: shaping is not taken, the inventory has no key for it"
CONNECTED = "{1} of BGP is not taken: netplan announces loopbacks and rails one by one"
VXLAN = "{1}: VXLAN is not taken, the inventory has no key for it"
_BGP_DOWN = r"^router bgp \S+\n(?:[ \t][^\n]*\n)*? {2,3}(shutdown)$"
_DOWN = "{1} of router bgp: shut down today, which an inventory cannot say; the first render has its sessions"
_TAG = "{1}: the tag of its address is not taken, the inventory has no key for it"
_ANYCAST = "{1}: the address is taken, an anycast gateway is not: an inventory has a gateway on one switch"


def _form(
    nos: str,
    file: str,
    marks: str,
    hostname: str,
    model: str = _NEVER,
    release: str = _NEVER,
    told: Told = (),
    alias: str = "",
) -> Form:
    return Form(
        nos,
        file,
        re.compile(marks, re.MULTILINE),
        re.compile(hostname, re.MULTILINE),
        re.compile(model, re.MULTILINE),
        re.compile(release, re.MULTILINE),
        tuple((re.compile(line, re.MULTILINE), text) for line, text in told),
        alias,
    )


_LINES = r"(?:[ \t][^\n]*\n)*?[ \t]+"


def _below(head: str, line: str, beside: str = "") -> str:
    """A line in the block of ``head``, whose name is the first group. ``beside``: looks at the block."""
    return rf"^{head} ?(\S+)\n{beside}{_LINES}{line}[^\n]*$"


_EOS_QOS = r"(?:priority-flow-control\b|qos trust\b|(?:uc-)?tx-queue [0-9])"
_EOS_LEFT = (
    r"(?:no priority-flow-control\b|no qos trust\b|qos (?:cos|dscp) [0-9]|mc-tx-queue [0-9]"
    r"|service-policy type |flowcontrol (?:send|receive) on)"
)
_EOS_PROFILE = rf"(?={_LINES}service-profile )"
_EOS_OWN = rf"(?!{_LINES}priority-flow-control priority [0-7] no-drop|{_LINES}service-profile )"
_OF_PORT = "{1} has QoS lines of its own, which are not taken"
_KEY = r"^[ \"]*{}\"?:\s*\"?"
FORMS = (
    _form(
        "arista-eos",
        "interfaces.txt",
        r"^! (?:Command: show (?:running|startup)-config|device: \S+ \([^)]*EOS-)",
        rf"^hostname {_NAME}$",
        r"^! device: \S+ \(([^,)]+),",
        r"^! device: \S+ \([^)]*EOS-([^\s,)]+)",
        told=(
            (f"(?i:{_LEFT_RANGE})", _RANGE),
            (_below("interface", r"(?:ip virtual-router address|vrrp) "), VIRTUAL),
            (_below("interface(?! Management)", r"vrf (?!forwarding )\S+"), VRF),
            (r"^interface (Vxlan[0-9]+)$", VXLAN),
            (_below("interface", r"ip(?:v6)? address virtual "), _ANYCAST),
            (
                _below("interface", _EOS_QOS, _EOS_PROFILE),
                "{1} has QoS lines beside its qos profile, which alone is taken",
            ),
            (_below("interface", _EOS_QOS, _EOS_OWN), _OF_PORT),
            (_below("interface", _EOS_LEFT), _OF_PORT),
            (
                r"^(policy-map type (?:qos|quality-of-service|tx-queue) \S+)",
                "{1}: policy maps are not taken; state the class of what they match in fabric.qos",
            ),
            (r"^(ip(?:v6)? route (?!vrf (?:MGMT|mgmt|management) )[^\n]*[0-9][^\n]*)$", ROUTE),
            (_below("interface", r"(?:ip|ipv6|mac) access-group "), ACL),
            (r"^ +(shape rate [^\n]+)$", _SHAPE),
            (r"^ +(redistribute [^\n]+)$", CONNECTED),
            (_BGP_DOWN, _DOWN),
            (r"^(load-balance [^\n]+)$", "{1} is not taken; state fabric.adaptive_routing where it is meant"),
        ),
    ),
    _form(
        "cisco-nxos",
        "interfaces.txt",
        r"^!Command: show (?:running|startup)-config",
        rf"^(?:hostname|switchname) {_NAME}$",
        release=r"^version (\S+)",
        told=(
            (f"(?i:{_LEFT_RANGE})", _RANGE),
            (
                _below("interface", r"(?:service-policy type queuing |flowcontrol (?:send|receive) on)"),
                _OF_PORT,
            ),
            (_below("interface", r"(?:hsrp|vrrp) [0-9]+"), VIRTUAL),
            (_below(r"interface(?! mgmt)", r"vrf member \S+"), VRF),
            (r"^interface (nve[0-9]+)$", VXLAN),
            (_below(r"interface(?! mgmt)", r"ip(?:v6)? address \S+ (?:[a-z][^\n]* )?tag [0-9]+"), _TAG),
            (_below("interface", r"fabric forwarding mode anycast-gateway"), _ANYCAST),
            (r"^(ip(?:v6)? route [^\n]*[0-9][^\n]*)$", ROUTE),
            (_below("interface", r"(?:ip|ipv6) (?:port )?(?:access-group|traffic-filter) "), ACL),
            (r"^ +(redistribute [^\n]+)$", CONNECTED),
            (_BGP_DOWN, _DOWN),
        ),
    ),
    _form(
        "onyx",
        "interfaces.txt",
        r"\A(?:\S*[>#] *show running-config[^\n]*\n)?(?:##[^\n]*\n|\s)*## Running database ",
        rf"^## Hostname: {_NAME}$",
        release=r"^## Product release: (\S+)$",
        told=((rf"^ *interface ethernet ({_OTHER_SLOTS}[0-9/]+-[0-9/]+) ", _RANGE),),
        alias="Eth{}",  # intel/mfd-switchmanagement c79b9e18, test_mellanox.py: Eth1/31 in tables of LLDP
    ),
    _form(
        "juniper-junos",
        "interfaces.txt",
        r"^set (?:version \S+|system host-name \S+)$",
        rf"^set system host-name {_NAME}$",
        release=r"^set version (\S+)$",
        told=(
            (r"^set interfaces interface-range (\S+) ", _RANGE),
            (r"^set interfaces (\S+ unit [0-9]+) .*virtual-gateway-(?:v4-|v6-)?(?:address|mac) ", VIRTUAL),
            (
                r"^set (groups \S+) (?:interfaces|vlans|protocols|class-of-service) ",
                "{1}: configuration groups are not read",
            ),
            (
                r"^set (vlans \S+ (?:vlan-id [0-9]+|l3-interface \S+) \S[^\n]*)$",
                "{1}: several settings in one line are not read; give show configuration | display set",
            ),
            (r"^deactivate (\S[^\n]*)$", "{1}: inactive statements are left out"),
            (r"^set (routing-instances (?!mgmt_junos )\S+) interface ", VRF),
            (r"^set (switch-options vtep-source-interface) ", VXLAN),
            (r"^set (routing-options (?:rib \S+ )?static route \S+) ", ROUTE),
            (r"^set interfaces (\S+ unit [0-9]+) family \S+ filter ", ACL),
            (r"^set (class-of-service schedulers \S+ shaping-rate [^\n]+)$", _SHAPE),
        ),
    ),
    _form(
        "cumulus-nvue",
        "interfaces.yaml",
        r"\A\s*(?:\[\s*\{\s*\"(?:header|set)\"\s*:|(?:#[^\n]*\n|\s)*- (?:header|set):)",
        _KEY.format("hostname") + _NAME + r"\"?,?$",
        _KEY.format("model") + r"([A-Za-z0-9_-]+)",
        _KEY.format("version") + r"Cumulus Linux ([^\s\",]+)",
    ),
    _form(
        "cumulus-nvue",
        "interfaces.txt",
        r"\A\s*(?:#[^\n]*\n|\s)*nv set ",
        rf"^nv set system hostname {_NAME}$",
        told=((r"^nv set vrf default router bgp address-family \S+ (redistribute connected)$", CONNECTED),),
    ),
)


def form_of(text: str) -> Form | None:
    """By the marks of its head, else by several signs of one NOS."""
    head = text[:HEAD]
    marked = next((form for form in FORMS if form.marks.search(head)), None)
    if marked is not None:
        return marked
    nos = nos_of(text)
    return next((form for form in FORMS if form.nos == nos), None)
