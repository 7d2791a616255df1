"""Where the BGP configuration of a switch is written, which depends on who owns FRR's configuration there."""

from __future__ import annotations

from netaddr import IPNetwork

from netplan.model.frr import NosFrr, SwitchFrr
from netplan.model.hardware import SwitchType
from netplan.model.nos import NosProfile


def plan_frr(kind: SwitchType, nos: NosProfile, bgp: bool, hosts: tuple[IPNetwork, ...]) -> SwitchFrr:
    """``bgp``: the switch has neighbours. ``hosts``: prefixes of its routed host links."""
    owner, stated = _owner(kind, nos), kind.frr_mode is not None
    if owner is None:
        return SwitchFrr(mode="", stated=stated, routing_config=(), framework=False, bgp="", lost=())
    place = owner.bgp if bgp else ""
    return SwitchFrr(
        mode=owner.name,
        stated=stated,
        routing_config=owner.routing_config,
        framework=owner.framework,
        bgp=place,
        lost=hosts if place == "rows" else (),
    )


def _owner(kind: SwitchType, nos: NosProfile) -> NosFrr | None:
    """FRR's owner: as stated, else the image's default, the first in nos.yaml; None if the NOS offers no
    choice."""
    if kind.frr_mode is None:
        return nos.frr_modes[0] if nos.frr_modes else None
    return next((mode for mode in nos.frr_modes if mode.name == kind.frr_mode), None)
