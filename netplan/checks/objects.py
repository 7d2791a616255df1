"""NP7xx, second part: node selectors, resource names, and networks without an HCA."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator

from netplan.checks.identity import LABEL_MAX
from netplan.checks.one_node import claimed_twice, on_one_node
from netplan.checks.registry import Finding, check
from netplan.diagnostics import Path, Severity
from netplan.model.carrying import uses
from netplan.model.claims import DRA_OWNERS
from netplan.model.fabric import Fabric, Network
from netplan.model.hardware import Hca, HostType
from netplan.model.kubernetes import Pool
from netplan.model.plan import Plan

_RESOURCE = re.compile(r"[a-z0-9]([a-z0-9_]*[a-z0-9])?")
"""Accepted by every device plugin, webhook and shell variable (their validators combined)."""

_DOMAIN = re.compile(r"[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*")
_NATIVE = "kubernetes.io"
"""Domain reserved for Kubernetes' own resources; the API rejects others in it (pkg/apis/core/v1/helper)."""


def _nodes(fabric: Fabric) -> list[HostType]:
    return [t for t in fabric.host_types if t.node]


def _node_count(plan: Plan) -> int:
    return len(_nodes(plan.fabric))


def _network_count(subject: Fabric | Plan) -> int:
    return len((subject.fabric if isinstance(subject, Plan) else subject).networks)


@check("NP706", "host type without node labels", on=Plan, counts=_node_count)
def selector_missing(plan: Plan) -> Iterator[Finding]:
    """Policies and NIC templates select their nodes by labels.

    **Why.** nodeSelector is required, and an empty one would configure every node of the cluster.
    **Fix.** State `node_selector` of the host type.
    **Source.** SriovNetworkNodePolicy CRD; Mellanox/nic-configuration-operator 8bfbeb34 README.md
    """
    kubernetes = plan.kubernetes
    users = {p.host_type: f"policy {p.name}" for p in reversed(kubernetes.policies)}
    users |= {
        t.host_type: f"NIC template {t.name}" for t in kubernetes.nic_templates if t.host_type not in users
    }
    for host_type in _nodes(plan.fabric):
        if host_type.name in users and not host_type.node_selector:
            what = f"host type {host_type.name} has no node_selector, but {users[host_type.name]} needs one"
            yield Finding(host_type.at, what, "state node_selector")


def _split(plan: Plan, pool: Pool) -> bool:
    """Whether the rail of a pool also has pools on other leaves."""
    leaves = {p.segment.leaf for p in plan.kubernetes.pools if p.segment.rail == pool.segment.rail}
    return pool.segment.leaf is not None and len(leaves) > 1


def _pool_place(pool: Pool) -> Path:
    return ("subnets", pool.segment.name) if pool.segment.rail is None else ("rails",)


@check(
    "NP718",
    "pool serves every node",
    on=Plan,
    counts=lambda plan: len(plan.kubernetes.pools),
    severity=Severity.WARNING,
)
def pool_for_all(plan: Plan) -> Iterator[Finding]:
    """Without a node selector, nv-ipam gives every node of the cluster a block.

    **Why.** Nodes without the network use up blocks, and nodes that need one may get none.
    **Fix.** State `node_selector` of the host types on the segment.
    **Source.** Mellanox/nvidia-k8s-ipam 3ce4a34c README.md, nodeSelector
    """
    at: dict[Path, list[Pool]] = defaultdict(list)
    for pool in plan.kubernetes.pools:
        if not pool.selectors and not _split(plan, pool):
            at[_pool_place(pool)].append(pool)
    for place, pools in at.items():
        more = f" and {len(pools) - 1} more" if len(pools) > 1 else ""
        what = f"no labels select the {pools[0].nodes} nodes of pool {pools[0].name}{more}"
        yield Finding(place, what, "state node_selector of their host types, or labels of the hosts")


@check(
    "NP719",
    "no labels tell leaf groups apart",
    on=Plan,
    counts=lambda plan: sum(bool(p.segment.leaf) for p in plan.kubernetes.pools),
)
def group_without_labels(plan: Plan) -> Iterator[Finding]:
    """With a subnet per leaf, every leaf has its own pool for the nodes cabled to it.

    **Why.** Without labels both pools serve all nodes, and pods get addresses that their leaf does not route.
    **Fix.** State `labels` of the hosts, one value for each leaf group, and put them on the nodes.
    **Source.** Mellanox/nvidia-k8s-ipam 3ce4a34c README.md, nodeSelector
    """
    blind = {
        (p.segment.rail, p.segment.leaf): p
        for p in plan.kubernetes.pools
        if not p.selectors and _split(plan, p)
    }
    found: dict[Path, list[str]] = defaultdict(list)
    for group in plan.addresses.groups:
        pool = next((blind[end] for end in group.leaves if end in blind), None)
        if pool is not None:
            first, last = group.hosts[0], group.hosts[-1]
            members = f"{first.name} to {last.name}" if len(group.hosts) > 1 else first.name
            found[first.at].append(f"{members}, the nodes of pool {pool.name}")
    for at, groups in found.items():
        more = f" ({len(groups)} such leaf groups)" if len(groups) > 1 else ""
        hint = "state labels of the hosts, with a different value for each leaf group"
        yield Finding(at, f"no labels select only {groups[0]}{more}", hint)


@check(
    "NP707",
    "host types share a node selector",
    on=Plan,
    counts=_node_count,
    severity=Severity.WARNING,
)
def selectors_overlap(plan: Plan) -> Iterator[Finding]:
    """A node belongs to one host type.

    **Why.** Policies, templates and pools of both types apply to the same nodes. NP515 has those that exclude
    each other, NP741 SriovNetworkPoolConfigs.
    **Fix.** Give each host type a label value of its own.
    **Source.** Mellanox/nic-configuration-operator 8bfbeb34 README.md
    """
    for wide, narrow in on_one_node(plan):
        if wide.hcas != narrow.hcas and not claimed_twice(plan, wide, narrow):
            labels = ", ".join(f"{k}={v}" for k, v in wide.node_selector)
            what = f"{labels} selects nodes of {wide.name} and of {narrow.name}, which have different HCAs"
            yield Finding((*narrow.at, "node_selector"), what, "give each host type a label value of its own")


@check("NP708", "invalid resource name", on=Plan, counts=lambda p: len(p.kubernetes.resources))
def resource_name_unfit(plan: Plan) -> Iterator[Finding]:
    """A resource is prefix/name: a domain, and a name of at most 63 lower-case letters, digits and
    underscores.

    **Why.** The kubelet rejects the resource, or a shell cannot read the variable that lists its devices.
    **Fix.** State a shorter `resource_name`, or another prefix.
    **Source.** kubernetes.io, device plugins; k8snetworkplumbingwg/sriov-network-device-plugin 40b6f507
    cmd/sriovdp/manager.go
    """
    for resource in {r.network: r for r in reversed(plan.kubernetes.resources)}.values():
        at, name, prefix = ("networks", resource.network), resource.name, resource.prefix
        if len(name) > LABEL_MAX or not _RESOURCE.fullmatch(name):
            what = (
                f"resource name {name} has {len(name)} characters, at most {LABEL_MAX} of a-z, 0-9 and _ "
                "are allowed"
            )
            yield Finding(at, what, "state resource_name")
        if resource.plugin in DRA_OWNERS:  # a device attribute, without a prefix
            continue
        if not _DOMAIN.fullmatch(prefix) or f".{prefix}".endswith(f".{_NATIVE}"):
            reason = (
                f"is in {_NATIVE}, Kubernetes' own domain" if _NATIVE in prefix else "is not a domain name"
            )
            yield Finding(at, f"resource prefix {prefix} of {name} {reason}", "use another prefix")


@check(
    "NP709",
    "shared HCA in exclusive RDMA mode",
    on=Plan,
    counts=lambda plan: sum(r.plugin == "rdma-shared" for r in plan.kubernetes.resources),
)
def shared_in_exclusive_mode(plan: Plan) -> Iterator[Finding]:
    """In exclusive mode an RDMA device belongs to one network namespace; macvlan, ipvlan, IPoIB, and
    device-only with `share_max` share a device.

    **Why.** The RDMA-shared device plugin does not start in exclusive mode.
    **Fix.** Set `cluster.rdma_mode: shared`, or use modes that give a pod its own device.
    **Source.** Mellanox/k8s-rdma-shared-dev-plugin issues 84 and 87
    """
    for network in plan.fabric.networks:
        shared = any(
            r.network == network.name and r.plugin == "rdma-shared" for r in plan.kubernetes.resources
        )
        if shared and plan.fabric.cluster.rdma_mode == "exclusive":
            what = f"{network.mode} network {network.name} shares HCAs, but cluster.rdma_mode is exclusive"
            other = "remove share_max" if network.by_mode.sharing == "stated" else "use sriov or host-device"
            yield Finding((*network.at, "mode"), what, f"set cluster.rdma_mode: shared, or {other}")


def _described(hca: Hca) -> str:
    return f"{hca.use} {hca.link}{' (virtual)' if hca.virtual else ''}"


def _idle(plan: Plan, network: Network) -> list[HostType] | None:
    """The host types of a network if none of their HCAs carries it, else None."""
    types = [t for t in network.host_types or plan.fabric.host_types if t.node]
    carried = any(r.network == network.name for r in plan.kubernetes.resources)
    mounted = network.takes == "mount" and any(h.for_pods for t in types for h in t.hcas)
    return None if carried or mounted else types


@check("NP710", "network without an HCA", on=Plan, counts=_network_count)
def network_without_hca(plan: Plan) -> Iterator[Finding]:
    """The mode of a network needs HCAs with a certain `use` and link layer, on a rail if the network is
    per rail, on every host type it names.

    **Why.** The network would have no resource and no attachment.
    **Fix.** Correct the mode, or `use`, `link` and `rail` of the HCAs: `sriov` takes VFs, `host-device`,
    `macvlan` and `ipvlan` take PFs, `ib-sriov` and `ipoib` InfiniBand.
    **Source.** README.md of k8snetworkplumbingwg/sriov-cni 1b7acc5 and of k8snetworkplumbingwg/ib-sriov-cni
    543060d (VFs); containernetworking/plugins 3d27709f plugins/main/host-device, macvlan and ipvlan (a
    physical port); Mellanox/ipoib-cni bc0726f9 README.md (InfiniBand).
    """
    for network in plan.fabric.networks:
        types = _idle(plan, network)
        if types is None:
            yield from _idle_types(network)
        elif not network.hcas:  # NP663 reports named HCAs
            found = sorted({_described(h) for t in types for h in t.hcas})
            names = ", ".join(t.name for t in types) or "no node"
            have = ", ".join(found) or "no such HCA"
            what = f"network {network.name} has mode {network.mode}, {names} has {have}"
            yield Finding((*network.at, "mode"), what, "correct mode, or use, link and rail of the HCAs")


def _idle_types(network: Network) -> Iterator[Finding]:
    """Host types that a network names but that do not carry it, while others do."""
    for index, kind in enumerate(network.host_types):
        named = [h for h in kind.hcas if not network.hcas or h.name in network.hcas]
        if kind.node and any(uses(network, kind, h) for h in named):
            continue
        if kind.node and network.hcas and named:
            continue  # NP663
        have = ", ".join(sorted({_described(h) for h in named})) or "no such HCA"
        what = f"network {network.name} has mode {network.mode}, {kind.name} has {have}"
        if not kind.node:
            what = f"network {network.name} names {kind.name}, which is not a node (node: false)"
        hint = f"take {kind.name} out of hosts, or correct use, link and rail of its HCAs"
        yield Finding((*network.at, "hosts", index), what, hint)


@check("NP711", "network without namespaces", on=Fabric, counts=_network_count, severity=Severity.INFO)
def network_without_namespaces(fabric: Fabric) -> Iterator[Finding]:
    """An attachment is made in every namespace that the network names.

    **Why.** Without namespaces it goes to `default`, where pods of other namespaces may not be allowed to
    use it.
    **Fix.** State `namespaces`.
    **Source.** k8snetworkplumbingwg/multus-cni 95a09323 docs/configuration.md, namespaceIsolation
    """
    for network in fabric.networks:
        if not network.namespaces and network.by_mode.attached:
            what = f"network {network.name} names no namespaces, its attachments go to default"
            yield Finding(network.at, what, "state namespaces")
