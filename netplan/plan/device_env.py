"""RDMA devices that NCCL and UCX use.

NCCL matches exact names after `=`, else prefixes
(docs.nvidia.com/deeplearning/nccl/user-guide/docs/env.html, NCCL_IB_HCA); UCX takes whole names
(openucx/ucx src/ucp/core/ucp_context.c, ucp_is_resource_in_device_list).
"""

from __future__ import annotations

from collections.abc import Iterator

from netplan.model.hardware import Hca, Host
from netplan.model.workloads import EnvVar, OmittedEnv
from netplan.plan.env_subject import NCCL, UCX, VERBS_FABRICS, Decision, EnvSubject


def device_list(subject: EnvSubject) -> Iterator[Decision]:
    if subject.fabric.type == "efa":
        yield OmittedEnv(
            "NCCL_IB_HCA", "EFA is reached through libfabric, NCCL's own verbs transport does not see it"
        )
        return
    prefixes = _vf_prefixes(subject)
    if prefixes:
        yield from _by_prefix(prefixes)
        return
    names, reason = _device_names(subject)
    if reason:
        yield OmittedEnv("NCCL_IB_HCA", reason)
        if subject.fabric.type in VERBS_FABRICS:
            yield OmittedEnv("UCX_NET_DEVICES", reason)
        return
    yield EnvVar(
        name="NCCL_IB_HCA",
        value="=" + ",".join(names),
        reason="the devices of its network, no others; without '=' mlx5_1 would match mlx5_10",
        source=NCCL,
    )
    if subject.fabric.type in VERBS_FABRICS:
        yield EnvVar(
            name="UCX_NET_DEVICES",
            value=",".join(f"{n}:1" for n in names),
            reason="the same devices for UCX, port 1 of each",
            source=UCX,
        )


def _by_prefix(prefixes: tuple[str, ...]) -> Iterator[Decision]:
    yield EnvVar(
        name="NCCL_IB_HCA",
        value=",".join(prefixes),
        reason="VFs of its HCAs, by the prefix that the inventory states; which VF a pod gets differs",
        source=NCCL,
    )
    yield OmittedEnv(
        "UCX_NET_DEVICES", "UCX takes whole names only, and the VF's name differs from pod to pod"
    )


def _vf_prefixes(subject: EnvSubject) -> tuple[str, ...]:
    """Device name prefixes in rail order; empty if an HCA is no VF or states none, or host types differ."""
    lists = {tuple(h.vf_rdma_prefix for h in hcas) for hcas in subject.hcas.values()}
    vfs = all(h.use == "vf" and not h.virtual for hcas in subject.hcas.values() for h in hcas)
    found = lists.pop() if len(lists) == 1 and vfs else ()
    known = tuple(prefix for prefix in found if prefix is not None)
    return known if len(known) == len(found) else ()


def _device_names(subject: EnvSubject) -> tuple[tuple[str, ...], str]:
    """(names in rail order, ""), or ((), reason there are none)."""
    if why := _why_unknown(subject):
        return (), why
    by_type = subject.hcas
    hosts = [host for host in subject.workload.hosts if host.type.name in by_type]
    lists = {_names_on(host, by_type[host.type.name]) for host in hosts}
    if not lists or None in lists:
        return (), "rdma_device is not stated for every HCA the pods use"
    if len(lists) > 1:
        return (), "the RDMA devices have other names from host to host"
    (names,) = lists
    return names or (), ""


def _why_unknown(subject: EnvSubject) -> str:
    """Why the stated device names do not identify the pod's own devices; "" if they do."""
    workload, exclusive = subject.workload, subject.fabric.cluster.rdma_mode == "exclusive"
    if exclusive and not subject.others:
        return "rdma_mode is exclusive, so a pod sees only its own devices"
    by_type = subject.hcas
    if any(h.use == "vf" and not h.virtual for hcas in by_type.values() for h in hcas):
        return "the RDMA device of a VF has another name in every pod"
    if 0 < subject.some < max(map(len, by_type.values()), default=0):
        return "a pod takes some of the HCAs, whichever are free"
    dealt = any(not n.shared and n.takes != "mount" for n in workload.networks)
    if dealt and workload.pods_per_node > 1 and not exclusive:
        return "pods of one node take different devices"
    return ""


def _names_on(host: Host, hcas: tuple[Hca, ...]) -> tuple[str, ...] | None:
    names = []
    for hca in hcas:
        own = host.hcas.get(hca.name)
        name = own.rdma_device if own is not None and own.rdma_device else hca.rdma_device
        if name is None:
            return None
        names.append(name)
    return tuple(names)
