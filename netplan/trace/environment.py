"""Variables of NCCL and UCX that decide whether a pod uses its rails, and from which GID."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from netplan.trace.model import Fault, Verdict
from netplan.trace.site import TraceWorkload

_GID = {"NCCL_IB_GID_INDEX": ("-1",), "UCX_IB_GID_INDEX": ("auto",)}
"""Variable -> values that let the library choose the GID index itself."""
_FRESH = "3"
"""GID index of RoCE v2 on the first address of a new device: 0 and 1 are the link-local GID as RoCE v1 and v2
(torvalds/linux drivers/infiniband/core/cache.c, gid_table_reserve_default)."""
_FABRIC = ("rc", "dc", "ud", "ib", "all")
"""Transports of UCX over verbs (openucx/ucx, docs/source/faq.md, transports)."""


def environment(workload: TraceWorkload, interfaces: Sequence[str]) -> Iterator[Fault]:
    """docs.nvidia.com/deeplearning/nccl/user-guide/docs/env.html: NCCL_IB_DISABLE, NCCL_NET,
    NCCL_IB_HCA, NCCL_IB_GID_INDEX, NCCL_IB_ROCE_VERSION_NUM, NCCL_SOCKET_IFNAME."""
    if len(interfaces) < 2:
        return
    yield from _off(workload)
    yield from _gids(workload)
    yield from _names(workload, interfaces)


def _off(workload: TraceWorkload) -> Iterator[Fault]:
    env = workload.env
    if env.get("NCCL_IB_DISABLE", "0") not in ("", "0"):
        yield _leaves(workload, "NCCL_IB_DISABLE")
    if env.get("NCCL_NET", "IB").lower() == "socket":
        yield _leaves(workload, "NCCL_NET")
    transports = env.get("UCX_TLS", "all")
    if not transports.startswith("^") and not any(t.startswith(_FABRIC) for t in transports.split(",")):
        yield _leaves(workload, "UCX_TLS")


def _leaves(workload: TraceWorkload, name: str) -> Fault:
    said = f"{name} {workload.env[name]} of {workload.name}"
    text = f"{said}: its traffic is not RDMA and leaves on the pod network"
    return Fault(Verdict.WRONG_RAIL, f"{text} ({workload.env_at(name)})")


def _gids(workload: TraceWorkload) -> Iterator[Fault]:
    for name, searching in _GID.items():
        value = workload.env.get(name)
        if value is not None and value not in (*searching, _FRESH):
            text = (
                f"{name} {value} of {workload.name} is not {_FRESH}, RoCE v2 of the first address of a device"
            )
            yield Fault(Verdict.UNPROVED, f"{text} ({workload.env_at(name)})")
    name = "NCCL_IB_ROCE_VERSION_NUM"
    if workload.env.get(name, "2") != "2":
        text = f"{name} {workload.env[name]} of {workload.name}: only RoCE v2 is routed"
        yield Fault(Verdict.LOST, f"{text} ({workload.env_at(name)})")


def _names(workload: TraceWorkload, interfaces: Sequence[str]) -> Iterator[Fault]:
    chosen = workload.env.get("NCCL_SOCKET_IFNAME", "")
    if chosen and not any(_takes(chosen, interface) for interface in interfaces):
        text = f"NCCL_SOCKET_IFNAME {chosen} of {workload.name} is none of {', '.join(interfaces)}"
        yield Fault(Verdict.LOST, f"{text}: NCCL ends ({workload.env_at('NCCL_SOCKET_IFNAME')})")
    if workload.env.get("NCCL_IB_HCA", "").startswith("^"):
        text = f"NCCL_IB_HCA of {workload.name} leaves devices out: which of the rails they are is not stated"
        yield Fault(Verdict.UNPROVED, f"{text} ({workload.env_at('NCCL_IB_HCA')})")


def _takes(chosen: str, interface: str) -> bool:
    """Whether a list takes the interface: prefixes, exact names after ``=``, exclusions after ``^``."""
    out, exact = chosen.startswith("^"), chosen.lstrip("^").startswith("=")
    names = chosen.lstrip("^=").split(",")
    found = interface in names if exact else any(name and interface.startswith(name) for name in names)
    return found is not out
