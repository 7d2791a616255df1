"""NP528, NP530, NP531, NP533, NP631, NP632: devices that pods take from a node that also needs them."""

from __future__ import annotations

from collections.abc import Iterator

from netplan.checks.mixed_types import uneven
from netplan.checks.registry import Finding, check
from netplan.checks.sriov import takes
from netplan.diagnostics import Severity
from netplan.model.fabric import Fabric, Network, Workload
from netplan.model.hardware import HostType
from netplan.model.plan import Plan
from netplan.model.workloads import collective_networks

NCCL_HCAS_MAX = 32
"""MAX_IB_DEVS in NVIDIA/nccl src/transport/net_ib."""


def _addresses(fabric: Fabric) -> int:
    return sum(own.address is not None for host in fabric.hosts for own in host.hcas.values())


@check("NP528", "host address on an HCA that moves into pods", on=Fabric, counts=_addresses)
def address_moves_away(fabric: Fabric) -> Iterator[Finding]:
    """host-device moves the interface into the pod, so the host loses its address while the pod runs.

    **Why.** Storage or monitoring over that address stops when a job starts and comes back when it ends.
    **Fix.** Put the address on another HCA, or give pods VFs (`use: vf`, `mode: sriov`).
    **Source.** containernetworking/plugins 3d27709f plugins/main/host-device; the interface's name and
    addresses move
    """
    moved = {
        (kind.name, hca.name): network.name
        for network in fabric.networks
        if network.by_mode.moves and not _brought_along(fabric, network)
        for kind in fabric.host_types
        for hca in kind.hcas
        if takes(network, kind, hca)
    }
    for host in fabric.hosts if moved else ():
        for name, own in host.hcas.items():
            network = moved.get((host.type.name, name))
            if own.address is not None and network is not None:
                what = (
                    f"{name} of {host.name} has address {own.address}, but host-device network "
                    f"{network} moves"
                )
                hint = "use another HCA for the address, or mode sriov"
                yield Finding((*own.at, "address"), f"{what} it into pods", hint)


def _brought_along(fabric: Fabric, network: Network) -> bool:
    """Whether the address moves along on purpose: without an IPAM, DRANET gives the pod the host's address
    (NP726)."""
    return fabric.cluster.owners.of_devices.moves_interface and not network.by_ipam.addresses


def _hcas(workload: Workload, kind: HostType) -> int:
    """Number of HCAs per pod on a host type, from the networks for collectives; a count in ``devices``
    overrides."""
    networks, stated = collective_networks(workload), workload.devices
    taken = {h.name for n in networks if n.name not in stated for h in kind.hcas if takes(n, kind, h)}
    return len(taken) + sum(stated[n.name] for n in networks if n.name in stated)


@check(
    "NP530",
    "nodes of a workload differ in GPUs per HCA",
    on=Fabric,
    counts=lambda fabric: sum(len(w.host_types) > 1 for w in fabric.workloads),
    severity=Severity.WARNING,
)
def uneven_nodes(fabric: Fabric) -> Iterator[Finding]:
    """All nodes of a job should have the same number of GPUs per HCA.

    **Why.** NCCL builds the same channels on all nodes, so the node with the fewest HCAs per GPU slows
    down all.
    **Fix.** Write a workload for each host type.
    **Source.** NVIDIA/nccl 5067397c src/init.cc: every rank takes the smallest number of channels of all
    ranks
    """
    for w in fabric.workloads:
        if any(uneven(w, n) for n in w.networks):
            continue  # NP661
        first: tuple[HostType, int] | None = None
        for kind in w.host_types:
            count = _hcas(w, kind)
            if not kind.gpus or not count:
                continue
            if first is None:
                first = kind, count
            elif kind.gpus * first[1] != first[0].gpus * count:
                a = f"{first[0].name} has {first[0].gpus} GPUs and {first[1]} HCAs"
                what = f"nodes of {w.name} differ: {a}, {kind.name} {kind.gpus} and {count}"
                yield Finding((*w.at, "hosts"), what, "write a workload for each host type")


def _verbs_workloads(plan: Plan) -> int:
    return len(plan.workloads) if plan.fabric.type in ("roce", "infiniband") else 0


@check("NP531", "more HCAs in a pod than NCCL uses", on=Plan, counts=_verbs_workloads)
def too_many_hcas(plan: Plan) -> Iterator[Finding]:
    """NCCL uses at most 32 devices.

    **Why.** The others stay idle, and not the same ones in every pod, so rails no longer match.
    **Fix.** Give the workload fewer networks or HCAs.
    **Source.** NVIDIA/nccl 5067397c src/transport/net_ib, MAX_IB_DEVS
    """
    for w in plan.workloads if plan.fabric.type in ("roce", "infiniband") else ():
        count = sum(device.hcas for device in w.devices)
        if count > NCCL_HCAS_MAX:
            what = f"a pod of {w.workload.name} has {count} HCAs, NCCL uses at most {NCCL_HCAS_MAX}"
            yield Finding((*w.workload.at, "networks"), what, "use fewer networks or HCAs")


@check(
    "NP631",
    "moved HCA whose address is not announced",
    on=Fabric,
    counts=lambda fabric: sum(n.by_mode.moves for n in fabric.networks),
    severity=Severity.WARNING,
)
def unannounced(fabric: Fabric) -> Iterator[Finding]:
    """host-device sends no gratuitous ARP, and whereabouts soon gives the address to another node.

    **Why.** Leaf and peers keep the old MAC until their ARP entries age out: the first steps of a job
    time out.
    **Fix.** Use `routing: script`, which announces the addresses, or `ipam: nv-ipam`, whose blocks stay on
    their node.
    **Source.** containernetworking/plugins issue 858; k8snetworkplumbingwg/sriov-cni issue 216
    """
    for network in fabric.networks:
        if network.by_mode.moves and network.ipam == "whereabouts" and network.by_routing.script is None:
            what = f"network {network.name} has mode host-device, ipam whereabouts and no script"
            yield Finding(
                (*network.at, "routing"), what, "set routing: script or ipam: nv-ipam for this network"
            )


@check(
    "NP632",
    "Calico may pick a rail's address for the node",
    on=Fabric,
    counts=lambda fabric: _addresses(fabric) if fabric.cluster.primary_network.cni == "calico" else 0,
    severity=Severity.INFO,
)
def calico_autodetection(fabric: Fabric) -> Iterator[Finding]:
    """Unless configured otherwise, Calico uses the first interface it finds for the node address.

    **Why.** After a reboot the pod network may run over a rail, or not at all.
    **Fix.** Pin it: `nodeAddressAutodetectionV4` of the Installation, or IP_AUTODETECTION_METHOD.
    **Source.** docs.tigera.io, Calico: IP autodetection methods (default first-found)
    """
    if fabric.cluster.primary_network.cni != "calico":
        return
    for host in fabric.hosts:
        for name, own in host.hcas.items():
            if own.address is not None and host.type.node:
                what = f"{name} of {host.name} has address {own.address}, and Calico looks for the node's"
                hint = "pin Calico's IP autodetection to the management interface"
                yield Finding((*own.at, "address"), what, hint)
                return


def _verbs_only(workload: Workload) -> list[Network]:
    return [n for n in workload.networks if n.by_mode.verbs_only]


@check(
    "NP533",
    "RoCE device without an interface in the pod",
    on=Fabric,
    counts=lambda f: sum(len(_verbs_only(w)) for w in f.workloads) if f.type == "roce" else 0,
    severity=Severity.WARNING,
)
def device_without_interface(fabric: Fabric) -> Iterator[Finding]:
    """A RoCE GID comes from the address of an interface on the same HCA.

    **Why.** If the interface stays on the host, the GIDs in the pod are all zero: programs find the
    device and fail at the first connection.
    **Fix.** Use `mode: sriov`, `host-device` or `macvlan`, which put the interface into the pod.
    **Source.** Mellanox/k8s-rdma-shared-dev-plugin issues 72, 101 and 112
    """
    for w in fabric.workloads if fabric.type == "roce" else ():
        beside = [n for n in w.networks if n.by_mode.attached]
        for network in _verbs_only(w):
            bare = [
                f"{hca.name} of {kind.name}"
                for kind in w.host_types
                for hca in kind.hcas
                if takes(network, kind, hca) and not any(takes(n, kind, hca) for n in beside)
            ]
            if bare:
                what = f"pods of {w.name} get {bare[0]} from device-only network {network.name}"
                hint = "use a mode that puts the interface into the pod"
                yield Finding((*network.at, "mode"), f"{what}, but no interface of it", hint)
