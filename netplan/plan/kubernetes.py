"""Assembles the Kubernetes part of the plan."""

from __future__ import annotations

from netplan.model.addresses import AddressPlan
from netplan.model.fabric import Fabric
from netplan.model.kubernetes import KubernetesPlan
from netplan.model.qos import QosPlan
from netplan.plan.attachments import plan_attachments, uses
from netplan.plan.claims import plan_dra
from netplan.plan.devices import plan_resources
from netplan.plan.operators import plan_efa, plan_gpu_operator, plan_network_operator
from netplan.plan.policies import plan_nic_templates, plan_policies, plan_pool_configs
from netplan.plan.pools import plan_pools
from netplan.plan.release_fit import fit_release
from netplan.plan.spiderpool import plan_spider_pools


def plan_kubernetes(fabric: Fabric, addresses: AddressPlan, qos: QosPlan | None) -> KubernetesPlan:
    resources = plan_resources(fabric)
    used = uses(fabric, addresses)
    attachments = plan_attachments(fabric, addresses, resources, used)
    pools = plan_pools(fabric, addresses, used)
    policies = plan_policies(fabric, resources)
    owner = fabric.cluster.owners.device_plugin
    plugins = {r.plugin for r in resources}
    operator = plan_network_operator(fabric, resources, pools, attachments)
    fitted = fit_release(fabric.cluster.network_operator, pools, plan_nic_templates(fabric, qos), operator)
    sriov_plugin_owner = owner if "sriov" in plugins else None
    shared_plugin_owner = _shared_owner(owner) if "rdma-shared" in plugins else None
    return KubernetesPlan(
        resources=resources,
        policies=policies,
        pool_configs=plan_pool_configs(fabric, policies),
        pools=fitted.pools,
        spider_pools=plan_spider_pools(fabric, addresses, used),
        attachments=attachments,
        nic_templates=fitted.templates,
        network_operator=fitted.operator,
        gpu_operator=plan_gpu_operator(fabric),
        efa=plan_efa(fabric, resources),
        sriov_plugin_owner=sriov_plugin_owner,
        dra=plan_dra(fabric, resources),
        shared_plugin_owner=shared_plugin_owner,
    )


def _shared_owner(owner: str) -> str:
    """Owner of the RDMA-shared plugin. The SR-IOV operator has no such plugin, so netplan then writes its
    ConfigMap."""
    return owner if owner == "nic-cluster-policy" else "manual"
