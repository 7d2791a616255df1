"""Whether an object is about what netplan judges: networks of pods, their devices, pools and pods."""

from __future__ import annotations

import json
import re

from netplan.reading.kubernetes.objects import Thing

_WORDS = re.compile(
    r"cni\.cncf\.io|cni\.spidernet|multus|sriov|sr-iov|rdma|(?<![gp])roce|infiniband|mellanox|nv-ipam|spiderpool"
    r"|whereabouts|ip_?pool|cidrpool|(?:mac|ip)vlan|host-device|ovs-cni|userdefinednetwork|mpijob"
    r"|net\.nvidia\.com|resource\.k8s\.io|resourceclaim|nicclusterpolicy|nicconfiguration|nicdevice|\bNCCL_|\bUCX_|\bvlan"
    r"|hugepages-|efa\b|resourceList\b|mlx5_",
    re.IGNORECASE,
)
"""Words of which such an object has at least one: API groups and kinds, plugins, resources, variables,
drivers. A process and a grocery are none."""


def is_about_networks(text: str) -> bool:
    return _WORDS.search(text) is not None


def concerns_networks(thing: Thing) -> bool:
    """Values of a chart and a kustomization concern all that is made of them."""
    made = "kind" not in thing.body or thing.group == "kustomize.config.k8s.io"
    return made or is_about_networks(json.dumps(thing.body, default=str))
