"""``switches/<switch>/cabling.csv``: cabling list for whoever plugs in the cables."""

from __future__ import annotations

from collections.abc import Iterator

from netplan.model.artifact import Artifact
from netplan.model.cabling import COLUMNS
from netplan.model.hardware import HostHca, HostLink
from netplan.model.plan import Plan
from netplan.model.switch_ports import SwitchPort

KIND = "switches"


def render_cabling(plan: Plan) -> Iterator[Artifact]:
    """A table of the cabled ports of each switch, in natural order.

    No field needs quotes: schemas/inventory.schema.json allows no comma, quote or space in a name.
    """
    hosts = {(link.switch.name, link.port): link for link in plan.fabric.host_links}
    for switch in plan.switches:
        rows = (_row(switch.name, port, hosts.get((switch.name, port.name))) for port in switch.ports)
        yield Artifact(
            path=f"{KIND}/{switch.name}/cabling.csv",
            text="\n".join([",".join(COLUMNS), *rows, ""]),
            kind=KIND,
            entities=(f"{KIND}.{switch.name}",),
        )


def _row(switch: str, port: SwitchPort, link: HostLink | None) -> str:
    """One row, in the order of COLUMNS. The peer is a switch and its port, or a host and its HCA."""
    peer = port.peer.replace(" ", ",", 1)
    if port.kind != "host":
        return f"{switch},{port.name},switch,{peer},,{port.speed_gbps},{port.cable_m},,"
    rail, pci, netdev = ("", "", "") if link is None else _hca(link)
    return f"{switch},{port.name},host,{peer},{rail},{port.speed_gbps},{port.cable_m},{pci},{netdev}"


def _hca(link: HostLink) -> tuple[object, str, str]:
    """(rail, PCI address, interface), each empty if unknown. The host's own values take precedence over its
    type's."""
    own: HostHca | None = link.host.hcas.get(link.hca.name)
    pci, netdev = (own.pci, own.netdev) if own is not None else (None, None)
    rail = "" if link.hca.rail is None else link.hca.rail
    return rail, pci or link.hca.pci or "", netdev or link.hca.netdev or ""
