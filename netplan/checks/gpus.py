"""NP638: the GPUs that pods request."""

from __future__ import annotations

from collections.abc import Iterator

from netplan.checks.registry import Finding, check
from netplan.model.fabric import Fabric


def _with_gpus(fabric: Fabric) -> int:
    return sum(bool(w.gpus) for w in fabric.workloads)


@check("NP638", "hosts of a workload differ in GPU resource", on=Fabric, counts=_with_gpus)
def different_gpus(fabric: Fabric) -> Iterator[Finding]:
    """A pod template names one extended resource for its GPUs, and its processes use one collective library.

    **Why.** The pods stay Pending on nodes whose device plugin has another resource. NCCL, HCCL and
    oneCCL do not interoperate.
    **Fix.** Write a workload for each kind of GPU, or correct `gpu_resource` of the host types.
    **Source.** Kubernetes, device plugins; NVIDIA/k8s-device-plugin and ROCm/k8s-device-plugin ed764684
    README.md; docs.habana.ai, Kubernetes device plugin; intel/intel-device-plugins-for-kubernetes 94a91bc9
    cmd/gpu_plugin/README.md.
    """
    for w in fabric.workloads:
        kinds = {t.gpu_resource: t for t in reversed(w.host_types) if t.gpus}
        if w.gpus and len(kinds) > 1:
            listed = ", ".join(f"{resource} ({t.name})" for resource, t in sorted(kinds.items()))
            yield Finding(
                (*w.at, "hosts"),
                f"the hosts of {w.name} request different GPU resources: {listed}",
                "write a workload for each GPU resource, or correct gpu_resource of the host types",
            )
