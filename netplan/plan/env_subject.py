"""Facts about a workload that the environment variable rules ask for."""

from __future__ import annotations

from netplan.model.fabric import Fabric, Network, Workload
from netplan.model.hardware import Hca
from netplan.model.qos import QosPlan
from netplan.model.values import natural
from netplan.model.workloads import EnvVar, OmittedEnv, collective_networks
from netplan.plan.devices import carriers
from netplan.records import dataclass

VERBS_FABRICS = ("roce", "infiniband")
NCCL = (
    "docs.nvidia.com/deeplearning/nccl/user-guide/docs/env.html and NVIDIA/nccl 5067397c src/transport/net_ib"
)
UCX = "openucx/ucx src/uct/ib/base/ib_iface.c"
Decision = EnvVar | OmittedEnv


@dataclass(frozen=True, slots=True)
class EnvSubject:
    fabric: Fabric
    qos: QosPlan | None
    workload: Workload

    @property
    def rails(self) -> int:
        """Number of rails in a pod; without rails in the inventory, the number of HCAs the pod takes."""
        counts = [
            len({h.rail if h.rail is not None else h.name for h in hcas}) for hcas in self.hcas.values()
        ]
        return self.some or max(counts, default=0)

    @property
    def some(self) -> int:
        """Number of HCAs a pod takes where the inventory states a count and any HCA will do; else 0."""
        stated = self.workload.devices
        networks = [n for n in collective_networks(self.workload) if not n.per_rail and not n.shared]
        return sum(stated[n.name] for n in networks if n.name in stated and n.takes == "any")

    @property
    def families(self) -> set[int]:
        """IP versions of the addresses on the networks that carry collectives."""
        found: set[int] = set()
        for network in collective_networks(self.workload):
            if network.by_ipam.addresses and network.subnet is not None:
                found.add(network.subnet.cidr.version)
            if network.by_ipam.addresses and network.per_rail and self.fabric.rails is not None:
                found |= set(self.fabric.rails.families)
        return found

    @property
    def gids(self) -> set[str]:
        """Owners of the GID tables that hold the pod's addresses: the pod, a PF, or the host."""
        return {n.by_mode.gids for n in collective_networks(self.workload)}

    @property
    def hcas(self) -> dict[str, tuple[Hca, ...]]:
        """HCAs of the networks that carry collectives, by host type, in rail order."""
        return self._hcas_of(collective_networks(self.workload))

    @property
    def others(self) -> tuple[Network, ...]:
        """Networks that do not carry collectives, use HCAs outside the rails and expose RDMA devices to the
        pods."""
        rails = collective_networks(self.workload)
        exclusive = self.fabric.cluster.rdma_mode == "exclusive"
        seen = (n for n in self.workload.networks if n.by_mode.rdma != "none" or not exclusive)
        return tuple(n for n in seen if n not in rails and self._elsewhere(n))

    def _elsewhere(self, network: Network) -> bool:
        """Whether the network uses an HCA that is not one of the collective rails."""
        rails = self.hcas
        return any(set(hcas) - set(rails.get(kind, ())) for kind, hcas in self._hcas_of((network,)).items())

    def _hcas_of(self, networks: tuple[Network, ...]) -> dict[str, tuple[Hca, ...]]:
        found: dict[str, dict[str, Hca]] = {}
        for network in networks:
            for carrier in carriers(network, self.fabric):
                if carrier.host_type in self.workload.host_types:
                    found.setdefault(carrier.host_type.name, {}).update({h.name: h for h in carrier.hcas})
        return {
            kind: tuple(sorted(hcas.values(), key=lambda h: (h.rail is None, h.rail or 0, natural(h.name))))
            for kind, hcas in found.items()
        }


def beside_rails(fabric: Fabric, workload: Workload) -> tuple[str, ...]:
    """Names of ``Subject.others``; empty unless NCCL and UCX choose among verbs devices on this fabric."""
    subject = EnvSubject(fabric, None, workload)
    return tuple(n.name for n in subject.others) if fabric.type in VERBS_FABRICS else ()
