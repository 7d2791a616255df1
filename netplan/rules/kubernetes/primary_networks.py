"""Primary networks of one namespace in OVN-Kubernetes, for NP789."""

from __future__ import annotations

from collections.abc import Iterator

from netplan.diagnostics import Path
from netplan.graph.kubernetes.cluster import ObjectGraph
from netplan.reading.kubernetes.objects import Thing, inside
from netplan.rules.kubernetes.registry import ObjectFinding

_ROLES: tuple[Path, ...] = (("spec", "layer2", "role"), ("spec", "layer3", "role"))
_OVERLAY = "ovn-k8s-cni-overlay"


def user_networks(cluster: ObjectGraph) -> list[Thing]:
    return cluster.of("k8s.ovn.org", "UserDefinedNetwork")


def second_primary(cluster: ObjectGraph, thing: Thing) -> Iterator[ObjectFinding]:
    """A UserDefinedNetwork whose namespace has another primary network: a NAD, or an earlier one of its kind.
    In two files that nothing joins it is a note: they may be samples."""
    role = _role_at(thing)
    if role is None or thing.namespace is None or thing.live:
        return
    for other in (*_primary_nads(cluster), *filter(_role_at, user_networks(cluster))):
        if other is thing:
            return
        if other.namespace == thing.namespace and other.name != thing.name and cluster.together(thing, other):
            message = f"{other} at {other.source(())} is a primary network of {thing.namespace} too"
            unsure = not cluster.joined(thing, other)
            yield ObjectFinding(thing, role, message, "keep one of them", unsure=unsure)
            return


def _role_at(thing: Thing) -> Path | None:
    return next((at for at in _ROLES if inside(thing.body, at) == "Primary"), None)


def _primary_nads(cluster: ObjectGraph) -> list[Thing]:
    """Without those that a controller made of a UserDefinedNetwork."""

    def make() -> list[Thing]:
        found = (n for n in cluster.networks if n.thing.kind == "NetworkAttachmentDefinition")
        mine = (n.thing for n in found if any(_is_primary(plugin) for plugin in n.chain))
        return [thing for thing in mine if not thing.owned]

    return cluster.once("primary networks", make)


def _is_primary(plugin: dict[str, object]) -> bool:
    return plugin.get("type") == _OVERLAY and plugin.get("role") == "primary"
