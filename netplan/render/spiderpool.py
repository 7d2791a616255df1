"""Spiderpool's objects: SpiderMultusConfig, from which it generates the NAD, and SpiderIPPool.

Fields: spidernet-io/spiderpool charts/spiderpool/crds at d6c20f61 (SpiderMultusConfig; release 1.0 removed
the older enableRdma, PR 4549) and at 01d14ad3 (SpiderIPPool).
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from netplan.model.artifact import Artifact
from netplan.model.kubernetes import Attachment, SpiderPool
from netplan.model.plan import Plan
from netplan.render.cni import meta_plugins
from netplan.render.dump import written
from netplan.render.objects import object_file

API_VERSION = "spiderpool.spidernet.io/v2beta1"


def render_spiderpool(plan: Plan) -> Iterator[Artifact]:
    """One file per pool, and one per namespace and network with all of its attachments."""
    site = plan.fabric.site
    for pool in plan.kubernetes.spider_pools:
        subject = "rails" if pool.segment.rail is not None else f"subnets.{pool.segment.name}"
        path = f"spiderpool/pools/{pool.name}.yaml"
        yield object_file(site, path, [_pool(pool)], f"addresses of {pool.name}", [subject])
    files: dict[tuple[str, str], list[Attachment]] = defaultdict(list)
    for attachment in plan.kubernetes.attachments:
        if attachment.owner_kind == "SpiderMultusConfig":
            for namespace in attachment.namespaces:
                files[namespace, attachment.network.name].append(attachment)
    for (namespace, network), attachments in sorted(files.items()):
        objects = [_config(a, namespace, plan.fabric.cluster.primary_network.interface) for a in attachments]
        path = f"spiderpool/networks/{namespace}/{network}.yaml"
        yield object_file(site, path, objects, f"network {network}", [f"networks.{network}"])


def _pool(pool: SpiderPool) -> dict[str, Any]:
    spec = {
        "ipVersion": pool.network.version,
        "subnet": str(pool.network),
        "ips": [str(first) if first == last else f"{first}-{last}" for first, last in pool.spans],
        "gateway": str(pool.gateway) if pool.gateway is not None else None,
        "nodeAffinity": {"matchLabels": dict(pool.selector)} if pool.selector is not None else None,
    }
    metadata = {"name": pool.name}
    return {"apiVersion": API_VERSION, "kind": "SpiderIPPool", "metadata": metadata, "spec": written(spec)}


def _config(attachment: Attachment, namespace: str, primary: str) -> dict[str, Any]:
    """SpiderMultusConfig of an attachment. tuning runs after the coordinator and so overrides it: some
    releases pass on podRPFilter only together with a podCIDRType
    (pkg/multuscniconfig/multusconfig_informer.go)."""
    mode = attachment.network.mode
    chained = [p for p in meta_plugins(attachment) if p["type"] != "rdma"]
    return {
        "apiVersion": API_VERSION,
        "kind": "SpiderMultusConfig",
        "metadata": {"name": attachment.name, "namespace": namespace},
        "spec": written(
            {
                "cniType": mode,
                mode: written(_main(attachment)),
                "enableCoordinator": True,
                "coordinator": {
                    "mode": "overlay",
                    "tunePodRoutes": True,
                    "podDefaultRouteNIC": primary,
                    "podRPFilter": 0,
                },
                "chainCNIJsonData": [json.dumps(p, separators=(",", ":")) for p in chained],
            }
        ),
    }


def _main(attachment: Attachment) -> dict[str, Any]:
    """The section named after the plugin."""
    resource = attachment.resource.full_name if attachment.resource is not None else None
    pools = {"ipv4": list(attachment.ipam.pools)} if attachment.ipam is not None else None
    if attachment.network.mode == "sriov":
        return {
            "resourceName": resource,
            "vlanID": attachment.vlan,
            "rdmaIsolation": True if attachment.rdma == "chain" else None,
            "ippools": pools,
        }
    return {"master": [attachment.master], "rdmaResourceName": resource, "ippools": pools}
