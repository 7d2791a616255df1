"""Which HCAs can carry a network, and why not."""

from __future__ import annotations

from netplan.model.fabric import Network
from netplan.model.hardware import Hca, HostType

_USES = {
    "storage": "the host's own storage traffic",
    "front-end": "the cluster's own network",
}
_LINKS = {
    "sriov": "ethernet",
    "macvlan": "ethernet",
    "ipvlan": "ethernet",
    "ib-sriov": "infiniband",
    "ipoib": "infiniband",
}
_OF_VFS = ("sriov", "ib-sriov")
_ALSO_VIRTUAL = ("host-device", "device-only")
"""Modes that take a function which a virtual machine was given, as they take a whole HCA."""


def misfit(network: Network, hca: Hca) -> str:
    """Why the mode of a network cannot use an HCA, empty when it can."""
    if not hca.for_pods:
        return f"its use is {hca.use}, {_USES[hca.use]}"
    link = _LINKS.get(network.mode, hca.link)
    if link != hca.link:
        return f"its link is {hca.link}, mode {network.mode} takes {link}"
    makes_vfs = hca.use == "vf" and not hca.virtual
    if network.mode in _OF_VFS:
        if makes_vfs:
            return ""
        have = "it is a function inside a virtual machine" if hca.virtual else f"its use is {hca.use}"
        return f"{have}, mode {network.mode} takes VFs"
    if network.mode == "host-path" or (network.mode == "device-only" and not network.shared):
        return ""
    if makes_vfs:
        shared = " with share_max" if network.mode == "device-only" else ""
        return f"its use is vf, mode {network.mode}{shared} takes whole HCAs"
    if hca.use == "vf" and network.mode not in _ALSO_VIRTUAL:
        return f"it is a function inside a virtual machine, mode {network.mode} takes whole HCAs"
    return ""


def uses(network: Network, host_type: HostType, hca: Hca) -> bool:
    """Whether pods of this network get their device from this HCA."""
    return (
        not misfit(network, hca)
        and (not network.host_types or host_type in network.host_types)
        and (not network.hcas or hca.name in network.hcas)
        and (not network.per_rail or hca.rail is not None)
    )
