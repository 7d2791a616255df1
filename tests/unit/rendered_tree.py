"""A small hand-written tree of rendered files, which the tests of ``netplan.verify`` break."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from copy import deepcopy
from typing import Any

import yaml

from netplan.model.artifact import Artifact
from netplan.verify import Verified, verify

Documents = dict[str, list[Any]]
"""Path -> documents of a YAML file."""

Change = Callable[[Documents], object]

KUSTOMIZATION = "kubernetes/kustomization.yaml"
STAGE = "kubernetes/30-networks/kustomization.yaml"
RAILS = "kubernetes/30-networks/network-attachments/training/rail.yaml"
STORAGE = "kubernetes/30-networks/network-attachments/training/storage.yaml"
POLICIES = "kubernetes/40-device-plugins/sriov/policies-gpu.yaml"
EXTRA = "kubernetes/30-networks/sriov/network-extra.yaml"
PLUGIN = "kubernetes/40-device-plugins/device-plugin/sriov-device-plugin.yaml"
WHOLE = "kubernetes/30-networks/network-operator/network-whole.yaml"
CLUSTER = "kubernetes/20-operator/network-operator/nic-cluster-policy.yaml"
VALUES = "kubernetes/network-operator/values.yaml"
POOL_0 = "kubernetes/30-networks/ipam/rail-0.yaml"
POOL_1 = "kubernetes/30-networks/ipam/rail-1.yaml"
POD = "pods/train/pod.yaml"
JOB = "pods/train/nccl-test.yaml"
ROUTES = "pods/train/routes.yaml"

NETWORKS = "k8s.v1.cni.cncf.io/networks"
RESOURCE = "k8s.v1.cni.cncf.io/resourceName"
SYSCTLS = {
    f"net.ipv4.conf.{where}.{name}": value
    for name, value in (("arp_ignore", "1"), ("arp_announce", "2"), ("rp_filter", "0"))
    for where in ("all", "IFNAME")
}
ENTITIES = {RAILS: ("networks.rail", "rails.rail-0"), POD: ("workloads.train",)}


def an_object(api: str, kind: str, name: str, namespace: str | None, spec: Any) -> dict[str, Any]:
    metadata = {"name": name} | ({"namespace": namespace} if namespace else {})
    return {"apiVersion": api, "kind": kind, "metadata": metadata, "spec": spec}


def nad(name: str, resource: str, plugins: list[dict[str, Any]]) -> dict[str, Any]:
    config = {"cniVersion": "1.0.0", "name": name, "plugins": plugins}
    found = an_object(
        "k8s.cni.cncf.io/v1", "NetworkAttachmentDefinition", name, "training", {"config": json.dumps(config)}
    )
    found["metadata"]["annotations"] = {RESOURCE: resource}
    return found


def rail(number: int, pool_type: str) -> dict[str, Any]:
    ipam = {"type": "nv-ipam", "poolName": f"rail-{number}", "poolType": pool_type}
    main = {"type": "sriov", "vlan": 100 + number, "ipam": ipam}
    chained: list[dict[str, Any]] = [
        {"type": "rdma"},
        {"type": "tuning", "mtu": 9000, "sysctl": dict(SYSCTLS)},
        {"type": "sbr"},
    ]
    return nad(f"rail-{number}", f"nvidia.com/rail_{number}", [main, *chained])


def policy(name: str, root: str) -> dict[str, Any]:
    spec = {
        "nodeSelector": {"example.com/type": "gpu"},
        "nicSelector": {"vendor": "15b3", "rootDevices": [root]},
        "resourceName": name,
        "numVfs": 8,
        "deviceType": "netdevice",
        "isRdma": True,
        "linkType": "eth",
        "mtu": 9000,
    }
    return an_object(
        "sriovnetwork.openshift.io/v1", "SriovNetworkNodePolicy", name.replace("_", "-"), "operator", spec
    )


def container() -> dict[str, Any]:
    devices = {"nvidia.com/rail_0": "1", "nvidia.com/rail_1": "1", "rdma/storage": "1"}
    limits = {"nvidia.com/gpu": "8", **devices, "hugepages-2Mi": "512Mi", "memory": "64Gi"}
    return {"name": "main", "image": "example.com/train:1", "resources": {"limits": limits}}


def template() -> dict[str, Any]:
    selection = "training/rail-0@rail0,training/rail-1@rail1,training/storage@storage0"
    return {"metadata": {"annotations": {NETWORKS: selection}}, "spec": {"containers": [container()]}}


def pod() -> dict[str, Any]:
    found = an_object("v1", "Pod", "train", "training", template()["spec"])
    found["metadata"]["annotations"] = template()["metadata"]["annotations"]
    return found


def mpi_job() -> dict[str, Any]:
    launcher = {"containers": [{"name": "launcher", "image": "example.com/train:1"}]}
    replicas = {
        "Launcher": {"replicas": 1, "template": {"spec": launcher}},
        "Worker": {"replicas": 2, "template": template()},
    }
    spec = {"slotsPerWorker": 8, "mpiReplicaSpecs": replicas}
    return an_object("kubeflow.org/v2beta1", "MPIJob", "train-nccl-test", "training", spec)


def _device_plugin() -> dict[str, Any]:
    resources = [
        {
            "resourceName": name,
            "resourcePrefix": "nvidia.com",
            "selectors": {"vendors": ["15b3"], "pciAddresses": [address], "isRdma": True},
        }
        for name, address in (("whole", "0000:3b:00.0"), ("spare", "0000:5e:00.0"))
    ]
    return {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"name": "sriovdp-config", "namespace": "kube-system"},
        "data": {"config.json": json.dumps({"resourceList": resources})},
    }


def _shared_plugin() -> str:
    entry = {"resourceName": "storage", "rdmaHcaMax": 63, "selectors": {"ifNames": ["ens9f0"]}}
    return json.dumps({"configList": [entry]})


def _pool(kind: str, name: str, spec: dict[str, Any]) -> dict[str, Any]:
    return an_object("nv-ipam.nvidia.com/v1alpha1", kind, name, "operator", spec)


def _extra() -> dict[str, Any]:
    spec = {
        "networkNamespace": "training",
        "resourceName": "extra",
        "ipam": '{"type":"host-local","ranges":[[{"subnet":"10.9.0.0/24","gateway":"10.9.0.1"}]]}',
        "capabilities": '{"ips":true}',
        "metaPlugins": '{"type":"rdma"},{"type":"tuning","mtu":9000},{"type":"sbr"}',
    }
    return an_object("sriovnetwork.openshift.io/v1", "SriovNetwork", "extra", "operator", spec)


def _routed(rail: int, back_end: str, table: int) -> dict[str, Any]:
    rule: dict[str, Any] = {"from": f"172.16.{rail}.0/24"}
    if back_end == "script":
        rule["priority"] = table
    return {
        "interface": f"rail{rail}",
        "rail": rail,
        "family": "ipv4",
        "back_end": back_end,
        "table": table,
        "rule": rule,
    }


def documents() -> Documents:
    """The correct tree."""
    whereabouts: dict[str, Any] = {"type": "whereabouts", "range": "10.8.0.0/24", "gateway": "10.8.0.1"}
    whereabouts["exclude"] = ["10.8.0.1/32"]
    macvlan = {"type": "macvlan", "master": "ens9f0", "mode": "bridge", "ipam": whereabouts}
    whole = {
        "networkNamespace": "training",
        "resourceName": "whole",
        "ipam": '{"type":"nv-ipam","poolName":"rail-0","poolType":"ippool"}',
    }
    node = {"nodeName": "gpu-001", "prefix": "172.16.1.0/31", "gateway": "172.16.1.0"}
    other = {"nodeName": "gpu-002", "prefix": "172.16.1.2/31", "gateway": "172.16.1.2"}
    tree: Documents = {
        RAILS: [rail(0, "ippool"), rail(1, "cidrpool")],
        STORAGE: [nad("storage", "rdma/storage", [macvlan])],
        POLICIES: [
            policy("rail_0", "0000:18:00.0"),
            policy("rail_1", "0000:af:00.0"),
            policy("extra", "0000:86:00.0"),
        ],
        EXTRA: [_extra()],
        PLUGIN: [_device_plugin()],
        WHOLE: [an_object("mellanox.com/v1alpha1", "HostDeviceNetwork", "whole", None, whole)],
        CLUSTER: [
            an_object(
                "mellanox.com/v1alpha1",
                "NicClusterPolicy",
                "nic-cluster-policy",
                None,
                {
                    "rdmaSharedDevicePlugin": {
                        "image": "k8s-rdma-shared-dev-plugin",
                        "config": _shared_plugin(),
                    }
                },
            )
        ],
        VALUES: [{"sriov-network-operator": {"operator": {"resourcePrefix": "nvidia.com"}}}],
        POOL_0: [
            _pool(
                "IPPool",
                "rail-0",
                {
                    "subnet": "172.16.0.0/24",
                    "perNodeBlockSize": 9,
                    "gateway": "172.16.0.1",
                    "exclusions": [{"startIP": "172.16.0.9", "endIP": "172.16.0.12"}],
                    "routes": [{"dst": "172.16.0.0/20"}],
                },
            )
        ],
        POOL_1: [
            _pool(
                "CIDRPool",
                "rail-1",
                {
                    "cidr": "172.16.1.0/24",
                    "perNodeNetworkPrefix": 31,
                    "gatewayIndex": 0,
                    "staticAllocations": [node, other],
                },
            )
        ],
        POD: [pod()],
        JOB: [mpi_job()],
        ROUTES: [{"interfaces": [_routed(0, "sbr", 100), _routed(1, "script", 701)]}],
    }
    return tree | _kustomizations(tree)


def _kustomizations(tree: Documents) -> Documents:
    """One in each stage and one over all of them."""
    stages: dict[str, list[str]] = {}
    for path in sorted(tree):
        root, folder, *rest = path.split("/")
        if root == "kubernetes" and path != VALUES:
            stages.setdefault(folder, []).append("/".join(rest))
    listed = {"": list(stages), **{f"{folder}/": files for folder, files in stages.items()}}
    return {
        f"kubernetes/{folder}kustomization.yaml": [
            {
                "apiVersion": "kustomize.config.k8s.io/v1beta1",
                "kind": "Kustomization",
                "resources": resources,
            }
        ]
        for folder, resources in listed.items()
    }


def artifacts(tree: Documents, texts: Mapping[str, str] | None = None) -> list[Artifact]:
    """Files of a tree, with some of them replaced or added as text."""
    written = {path: yaml.safe_dump_all(docs, sort_keys=False) for path, docs in tree.items()}
    written["switches/leaf-1/roce.json"] = '{"PORT": {"Ethernet0": {"mtu": "9216"}}}\n'
    return [
        Artifact(path=path, text=text, kind=path.split("/")[0], entities=ENTITIES.get(path, ()))
        for path, text in (written | dict(texts or {})).items()
    ]


def verified(change: Change, texts: Mapping[str, str] | None = None) -> Verified:
    """Verdict on the changed tree."""
    tree = deepcopy(documents())
    change(tree)
    return verify(artifacts(tree, texts))


def nothing(tree: Documents) -> None:
    """A change that changes nothing."""


def put(path: str, *keys: str | int, value: Any) -> Change:
    """Set a value in a file's first document, or in another one if the first key is an int; None deletes."""

    def change(tree: Documents) -> None:
        index, rest = (keys[0], keys[1:]) if isinstance(keys[0], int) else (0, keys)
        target: Any = tree[path][int(index)]
        for key in rest[:-1]:
            target = target[key]
        if value is None:
            del target[rest[-1]]
        else:
            target[rest[-1]] = value

    return change


def config(path: str, edit: Callable[[dict[str, Any]], object], index: int = 0) -> Change:
    """Edit the CNI configuration of a NAD."""

    def change(tree: Documents) -> None:
        spec = tree[path][index]["spec"]
        parsed = json.loads(spec["config"])
        edit(parsed)
        spec["config"] = json.dumps(parsed)

    return change


def both(*changes: Change) -> Change:
    def change(tree: Documents) -> None:
        for each in changes:
            each(tree)

    return change
