"""Fabrics to attach pods to: any number of rails, shared or per-node subnets, either back end."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from netplan.pipeline import Result, compile_texts

NODES = 3


def _inventory(rails: int, subnets: str, back_end: str) -> dict[str, Any]:
    """One leaf per rail and a spine. Per-node subnets are routed /31 links, so one pod has the whole HCA."""
    last, shared = rails - 1, subnets == "shared"
    use = {"use": "vf", "vfs": 4} if shared else {"use": "pf"}
    cards = {
        f"roce{rail}": {"rail": rail, "pci": f"0000:{16 + rail:02x}:00.0", "netdev": f"ens{rail}np0"}
        for rail in range(rails)
    }
    up = [
        {"switches": f"leaf-[1-{rails}]", "ports": "Ethernet64", "to": "spine-1", "cable_m": 40}
        | {"to_ports": f"Ethernet[0-{4 * last}/4]"}
    ]
    return {
        "version": 1,
        "site": f"lab-{rails}-{subnets}-{back_end}",
        "cluster": {
            "primary_network": {"cni": "calico", "pod_cidr": "10.244.0.0/16", "service_cidr": "10.96.0.0/12"},
            "owners": {"vfs": "host", "device_plugin": "manual"} if shared else {"device_plugin": "manual"},
            "rdma_mode": "exclusive",
        },
        "fabric": {
            "type": "roce",
            "qos": {
                "classes": {
                    "roce": {"dscp": 26, "priority": 3, "lossless": True, "bandwidth_percent": 50}
                    | {"ecn": {"kmin_bytes": 100000, "kmax_bytes": 400000}},
                    "cnp": {"dscp": 48, "priority": 6, "scheduling": "strict"},
                }
            },
        },
        "underlay": {
            "leaf_asn": "4200000100+",
            "spine_asn": 4200000001,
            "loopbacks": "172.31.255.0/24",
            "uplinks": "172.31.0.0/22",
        },
        "rails": {
            "count": rails,
            "segment": "leaf" if shared else "host",
            "supernets": ["172.16.0.0/16"],
            "rail_prefixes": [20],
            "prefixes": [24 if shared else 31],
        }
        | ({"vlan_ids": f"100-{100 + last}"} if shared else {}),
        "host_types": {
            "gpu": {
                "gpus": 8,
                "node_selector": {"example.com/host-type": "gpu"},
                "hcas": {
                    f"roce[0-{last}]": {"model": "connectx-6-dx", "rail": 0, "speed_gbps": 100, **use},
                    **cards,
                },
            }
        },
        "hosts": {f"gpu-[1-{NODES}]": {"type": "gpu", "id": 1}},
        "switch_types": {"box": {"nos": "sonic", "model": "msn3700", "frr_mode": "frrcfgd"}},
        "switches": {
            f"leaf-[1-{rails}]": {"type": "box", "id": 1, "role": "leaf"},
            "spine-1": {"type": "box", "id": 101, "role": "spine"},
        },
        "links": [
            {
                "hosts": f"gpu-[1-{NODES}]",
                "hca": f"roce[0-{last}]",
                "switch": f"leaf-[1-{rails}]",
                "cable_m": 5,
            }
            | {"ports": f"Ethernet[0-{4 * (NODES - 1)}/4]"},
            *up,
        ],
        "networks": {
            "rail": {
                "for_each": "rails",
                "mode": "sriov" if shared else "host-device",
                "ipam": "nv-ipam",
                "namespaces": ["training"],
                "resource": "per-rail",
                "routing": back_end,
            }
        },
        "workloads": {
            "training": {
                "namespace": "training",
                "hosts": ["gpu"],
                "networks": ["rail"],
                "gpus": 8 if not shared else 4,
                "nodes": NODES,
                "pods_per_node": 2 if shared else 1,
                "image": "example.com/train:1",
                "nccl_version": "2.26.2",
                "shm_mib": 16384,
                "jobs": ["mpijob"],
            }
        },
    }


@cache
def site(rails: int, subnets: str, back_end: str) -> Result:
    """The compiled inventory; ``subnets``: shared or per-node, ``back_end``: of networks.*.routing."""
    result = compile_texts({"lab.yaml": json.dumps(_inventory(rails, subnets, back_end), indent=1)})
    assert result.artifacts, [f"{d.code} {d.message}" for d in result.diagnostics]
    return result
