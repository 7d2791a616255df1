"""Where the pods of a job are. A network with a subnet for each leaf is another object on each, so that its
pods are those of one leaf group (NP601), and the hosts of a workload those of that group."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from netplan.importing.cards import Card
from netplan.importing.facts import Said, Site, place, texts_in
from netplan.importing.hosts import HostKind
from netplan.importing.networks import FoundNetwork, NetworkRow, subnet_of_pool
from netplan.model.folding import folded
from netplan.model.values import natural, parse_network

Group = frozenset[tuple[int, str]]
"""Rails with the leaves that they end on."""


@dataclass(frozen=True, slots=True)
class Places:
    """``groups``: node -> its leaf group, for those with a cabled rail. ``of_leaf``: networks with an object
    for each leaf. ``owners``: subnet -> leaves with an interface in it."""

    groups: Mapping[str, Group]
    of_leaf: frozenset[str]
    owners: Mapping[str, frozenset[str]]

    def group_of(self, networks: Iterable[str], node: str) -> Group | None:
        """None where the pod may be on any of them."""
        return self.groups.get(node) if self.of_leaf.intersection(networks) else None

    def hosts(self, kinds: Iterable[HostKind], nodes: Iterable[str], group: Group | None) -> tuple[str, ...]:
        """Host types of the nodes; where hosts of a type are in other groups, those of this one."""
        wanted, found = {*nodes}, list[str]()
        for kind in kinds:
            if wanted.isdisjoint(kind.nodes):
                continue
            own = [node for node in kind.nodes if group is None or self.groups.get(node, group) == group]
            whole = len(own) == len(kind.nodes)
            found += [kind.name] if whole else _ranges(own)
        return tuple(found)

    def elsewhere(self, site: Site, part: FoundNetwork, node: str) -> str:
        """Why the network of one rail is not one of the node's leaf; empty if it may be."""
        leaf = next((leaf for rail, leaf in self.groups.get(node, ()) if rail == part.rail), "")
        for pool in part.pools if leaf else ():
            seen = subnet_of_pool(site, pool)
            owners = self.owners.get(str(seen[0]), frozenset()) if seen is not None else frozenset()
            if owners and leaf not in owners:
                whose = f"is that of {min(owners, key=natural)} ({place(part.fields['mode'].at)})"
                return f"network {part.of[1]} {whose}, and {node} is on {leaf}"
        return ""


def places_of(site: Site, rows: Sequence[NetworkRow], cards: Iterable[Card]) -> Places:
    ends: dict[str, set[tuple[int, str]]] = {}
    for card in cards:
        port = site.said("card", card.of, "port")
        if card.rail is not None and port is not None and len(texts_in(port.value)) == 2:
            ends.setdefault(card.node, set()).add((card.rail, texts_in(port.value)[0]))
    owners: dict[str, set[str]] = {}
    for of in site.every("svi"):
        for text, _ in site.prefixed("svi", of, "address/"):
            if (network := parse_network(text)) is not None:
                owners.setdefault(str(network.cidr), set()).add(of[0])
    leaves: dict[int, set[str]] = {}
    for rail, leaf in (end for own in ends.values() for end in own):
        leaves.setdefault(rail, set()).add(leaf)
    whole = {subnet: frozenset(own) for subnet, own in owners.items()}
    of_leaf = frozenset(row.name for row in rows if _is_of_leaf(site, row, leaves, whole))
    return Places({node: frozenset(own) for node, own in ends.items()}, of_leaf, whole)


def _is_of_leaf(
    site: Site, row: NetworkRow, leaves: Mapping[int, set[str]], owners: Mapping[str, frozenset[str]]
) -> bool:
    """One with several objects on a rail, or whose subnet is one of some of the rail's leaves alone."""
    objects = [(part.of[0], part.rail) for part in row.parts if part.rail is not None]
    if len({*objects}) < len(objects):
        return True
    for part in row.parts:
        for pool in part.pools if part.rail is not None else ():
            seen = subnet_of_pool(site, pool)
            own = owners.get(str(seen[0]), frozenset()) if seen is not None else frozenset()
            if own and leaves.get(part.rail or 0, set()) - own:
                return True
    return False


def _ranges(nodes: Iterable[str]) -> list[str]:
    return [each.texts[0] for each in folded(("", (node,)) for node in sorted(nodes, key=natural))]


def by_group(
    nodes: Mapping[str, Said],
    networks: Mapping[str, Sequence[str]],
    objects: Mapping[str, object],
    own: Places,
) -> Iterator[tuple[Group | None, list[str]]]:
    """The pods of each leaf group: ``nodes`` of pods, ``networks`` of the inventory, ``objects`` they ask
    for. One without a node goes to those with the same objects."""
    groups = {pod: own.group_of(networks[pod], str(said.value)) for pod, said in nodes.items()}
    alike = {objects[pod]: group for pod, group in reversed(groups.items())}
    found: dict[Group | None, list[str]] = {}
    for pod in networks:
        group = groups[pod] if pod in groups else alike.get(objects[pod])
        found.setdefault(group, []).append(pod)
    yield from found.items()
