"""What virtual machines of a cloud or hypervisor would show after a render: nodes, and collect.sh of each.

Functions have no card beside them, so that ``physfn`` is missing (linux drivers/pci/iov.c makes it in the
kernel that has the card). EFA's devices are the capacity ``vpc.amazonaws.com/efa`` (aws/eks-charts
aws-efa-k8s-device-plugin).
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from tests.dumped_site import Object, listed, node

COLLECTED = "# netplan collect 1: pci\n"
LAYERS = {"infiniband": "InfiniBand", "ethernet": "Ethernet"}
RATES = {400: "400 Gb/sec (4X NDR)", 100: "100 Gb/sec (4X EDR)"}


def eks_node(name: str, kind: str, gpus: int, efa: int, version: str = "v1.32.3-eks-473151a") -> Object:
    found = node(name, {"node.kubernetes.io/instance-type": kind}, gpus, version)
    found["status"]["capacity"]["vpc.amazonaws.com/efa"] = str(efa)
    return found


def vf_line(bus: int, device: str, link: str, gbps: int, more: str = "firmware=28.37.1700") -> str:
    """A function of collect.sh's sysfs.txt."""
    ids = "vendor=0x15b3 device=0x101e"
    shown = f'ib={device} link_layer={LAYERS[link]} rate="{RATES[gbps]}"'
    return f"pci=0000:{bus:02x}:00.0 {ids} numa=-1 vfs= {shown} {more}".rstrip() + "\n"


def of_site(files: Mapping[str, str]) -> list[tuple[str, Mapping[str, Any]]]:
    """Nodes that have a name, with their host type."""
    site = json.loads(files["site.json"])
    kinds = {name: site["host_types"][host["type"]] for name, host in site["hosts"].items()}
    return [(name, kind) for name, kind in kinds.items() if kind["node"]]


def eks(files: Mapping[str, str]) -> dict[str, str]:
    """The reference counts its workers and names none."""
    site, found = json.loads(files["site.json"]), []
    for group in site["hosts"].values():
        kind = site["host_types"][group["type"]]
        label = kind["labels"]["node.kubernetes.io/instance-type"]
        for number in range(group["count"]):
            name = f"ip-10-0-1-{number + 5}.ec2.internal"
            found.append(eks_node(name, label, kind["gpus"], len(kind["hcas"])))
    return {"nodes.yaml": listed(found)}


GPU_POLICY = """apiVersion: nvidia.com/v1
kind: ClusterPolicy
metadata: {name: cluster-policy}
spec:
  driver: {enabled: true, rdma: {enabled: true, useHostMofed: true}}
"""


def crusoe(files: Mapping[str, str]) -> dict[str, str]:
    """The policy that was rendered, what the GPU Operator's chart makes of its values, and each worker's VFs:
    mlx5_N is the number in the name of its HCA."""
    own = {"nvidia.com/gpu.present": "true", "node.kubernetes.io/instance-type": "k3s"}
    nodes = [node("crusoe-k3s-master-0", {"node.kubernetes.io/instance-type": "k3s"}, 0, "v1.27.6+k3s1")]
    found = {"gpu-policy.yaml": GPU_POLICY}
    for name, kind in of_site(files):
        nodes.append(node(name, {**kind["labels"], **own}, kind["gpus"], "v1.27.6+k3s1"))
        lines = [
            vf_line(number + 1, f"mlx5_{hca[-1]}", row["link"], row["speed_gbps"])
            for number, (hca, row) in enumerate(kind["hcas"].items())
        ]
        found[f"{name}/sysfs.txt"] = COLLECTED + "".join(lines)
    policy = "kubernetes/20-operator/network-operator/nic-cluster-policy.yaml"
    return {**found, "nodes.yaml": listed(nodes), "policy.yaml": files[policy]}


PVRDMA = """pci=0000:03:00.0 vendor=0x15ad device=0x07b0 numa=-1 vfs= net=ens160 mtu=1500 type=1
pci=0000:0b:00.0 vendor=0x15ad device=0x07b0 numa=-1 vfs= net=ens192 mtu=9000 type=1
pci=0000:0b:00.1 vendor=0x15ad device=0x0820 ib=vmw_pvrdma0 link_layer=Ethernet rate="2.5 Gb/sec (1X SDR)"
"""
ONYX = """##
## Running database "initial"
## Generated at 2019/05/10 12:37:16 +0000
## Hostname: {name}
##
"""


def vsphere(files: Mapping[str, str]) -> dict[str, str]:
    """Each VM's functions and addresses, the switch's configuration and the table of cables. Nothing is of
    the ESXi hosts themselves."""
    nodes = [node("control-1", {}, 0, "v1.15.12")]
    found = {}
    for name, kind in of_site(files):
        nodes.append(node(name, kind["labels"], kind["gpus"], "v1.15.12"))
        stated = re.search(r"\| pvrdma0 \| address \| (\S+)/([0-9]+) \|", files[f"hosts/{name}/README.md"])
        assert stated is not None
        own = {"family": "inet", "local": stated[1], "prefixlen": int(stated[2]), "scope": "global"}
        row = {"ifindex": 3, "ifname": "ens192", "link_type": "ether", "addr_info": [own]}
        found[f"{name}/sysfs.txt"] = COLLECTED + PVRDMA
        found[f"{name}/ip-addr.json"] = json.dumps([row])
    switch = "sn2700-1"
    parts = [files[f"switches/{switch}/{part}"] for part in ("interfaces.txt", "roce.txt")]
    found[f"{switch}.txt"] = ONYX.format(name=switch) + "".join(parts)
    found["cabling.csv"] = files[f"switches/{switch}/cabling.csv"]
    return {**found, "nodes.yaml": listed(nodes)}
