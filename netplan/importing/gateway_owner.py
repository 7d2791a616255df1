"""``rails.gateway_owner``: what has the gateways of the rails."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain

from netaddr import IPNetwork

from netplan.importing.facts import Contradiction, Of, Said, Site, first_faults, place
from netplan.importing.junos_gateways import OPEN_GATEWAY
from netplan.importing.networks import SeenSubnet
from netplan.importing.text import Entry, todo
from netplan.importing.virtual_gateways import shared_addresses
from netplan.model.ranges import gathered
from netplan.model.values import natural, parse_address, parse_network

DOWN = "down"
"""Field of a VLAN interface that is shut down."""


def with_leaves(
    site: Site, subnets: Iterable[SeenSubnet], leaves: Mapping[int, Sequence[str]]
) -> Iterator[SeenSubnet]:
    """Subnets of pools, each with the one leaf of its rail that has the gateway on any VLAN interface, as for
    ports in a LAG, which do not show the rail's VLAN."""
    owners: dict[str, list[str]] = {}
    for of in site.every("svi"):
        for address, _ in site.prefixed("svi", of, "address/"):
            owners.setdefault(address, []).append(of[0])
    for subnet in subnets:
        found = owners.get(f"{subnet.gateway}/{subnet.network.prefixlen}", ())
        mine = [leaf for leaf in found if leaf in leaves.get(subnet.rail, ())]
        yield replace(subnet, leaf=mine[0]) if len(mine) == 1 else subnet


def gateway_owner(
    site: Site, seen: Iterable[SeenSubnet], leaves: Mapping[int, Sequence[str]]
) -> dict[str, Entry]:
    """What has the gateways, if it is not a leaf; only configurations show that no VLAN interface does."""
    gateways = [subnet for subnet in seen if subnet.gateway]
    if not leaves or not gateways:
        return {}
    if shared := next(_shared(site, gateways), ""):
        return {"gateway_owner": todo("leaf or external", shared)}
    if down := next(_down(site, gateways), ""):
        return {"gateway_owner": todo("leaf or external", down)}
    if any(subnet.leaf for subnet in gateways):
        return {}
    if unread := sorted({leaf for mine in leaves.values() for leaf in mine} - _with_vlans(site), key=natural):
        where = f"no VLANs of {gathered(unread)} are in the dumps; {place(gateways[0].said.at)}"
        return {"gateway_owner": todo("leaf or external", where)}
    beside = next(chain(_of_groups(site, leaves), _beside(site, gateways)), "")
    if beside:
        return {"gateway_owner": todo("leaf or external", beside)}
    return {"gateway_owner": Entry("external", "no VLAN interface of a switch has the gateways")}


def _of_groups(site: Site, leaves: Mapping[int, Sequence[str]]) -> Iterator[str]:
    """Addresses of VLAN interfaces in configuration groups of Junos that are not read."""
    for leaf in sorted({leaf for mine in leaves.values() for leaf in mine}, key=natural):
        if (said := site.said("switch", (leaf,), OPEN_GATEWAY)) is not None:
            yield f"{leaf} has a group that is not read: {said.value} ({place(said.at)})"


def _with_vlans(site: Site) -> set[str]:
    """Switches whose VLANs were read."""
    ports = (of for of in site.every("port") for name in ("access", "tagged") if site.said("port", of, name))
    return {of[0] for of in (*ports, *site.every("svi"))}


def _shared(site: Site, gateways: Iterable[SeenSubnet]) -> Iterator[str]:
    """Gateways that VLAN interfaces have beside an address of their own: no inventory has both."""
    wanted = {address for s in gateways if (address := parse_address(s.gateway)) is not None}
    for of in site.every("svi"):
        texts = [text for text, _ in site.prefixed("svi", of, "address/")]
        own = {parse_address(text.partition("/")[0]) for text in texts}
        for address, said in shared_addresses(site, of).items():
            if address in wanted - own and texts:
                here, how = f"{of[0]} VLAN {of[1]} has {texts[0]}", f"{said.value}, {place(said.at)}"
                yield f"{here} and shares {address} ({how}): {_SHARED}"


def _down(site: Site, gateways: Iterable[SeenSubnet]) -> Iterator[str]:
    """Gateways on VLAN interfaces that are shut down, as beside a firewall that has them."""
    wanted = {subnet.gateway for subnet in gateways}
    for of in site.every("svi"):
        said = site.said("svi", of, DOWN)
        for text, at in site.prefixed("svi", of, "address/") if said is not None else ():
            if said is not None and text.partition("/")[0] in wanted:
                here = f"{of[0]} VLAN {of[1]} has {text} ({place(at.at)}) and is shut down ({place(said.at)})"
                yield f"{here}: leaf enables it"


_SHARED = "leaf replaces both by the gateway alone, external leaves interfaces and their networks to you"


def gateway_of(
    site: Site, svi: Of, text: str, network: IPNetwork, pools: Mapping[str, tuple[str, Said]]
) -> tuple[str, Said | None]:
    """The gateway in the network of an interface's address: that of the pool if the interface has it, else
    the one that it shares with other switches, else its own, with the place of another one."""
    own = text.partition("/")[0]
    shared = {
        str(address): said for address, said in shared_addresses(site, svi).items() if address in network
    }
    pool = str(pools[str(network.cidr)][1].value) if str(network.cidr) in pools else ""
    if pool == own or not shared:
        return own, None
    return (pool, shared[pool]) if pool in shared else next(iter(shared.items()))


def _beside(site: Site, gateways: Iterable[SeenSubnet]) -> Iterator[str]:
    """VLAN interfaces in the subnets of the gateways."""
    found = filter(None, (parse_address(subnet.gateway) for subnet in gateways))
    numbers = sorted((address.version, int(address)) for address in found)
    for of in site.every("svi"):
        for text, said in site.prefixed("svi", of, "address/"):
            network = parse_network(text)
            if network is not None:
                low, high = (network.version, network.first), (network.version, network.last)
                if bisect_left(numbers, low) < bisect_right(numbers, high):
                    yield f"{of[0]} has {text} on VLAN {of[1]}, {place(said.at)}"


def gateway_clashes(site: Site) -> Iterator[Contradiction]:
    """A VLAN interface that has the gateway of a pool in another network than the pool's, and a pool whose
    gateway none has beside one in its subnet; the first one."""
    yield from first_faults(_clashes(site))
    yield from first_faults(("gateways", why) for why in other_gateways(site).values())


def pool_gateways(site: Site) -> Mapping[str, tuple[str, Said]]:
    """Subnet -> the first pool that has it with a gateway, and that."""
    found: dict[str, tuple[str, Said]] = {}
    for of in site.every("pool"):
        subnet, said = parse_network(site.text("pool", of, "subnet")), site.said("pool", of, "gateway")
        if subnet is not None and said is not None and parse_address(str(said.value)) is not None:
            found.setdefault(str(subnet.cidr), (of[0], said))
    return found


def other_gateways(site: Site) -> Mapping[str, str]:
    """Subnet of a pool -> its gateway, and the VLAN interface there; where none in it has the gateway."""
    pools, own, first = pool_gateways(site), dict[str, set[str]](), dict[str, str]()
    for of in site.every("svi"):
        for text, said in site.prefixed("svi", of, "address/"):
            network = parse_network(text)
            if network is not None and (subnet := str(network.cidr)) in pools:
                own.setdefault(subnet, set()).add(text.partition("/")[0])
                own[subnet] |= {str(address) for address in shared_addresses(site, of)}
                first.setdefault(subnet, f"{of[0]} VLAN {of[1]} has {text} ({place(said.at)})")
    found: dict[str, str] = {}
    for subnet, here in first.items():
        pool, gateway = pools[subnet]
        if gateway.value not in own[subnet]:
            found[subnet] = f"{here}, pool {pool} gateway {gateway.value} ({place(gateway.at)})"
    return found


def _clashes(site: Site) -> Iterator[tuple[object, str]]:
    pools: dict[str, list[Of]] = {}
    for of in site.every("pool"):
        pools.setdefault(site.text("pool", of, "gateway"), []).append(of)
    for svi in site.every("svi"):
        for text, said in site.prefixed("svi", svi, "address/"):
            network = parse_network(text)
            for pool in pools.get(text.partition("/")[0], ()) if network is not None else ():
                own, stated = site.text("pool", pool, "subnet"), site.said("pool", pool, "subnet")
                subnet = parse_network(own)
                if network is None or subnet is None or stated is None or subnet.cidr == network.cidr:
                    continue
                here = f"{svi[0]} VLAN {svi[1]} has {text} ({place(said.at)})"
                yield (
                    "gateway",
                    f"{here}; pool {pool[0]}, whose gateway that is, has {own} ({place(stated.at)})",
                )
