"""Whether a pod address can move to another MAC, and what then updates the leaf.

A leaf that still maps an address to the old MAC blackholes a new pod's packets until the entry ages out.
"""

from __future__ import annotations

from collections.abc import Iterator

from netplan.model.fabric import Fabric
from netplan.model.kubernetes import Attachment
from netplan.model.workloads import AddressStability, PodNic


def plan_stability(fabric: Fabric, nics: tuple[PodNic, ...]) -> tuple[AddressStability, ...]:
    """One row per network with addresses, in the order of the interfaces."""
    found = {n.attachment.network.name: n for n in nics if n.attachment.addressed}
    return tuple(row for nic in found.values() for row in _row(fabric, nic))


def stays(attachment: Attachment) -> bool:
    """Whether an address belongs to one card permanently, so that no leaf needs an update."""
    network, segment = attachment.network, attachment.segment
    own = segment is not None and bool(segment.host_prefixes)
    return network.by_mode.moves and network.per_rail and own


def _row(fabric: Fabric, nic: PodNic) -> Iterator[AddressStability]:
    network, segment = nic.attachment.network, nic.attachment.segment
    if fabric.type != "roce" or segment is None:
        return
    age = fabric.arp.timeout_seconds if fabric.arp is not None else None
    if nic.attachment.ipam is None:
        why = "the card of a host keeps the address it has there, whichever pod claims it"
        yield AddressStability(network=network.name, moves=False, why=why, announced_by=None, arp_age=age)
        return
    if stays(nic.attachment):
        why = "the link of one host and rail has its own addresses, by the host's id, and one card"
        yield AddressStability(network=network.name, moves=False, why=why, announced_by=None, arp_age=age)
        return
    script = network.by_routing.script if network.by_mode.moves else None
    yield AddressStability(
        network=network.name,
        moves=True,
        why=network.by_ipam.reuse,
        announced_by=script or network.by_mode.announced_by,
        arp_age=age,
    )
