"""InfiniBand partitions of the networks, and the pods' membership in them.

The top bit of a P_Key is membership: 1 full, 0 limited (InfiniBand Architecture Specification, volume 1,
10.9; docs.nvidia.com, UFM Enterprise REST API, PKey GUIDs: membership). An ib-sriov attachment states the
other 15 bits: ib-kubernetes refuses any other key, and adds GUIDs as full members with the P_Key at index 0
of the port's table (Mellanox/ib-kubernetes pkg/ib-utils/utils.go, pkg/sm/plugins/ufm/ufm.go). An ipoib child
inherits the 15 bits of its master's P_Key, and the kernel sets the top bit (Mellanox/ipoib-cni
pkg/ipoib/ipoib.go; linux drivers/infiniband/ulp/ipoib/ipoib_netlink.c).
"""

from __future__ import annotations

from collections.abc import Iterator

from netplan.model.fabric import Fabric, Network

FULL_BIT = 0x8000
DEFAULT_PARTITION = 0x7FFF


def partition_facts(fabric: Fabric) -> Iterator[tuple[str, str, str]]:
    """(subject, value, meaning) for each network whose partition or membership is stated."""
    for network in fabric.networks:
        if network.pkey is not None or network.membership is not None:
            value = f"{network.membership or 'full'} members of partition {partition_name(fabric, network)}"
            yield f"pods of network {network.name}", value, _meaning(fabric, network)


def partition_name(fabric: Fabric, network: Network) -> str:
    """The network's P_Key, else the cloud's partition name, else the default partition's P_Key."""
    if network.pkey is None and fabric.partition:
        return fabric.partition
    return f"0x{_number(network):04x}"


def _number(network: Network) -> int:
    return DEFAULT_PARTITION if network.pkey is None else network.pkey


def _meaning(fabric: Fabric, network: Network) -> str:
    limited = network.membership == "limited"
    key = _number(network) | (0 if limited else FULL_BIT)
    named = network.pkey is None and fabric.partition
    shown = "" if named else f": P_Key 0x{key:04x} in the port's table"
    if limited:
        who = "the subnet manager, because ib-kubernetes makes full members only"
        return f"they reach full members only; their GUIDs are made limited members in {who}{shown}"
    if network.pkey is not None:
        return f"ib-kubernetes adds their GUIDs as full members{shown}"
    return f"the subnet manager has their ports as full members{shown}"
