"""The interfaces of a pod, each with its rail, VLAN, MTU and port: of a network, a claim or plain devices."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from netplan.catalog import is_gpu
from netplan.graph.hosts import Stated, port_mtu
from netplan.graph.kubernetes.cluster import Nad
from netplan.model.site import PATH, SiteHca, SiteHost
from netplan.trace.devices import Device
from netplan.trace.hosts import nic_qos
from netplan.trace.model import COORDINATOR, Fault, Nic, ReadNicQos, Verdict
from netplan.trace.site import TracedSite, TraceWorkload

_SUBNET_MANAGER = "InfiniBand: the subnet manager routes it, with partitions and LIDs that no file states"


class Interfaces:
    """Those of a pod of a workload on a host."""

    def __init__(self, site: TracedSite, workload: TraceWorkload, host: SiteHost) -> None:
        self.site, self.workload, self.host = site, workload, host

    def attached(
        self,
        interface: str,
        network: Nad,
        device: Device,
        problems: tuple[Fault, ...],
        unknown: tuple[Fault, ...],
    ) -> Nic:
        """That of a network. ``unknown``: why it has no addresses."""
        hca, kind = device.hca, network.types[0]
        policy = device.offer.mtu if device.offer else None
        stated = port_mtu(self.site.texts, self.host, hca) if hca is not None else None
        port = stated or policy
        inherited = port if kind == "host-device" else policy
        return Nic(
            name=interface,
            rail=self._rail(interface, device),
            kind=kind,
            vlan=_tag(network),
            hca=hca,
            mtu=_pod_mtu(network, inherited),
            port_mtu=port,
            qos=self._qos(hca),
            file=place_of(network),
            beyond=_beyond_reach(network),
            outside=interface in self.workload.routes.outside,
            unknown=unknown,
            problems=problems,
        )

    def _qos(self, hca: SiteHca | None) -> ReadNicQos | None:
        found = nic_qos(self.site, self.host, hca)
        return None if found is None else replace(found, wanted=self.site.facts.qos.trust)

    def _rail(self, interface: str, device: Device) -> int | None:
        stated = self.workload.routes.rails.get(interface)
        if stated is not None:
            return stated[0]
        return device.hca.rail if device.hca is not None else None

    def swapped(self, interface: str, device: Device) -> Iterator[Fault]:
        """An interface on the HCA of a rail other than routes.yaml says."""
        stated, hca = self.workload.routes.rails.get(interface), device.hca
        if stated is None or hca is None or hca.rail == stated[0]:
            return
        said = f"rail {hca.rail}" if hca.rail is not None else "no rail"
        text = f"{interface} is rail {stated[0]} ({self.workload.routes.at(interface)}), and its device is "
        verdict = Verdict.WRONG_RAIL if hca.rail is not None else Verdict.UNPROVED
        yield Fault(verdict, f"{text}{hca.name} of {self.host.name}, {said} ({PATH})")

    def unwritten(self, interface: str, network: Nad) -> Nic:
        """Its CNI configuration is on the nodes, or a controller makes it."""
        text = f"the CNI configuration of {network.name} is in no file ({place_of(network)})"
        stated = self.workload.routes.rails.get(interface)
        return self._plain(interface, stated[0] if stated is not None else None, text)

    def plain_devices(self) -> Iterator[Nic]:
        """Verbs devices without a network attachment; no file says what they are connected to."""
        for resource, count in self.workload.limits.items():
            if not is_gpu(resource):
                short = resource.rpartition("/")[2]
                for index in range(count):
                    yield self._plain(f"{short}{index}", index, _beyond(self.site, self.host, resource))
        if self.workload.verbs_mounted:
            text = "the pod uses the virtual RDMA device of its machine: the hypervisor carries its packets"
            yield self._plain("verbs0", 0, text)

    def claimed(self) -> Iterator[Nic]:
        """Interfaces that a DRA driver sets up: a back end that trace does not judge."""
        text = (
            f"claim {', '.join(self.workload.claims)}: what the DRA driver sets up in the pod is not judged"
        )
        for name, (rail, _) in self.workload.routes.rails.items():
            yield self._plain(name, rail, text)

    def _plain(self, name: str, index: int | None, beyond: str) -> Nic:
        return Nic(
            name=name,
            rail=index,
            kind="device",
            vlan=None,
            hca=None,
            mtu=None,
            port_mtu=None,
            qos=None,
            file=self.workload.file,
            beyond=beyond,
        )


def place_of(network: Nad) -> str:
    """File and line."""
    return f"{network.thing.file}:{network.thing.source(()).line}"


def _tag(network: Nad) -> int | None:
    """VLAN tag of the VF, or of the VLAN interface below the network's own interface."""
    main, spec = network.chain[0], network.thing.spec
    if main["type"] == "sriov" and (tag := int(main.get("vlan") or spec.get("vlan") or 0)):
        return tag
    _, dot, sub = str(main.get("master") or spec.get("master") or "").rpartition(".")
    return int(sub) if dot and sub.isdecimal() else None


def _beyond_reach(network: Nad) -> str:
    """Why no file says what happens to an interface's packets; empty if one does."""
    if "coordinator" in network.types:
        return COORDINATOR
    return _SUBNET_MANAGER if network.types[0] in ("ib-sriov", "ipoib") else ""


def _pod_mtu(network: Nad, inherited: Stated | None) -> int | None:
    """The MTU that tuning sets, which runs last; else the plugin's own, else the VF's or PF's."""
    stated = [p.get("mtu") for p in reversed(network.chain) if p["type"] == "tuning"]
    stated += [network.chain[0].get("mtu"), network.thing.spec.get("mtu")]
    stated += [inherited.value] if inherited is not None else []
    return next((int(mtu) for mtu in stated if mtu), None)


def _beyond(site: TracedSite, host: SiteHost, resource: str) -> str:
    if resource == "vpc.amazonaws.com/efa":
        return "EFA: the cloud carries it, by security groups and placement that no file states"
    if "infiniband" in site.facts.links.get(host.type, ()):
        return _SUBNET_MANAGER
    return f"no file says what the devices of {resource} are connected to"
