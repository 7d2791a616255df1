"""Environment variables of RDMA pods: each one derived or left out, with the reason for it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from netplan.model.fabric import Fabric, Workload
from netplan.model.hardware import Hca, Host
from netplan.model.qos import QosPlan, TrafficClass
from netplan.model.values import natural
from netplan.model.workloads import EnvVar, OmittedEnv, collective_networks
from netplan.plan.adaptive_env import adaptive_routing
from netplan.plan.devices import SHARED_MODES, carriers

GID_SEARCH = (2, 21)
"""First NCCL that looks for the RoCE v2 IPv4 GID itself (NVIDIA/nccl docs/env, NCCL_IB_GID_INDEX)."""

FIFO_TC = (2, 22)
"""First NCCL with NCCL_IB_FIFO_TC."""

LONG_TIMEOUT = (2, 14)
"""First NCCL with a default NCCL_IB_TIMEOUT of 18; later ones have 20 (facts, pod-routing 2)."""

_VERBS_FABRICS = ("roce", "infiniband")
_NCCL = "NVIDIA/nccl docs/env and src/transport/net_ib"
_UCX = "openucx/ucx src/uct/ib/base/ib_iface.c"
_Decision = EnvVar | OmittedEnv


@dataclass(frozen=True, slots=True)
class _Subject:
    fabric: Fabric
    qos: QosPlan | None
    workload: Workload

    @property
    def rails(self) -> int:
        """Rails of a pod, or the HCAs it takes where the inventory has no rails."""
        counts = [
            len({h.rail if h.rail is not None else h.name for h in hcas}) for hcas in _hcas(self).values()
        ]
        return max(counts, default=0)

    @property
    def modes(self) -> set[str]:
        return {n.mode for n in collective_networks(self.workload)}


def plan_env(
    fabric: Fabric, qos: QosPlan | None, workload: Workload
) -> tuple[tuple[EnvVar, ...], tuple[OmittedEnv, ...]]:
    """Derived variables, then those the inventory states; and what is left out."""
    subject = _Subject(fabric, qos, workload)
    decisions = [d for rule in _RULES for d in rule(subject)]
    stated = tuple(
        EnvVar(
            name=name, value=value, reason="stated by the inventory", source=f"workloads.{workload.name}.env"
        )
        for name, value in workload.env
    )
    names = {name for name, _ in workload.env}
    omitted = tuple(d for d in decisions if isinstance(d, OmittedEnv) and d.name not in names)
    return (*(d for d in decisions if isinstance(d, EnvVar)), *stated), omitted


def traffic_class(qos: QosPlan | None, workload: Workload) -> TrafficClass | None:
    """The one class of the networks that carry collectives; None where they have none or several."""
    names = {n.traffic_class.name for n in collective_networks(workload) if n.traffic_class is not None}
    return qos.traffic_class(names.pop()) if qos is not None and len(names) == 1 else None


def _socket(subject: _Subject) -> Iterator[_Decision]:
    name = subject.fabric.cluster.primary_network.interface
    yield EnvVar(
        name="NCCL_SOCKET_IFNAME",
        value=f"={name}",
        reason=f"bootstrap runs over the pod network {name}; without '=' longer names would match too",
        source=_NCCL,
    )


def _device_list(subject: _Subject) -> Iterator[_Decision]:
    if subject.fabric.type == "efa":
        yield OmittedEnv(
            "NCCL_IB_HCA", "EFA is reached through libfabric, NCCL's own verbs transport does not see it"
        )
        return
    names, reason = _device_names(subject)
    if reason:
        yield OmittedEnv("NCCL_IB_HCA", reason)
        if subject.fabric.type in _VERBS_FABRICS:
            yield OmittedEnv("UCX_NET_DEVICES", reason)
        return
    yield EnvVar(
        name="NCCL_IB_HCA",
        value="=" + ",".join(names),
        reason="the devices of its network, no others; without '=' mlx5_1 would match mlx5_10",
        source=_NCCL,
    )
    if subject.fabric.type in _VERBS_FABRICS:
        yield EnvVar(
            name="UCX_NET_DEVICES",
            value=",".join(f"{n}:1" for n in names),
            reason="the same devices for UCX, port 1 of each",
            source=_UCX,
        )


def _device_names(subject: _Subject) -> tuple[tuple[str, ...], str]:
    """(names in rail order, "") or ((), why there are none)."""
    workload = subject.workload
    if subject.fabric.cluster.rdma_mode == "exclusive":
        return (), "rdma_mode is exclusive, so a pod sees only its own devices"
    by_type = _hcas(subject)
    if any(h.use == "vf" and not h.virtual for hcas in by_type.values() for h in hcas):
        return (), "the RDMA device of a VF has another name in every pod"
    if workload.pods_per_node > 1 and not all(
        n.mode in (*SHARED_MODES, "host-path") for n in workload.networks
    ):
        return (), "pods of one node take different devices"
    lists = {
        _names_on(host, by_type.get(host.type.name, ()))
        for host in workload.hosts
        if host.type.name in by_type
    }
    if not lists or None in lists:
        return (), "rdma_device is not stated for every HCA the pods use"
    if len(lists) > 1:
        return (), "the RDMA devices have other names from host to host"
    (names,) = lists
    return names or (), ""


def _names_on(host: Host, hcas: tuple[Hca, ...]) -> tuple[str, ...] | None:
    names = []
    for hca in hcas:
        own = host.hcas.get(hca.name)
        name = own.rdma_device if own is not None and own.rdma_device else hca.rdma_device
        if name is None:
            return None
        names.append(name)
    return tuple(names)


def _hcas(subject: _Subject) -> dict[str, tuple[Hca, ...]]:
    """HCAs of the networks that carry collectives, by host type, in rail order."""
    found: dict[str, dict[str, Hca]] = {}
    for network in collective_networks(subject.workload):
        for carrier in carriers(network, subject.fabric):
            if carrier.host_type in subject.workload.host_types:
                found.setdefault(carrier.host_type.name, {}).update({h.name: h for h in carrier.hcas})
    return {
        kind: tuple(sorted(hcas.values(), key=lambda h: (h.rail is None, h.rail or 0, natural(h.name))))
        for kind, hcas in found.items()
    }


def _qos_byte(subject: _Subject) -> Iterator[_Decision]:
    wanted = ("NCCL_IB_TC", "UCX_IB_TRAFFIC_CLASS")
    reason = _why_no_class(subject)
    found = traffic_class(subject.qos, subject.workload)
    if reason or found is None:
        yield from (OmittedEnv(name, reason) for name in wanted)
        return
    value = str(found.tos)
    why = (
        f"class {found.name}: DSCP {found.dscp} * 4 + ECT(0), priority {found.priority} on NICs and switches"
    )
    yield EnvVar(
        name="NCCL_IB_TC", value=value, reason=f"{why}; NCCL's default 0 is best effort", source=_NCCL
    )
    version = subject.workload.nccl_version
    if version is not None and version >= FIFO_TC:
        yield EnvVar(
            name="NCCL_IB_FIFO_TC",
            value=value,
            reason="clear-to-send messages travel in the same class",
            source=_NCCL,
        )
    else:
        yield OmittedEnv(
            "NCCL_IB_FIFO_TC", "needs NCCL 2.22 or newer; without it these messages follow NCCL_IB_TC"
        )
    yield EnvVar(
        name="UCX_IB_TRAFFIC_CLASS", value=value, reason=f"{why}; UCX and NCCL must agree", source=_UCX
    )
    if subject.qos is not None and subject.qos.trust == "pcp":
        why = "trust is pcp: on RoCE the service level becomes the 802.1p priority of the tag"
        yield EnvVar(name="NCCL_IB_SL", value=str(found.priority), reason=why, source=_NCCL)
        yield EnvVar(name="UCX_IB_SL", value=str(found.priority), reason=why, source=_UCX)
    else:
        why = "trust is dscp: NICs and switches go by the DSCP, the service level would only mark VLAN tags"
        yield OmittedEnv("NCCL_IB_SL", why)


def _why_no_class(subject: _Subject) -> str:
    if subject.fabric.type == "roce" and subject.qos is None:
        return "the inventory has no fabric.qos, RDMA traffic is best effort"
    if subject.fabric.type == "roce" and traffic_class(subject.qos, subject.workload) is None:
        return "the workload's networks have no traffic class, or several"
    return {
        "infiniband": "InfiniBand has no IP traffic class; the subnet manager sets service levels",
        "efa": "EFA has no traffic class an application sets",
        "pvrdma": "no source says that the hypervisor carries the guest's traffic class",
    }.get(subject.fabric.type, "")


def _gid(subject: _Subject) -> Iterator[_Decision]:
    if subject.fabric.type != "roce":
        return
    name, version = "NCCL_IB_GID_INDEX", subject.workload.nccl_version
    if subject.modes & {"macvlan", "ipvlan"}:
        yield OmittedEnv(
            name, "GIDs of macvlan and ipvlan stand in the PF's table, at another index in every pod"
        )
    elif subject.modes & {"device-only", "host-path"}:
        yield OmittedEnv(name, "the GID table is the host's, its order is not the inventory's")
    elif version is None:
        yield OmittedEnv(
            name,
            "nccl_version is not stated; NCCL 2.21 and newer finds the RoCE v2 GID itself, older needs 3",
        )
    elif version >= GID_SEARCH:
        yield OmittedEnv(
            name, "NCCL 2.21 and newer finds the RoCE v2 GID of the interface's IPv4 address itself"
        )
    else:
        yield EnvVar(
            name=name,
            value="3",
            reason="NCCL before 2.21 takes index 0; RoCE v2 of a fresh device's first IPv4 address is at 3",
            source=_NCCL,
        )


def _cross_nic(subject: _Subject) -> Iterator[_Decision]:
    if subject.fabric.cross_rail == "aligned" and subject.rails > 1:
        yield EnvVar(
            name="NCCL_CROSS_NIC",
            value="0",
            reason="fabric.cross_rail is aligned: rails do not reach each other, rings stay on one rail",
            source=_NCCL,
        )
    elif subject.rails > 1:
        yield OmittedEnv("NCCL_CROSS_NIC", "fabric.cross_rail is any, so NCCL may choose (default 2)")


def _adaptive(subject: _Subject) -> Iterator[_Decision]:
    if subject.fabric.adaptive_routing:
        yield adaptive_routing(subject.workload.nccl_version)


def _ucx_rails(subject: _Subject) -> Iterator[_Decision]:
    if subject.fabric.type in _VERBS_FABRICS and subject.rails > 1:
        yield EnvVar(
            name="UCX_MAX_RNDV_RAILS",
            value=str(subject.rails),
            reason=f"the pod has {subject.rails} rails, UCX stripes over 2 by default",
            source="openucx/ucx src/ucp/core/ucp_context.c",
        )


def _efa(subject: _Subject) -> Iterator[_Decision]:
    if subject.fabric.type == "efa":
        source = "aws-samples/aws-efa-eks examples/simple/nccl-efa-tests.yaml"
        why = "libfabric takes the EFA provider or fails, instead of falling back to TCP"
        yield EnvVar(name="FI_PROVIDER", value="efa", reason=why, source=source)
        why = "GPUDirect RDMA through EFA on instances that have it"
        yield EnvVar(name="FI_EFA_USE_DEVICE_RDMA", value="1", reason=why, source=source)
        yield OmittedEnv("RDMAV_FORK_SAFE", "only older kernels and rdma-core need it")
        yield OmittedEnv("NCCL_PROTO", "a tuning choice of the sample, not a need of the network")


def _pvrdma(subject: _Subject) -> Iterator[_Decision]:
    if subject.fabric.type == "pvrdma":
        yield EnvVar(
            name="NCCL_IB_DISABLE",
            value="0",
            reason="RDMA on, stated so that the same job runs over TCP with this one value changed",
            source="docs.nvidia.com, RDMA accelerated workloads on vSphere with PVRDMA",
        )


def _partition(subject: _Subject) -> Iterator[_Decision]:
    if any(n.pkey is not None for n in subject.workload.networks):
        yield OmittedEnv(
            "NCCL_IB_PKEY", "it is an index, not a key; the network's P_Key is at index 0, the default"
        )


def _timeout(subject: _Subject) -> _Decision:
    """7 tries of 4.096 us * 2^timeout: what a fabric has to find another way."""
    version = subject.workload.nccl_version
    if version is not None and version < LONG_TIMEOUT:
        return EnvVar(
            name="NCCL_IB_TIMEOUT",
            value="20",
            reason="waits 30 s for another way; before NCCL 2.14 the default 14 gives up in 0.5 s",
            source=_NCCL,
        )
    return OmittedEnv(
        "NCCL_IB_TIMEOUT",
        "the default with 7 retries waits 30 s (7.5 s in the first releases after 2.14) for another way",
    )


def _defaults_that_fit(subject: _Subject) -> Iterator[_Decision]:
    if subject.fabric.type != "efa":
        yield _timeout(subject)
        yield OmittedEnv("NCCL_NET_GDR_LEVEL", "the inventory holds no PCIe distances; NCCL's default is PXB")


_RULES = (
    _socket,
    _device_list,
    _qos_byte,
    _gid,
    _cross_nic,
    _adaptive,
    _ucx_rails,
    _efa,
    _pvrdma,
    _partition,
    _defaults_that_fit,
)
