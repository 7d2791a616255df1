"""BGP sessions over cables of which the two ends say different things."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from netaddr import IPAddress, IPNetwork

from netplan.importing.cabling import SWITCH, Cable, is_listed
from netplan.importing.facts import Contradiction, Kind, Of, Remark, Said, Site, first_faults, place
from netplan.importing.switch_lags import BUNDLE
from netplan.model.values import parse_address, parse_network
from netplan.report import few

_SHOWN = 4
_OUTSIDE = "a BGP session beyond the networks of the switch, and an inventory has those of its links"
_OVER_LAG = "a BGP session over a LAG, and an inventory has those of single links"
_INTERFACES: tuple[Kind, ...] = ("port", "svi")


def session_clashes(site: Site, cables: Iterable[Cable]) -> Iterator[Contradiction]:
    """An end that expects another AS number than the other switch has, and a session that one end alone has;
    the first of each kind."""
    every = _clashes(site, [cable for cable in cables if cable.kind == SWITCH])
    yield from first_faults((kind, why) for kind, _, why in every)


def underlay_faults(
    site: Site, cables: Iterable[Cable], roles: Mapping[str, str]
) -> dict[str, Contradiction]:
    """Key of ``underlay`` -> the first contradiction about its value, with the number of the others."""
    between = [cable for cable in cables if cable.kind == SWITCH]
    found: dict[str, list[str]] = {}
    for kind, far, why in _clashes(site, between):
        found.setdefault("uplinks" if kind == "session" else f"{roles.get(far)}_asn", []).append(why)
    for _, why in _apart(site, between):
        found.setdefault("uplinks", []).append(why)
    return {key: Contradiction(whys[0], len(whys) - 1) for key, whys in found.items()}


def link_clashes(site: Site, cables: Iterable[Cable]) -> Iterator[Contradiction]:
    """Cables between switches with ends in two networks, or of which one end alone has an address; the first
    of each kind."""
    yield from first_faults(_apart(site, [cable for cable in cables if cable.kind == SWITCH]))


def outside_sessions(site: Site) -> Iterator[Remark]:
    """Neighbours in no network of their switch's interfaces, such as firewalls some hops away, that are no
    switch of the dumps; those of a switch are one line."""
    own = {site.text("switch", of, "loopback") for of in site.every("switch")}
    networks = _by_switch(site)
    for of in (of for of in site.every("switch") if of in networks):
        far: dict[str, list[tuple[str, Said]]] = {}
        for text, said in site.prefixed("switch", of, "neighbour/"):
            address = parse_address(text)
            if address is None or text in own or address.is_link_local():
                continue
            if why := _beyond(address, networks[of]):
                far.setdefault(why, []).append((f"{text} with AS {said.value}", said))
        for why, found in far.items():
            what = f"{of[0]} neighbour {few([each for each, _ in found], _SHOWN)}: {why}"
            yield Remark(found[0][1].at, what, alike=why)


def _beyond(address: IPAddress, networks: Iterable[tuple[IPNetwork, bool]]) -> str:
    """Why it is no neighbour on a link; empty if it is one."""
    on = {bundled for network, bundled in networks if address in network}
    return "" if False in on else _OVER_LAG if on else _OUTSIDE


def _by_switch(site: Site) -> dict[Of, list[tuple[IPNetwork, bool]]]:
    """Networks of its ports and VLAN interfaces, and whether they are on a bundle of ports."""
    found: dict[Of, list[tuple[IPNetwork, bool]]] = {}
    for kind in _INTERFACES:
        for of in site.every(kind):
            for _, said in site.prefixed(kind, of, "address/"):
                if (network := parse_network(str(said.value))) is not None:
                    bundled = kind == "port" and BUNDLE.fullmatch(of[1]) is not None
                    found.setdefault(of[:1], []).append((network.cidr, bundled))
    return found


def _apart(site: Site, cables: Iterable[Cable]) -> Iterator[tuple[object, str]]:
    pairs = {tuple(sorted(((c.switch, c.port), c.far))): None for c in cables if c.doubt is None}
    routing = {of[0] for pair in pairs for of in pair if _stated(site, of)}
    for one, other in pairs:
        yield from _in_two_networks(site, one, other)
        for of, there in ((one, other), (other, one)):
            own = _stated(site, there)
            if own and not _stated(site, of) and of[0] in routing and is_listed(site, of):
                at = place(next(iter(site.fields("port", of).values())).at)
                bare = f"{' '.join(of)}, the other end, has no address ({at})"
                yield "bare", f"{_told(there, next(iter(own.values())))}, {bare}"


def _in_two_networks(site: Site, one: Of, other: Of) -> Iterator[tuple[object, str]]:
    for version in (4, 6):
        near, far = (_stated(site, of).get(version, []) for of in (one, other))
        if near and far and {net for net, _ in near}.isdisjoint(net for net, _ in far):
            yield "apart", f"{_told(one, near)}, {_told(other, far)}, the other end"


def _told(of: Of, own: Sequence[tuple[IPNetwork, Said]]) -> str:
    return f"{' '.join(of)} has {own[0][1].value} ({place(own[0][1].at)})"


def _stated(site: Site, of: Of) -> dict[int, list[tuple[IPNetwork, Said]]]:
    """IP version -> networks of the port, without link-local ones, which every port has."""
    found: dict[int, list[tuple[IPNetwork, Said]]] = {}
    for _, said in site.prefixed("port", of, "address/"):
        network = parse_network(str(said.value))
        if network is not None and not network.is_link_local():
            found.setdefault(network.version, []).append((network.cidr, said))
    return found


def _clashes(site: Site, cables: Sequence[Cable]) -> Iterator[tuple[str, str, str]]:
    """Kind, the switch at the far end, and both places."""
    found = {(near, far): said for near, far, said in _sessions(site, cables)}
    speaking = {near[0] for near, _ in found}
    for (near, far), said in found.items():
        own = site.said("switch", far[:1], "asn")
        if own is not None and isinstance(said.value, int) and own.value != said.value:
            here = f"{near[0]} expects AS {said.value} of {' '.join(far)} ({place(said.at)})"
            yield "asn", far[0], f"{here}, {far[0]} has AS {own.value} ({place(own.at)})"
        if (far, near) not in found and far[0] in speaking:
            here = f"{near[0]} has a BGP session with {' '.join(far)} ({place(said.at)})"
            yield "session", far[0], f"{here}, {far[0]} has none"


def _sessions(site: Site, cables: Iterable[Cable]) -> Iterator[tuple[Of, Of, Said]]:
    """Near and far port of each cable whose near end has the far address as a neighbour."""
    seen = set[tuple[Of, Of]]()
    for cable in cables:
        one = (cable.switch, cable.port)
        for near, far in ((one, cable.far), (cable.far, one)):
            if (near, far) in seen or cable.doubt is not None:
                continue
            seen.add((near, far))
            for address in _addresses(site, far):
                said = site.said("switch", near[:1], f"neighbour/{address}")
                if said is not None and any(address in network for network in _networks(site, near)):
                    yield near, far, said


def _addresses(site: Site, of: Of) -> Iterator[IPAddress]:
    for _, said in site.prefixed("port", of, "address/"):
        if (address := parse_address(str(said.value).partition("/")[0])) is not None:
            yield address


def _networks(site: Site, of: Of) -> list[IPNetwork]:
    return [IPNetwork(str(said.value)) for _, said in site.prefixed("port", of, "address/")]
