"""Rendered files of one workload, and the stand-ins needed to run them without the hardware."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from ipaddress import IPv4Network
from typing import Any

import yaml

STAND_INS = {
    "sriov": "host-device",  # one end of a veth pair is the VF
    "sriov.vlan": None,  # the other end is on the bridge that is the VLAN on the leaf
    "rdma": None,  # there is no RDMA device to move
    "nv-ipam": "static",  # with the address its daemon would assign from the rendered pool, see ``lease``
}
"""Parts of a rendered chain that cannot run as rendered -> what runs instead; None: nothing."""

REAL = ("host-device", "tuning", "sbr")
"""Plugins that run as rendered; the main one gets its device from Multus, or here from the lab."""


@dataclass(frozen=True, slots=True)
class Nic:
    """One element of a pod's network annotation: the NAD's chain as rendered, and the pool it names."""

    interface: str
    chain: Mapping[str, Any]
    pool: Mapping[str, Any]

    @property
    def segment(self) -> str:
        """The segment, which has the same name as the pool."""
        return str(self.pool["metadata"]["name"])

    @property
    def shared(self) -> bool:
        """Whether the nodes share a subnet; else each has its own routed link."""
        return bool(self.pool["kind"] == "IPPool")

    def subnet(self, node: int) -> str:
        spec = self.pool["spec"]
        return str(spec["subnet"] if self.shared else spec["staticAllocations"][node]["prefix"])

    def gateway(self, node: int) -> str:
        """The leaf's address, with its prefix length."""
        spec = self.pool["spec"] if self.shared else self.pool["spec"]["staticAllocations"][node]
        return f"{spec['gateway']}/{self.subnet(node).split('/')[1]}"

    @property
    def sysctls(self) -> dict[str, str]:
        """Settings made by the chain, with the interface's name in the pod."""
        wanted = [s for plugin in self.chain["plugins"] for s in plugin.get("sysctl", {}).items()]
        return {key.replace("IFNAME", self.interface): value for key, value in wanted}


def nics(tree: Mapping[str, str], workload: str) -> list[Nic]:
    """The interfaces of a workload's pod, in the order in which Multus adds them."""
    nads = {
        f"{o['metadata']['namespace']}/{o['metadata']['name']}": o
        for o in _objects(tree, "network-attachments")
    }
    pools = {o["metadata"]["name"]: o for o in _objects(tree, "ipam")}
    pod = yaml.safe_load(tree[f"pods/{workload}/pod.yaml"])
    found = []
    for element in pod["metadata"]["annotations"]["k8s.v1.cni.cncf.io/networks"].split(","):
        reference, interface = element.split("@")
        chain = json.loads(nads[reference]["spec"]["config"])
        found.append(Nic(interface, chain, pools[chain["plugins"][0]["ipam"]["poolName"]]))
    return found


def _objects(tree: Mapping[str, str], folder: str) -> list[dict[str, Any]]:
    texts = [
        text
        for path, text in sorted(tree.items())
        if path.startswith("kubernetes/") and f"/{folder}/" in path
    ]
    return [o for text in texts for o in yaml.safe_load_all(text)]


Lease = Mapping[str, Any]
"""The address nv-ipam would assign to a pod from a rendered pool, as a configuration of IPAM ``static``."""


def lease(pool: Mapping[str, Any], node: int, nth: int) -> Lease:
    """The ``nth`` address of a node's part of a pool, with gateway and routes.

    nv-ipam: the blocks of an IPPool are contiguous from the first usable address; of a CIDRPool, each node
    has its allocated prefix. The gateway is never assigned, and every route of the pool goes through it
    (Mellanox/nvidia-k8s-ipam, README.md and pkg/cni/plugin/plugin.go).
    """
    spec = pool["spec"]
    assert "exclusions" not in spec
    if pool["kind"] == "IPPool":
        subnet, gateway = IPv4Network(spec["subnet"]), spec.get("gateway")
        first = 1 + node * spec["perNodeBlockSize"]
        block = [subnet[first + i] for i in range(spec["perNodeBlockSize"])]
    else:
        allocated = spec["staticAllocations"][node]
        subnet, gateway = IPv4Network(allocated["prefix"]), allocated["gateway"]
        block = list(subnet.hosts())
    address = [str(a) for a in block if str(a) != gateway][nth]
    via = {} if gateway is None else {"gateway": gateway}
    return {
        "type": "static",
        "addresses": [{"address": f"{address}/{subnet.prefixlen}", **via}],
        "routes": [{"dst": r["dst"], "gw": gateway} for r in spec.get("routes", [])],
    }


def runnable(nic: Nic, device: str, ipam: Lease) -> tuple[list[dict[str, Any]], Counter[str]]:
    """The chain's plugins with stand-ins in place, and the count of each plugin, real ones included."""
    plugins, used = [], Counter[str]()
    for rendered in nic.chain["plugins"]:
        name = rendered["type"]
        used[name] += 1
        instead = name if name in REAL else STAND_INS[name]
        if instead is None:
            continue
        plugin = {**rendered, "type": instead}
        if name in STAND_INS:
            plugin = {"type": instead, "ipam": rendered["ipam"]}
            for key in rendered.keys() - plugin.keys():
                assert STAND_INS[f"{name}.{key}"] is None
                used[f"{name}.{key}"] += 1
        if "ipam" in plugin:
            instead_of = plugin["ipam"]["type"]
            assert STAND_INS[instead_of] == ipam["type"]
            used[instead_of] += 1
            plugin |= {"device": device, "ipam": ipam}
        plugins.append({**plugin, "cniVersion": nic.chain["cniVersion"], "name": nic.chain["name"]})
    return plugins, used
