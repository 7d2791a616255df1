"""Delivery of the files of ``hosts/`` to the hosts: sets of files, and labels that select the hosts of a
type."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping

from netplan.model.delivery import DeliveryPlan, HostFile, HostSet, TypeDelivery
from netplan.model.fabric import Fabric
from netplan.model.hardware import Host, HostType
from netplan.model.hosts import HostPlan
from netplan.plan.groups import LabelSets


def plan_delivery(fabric: Fabric, plans: tuple[HostPlan, ...]) -> DeliveryPlan | None:
    """None unless the inventory states a delivery method."""
    by = fabric.cluster.host_delivery
    if by is None or not by.ways:
        return None
    planned = {p.entity: p for p in plans}
    nodes = [h for h in fabric.hosts if h.type.node]
    hosts: dict[str, list[Host]] = defaultdict(list)
    for host in nodes:
        hosts[host.type.name].append(host)
    labels = LabelSets(nodes)
    groups = _groups(t.name for t in fabric.host_types)
    used = (t for t in fabric.host_types if hosts[t.name])
    types = (_type(t, groups[t.name], hosts[t.name], planned, labels) for t in used)
    return DeliveryPlan(by=by, types=tuple(t for t in types if t.files.files or t.own))


def _type(
    kind: HostType,
    group: str,
    hosts: list[Host],
    planned: Mapping[str, HostPlan],
    labels: LabelSets,
) -> TypeDelivery:
    entity = f"host_types.{kind.name}"
    common = _installed(planned.get(entity))
    own = []
    for host in hosts:
        files = _installed(planned.get(f"hosts.{host.name}"))
        if files:
            merged = {f.path: (p, f) for p, f in (*common, *files)}
            own.append(_set(host.name, kind.name, f"hosts.{host.name}", tuple(merged.values())))
    return TypeDelivery(
        files=_set(kind.name, kind.name, entity, common),
        group=group,
        hosts=tuple(h.name for h in hosts if h.named),
        own=tuple(own),
        selector=labels.selector(hosts),
    )


def _set(name: str, kind: str, entity: str, files: tuple[tuple[str, HostFile], ...]) -> HostSet:
    return HostSet(name=name, host_type=kind, entity=entity, files=files)


def _installed(plan: HostPlan | None) -> tuple[tuple[str, HostFile], ...]:
    """(path below ``hosts/``, file) for the files that have a destination on the host."""
    if plan is None:
        return ()
    return tuple((f"{plan.name}/{f.path}", f) for f in plan.files if f.destination is not None)


def _groups(types: Iterable[str]) -> dict[str, str]:
    """Ansible group of each host type. Group names have only letters, digits and underscores (Ansible user
    guide, inventory)."""
    found: dict[str, str] = {}
    for name in types:
        wanted = "netplan_" + re.sub(r"[^a-z0-9_]", "_", name.lower())
        while wanted in found.values():
            wanted += "_"
        found[name] = wanted
    return found
