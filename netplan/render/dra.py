"""Objects of Dynamic Resource Allocation, rendered from the plan.

Fields: kubernetes/kubernetes staging/src/k8s.io/api/resource/v1/types.go; DRANET's parameters:
kubernetes-sigs/dranet pkg/apis/types.go and validation.go (decoded strictly: an unknown key is an error).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from netplan.model.artifact import Artifact
from netplan.model.claims import (
    ClaimRequest,
    DeviceFilter,
    DraPlan,
    InterfaceConfig,
    PodClaim,
    ResourcePolicy,
)
from netplan.model.plan import Plan
from netplan.model.routes import IpamRoute
from netplan.render.cni import SCOPE_LINK
from netplan.render.dump import written
from netplan.render.objects import object_file

SRIOV_NAMESPACE = "dra-driver-sriov"
"""Namespace of the SR-IOV DRA driver's chart, the only one where it watches its policies (its README.md)."""

RESOURCE_NAME = "k8s.cni.cncf.io/resourceName"
"""Attribute that Multus compares with the annotation of a NAD (dra-driver-sriov README.md, MULTUS mode)."""

_LABEL = "rdma-netplan.dev/resource"
_V1ALPHA1 = "sriovnetwork.k8snetworkplumbingwg.io/v1alpha1"


def render_dra(plan: Plan) -> Iterator[Artifact]:
    dra, site = plan.kubernetes.dra, plan.fabric.site
    if dra is not None:
        if dra.device_class is not None:
            objects, about = [_device_class(dra)], f"devices of driver {dra.driver}"
            yield object_file(site, "dra/device-class.yaml", objects, about, ["cluster.owners"])
        if dra.policies:
            objects = [_attributes(name) for name in dra.resources] + [_policy(p) for p in dra.policies]
            path, about = "dra/sriov-resource-policies.yaml", "devices of the SR-IOV DRA driver"
            yield object_file(site, path, objects, about, ["host_types"])
    for workload in plan.workloads:
        claim = workload.claim
        if claim is not None:
            path = f"dra/claims/{claim.namespace}/{workload.name}.yaml"
            about, entity = f"workload {workload.name}", f"workloads.{workload.name}"
            yield object_file(site, path, [_template(claim)], about, [entity])


def _device_class(dra: DraPlan) -> dict[str, Any]:
    """DeviceClass of the RDMA devices. CEL fails on an attribute that a device lacks, so the expression tests
    for it first."""
    domain = f'device.attributes["{dra.driver}"]'
    expression = f'device.driver == "{dra.driver}" && "rdma" in {domain} && {domain}.rdma'
    return {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "DeviceClass",
        "metadata": {"name": dra.device_class},
        "spec": {"selectors": [{"cel": {"expression": expression}}]},
    }


def _template(claim: PodClaim) -> dict[str, Any]:
    config = [_config(claim.driver, r.name, r.config) for r in claim.requests if r.config is not None]
    devices = written({"requests": [_request(r) for r in claim.requests], "config": config})
    return {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceClaimTemplate",
        "metadata": {"name": claim.template, "namespace": claim.namespace},
        "spec": {"spec": {"devices": devices}},
    }


def _request(request: ClaimRequest) -> dict[str, Any]:
    return {
        "name": request.name,
        "exactly": {
            "deviceClassName": request.device_class,
            "allocationMode": "ExactCount",
            "count": request.count,
            "selectors": [{"cel": {"expression": request.selector}}],
        },
    }


def _config(driver: str, request: str, config: InterfaceConfig) -> dict[str, Any]:
    interface = written(
        {
            "name": config.interface,
            "mtu": config.mtu,
            "arpIgnore": 1 if config.arp else None,
            "arpAnnounce": 2 if config.arp else None,
        }
    )
    rules = [{"priority": config.table, "source": str(n), "table": config.table} for n in config.sources]
    parameters = written(
        {"interface": interface, "routes": [_route(r) for r in config.routes], "rules": rules}
    )
    return {"requests": [request], "opaque": {"driver": driver, "parameters": parameters}}


def _route(route: IpamRoute) -> dict[str, Any]:
    """One route. Without a gateway it needs scope link; without a table it goes into table main."""
    return written(
        {
            "destination": str(route.to),
            "gateway": str(route.gateway) if route.gateway is not None else None,
            "scope": SCOPE_LINK if route.gateway is None else None,
            "table": route.table,
        }
    )


def _attributes(resource: str) -> dict[str, Any]:
    return {
        "apiVersion": _V1ALPHA1,
        "kind": "DeviceAttributes",
        "metadata": {**_metadata(resource), "labels": {_LABEL: resource}},
        "spec": {"attributes": {RESOURCE_NAME: {"string": resource}}},
    }


def _metadata(name: str) -> dict[str, str]:
    return {"name": name.replace("_", "-"), "namespace": SRIOV_NAMESPACE}


def _policy(policy: ResourcePolicy) -> dict[str, Any]:
    terms = [{"key": k, "operator": "In", "values": [v]} for k, v in policy.node_selector]
    nodes = {"nodeSelectorTerms": [{"matchExpressions": terms}]} if terms else None
    configs = [_policy_config(f) for f in policy.filters]
    return {
        "apiVersion": _V1ALPHA1,
        "kind": "SriovResourcePolicy",
        "metadata": _metadata(policy.host_type),
        "spec": written({"nodeSelector": nodes, "configs": configs}),
    }


def _policy_config(wanted: DeviceFilter) -> dict[str, Any]:
    found = written(
        {
            "vendors": list(wanted.vendors),
            "devices": list(wanted.devices),
            "pfNames": list(wanted.pf_names),
            "pfPciAddresses": list(wanted.pf_pci_addresses),
            "pciAddresses": list(wanted.pci_addresses),
        }
    )
    return {
        "deviceAttributesSelector": {"matchLabels": {_LABEL: wanted.resource}},
        "resourceFilters": [found],
    }
