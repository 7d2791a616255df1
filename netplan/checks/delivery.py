"""NP551, NP552: whether the delivery of the files in hosts/ reaches every host that needs them."""

from __future__ import annotations

from collections.abc import Iterator

from netplan.checks.registry import Finding, check
from netplan.diagnostics import Severity
from netplan.model.delivery import TypeDelivery
from netplan.model.plan import Plan

_AT = ("cluster", "host_delivery")


def _by_daemonset(plan: Plan) -> tuple[TypeDelivery, ...]:
    delivery = plan.delivery
    return delivery.types if delivery is not None and delivery.by.image is not None else ()


@check("NP551", "DaemonSet cannot select the hosts", on=Plan, counts=lambda plan: len(_by_daemonset(plan)))
def daemonset_selector(plan: Plan) -> Iterator[Finding]:
    """A DaemonSet runs on the nodes its node selector matches, which must be those of one host type.

    **Why.** Without labels it would write one type's files onto every node of the cluster.
    **Fix.** In `node_selector`, state labels that only nodes of this type have.
    **Source.** kubernetes.io/docs/concepts/workloads/controllers/daemonset, running Pods on select Nodes.
    """
    for kind in _by_daemonset(plan):
        if not kind.selector:
            at = ("host_types", kind.name)
            what = f"no labels select only the nodes of {kind.name}, to which a DaemonSet delivers files"
            yield Finding(at, what, "state node_selector with a label that only these nodes have")


def _pools(plan: Plan) -> tuple[TypeDelivery, ...]:
    delivery = plan.delivery
    return delivery.types if delivery is not None and delivery.by.butane == "openshift" else ()


@check(
    "NP552",
    "MachineConfig leaves out files of single hosts",
    on=Plan,
    counts=lambda plan: len(_pools(plan)),
    severity=Severity.WARNING,
)
def machine_config_of_a_host(plan: Plan) -> Iterator[Finding]:
    """A MachineConfig applies to all nodes of its pool; netplan writes one per host type.

    **Why.** A host with files of its own would get those of its type, which name different devices.
    **Fix.** Give such hosts a host type of their own, or deliver their files by other means.
    **Source.** openshift/machine-config-operator 7b984b9a docs/MachineConfiguration.md.
    """
    for kind in _pools(plan):
        own = [each.name for each in kind.own if set(each.without_networkd) - set(kind.files.files)]
        if own:
            more = f" and {len(own) - 3} more" if len(own) > 3 else ""
            who = f"{', '.join(own[:3])}{more}"
            what = f"the MachineConfig of {kind.name} leaves out files that only {who} may have"
            yield Finding((*_AT, "butane"), what, "give these hosts a host type of their own")
