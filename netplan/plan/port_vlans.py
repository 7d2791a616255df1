"""VLANs of every host port: just those that what is behind the port uses."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

from netplan.model.addresses import AddressPlan
from netplan.model.fabric import Fabric, Network
from netplan.model.hardware import HostLink
from netplan.model.switching import PortVlans
from netplan.plan.devices import VERBS_ONLY_MODES, carriers


def plan_port_vlans(fabric: Fabric, addresses: AddressPlan) -> Mapping[tuple[str, str], PortVlans]:
    """(switch, port) -> VLANs; ports of HCAs on no segment, and routed ones, are not in it."""
    users: dict[tuple[str, str], list[Network]] = defaultdict(list)
    for network in fabric.networks:
        for carrier in carriers(network, fabric):
            for hca in carrier.hcas:
                users[carrier.host_type.name, hca.name].append(network)
    out = {}
    for link in fabric.host_links:
        segment = addresses.port_segments.get((link.switch.name, link.port))
        if segment is not None and segment.vlan is not None:
            tagged, untagged = _tagging(link, users[link.host.type.name, link.hca.name])
            out[link.switch.name, link.port] = PortVlans(
                tagged=(segment.vlan,) if tagged else (), untagged=segment.vlan if untagged else None
            )
    return out


def _tagging(link: HostLink, networks: list[Network]) -> tuple[bool, bool]:
    """A VF that inserts the tag needs a trunk; whatever sends untagged needs an access port."""
    attached = [n for n in networks if n.mode not in VERBS_ONLY_MODES]
    own = link.host.hcas.get(link.hca.name)
    inserts = [n.mode == "sriov" and n.tagging == "vf" for n in attached]
    return any(inserts), not all(inserts) or not inserts or (own is not None and own.address is not None)
