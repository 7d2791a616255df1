"""Values of charts that need only a few keys: GPU Operator, EFA device plugin."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from netplan.model.artifact import Artifact
from netplan.model.plan import Plan
from netplan.render.dump import dump_yaml


def render_gpu_operator(plan: Plan) -> Iterator[Artifact]:
    """The RDMA-relevant keys of the GPU Operator's chart (NVIDIA/gpu-operator v26.7.0
    deployments/gpu-operator/values.yaml)."""
    gpu = plan.kubernetes.gpu_operator
    if gpu is None:
        return
    values: dict[str, Any] = {
        "driver": {"rdma": {"enabled": gpu.driver_rdma, "useHostMofed": gpu.use_host_mofed}},
        "gdrcopy": {"enabled": gpu.gdrcopy},
        "nfd": {"enabled": gpu.nfd},
    }
    if gpu.containerd_socket is not None:
        values["toolkit"] = {"env": [{"name": "CONTAINERD_SOCKET", "value": gpu.containerd_socket}]}
    header = f"site {plan.fabric.site}: RDMA-relevant Helm values of the NVIDIA GPU Operator"
    yield Artifact(
        path="kubernetes/gpu-operator/values.yaml",
        text=dump_yaml([values], header),
        kind="gpu-operator",
        entities=("cluster.gpu_operator",),
    )


def render_efa(plan: Plan) -> Iterator[Artifact]:
    """Values of the aws-efa-k8s-device-plugin chart.

    Source: https://github.com/aws/eks-charts/tree/18e37d7b/stable/aws-efa-k8s-device-plugin (values.yaml,
    daemonset.yaml).
    """
    efa = plan.kubernetes.efa
    if efa is None or not efa.instance_types:
        return
    values = {
        "supportedInstanceLabels": {
            "keys": ["node.kubernetes.io/instance-type"],
            "values": list(efa.instance_types),
        },
        "tolerations": [{"key": "aws.amazon.com/efa", "operator": "Exists", "effect": "NoSchedule"}],
    }
    yield Artifact(
        path="kubernetes/efa/values.yaml",
        text=dump_yaml([values], f"site {plan.fabric.site}: Helm values of the EFA device plugin"),
        kind="efa",
        entities=tuple(
            f"host_types.{t.name}" for t in plan.fabric.host_types if t.instance_type in efa.instance_types
        ),
    )
