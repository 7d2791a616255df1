"""The rules between objects, and how one is declared and run. Each is a function of one subject."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from netplan.diagnostics import Diagnostic
from netplan.model.codes import Code
from netplan.verify import addressing, claims, hosts, naming, pods, stages
from netplan.verify.cluster import Cluster
from netplan.verify.tree import Finding, problem

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Rule(Generic[T]):
    """``subjects``: what of a cluster the rule looks at; none means it is not applicable."""

    code: str
    title: str
    subjects: Callable[[Cluster], Sequence[T]]
    run: Callable[[Cluster, T], Iterable[Finding]]


RULES: tuple[Rule[Any], ...] = (
    Rule("NP312", "a pod's MTU above that of its node", hosts.mtus, hosts.mtu_chain),
    Rule("NP417", "pods mark packets that NICs do not keep lossless", hosts.marked, hosts.lossless_on_nics),
    Rule("NP529", "ARP flux between the rails of a pod", pods.crowded_pods, pods.answers),
    Rule("NP911", "a resource that nothing produces", naming.wanted, naming.produced),
    Rule("NP912", "a pod's attachments and devices do not fit", naming.attached_pods, naming.attachments),
    Rule("NP913", "a pool that does not fit its network", addressing.pool_subjects, addressing.pools),
    Rule("NP914", "two resources claim the same devices", naming.plugin_configs, naming.resources_apart),
    Rule("NP915", "kustomization.yaml does not list the object files", stages.listings, stages.listed),
    Rule("NP916", "a plugin chain that routes wrongly", addressing.networks, addressing.chains),
    Rule("NP737", "a broken chain from container to DeviceClass", claims.claiming_pods, claims.claims),
    Rule("NP917", "two objects with the same name", naming.identities, naming.unique),
    Rule("NP918", "routing tables that collide", pods.route_files, pods.tables),
)

DERIVED: dict[str, Code] = {
    rule.code: Code(rule.code, rule.title, inspect.cleandoc(rule.run.__doc__ or "")) for rule in RULES
}
"""For ``netplan explain``: rules that hold by construction, of kind derived."""


def run_rules(cluster: Cluster) -> tuple[list[Diagnostic], dict[str, int]]:
    """What every rule finds, and how many subjects each looked at."""
    found: list[Diagnostic] = []
    counts: dict[str, int] = {}
    for rule in RULES:
        subjects = rule.subjects(cluster)
        counts[rule.code] = len(subjects)
        found += [_diagnostic(rule, finding) for each in subjects for finding in rule.run(cluster, each)]
    return found, counts


def _diagnostic(rule: Rule[Any], finding: Finding) -> Diagnostic:
    return problem(rule.code, finding.artifact, finding.message)
