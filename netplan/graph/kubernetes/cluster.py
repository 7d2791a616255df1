"""What objects amount to: networks as Multus sees them, pods, resources, pools.

Objects may lack anything: what is not there is left out, what cannot be known is None. Of a tree that is
``whole``, as netplan's own is, nothing stands elsewhere: what is not in it is missing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import field
from typing import Any, TypeVar

from netplan.diagnostics import Path
from netplan.graph.kubernetes.needs import Need
from netplan.model.site import SiteFacts
from netplan.reading.kubernetes.crds import Definition
from netplan.reading.kubernetes.load import ObjectTree
from netplan.reading.kubernetes.objects import Thing, inside, listing, mapping, templated
from netplan.records import dataclass

ANY = "*"
"""Prefix of resources whose prefix is a setting of an operator that the tree does not install."""
NETWORKS_ANNOTATION = "k8s.v1.cni.cncf.io/networks"
SRIOV = "sriovnetwork.openshift.io"
NVIDIA = "mellanox.com"
NV_IPAM = "nv-ipam.nvidia.com"
NIC_CONFIGURATION = "configuration.net.nvidia.com"
SPECTRUM_X = "spectrumx.nvidia.com"
SPIDERPOOL = "spiderpool.spidernet.io"
SRIOV_DRA = "sriovnetwork.k8snetworkplumbingwg.io"
"""Group of SriovResourcePolicy and DeviceAttributes, and the name of the driver that reads them."""
POOL_TYPES = {"IPPool": "ippool", "CIDRPool": "cidrpool", "SpiderIPPool": "spiderpool"}

T = TypeVar("T")
Plugin = tuple[Path, dict[str, Any]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Nad:
    """A NAD, written or to be generated. ``namespace``: None where it is not known. ``resource``: full name,
    with prefix ``*`` where the operator's prefix is not known; at ``resource_at``. ``types``: of the plugins.
    ``ipams``: each with its path."""

    thing: Thing
    namespace: str | None
    name: str
    resource: str | None
    resource_at: Path
    plugins: tuple[Plugin, ...]
    types: list[str]
    ipams: list[Plugin]

    @property
    def chain(self) -> tuple[dict[str, Any], ...]:
        return tuple(plugin for _, plugin in self.plugins)

    def __str__(self) -> str:
        return f"{self.namespace}/{self.name}" if self.namespace else self.name


@dataclass(frozen=True, slots=True, kw_only=True)
class Pod:
    """A pod or pod template. ``path``: where it is in the object. ``replicas``: None where not stated.
    ``claimed``: devices by resource that its claims name; None where a claim may bring any."""

    thing: Thing
    path: Path
    template: dict[str, Any]
    replicas: int | None
    claimed: Mapping[str, int] | None = field(default_factory=dict)

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
        most = max([own, *(_amount(c, resource) for _, c in self.containers("initContainers"))])
        return most + sum(n for name, n in (self.claimed or {}).items() if same_resource(name, resource))

    def resources(self) -> set[str]:
        both = [*self.containers(), *self.containers("initContainers")]
        named = (name for _, c in both for part in ("limits", "requests") for name in quantities(c, part))
        return {*(name for name in named if "/" in name), *(self.claimed or ())}

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
class ObjectGraph:
    """``made``: full name -> who produces it. ``given``: CRDs of the user, by group and kind. ``needs``: of
    the workloads of an inventory, None where there is none. ``whole``: nothing that matters stands elsewhere.
    ``texts``: files beside the objects that set up nodes. ``site``: hosts, where there is a ``site.json``.
    ``memo``: what rules worked out once for several of them."""

    tree: ObjectTree
    given: Mapping[tuple[str, str], tuple[Definition, ...]]
    networks: tuple[Nad, ...]
    pods: tuple[Pod, ...]
    configs: tuple[PluginConfig, ...]
    made: dict[str, Thing]
    prefix: str
    needs: tuple[Need, ...] | None = None
    whole: bool = False
    texts: Mapping[str, str] = field(default_factory=dict)
    site: SiteFacts | None = None
    memo: dict[Any, Any] = field(default_factory=dict)

    def once(self, key: object, make: Callable[[], T]) -> T:
        if key not in self.memo:
            self.memo[key] = make()
        found: T = self.memo[key]
        return found

    def of_form(self, key: str, thing: Thing, make: Callable[[Thing], T]) -> T:
        """What holds of all things of a form alike."""
        one = thing.form.thing if thing.form else thing
        return self.once((key, id(one)), lambda: make(one))

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
    def pools(self) -> dict[tuple[str, str], Thing]:
        """Of nv-ipam and Spiderpool, by type and name."""

        def make() -> dict[tuple[str, str], Thing]:
            found = [*self.of(NV_IPAM, "IPPool", "CIDRPool"), *self.of(SPIDERPOOL, "SpiderIPPool")]
            return {(POOL_TYPES[pool.kind], pool.name): pool for pool in found}

        return self.once("pools", make)

    @property
    def policies(self) -> list[Thing]:
        return self.of(SRIOV, "SriovNetworkNodePolicy")

    def named(self, namespace: str | None, name: str) -> list[Nad]:
        """Networks that a reference may mean; an unknown namespace is any."""

        def make() -> dict[str, list[Nad]]:
            found: dict[str, list[Nad]] = {}
            for network in self.networks:
                found.setdefault(network.name, []).append(network)
            return found

        same = self.once("by name", make).get(name, ())
        return [n for n in same if n.namespace is None or namespace is None or n.namespace == namespace]

    def policies_of(self, network: Nad) -> list[Thing]:
        """Policies that make the VFs of a network."""

        def make() -> dict[str, list[Thing]]:
            found: dict[str, list[Thing]] = {}
            for policy in self.policies:
                found.setdefault(f"{self.prefix}/{policy.spec.get('resourceName')}", []).append(policy)
            return found

        named = self.once("policies by resource", make)
        wanted = network.resource or ""
        return [p for name, same in named.items() if same_resource(name, wanted) for p in same]

    def producible(self, resource: str) -> bool:
        """Whether something produces it; of what stands elsewhere that is not known."""
        return not self.whole or bool(self.producers(resource))

    def producers(self, resource: str) -> list[Thing]:
        def make() -> dict[str, list[str]]:
            found: dict[str, list[str]] = {}
            for name in self.made:
                found.setdefault(name.rpartition("/")[2], []).append(name)
            return found

        same = self.once("made", make).get(resource.rpartition("/")[2], ())
        return [self.made[name] for name in same if same_resource(name, resource)]


def pool_names(network: Nad, ipam: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """(poolType, name) of each pool of nv-ipam or Spiderpool, the type in lower case; the defaults are those
    of nv-ipam's plugin (Mellanox/nvidia-k8s-ipam v0.4.0 pkg/cni/types/types.go)."""
    if ipam.get("type") == "spiderpool":
        both = (*listing(ipam.get("default_ipv4_ippool")), *listing(ipam.get("default_ipv6_ippool")))
        yield from (("spiderpool", name) for name in both if isinstance(name, str) and not templated(name))
    elif ipam.get("type") == "nv-ipam":
        kind = str(ipam.get("poolType") or "ippool").lower()
        for name in str(ipam.get("poolName") or network.name).split(","):
            if not templated(name):
                yield kind, name.strip()


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
