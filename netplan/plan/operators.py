"""Settings of the operators' charts and of the NicClusterPolicy."""

from __future__ import annotations

from netplan.model.cluster import Maintenance, NetworkOperator
from netplan.model.fabric import Fabric
from netplan.model.kubernetes import Attachment, Pool, Resource
from netplan.model.operator_releases import StatedImage, image_names
from netplan.model.operators import DriverUpgrade, EfaPlan, GpuOperatorPlan, NetworkOperatorPlan

CNI_DIRECTORIES = {"k3s": ("/var/lib/rancher/k3s/data/cni", "/var/lib/rancher/k3s/agent/etc/cni/net.d")}
"""Distribution -> CNI (binary, configuration) directories that differ from the chart's defaults.

K3s from v1.28.15 on: https://docs.k3s.io/networking/multus-ipams. RKE2 uses the usual directories.
"""


CONTAINERD_SOCKETS = dict.fromkeys(("k3s", "rke2"), "/run/k3s/containerd/containerd.sock")
"""Distribution -> containerd socket, if it is not the default of the GPU Operator's toolkit,
/run/containerd/containerd.sock (NVIDIA/gpu-operator v25.3.4 controllers/object_controls.go,
DefaultContainerdSocketFile; the path of K3s and RKE2 in controllers/transforms_test.go of v26.7.0)."""

FIRMWARE_PLUGINS = ("mellanox",)
"""Plugins of the SR-IOV config daemon that write NIC firmware. The NIC configuration operator writes it too,
and each would reset NUM_OF_VFS to its own value (Mellanox/network-operator-docs
docs/nic-conf-operator/nic-fw-configuration.rst, "Use of NIC Configuration Operator together with SR-IOV
Network Operator")."""


def plan_network_operator(
    fabric: Fabric,
    resources: tuple[Resource, ...],
    pools: tuple[Pool, ...],
    attachments: tuple[Attachment, ...],
) -> NetworkOperatorPlan | None:
    """Chart values and policy sections that the inventory needs; None without the operator."""
    operator = fabric.cluster.network_operator
    if operator is None:
        return None
    owners = fabric.cluster.owners
    by_sriov = owners.of_vfs.policies or owners.of_devices.node_policies
    own_sriov = fabric.cluster.sriov_operator is None and by_sriov
    nic_configuration = owners.nic_qos == "nic-configuration-operator"
    directories = CNI_DIRECTORIES.get(fabric.cluster.distribution, (None, None))
    plugins = {r.plugin for r in resources} if owners.of_devices.cluster_policy else set()
    wanted = {
        "ofedDriver": operator.ofed_version is not None,
        "rdmaSharedDevicePlugin": "rdma-shared" in plugins,
        "sriovDevicePlugin": "sriov" in plugins,
        "nvIpam": bool(pools),
        "secondaryNetwork.multus": operator.multus,
        "secondaryNetwork.cniPlugins": operator.multus,
        "nicConfigurationOperator": nic_configuration,
    }
    of_modes = {a.network.by_mode.component for a in attachments} - {""}
    components = (*(name for name, on in wanted.items() if on), *sorted(of_modes))
    global_image = not operator.releases.lacks(operator.release, "NicClusterPolicy", "spec.global")
    resource_prefix = "nvidia.com" if own_sriov else None
    driver_upgrade = _driver_upgrade(fabric.cluster.maintenance) if wanted["ofedDriver"] else None
    disable_plugins = FIRMWARE_PLUGINS if own_sriov and nic_configuration else ()
    return NetworkOperatorPlan(
        release=operator.release,
        namespace=operator.namespace,
        repository=operator.repository,
        version=operator.version,
        ofed_version=operator.ofed_version,
        global_image=global_image,
        nfd=fabric.cluster.nfd == "network-operator",
        sriov_operator=own_sriov,
        resource_prefix=resource_prefix,
        maintenance_operator=nic_configuration,
        admission_webhooks=operator.admission_webhooks,
        cni_bin_directory=directories[0],
        cni_network_directory=directories[1],
        components=components,
        images=_images(operator, components, StatedImage() if global_image else _shared(operator)),
        driver_upgrade=driver_upgrade,
        disable_drain=not fabric.cluster.maintenance.drain,
        disable_plugins=disable_plugins,
        patch_plugins=(),
        waits_for_nics=own_sriov and nic_configuration,
        policy=bool(components),
    )


def _driver_upgrade(maintenance: Maintenance) -> DriverUpgrade | None:
    """Automatic driver upgrade. None means manual: the DaemonSet's strategy is OnDelete
    (Mellanox/network-operator manifests/state-ofed-driver/0050_ofed-driver-ds.yaml). maxParallelUpgrades is
    an absolute number, counted over the whole cluster."""
    if maintenance.driver_upgrade == "manual":
        return None
    stated = maintenance.max_unavailable
    return DriverUpgrade(at_once=stated if isinstance(stated, int) else 1, drain=maintenance.drain)


def _shared(operator: NetworkOperator) -> StatedImage:
    return StatedImage(repository=operator.repository, version=operator.version)


def _images(
    operator: NetworkOperator, components: tuple[str, ...], shared: StatedImage
) -> dict[str, StatedImage]:
    """Image of each component. The OFED driver's version comes from its own key, ``ofed_version``."""
    out = {}
    for name in (n for component in components for n in image_names(component)):
        own = operator.images.get(name, StatedImage())
        version = operator.ofed_version if name == "ofedDriver" else own.version or shared.version
        out[name] = StatedImage(repository=own.repository or shared.repository, version=version)
    return out


def plan_gpu_operator(fabric: Fabric) -> GpuOperatorPlan | None:
    """Values of the GPU Operator. Its driver waits for the OFED container unless told that the host has the
    driver; that value is derived from the Network Operator's, never stated twice."""
    operator = fabric.cluster.gpu_operator
    if operator is None:
        return None
    network_operator = fabric.cluster.network_operator
    return GpuOperatorPlan(
        namespace=operator.namespace,
        driver_rdma=operator.driver_rdma,
        use_host_mofed=network_operator is None or network_operator.ofed_version is None,
        gdrcopy=operator.gdrcopy,
        nfd=fabric.cluster.nfd == "gpu-operator",
        containerd_socket=CONTAINERD_SOCKETS.get(fabric.cluster.distribution),
    )


def plan_efa(fabric: Fabric, resources: tuple[Resource, ...]) -> EfaPlan | None:
    types = {name for r in resources if r.plugin == "efa" for name in r.per_node}
    if not types:
        return None
    instances = {t.instance_type for t in fabric.host_types if t.name in types and t.instance_type}
    return EfaPlan(instance_types=tuple(sorted(instances)))
