"""What the objects amount to: networks as Multus sees them, pods, resources, pools."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from netplan.model.pod_kinds import pod_templates
from netplan.verify.tree import Object, Place, Tree, json_path

RESOURCE_ANNOTATION = "k8s.v1.cni.cncf.io/resourceName"
OPERATOR_VALUES = "kubernetes/network-operator/values.yaml"
CLAIMED_NAME = "k8s.cni.cncf.io/resourceName"
"""Attribute of a device that Multus compares with the annotation (dra-driver-sriov README.md)."""

_BY_NAME = re.compile(r'\.resourceName == "([^"]*)"')
ANY = "*"
"""Prefix of resources whose prefix is a setting of an operator that this tree does not install."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Network:
    """A NAD, written or to be generated. ``plugins``: its chain, as far as it is stated."""

    thing: Object
    namespace: str
    name: str
    resource: str | None
    plugins: tuple[dict[str, Any], ...]

    @property
    def ipams(self) -> tuple[dict[str, Any], ...]:
        return tuple(p["ipam"] for p in self.plugins if p.get("ipam"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Pod:
    """A pod, a pod template, or what one is to get.

    ``limits``: of all its containers, by resource, in writing, and of its claims.
    ``claims``: name in the pod -> ResourceClaimTemplate. ``claimed``: names its containers use.
    """

    thing: Object
    where: str
    annotations: Mapping[str, str]
    limits: Mapping[str, tuple[str, ...]]
    claims: Mapping[str, str]
    claimed: tuple[str, ...]
    template: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class PluginConfig:
    """Configuration of a device plugin. ``shared``: of the RDMA-shared one, else of the SR-IOV one."""

    thing: Object
    place: Place
    shared: bool
    entries: tuple[dict[str, Any], ...]

    @property
    def names(self) -> tuple[str, ...]:
        """Full resource names; the prefixes are the plugins' own defaults
        (k8snetworkplumbingwg/sriov-network-device-plugin v3.11.0 cmd/sriovdp/main.go;
        Mellanox/k8s-rdma-shared-dev-plugin 410b0f3 pkg/resources/resources_manager.go)."""
        default = "rdma" if self.shared else "intel.com"
        return tuple(f"{e.get('resourcePrefix', default)}/{e['resourceName']}" for e in self.entries)

    def __str__(self) -> str:
        return f"{self.thing}: {json_path(self.place)}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Cluster:
    """``made``: full names of the resources that something produces. ``pools``: by poolType and name, of
    Spiderpool by its name for the type, spiderpool."""

    tree: Tree
    networks: Mapping[tuple[str, str], tuple[Network, ...]]
    pods: tuple[Pod, ...]
    configs: tuple[PluginConfig, ...]
    made: frozenset[str]
    pools: Mapping[tuple[str, str], Object]

    @property
    def each_network(self) -> tuple[Network, ...]:
        return tuple(network for same in self.networks.values() for network in same)

    def settled(self, resource: str) -> str:
        """The name under which ``made`` has it: without its prefix where nobody here knows the prefix."""
        unknown = f"{ANY}/{resource.rpartition('/')[2]}"
        return unknown if unknown in self.made else resource


def cluster_of(tree: Tree) -> Cluster:
    """Of objects that passed their schemas."""
    prefix = _operator_prefix(tree)
    networks: dict[tuple[str, str], list[Network]] = defaultdict(list)
    for network in (_network(thing, prefix) for thing in tree.objects if thing.kind in _NETWORKS):
        networks[network.namespace, network.name].append(network)
    configs = tuple(config for thing in tree.objects for config in _configs(thing))
    policies = [o.spec["resourceName"] for o in tree.objects if o.kind == "SriovNetworkNodePolicy"]
    attributes = [
        o.spec["attributes"][CLAIMED_NAME]["string"] for o in tree.objects if o.kind == "DeviceAttributes"
    ]
    requests = {
        (o.namespace, o.name): _claimed_names(o) for o in tree.objects if o.kind == "ResourceClaimTemplate"
    }
    return Cluster(
        tree=tree,
        networks={key: tuple(same) for key, same in networks.items()},
        pods=tuple(_with_claims(pod, requests) for thing in tree.objects for pod in _pods(thing)),
        configs=configs,
        made=frozenset(
            [*(f"{prefix}/{name}" for name in policies), *(n for c in configs for n in c.names), *attributes]
        ),
        pools={(_POOLS[o.kind], o.name): o for o in tree.objects if o.kind in _POOLS},
    )


def _operator_prefix(tree: Tree) -> str:
    """Prefix of the SR-IOV operator's resources: a value of the chart that installs it."""
    values: Any = tree.values.get(OPERATOR_VALUES, {})
    for key in ("sriov-network-operator", "operator", "resourcePrefix"):
        values = values.get(key) if isinstance(values, dict) else None
    return values if isinstance(values, str) else ANY


_NETWORKS = {
    "NetworkAttachmentDefinition": None,
    "SriovNetwork": "sriov",
    "SriovIBNetwork": "ib-sriov",
    "HostDeviceNetwork": "host-device",
    "MacvlanNetwork": "macvlan",
    "IPoIBNetwork": "ipoib",
    "SpiderMultusConfig": "",
}
"""Kind -> main plugin of the NAD the operator generates; of a SpiderMultusConfig its cniType."""

_POOLS = {"IPPool": "ippool", "CIDRPool": "cidrpool", "SpiderIPPool": "spiderpool"}


def _network(thing: Object, prefix: str) -> Network:
    kind = _NETWORKS[thing.kind]
    if kind is None:
        config = thing.embedded["spec", "config"]
        resource = thing.body["metadata"].get("annotations", {}).get(RESOURCE_ANNOTATION)
        plugins = tuple(config["plugins"])
    elif not kind:
        resource, plugins = _of_spiderpool(thing)
    else:
        main = {"type": kind, "ipam": thing.embedded.get(("spec", "ipam"), {})}
        resource = thing.spec.get("resourceName")
        # HostDeviceNetwork forces it (Mellanox/network-operator pkg/state/state_hostdevice_network.go)
        resource = resource and f"{'nvidia.com' if kind == 'host-device' else prefix}/{resource}"
        plugins = (main, *thing.embedded.get(("spec", "metaPlugins"), ()))
    namespace = str(thing.spec.get("networkNamespace", thing.namespace))
    return Network(thing=thing, namespace=namespace, name=thing.name, resource=resource, plugins=plugins)


def _of_spiderpool(thing: Object) -> tuple[str | None, tuple[dict[str, Any], ...]]:
    """Resource and chain of the NAD that Spiderpool generates: main, rdma, coordinator, the chained ones
    (spidernet-io/spiderpool pkg/multuscniconfig/multusconfig_informer.go)."""
    kind = str(thing.spec["cniType"])
    section = thing.spec[kind]
    pools = section.get("ippools", {}).get("ipv4", [])
    main = {"type": kind, "ipam": {"type": "spiderpool", "pools": pools}}
    if "vlanID" in section:
        main["vlan"] = section["vlanID"]
    if "master" in section:
        main["master"] = section["master"][0]
    rdma = ({"type": "rdma"},) if section.get("rdmaIsolation") else ()
    tuned = ({"type": "coordinator"},) if thing.spec["enableCoordinator"] else ()
    chained = tuple(thing.embedded.get(("spec", "chainCNIJsonData"), ()))
    return section.get("resourceName") or section.get("rdmaResourceName"), (main, *rdma, *tuned, *chained)


def _configs(thing: Object) -> Iterator[PluginConfig]:
    for place, value in thing.embedded.items():
        for key, shared in (("resourceList", False), ("configList", True)):
            if isinstance(value, dict) and key in value:
                yield PluginConfig(thing=thing, place=place, shared=shared, entries=tuple(value[key]))


def _pods(thing: Object) -> Iterator[Pod]:
    if thing.kind == "PodRails":
        container = thing.body["container"]
        spec = {**thing.body["template"].get("spec", {}), "containers": [container]}
        yield _pod(thing, "$.template", {**thing.body["template"], "spec": spec})
    for where, template in pod_templates(thing.body):
        yield _pod(thing, where, template)


def _claimed_names(template: Object) -> tuple[tuple[str, int], ...]:
    """(resource name, count) of the requests that name one."""
    out = []
    for request in template.spec["spec"]["devices"]["requests"]:
        exactly = request["exactly"]
        for selector in exactly["selectors"]:
            match = _BY_NAME.search(selector["cel"]["expression"])
            if match is not None:
                out.append((match[1], exactly.get("count", 1)))
    return tuple(out)


def _with_claims(pod: Pod, requests: Mapping[tuple[str, str], tuple[tuple[str, int], ...]]) -> Pod:
    """The pod with the devices of its claims among its limits."""
    limits = dict(pod.limits)
    for template in pod.claims.values():
        for name, count in requests.get((pod.thing.namespace, template), ()):
            limits[name] = (*limits.get(name, ()), str(count))
    return replace(pod, limits=limits)


def _pod(thing: Object, where: str, template: dict[str, Any]) -> Pod:
    limits: dict[str, list[str]] = defaultdict(list)
    claimed: list[str] = []
    for container in template["spec"]["containers"]:
        claimed += [c["name"] for c in container.get("resources", {}).get("claims", ())]
        for resource, amount in container.get("resources", {}).get("limits", {}).items():
            limits[resource].append(amount)
    return Pod(
        thing=thing,
        where=where,
        template=template,
        annotations=template.get("metadata", {}).get("annotations", {}),
        limits={resource: tuple(amounts) for resource, amounts in limits.items()},
        claims={
            c["name"]: c["resourceClaimTemplateName"] for c in template["spec"].get("resourceClaims", ())
        },
        claimed=tuple(claimed),
    )
