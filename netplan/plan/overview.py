"""Assembles what whoever applies the Kubernetes part has to know."""

from __future__ import annotations

from netplan.model.claims import DRA_OWNERS
from netplan.model.cluster import Cluster
from netplan.model.fabric import Fabric
from netplan.model.kubernetes import KubernetesPlan
from netplan.model.overview import Overview, OverviewResource
from netplan.model.stages import BUILT_IN_NAMESPACES
from netplan.model.workloads import WorkloadPlan
from netplan.plan.charts import plan_charts
from netplan.plan.node_changes import plan_node_changes
from netplan.plan.partitions import partition_facts
from netplan.plan.pod_security import plan_pod_security
from netplan.plan.prerequisites import plan_prerequisites
from netplan.plan.primary_networks import CNIS

_DISTRIBUTIONS = {
    "kubernetes": "CNI plugins in /opt/cni/bin, configuration in /etc/cni/net.d",
    "k3s": "CNI plugins in /var/lib/rancher/k3s/data/cni, configuration in "
    "/var/lib/rancher/k3s/agent/etc/cni/net.d (from v1.28.15 on, "
    "https://docs.k3s.io/networking/multus-ipams)",
    "rke2": "CNI plugins in /opt/cni/bin, configuration in /etc/cni/net.d; confirm on a node",
    "openshift": "nodes are changed through MachineConfig objects: `host_delivery.butane: openshift` makes "
    "them of the files of hosts/",
    "eks": "nodes are changed through the node group's launch template, not by the files of hosts/",
}
"""Consequences of the distribution for whoever applies the output."""


def plan_overview(
    fabric: Fabric, kubernetes: KubernetesPlan, workloads: tuple[WorkloadPlan, ...]
) -> Overview:
    charts = plan_charts(fabric.cluster, kubernetes)
    prerequisites, surplus = plan_prerequisites(fabric, kubernetes, workloads, charts)
    dra_driver = kubernetes.dra.driver if kubernetes.dra else None
    return Overview(
        facts=tuple(_facts(fabric)),
        prerequisites=prerequisites,
        surplus=surplus,
        charts=charts,
        namespaces=_namespaces(fabric, kubernetes),
        security=plan_pod_security(fabric.cluster, workloads),
        changes=plan_node_changes(fabric.cluster, kubernetes),
        resources=tuple(
            OverviewResource(
                name=r.full_name,
                plugin=r.plugin,
                owner=_owner(kubernetes, r.plugin),
                per_node=", ".join(f"{n} ({kind})" for kind, n in r.per_node.items()),
            )
            for r in kubernetes.resources
        ),
        dra_driver=dra_driver,
    )


def _owner(kubernetes: KubernetesPlan, plugin: str) -> str:
    owners = {
        "sriov": kubernetes.sriov_plugin_owner,
        "rdma-shared": kubernetes.shared_plugin_owner,
        "efa": "the EFA chart",
        **dict.fromkeys(DRA_OWNERS, kubernetes.dra.driver if kubernetes.dra else None),
    }
    return owners[plugin] or "nobody"


def _facts(fabric: Fabric) -> list[tuple[str, str, str]]:
    cluster = fabric.cluster
    primary = cluster.primary_network
    rows = [
        ("distribution", cluster.distribution, _distribution(cluster)),
        ("primary network", f"{primary.cni} on {primary.interface}", CNIS[primary.cni].pin),
        ("RDMA network namespace mode", cluster.rdma_mode, _rdma_mode(cluster)),
        ("Node Feature Discovery", cluster.nfd, "exactly one program may deploy it"),
    ]
    if cluster.kubernetes_version:
        version = "{}.{}".format(*cluster.kubernetes_version)
        rows.insert(
            0, ("Kubernetes", version, "charts and API versions were checked against it (test jobs: NP681)")
        )
    for host in fabric.hosts:
        if not host.named:
            nodes = f"{host.count} x {host.type.instance_type or host.type.name}"
            rows.append((f"node group {host.name}", nodes, "nodes without fixed names"))
    if fabric.partition:
        what = "every node must be a member; this is the cloud's name for the partition, not a P_Key"
        rows.append(("InfiniBand partition", fabric.partition, what))
    return [*rows, *partition_facts(fabric)]


def _distribution(cluster: Cluster) -> str:
    by = cluster.host_delivery
    if cluster.distribution == "openshift" and by is not None and by.butane == "openshift":
        return "nodes are changed through MachineConfig objects: delivery/butane/ makes them of hosts/"
    return _DISTRIBUTIONS[cluster.distribution]


def _rdma_mode(cluster: Cluster) -> str:
    owner = (
        "SriovNetworkPoolConfig sets it" if cluster.owners.of_vfs.policies else "the files of hosts/ set it"
    )
    if cluster.rdma_mode == "exclusive":
        return f"a pod sees only its own RDMA devices; {owner}, a change reboots the node"
    return "the kernel's default: pods see every RDMA device of the node"


def _namespaces(fabric: Fabric, kubernetes: KubernetesPlan) -> tuple[str, ...]:
    found = {w.namespace for w in fabric.workloads}
    found |= {name for attachment in kubernetes.attachments for name in attachment.namespaces}
    by_operator = [a for a in kubernetes.attachments if a.owner_kind in ("SriovNetwork", "SriovIBNetwork")]
    found |= {attachment.object_namespace for attachment in by_operator}
    found |= {policy.namespace for policy in kubernetes.policies}
    found |= {config.namespace for config in kubernetes.pool_configs}
    found |= {pool.namespace for pool in kubernetes.pools}
    found |= {template.namespace for template in kubernetes.nic_templates}
    return tuple(sorted(found - BUILT_IN_NAMESPACES))
