"""Objects to a cluster: which networks, pods and resources they amount to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from netplan.diagnostics import Path
from netplan.graph.kubernetes.cluster import (
    NVIDIA,
    SPECTRUM_X,
    SRIOV,
    Cluster,
    Network,
    Plugin,
    PluginConfig,
    Pod,
)
from netplan.graph.kubernetes.needs import Need
from netplan.reading.kubernetes.crds import Definition
from netplan.reading.kubernetes.load import Tree
from netplan.reading.kubernetes.objects import CONFIG, META, Thing, inside, listing, mapping, templated
from netplan.verify.cluster import ANY, RESOURCE_ANNOTATION

_GENERATED = {
    (SRIOV, "SriovNetwork"): "sriov",
    (SRIOV, "SriovIBNetwork"): "ib-sriov",
    (SRIOV, "OVSNetwork"): "ovs",
    (NVIDIA, "HostDeviceNetwork"): "host-device",
    (NVIDIA, "MacvlanNetwork"): "macvlan",
    (NVIDIA, "IPoIBNetwork"): "ipoib",
}
"""Kind -> main plugin of the NAD its operator generates."""


def cluster_of(
    tree: Tree, given: Mapping[tuple[str, str], tuple[Definition, ...]], needs: tuple[Need, ...] | None = None
) -> Cluster:
    prefix = _operator_prefix(tree)
    configs = tuple(_configs(tree))
    made: dict[str, Thing] = {}
    for thing in tree.things:
        for name in _produced(thing, prefix):
            made.setdefault(name, thing)
    for config in configs:
        for _, entry in config.entries:
            made.setdefault(config.full(entry), config.thing)
    return Cluster(
        tree=tree,
        given=given,
        networks=tuple(n for thing in tree.things for n in _networks(thing, prefix)),
        pods=tuple(_all_pods(tree)),
        configs=configs,
        made=made,
        prefix=prefix,
        needs=needs,
    )


def _operator_prefix(tree: Tree) -> str:
    """Prefix of the SR-IOV operator's resources: a value of the chart that installs it."""
    places = (("sriov-network-operator", "operator", "resourcePrefix"), ("operator", "resourcePrefix"))
    stated = {inside(values.body, place) for values in tree.values for place in places} - {None}
    only = next(iter(stated)) if len(stated) == 1 else None
    return only if isinstance(only, str) and not templated(only) else ANY


def _produced(thing: Thing, prefix: str) -> Iterator[str]:
    if thing.group == SRIOV and thing.kind == "SriovNetworkNodePolicy":
        if isinstance(thing.spec.get("resourceName"), str):
            yield f"{prefix}/{thing.spec['resourceName']}"
    elif thing.group == SPECTRUM_X:
        yield from (f"{prefix}/{name}" for name in _rails(thing))


def _rails(thing: Thing) -> list[str]:
    """A rail is the name of a resource and of a network (Mellanox/spectrum-x-operator 246268d
    internal/controller/spectrumxrailpoolconfig_host_flows_controller.go, reconcileRailTopology)."""
    return [str(mapping(rail).get("name")) for rail in listing(thing.spec.get("railTopology"))]


def _networks(thing: Thing, prefix: str) -> Iterator[Network]:
    main = _GENERATED.get((thing.group, thing.kind))
    if (thing.group, thing.kind) == ("k8s.cni.cncf.io", "NetworkAttachmentDefinition"):
        resource = thing.annotations.get(RESOURCE_ANNOTATION)
        resource = resource if isinstance(resource, str) and not templated(resource) else None
        at: Path = ("metadata", "annotations", RESOURCE_ANNOTATION)
        plugins, namespace = _written_plugins(thing), thing.namespace
    elif main:
        resource, at = _generated_resource(thing, main, prefix), ("spec", "resourceName")
        plugins, namespace = _generated_plugins(thing, main), _generated_namespace(thing)
    else:
        for name in _rails(thing) if thing.group == SPECTRUM_X else ():
            namespace, at = _generated_namespace(thing), ("spec", "railTopology")
            resource = f"{prefix}/{name}"
            yield Network(
                thing=thing, namespace=namespace, name=name, resource=resource, resource_at=at, plugins=()
            )
        return
    yield Network(
        thing=thing, namespace=namespace, name=thing.name, resource=resource, resource_at=at, plugins=plugins
    )


def _written_plugins(thing: Thing) -> tuple[Plugin, ...]:
    config = mapping(thing.texts.get(CONFIG))
    if "plugins" not in config:
        return ((CONFIG, config),) if config else ()
    found = enumerate(listing(config["plugins"]))
    return tuple(((*CONFIG, "plugins", i), p) for i, p in found if isinstance(p, dict))


def _generated_plugins(thing: Thing, main: str) -> tuple[Plugin, ...]:
    """The CR's own fields stand for the main plugin; its ipam is a text of its own."""
    own = {
        key: value for key, value in thing.spec.items() if key not in ("ipam", "metaPlugins", "capabilities")
    }
    chained = enumerate(listing(thing.texts.get(META)))
    return ((("spec",), {**own, "type": main}), *(((*META, i), p) for i, p in chained))


def _generated_resource(thing: Thing, main: str, prefix: str) -> str | None:
    name = thing.spec.get("resourceName")
    if not isinstance(name, str) or templated(name):
        return None
    if main == "host-device":  # Mellanox/network-operator pkg/state/state_hostdevice_network.go
        return name if name.startswith("nvidia.com/") else f"nvidia.com/{name}"
    return f"{prefix}/{name}"


def _generated_namespace(thing: Thing) -> str | None:
    stated = thing.spec.get("networkNamespace")
    if isinstance(stated, str) and stated:
        return None if templated(stated) else stated
    return "default" if thing.group == NVIDIA else thing.namespace


def _configs(tree: Tree) -> Iterator[PluginConfig]:
    for thing in tree.things:
        for place, value in thing.texts.items():
            for key, shared in (("resourceList", False), ("configList", True)):
                if isinstance(value, dict) and key in value:
                    yield PluginConfig(thing=thing, place=place, shared=shared)


NO_PODS = frozenset({"CustomResourceDefinition", "ConfigMap", "Secret"})


def _all_pods(tree: Tree) -> Iterator[Pod]:
    """Pods that a controller of the tree made are left out: its template stands for them."""
    for thing in tree.things:
        if thing.kind not in NO_PODS and not (thing.owned and thing.kind in ("Pod", "ReplicaSet", "Job")):
            many = 2 if thing.kind == "DaemonSet" else None
            yield from pods_in(thing, (), thing.body, many)


def pods_in(thing: Thing, path: Path, value: Any, replicas: int | None = None) -> Iterator[Pod]:
    """Every map with a spec that has containers, of whatever kind the object is, as deep as a file may be."""
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
