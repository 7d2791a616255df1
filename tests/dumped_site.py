"""What a cluster and its switches would say of themselves after a render, made of the rendered files.

From ``hosts/<type>/*.link`` a card has PCI address, interface name and VFs, from ``site.json`` nodes have
their type's labels, GPUs and speeds; objects are as rendered. Shapes of status are those of the CRDs:
k8snetworkplumbingwg/sriov-network-operator 249e200 api/v1/sriovnetworknodestate_types.go,
Mellanox/nic-configuration-operator 8bfbeb3 api/v1alpha1/nicdevice_types.go.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

import yaml

Object = dict[str, Any]


def listed(items: list[Object]) -> str:
    """As kubectl get -o yaml prints several objects."""
    body = {"apiVersion": "v1", "items": items, "kind": "List", "metadata": {"resourceVersion": ""}}
    return yaml.safe_dump(body, sort_keys=False, width=10_000)


def node(name: str, labels: Mapping[str, str], gpus: int, version: str = "v1.32.3") -> Object:
    capacity = {"cpu": "64", "memory": "1056296048Ki", "pods": "110"}
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": name, "labels": {"kubernetes.io/hostname": name, **labels}},
        "spec": {},
        "status": {
            "capacity": {**capacity, **({"nvidia.com/gpu": str(gpus)} if gpus else {})},
            "nodeInfo": {"kubeletVersion": version, "osImage": "Ubuntu 24.04.2 LTS"},
        },
    }


def node_state(name: str, interfaces: list[Object]) -> Object:
    return {
        "apiVersion": "sriovnetwork.openshift.io/v1",
        "kind": "SriovNetworkNodeState",
        "metadata": {"name": name, "namespace": "sriov-network-operator"},
        "spec": {},
        "status": {"interfaces": interfaces, "syncStatus": "Succeeded"},
    }


def interface(pci: str, netdev: str, speed: int, vfs: int = 0, device: str = "1017") -> Object:
    """One of a node state; what is 0 is left out there."""
    stated = {
        "deviceID": device,
        "driver": "mlx5_core",
        "linkSpeed": f"{speed * 1000} Mb/s",
        "linkType": "ETH",
        "mac": "b8:59:9f:00:00:01",
        "mtu": 9000,
        "name": netdev,
        "pciAddress": pci,
        "totalvfs": 8,
        "vendor": "15b3",
    }
    return {**stated, **({"numVfs": vfs} if vfs else {})}


def nic_device(name: str, pci: str, netdev: str, device: str = "1017", rail: int | None = None) -> Object:
    template = {} if rail is None else {"interfaceNameTemplate": {"railIndex": rail, "nicIndex": rail}}
    card = pci.rpartition(".")[0].replace(":", "-")
    return {
        "apiVersion": "configuration.net.nvidia.com/v1alpha1",
        "kind": "NicDevice",
        "metadata": {"name": f"{name}-{device}-{card}", "namespace": "nvidia-network-operator"},
        "spec": template,
        "status": {
            "firmwareVersion": "16.35.4030",
            "node": name,
            "partNumber": "mcx555a-ecat",
            "ports": [{"networkInterface": netdev, "pci": pci}],
            "psid": "mt_0000000011",
            "serialNumber": "mt2232t13210",
            "type": device,
        },
    }


def cards(files: Mapping[str, str], kind: str) -> list[tuple[str, str, int]]:
    """PCI address, name and VFs, of the .link files of a host type."""
    found = []
    for path in sorted(files):
        if re.fullmatch(rf"hosts/{re.escape(kind)}/[0-9]+-[a-z0-9-]+\.link", path):
            values = dict(re.findall(r"^(Path|Name|SR-IOVVirtualFunctions)=(.*)$", files[path], re.MULTILINE))
            vfs = int(values.get("SR-IOVVirtualFunctions", 0))
            found.append((values["Path"].removeprefix("pci-"), values["Name"], vfs))
    return found


def cluster_dumps(files: Mapping[str, str]) -> dict[str, str]:
    """Name -> text of what kubectl would print."""
    site = json.loads(files["site.json"])
    speeds = {c["host"]: c["speed_gbps"] for p in site["cables"].values() for c in p.values() if "host" in c}
    nodes, states, devices = [node("control-1", {}, 0)], [], []
    for name, host in site["hosts"].items():
        kind = site["host_types"][host["type"]]
        own = cards(files, host["type"])
        nodes.append(node(name, {**kind["labels"], **host.get("labels", {})}, kind["gpus"]))
        states.append(
            node_state(name, [interface(pci, netdev, speeds[name], vfs) for pci, netdev, vfs in own])
        )
        devices += [nic_device(name, pci, netdev) for pci, netdev, _ in own]
    objects = {
        path.replace("/", "_"): text
        for path, text in files.items()
        if path.startswith("kubernetes/") and path.endswith(".yaml") and "kustomization" not in path
    }
    return {
        "nodes.yaml": listed(nodes),
        "states.json": json.dumps({"apiVersion": "v1", "kind": "List", "items": states}, indent=4),
        "nicdevices.yaml": listed(devices),
        **objects,
    }
