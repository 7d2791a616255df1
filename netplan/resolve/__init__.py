"""Document -> Fabric: fill in defaults, expand ranges, resolve names to objects, parse strings into types."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any, NamedTuple

from netplan.diagnostics import Diagnostic, Path
from netplan.model.codes import Problems
from netplan.model.fabric import Fabric
from netplan.model.hardware import HcaModel, SwitchModel
from netplan.model.inventory_schema import inventory_schema
from netplan.model.operator_releases import OperatorReleases
from netplan.resolve.cluster import build_arp, build_cluster, build_qos
from netplan.resolve.context import Context
from netplan.resolve.defaults import RANGED
from netplan.resolve.hosts import build_host_types, build_hosts
from netplan.resolve.left_out import left_out
from netplan.resolve.links import build_links
from netplan.resolve.networks import build_acceptances, build_networks, build_workloads
from netplan.resolve.prune import Pruned, prune
from netplan.resolve.segments import build_rails, build_subnets, build_underlay, build_vlans
from netplan.resolve.switches import build_switch_types, build_switches
from netplan.strict import fill


class Resolved(NamedTuple):
    """``left_out``: places of entities that the fabric lacks or holds differently from the inventory.

    ``unknown``: fields of the fabric whose inventory sections are wrong; their values are stand-ins.
    """

    fabric: Fabric
    problems: list[Diagnostic]
    left_out: frozenset[Path]
    unknown: frozenset[str]


def resolve(
    data: Mapping[str, Any],
    hca_models: Mapping[str, HcaModel],
    switch_models: Mapping[str, SwitchModel],
    nos_names: Collection[str],
    operators: OperatorReleases,
    wrong: Collection[Path] = (),
) -> Resolved:
    """Resolve a document. ``wrong``: places that the schema rejected.

    Reports unknown references, ranges that do not expand or pair, malformed addresses, and values still
    missing after merging. The fabric contains every sound entity; an unsound one only if others depend on it.
    """
    pruned = prune(data, wrong) if wrong else Pruned(data, frozenset(), frozenset())
    refused = set(pruned.refused)
    tree = fill(pruned.data, inventory_schema(), RANGED)
    context = Context(Problems(), hca_models, switch_models, nos_names, operators, refused=refused)
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
    networks = build_networks(tree.get("networks", {}), host_types, subnets, qos, rails, context)
    workloads = build_workloads(tree.get("workloads", {}), hosts, host_types, networks, qos, context)
    arp = build_arp(fabric["arp"]) if "arp" in fabric else None
    resolved = Fabric(
        site=tree["site"],
        name=fabric.get("name"),
        cluster=cluster,
        type=fabric["type"],
        mtu=fabric["mtu"],
        cross_rail=fabric["cross_rail"],
        adaptive_routing=fabric["adaptive_routing"],
        qos=qos,
        arp=arp,
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
        accept=build_acceptances(tree.get("accept", []), pruned.refused),
    )
    problems = context.problems.found
    return Resolved(resolved, problems, left_out(context), pruned.unknown | _wrong_sections(problems))


def _wrong_sections(problems: Iterable[Diagnostic]) -> frozenset[str]:
    """Single-entity sections with a problem that no stand-in value covers."""
    return frozenset(str(d.path[0]) for d in problems if d.path[0] in _SINGLE and not _stood_in(d))


_SINGLE = frozenset({"cluster", "underlay", "rails"})


def _stood_in(problem: Diagnostic) -> bool:
    """Whether the value is replaced by a usable one: a network by itself without host bits, VLAN IDs by those
    counted on from the first. Rails without a network each have none."""
    return problem.code == "NP202" or problem.path == ("rails", "vlan_ids")
