"""Claims of the plan, readings of saved outputs, and the result of comparing them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Literal

from netplan.diagnostics import Source
from netplan.records import dataclass

Kind = (
    Literal["rails", "card"]
    | Literal["lldp", "interfaces", "fec", "vlan", "svi", "tagging", "member", "bgp", "mac", "sysctl"]
    | Literal["ipv4", "ipv6"]
    | Literal["ecn", "watchdog", "storm", "shutdown", "pfc", "pfc mode", "roce"]
)
Outcome = Literal["ok", "wrong", "not seen"]

_LINUX: dict[Kind, str] = {"sysctl": "sysctl net.ipv4.neigh.default net.ipv6.neigh.default"}
COMMANDS: dict[Kind, str] = {
    "rails": "check-rails.sh",
    "card": "collect.sh",
    "lldp": "show lldp table",
    "interfaces": "show interfaces status",
    "fec": "show interfaces fec status",
    "vlan": "show vlan brief",
    "tagging": "show vlan brief",
    "ipv4": "show ip interfaces",
    "ipv6": "show ipv6 interfaces",
    "bgp": "show ip bgp summary",
    "ecn": "ecnconfig -l",
    "watchdog": "pfcwd show config",
    "storm": "pfcwd show stats -e",
    "pfc": "show pfc counters",
    **_LINUX,
}
"""Kind -> the command that prints it; for switches the command of SONiC."""


Shown = Literal["none", "ipv4", "all"]
PortMode = Literal["routed", "tagged", "untagged"]
"""Of a planned port: it has addresses, a tagged VLAN, or an untagged one alone."""


@dataclass(frozen=True, slots=True)
class Outputs:
    """What is read of a NOS. ``bridged_mtu``: it shows the MTU of a port without addresses as it was
    configured. ``modes``: words of ``interfaces`` for a port of this mode, the usual one first. ``fec``:
    ``interfaces`` shows FEC as it was configured. ``addresses``: those that it shows of ports and VLAN
    interfaces. ``loopback``: the interface that netplan gives the router's own address. ``bgp6``: of sessions
    over IPv6, where another command shows them. ``described``: form of a port's name, where LLDP sends it as
    the port's description. ``unread``: commands of the switch's README that no reader
    knows; what is in angle brackets stands for anything."""

    commands: Mapping[Kind, str]
    bridged_mtu: bool = True
    modes: Mapping[PortMode, tuple[str, ...]] = field(default_factory=dict)
    fec: bool = False
    addresses: Shown = "none"
    loopback: str = "Loopback0"
    bgp6: str = ""
    described: str = ""
    unread: tuple[str, ...] = ()


OUTPUTS: Mapping[str, Outputs] = {
    "sonic": Outputs(
        COMMANDS,
        modes={"routed": ("routed",), "tagged": ("trunk",), "untagged": ("trunk", "access")},
        fec=True,
        bgp6="show ipv6 bgp summary",
        described=r"Ethernet[0-9]{1,4}",
        unread=(
            "sudo vtysh -c 'show running-config bgpd'",
            "show priority-group persistent-watermark headroom",
            "show queue watermark unicast",
            "mmuconfig -l",
            "crm show resources ipv4 neighbor",
            "sonic-cfggen -d --print-data",
        ),
    ),
    "arista-eos": Outputs(
        {
            "lldp": "show lldp neighbors detail | json",
            "interfaces": "show interfaces | json",
            "svi": "show interfaces | json",
            "member": "show vlan | json",
            "bgp": "show bgp summary | json",
        },
        bridged_mtu=False,
        addresses="all",
        modes={"routed": ("routed",), "tagged": ("bridged",), "untagged": ("bridged",)},
        unread=(
            "show qos maps",
            "show qos profile ROCE",
            "show qos profile summary",
            "show qos interfaces ecn",
            "show priority-flow-control status",
            "show priority-flow-control counters",
            "show interfaces trunk",
            "show ip arp",
        ),
    ),
    "cisco-nxos": Outputs(
        {
            "lldp": "show lldp neighbors detail | json",
            "interfaces": "show interface | json",
            "svi": "show interface | json",
            "member": "show vlan | json",
            "bgp": "show bgp all summary | json",
            "mac": "show mac address-table aging-time | json",
            "pfc mode": "show interface priority-flow-control | json",
            "shutdown": "show queuing pfc-queue detail | json",
        },
        modes={"routed": ("routed",), "tagged": ("trunk",), "untagged": ("access",)},
        addresses="ipv4",
        loopback="loopback0",
        unread=(
            "show policy-map system type network-qos",
            "show policy-map system type queuing",
            "show policy-map interface <port>",
            "show running-config | include jumbomtu",
            "show ip arp",
        ),
    ),
    "cumulus-nvue": Outputs(
        {
            "lldp": "nv show interface --view=lldp -o json",
            "interfaces": "nv show interface -o json",
            "svi": "nv show interface -o json",
            "tagging": "bridge -j vlan show",
            "bgp": "sudo vtysh -c 'show bgp summary json'",
            "roce": "nv show qos roce -o json",
            **_LINUX,
        },
        addresses="all",
        loopback="lo",
        unread=(
            "nv config diff",
            "nv show qos roce",
            "nv show interface <port> qos roce counters",
            "nv show interface <port> qos pfc-watchdog",
            "ip neigh show",
        ),
    ),
    "juniper-junos": Outputs(
        {
            "lldp": "show lldp neighbors detail | display json",
            "interfaces": "show interfaces | display json",
            "svi": "show interfaces | display json",
            "tagging": "show vlans detail | display json",
            "bgp": "show bgp neighbor | display json",
        },
        loopback="lo0",
        modes={"routed": ("routed",), "tagged": ("bridged",), "untagged": ("bridged",)},
        addresses="all",
        unread=(
            "show | compare",
            "show l2-learning global-information",
            "show class-of-service interface <port>",
        ),
    ),
}
OTHERS = Outputs({"lldp": "lldpctl -f json"})
"""For a switch whose own commands cannot be read."""
DEFAULT_VLAN = "1"
"""Cannot be deleted, so that a list of all VLANs has it (EOS and NX-OS: show vlan)."""
HOP_KINDS = ("pod", "host", "leaf", "spine")


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveHop:
    """``kind``: one of HOP_KINDS; ``name``: of a workload, host or switch."""

    kind: str
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Expected:
    """What the plan says about one thing. ``rails``: those it carries; ``subject``: port, address, VLAN,
    profile, interface or PCI address; ``field`` should have the value ``expected``, or one of ``also``, which
    means the same; ``output``: what would show it. ``if_shown``: not missed where no output has it."""

    hop: LiveHop
    rails: tuple[int, ...]
    kind: Kind
    subject: str
    field: str
    expected: str
    output: str
    also: tuple[str, ...] = ()
    if_shown: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What a file says. ``where``: name of the hop. ``silent``: it should say something and does not, so that
    no other file can make this ok."""

    where: str
    kind: Kind
    subject: str
    field: str
    found: str
    at: Source
    silent: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """A claim with its outcome; ``found`` and ``at`` if a file says something about it."""

    claim: Expected
    outcome: Outcome
    found: str = ""
    at: Source | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Whole:
    """An output that lists all there is: what is not in it is not there. ``version``: of BGP neighbours, the
    IP version of their addresses, as a summary may be of one only; 0 of everything else. ``rows``: what is in
    it, None if that is what readings before it are about. ``weak``: perhaps of another address family, which
    counts as far as no other list is there. ``doubt``: why what is not in it is not seen."""

    where: str
    kind: Kind
    at: Source
    version: int = 0
    rows: frozenset[str] | None = None
    weak: bool = False
    doubt: str = ""


@dataclass(frozen=True, slots=True)
class Unused:
    """A part of a file that says nothing about the plan, and why."""

    at: Source
    why: str


@dataclass(frozen=True, slots=True)
class Unsure:
    """A list of sessions of which nothing says the address family: it counts if a planned one is in it."""

    found: tuple[Reading | Whole | Unused, ...]
    at: Source


def ip_version(subject: str) -> int:
    """Of an address; 0 of anything else."""
    return 6 if ":" in subject else 4 if subject[:1].isdigit() else 0


def row_of(kind: Kind, subject: str, field: str) -> str:
    """What a list has a row for: of the settings of a WRED profile each."""
    return f"{subject} {field}" if kind == "ecn" else subject
