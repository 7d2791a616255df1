"""``switches/<switch>/cabling.csv``: for those who plug the cables in."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping
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
        rows = (_row(switch, port, hosts.get((switch.name, port.name))) for port in switch.ports)
        table.writerows([row.get(column, "") for column in COLUMNS] for row in rows)
        yield Artifact(
            path=f"{KIND}/{switch.name}/cabling.csv",
            text=out.getvalue(),
            kind=KIND,
            entities=(f"{KIND}.{switch.name}",),
        )


def _row(switch: SwitchPlan, port: SwitchPort, link: HostLink | None) -> Mapping[str, object]:
    peer, _, peer_port = port.peer.partition(" ")
    row: dict[str, object] = {
        "switch": switch.name,
        "port": port.name,
        "peer_kind": "host" if port.kind == "host" else "switch",
        "peer": peer,
        "peer_port": peer_port,
        "speed_gbps": port.speed_gbps,
        "cable_m": port.cable_m,
    }
    if port.kind != "host" or link is None:
        return row
    own: HostHca | None = link.host.hcas.get(link.hca.name)
    return row | {
        "rail": link.hca.rail,
        "pci": (own and own.pci) or link.hca.pci,
        "netdev": (own and own.netdev) or link.hca.netdev,
    }
