"""NP656 to NP658: how a pod tells which of its RDMA devices are rails."""

from __future__ import annotations

from collections.abc import Iterator

from netplan.checks.registry import Finding, check
from netplan.diagnostics import Path, Severity
from netplan.model.fabric import Fabric
from netplan.model.hardware import Hca, HostType
from netplan.model.plan import Plan

_WANTED = {"NCCL": "NCCL_IB_HCA", "UCX": "UCX_NET_DEVICES"}


@check(
    "NP656",
    "nothing tells NCCL and UCX which RDMA devices are rails",
    on=Plan,
    counts=lambda plan: sum(bool(w.beside_rails) for w in plan.workloads),
)
def rails_unnamed(plan: Plan) -> Iterator[Finding]:
    """A pod sees the RDMA devices of all its networks, even in exclusive mode, and NCCL and UCX use all
    of them.

    **Why.** Collectives also use the storage network, with its different speed and class and often no
    route to the peers, so jobs are slow or hang.
    **Fix.** If pods use whole HCAs, state `rdma_device` of each. If they use VFs, state `vf_rdma_prefix`
    for NCCL; UCX takes full names only, so keep it off RDMA with `UCX_NET_DEVICES: eth0` in `env`.
    **Source.** docs.nvidia.com/deeplearning/nccl/user-guide/docs/env.html, NCCL_IB_HCA; openucx/ucx 9466d104
    src/ucp/core/ucp_context.c
    """
    for w in plan.workloads:
        known = {variable.name for variable in w.env}
        missing = [library for library, name in _WANTED.items() if name not in known]
        if w.beside_rails and missing:
            what = f"pods of {w.name} have rails and also {', '.join(w.beside_rails)}"
            names = " and ".join(_WANTED[library] for library in missing)
            hint = f"state rdma_device or vf_rdma_prefix of the rails' HCAs, or {names} in env"
            yield Finding(
                (*w.workload.at, "networks"),
                f"{what}, nothing tells {' and '.join(missing)} which are rails",
                hint,
            )


def _prefixed(fabric: Fabric) -> list[tuple[HostType, Hca, str]]:
    return [(t, h, h.vf_rdma_prefix) for t in fabric.host_types for h in t.hcas if h.vf_rdma_prefix]


def _names(fabric: Fabric, kind: HostType) -> Iterator[tuple[str, str]]:
    """(HCA, RDMA device name or VF prefix) of all HCAs of a host type and of its hosts."""
    for hca in kind.hcas:
        yield from ((hca.name, name) for name in (hca.rdma_device, hca.vf_rdma_prefix) if name)
    for host in fabric.hosts:
        if host.type == kind:
            yield from ((name, own.rdma_device) for name, own in host.hcas.items() if own.rdma_device)


@check(
    "NP657",
    "RDMA name prefix matches another device",
    on=Fabric,
    counts=lambda fabric: len(_prefixed(fabric)),
)
def prefix_too_short(fabric: Fabric) -> Iterator[Finding]:
    """NCCL uses every device whose name begins with the prefix.

    **Why.** A rail, a storage HCA or the physical function itself is used as well.
    **Fix.** Lengthen the prefix until the names differ: rocep24s0f0v, rdma_r0v.
    **Source.** docs.nvidia.com/deeplearning/nccl/user-guide/docs/env.html, NCCL_IB_HCA; linux-rdma/rdma-core
    691953d8 kernel-boot/rdma_rename.c
    """
    for kind, hca, prefix in _prefixed(fabric):
        known = sorted(set(_names(fabric, kind)))
        hit = next((n for n in known if n[1].startswith(prefix) and n != (hca.name, prefix)), None)
        if hit is not None:
            what = f"vf_rdma_prefix {prefix} of {kind.name} {hca.name} also matches {hit[1]} of {hit[0]}"
            yield Finding((*hca.at, "vf_rdma_prefix"), what, "lengthen the prefix until the names differ")


@check(
    "NP658",
    "RDMA name prefix without VFs",
    on=Fabric,
    counts=lambda fabric: len(_prefixed(fabric)),
    severity=Severity.WARNING,
)
def prefix_without_vfs(fabric: Fabric) -> Iterator[Finding]:
    """`vf_rdma_prefix` applies to virtual functions that the node gives to pods.

    **Why.** The key has no effect, but looks as if it had one.
    **Fix.** State `rdma_device` instead, or remove the key.
    **Source.** netplan's own rule: the prefix names VFs in pods, and this node gives none to pods.
    """
    for kind, hca, _ in _prefixed(fabric):
        if hca.use != "vf" or hca.virtual:
            at: Path = (*hca.at, "vf_rdma_prefix")
            yield Finding(at, f"{kind.name} {hca.name} gives no VFs to pods", "state rdma_device instead")
