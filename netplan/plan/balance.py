"""How flows are spread over equal paths: the ECMP hash of each tier, and adaptive routing."""

from __future__ import annotations

from collections.abc import Sequence

from netplan.model.fabric import Fabric
from netplan.model.hardware import Switch, SwitchType
from netplan.model.nos import NosProfile
from netplan.model.switch_ports import SwitchPort

Names = tuple[str, ...]

TIERS = {"leaf": 1, "spine": 2}
"""Role -> tier, from the hosts up."""
SEED_STEP = 10
"""Seed = 10 x tier. Seeds must differ between tiers: with one seed a spine would hash flows as the leaf below
it did and use only part of its links. SONiC ships steps of this size
(dockers/docker-orchagent/switch.json.j2)."""


def hash_seed(switch: Switch) -> int:
    return SEED_STEP * TIERS[switch.role]


def adaptive_ports(fabric: Fabric, nos: NosProfile, kind: SwitchType, ports: Sequence[SwitchPort]) -> Names:
    """Names of the routed ports to other switches that get adaptive routing.

    None unless the ASIC supports it at the speed of every one of them, because all paths of a route must be
    alike. Where the NOS's command is unconfirmed and printed only as a comment, speeds are not checked.
    """
    candidates = balanced_ports(ports)
    asic = nos.asics.get(kind.model.asic)
    speeds = asic.adaptive_gbps if asic is not None else ()
    fit = "adaptive_routing" in nos.unconfirmed or all(port.speed_gbps in speeds for port in candidates)
    if not fabric.adaptive_routing or nos.supports["adaptive_routing"] or not fit:
        return ()
    return tuple(port.name for port in candidates)


def balanced_ports(ports: Sequence[SwitchPort]) -> tuple[SwitchPort, ...]:
    return tuple(port for port in ports if port.kind != "host" and port.routed)
