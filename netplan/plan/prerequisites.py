"""What must be installed before kubernetes/ and pods/ are applied, and what is installed in vain."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from netplan.diagnostics import Path
from netplan.model.cluster import Cluster
from netplan.model.fabric import Fabric
from netplan.model.kubernetes import Attachment, KubernetesPlan
from netplan.model.modes import REFERENCE_PLUGINS
from netplan.model.overview import ChartStep, Prerequisite, Surplus
from netplan.model.workloads import WorkloadPlan
from netplan.plan.attachments import SPIDERPOOL
from netplan.plan.claims import SRIOV_CLASS
from netplan.plan.operators import CNI_DIRECTORIES, FIRMWARE_PLUGINS
from netplan.plan.pod_needs import for_pods
from netplan.plan.primary_networks import CNIS, RULE, beside_multus
from netplan.plan.release_fit import NIC_LABEL
from netplan.records import dataclass

_OPENSHIFT = {"multus": "Multus", "cni-plugins": "the reference CNI plugins"}
"""Components that OpenShift's Cluster Network Operator includes (Mellanox/network-operator-docs
docs/openshift/deployment-guide-openshift.rst)."""

_VF_PLUGINS = {
    "sriov-cni": "it moves the VFs of Ethernet rails into the pods",
    "ib-sriov-cni": "it moves the VFs of InfiniBand rails into the pods",
}

_CERTIFICATES = "its webhooks take certificates from it (operator.admissionController.useCertManager is true)"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Site:
    """The plan as the steps here need it. ``nads``: attachments that Multus makes."""

    fabric: Fabric
    kubernetes: KubernetesPlan
    charts: tuple[ChartStep, ...]

    @property
    def cluster(self) -> Cluster:
        return self.fabric.cluster

    @property
    def nads(self) -> list[Attachment]:
        return [a for a in self.kubernetes.attachments if a.owner_kind != "ResourceClaimTemplate"]


def plan_prerequisites(
    fabric: Fabric,
    kubernetes: KubernetesPlan,
    workloads: tuple[WorkloadPlan, ...],
    charts: tuple[ChartStep, ...],
) -> tuple[tuple[Prerequisite, ...], tuple[Surplus, ...]]:
    """(prerequisites, surplus). Prerequisites are in installation order: for charts, attachments, addresses,
    devices, pods."""
    brought = _brought(fabric.cluster, kubernetes)
    site = _Site(fabric=fabric, kubernetes=kubernetes, charts=charts)
    parts = (_for_charts, _for_attachments, _for_addresses, _for_devices)
    everything = [n for part in parts for n in part(site)]
    everything += for_pods(fabric.cluster, kubernetes, workloads)
    needs = [n for n in everything if n.program not in brought]
    present = fabric.cluster.present
    found = tuple(replace(n, stated=n.program in present) for n in needs)
    return found, tuple(_surplus(fabric.cluster, {n.program for n in needs}, brought))


def _brought(cluster: Cluster, kubernetes: KubernetesPlan) -> dict[str, str]:
    """Program -> reason why another program already deploys it."""
    operator = kubernetes.network_operator
    components = set(operator.components) if operator is not None else set()
    bundled = operator is not None and operator.sriov_operator
    sriov = bundled or cluster.sriov_operator is not None
    by_policy = "the NicClusterPolicy deploys it"
    by_sriov = "the SR-IOV operator brings it"
    found = {
        "nfd": (cluster.nfd != "cluster", f"cluster.nfd is {cluster.nfd}, whose chart brings it"),
        "multus": ("secondaryNetwork.multus" in components, by_policy),
        "cni-plugins": ("secondaryNetwork.cniPlugins" in components, by_policy),
        "nv-ipam": ("nvIpam" in components, by_policy),
        "sriov-network-operator": (bundled, "the chart nvidia/network-operator brings it"),
        "sriov-cni": (sriov, by_sriov),
        "ib-sriov-cni": (sriov, by_sriov),
        "rdma-cni": (sriov, by_sriov),
        "sriov-device-plugin": (
            kubernetes.sriov_plugin_owner not in (None, "manual"),
            f"owners.device_plugin is {kubernetes.sriov_plugin_owner}, which deploys it",
        ),
        "rdma-shared-device-plugin": ("rdmaSharedDevicePlugin" in components, by_policy),
    }
    return {program: by for program, (on, by) in found.items() if on}


def _surplus(cluster: Cluster, needed: set[str | None], brought: Mapping[str, str]) -> Iterator[Surplus]:
    operator = cluster.network_operator
    if cluster.distribution == "openshift" and operator is not None and operator.multus:
        yield Surplus(
            at=("cluster", "network_operator", "multus"),
            why="multus is true, but OpenShift brings Multus and the reference CNI plugins",
            hint="set multus: false",
        )
    for index, program in enumerate(cluster.present):
        at: Path = ("cluster", "present", index)
        if program in brought:
            why = f"cluster.present has {program}, but {brought[program]}"
            yield Surplus(
                at=at, why=why, hint=f"remove {program} from present, or what deploys it a second time"
            )
        elif program not in needed:
            why = f"cluster.present has {program}, but nothing here needs it"
            yield Surplus(at=at, why=why, hint=f"remove {program} from present")


def _for_charts(site: _Site) -> Iterator[Prerequisite]:
    names = {
        "nfd": ("Node Feature Discovery with its CRDs", "their pods select nodes by its labels"),
        "cert-manager": ("cert-manager with its CRDs", _CERTIFICATES),
    }
    for program, (name, reason) in names.items():
        users = [c.chart for c in site.charts if program in c.needs]
        if users:
            yield Prerequisite(program, name, f"before {' and '.join(users)}: {reason}")


def _for_attachments(site: _Site) -> Iterator[Prerequisite]:
    nads, cluster = site.nads, site.cluster
    if nads:
        yield _multus(cluster)
        yield _primary(cluster)
    if plugins := _reference_plugins(nads):
        name = f"the reference CNI plugins{_version(cluster.cni_plugins.plugins)}"
        yield Prerequisite(
            REFERENCE_PLUGINS, name, f"the attachments use {', '.join(plugins)}", _openshift(cluster)
        )
    programs = {a.network.by_mode.program for a in site.kubernetes.attachments}
    for program in (name for name in _VF_PLUGINS if name in programs):
        yield Prerequisite(program, program, _VF_PLUGINS[program])
    if any(a.pkey is not None for a in site.kubernetes.attachments):
        why = "it puts VFs into the partition of their P_Key"
        yield Prerequisite("ib-kubernetes", "ib-kubernetes", why)
    if any(a.rdma == "chain" for a in nads):
        why = "in RDMA mode exclusive it moves the RDMA device of an interface into the pod"
        yield Prerequisite("rdma-cni", "rdma-cni", why)


def _openshift(cluster: Cluster) -> str:
    if cluster.distribution != "openshift":
        return ""
    return "OpenShift includes them; do not install them again"


def _multus(cluster: Cluster) -> Prerequisite:
    settings = []
    directories = CNI_DIRECTORIES.get(cluster.distribution)
    if directories is not None:
        settings.append(f"CNI plugins in {directories[0]}, configuration in {directories[1]}")
    if cluster.distribution == "openshift":
        settings.append("OpenShift includes it; do not install it again")
    name = f"Multus{_version(cluster.cni_plugins.multus)}"
    return Prerequisite("multus", name, "it attaches the networks of a pod's annotation", "; ".join(settings))


def _version(stated: tuple[int, ...] | None) -> str:
    return "" if stated is None else f" {'.'.join(map(str, stated))}"


def _primary(cluster: Cluster) -> Prerequisite:
    cni = CNIS[cluster.primary_network.cni]
    needed = beside_multus(cluster)
    why = RULE.format(file=cni.file)
    return Prerequisite(
        None, f"{cni.name} beside Multus", why, f"{needed or 'nothing to set'} ({cni.source})"
    )


def _reference_plugins(nads: Iterable[Attachment]) -> list[str]:
    """Names of the containernetworking/plugins binaries in the CNI chains of these attachments."""
    used = {
        name
        for a in nads
        for name, on in {
            a.network.mode: a.network.by_mode.program == REFERENCE_PLUGINS,
            "tuning": bool(a.sysctls) or a.tuning_mtu is not None,
            "sbr": a.sbr,
            a.network.ipam: a.ipam is not None and a.network.by_ipam.program == REFERENCE_PLUGINS,
        }.items()
        if on
    }
    return sorted(used)


def _for_addresses(site: _Site) -> Iterator[Prerequisite]:
    ipams = {a.ipam.type for a in site.kubernetes.attachments if a.ipam is not None}
    if site.kubernetes.pools:
        why = "it serves the IPPools and CIDRPools, whose CRDs it brings"
        yield Prerequisite("nv-ipam", "nvidia-k8s-ipam", why)
    if "whereabouts" in ipams:
        yield Prerequisite("whereabouts", "whereabouts", "it is the IPAM of the attachments")
    if SPIDERPOOL in ipams:
        stated = site.cluster.spiderpool
        release = "{}.{} ".format(*stated.release) if stated is not None else ""
        name = f"Spiderpool {release}with its coordinator and controller"
        yield Prerequisite("spiderpool", name, "it is the IPAM of the attachments and makes the pods' routes")


def _for_devices(site: _Site) -> Iterator[Prerequisite]:
    kubernetes, cluster = site.kubernetes, site.cluster
    driver = kubernetes.dra.driver if kubernetes.dra else None
    if cluster.sriov_operator is not None:
        why = "it applies the SR-IOV policies, pools and networks, whose CRDs it brings"
        yield Prerequisite("sriov-network-operator", "sriov-network-operator", why, _sriov_values(cluster))
    if kubernetes.sriov_plugin_owner == "manual":
        why = "it advertises VFs and PFs by the ConfigMap that is applied here"
        yield Prerequisite("sriov-device-plugin", "the SR-IOV network device plugin", why)
    if kubernetes.shared_plugin_owner == "manual":
        why = "it advertises shared HCAs by the ConfigMap that is applied here"
        yield Prerequisite("rdma-shared-device-plugin", "the RDMA-shared device plugin", why)
    if driver == "dra.net":
        yield Prerequisite("dranet", "DRANET (driver dra.net)", "it prepares the devices of the pods' claims")
    if driver == SRIOV_CLASS:
        name = "the SR-IOV DRA driver in MULTUS mode, and a Multus that reads its devices"
        yield Prerequisite("dra-driver-sriov", name, "it prepares the devices of the pods' claims")


def _sriov_values(cluster: Cluster) -> str:
    """Chart values. sriovOperatorConfig.deploy is false by default
    (deployment/sriov-network-operator-chart/values.yaml); with the NIC configuration operator as in
    Mellanox/network-operator-docs docs/nic-conf-operator/nic-fw-configuration.rst."""
    assert cluster.sriov_operator is not None
    values = {
        "operator.resourcePrefix": cluster.sriov_operator.resource_prefix,
        "sriovOperatorConfig.deploy": "true",
        "sriovOperatorConfig.disableDrain": str(not cluster.maintenance.drain).lower(),
    }
    if cluster.distribution in CNI_DIRECTORIES:
        values["cniBinPath"] = CNI_DIRECTORIES[cluster.distribution][0]
    if cluster.owners.nic_qos == "nic-configuration-operator":
        values["sriovOperatorConfig.disablePlugins"] = f"[{', '.join(FIRMWARE_PLUGINS)}]"
        operator = cluster.network_operator
        if operator is not None and operator.releases.nearest(operator.release).release >= NIC_LABEL:
            label = '{network.nvidia.com/operator.nic-configuration.wait: "false"}'
            values["sriovOperatorConfig.configDaemonNodeSelector"] = label
    return "chart values " + ", ".join(f"`{key}: {value}`" for key, value in values.items())
