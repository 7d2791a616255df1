"""Removes from the plan what the stated release of the Network Operator lacks, and records each gap."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from netplan.model.cluster import NetworkOperator
from netplan.model.kubernetes import Pool
from netplan.model.operator_releases import FieldSpan, Gap, image_names, shown
from netplan.model.operators import NetworkOperatorPlan, NicTemplate
from netplan.records import dataclass

OPERATORS_CNP = (4, 6)
"""DSCP and priority of CNPs under the operator's own roceOptimized (Mellanox/nic-configuration-operator
README.md, roceOptimized, at network-operator-v26.4.1)."""

NIC_LABEL = (25, 10)
"""First release that sets the label network.nvidia.com/operator.nic-configuration.wait. With an older one a
daemon that selects by the label runs on no node (Mellanox/network-operator pkg/nodeinfo/attributes.go at
v25.10.0, not at v25.7.0; nic-configuration-operator commit 6df9178 of 2025-11-03)."""

LABELS_WITHOUT_POLICY = (26, 4)
"""First release that sets the label network.nvidia.com/operator.mofed.wait on nodes that already have NFD's
labels even without a NicClusterPolicy (Mellanox/network-operator commit 6356cb1f, in v26.4.0). Older ones set
it only when the NFD label changes or a NicClusterPolicy is reconciled
(controllers/nicclusterpolicy_controller.go)."""

_UPGRADE = "use release {} or newer"
_QOS = "spec.template.roceOptimized.qos"


@dataclass(frozen=True, slots=True, kw_only=True)
class Fitted:
    pools: tuple[Pool, ...]
    templates: tuple[NicTemplate, ...]
    operator: NetworkOperatorPlan | None


def fit_release(
    stated: NetworkOperator | None,
    pools: tuple[Pool, ...],
    templates: tuple[NicTemplate, ...],
    operator: NetworkOperatorPlan | None,
) -> Fitted:
    """The same objects without the fields that the release lacks; the gaps are recorded in the operator's
    plan."""
    if stated is None or operator is None:
        return Fitted(pools=pools, templates=templates, operator=operator)
    fit = _Fit(stated)
    pools = tuple(fit.pool(p) for p in pools)
    operator = fit.policy(fit.nics(fit.components(fit.values(operator))))
    if "nicConfigurationOperator" not in operator.components:
        templates = ()
    templates = tuple(fit.template(t) for t in templates)
    return Fitted(pools=pools, templates=templates, operator=replace(operator, gaps=tuple(fit.gaps.values())))


class _Fit:
    """``gaps``: by object and field, so that each is recorded once however many objects have it."""

    def __init__(self, stated: NetworkOperator) -> None:
        self.stated = stated
        self.at = stated.releases.nearest(stated.release).release
        self.gaps: dict[tuple[str, str], Gap] = {}

    def _lacks(self, kind: str, field: str) -> FieldSpan | None:
        return self.stated.releases.lacks(self.stated.release, kind, field)

    def _gap(self, span: FieldSpan, why: str, *, needed: bool, instead: str = "") -> None:
        hints = [_UPGRADE.format(shown(span.since))] if span.since is not None else []
        hint = ", or ".join([*hints, *([instead] if instead else [])])
        gap = Gap(span=span, needed=needed, why=why, hint=hint)
        self.gaps.setdefault((span.object, span.field), gap)

    @property
    def _by_host(self) -> str:
        """Hint to let the host configure the NICs; empty with the driver container, which excludes that
        (NP543)."""
        return _BY_HOST if self.stated.ofed_version is None else ""

    def pool(self, pool: Pool) -> Pool:
        span = self._lacks(pool.kind, "spec.routes")
        if span is None or not pool.routes:
            return pool
        why = f"pods would have no routes to {_listed(pool.routes)}"
        self._gap(span, why, needed=True, instead="set ipam: whereabouts for the network")
        return replace(pool, routes=())

    def values(self, operator: NetworkOperatorPlan) -> NetworkOperatorPlan:
        """Fits the chart values. A value that enables nothing is dropped without a gap."""
        if self._lacks("HelmValues", "maintenanceOperator.enabled"):
            operator = replace(operator, maintenance_operator=None)
        span = self._lacks("HelmValues", "operator.cniNetworkDirectory")
        if span is not None and operator.cni_network_directory is not None:
            multus = "secondaryNetwork.multus" in operator.components
            where = operator.cni_network_directory
            why = "Multus is not deployed by the operator"
            if multus:
                why = f"Multus would write its configuration elsewhere than {where}"
            self._gap(span, why, needed=multus, instead="set multus: false and deploy Multus yourself")
            operator = replace(operator, cni_network_directory=None)
        return operator

    def components(self, operator: NetworkOperatorPlan) -> NetworkOperatorPlan:
        """Fits the sections of the NicClusterPolicy. What a sub-chart did in older releases is not netplan's
        concern."""
        kept = []
        for component in operator.components:
            span = self._lacks("NicClusterPolicy", f"spec.{component}")
            if span is None:
                kept.append(component)
            else:
                self._gap(span, "nothing sets the QoS of the NICs", needed=True, instead=self._by_host)
        names = {name for component in kept for name in image_names(component)}
        images = {name: image for name, image in operator.images.items() if name in names}
        return replace(operator, components=tuple(kept), images=images, policy=bool(kept))

    def nics(self, operator: NetworkOperatorPlan) -> NetworkOperatorPlan:
        """Fits the values that keep the SR-IOV operator from writing firmware that the NIC configuration
        operator owns."""
        if "nicConfigurationOperator" not in operator.components:
            return replace(operator, disable_plugins=(), waits_for_nics=False)
        waits = operator.waits_for_nics and self.at >= NIC_LABEL
        operator = replace(operator, waits_for_nics=waits)
        span = self._lacks("HelmValues", "sriov-network-operator.sriovOperatorConfig.disablePlugins")
        if span is not None and operator.disable_plugins:
            why = "kubernetes/README.md has the command that disables the plugin after the chart"
            self._gap(span, why, needed=False)
            operator = replace(operator, disable_plugins=(), patch_plugins=operator.disable_plugins)
        return operator

    def policy(self, operator: NetworkOperatorPlan) -> NetworkOperatorPlan:
        """Adds a NicClusterPolicy for older releases, which set the label in the daemon's node selector only
        with one."""
        if self.at >= LABELS_WITHOUT_POLICY or not operator.sriov_operator:
            return operator
        return replace(operator, policy=True)

    def template(self, template: NicTemplate) -> NicTemplate:
        span = self._lacks("NicConfigurationTemplate", f"{_QOS}.ecn")
        if span is not None and template.ecn_priority is not None:
            why = "roceOptimized sets ROCE_CC_PRIO_MASK_P1 to 255, congestion control on every priority"
            self._gap(span, why, needed=False)
            template = replace(template, ecn_priority=None)
        span = self._lacks("NicConfigurationTemplate", f"{_QOS}.tos")
        if span is not None and template.tos is not None:
            why = f"NCCL_IB_TC of the pods states traffic class {template.tos}"
            self._gap(span, why, needed=False)
            template = replace(template, tos=None)
        return self._firmware(template)

    def _firmware(self, template: NicTemplate) -> NicTemplate:
        span = self._lacks("NicConfigurationTemplate", "spec.template.rawNvConfig")
        if span is None or template.cnp_dscp is None:
            return template
        mine = (template.cnp_dscp, template.cnp_priority)
        same = "the operator's own DSCP and priority of CNPs are the fabric's"
        other = "NICs would send CNPs with DSCP {} and priority {}, the fabric has {} and {}"
        needed = mine != OPERATORS_CNP
        why = other.format(*OPERATORS_CNP, *mine) if needed else same
        self._gap(span, why, needed=needed, instead=self._by_host)
        return replace(template, cnp_dscp=None, cnp_priority=None)


_BY_HOST = "set cluster.owners.nic_qos: host"


def _listed(networks: Iterable[object]) -> str:
    first, *rest = (str(n) for n in networks)
    return f"{first} and {len(rest)} more" if rest else first
