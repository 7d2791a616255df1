"""BGP sessions over the links of a switch, by the addresses of their ports."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from netaddr import IPNetwork

from netplan.importing.cabling import Cable
from netplan.importing.facts import Said, Site
from netplan.model.values import parse_address, parse_network


def addresses_of(site: Site, cable: Cable) -> list[tuple[str, Said]]:
    """Of the near port, without link-local ones, which every port has."""
    found = (
        (str(said.value), said) for _, said in site.prefixed("port", (cable.switch, cable.port), "address/")
    )
    return [(text, said) for text, said in found if (ip := parse_network(text)) and not ip.is_link_local()]


def expected_asns(site: Site, cables: Iterable[Cable]) -> Iterator[tuple[str, Said]]:
    """Switches at the far end of cables, with the AS number that the near one expects there."""
    for cable in cables:
        networks = [IPNetwork(text) for text, _ in addresses_of(site, cable)]
        for far, said in site.prefixed("switch", (cable.switch,), "neighbour/"):
            address = parse_address(far)
            if address is not None and any(address in network for network in networks):
                yield cable.far[0], said
