"""NP816: ports that the switch model does not have. NP85x, first part: split ports."""

from __future__ import annotations

from collections.abc import Iterator

from netplan.checks.registry import Finding, check
from netplan.diagnostics import Path, Severity
from netplan.model.plan import Plan
from netplan.model.switch_ports import PhysicalPort
from netplan.model.switching import SwitchPlan


def _split_count(plan: Plan) -> int:
    return sum(len(switch.divided) for switch in plan.switches)


def _split(plan: Plan) -> Iterator[tuple[SwitchPlan, PhysicalPort, Path]]:
    """(switch, split port, place of its link), one per inventory link and switch type: the members of a range
    are split the same way."""
    seen: set[tuple[Path, str, int, tuple[int, ...], bool]] = set()
    for switch in plan.switches:
        divided = switch.divided
        places = {port.name: port.at for port in switch.ports} if divided else {}
        for port in divided:
            key = (places[port.last], switch.type.name, port.parts, port.speeds, port.whole)
            if key not in seen:
                seen.add(key)
                yield switch, port, places[port.last]


@check("NP850", "parts of a port with different speeds", on=Plan, counts=_split_count, about="switches")
def part_speeds(plan: Plan) -> Iterator[Finding]:
    """A physical port is split into parts of one speed.

    **Why.** The lanes of a port are divided evenly; a part with more or fewer lanes does not come up.
    **Fix.** Correct speed_gbps of the link or HCA, or cable the other speed to another port.
    **Source.** CumulusNetworks/docs, Switch Port Attributes: lanes of a part = lanes of the port / parts
    """
    for switch, port, at in _split(plan):
        if len(port.speeds) > 1:
            speeds = " and ".join(map(str, port.speeds))
            used = ", ".join(port.members)
            what = f"{switch.name} {port.name} is split into parts of {speeds} Gb/s: {used}"
            yield Finding(at, what, "correct speed_gbps, or use parts of another port")


@check("NP851", "split port also used whole", on=Plan, counts=_split_count, about="switches")
def whole_and_parts(plan: Plan) -> Iterator[Finding]:
    """The port and its parts do not exist at the same time.

    **Why.** Splitting a port removes the port and its configuration.
    **Fix.** Name parts in all links of this port, or in none.
    **Source.** CumulusNetworks/docs, Switch Port Attributes; developer.cisco.com, Configuring Breakout on
    High-Bandwidth Interfaces
    """
    for switch, port, at in _split(plan):
        if port.whole:
            what = f"{switch.name} {port.name} is used whole, and so are its parts {', '.join(port.members)}"
            yield Finding(at, what, "use the port or its parts, not both")


@check("NP852", "port split into too many parts", on=Plan, counts=_split_count, about="switches")
def split_too_far(plan: Plan) -> Iterator[Finding]:
    """The parts share the lanes and the speed of their port.

    **Why.** The switch rejects the split, or the parts stay down.
    **Fix.** Use fewer parts or a lower speed, or correct the model.
    **Source.** CumulusNetworks/docs 1ffba627 cumulus-linux-514, Forwarding-Table-Size-and-Profiles.md;
    sonic-net/sonic-buildimage 086b03bd device/dell, device/arista (platform.json, port_config.ini); of a
    model stated in the inventory its own `source`.
    """
    for switch, port, at in _split(plan):
        model = switch.type.model
        speed = max(model.speeds_gbps)
        if model.lanes and port.parts > model.lanes:
            what = f"{switch.name} {port.name} is split into {port.parts}, a port of {model.name} has"
            yield Finding(at, f"{what} {model.lanes} lanes", "use fewer parts or correct the model")
        elif port.parts * port.part_gbps > speed:
            what = f"{switch.name} {port.name} is split into {port.parts} x {port.part_gbps} Gb/s"
            hint = "use fewer parts, state a lower speed_gbps, or name the port without its part"
            yield Finding(at, f"{what}, a port of {model.name} has {speed}", hint)


MANAGEMENT_GBPS = 25
"""Highest speed of the extra ports that many switches have and the catalog omits: two SFP+ of 10 or one of
25 Gb/s. A rule of thumb, no source."""


@check(
    "NP816",
    "port outside the switch model",
    on=Plan,
    counts=lambda plan: sum(port.position > 0 for switch in plan.switches for port in switch.physical),
    severity=Severity.WARNING,
    about="switches",
)
def no_such_port(plan: Plan) -> Iterator[Finding]:
    """Compares the number in a port's name with `ports` of the model, for switches without line cards.

    **Why.** The switch rejects the configuration of this port, and the cable cannot exist as planned.
    **Fix.** Correct the port, or `ports` (and `lanes`) of the model in catalog.switches. Whole ports of
    up to 25 Gb/s are not checked: many switches have some beyond those in the catalog.
    **Source.** CumulusNetworks/docs 1ffba627 cumulus-linux-514, Forwarding-Table-Size-and-Profiles.md;
    sonic-net/sonic-buildimage 086b03bd device/dell, device/arista (platform.json, port_config.ini); of a
    model stated in the inventory its own `source`. That ports up to 25 Gb/s are left out is a rule of thumb,
    no source.
    """
    seen: set[tuple[Path, str]] = set()
    for switch in plan.switches:
        model = switch.type.model
        for port in switch.physical:
            if port.position <= model.ports:
                continue
            if port.parts == 1 and all(speed <= MANAGEMENT_GBPS for speed in port.speeds):
                continue
            at = next(each.at for each in switch.ports if each.name == port.last)
            if (at, model.name) not in seen:
                seen.add((at, model.name))
                what = f"{switch.name} {port.name} is port {port.position} of the box, {model.name} has"
                yield Finding(at, f"{what} {model.ports}", "correct the port or the model")
