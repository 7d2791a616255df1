"""Networks of the dumps that are no rails': the range of the rails must not contain them (NP205)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from netaddr import IPNetwork

from netplan.importing.facts import Site
from netplan.importing.networks import NetworkRow, subnet_of_pool
from netplan.model.values import parse_network


def networks_beside(site: Site, rows: Iterable[NetworkRow]) -> list[IPNetwork]:
    """Subnets of networks on no rail, ranges of pods and Services, loopbacks, and links of routed ports."""
    found = [*_texts(site)]
    for row in rows:
        seen = [subnet_of_pool(site, pool) for part in row.parts for pool in part.pools if not row.rails]
        found += [str(each[0]) for each in seen if each is not None]
    networks = (parse_network(text) for text in dict.fromkeys(found))
    return [network.cidr for network in networks if network is not None]


def _texts(site: Site) -> Iterator[str]:
    for name in ("pod_cidr", "service_cidr"):
        yield site.text("cluster", (), name)
    for of in site.every("switch"):
        if loopback := site.text("switch", of, "loopback"):
            yield loopback if "/" in loopback else f"{loopback}/{128 if ':' in loopback else 32}"
    for of in site.every("port"):
        yield from (text for text, _ in site.prefixed("port", of, "address/"))
