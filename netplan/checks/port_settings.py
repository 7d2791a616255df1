"""NP842: FEC and auto-negotiation stated for a link must let it come up."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from netplan.catalog import optic_rows
from netplan.checks.registry import Finding, check
from netplan.diagnostics import Path
from netplan.model.plan import Plan
from netplan.model.switch_ports import SwitchPort
from netplan.model.switching import SwitchPlan

FEC: Mapping[str, tuple[int, ...]] = {
    "rs": (25, 50, 100, 200, 400, 800),
    "fc": (10, 25, 40, 50),
    "none": (10, 25, 40, 50, 100),
}
"""FEC mode -> speeds in Gb/s that support it. From 200 Gb/s up, lanes are PAM4, which needs RS."""


def _stated(plan: Plan) -> Iterator[tuple[SwitchPlan, SwitchPort]]:
    """One port per inventory link: both ends and all members of a range have the same settings."""
    seen: set[Path] = set()
    for switch in plan.switches:
        for port in switch.set_ports:
            if port.settings.rate and port.at not in seen:
                seen.add(port.at)
                yield switch, port


@check(
    "NP842",
    "FEC mode or auto-negotiation not supported on the link",
    on=Plan,
    counts=lambda plan: sum(1 for _ in _stated(plan)),
    about="switches",
)
def fec_of_speed(plan: Plan) -> Iterator[Finding]:
    """Speed and optic determine forward error correction; `auto` needs auto-negotiation, which only
    copper cables have.

    **Why.** The link stays down or has errors, or the switch rejects the mode and keeps its own.
    **Fix.** Correct `fec` or `autoneg`, or leave them out so that the ports keep their setting; accept
    the finding for a short copper cable of a class that needs no FEC (CA-N).
    **Source.** IEEE 802.3 clauses 73 (auto-negotiation: backplanes and copper), 74 (fc), 91, 108, 119 and 134
    (rs); ieee802.org/3/50G/email/msg00086.html (-CR4 and -SR4 need RS-FEC); CumulusNetworks/docs,
    cumulus-linux-42, Switch Port Attributes (optical modules do not negotiate; cable classes);
    sonic-net/SONiC 98de38fd doc/port_auto_neg/auto-fec.md; modes by speed of NVIDIA's tests of SONiC,
    ngts/constants/constants.py (FecConstants) in copies of sonic-net/sonic-mgmt
    """
    for switch, port in _stated(plan):
        optic = optic_rows()[port.optic] if port.optic is not None else None
        if optic is not None and port.settings.autoneg == "on" and not optic["negotiates"]:
            what = f"{switch.name} {port.name}: autoneg: true on {port.optic}, an optical module"
            yield Finding((*port.at, "autoneg"), what, "set autoneg: false, and state fec")
        elif port.settings.fec:
            negotiates = optic is None or optic["negotiates"]
            yield from _fec(switch, port, optic["rs_gbps"] if optic is not None else (), negotiates)


def _fec(switch: SwitchPlan, port: SwitchPort, rs_only: Sequence[int], negotiates: bool) -> Iterator[Finding]:
    """``rs_only``: speeds at which the optic supports only RS-FEC."""
    fec, speed, at = port.settings.fec, port.speed_gbps, (*port.at, "fec")
    if fec == "auto" and port.settings.autoneg != "on":
        what = f"{switch.name} {port.name}: fec auto without autoneg: true"
        hint = "state autoneg: true, or the mode itself" if negotiates else "state the mode itself"
        yield Finding(at, what, hint)
    elif fec != "auto" and speed not in FEC[fec]:
        modes = " or ".join(mode for mode, speeds in FEC.items() if speed in speeds)
        what = f"{switch.name} {port.name}: fec {fec} at {speed} Gb/s, which supports {modes}"
        yield Finding(at, what, f"state {modes}")
    elif fec not in ("auto", "rs") and speed in rs_only:
        link = f"{port.optic} at {speed} Gb/s, which IEEE 802.3 defines with rs only"
        what = f"{switch.name} {port.name}: fec {fec} on {link}"
        yield Finding(at, what, "state rs")
