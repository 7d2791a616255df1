"""What foreign objects amount to: networks as Multus sees them, pods, resources, pools.

As ``netplan.verify.cluster``, for objects that may lack anything: what is not there is left out, what cannot
be known is None.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from netplan.diagnostics import Path
from netplan.foreign.crds import Definition
from netplan.foreign.load import Tree
from netplan.foreign.objects import CONFIG, IPAM, META, Thing, inside, listing, mapping, templated
from netplan.verify.cluster import ANY, RESOURCE_ANNOTATION

SRIOV = "sriovnetwork.openshift.io"
NVIDIA = "mellanox.com"
NV_IPAM = "nv-ipam.nvidia.com"
NIC_CONFIGURATION = "configuration.net.nvidia.com"
SPECTRUM_X = "spectrumx.nvidia.com"

_GENERATED = {
    (SRIOV, "SriovNetwork"): "sriov",
    (SRIOV, "SriovIBNetwork"): "ib-sriov",
    (SRIOV, "OVSNetwork"): "ovs",
    (NVIDIA, "HostDeviceNetwork"): "host-device",
    (NVIDIA, "MacvlanNetwork"): "macvlan",
    (NVIDIA, "IPoIBNetwork"): "ipoib",
}
"""Kind -> main plugin of the NAD its operator generates."""

T = TypeVar("T")
Plugin = tuple[Path, dict[str, Any]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Network:
    """A NAD, written or to be generated. ``namespace``: None where it is not known. ``resource``: full name,
    with prefix ``*`` where the operator's prefix is not known; at ``resource_at``."""

    thing: Thing
    namespace: str | None
    name: str
    resource: str | None
    resource_at: Path
    plugins: tuple[Plugin, ...]

    @property
    def types(self) -> list[str]:
        return [str(plugin.get("type")) for _, plugin in self.plugins]

    @property
    def ipams(self) -> list[Plugin]:
        """Each with its path."""
        found = [((*path, "ipam"), mapping(plugin.get("ipam"))) for path, plugin in self.plugins]
        texts = [(IPAM, self.thing.texts.get(IPAM))] if CONFIG not in self.thing.texts else []
        return [(p, i) for p, i in found if i] + [(p, i) for p, i in texts if isinstance(i, dict) and i]

    def __str__(self) -> str:
        return f"{self.namespace}/{self.name}" if self.namespace else self.name


@dataclass(frozen=True, slots=True, kw_only=True)
class Pod:
    """A pod or pod template. ``path``: where it is in the object. ``replicas``: None where not stated."""

    thing: Thing
    path: Path
    template: dict[str, Any]
    replicas: int | None

    @property
    def annotations(self) -> dict[str, Any]:
        return mapping(inside(self.template, ("metadata", "annotations")))

    @property
    def spec(self) -> dict[str, Any]:
        return mapping(self.template.get("spec"))

    def containers(self, key: str = "containers") -> list[Plugin]:
        found = enumerate(listing(self.spec.get(key)))
        return [((*self.path, "spec", key, i), c) for i, c in found if isinstance(c, dict)]

    def asked(self, resource: str) -> int:
        """Devices of a resource the pod holds: of all its containers; of an init container if that is
        more."""
        own = sum(_amount(c, resource) for _, c in self.containers())
        return max([own, *(_amount(c, resource) for _, c in self.containers("initContainers"))])

    def resources(self) -> set[str]:
        both = [*self.containers(), *self.containers("initContainers")]
        return {
            name
            for _, c in both
            for part in ("limits", "requests")
            for name in quantities(c, part)
            if "/" in name
        }

    def __str__(self) -> str:
        return str(self.thing)


@dataclass(frozen=True, slots=True, kw_only=True)
class PluginConfig:
    """Configuration of a device plugin. ``shared``: of the RDMA-shared one, else of the SR-IOV one."""

    thing: Thing
    place: Path
    shared: bool

    @property
    def entries(self) -> list[Plugin]:
        key = "configList" if self.shared else "resourceList"
        found = enumerate(listing(mapping(self.thing.texts[self.place]).get(key)))
        return [((*self.place, key, i), e) for i, e in found if isinstance(e, dict)]

    def full(self, entry: dict[str, Any]) -> str:
        """Full name; the prefixes are the plugins' own defaults (facts, kubernetes 3.1 and 4), where a
        flag of a plugin that is deployed by hand may change that of the SR-IOV one."""
        flag = not self.shared and self.thing.kind == "ConfigMap"
        default = "rdma" if self.shared else ANY if flag else "intel.com"
        return f"{entry.get('resourcePrefix') or default}/{entry.get('resourceName')}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Cluster:
    """``made``: full name -> who produces it. ``given``: CRDs of the user, by group and kind. ``memo``:
    what rules worked out once for several of them."""

    tree: Tree
    given: Mapping[tuple[str, str], tuple[Definition, ...]]
    networks: tuple[Network, ...]
    pods: tuple[Pod, ...]
    configs: tuple[PluginConfig, ...]
    made: dict[str, Thing]
    prefix: str
    memo: dict[Any, Any] = field(default_factory=dict)

    def once(self, key: object, make: Callable[[], T]) -> T:
        if key not in self.memo:
            self.memo[key] = make()
        found: T = self.memo[key]
        return found

    def of(self, group: str, *kinds: str) -> list[Thing]:
        return [t for kind in kinds for t in self._by_kind().get((group, kind), ())]

    def _by_kind(self) -> dict[tuple[str, str], list[Thing]]:
        def make() -> dict[tuple[str, str], list[Thing]]:
            found: dict[tuple[str, str], list[Thing]] = {}
            for thing in self.tree.things:
                found.setdefault((thing.group, thing.kind), []).append(thing)
            return found

        return self.once("by kind", make)

    @property
    def pools(self) -> list[Thing]:
        return self.of(NV_IPAM, "IPPool", "CIDRPool")

    @property
    def policies(self) -> list[Thing]:
        return self.of(SRIOV, "SriovNetworkNodePolicy")

    def named(self, namespace: str | None, name: str) -> list[Network]:
        """Networks that a reference may mean; an unknown namespace is any."""

        def make() -> dict[str, list[Network]]:
            found: dict[str, list[Network]] = {}
            for network in self.networks:
                found.setdefault(network.name, []).append(network)
            return found

        same = self.once("by name", make).get(name, ())
        return [n for n in same if n.namespace is None or namespace is None or n.namespace == namespace]

    def producers(self, resource: str) -> list[Thing]:
        def make() -> dict[str, list[str]]:
            found: dict[str, list[str]] = {}
            for name in self.made:
                found.setdefault(name.rpartition("/")[2], []).append(name)
            return found

        same = self.once("made", make).get(resource.rpartition("/")[2], ())
        return [self.made[name] for name in same if same_resource(name, resource)]


def same_resource(one: str, other: str) -> bool:
    prefix, _, name = one.rpartition("/")
    other_prefix, _, other_name = other.rpartition("/")
    return name == other_name and (prefix == other_prefix or ANY in (prefix, other_prefix))


def quantities(container: dict[str, Any], part: str) -> dict[str, Any]:
    return mapping(mapping(container.get("resources")).get(part))


def _amount(container: dict[str, Any], resource: str) -> int:
    """Limits count; requests where there are no limits. Of names that may be the same resource."""
    for part in ("limits", "requests"):
        amounts = [str(a) for name, a in quantities(container, part).items() if same_resource(name, resource)]
        if amounts:
            return sum(int(a) for a in amounts if a.isdecimal())
    return 0


def cluster_of(tree: Tree, given: Mapping[tuple[str, str], tuple[Definition, ...]]) -> Cluster:
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
    """A rail is the name of a resource and of a network (facts, kubernetes 6.8)."""
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
    if main == "host-device":  # forces its prefix (facts, kubernetes 6.4)
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


_DEPTH_MAX = 12
"""Levels at which pod templates are looked for: of a CronJob it is the fifth, of a Volcano job the fourth."""
_NO_PODS = frozenset({"CustomResourceDefinition", "ConfigMap", "Secret"})


def _all_pods(tree: Tree) -> Iterator[Pod]:
    """Pods that a controller of the tree made are left out: its template stands for them."""
    for thing in tree.things:
        if thing.kind not in _NO_PODS and not (thing.owned and thing.kind in ("Pod", "ReplicaSet", "Job")):
            many = 2 if thing.kind == "DaemonSet" else None
            yield from _pods(thing, (), thing.body, many, 0)


def _pods(thing: Thing, path: Path, value: Any, replicas: int | None, depth: int) -> Iterator[Pod]:
    """Every map with a spec that has containers, of whatever kind the object is."""
    if depth > _DEPTH_MAX:
        return
    if isinstance(value, list):
        for index, item in enumerate(value):
            yield from _pods(thing, (*path, index), item, replicas, depth + 1)
    elif isinstance(value, dict):
        containers = inside(value, ("spec", "containers"))
        if isinstance(containers, list) and any(isinstance(c, dict) for c in containers):
            yield Pod(thing=thing, path=path, template=value, replicas=replicas)
            return
        own = next((value[k] for k in ("replicas", "parallelism") if type(value.get(k)) is int), replicas)
        for key, item in value.items():
            if isinstance(item, dict | list) and key not in ("metadata", "status"):
                yield from _pods(thing, (*path, key), item, own, depth + 1)
