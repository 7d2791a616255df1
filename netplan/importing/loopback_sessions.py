"""BGP sessions between the loopbacks of switches, in place of those between the ports of their links: an
inventory has the latter alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from netplan.importing.facts import Said, Site, place
from netplan.importing.text import INEXPRESSIBLE, Entry, listed, todo
from netplan.model.values import parse_address, parse_network

_WAY_OUT = "or remove underlay and the links between switches, and keep their routing as it is by hand"


def loopback_sessions(site: Site, switches: Iterable[str], range_: str) -> Mapping[str, Entry]:
    """``uplinks`` as a question. ``range_``: the one that would be written. A switch with sessions on its
    ports has others for an overlay, such as EVPN."""
    seen = [(name, address, said) for name in switches for address, said in _alone(site, name)]
    if not seen:
        return {}
    why = f"{INEXPRESSIBLE}: BGP sessions between loopbacks, netplan has one on each uplink"
    why += f"; state {range_}, {_WAY_OUT}"
    told = listed(f"{name} neighbour {address} ({place(said.at)})" for name, address, said in seen)
    return {"uplinks": todo(why, told)}


def _alone(site: Site, switch: str) -> Iterator[tuple[str, Said]]:
    """The neighbours that are loopbacks of other switches; none where others are in networks of ports."""
    loopbacks = {site.text("switch", of, "loopback") for of in site.every("switch") if of[0] != switch}
    sessions = dict(site.prefixed("switch", (switch,), "neighbour/"))
    networks = [
        network.cidr
        for of in site.every("port")
        for _, said in (site.prefixed("port", of, "address/") if of[0] == switch else ())
        if (network := parse_network(str(said.value))) is not None
    ]
    addresses = [address for text in sessions if (address := parse_address(text)) is not None]
    if not any(address in network for address in addresses for network in networks):
        yield from ((text, said) for text, said in sessions.items() if text in loopbacks)
