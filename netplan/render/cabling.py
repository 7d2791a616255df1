"""``switches/<switch>/cabling.csv``: for those who plug the cables in."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from io import StringIO

from netplan.model.artifact import Artifact
from netplan.model.cabling import COLUMNS
from netplan.model.hardware import HostHca, HostLink
from netplan.model.plan import Plan
from netplan.model.switch_ports import SwitchPort
from netplan.model.switching import SwitchPlan

KIND = "switches"


def render_cabling(plan: Plan) -> Iterator[Artifact]:
    """A table of the cabled ports of each switch, in natural order."""
    hosts = {(link.switch.name, link.port): link for link in plan.fabric.host_links}
    for switch in plan.switches:
        out = StringIO()
        table = csv.writer(out, lineterminator="\n")
        table.writerow(COLUMNS)
        table.writerows(_row(switch, port, hosts.get((switch.name, port.name))) for port in switch.ports)
        yield Artifact(
            path=f"{KIND}/{switch.name}/cabling.csv",
            text=out.getvalue(),
            kind=KIND,
            entities=(f"{KIND}.{switch.name}",),
        )


def _row(switch: SwitchPlan, port: SwitchPort, link: HostLink | None) -> tuple[object, ...]:
    """In the order of COLUMNS."""
    peer, _, peer_port = port.peer.partition(" ")
    speed, length = port.speed_gbps, port.cable_m
    if port.kind != "host":
        return switch.name, port.name, "switch", peer, peer_port, "", speed, length, "", ""
    rail, pci, netdev = ("", "", "") if link is None else _hca(link)
    return switch.name, port.name, "host", peer, peer_port, rail, speed, length, pci, netdev


def _hca(link: HostLink) -> tuple[object, object, object]:
    """Rail, PCI address and interface; what the host states goes before what its type does."""
    own: HostHca | None = link.host.hcas.get(link.hca.name)
    pci, netdev = (own.pci, own.netdev) if own is not None else (None, None)
    return link.hca.rail, pci or link.hca.pci, netdev or link.hca.netdev
