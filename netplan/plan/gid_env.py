"""The GID, and so the source address, that NCCL and UCX send from."""

from __future__ import annotations

from collections.abc import Iterator

from netplan.model.workloads import EnvVar, OmittedEnv
from netplan.plan.env_subject import NCCL, Decision, EnvSubject

GID_SEARCH = (2, 21)
"""First NCCL that finds the RoCE v2 GID itself
(docs.nvidia.com/deeplearning/nccl/user-guide/docs/env.html, NCCL_IB_GID_INDEX)."""

FRESH_INDEX = 3
"""Index of the RoCE v2 GID of the first address on a fresh device. 0 and 1 are the link-local GID as RoCE v1
and v2 (torvalds/linux drivers/infiniband/core/cache.c, gid_table_reserve_default: the lowest, one for each
type)."""


def gid(subject: EnvSubject) -> Iterator[Decision]:
    if subject.fabric.type != "roce":
        return
    ipv6 = subject.families == {6}
    kind = "IPv6" if ipv6 else "IPv4"
    yield _nccl_index(subject, kind)
    if ipv6:
        yield from _ipv6_rails(subject)


def _nccl_index(subject: EnvSubject, kind: str) -> Decision:
    name, version = "NCCL_IB_GID_INDEX", subject.workload.nccl_version
    if "pf" in subject.gids:
        return OmittedEnv(
            name, "GIDs of macvlan and ipvlan stand in the PF's table, at another index in every pod"
        )
    if "host" in subject.gids:
        return OmittedEnv(name, "the GID table is the host's, its order is not the inventory's")
    if version is None:
        return OmittedEnv(
            name,
            "nccl_version is not stated; NCCL 2.21 and newer finds the RoCE v2 GID itself, older needs 3",
        )
    if version >= GID_SEARCH:
        return OmittedEnv(
            name, f"NCCL 2.21 and newer finds the RoCE v2 GID of the interface's {kind} address itself"
        )
    why = f"NCCL before 2.21 takes index 0; RoCE v2 of a fresh device's first {kind} address is at 3"
    return EnvVar(name=name, value=str(FRESH_INDEX), reason=why, source=NCCL)


def _ipv6_rails(subject: EnvSubject) -> Iterator[Decision]:
    """By default NCCL looks for IPv4 GIDs and skips link-local ones. Without an IPv4 GID UCX takes the first
    RoCE v2 GID, which is the link-local one."""
    yield EnvVar(
        name="NCCL_IB_ADDR_FAMILY",
        value="AF_INET6",
        reason="the rails have IPv6 addresses only, NCCL looks for IPv4 (AF_INET) by default",
        source=NCCL,
    )
    name = "UCX_IB_GID_INDEX"
    if subject.gids & {"pf", "host"}:
        yield OmittedEnv(
            name,
            "UCX takes the first IPv6 GID of the host's table, and only the job can see at which index it is",
        )
        return
    yield EnvVar(
        name=name,
        value=str(FRESH_INDEX),
        reason="UCX takes the first IPv6 GID, the link-local one, which is not routed; the address's is at 3",
        source="openucx/ucx src/uct/ib/base/ib_device.c, uct_ib_device_select_gid",
    )
