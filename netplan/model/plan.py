"""Everything decided, in one object: what checks read and renderers print."""

from __future__ import annotations

from netplan.model.addresses import AddressPlan
from netplan.model.delivery import DeliveryPlan
from netplan.model.fabric import Fabric
from netplan.model.gitops import GitOpsPlan
from netplan.model.hosts import HostPlan
from netplan.model.kubernetes import KubernetesPlan
from netplan.model.kueue import KueuePlan
from netplan.model.overview import Overview
from netplan.model.qos import QosPlan
from netplan.model.switching import SwitchPlan
from netplan.model.workloads import WorkloadPlan
from netplan.records import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    fabric: Fabric
    addresses: AddressPlan
    qos: QosPlan | None
    kubernetes: KubernetesPlan
    overview: Overview
    gitops: GitOpsPlan | None
    hosts: tuple[HostPlan, ...]
    delivery: DeliveryPlan | None
    switches: tuple[SwitchPlan, ...]
    workloads: tuple[WorkloadPlan, ...]
    kueue: KueuePlan | None
