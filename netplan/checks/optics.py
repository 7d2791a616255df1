"""NP864, NP865: length and speed of a link versus the limits of its transceiver or cable."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from netplan.catalog import optic_rows
from netplan.checks.registry import Finding, check
from netplan.diagnostics import Path, Severity
from netplan.model.plan import Plan
from netplan.model.switch_ports import SwitchPort
from netplan.model.switching import SwitchPlan


def _optic_count(plan: Plan) -> int:
    return sum(port.optic is not None for switch in plan.switches for port in switch.ports)


def _stated(plan: Plan) -> Iterator[tuple[SwitchPlan, SwitchPort, Mapping[int, int]]]:
    """One port per inventory link and speed, with its optic's reach: speed in Gb/s -> metres."""
    seen: set[tuple[Path, int]] = set()
    for switch in plan.switches:
        for port in switch.ports:
            if port.optic is not None and (port.at, port.speed_gbps) not in seen:
                seen.add((port.at, port.speed_gbps))
                reach = optic_rows()[port.optic]["reach_m"]
                yield switch, port, {int(speed): metres for speed, metres in reach.items()}


@check(
    "NP864",
    "cable longer than the reach of its optic",
    on=Plan,
    counts=_optic_count,
    severity=Severity.WARNING,
    about="switches",
)
def cable_beyond_reach(plan: Plan) -> Iterator[Finding]:
    """`optic` states the kind of transceiver or cable of a link, which has a reach at each speed.

    **Why.** A longer link does not come up, or has errors that cause packet loss.
    **Fix.** Use an optic that reaches, or correct `cable_m`; accept the finding if the vendor's data
    sheet states a longer reach.
    **Source.** IEEE 802.3 clauses 88, 95, 121, 122, 124, 138 and 151, 802.3bj, 802.3cd, 802.3cu, 802.3db,
    802.3df; docs.nvidia.com/networking/display/400g100gpam4ovpub; 100glambda.com (400G-LR4-10); tiafotc.org,
    400GBASE-SR8 and 800GBASE-DR8 Application Overview.
    """
    for switch, port, reach in _stated(plan):
        metres = reach.get(port.speed_gbps)
        if metres is not None and port.cable_m > metres:
            at = f"at {port.speed_gbps} Gb/s"
            what = (
                f"{switch.name} {port.name}: cable of {port.cable_m} m, the reach of {port.optic} is "
                f"{metres} m {at}"
            )
            yield Finding((*port.at, "cable_m"), what, "use an optic that reaches, or correct cable_m")


@check(
    "NP865",
    "optic does not support the speed of the link",
    on=Plan,
    counts=_optic_count,
    severity=Severity.WARNING,
    about="switches",
)
def optic_of_other_speed(plan: Plan) -> Iterator[Finding]:
    """Every kind of transceiver or cable exists at certain speeds.

    **Why.** The module does not fit the port or its speed, and the cable length cannot be checked.
    **Fix.** Correct `optic`; for a twin-port module write the kind of one half.
    **Source.** IEEE 802.3 clauses 88, 95, 121, 122, 124, 138 and 151, 802.3bj, 802.3cd, 802.3cu, 802.3db,
    802.3df; docs.nvidia.com/networking/display/400g100gpam4ovpub; 100glambda.com (400G-LR4-10); tiafotc.org,
    400GBASE-SR8 and 800GBASE-DR8 Application Overview.
    """
    for switch, port, reach in _stated(plan):
        if port.speed_gbps not in reach:
            speeds = ", ".join(map(str, sorted(reach)))
            what = (
                f"{switch.name} {port.name} runs at {port.speed_gbps} Gb/s, {port.optic} exists at {speeds}"
            )
            yield Finding((*port.at, "optic"), what, "correct optic or the speed of the link")
