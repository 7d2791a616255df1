"""NP740, NP742: prerequisites that the site states in ``cluster.present``."""

from __future__ import annotations

from collections.abc import Iterator

from netplan.checks.registry import Finding, check
from netplan.diagnostics import Severity
from netplan.model.fabric import Fabric
from netplan.model.plan import Plan


def _webhook_count(fabric: Fabric) -> int:
    operator = fabric.cluster.network_operator
    return int(operator is not None and operator.admission_webhooks)


@check("NP740", "admission webhooks without cert-manager", on=Fabric, counts=_webhook_count)
def certificates_missing(fabric: Fabric) -> Iterator[Finding]:
    """The Network Operator's chart takes the certificates of its webhooks from cert-manager
    (operator.admissionController.useCertManager, true by default).

    **Why.** Without cert-manager's CRDs the chart fails to install: no matches for kind "Certificate".
    **Fix.** Install cert-manager before the charts and add it to `cluster.present`. If you provide
    certificates yourself (useCertManager false), accept the finding.
    **Source.** Mellanox/network-operator b06827e0
    deployment/network-operator/templates/admission_controller.yaml and README.md, Admission Controller
    """
    operator = fabric.cluster.network_operator
    if operator is None or not operator.admission_webhooks or "cert-manager" in fabric.cluster.present:
        return
    what = "admission_webhooks is true, but cluster.present has no cert-manager"
    hint = "install cert-manager and add it to cluster.present, or set admission_webhooks: false"
    yield Finding(("cluster", "network_operator", "admission_webhooks"), what, hint)


def _stated_count(plan: Plan) -> int:
    return len(plan.fabric.cluster.present) + len(plan.overview.surplus)


@check(
    "NP742",
    "program deployed twice or not needed",
    on=Plan,
    counts=_stated_count,
    severity=Severity.WARNING,
)
def surplus(plan: Plan) -> Iterator[Finding]:
    """Each program that the site needs has one owner: the cluster, or one of the charts and objects that
    netplan writes.

    **Why.** Two installations of Multus, NFD or a device plugin overwrite each other's files and labels.
    **Fix.** Remove the program from `cluster.present`, or remove what deploys it again.
    **Source.** Mellanox/network-operator issue 1212; Mellanox/network-operator-docs 0c0ecad4
    docs/openshift/deployment-guide-openshift.rst
    """
    for entry in plan.overview.surplus:
        yield Finding(entry.at, entry.why, entry.hint)
