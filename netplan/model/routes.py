"""Routes of a pod's interface, as data for the programs that install them."""

from __future__ import annotations

from typing import Literal

from netaddr import IPAddress, IPNetwork

from netplan.records import dataclass

RoutingName = Literal["sbr", "script", "table", "claim", "spiderpool", "none"]
"""What installs the routes of a rail; ``plan/pod_routes.py`` has a row of each."""


@dataclass(frozen=True, slots=True, kw_only=True)
class IpamRoute:
    """A route that the IPAM returns and the main plugin, or DRANET, installs.

    ``gateway``: None for on-link. ``table``: None for table main.
    """

    to: IPNetwork
    gateway: IPAddress | None
    table: int | None
