"""Prefixes that resources have on the nodes: what the device plugin of an SR-IOV operator gives them.

The chart of a stand-alone operator has openshift.io unless it is told otherwise, that of the Network Operator
nvidia.com (``operator.resourcePrefix``: k8snetworkplumbingwg/sriov-network-operator 249e2001
deployment/sriov-network-operator-chart/values.yaml, Mellanox/network-operator b06827e0
deployment/network-operator/values.yaml).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from netplan.importing.cards import Card
from netplan.importing.facts import Remark, Said, Site, not_taken
from netplan.importing.operator_namespaces import runs_network_operator, stands_alone
from netplan.importing.text import Entry, told

CAPACITY = "capacity/"
"""Begin of a field of a node: a resource that it has."""
_NETWORK_OPERATOR, _STAND_ALONE = "nvidia.com", "openshift.io"


def own_prefix(site: Site, cards: Iterable[Card]) -> Mapping[str, Entry]:
    """``resource_prefix`` of a stand-alone operator, where the nodes show another one than its chart has."""
    found = prefixes(site, cards)
    if len(found) != 1 or _STAND_ALONE in found:
        return {}
    return {"resource_prefix": told(next(iter(found.values())))}


def other_prefixes(site: Site, cards: Iterable[Card]) -> Iterator[Remark]:
    """Of the Network Operator's own SR-IOV operator, whose prefix no key has."""
    if not runs_network_operator(site) or stands_alone(site):
        return
    for prefix, said in prefixes(site, cards).items():
        if prefix != _NETWORK_OPERATOR:
            why = f"those of the Network Operator have {_NETWORK_OPERATOR} in an inventory"
            yield not_taken(said.at, "prefix of resources", prefix, why)


def prefixes(site: Site, cards: Iterable[Card]) -> dict[str, Said]:
    """Prefix -> where a node has a resource of policies with it."""
    names = {of[0] for of in site.every("resource") if site.said("resource", of, "policy") is not None}
    names &= {name for card in cards for name in card.resources}
    found: dict[str, Said] = {}
    for of in site.every("node") if names else ():
        for name, said in site.prefixed("node", of, CAPACITY):
            prefix, _, resource = name.rpartition("/")
            if resource in names:
                found.setdefault(prefix, Said(prefix, said.at))
    return found
