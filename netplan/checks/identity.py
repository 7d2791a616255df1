"""NP1xx: ids, names and addresses that must be unique."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from netplan.checks.registry import REGISTRY, Finding, check
from netplan.diagnostics import Path, Severity
from netplan.model.acceptance import can_be_set_aside
from netplan.model.fabric import Fabric
from netplan.model.hardware import Host, Switch
from netplan.model.plan import Plan
from netplan.model.values import DNS_SUBDOMAIN

LABEL_MAX = 63
"""Longest DNS label and label value: RFC 1123; kubernetes.io, names and labels."""


class _Named(NamedTuple):
    """A derived name, which must be unique within ``scope``."""

    scope: str
    name: str
    of: str
    at: Path


def _numbered_hosts(fabric: Fabric) -> list[tuple[Host, int | None]]:
    """(host, rail) of every cable whose subnet is numbered by the host's id."""
    if fabric.rails is None or fabric.rails.segment != "host":
        return []
    return [(link.host, link.hca.rail) for link in fabric.host_links if link.hca.for_pods]


def _numbered_switches(fabric: Fabric) -> list[Switch]:
    """Switches whose id numbers something: subnets of leaves and, with an underlay, every loopback."""
    return [s for s in fabric.switches if fabric.underlay is not None or s.role == "leaf"]


@check("NP107", "duplicate host id", on=Fabric, counts=lambda fabric: len(_numbered_hosts(fabric)))
def host_id_twice(fabric: Fabric) -> Iterator[Finding]:
    """With `rails.segment: host` the host's id numbers the subnet of its link on every rail.

    **Why.** Both hosts would have the same addresses on the rails they share.
    **Fix.** State a unique `id`; in a range it counts up from the first member.
    **Source.** Arithmetic on the inventory: the id is the number of the host's link subnet in each rail's
    prefix.
    """
    first: dict[tuple[int | None, int], str] = {}
    seen: set[tuple[str, str]] = set()
    for host, rail in _numbered_hosts(fabric):
        other = first.setdefault((rail, host.id), host.name)
        if host.id and other != host.name and (other, host.name) not in seen:
            seen.add((other, host.name))
            what = f"{other} and {host.name} both have id {host.id} and are on rail {rail}"
            yield Finding(host.at, what, f"state another id for {host.name}")


@check(
    "NP108",
    "duplicate switch id",
    on=Fabric,
    counts=lambda fabric: len(_numbered_switches(fabric)),
    about="switches",
)
def switch_id_twice(fabric: Fabric) -> Iterator[Finding]:
    """A switch's id numbers its loopback; a leaf's id also numbers its subnets, uplinks and AS number.

    With `rails.numbering: position` the leaves' ids give the order of their subnets.

    **Why.** Two leaves would have the same subnets; with an underlay, a leaf and a spine would have the
    same loopback.
    **Fix.** State a unique `id`; for spines, for example, from 101 up.
    **Source.** Arithmetic on the inventory: the id is the number of the loopback, and of a leaf's subnets and
    AS number.
    """
    first: dict[int, str] = {}
    for switch in _numbered_switches(fabric):
        other = first.setdefault(switch.id, switch.name)
        if switch.id and other != switch.name:
            what = f"{other} and {switch.name} both have id {switch.id}"
            yield Finding(switch.at, what, f"state another id for {switch.name}")


@check("NP112", "host without an id", on=Fabric, counts=lambda fabric: len(_numbered_hosts(fabric)))
def host_id_missing(fabric: Fabric) -> Iterator[Finding]:
    """With `rails.segment: host` the host's id, 1 or more, numbers the subnet of its link on every rail.

    **Why.** Without an id the link has no address.
    **Fix.** State `id`, or end the name in a number of 1 or more.
    **Source.** Arithmetic on the inventory: the id is the number of the host's link subnet in each rail's
    prefix.
    """
    for host in {host.name: host for host, _ in _numbered_hosts(fabric) if host.id < 1}.values():
        what = f"{host.name} has no id, and its name does not end in a number of 1 or more"
        yield Finding(host.at, what, "state id")


def _addressed(fabric: Fabric) -> int:
    return sum(own.address is not None for host in fabric.hosts for own in host.hcas.values())


@check("NP109", "duplicate address", on=Fabric, counts=_addressed)
def address_twice(fabric: Fabric) -> Iterator[Finding]:
    """An address belongs to one port.

    **Why.** The leaf sends to whichever host answered ARP last.
    **Fix.** Correct one of the two; an address stated for a range of hosts goes to every host in it.
    **Source.** RFC 5227
    """
    first: dict[object, str] = {}
    for host in fabric.hosts:
        for name, own in host.hcas.items():
            if own.address is None:
                continue
            here = f"{name} of {host.name}"
            other = first.setdefault(own.address.ip, here)
            if other != here:
                what = f"{own.address.ip} is the address of {other} and of {here}"
                yield Finding((*own.at, "address"), what, "give one of them another address")


@check(
    "NP110",
    "accepted code does not exist",
    on=Fabric,
    counts=lambda fabric: len(fabric.accept),
    severity=Severity.WARNING,
)
def accepts_nothing(fabric: Fabric) -> Iterator[Finding]:
    """No check has this code; NP018 is about codes that exist and cannot be accepted.

    **Why.** The entry has no effect, but looks as if it had one.
    **Fix.** Correct the code or remove the entry.
    **Source.** netplan's own rule: an accepted finding names a code that exists.
    """
    for entry in fabric.accept:
        if entry.check not in REGISTRY and can_be_set_aside(entry.check, Severity.ERROR):
            what = f"{entry.check} is not a code of netplan, so nothing is accepted at {entry.at}"
            yield Finding(("accept", entry.index, "check"), what, "correct the code or remove the entry")


@check("NP111", "invalid Kubernetes node name", on=Fabric, counts=lambda fabric: len(fabric.hosts))
def node_name(fabric: Fabric) -> Iterator[Finding]:
    """A node's name is a DNS name, and the value of its label kubernetes.io/hostname.

    **Why.** The kubelet cannot register under such a name, so objects that name the node never apply.
    **Fix.** Use the name `kubectl get nodes` shows.
    **Source.** kubernetes.io, object names and IDs; well-known labels
    """
    for host in fabric.hosts:
        if host.type.node and host.named and (reason := _unfit(host.name)):
            yield Finding(
                host.at, f"node {host.name} {reason}", "use the name that `kubectl get nodes` shows"
            )


def _unfit(name: str) -> str:
    """Why a text is not a valid Kubernetes object name, or ""."""
    if len(name) > LABEL_MAX:
        return f"has a name of {len(name)} characters, the limit is {LABEL_MAX}"
    return "" if DNS_SUBDOMAIN.fullmatch(name) else "has a name that is not a DNS name"


def _objects(plan: Plan) -> Iterator[_Named]:
    """Every derived name in the Kubernetes artifacts."""
    fabric, kubernetes = plan.fabric, plan.kubernetes
    types = {t.name: t.at for t in fabric.host_types}
    networks = {n.name: n.at for n in fabric.networks}
    for a in kubernetes.attachments:
        for namespace in a.namespaces:
            yield _Named("attachment", f"{namespace}/{a.name}", f"network {a.network.name}", a.network.at)
    for r in kubernetes.resources:
        if r.plugin != "efa":
            yield _Named("resource", r.full_name, f"network {r.network}", networks[r.network])
    for segment in plan.addresses.segments:
        at: Path = ("rails",) if segment.rail is not None else ("subnets", segment.name)
        of = f"rail {segment.rail}" if segment.rail is not None else f"subnet {segment.name}"
        yield _Named("segment", segment.name, of, at)
    for policy in kubernetes.policies:
        yield _Named("policy", policy.name, f"host type {policy.host_type}", types[policy.host_type])
    for template in kubernetes.nic_templates:
        at = types[template.host_type]
        yield _Named("NIC template", template.name, f"host type {template.host_type}", at)


@check("NP115", "derived name too long", on=Plan, counts=lambda plan: sum(1 for _ in _objects(plan)))
def derived_name_unfit(plan: Plan) -> Iterator[Finding]:
    """Object names are built from names in the inventory.

    **Why.** The API server refuses the object, or a label that carries its name.
    **Fix.** Shorten the name of the network, host type, HCA or leaf it is derived from.
    **Source.** kubernetes.io, object names and IDs
    """
    seen: set[tuple[str, str]] = set()
    for scope, name, of, at in _objects(plan):
        reason = _unfit(name.rpartition("/")[2]) if scope != "resource" else ""
        if reason and (scope, of) not in seen:
            seen.add((scope, of))
            yield Finding(
                at, f"{scope} {name} of {of} {reason}", "shorten or correct the names it is built from"
            )


@check("NP116", "duplicate derived name", on=Plan, counts=lambda plan: sum(1 for _ in _objects(plan)))
def derived_name_twice(plan: Plan) -> Iterator[Finding]:
    """Object names are built from names in the inventory and must be unique.

    **Why.** One object would replace the other; a device plugin does not start with a resource named twice.
    **Fix.** Rename one of the two.
    **Source.** k8snetworkplumbingwg/sriov-network-device-plugin 40b6f507 cmd/sriovdp/manager.go
    """
    first: dict[tuple[str, str], str] = {}
    seen: set[tuple[str, str, str]] = set()
    for scope, name, of, at in _objects(plan):
        other = first.get((scope, name))
        first.setdefault((scope, name), of)
        if other is not None and (scope, other, of) not in seen:
            seen.add((scope, other, of))
            what = f"{scope} {name} is derived from {other} and from {of}"
            yield Finding(at, what, "rename one of them")
