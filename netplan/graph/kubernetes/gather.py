"""Joins objects into a cluster: its networks, pods and resources."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from netplan.diagnostics import Path
from netplan.graph.kubernetes.chart_values import operator_prefix, resources_by_values
from netplan.graph.kubernetes.cluster import (
    NVIDIA,
    SPECTRUM_X,
    SPIDERPOOL,
    SRIOV,
    SRIOV_DRA,
    Nad,
    ObjectGraph,
    Plugin,
    PluginConfig,
    Pod,
)
from netplan.graph.kubernetes.needs import Need
from netplan.graph.kubernetes.node_selection import on_one_node
from netplan.model.site import SiteFacts
from netplan.reading.kubernetes.crds import Definition
from netplan.reading.kubernetes.objects import (
    CHAINED,
    CONFIG,
    IPAM,
    META,
    RESOURCE_ANNOTATION,
    Thing,
    inside,
    listing,
    mapping,
)
from netplan.reading.kubernetes.placeholders import templated
from netplan.reading.kubernetes.tree import ObjectTree

_GENERATED = {
    (SRIOV, "SriovNetwork"): "sriov",
    (SRIOV, "SriovIBNetwork"): "ib-sriov",
    (SRIOV, "OVSNetwork"): "ovs",
    (NVIDIA, "HostDeviceNetwork"): "host-device",
    (NVIDIA, "MacvlanNetwork"): "macvlan",
    (NVIDIA, "IPoIBNetwork"): "ipoib",
}
"""Kind -> main plugin of the NAD that its operator generates."""


_MARKER = re.compile(r"[a-z0-9-]+\.network\.kubevirt\.io/")
"""Resources that only mark nodes with a bridge or similar (k8snetworkplumbingwg/ovs-cni docs/marker.md);
KubeVirt requests them itself."""
_MAKERS = {("k8s.ovn.org", "UserDefinedNetwork"), ("k8s.ovn.org", "ClusterUserDefinedNetwork")}
"""Kinds for which a controller creates a NAD of the same name (ovn-org/ovn-kubernetes
go-controller/pkg/clustermanager/userdefinednetwork)."""


def cluster_of(
    tree: ObjectTree,
    given: Mapping[tuple[str, str], tuple[Definition, ...]],
    needs: tuple[Need, ...] | None = None,
    *,
    whole: bool = False,
    texts: Mapping[str, str] | None = None,
    site: SiteFacts | None = None,
) -> ObjectGraph:
    pods = tuple(_with_claims(tree, _all_pods(tree, whole)))
    prefix = operator_prefix(tree, _asked(tree.things, pods))
    configs = tuple(_configs(tree))
    made: dict[str, Thing] = {}
    for thing in tree.things:
        for name in _produced(thing, prefix):
            made.setdefault(name, thing)
    for config in configs:
        for _, entry in config.entries:
            made.setdefault(config.full(entry), config.thing)
    stated, defaults = resources_by_values(tree)
    for name, values in stated.items():
        made.setdefault(name, values)
    return ObjectGraph(
        tree=replace(tree, loose=tree.loose | {name.rpartition("/")[2] for name in defaults}),
        given=given,
        networks=tuple(n for thing in tree.things for n in _networks(thing, prefix)),
        pods=pods,
        configs=configs,
        made=made,
        prefix=prefix,
        needs=needs,
        whole=whole,
        texts=texts or {},
        site=site,
    )


def _asked(things: Iterable[Thing], pods: Iterable[Pod]) -> frozenset[str]:
    """Resources that pods and NADs name."""
    named = (thing.annotations.get(RESOURCE_ANNOTATION) for thing in things)
    return frozenset().union(
        {name for name in named if isinstance(name, str)}, *(p.resources() for p in pods)
    )


def _produced(thing: Thing, prefix: str) -> Iterator[str]:
    if thing.group == SRIOV and thing.kind == "SriovNetworkNodePolicy":
        if isinstance(thing.spec.get("resourceName"), str) and not templated(thing.spec["resourceName"]):
            yield f"{prefix}/{thing.spec['resourceName']}"
    elif thing.group == SPECTRUM_X:
        yield from (f"{prefix}/{name}" for name in _rails(thing))
    elif thing.group == SRIOV_DRA and thing.kind == "DeviceAttributes":
        name = thing.get("spec", "attributes", CLAIMED_NAME, "string")
        yield from [name] if isinstance(name, str) else []


def _rails(thing: Thing) -> list[str]:
    """Rails; each is the name of both a resource and a network (Mellanox/spectrum-x-operator 246268d
    internal/controller/spectrumxrailpoolconfig_host_flows_controller.go, reconcileRailTopology)."""
    return [str(mapping(rail).get("name")) for rail in listing(thing.spec.get("railTopology"))]


def _networks(thing: Thing, prefix: str) -> Iterator[Nad]:
    kind = (thing.group, thing.kind)
    main = _GENERATED.get(kind)
    at: Path
    if kind == ("k8s.cni.cncf.io", "NetworkAttachmentDefinition"):
        resource = thing.annotations.get(RESOURCE_ANNOTATION)
        named = isinstance(resource, str) and not templated(resource) and not _MARKER.match(resource)
        resource = resource if named else None
        at = ("metadata", "annotations", RESOURCE_ANNOTATION)
        plugins, namespace = _written_plugins(thing), thing.namespace
    elif main:
        resource, at = _generated_resource(thing, main, prefix), ("spec", "resourceName")
        plugins, namespace = _generated_plugins(thing, main), _generated_namespace(thing)
    elif kind == (SPIDERPOOL, "SpiderMultusConfig"):
        resource, at, plugins = _of_spiderpool(thing)
        namespace = thing.namespace
    elif kind in _MAKERS:
        resource, at, plugins = None, ("metadata", "name"), ()
        namespace = None if thing.kind.startswith("Cluster") else thing.namespace
    else:
        for name in _rails(thing) if kind[0] == SPECTRUM_X else ():
            namespace, at = _generated_namespace(thing), ("spec", "railTopology")
            resource = f"{prefix}/{name}"
            yield _nad(thing, namespace, name, resource, at, ())
        return
    yield _nad(thing, namespace, thing.name, resource, at, plugins)


def _nad(
    thing: Thing,
    namespace: str | None,
    name: str,
    resource: str | None,
    at: Path,
    plugins: tuple[Plugin, ...],
) -> Nad:
    ipams = [((*path, "ipam"), mapping(plugin.get("ipam"))) for path, plugin in plugins]
    if CONFIG not in thing.texts:
        ipams.append((IPAM, mapping(thing.texts.get(IPAM))))
    return Nad(
        thing=thing,
        namespace=namespace,
        name=name,
        resource=resource,
        resource_at=at,
        plugins=plugins,
        types=[str(plugin.get("type")) for _, plugin in plugins],
        ipams=[(path, ipam) for path, ipam in ipams if ipam],
    )


def _written_plugins(thing: Thing) -> tuple[Plugin, ...]:
    config = mapping(thing.texts.get(CONFIG))
    if "plugins" not in config:
        return ((CONFIG, config),) if config else ()
    found = enumerate(listing(config["plugins"]))
    return tuple(((*CONFIG, "plugins", i), p) for i, p in found if isinstance(p, dict))


def _generated_plugins(thing: Thing, main: str) -> tuple[Plugin, ...]:
    """The CR's own fields describe the main plugin; its ipam is a separate text."""
    own = {
        key: value for key, value in thing.spec.items() if key not in ("ipam", "metaPlugins", "capabilities")
    }
    chained = enumerate(listing(thing.texts.get(META)))
    return ((("spec",), {**own, "type": main}), *(((*META, i), p) for i, p in chained))


def _of_spiderpool(thing: Thing) -> tuple[str | None, Path, tuple[Plugin, ...]]:
    """Resource, its place, and the plugin chain of the NAD that Spiderpool generates: main, rdma,
    coordinator, the chained ones (spidernet-io/spiderpool pkg/multuscniconfig/multusconfig_informer.go)."""
    kind = thing.spec.get("cniType")
    if kind == "custom":  # its customCNI is a text of any plugins
        return None, ("spec", "customCNI"), ()
    own = str(kind).replace("-", "")  # ibsriov for ib-sriov
    place: Path = ("spec", own)
    section = mapping(thing.spec.get(own))
    pools = mapping(section.get("ippools"))
    ipam = {f"default_{family}_ippool": listing(pools.get(family)) for family in ("ipv4", "ipv6")}
    main: dict[str, Any] = {"type": str(kind), "ipam": {"type": "spiderpool", **ipam}}
    if "vlanID" in section:
        main["vlan"] = section["vlanID"]
    if listing(section.get("master")):
        main["master"] = section["master"][0]
    chain: list[Plugin] = [(place, main)]
    if kind == "ib-sriov":
        main["rdmaIsolation"] = section.get("rdmaIsolation") is not False  # the default of Spiderpool
    elif section.get("rdmaIsolation") is True or section.get("enableRdma") is True:
        chain.append((place, {"type": "rdma"}))
    if thing.spec.get("enableCoordinator") is not False:
        chain.append((("spec", "coordinator"), {"type": "coordinator"}))
    chain += (((*CHAINED, i), p) for i, p in enumerate(listing(thing.texts.get(CHAINED))))
    key = "resourceName" if "resourceName" in section else "rdmaResourceName"
    name = section.get(key)
    resource = name if isinstance(name, str) and name and not templated(name) else None
    return resource, (*place, key), tuple(chain)


def _generated_resource(thing: Thing, main: str, prefix: str) -> str | None:
    name = thing.spec.get("resourceName")
    if not isinstance(name, str) or not name or templated(name):
        return None
    if main == "host-device":  # Mellanox/network-operator pkg/state/state_hostdevice_network.go
        return name if name.startswith("nvidia.com/") else f"nvidia.com/{name}"
    return f"{prefix}/{name}"


def _generated_namespace(thing: Thing) -> str | None:
    stated = thing.spec.get("networkNamespace")
    if isinstance(stated, str) and stated:
        return None if templated(stated) else stated
    return "default" if thing.group == NVIDIA else thing.namespace


def _configs(tree: ObjectTree) -> Iterator[PluginConfig]:
    for thing in tree.things:
        for place, value in thing.texts.items():
            for key, shared in (("resourceList", False), ("configList", True)):
                if isinstance(value, dict) and key in value:
                    yield PluginConfig(thing=thing, place=place, shared=shared)


NO_PODS = frozenset({"CustomResourceDefinition", "ConfigMap", "Secret"})


def _all_pods(tree: ObjectTree, whole: bool) -> Iterator[Pod]:
    """Omits pods that a controller of the tree created: its template represents them. A Pod of another API
    than the core's is no pod of Kubernetes."""
    forms = {thing.form for thing in tree.things if thing.form is not None}
    barren = {form for form in forms if not any(pods_in(form.thing, (), form.thing.body))}
    for thing in tree.things:
        if whole and thing.kind == "PodRails":  # what a kustomize function adds to the pods of a workload
            template = mapping(thing.body.get("template"))
            spec = {**mapping(template.get("spec")), "containers": [thing.body.get("container")]}
            yield Pod(thing=thing, path=("template",), template={**template, "spec": spec}, replicas=None)
        if thing.form in barren or thing.kind in NO_PODS or (thing.kind == "Pod" and thing.group):
            continue
        if not (thing.owned and thing.kind in ("Pod", "ReplicaSet", "Job")):
            yield from pods_in(thing, (), thing.body, 2 if _is_on_nodes(thing) else None)


def _is_on_nodes(thing: Thing) -> bool:
    """Whether it is a DaemonSet that does not choose a single node."""
    return thing.kind == "DaemonSet" and not on_one_node(mapping(thing.get("spec", "template", "spec")))


def pods_in(thing: Thing, path: Path, value: Any, replicas: int | None = None) -> Iterator[Pod]:
    """Every map with a spec that has containers, in objects of any kind and at any depth."""
    if isinstance(value, list):
        for index, item in enumerate(value):
            yield from pods_in(thing, (*path, index), item, replicas)
    elif isinstance(value, dict):
        containers = inside(value, ("spec", "containers"))
        if isinstance(containers, list) and any(isinstance(c, dict) for c in containers):
            yield Pod(thing=thing, path=path, template=value, replicas=replicas)
            return
        own = next((value[k] for k in ("replicas", "parallelism") if type(value.get(k)) is int), replicas)
        for key, item in value.items():
            if isinstance(item, dict | list) and key not in ("metadata", "status"):
                yield from pods_in(thing, (*path, key), item, own)


CLAIMED_NAME = "k8s.cni.cncf.io/resourceName"
"""Attribute of a device that Multus compares with the annotation (dra-driver-sriov README.md)."""
BY_NAME = re.compile(r'\.resourceName == "([^"]*)"')
_NO_INTERFACE = re.compile(r"(?:gpu|mig|vfio\.gpu|compute-domain[-a-z]*)\.(?:nvidia|amd|intel)\.com\Z")
"""DeviceClasses whose devices are not network interfaces."""


def _with_claims(tree: ObjectTree, pods: Iterator[Pod]) -> Iterator[Pod]:
    """The pods, each with the devices of its claims."""
    templates = {
        (t.namespace, t.name): t
        for t in tree.things
        if t.group == "resource.k8s.io" and t.kind == "ResourceClaimTemplate"
    }
    for pod in pods:
        claims = listing(pod.spec.get("resourceClaims"))
        yield replace(pod, claimed=_devices(claims, pod.thing.namespace, templates)) if claims else pod


def _devices(
    claims: list[Any], namespace: str | None, templates: Mapping[tuple[str | None, str], Thing]
) -> dict[str, int] | None:
    """Resource -> count of all claims; None if one may bring an interface of another name."""
    found: dict[str, int] = {}
    for claim in claims:
        name = mapping(claim).get("resourceClaimTemplateName")
        template = templates.get((namespace, name)) if isinstance(name, str) else None
        named = _claimed_names(template) if template else None
        if named is None:
            return None
        for resource, count in named:
            found[resource] = found.get(resource, 0) + count
    return found


def _claimed_names(template: Thing) -> list[tuple[str, int]] | None:
    """(resource, count) of each request; None if a request may bring an interface of another name."""
    out: list[tuple[str, int]] = []
    for request in listing(template.get("spec", "spec", "devices", "requests")):
        exactly = mapping(mapping(request).get("exactly", request))
        texts = (inside(s, ("cel", "expression")) for s in listing(exactly.get("selectors")))
        match = next((m for text in texts if isinstance(text, str) and (m := BY_NAME.search(text))), None)
        count = exactly.get("count", 1)
        if match is not None and type(count) is int:
            out.append((match[1], count))
        elif not _NO_INTERFACE.match(str(exactly.get("deviceClassName"))):
            return None
    return out
