"""What foreign objects amount to: networks as Multus sees them, pods, resources, pools.

As ``netplan.verify.cluster``, for objects that may lack anything: what is not there is left out, what cannot
be known is None.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from netplan.diagnostics import Path
from netplan.graph.kubernetes.needs import Need
from netplan.reading.kubernetes.crds import Definition
from netplan.reading.kubernetes.load import Tree
from netplan.reading.kubernetes.objects import CONFIG, IPAM, Thing, inside, listing, mapping
from netplan.verify.cluster import ANY

SRIOV = "sriovnetwork.openshift.io"
NVIDIA = "mellanox.com"
NV_IPAM = "nv-ipam.nvidia.com"
NIC_CONFIGURATION = "configuration.net.nvidia.com"
SPECTRUM_X = "spectrumx.nvidia.com"

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
        """Full name; the prefixes are the plugins' own defaults, where a flag of a plugin that is deployed by
        hand may change that of the SR-IOV one (k8snetworkplumbingwg/sriov-network-device-plugin v3.11.0
        cmd/sriovdp/main.go; Mellanox/k8s-rdma-shared-dev-plugin 410b0f3
        pkg/resources/resources_manager.go)."""
        flag = not self.shared and self.thing.kind == "ConfigMap"
        default = "rdma" if self.shared else ANY if flag else "intel.com"
        return f"{entry.get('resourcePrefix') or default}/{entry.get('resourceName')}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Cluster:
    """``made``: full name -> who produces it. ``given``: CRDs of the user, by group and kind. ``needs``: of
    the workloads of an inventory, None where there is none. ``memo``: what rules worked out once for several
    of them."""

    tree: Tree
    given: Mapping[tuple[str, str], tuple[Definition, ...]]
    networks: tuple[Network, ...]
    pods: tuple[Pod, ...]
    configs: tuple[PluginConfig, ...]
    made: dict[str, Thing]
    prefix: str
    needs: tuple[Need, ...] | None = None
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
            return sum(map(whole_number, amounts))
    return 0


_DIGITS_MAX = 18


def whole_number(text: str) -> int:
    """0 where it is none; one of any length is only large."""
    return int(text[:_DIGITS_MAX]) if text.isdecimal() else 0
