"""nv-ipam pools. Fields: Mellanox/nvidia-k8s-ipam v0.4.0 api/v1alpha1."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from netplan.model.artifact import Artifact
from netplan.model.kubernetes import Pool
from netplan.model.plan import Plan
from netplan.render.dump import written
from netplan.render.objects import object_file


def render_ipam(plan: Plan) -> Iterator[Artifact]:
    """One file per pool. whereabouts has no pool objects; its ranges are in the NAD."""
    for pool in plan.kubernetes.pools:
        subject = "rails" if pool.segment.rail is not None else f"subnets.{pool.segment.name}"
        path, about = f"ipam/{pool.name}.yaml", f"addresses of {pool.name}"
        yield object_file(plan.fabric.site, path, [_object(pool)], about, [subject])


def _object(pool: Pool) -> dict[str, Any]:
    common = {"nodeSelector": _node_selector(pool), "routes": [{"dst": str(n)} for n in pool.routes]}
    exclusions = [{"startIP": str(first), "endIP": str(last)} for first, last in pool.exclusions]
    if pool.kind == "IPPool":
        spec = {
            "subnet": str(pool.network),
            "perNodeBlockSize": pool.block_size,
            "gateway": str(pool.gateway) if pool.gateway is not None else None,
            "exclusions": exclusions,
        }
    else:
        spec = {
            "cidr": str(pool.network),
            "perNodeNetworkPrefix": pool.node_prefix,
            "gatewayIndex": pool.gateway_index,
            "exclusions": exclusions,
            "staticAllocations": [
                {"nodeName": s.node, "prefix": str(s.prefix), "gateway": str(s.gateway)} for s in pool.static
            ],
        }
    return {
        "apiVersion": "nv-ipam.nvidia.com/v1alpha1",
        "kind": pool.kind,
        "metadata": {"name": pool.name, "namespace": pool.namespace},
        "spec": written({**spec, **common}),
    }


def _node_selector(pool: Pool) -> dict[str, Any] | None:
    """Node selector. Terms are alternatives; a node must match all labels of one term."""
    terms = [
        {"matchExpressions": [{"key": k, "operator": "In", "values": [v]} for k, v in labels]}
        for labels in pool.selectors
    ]
    return {"nodeSelectorTerms": terms} if terms else None
