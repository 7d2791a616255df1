"""NP8xx, second part: cables, ports and speeds."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from netplan.checks.registry import Finding, check
from netplan.diagnostics import Path
from netplan.model.fabric import Fabric
from netplan.model.plan import Plan


def _link_count(fabric: Fabric) -> int:
    return len(fabric.host_links) + len(fabric.switch_links)


End = tuple[str, str]
"""A switch and its port, or a host and its HCA."""


def _ends(fabric: Fabric) -> Iterator[tuple[End, Path, End]]:
    """(end, place in the inventory, other end) of every cable end on a switch."""
    for link in fabric.host_links:
        yield (link.switch.name, link.port), link.at, (link.host.name, link.hca.name)
    for cable in fabric.switch_links:
        lower, upper = (cable.lower.name, cable.lower_port), (cable.upper.name, cable.upper_port)
        yield lower, cable.at, upper
        yield upper, cable.at, lower


@check("NP820", "switch port used twice", on=Fabric, counts=_link_count, about="switches")
def port_twice(fabric: Fabric) -> Iterator[Finding]:
    """A port takes one cable.

    **Why.** One of the two cables is in another port, and its VLAN, addresses and headroom would be wrong.
    **Fix.** Correct the port of one of the two links.
    **Source.** Arithmetic on the inventory: links.
    """
    first: dict[End, End] = {}
    for end, at, peer in _ends(fabric):
        other = first.setdefault(end, peer)
        if other is peer:
            continue
        what = f"{' '.join(end)} goes to {' '.join(other)}"
        if other == peer:
            yield Finding(at, f"{what} twice", "remove one of the two links")
        else:
            yield Finding(at, f"{what} and to {' '.join(peer)}", "correct one of the two links")


@check("NP821", "HCA with two cables", on=Fabric, counts=lambda fabric: len(fabric.host_links))
def hca_twice(fabric: Fabric) -> Iterator[Finding]:
    """An HCA of the inventory is one port. Dual-homed hosts (MLAG, EVPN multihoming) and LAGs are not
    supported yet; two links between the same two switches are fine, they are equal paths.

    **Why.** Its rail, VLAN and addresses follow from the one switch it is on. On two, both would need the
    same gateway address and MAC and a link between them, which netplan does not configure.
    **Fix.** Correct one of the two links, or describe the second port as an HCA and rail of its own.
    **Source.** netplan's own rule: VLAN and addresses follow from the one switch that an HCA is on; LAG and
    MLAG are not planned.
    """
    first: dict[End, End] = {}
    for link in fabric.host_links:
        here = (link.switch.name, link.port)
        other = first.setdefault((link.host.name, link.hca.name), here)
        if other != here:
            what = f"{link.host.name} {link.hca.name} goes to {' '.join(other)} and to {' '.join(here)}"
            hint = (
                "dual-homed and LAG hosts are not supported yet: remove one, or make the second port an HCA"
            )
            yield Finding(link.at, what, f"{hint} and rail of its own")


@check(
    "NP822",
    "switch link that starts at a spine",
    on=Fabric,
    counts=lambda fabric: len(fabric.switch_links),
    about="switches",
)
def from_a_spine(fabric: Fabric) -> Iterator[Finding]:
    """Links go from a leaf to a spine; two leaves may also be linked, two spines may not.

    **Why.** Addresses and AS numbers follow from the leaf; spines share an AS number and reject each
    other's routes, so nothing would use a link between them.
    **Fix.** Name a leaf in switches.
    **Source.** RFC 7938 section 5.2.1: the spines of one tier share an AS number, and refuse each other's
    routes as loops.
    """
    for link in fabric.switch_links:
        if link.lower.role != "leaf":
            what = (
                f"{link.lower.name} in switches is a {link.lower.role}, {link.upper.name} a {link.upper.role}"
            )
            yield Finding(link.at, what, "name a leaf in switches, and its spine or another leaf in to")


@check(
    "NP823",
    "invalid port name for the NOS",
    on=Plan,
    counts=lambda plan: len(plan.switches),
    about="switches",
)
def port_name_unknown(plan: Plan) -> Iterator[Finding]:
    """Every NOS has its own port names.

    **Why.** The switch rejects the line or the whole file.
    **Fix.** Use the port name of the NOS.
    **Source.** sonic-net/sonic-buildimage 086b03bd device/*/port_config.ini; CumulusNetworks/docs, Switch
    Port Attributes; NVIDIA Onyx user manual 3.10, Ethernet Interface Commands; aristanetworks/avd 3cac535c,
    ethernet_interfaces; ipspace/netlab 771eeee6 netsim/ansible/templates (NX-OS, OS10); Juniper/jvd 005ab34;
    Huawei EDOC1100345000; H3C Ethernet interface configuration guide.
    """
    seen: set[Path] = set()
    for switch in plan.switches:
        pattern = switch.port_pattern
        for port in switch.ports:
            if not _fits(pattern, port.name) and port.at not in seen:
                seen.add(port.at)
                what = f"{port.name} of {switch.name} is not a port name of {switch.nos}"
                yield Finding(port.at, what, f"use the form {pattern}")


@lru_cache(maxsize=65536)  # leaves of a NOS have the same ports
def _fits(pattern: str, port: str) -> bool:
    return re.fullmatch(pattern, port) is not None


@check(
    "NP824",
    "more ports than the switch model has",
    on=Plan,
    counts=lambda plan: len(plan.switches),
    about="switches",
)
def too_many_ports(plan: Plan) -> Iterator[Finding]:
    """Ports may be split, but not beyond the capacity of the model; the parts of one port count once.

    **Why.** Some of the cables cannot exist.
    **Fix.** Move links to another switch, or correct the model.
    **Source.** CumulusNetworks/docs 1ffba627 cumulus-linux-514, Forwarding-Table-Size-and-Profiles.md;
    sonic-net/sonic-buildimage 086b03bd device/dell, device/arista (platform.json, port_config.ini); of a
    model stated in the inventory its own `source`.
    """
    for switch in plan.switches:
        model = switch.type.model
        needed, has = sum(port.speed_gbps for port in switch.ports), model.ports * max(model.speeds_gbps)
        if needed > has:
            what = (
                f"{len(switch.ports)} ports of {switch.name} need {needed:,} Gb/s, {model.name} has {has:,}"
            )
            yield Finding(switch.at, what, "move links to another switch or correct the model")
        elif len(switch.physical) > model.ports:
            what = f"{len(switch.physical)} physical ports of {switch.name} are used, {model.name} has"
            hint = "move links to another switch or correct the model"
            yield Finding(switch.at, f"{what} {model.ports}", hint)


@check(
    "NP825",
    "speed not supported by the switch model",
    on=Plan,
    counts=lambda plan: len(plan.switches),
    about="switches",
)
def switch_speed(plan: Plan) -> Iterator[Finding]:
    """A port runs at one of its model's speeds.

    **Why.** The link stays down, or runs slower than planned with the wrong headroom.
    **Fix.** Correct speed_gbps of the link or HCA, or the model.
    **Source.** CumulusNetworks/docs 1ffba627 cumulus-linux-514, Forwarding-Table-Size-and-Profiles.md;
    sonic-net/sonic-buildimage 086b03bd device/dell, device/arista (platform.json, port_config.ini); of a
    model stated in the inventory its own `source`.
    """
    seen: set[tuple[Path, str]] = set()
    for switch in plan.switches:
        model = switch.type.model
        for port in switch.ports:
            if port.speed_gbps not in model.speeds_gbps and (port.at, model.name) not in seen:
                seen.add((port.at, model.name))
                speeds = ", ".join(map(str, model.speeds_gbps))
                what = f"{switch.name} {port.name} runs at {port.speed_gbps} Gb/s, {model.name} has {speeds}"
                yield Finding(port.at, what, "correct speed_gbps or the model")
