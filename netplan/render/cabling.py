"""``switches/<switch>/cabling.csv``: cabling list for whoever plugs in the cables."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from io import StringIO

from netplan.model.artifact import Artifact
from netplan.model.cabling import COLUMNS
from netplan.model.hardware import HostHca, HostLink
from netplan.model.plan import Plan
from netplan.model.switch_ports import SwitchPort

KIND = "switches"


def render_cabling(plan: Plan) -> Iterator[Artifact]:
    """A table of the cabled ports of each switch, in natural order."""
    hosts = {(link.switch.name, link.port): link for link in plan.fabric.host_links}
    for switch in plan.switches:
        out = StringIO()
        table = csv.writer(out, lineterminator="\n")
        table.writerow(COLUMNS)
        table.writerows(_row(switch.name, port, hosts.get((switch.name, port.name))) for port in switch.ports)
        yield Artifact(
            path=f"{KIND}/{switch.name}/cabling.csv",
            text=out.getvalue(),
            kind=KIND,
            entities=(f"{KIND}.{switch.name}",),
        )


def _row(switch: str, port: SwitchPort, link: HostLink | None) -> tuple[object, ...]:
    """One row, in the order of COLUMNS. The peer is a switch and its port, or a host and its HCA."""
    peer, _, peer_port = port.peer.partition(" ")
    speed, length = port.speed_gbps, port.cable_m
    if port.kind != "host":
        return switch, port.name, "switch", peer, peer_port, "", speed, length, "", ""
    rail, pci, netdev = (None, None, None) if link is None else _hca(link)
    return switch, port.name, "host", peer, peer_port, rail, speed, length, pci, netdev


def _hca(link: HostLink) -> tuple[int | None, str | None, str | None]:
    """(rail, PCI address, interface), each None if unknown. The host's own values take precedence over its
    type's."""
    own: HostHca | None = link.host.hcas.get(link.hca.name)
    pci, netdev = (own.pci, own.netdev) if own is not None else (None, None)
    return link.hca.rail, pci or link.hca.pci, netdev or link.hca.netdev
