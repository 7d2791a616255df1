"""Claims of the plan, readings of saved outputs, and the result of comparing them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from netplan.diagnostics import Source
from netplan.records import dataclass

Kind = Literal["rails", "card", "lldp", "interfaces", "vlan", "bgp", "ecn", "watchdog", "storm", "pfc"]
Outcome = Literal["ok", "wrong", "not seen"]

COMMANDS: dict[Kind, str] = {
    "rails": "check-rails.sh",
    "card": "collect.sh",
    "lldp": "show lldp table",
    "interfaces": "show interfaces status",
    "vlan": "show vlan brief",
    "bgp": "show ip bgp summary",
    "ecn": "ecnconfig -l",
    "watchdog": "pfcwd show config",
    "storm": "pfcwd show stats",
    "pfc": "show pfc counters",
}
"""Kind -> the command that prints it; for switches the command of SONiC."""


@dataclass(frozen=True, slots=True)
class Outputs:
    """What can be read from a NOS. ``port_fields``: port fields that ``interfaces`` has."""

    commands: Mapping[Kind, str]
    port_fields: tuple[str, ...] = ()


OUTPUTS: Mapping[str, Outputs] = {
    "sonic": Outputs(COMMANDS, ("oper", "admin", "speed", "mtu")),
    "arista-eos": Outputs(
        {
            "lldp": "show lldp neighbors detail | json",
            "interfaces": "show interfaces description | json",
            "bgp": "show bgp summary | json",
        },
        ("oper",),
    ),
    "cisco-nxos": Outputs({"lldp": "show lldp neighbors detail | json"}),
    "cumulus-nvue": Outputs({"lldp": "nv show interface --view=lldp -o json"}),
    "juniper-junos": Outputs({"lldp": "show lldp neighbors detail | display json"}),
}
OTHERS = Outputs({"lldp": "lldpctl -f json"})
"""For a switch whose own commands cannot be read."""
HOP_KINDS = ("pod", "host", "leaf", "spine")


@dataclass(frozen=True, slots=True, kw_only=True)
class Hop:
    """``kind``: one of HOP_KINDS; ``name``: of a workload, host or switch."""

    kind: str
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """What the plan says about one thing. ``rails``: those it carries; ``subject``: port, address, VLAN,
    profile, interface or PCI address; ``field`` should have the value ``expected``; ``output``: what would
    show it."""

    hop: Hop
    rails: tuple[int, ...]
    kind: Kind
    subject: str
    field: str
    expected: str
    output: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What a file says. ``where``: name of the hop."""

    where: str
    kind: Kind
    subject: str
    field: str
    found: str
    at: Source


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """A claim with its outcome; ``found`` and ``at`` if a file says something about it."""

    claim: Claim
    outcome: Outcome
    found: str = ""
    at: Source | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Whole:
    """An output that lists everything: what it does not have does not exist."""

    where: str
    kind: Kind
    at: Source
