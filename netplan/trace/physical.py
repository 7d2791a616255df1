"""Whether a port and the far end of its cable come up together: speed, FEC, auto-negotiation."""

from __future__ import annotations

from collections.abc import Iterator

from netplan.model.readback import ReadPort
from netplan.model.site import PATH
from netplan.trace.cables import Place
from netplan.trace.fabric import ReadFabric
from netplan.trace.model import Fault, Verdict

_AUTO = "auto"
_OFF = ("none", "fc")
"""FEC settings other than RS-FEC, which IEEE 802.3 has at 100 Gb/s and above (clauses 91, 119, 134)."""


def link_faults(fabric: ReadFabric, switch: str, port: str) -> Iterator[Fault]:
    """What is configured on a port against its cable in ``site.json`` and against the port at the far end."""
    state = fabric.switches[switch].ports[port]
    cable = fabric.cables.speed_gbps(switch, port)
    if state.gbps is not None and cable and state.gbps != cable:
        where = fabric.at_port(switch, port, "port-speed")
        text = f"{switch} {port} has a speed of {state.gbps} Gb/s ({where}), its cable {cable} Gb/s ({PATH})"
        yield Fault(Verdict.LOST, text)
    far = fabric.cables.peer(switch, port)
    other = fabric.switches[far[0]].ports.get(far[1]) if far is not None else None
    if far is not None and other is not None:
        yield from _ends(fabric, (switch, port), state, far, other)
    elif far is None and state.fec in _OFF and cable >= 100:
        where = fabric.at_port(switch, port, "port-fec")
        text = f"FEC of {switch} {port} is {state.fec} ({where}); no file states that of its peer"
        yield Fault(Verdict.UNPROVED, text)


def _ends(fabric: ReadFabric, near: Place, state: ReadPort, far: Place, other: ReadPort) -> Iterator[Fault]:
    """Between two switches, reported once, at the end whose name sorts first. A different speed is a fault of
    one end against its cable and is reported there."""
    if near > far:
        near, state, far, other = far, other, near, state
    for what, fact, one, two in (
        ("FEC", "port-fec", state.fec, other.fec),
        ("auto-negotiation", "port-autoneg", state.autoneg, other.autoneg),
    ):
        if one == two or _AUTO in (one, two):
            continue
        both = bool(one and two)
        said = (
            f"{what} of {switch} {port} is {value} ({fabric.at_port(switch, port, fact)})"
            if value
            else f"that of {switch} {port} is not stated"
            for (switch, port), value in sorted(((near, one), (far, two)), key=lambda end: not end[1])
        )
        refuted = both and what == "FEC"
        yield Fault(Verdict.LOST if refuted else Verdict.UNPROVED, ", ".join(said))
