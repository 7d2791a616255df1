"""Links that routed ports show: both ends of one /31 or /127, between switches or to the card of a host, and
what a switch states about the BGP neighbour behind its end."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from netaddr import IPAddress, IPNetwork

from netplan.importing.cabling import CARD, SWITCH, Cable, is_listed, is_management
from netplan.importing.facts import Fact, Of, Remark, Said, Site, not_taken, place
from netplan.importing.switch_lags import BUNDLE, single_members
from netplan.importing.switches import link_network
from netplan.model.values import natural, parse_address, parse_network

ROUTED = "routed"
"""Field of a port whose cable follows from its network alone."""
_NO_PORT = re.compile(r"(?:port-?channel|bond|ae|lo|loopback|vlan|eth-trunk)\d.*|.*\.\d+", re.IGNORECASE)
"""Bundles, loopbacks and subinterfaces: no place for a cable."""


@dataclass(frozen=True, slots=True)
class _End:
    of: Of
    address: IPAddress
    said: Said
    kind: str = SWITCH


def routed_facts(site: Site) -> Iterator[Fact | Remark]:
    """Cables between two ports, or a port and a card, that are the ends of one network, their own or that of
    a LAG with this port alone, where no neighbour table or record has either; not where an end expects
    another AS number, unless the other end expects its own: then they contradict each other
    (``sessions``)."""
    for network, (one, *others) in _ends(site).items():
        if len(others) != 1 or one.of[0] == others[0].of[0] or one.address == others[0].address:
            continue
        other = others[0]
        if CARD in (one.kind, other.kind):
            port, card = sorted((one, other), key=lambda end: end.kind == CARD)
            yield from _to_card(site, port, card, str(network))
            continue
        if any(has_neighbour(site, end.of) for end in (one, other)):
            continue
        odd = _other_number(site, one, other) or _other_number(site, other, one)
        if odd and not (_expects(site, one, other) or _expects(site, other, one)):
            what = f"{' '.join(one.of)} and {' '.join(other.of)} are the ends of {network}, but {odd}"
            yield Remark(one.said.at, f"{what}: not taken as a cable")
            continue
        yield from _cable(one, other, str(network))


def _ends(site: Site) -> dict[IPNetwork, list[_End]]:
    lags = single_members(site)
    found: dict[IPNetwork, list[_End]] = {}
    for of in site.every("port"):
        port = lags.get(of) if _NO_PORT.fullmatch(of[1]) else of
        for version in (4, 6) if port is not None and is_listed(site, port) else ():
            network = link_network(site, of[0], of[1], version)
            if network is not None and port is not None:
                found.setdefault(network, []).append(replace(_end(site, of, network), of=port))
    for end, link in _card_ends(site):
        found.setdefault(link, []).append(end)
    return found


def _card_ends(site: Site) -> Iterator[tuple[_End, IPNetwork]]:
    for of in site.every("card"):
        for text, said in site.prefixed("card", of, "address/"):
            ip, link = parse_address(text), parse_network(f"{text}/{said.value}")
            if ip is not None and link is not None and link.prefixlen == (31 if ip.version == 4 else 127):
                yield _End(of, ip, said, CARD), link.cidr


def _to_card(site: Site, port: _End, card: _End, network: str) -> Iterator[Fact]:
    """Only where neither has a cable, and where the other end is a port."""
    stated = site.said("card", card.of, "port") or site.conflict("card", card.of, "port")
    if port.kind == SWITCH and not stated and not has_neighbour(site, port.of):
        yield Fact("port", port.of, "peer", (CARD, *card.of), port.said.at)
        yield Fact("port", port.of, ROUTED, network, port.said.at)
        yield Fact("card", card.of, "port", port.of, card.said.at)


def lone_ends(site: Site, cables: Iterable[Cable]) -> Iterator[Remark]:
    """Routed ports behind which no dump shows anything, of switches whose other cables are known: an
    inventory has addresses of links alone."""
    every = list(cables)
    ends = {(cable.switch, cable.port) for cable in every} | {
        cable.far for cable in every if cable.kind == SWITCH
    }
    known = {cable.switch for cable in every}
    why = "no dump has the other end, and an inventory has the addresses of its links alone"
    for of in site.every("port"):
        if len(of) == 2 and of[0] in known and of not in ends and not _NO_PORT.fullmatch(of[1]):
            for text, said in site.prefixed("port", of, "address/"):
                if not is_management(of[1]):
                    yield replace(
                        not_taken(said.at, f"address of {' '.join(of)}", text, why), alike=f"lone {of[0]}"
                    )


def _end(site: Site, of: Of, network: IPNetwork) -> _End:
    said = next(
        said
        for _, said in site.prefixed("port", of, "address/")
        if IPNetwork(str(said.value)).cidr == network
    )
    return _End(of, IPAddress(str(said.value).partition("/")[0]), said)


def has_neighbour(site: Site, of: Of) -> bool:
    """Or a neighbour that is none of the dumps' switches."""
    return any(site.said("port", of, field) for field in ("peer", "hears")) or bool(
        site.conflict("port", of, "peer")
    )


def _other_number(site: Site, near: _End, far: _End) -> str:
    expected = site.said("switch", near.of[:1], f"neighbour/{far.address}")
    own = site.said("switch", far.of[:1], "asn")
    if expected is None or own is None or expected.value == own.value:
        return ""
    there = f"{far.of[0]} has {own.value} ({place(own.at)})"
    return f"{near.of[0]} expects AS number {expected.value} ({place(expected.at)}), {there}"


def _expects(site: Site, near: _End, far: _End) -> bool:
    """Whether the near end has a session with the far one, by its address and AS number."""
    expected = site.said("switch", near.of[:1], f"neighbour/{far.address}")
    own = site.said("switch", far.of[:1], "asn")
    return expected is not None and own is not None and expected.value == own.value


def _cable(one: _End, other: _End, network: str) -> Iterator[Fact]:
    for near, far in ((one, other), (other, one)):
        yield Fact("port", near.of, "peer", (SWITCH, *far.of), near.said.at)
        yield Fact("port", near.of, ROUTED, network, near.said.at)


def origin(site: Site, cable: Cable) -> str:
    """Where a cable is stated, and what it follows from where no neighbour table or record has it."""
    said = site.said("port", (cable.switch, cable.port), ROUTED)
    if said is None:
        return place(cable.said.at)
    far = site.said("port", cable.far, ROUTED)
    both = place(said.at) if far is None else f"{place(said.at)} and {place(far.at)}"
    return f"from the network {said.value} on both ports, in no neighbour table; {both}"


def routed_ports(site: Site, switches: Iterable[str]) -> list[str]:
    """Networks of routed ports that lead to no card, with the BGP neighbours in them: who, and which AS
    number."""
    names = {*switches}
    found = []
    for of in sorted(site.every("port"), key=lambda of: tuple(map(natural, of))):
        peer = site.said("port", of, "peer")
        to_card = peer is not None and isinstance(peer.value, tuple) and peer.value[0] == CARD
        if of[0] not in names or len(of) != 2 or to_card or BUNDLE.fullmatch(of[1]):
            continue
        for _, said in site.prefixed("port", of, "address/"):
            network = IPNetwork(str(said.value))
            if not network.is_link_local():
                found.append(f"{' '.join(of)} {said.value} ({place(said.at)}){_behind(site, of[0], network)}")
    return found


def _behind(site: Site, switch: str, network: IPNetwork) -> str:
    """The first BGP neighbour in the network; empty without one."""
    for far, said in site.prefixed("switch", (switch,), "neighbour/"):
        address = parse_address(far)
        if address is not None and address in network:
            name = site.text("switch", (switch,), f"neighbour-name/{far}")
            return f" to {f'{name} ' if name else ''}{far}, AS number {said.value} ({place(said.at)})"
    return ""
