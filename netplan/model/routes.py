"""Routes of a pod's interface: what installs them, one row for each value of ``networks.X.routing``, and the
routes as data for the programs that install them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from netaddr import IPAddress, IPNetwork

from netplan.records import dataclass

RoutingName = Literal["sbr", "script", "table", "claim", "spiderpool", "none"]
"""What installs the routes of a rail."""

Installs = Literal["sbr", "ipam", "script", "claim", "coordinator", "nothing"]
"""What sets up the rail's table: the plugin sbr, from the IPAM's routes; routes of the IPAM that name the
table; netplan's script; the configuration of a DRANET claim; Spiderpool's coordinator; nothing."""

Table = Literal["rail", "next", "own", "none"]
"""rail: 700 + rail; next: sbr's own count; own: a number that only the program knows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Routing:
    """Capabilities of a routing back end.

    ``sbr_plugin``: sbr is chained, with the rail's table unless it counts tables itself. ``prefixes``: the
    table has a route to each prefix of other rails. ``by_prefix``: the rule matches the rail's prefix and
    has a priority; else there is one rule per address, with a priority from the kernel. ``default``:
    destination of packets that match no route of the table. ``connected``: the on-link route stays in table
    main. ``supernet``: table main also gets a route to the rail's other subnets. ``script``: name of
    netplan's script, which announces addresses too.
    """

    installs: Installs
    table: Table
    by_prefix: bool
    default: str
    connected: bool
    supernet: bool
    prefixes: bool = True
    sbr_plugin: bool = False
    script: str | None = None

    @property
    def routed(self) -> bool:
        """Whether a rail's packets get a table of their own."""
        return self.table != "none"


ROUTINGS: Mapping[RoutingName, Routing] = {
    "sbr": Routing(
        installs="sbr",
        table="next",
        by_prefix=False,
        default="gateway",
        connected=False,
        supernet=False,
        sbr_plugin=True,
    ),
    "script": Routing(
        installs="script",
        table="rail",
        by_prefix=True,
        default="unreachable",
        connected=True,
        supernet=True,
        script="rail-routes.sh",
    ),
    # neither IPAM nor DRANET can add unreachable routes, so the gateway gets the rest and drops it
    "table": Routing(
        installs="ipam",
        table="rail",
        by_prefix=False,
        default="gateway",
        connected=True,
        supernet=True,
        sbr_plugin=True,
    ),
    "claim": Routing(
        installs="claim", table="rail", by_prefix=True, default="gateway", connected=True, supernet=True
    ),
    # tables from 100 or 101 on, by release; the NIC's default route is moved, on-link routes are copied
    # (spidernet-io/spiderpool cmd/coordinator/cmd/utils.go)
    "spiderpool": Routing(
        installs="coordinator",
        table="own",
        by_prefix=False,
        default="gateway",
        connected=True,
        supernet=False,
        prefixes=False,
    ),
    "none": Routing(
        installs="nothing", table="none", by_prefix=False, default="none", connected=True, supernet=False
    ),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class IpamRoute:
    """A route that the IPAM returns and the main plugin, or DRANET, installs.

    ``gateway``: None for on-link. ``table``: None for table main.
    """

    to: IPNetwork
    gateway: IPAddress | None
    table: int | None
