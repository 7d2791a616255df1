"""Ports that lead down, up and to a rail, over which a switch's bandwidths are summed.

There are no sums over the whole fabric: adding a host would then change files of other devices.
"""

from __future__ import annotations

from collections.abc import Sequence

from netplan.model.switch_ports import SwitchPort


def down_ports(ports: Sequence[SwitchPort]) -> tuple[SwitchPort, ...]:
    """Ports to hosts and to lower switches."""
    return tuple(port for port in ports if port.kind in ("host", "downlink"))


def up_ports(ports: Sequence[SwitchPort]) -> tuple[SwitchPort, ...]:
    """Ports to upper switches and to those of the same tier."""
    return tuple(port for port in ports if port.kind in ("uplink", "peer"))


def rail_ports(ports: Sequence[SwitchPort], rail: int) -> tuple[SwitchPort, ...]:
    return tuple(port for port in ports if port.rail == rail)
