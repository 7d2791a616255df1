"""Put together what the person who applies the Kubernetes part has to know."""

from __future__ import annotations

from netplan.model.claims import DRA_OWNERS
from netplan.model.cluster import Cluster
from netplan.model.fabric import Fabric
from netplan.model.kubernetes import KubernetesPlan
from netplan.model.overview import ChartStep, Overview, OverviewResource
from netplan.plan.attachments import SPIDERPOOL
from netplan.plan.claims import SRIOV_CLASS
from netplan.plan.partitions import partition_facts

_DISTRIBUTIONS = {
    "kubernetes": "CNI plugins in /opt/cni/bin, configuration in /etc/cni/net.d",
    "k3s": "CNI plugins in /var/lib/rancher/k3s/data/cni, configuration in "
    "/var/lib/rancher/k3s/agent/etc/cni/net.d (from v1.28.15 on, https://docs.k3s.io/networking/multus-ipams)",
    "rke2": "CNI plugins in /opt/cni/bin, configuration in /etc/cni/net.d; confirm on a node",
    "openshift": "nodes are changed through MachineConfig objects, not by the files of hosts/",
    "eks": "nodes are changed through the node group's launch template, not by the files of hosts/",
}
"""What follows from the distribution for whoever applies the output."""

_PRIMARY = {
    "calico": "pin its IP autodetection to the management interface, natOutgoing off the rail ranges",
    "canal": "pin its interface choice (flannel's iface, Calico's autodetection) to the management interface",
    "flannel": "pin its iface to the management interface",
    "cilium": "pin its devices to the management interface",
    "kube-ovn": "pin its iface to the management interface",
    "ovn-kubernetes": "it uses the node's default-route interface, which must not be a rail",
    "aws-vpc-cni": "it owns the instance's ENA interfaces; EFA devices carry no IP of its pool",
    "other": "it must not choose a rail interface for its own traffic",
}
"""Why: a primary CNI that picks a rail's address sends the cluster's traffic over the fabric (facts,
pod-routing V31)."""


def plan_overview(fabric: Fabric, kubernetes: KubernetesPlan) -> Overview:
    operator = kubernetes.network_operator
    objects = (
        *kubernetes.policies,
        *kubernetes.pool_configs,
        *kubernetes.pools,
        *kubernetes.attachments,
        *kubernetes.nic_templates,
        *(operator.components if operator else ()),
    )
    own_plugins = "manual" in (kubernetes.sriov_plugin_owner, kubernetes.shared_plugin_owner)
    return Overview(
        facts=tuple(_facts(fabric)),
        present=_present(fabric, kubernetes),
        charts=tuple(_charts(kubernetes)),
        namespaces=_namespaces(fabric, kubernetes),
        has_objects=bool(objects) or own_plugins,
        resources=tuple(
            OverviewResource(
                name=r.full_name,
                plugin=r.plugin,
                owner=_owner(kubernetes, r.plugin),
                per_node=", ".join(f"{n} ({kind})" for kind, n in r.per_node.items()),
            )
            for r in kubernetes.resources
        ),
        dra_driver=kubernetes.dra.driver if kubernetes.dra else None,
    )


def _present(fabric: Fabric, kubernetes: KubernetesPlan) -> tuple[str, ...]:
    """Programs that the attachments, pools and ConfigMaps need and that no chart above brings."""
    operator = kubernetes.network_operator
    brought = set(operator.components) if operator else set()
    own_operator = fabric.cluster.sriov_operator is not None
    nads = [a for a in kubernetes.attachments if a.owner_kind != "ResourceClaimTemplate"]
    attached = bool(nads)
    driver = kubernetes.dra.driver if kubernetes.dra else None
    ipams = {a.ipam.type for a in kubernetes.attachments if a.ipam is not None}
    modes = {a.network.mode for a in kubernetes.attachments}
    by_operator = own_operator or (operator is not None and operator.sriov_operator)
    wanted = {
        "Multus": attached and "secondaryNetwork.multus" not in brought,
        "the reference CNI plugins (tuning, sbr and others)": attached
        and "secondaryNetwork.cniPlugins" not in brought,
        "sriov-cni": "sriov" in modes and not by_operator,
        "ib-sriov-cni": "ib-sriov" in modes and not by_operator,
        "ib-kubernetes (it puts VFs into the partition of their P_Key)": any(
            a.pkey is not None for a in kubernetes.attachments
        ),
        "rdma-cni": any(a.rdma == "chain" for a in nads) and not by_operator,
        "nvidia-k8s-ipam": bool(kubernetes.pools) and "nvIpam" not in brought,
        "whereabouts": "whereabouts" in ipams,
        f"Spiderpool {_release(fabric.cluster)}with its coordinator and controller": SPIDERPOOL in ipams,
        "sriov-network-operator": own_operator,
        "the SR-IOV network device plugin": kubernetes.sriov_plugin_owner == "manual",
        "DRANET (driver dra.net)": driver == "dra.net",
        "the SR-IOV DRA driver in MULTUS mode, and a Multus that reads its devices": driver == SRIOV_CLASS,
        "the RDMA-shared device plugin": kubernetes.shared_plugin_owner == "manual",
    }
    return tuple(name for name, on in wanted.items() if on)


def _release(cluster: Cluster) -> str:
    return "{}.{} ".format(*cluster.spiderpool.release) if cluster.spiderpool is not None else ""


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
        ("distribution", cluster.distribution, _DISTRIBUTIONS[cluster.distribution]),
        ("primary network", f"{primary.cni} on {primary.interface}", _PRIMARY[primary.cni]),
        ("RDMA network namespace mode", cluster.rdma_mode, _rdma_mode(cluster)),
        ("Node Feature Discovery", cluster.nfd, "exactly one program may deploy it"),
    ]
    if cluster.kubernetes_version:
        version = "{}.{}".format(*cluster.kubernetes_version)
        rows.insert(0, ("Kubernetes", version, "charts and API versions were checked against it"))
    for host in fabric.hosts:
        if not host.named:
            nodes = f"{host.count} x {host.type.instance_type or host.type.name}"
            rows.append((f"node group {host.name}", nodes, "nodes without fixed names"))
    if fabric.partition:
        what = "every node must be a member; this is the cloud's name for it, not a P_Key"
        rows.append(("InfiniBand partition", fabric.partition, what))
    return [*rows, *partition_facts(fabric)]


def _rdma_mode(cluster: Cluster) -> str:
    owner = (
        "SriovNetworkPoolConfig sets it"
        if cluster.owners.vfs == "sriov-network-operator"
        else "the files of hosts/ set it"
    )
    if cluster.rdma_mode == "exclusive":
        return f"a pod sees only its own RDMA devices; {owner}, a change reboots the node"
    return "the kernel's default: pods see every RDMA device of the node"


def _charts(kubernetes: KubernetesPlan) -> list[ChartStep]:
    out = []
    operator, gpu = kubernetes.network_operator, kubernetes.gpu_operator
    if operator is not None:
        version = "{}.{}".format(*operator.release)
        out.append(
            ChartStep(
                chart="nvidia/network-operator",
                namespace=operator.namespace,
                version=version,
                values="network-operator/values.yaml",
            )
        )
    if gpu is not None:
        out.append(
            ChartStep(
                chart="nvidia/gpu-operator",
                namespace=gpu.namespace,
                version="",
                values="gpu-operator/values.yaml",
            )
        )
    if kubernetes.efa is not None and kubernetes.efa.instance_types:
        out.append(
            ChartStep(
                chart="eks/aws-efa-k8s-device-plugin",
                namespace="kube-system",
                version="",
                values="efa/values.yaml",
            )
        )
    return out


def _namespaces(fabric: Fabric, kubernetes: KubernetesPlan) -> tuple[str, ...]:
    found = {w.namespace for w in fabric.workloads}
    found |= {name for attachment in kubernetes.attachments for name in attachment.namespaces}
    by_operator = [a for a in kubernetes.attachments if a.owner_kind in ("SriovNetwork", "SriovIBNetwork")]
    found |= {attachment.object_namespace for attachment in by_operator}
    found |= {policy.namespace for policy in kubernetes.policies}
    found |= {config.namespace for config in kubernetes.pool_configs}
    found |= {pool.namespace for pool in kubernetes.pools}
    found |= {template.namespace for template in kubernetes.nic_templates}
    return tuple(sorted(found))
