"""Document -> Fabric: defaults filled in, ranges expanded, names turned into objects and texts into types."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from netplan.diagnostics import Diagnostic
from netplan.model.codes import Problems
from netplan.model.fabric import Fabric
from netplan.model.hardware import HcaModel, SwitchModel
from netplan.model.inventory_schema import inventory_schema
from netplan.model.operator_releases import OperatorReleases
from netplan.resolve.cluster import build_arp, build_cluster, build_qos
from netplan.resolve.context import Context
from netplan.resolve.defaults import fill
from netplan.resolve.hosts import build_host_types, build_hosts
from netplan.resolve.links import build_links
from netplan.resolve.networks import build_acceptances, build_networks, build_workloads
from netplan.resolve.segments import build_rails, build_subnets, build_underlay, build_vlans
from netplan.resolve.switches import build_switch_types, build_switches


def resolve(
    data: Mapping[str, Any],
    hca_models: Mapping[str, HcaModel],
    switch_models: Mapping[str, SwitchModel],
    nos_names: Collection[str],
    operators: OperatorReleases,
) -> tuple[Fabric | None, list[Diagnostic]]:
    """Resolve a document that the schema accepted.

    Returns the Fabric, or None with every problem found: unknown references, ranges that do not expand or
    pair, texts that are no addresses, values missing after merging.
    """
    tree = fill(data, inventory_schema())
    context = Context(Problems(), hca_models, switch_models, nos_names, operators)
    cluster = build_cluster(tree["cluster"], context)
    fabric = tree["fabric"]
    qos = build_qos(fabric["qos"], context) if "qos" in fabric else None
    vlans = build_vlans(tree.get("vlans", {}))
    subnets = build_subnets(tree.get("subnets", {}), vlans, context)
    rails = build_rails(tree["rails"], context) if "rails" in tree else None
    underlay = build_underlay(tree["underlay"], context) if "underlay" in tree else None
    host_types = build_host_types(tree["host_types"], fabric["type"], tree.get("catalog", {}), context)
    hosts = build_hosts(tree["hosts"], host_types, context)
    switch_types = build_switch_types(tree.get("switch_types", {}), tree.get("catalog", {}), context)
    switches = build_switches(tree.get("switches", {}), switch_types, context)
    host_links, switch_links = build_links(tree.get("links", []), hosts, switches, context)
    networks = build_networks(tree.get("networks", {}), host_types, subnets, qos, context)
    workloads = build_workloads(tree.get("workloads", {}), hosts, host_types, networks, qos, context)
    if context.problems.found:
        return None, context.problems.found
    return Fabric(
        site=tree["site"],
        cluster=cluster,
        type=fabric["type"],
        mtu=fabric["mtu"],
        cross_rail=fabric["cross_rail"],
        adaptive_routing=fabric["adaptive_routing"],
        qos=qos,
        arp=build_arp(fabric["arp"]) if "arp" in fabric else None,
        partition=fabric.get("partition"),
        underlay=underlay,
        rails=rails,
        vlans=tuple(vlans.values()),
        subnets=tuple(subnets.values()),
        host_types=tuple(host_types.values()),
        hosts=tuple(hosts.values()),
        switches=tuple(switches.values()),
        host_links=host_links,
        switch_links=switch_links,
        networks=tuple(networks.values()),
        workloads=workloads,
        accept=build_acceptances(tree.get("accept", [])),
    ), []
