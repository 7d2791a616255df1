"""Spiderpool's address pools: one SpiderIPPool per segment and address family."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from netaddr import IPAddress

from netplan.model.addresses import AddressPlan, Segment
from netplan.model.fabric import Fabric
from netplan.model.hardware import Labels
from netplan.model.kubernetes import IpamRange, SpiderPool
from netplan.model.values import free_spans
from netplan.model.workloads import PodNic
from netplan.plan.attachments import SPIDERPOOL, Use
from netplan.plan.groups import LabelSets
from netplan.plan.pools import pool_names, ranges, segment_hosts, type_selectors

POOLS_ANNOTATION = "ipam.spidernet.io/ippools"
"""Annotation with the pools of each interface; it overrides the defaults of namespace and SpiderMultusConfig
(spidernet-io/spiderpool docs/reference/annotation.md)."""


def plan_spider_pools(fabric: Fabric, addresses: AddressPlan, used: Iterable[Use]) -> tuple[SpiderPool, ...]:
    """Pools per segment and address family, shared by the networks on the segment.

    A pool has no ``routes``: the coordinator would also leave them in table main, where the last rail's would
    win. Its gateway becomes the default route of the rail's table and so leads to all other rails.
    """
    types: dict[str, tuple[Segment, set[str]]] = {}
    for network, segment, carried in used:
        if network.ipam == SPIDERPOOL:
            found = types.setdefault(segment.name, (segment, set()))[1]
            found.update(c.host_type.name for c in carried)
    labels = LabelSets(h for h in fabric.hosts if h.type.node)
    return tuple(
        pool
        for segment, names in types.values()
        for pool in _pools(fabric, addresses, segment, names, labels)
    )


def _pools(
    fabric: Fabric, addresses: AddressPlan, segment: Segment, types: set[str], labels: LabelSets
) -> Iterator[SpiderPool]:
    hosts = segment_hosts(fabric, addresses, segment, types)
    by_leaf = tuple(found for _, found in labels.selectors(hosts))
    selectors = by_leaf if segment.leaf else type_selectors(hosts)
    for name, subnet, part in zip(
        pool_names(segment), segment.subnets, ranges(addresses, segment), strict=True
    ):
        yield SpiderPool(
            name=name,
            segment=segment,
            network=subnet.network,
            gateway=subnet.gateway,
            spans=_spans(part),
            selector=_one(selectors),
        )


def _spans(part: IpamRange) -> tuple[tuple[IPAddress, IPAddress], ...]:
    return tuple(free_spans(part.network, part.exclude))


def _one(selectors: tuple[Labels, ...]) -> Labels | None:
    """The only selector, else None: nodeAffinity is a single label selector and cannot express
    alternatives."""
    return selectors[0] if len(selectors) == 1 and selectors[0] else None


def pools_annotation(nics: Iterable[PodNic]) -> str:
    """JSON for ``POOLS_ANNOTATION``; empty if Spiderpool addresses no interface."""
    found = [
        {"interface": n.interface, "ipv4": list(n.attachment.ipam.pools)}
        for n in nics
        if n.attachment.ipam is not None and n.attachment.ipam.type == SPIDERPOOL
    ]
    return json.dumps(found, separators=(",", ":")) if found else ""
