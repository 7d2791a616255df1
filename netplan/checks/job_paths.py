"""NP668: reachability between the hosts of a job."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cached_property

from netplan.checks.reach import carried_families, switch_parts
from netplan.checks.registry import Finding, check
from netplan.checks.sriov import takes
from netplan.diagnostics import Path
from netplan.model.fabric import Network
from netplan.model.hardware import HostLink
from netplan.model.plan import Plan
from netplan.model.values import natural
from netplan.model.workloads import WorkloadPlan, collective_networks

Zones = Mapping[str, Mapping[str, HostLink]]
"""Host -> zone its cables reach -> one such cable. Hosts without a common zone cannot reach each other."""


class _Paths:
    """How far each cable of a job reaches. Not judged here: hosts on several leaf groups (NP601), leaves of
    rails without a path (NP620, NP621), subnets (NP315, NP321)."""

    def __init__(self, plan: Plan) -> None:
        self._plan, self._fabric = plan, plan.fabric
        self.links: dict[str, list[HostLink]] = defaultdict(list)
        for link in self._fabric.host_links:
            self.links[link.host.name].append(link)

    @cached_property
    def _parts(self) -> Mapping[str, str]:
        """Switch -> connected part of the switch network; empty if the inventory has no switch links."""
        links = self._fabric.switch_links
        return switch_parts(links, [s.name for s in self._fabric.switches]) if links else {}

    def bound(self, w: WorkloadPlan, network: Network) -> str:
        """What bounds a zone of the network: "link", "leaf" (also "leaf without links", "leaf without
        routes", "leaf of a family") or "part" of the switch network; "" if unknown."""
        routed = self._fabric.underlay is not None
        if network.per_rail:
            return self._bound_of_rails(w, routed)
        return "part" if self._parts and network.subnet is None else ""

    def _bound_of_rails(self, w: WorkloadPlan, routed: bool) -> str:
        rails = self._fabric.rails
        if rails is None or rails.segment == "stretched":
            return ""
        if rails.gateway == "none":
            by_leaf = "leaf" if not w.placement.unplaced else ""
            return "link" if rails.segment == "host" else by_leaf
        if rails.segment == "leaf":
            return ""
        if not routed:
            ends = {
                self._parts[k.switch.name] for k in self._fabric.host_links if k.switch.name in self._parts
            }
            return "leaf without routes" if len(ends) == 1 else ""
        if not self._parts:
            return "leaf without links"
        carried = set(rails.families) & carried_families(self._plan)
        return "" if carried else "leaf of a family"

    def zones(self, w: WorkloadPlan, network: Network, bound: str) -> Mapping[int | None, Zones]:
        """Zones by rail, or under None for a network that is not per rail; there, an HCA on a rail proves
        nothing, so its zone is ""."""
        found: dict[int | None, dict[str, dict[str, HostLink]]] = defaultdict(lambda: defaultdict(dict))
        taken = {t.name: {h.name for h in t.hcas if takes(network, t, h)} for t in w.workload.host_types}
        for host in w.workload.hosts if bound else ():
            for link in self.links.get(host.name, ()):
                if link.hca.name in taken[host.type.name]:
                    rail = link.hca.rail if network.per_rail else None
                    found[rail][host.name].setdefault(self._zone(link, network, bound), link)
        return found

    def _zone(self, link: HostLink, network: Network, bound: str) -> str:
        if not network.per_rail and link.hca.rail is not None and self._fabric.rails is not None:
            return ""
        if bound == "link":
            return link.host.name
        return self._parts[link.switch.name] if bound == "part" else link.switch.name


def apart(zones: Zones) -> tuple[HostLink, HostLink] | None:
    """Cables of two hosts that share no zone, or None. Hosts with an unknown zone ("") are not compared."""
    known = [host for host in sorted(zones, key=natural) if "" not in zones[host]]
    if len(known) < 2 or set.intersection(*(set(zones[host]) for host in known)):
        return None
    least = min(known, key=lambda host: len(zones[host]))
    other = next((host for host in known if zones[host].keys().isdisjoint(zones[least])), None)
    if other is None:
        return None
    one, two = (next(iter(zones[host].values())) for host in sorted((least, other), key=natural))
    return one, two


def _of_job(
    paths: _Paths, w: WorkloadPlan
) -> Iterator[tuple[Network, int | None, str, tuple[HostLink, HostLink]]]:
    """Every rail that does not connect the job's hosts; of the networks that are not per rail, the first one,
    if none of them connects the hosts."""
    beside = []
    for network in collective_networks(w.workload):
        bound = paths.bound(w, network)
        zones = paths.zones(w, network, bound)
        pairs = {rail: pair for rail in zones if (pair := apart(zones[rail])) is not None}
        for rail in sorted(rail for rail in pairs if rail is not None):
            yield network, rail, bound, pairs[rail]
        if not network.per_rail:
            beside.append((network, bound, pairs.get(None)))
    for network, bound, pair in beside[:1] if all(pair for _, _, pair in beside) else ():
        if pair is not None:
            yield network, None, bound, pair


def _jobs(plan: Plan) -> tuple[WorkloadPlan, ...]:
    return tuple(w for w in plan.workloads if w.workload.nodes > 1)


def _cabled_ends(plan: Plan) -> int:
    paths = _Paths(plan)
    return sum(len(paths.links.get(host.name, ())) for w in _jobs(plan) for host in w.workload.hosts)


@check("NP668", "hosts of one job cannot reach each other", on=Plan, counts=_cabled_ends)
def no_path(plan: Plan) -> Iterator[Finding]:
    """The HCAs of a job's hosts must reach each other: through one switch or links between switches and,
    if their subnets differ, through gateways with routes to each other. Hosts without a cable are not
    judged, nor are leaves if the inventory has neither links between switches nor an underlay.

    **Why.** The scheduler puts pods on any of these hosts, and the job hangs when the first collective opens
    its connections.
    **Fix.** Add the links, give the rails a gateway, or write a workload for each group of hosts.
    **Source.** NVIDIA/nccl 5067397c src/transport/net_ib/connect.cc: a connection for each pair of peers
    """
    paths, seen = _Paths(plan), set[Path]()
    for w in _jobs(plan):
        for network, rail, bound, pair in _of_job(paths, w):
            at, why, hint = _reason(plan, w, bound, pair)
            if at not in seen:
                seen.add(at)
                one, two = (link.host.name for link in pair)
                over = f"network {network.name}" if rail is None else f"rail {rail}"
                yield Finding(
                    at, f"{one} and {two} of {w.name} do not reach each other on {over}: {why}", hint
                )


def _reason(
    plan: Plan, w: WorkloadPlan, bound: str, pair: tuple[HostLink, HostLink]
) -> tuple[Path, str, str]:
    """(key to change, why, what to do)."""
    one, two = (link.switch.name for link in pair)
    rails, underlay = plan.fabric.rails, plan.fabric.underlay
    if bound in ("link", "leaf") and rails is not None:
        why = f"each {bound} has a subnet of its own, and rails.gateway is none"
        return (*rails.at, "gateway"), why, "set rails.gateway: first"
    if bound == "leaf of a family" and rails is not None and underlay is not None:
        ranges = ", ".join(str(stated.network) for stated in rails.ranges)
        why = f"uplinks {underlay.uplinks} do not carry {ranges}"
        return (*rails.at, rails.ranges_key), why, "use one address family for both"
    if bound == "leaf without routes":
        why = f"{one} and {two} have uplinks, but there is no underlay"
        hint = "state underlay, or leave the switch links out if routing is configured elsewhere"
        return ("links",), why, hint
    why = f"no links lead from {one} to {two}"
    return (*w.workload.at, "hosts"), why, "add the switch links, or write a workload for each part"
