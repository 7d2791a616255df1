"""Groups of hosts whose rails end on the same leaves, with the node labels that select them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable

from netplan.model.addresses import LeafGroup
from netplan.model.fabric import Fabric
from netplan.model.hardware import Host, Labels
from netplan.model.values import natural


def leaf_groups(fabric: Fabric) -> tuple[LeafGroup, ...]:
    """Groups in natural order of their leaves' names. A host without a cabled rail is in no group."""
    leaves: dict[str, set[tuple[int, str]]] = defaultdict(set)
    for link in fabric.host_links:
        if link.hca.rail is not None and link.hca.for_pods:
            leaves[link.host.name].add((link.hca.rail, link.switch.name))
    alike: dict[frozenset[tuple[int, str]], list[Host]] = defaultdict(list)
    for host in fabric.hosts:
        if host.name in leaves:
            alike[frozenset(leaves[host.name])].append(host)
    members = {
        tuple(sorted(ends, key=lambda end: (end[0], natural(end[1])))): hosts for ends, hosts in alike.items()
    }
    labelled = LabelSets(h for h in fabric.hosts if h.type.node)
    return tuple(
        LeafGroup(
            name=next(iter(dict.fromkeys(name for _, name in key))),
            leaves=key,
            hosts=tuple(hosts),
            selectors=labelled.selectors(hosts),
        )
        for key, hosts in sorted(members.items(), key=lambda item: [natural(name) for _, name in item[0]])
    )


class LabelSets:
    """Distinct label sets of the nodes with the number of nodes that carry each, indexed by label."""

    def __init__(self, nodes: Iterable[Host]) -> None:
        self._nodes: dict[tuple[str, str], dict[Labels, int]] = defaultdict(dict)
        for labels, count in Counter(h.all_labels for h in nodes).items():
            for label in labels:
                self._nodes[label][labels] = count

    def selectors(self, wanted: Iterable[Host]) -> tuple[tuple[str, Labels], ...]:
        """(host type, labels) for each type among the wanted nodes."""
        by_type: dict[str, list[Host]] = defaultdict(list)
        for host in wanted:
            if host.type.node:
                by_type[host.type.name].append(host)
        return tuple((name, self.selector(hosts)) for name, hosts in sorted(by_type.items()))

    def selector(self, wanted: list[Host]) -> Labels:
        """Labels that all wanted nodes carry and no other node has in full; empty if there is no such set.

        Node names are deliberately not used: a list of names would change with every added host.
        """
        sets = Counter(h.all_labels for h in wanted)
        common = set.intersection(*(set(labels) for labels in sets))
        if not common:
            return ()
        rarest = min((self._nodes.get(label, {}) for label in common), key=len)
        matching = {labels: n for labels, n in rarest.items() if common.issubset(labels)}
        return tuple(sorted(common)) if matching == sets else ()
