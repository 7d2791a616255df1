"""Which HCAs can carry a network, and why not."""

from __future__ import annotations

from netplan.model.fabric import Network
from netplan.model.hardware import Hca, HostType

_USES = {
    "storage": "the host's own storage traffic",
    "front-end": "the cluster's own network",
}


def misfit(network: Network, hca: Hca) -> str:
    """Why the network's mode cannot use an HCA; empty if it can."""
    if not hca.for_pods:
        return f"its use is {hca.use}, {_USES[hca.use]}"
    link, takes = network.by_mode.link, network.takes
    if link not in (None, hca.link):
        return f"its link is {hca.link}, mode {network.mode} takes {link}"
    makes_vfs = hca.use == "vf" and not hca.virtual
    if takes == "vf":
        if makes_vfs:
            return ""
        have = "it is a function inside a virtual machine" if hca.virtual else f"its use is {hca.use}"
        return f"{have}, mode {network.mode} takes VFs"
    if takes in ("any", "mount"):
        return ""
    if makes_vfs:
        shared = " with share_max" if network.by_mode.sharing == "stated" else ""
        return f"its use is vf, mode {network.mode}{shared} takes whole HCAs"
    if hca.use == "vf" and takes != "function":
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
