"""What the plan says of the cards of hosts whose PCI address the inventory has."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from netplan.live.model import COMMANDS, Expected, Kind, LiveHop
from netplan.model.carrying import uses
from netplan.model.hardware import Hca, Host
from netplan.model.plan import Plan

FIELDS = (
    "device", "netdev", "rdma_device", "link", "speed_gbps", "mac", "mtu", "vfs", "numa", "addresses", "oper",
    "master", "rdma", "firmware_vfs",
)  # fmt: skip
IF_SHOWN = frozenset({"master", "rdma", "firmware_vfs"})
"""Fields that outputs show only where something is amiss."""
NAMES = ("netdev", "rdma_device")
_LLDP = "lldpctl -f json0"


def pci_of(host: Host, hca: Hca) -> str:
    """Empty where the inventory has none."""
    own = host.hcas.get(hca.name)
    return (own.pci if own is not None else None) or hca.pci or ""


def stated(host: Host, hca: Hca) -> dict[str, str]:
    """Field -> value that the inventory has of the card itself, empty where it has none."""
    own = host.hcas.get(hca.name)
    netdev, rdma, mac = (own.netdev, own.rdma_device, own.mac) if own is not None else (None, None, None)
    return {
        "device": f"{hca.model.vendor}:{hca.own_id}" if hca.own_id else "",
        "netdev": netdev or hca.netdev or "",
        "rdma_device": rdma or hca.rdma_device or "",
        "link": hca.link,
        "speed_gbps": str(hca.speed_gbps or ""),
        "mac": (mac or "") if hca.link == "ethernet" else "",
        "numa": "" if hca.numa is None else str(hca.numa),
    }


class _Planned:
    def __init__(self, plan: Plan) -> None:
        self._fabric = plan.fabric
        self.cables = {(link.host.name, link.hca.name): link for link in plan.fabric.host_links}
        self._addresses = {
            (each.entity, network.hca): " ".join(sorted(network.addresses)) or "none"
            for each in plan.hosts
            for network in each.networks
        }

    def values(self, host: Host, hca: Hca) -> dict[str, str]:
        """As ``stated``, with what follows from the rest of the plan. A host that is no node of the cluster,
        such as a hypervisor, gives its VFs to virtual machines and sets its MTU itself."""
        found, node = stated(host, hca), host.type.node
        found["mtu"] = str(self._fabric.mtu) if hca.has_fabric_mtu and node else ""
        found["vfs"] = str(hca.own_vfs) if hca.own_vfs or (hca.own_vfs == 0 and node) else ""
        found["addresses"] = "" if hca.virtual else self._addresses_of(host, hca)
        found["oper"] = "up" if self._is_used(host, hca) else ""
        found["master"] = "none" if hca.rail is not None else ""
        found["rdma"] = "yes" if hca.rail is not None else ""
        found["firmware_vfs"] = str(hca.own_vfs or "") if node else ""
        return found

    def _addresses_of(self, host: Host, hca: Hca) -> str:
        """Those that the .network file of the host, or of its type, gives to the interface."""
        of_type = self._addresses.get((f"host_types.{host.type.name}", hca.name), "")
        return self._addresses.get((f"hosts.{host.name}", hca.name), of_type)

    def _is_used(self, host: Host, hca: Hca) -> bool:
        """Whether its link is to be up: it has a cable or a rail, or pods of a network get it."""
        wired = (host.name, hca.name) in self.cables or hca.rail is not None
        return wired or any(uses(network, host.type, hca) for network in self._fabric.networks)


def host_claims(plan: Plan, seen: Collection[str], heard: Collection[str]) -> Iterator[Expected]:
    """About the cards of hosts in ``seen``, and about the cables of those in ``heard``: not every host has an
    agent for LLDP."""
    hosts = [host for host in plan.fabric.hosts if host.name in seen]
    if not hosts:
        return
    planned = _Planned(plan)
    for host in hosts:
        for hca in host.type.hcas:
            values, pci = planned.values(host, hca), pci_of(host, hca)
            for field in FIELDS if pci else ():
                if values[field]:
                    yield _claim(host, hca, "card", (pci, field, values[field]))
            cable = planned.cables.get((host.name, hca.name))
            if cable is not None and values["netdev"] and host.name in heard:
                end = f"{cable.switch.name} {cable.port}"
                yield cable_claim(host, hca, values["netdev"], end)


def cable_claim(host: Host, hca: Hca | None, netdev: str, end: str) -> Expected:
    return _claim(host, hca, "lldp", (netdev, "peer", end))


def _claim(host: Host, hca: Hca | None, kind: Kind, about: tuple[str, str, str]) -> Expected:
    """``about``: (subject, field, expected)"""
    if_shown = about[1] in IF_SHOWN
    rails = () if hca is None or hca.rail is None else (hca.rail,)
    output = _LLDP if kind == "lldp" else COMMANDS["card"]
    return Expected(
        hop=LiveHop(kind="host", name=host.name),
        rails=rails,
        kind=kind,
        subject=about[0],
        field=about[1],
        expected=about[2],
        output=output,
        if_shown=if_shown,
    )
