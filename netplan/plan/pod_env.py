"""Environment variables of RDMA pods, each derived or omitted with a reason."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from netplan.model.fabric import Fabric, Workload
from netplan.model.qos import QosPlan, TrafficClass
from netplan.model.workloads import EnvVar, OmittedEnv, collective_networks
from netplan.plan.adaptive_env import adaptive_routing
from netplan.plan.device_env import device_list
from netplan.plan.env_subject import NCCL, UCX, VERBS_FABRICS, Decision, EnvSubject
from netplan.plan.flow_env import flows
from netplan.plan.gid_env import gid

FIFO_TC = (2, 22)
"""First NCCL with NCCL_IB_FIFO_TC (NVIDIA/nccl v2.22.3-1 src/transport/net_ib.cc; not in v2.21.5-1)."""

LONG_TIMEOUT = (2, 14)
"""First NCCL with a default NCCL_IB_TIMEOUT of 18, 20 from 2.23 on (NVIDIA/nccl src/transport/net_ib.cc at
v2.13.4-1, v2.14.3-1, v2.22.3-1 and v2.23.4-1)."""


def plan_env(
    fabric: Fabric, qos: QosPlan | None, workload: Workload
) -> tuple[tuple[EnvVar, ...], tuple[OmittedEnv, ...]]:
    """(variables to set, variables left out).

    Derived variables come first; a value that the inventory states with a reason replaces the derived one.
    Other variables of the inventory follow.
    """
    subject = EnvSubject(fabric, qos, workload)
    decisions = _for_library([d for rule in _RULES for d in rule(subject)], workload)
    derived = {d.name: d for d in decisions if isinstance(d, EnvVar)}
    stated = _stated(workload, derived)
    given = stated.keys() | derived.keys()
    omitted = tuple(d for d in decisions if isinstance(d, OmittedEnv) and d.name not in given)
    replaced = dict(workload.env_reasons).keys() & derived.keys()
    kept = (stated[name] if name in replaced else d for name, d in derived.items())
    return (*kept, *(d for name, d in stated.items() if name not in replaced)), omitted


def _stated(workload: Workload, derived: Mapping[str, EnvVar]) -> dict[str, EnvVar]:
    """The inventory's variables by name. ``derived``: the variables that netplan works out, by name."""
    reasons, source = dict(workload.env_reasons), f"workloads.{workload.name}.env"
    replaced = {name: d.value for name, d in derived.items() if name in reasons}
    return {
        name: EnvVar(name=name, value=value, reason=_reason(name, reasons, replaced), source=source)
        for name, value in workload.env
    }


def _reason(name: str, reasons: Mapping[str, str], replaced: Mapping[str, str]) -> str:
    """``replaced``: values that netplan derives and the inventory replaces."""
    reason = reasons.get(name, "stated by the inventory")
    return f"{reason}; netplan derives {replaced[name]}" if name in replaced else reason


def _for_library(decisions: list[Decision], workload: Workload) -> list[Decision]:
    """The decisions that the GPU vendor's library reads; NCCL's for a workload without GPUs."""
    vendor = workload.gpu_type.gpu_vendor if workload.gpu_type is not None else None
    if vendor is None:
        return decisions
    own: list[Decision] = [
        EnvVar(name=name, value=value, reason=reason, source="; ".join(vendor.sources))
        for name, value, reason in vendor.env
    ]
    own += [OmittedEnv(name, reason) for name, reason in vendor.omitted]
    if vendor.nccl_variables:
        return [*decisions, *own]
    unread = OmittedEnv("NCCL_*", f"the GPUs are {vendor.name}'s: {vendor.library} reads none of them")
    return [*(d for d in decisions if not d.name.startswith("NCCL_")), unread, *own]


def traffic_class(qos: QosPlan | None, workload: Workload) -> TrafficClass | None:
    """The traffic class shared by all networks that carry collectives; None if they have none or several."""
    names = {n.traffic_class.name for n in collective_networks(workload) if n.traffic_class is not None}
    return qos.traffic_class(names.pop()) if qos is not None and len(names) == 1 else None


def _socket(subject: EnvSubject) -> Iterator[Decision]:
    name = subject.fabric.cluster.primary_network.interface
    yield EnvVar(
        name="NCCL_SOCKET_IFNAME",
        value=f"={name}",
        reason=f"bootstrap runs over the pod network {name}; without '=' longer names would match too",
        source=NCCL,
    )


def _qos_byte(subject: EnvSubject) -> Iterator[Decision]:
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
        name="NCCL_IB_TC", value=value, reason=f"{why}; NCCL's default 0 is best effort", source=NCCL
    )
    version = subject.workload.nccl_version
    if version is not None and version >= FIFO_TC:
        yield _fifo(subject, found)
    else:
        yield OmittedEnv(
            "NCCL_IB_FIFO_TC", "needs NCCL 2.22 or newer; without it these messages follow NCCL_IB_TC"
        )
    yield EnvVar(
        name="UCX_IB_TRAFFIC_CLASS", value=value, reason=f"{why}; UCX and NCCL must agree", source=UCX
    )
    if subject.qos is not None and subject.qos.trust == "pcp":
        why = "trust is pcp: on RoCE the service level becomes the 802.1p priority of the tag"
        yield EnvVar(name="NCCL_IB_SL", value=str(found.priority), reason=why, source=NCCL)
        yield EnvVar(name="UCX_IB_SL", value=str(found.priority), reason=why, source=UCX)
    else:
        why = "trust is dscp: NICs and switches go by the DSCP, the service level would only mark VLAN tags"
        yield OmittedEnv("NCCL_IB_SL", why)


def _fifo(subject: EnvSubject, found: TrafficClass) -> EnvVar:
    """NCCL_IB_FIFO_TC. ``found``: traffic class of the data."""
    stated = subject.workload.nccl.fifo_class
    if stated is None or subject.qos is None or stated.name == found.name:
        why, value = "clear-to-send messages travel in the same class", found.tos
    else:
        own = subject.qos.traffic_class(stated.name)
        why = f"class {own.name}: DSCP {own.dscp} * 4 + ECT(0), clear-to-send messages pass the data"
        value = own.tos
    return EnvVar(name="NCCL_IB_FIFO_TC", value=str(value), reason=why, source=NCCL)


def _why_no_class(subject: EnvSubject) -> str:
    if subject.fabric.type == "roce" and subject.qos is None:
        return "the inventory has no fabric.qos, RDMA traffic is best effort"
    if subject.fabric.type == "roce" and traffic_class(subject.qos, subject.workload) is None:
        return "the workload's networks have no traffic class, or several"
    return {
        "infiniband": "InfiniBand has no IP traffic class; the subnet manager sets service levels",
        "efa": "EFA has no traffic class an application sets",
        "pvrdma": "no source says that the hypervisor carries the guest's traffic class",
    }.get(subject.fabric.type, "")


def _cross_nic(subject: EnvSubject) -> Iterator[Decision]:
    if subject.fabric.cross_rail == "aligned" and subject.rails > 1:
        yield EnvVar(
            name="NCCL_CROSS_NIC",
            value="0",
            reason="fabric.cross_rail is aligned: rails do not reach each other, rings stay on one rail",
            source=NCCL,
        )
    elif subject.rails > 1:
        yield OmittedEnv("NCCL_CROSS_NIC", "fabric.cross_rail is any, so NCCL may choose (default 2)")


def _adaptive(subject: EnvSubject) -> Iterator[Decision]:
    if subject.fabric.adaptive_routing:
        yield adaptive_routing(subject.workload.nccl_version)


def _ucx_rails(subject: EnvSubject) -> Iterator[Decision]:
    if subject.fabric.type in VERBS_FABRICS and subject.rails > 1:
        yield EnvVar(
            name="UCX_MAX_RNDV_RAILS",
            value=str(subject.rails),
            reason=f"the pod has {subject.rails} rails, UCX stripes over 2 by default",
            source="openucx/ucx src/ucp/core/ucp_context.c",
        )


def _efa(subject: EnvSubject) -> Iterator[Decision]:
    if subject.fabric.type == "efa":
        source = "aws-samples/aws-efa-eks examples/simple/nccl-efa-tests.yaml"
        why = "libfabric takes the EFA provider or fails, instead of falling back to TCP"
        yield EnvVar(name="FI_PROVIDER", value="efa", reason=why, source=source)
        why = "GPUDirect RDMA through EFA on instances that have it"
        yield EnvVar(name="FI_EFA_USE_DEVICE_RDMA", value="1", reason=why, source=source)
        yield OmittedEnv("RDMAV_FORK_SAFE", "only older kernels and rdma-core need it")
        yield OmittedEnv("NCCL_PROTO", "a tuning choice of the sample, not a need of the network")


def _pvrdma(subject: EnvSubject) -> Iterator[Decision]:
    if subject.fabric.type == "pvrdma":
        yield EnvVar(
            name="NCCL_IB_DISABLE",
            value="0",
            reason="RDMA on, stated so that the same job runs over TCP with this one value changed",
            source="docs.nvidia.com, RDMA accelerated workloads on vSphere with PVRDMA",
        )


def _partition(subject: EnvSubject) -> Iterator[Decision]:
    networks = subject.workload.networks
    if any(n.membership == "limited" for n in networks):
        why = "it is an index, not a key; the subnet manager puts the P_Key at index 0, the default"
        yield OmittedEnv("NCCL_IB_PKEY", why)
    elif any(n.pkey is not None for n in networks):
        why = "it is an index, not a key; ib-kubernetes puts the P_Key at index 0, the default"
        yield OmittedEnv("NCCL_IB_PKEY", why)


def _timeout(subject: EnvSubject) -> Decision:
    """7 retries of 4.096 us * 2^timeout: the time a fabric has to reroute."""
    version = subject.workload.nccl_version
    if version is not None and version < LONG_TIMEOUT:
        return EnvVar(
            name="NCCL_IB_TIMEOUT",
            value="20",
            reason="waits 30 s for another way; before NCCL 2.14 the default 14 gives up in 0.5 s",
            source=NCCL,
        )
    return OmittedEnv(
        "NCCL_IB_TIMEOUT",
        "the default with 7 retries waits 30 s (7.5 s in the first releases after 2.14) for another way",
    )


def _defaults_that_fit(subject: EnvSubject) -> Iterator[Decision]:
    if subject.fabric.type != "efa":
        yield _timeout(subject)
        yield OmittedEnv("NCCL_NET_GDR_LEVEL", "the inventory holds no PCIe distances; NCCL's default is PXB")


_RULES = (
    _socket,
    device_list,
    _qos_byte,
    gid,
    _cross_nic,
    _adaptive,
    flows,
    _ucx_rails,
    _efa,
    _pvrdma,
    _partition,
    _defaults_that_fit,
)
