"""``rails.gateway_owner``: what has the gateways of the rails."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from netplan.importing.facts import Site, place
from netplan.importing.networks import SeenSubnet
from netplan.importing.text import Entry, todo
from netplan.model.ranges import gathered
from netplan.model.values import natural, parse_address, parse_network


def with_leaf(site: Site, subnet: SeenSubnet, leaves: Sequence[str]) -> SeenSubnet:
    """The subnet of a pool with the one leaf of its rail that has the gateway on any VLAN interface, as for
    ports in a LAG, which do not show the rail's VLAN."""
    address = f"{subnet.gateway}/{subnet.network.prefixlen}"
    svis = [of for of in site.every("svi") if of[0] in leaves and site.said("svi", of, f"address/{address}")]
    return replace(subnet, leaf=svis[0][0]) if len(svis) == 1 else subnet


def gateway_owner(
    site: Site, seen: Iterable[SeenSubnet], leaves: Mapping[int, Sequence[str]]
) -> dict[str, Entry]:
    """What has the gateways, if it is not a leaf; only configurations show that no VLAN interface does."""
    gateways = [subnet for subnet in seen if subnet.gateway]
    if not leaves or not gateways or any(subnet.leaf for subnet in gateways):
        return {}
    read = {
        of[0]
        for of in site.every("port")
        if site.said("port", of, "access") or site.said("port", of, "tagged")
    }
    read |= {of[0] for of in site.every("svi")}
    unread = sorted({leaf for mine in leaves.values() for leaf in mine} - read, key=natural)
    if unread:
        where = f"no VLANs of {gathered(unread)} are in the dumps; {place(gateways[0].said.at)}"
        return {"gateway_owner": todo("leaf or external", where)}
    beside = next(_beside(site, gateways), "")
    if beside:
        return {"gateway_owner": todo("leaf or external", beside)}
    return {"gateway_owner": Entry("external", "no VLAN interface of a switch has the gateways")}


def _beside(site: Site, gateways: Iterable[SeenSubnet]) -> Iterator[str]:
    """VLAN interfaces in the subnets of the gateways."""
    addresses = [address for s in gateways if (address := parse_address(s.gateway)) is not None]
    for of in site.every("svi"):
        for text, said in site.prefixed("svi", of, "address/"):
            network = parse_network(text)
            if network is not None and any(address in network.cidr for address in addresses):
                yield f"{of[0]} has {text} on VLAN {of[1]}, {place(said.at)}"
