"""Links that run slower than those of hosts of the same kind: a fault of the host, no kind of its own.

A port that is down states no speed. Both get the speed of the hosts like it, where at least twice as many
agree; ``port_clashes`` tells the slow ones.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from netplan.importing.cards import Card
from netplan.importing.facts import Said, Site
from netplan.importing.fits import KEYS, refusal
from netplan.importing.hosts import gpus_of
from netplan.importing.node_labels import labels_of, selector_of

_Speeds = tuple[int | None, ...]


def usual_speeds(site: Site, cards: Iterable[Card]) -> list[Card]:
    """The cards, those of a slow host with the speeds of the others. A host is as it is where a label is of
    such hosts alone, or the switch port is set to that speed."""
    cards = [*cards]
    found: dict[tuple[str, str], Said] = {}
    for nodes in _kinds(site, cards).values():
        found |= _of_kind(site, nodes)
    return [
        replace(card, fields={**card.fields, "speed_gbps": found[card.of]}) if card.of in found else card
        for card in cards
    ]


def _kinds(site: Site, cards: Iterable[Card]) -> dict[tuple[object, ...], dict[str, list[Card]]]:
    """Nodes with the same GPUs and models, each with its cards in the order of their addresses."""
    by_node: dict[str, list[Card]] = {}
    for card in sorted((card for card in cards if not card.virtual), key=lambda card: card.of):
        by_node.setdefault(card.node, []).append(card)
    found: dict[tuple[object, ...], dict[str, list[Card]]] = {}
    for node, mine in by_node.items():
        models = tuple((card.model, card.text("link")) for card in mine)
        found.setdefault((gpus_of(site, node), models), {})[node] = mine
    return found


def _of_kind(site: Site, nodes: Mapping[str, Sequence[Card]]) -> dict[tuple[str, str], Said]:
    """Card -> its speed in the hosts like it. Whether a host is slow is decided by the cards that most
    others have at another speed: a port that is down on all hosts decides nothing."""
    by_speed: dict[_Speeds, list[str]] = {}
    for node, mine in nodes.items():
        by_speed.setdefault(tuple(card.number("speed_gbps") for card in mine), []).append(node)
    usual, labels = _usual(by_speed), labels_of(site)
    found: dict[tuple[str, str], Said] = {}
    for speeds, names in by_speed.items():
        like = _like(by_speed, speeds, usual)
        few = _is_slow(speeds, usual) and 2 * len(names) <= len(like)
        labelled = len(names) > 1 and bool(selector_of(site, names, labels))
        for name in names if few and not labelled else ():
            found |= _raised(site, nodes[name], nodes[like[0]])
    return found


def _usual(by_speed: Mapping[_Speeds, Sequence[str]]) -> _Speeds:
    """Of each card the speed that most hosts have."""
    counts = [Counter[int]() for _ in next(iter(by_speed), ())]
    for speeds, names in by_speed.items():
        for count, speed in zip(counts, speeds, strict=True):
            count.update({speed: len(names)} if speed is not None else {})
    return tuple(count.most_common(1)[0][0] if count else None for count in counts)


def _like(by_speed: Mapping[_Speeds, Sequence[str]], speeds: _Speeds, usual: _Speeds) -> list[str]:
    """Hosts that have the usual speeds where these differ, and no other one elsewhere."""
    differ = {n for n, own in enumerate(speeds) if own != usual[n]}
    return [
        name
        for others, names in by_speed.items()
        if differ and all(o == usual[n] or (o is None and n not in differ) for n, o in enumerate(others))
        for name in names
    ]


def _is_slow(speeds: _Speeds, usual: _Speeds) -> bool:
    return all(own is None or own <= (most or 0) for own, most in zip(speeds, usual, strict=True))


def _raised(site: Site, cards: Sequence[Card], like: Sequence[Card]) -> dict[tuple[str, str], Said]:
    """Empty where a port of the switch is set to the lower speed."""
    slow = [
        (own, other)
        for own, other in zip(cards, like, strict=True)
        if own.number("speed_gbps") != other.number("speed_gbps") and "speed_gbps" in other.fields
    ]
    if any(_is_set(site, own) or site.conflict("card", own.of, "speed_gbps") for own, _ in slow):
        return {}
    return {(own.node, own.pci): other.fields["speed_gbps"] for own, other in slow}


def _is_set(site: Site, card: Card) -> bool:
    port, speed = site.listed("card", card.of, "port"), card.number("speed_gbps")
    return bool(port) and speed is not None and site.number("port", port, "speed") == speed * 1000


def speeds_of_ports(site: Site, cards: Iterable[Card]) -> list[Card]:
    """The cards, those without a speed with that of their switch port, which no source contradicts."""
    return [
        card
        if (said := _of_port(site, card)) is None
        else replace(card, fields={**card.fields, "speed_gbps": said})
        for card in cards
    ]


def _of_port(site: Site, card: Card) -> Said | None:
    port = site.listed("card", card.of, "port")
    if (
        "speed_gbps" in card.fields
        or card.virtual
        or not port
        or site.conflict("card", card.of, "speed_gbps")
    ):
        return None
    said = site.said("port", port, "speed")
    gbps = said.value // 1000 if said is not None and isinstance(said.value, int) else 0
    fits = said is not None and not refusal(KEYS["card", "speed_gbps"], gbps)
    return Said(gbps, said.at) if said is not None and fits else None


def speed_of_port(site: Site, card: Card) -> Said | None:
    """Its speed, where that is only the one of its switch port."""
    port, said = site.listed("card", card.of, "port"), card.fields.get("speed_gbps")
    stated = site.said("port", port, "speed") if port else None
    return said if said is not None and stated is not None and said.at == stated.at else None
