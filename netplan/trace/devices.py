"""Which HCA backs a pod interface: what produces its resource, in the order in which Multus assigns
devices."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from netplan.graph.hosts import Stated, link_of, number
from netplan.graph.kubernetes.cluster import SRIOV, Nad, ObjectGraph
from netplan.graph.kubernetes.producers import Producer, Selected, producers_of
from netplan.graph.kubernetes.tags import standing_on
from netplan.model.site import SiteHca, SiteHost
from netplan.reading.kubernetes.objects import Thing, listing, mapping
from netplan.records import dataclass
from netplan.trace.selecting import NAMING, Fit, SelectablePort, catalog_has, fit, texts_of

Texts = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Offer:
    """Devices of one port that a producer's selector takes; ``fit.key`` if it takes none. ``made``: VFs of
    the port, None if no file says; ``mtu``: from a policy."""

    hca: SiteHca
    producer: Producer
    selected: Selected
    fit: Fit
    made: Stated | None = None
    mtu: Stated | None = None

    @property
    def at(self) -> str:
        """File and line of the selector, or of the key that does not match."""
        path = (*self.selected.at, self.fit.key) if self.fit.key else self.selected.at
        return _at(self.producer, *path)

    @property
    def by_policy(self) -> bool:
        """Whether an operator creates the VFs, and no file of the host does."""
        return is_policy(self.producer) and not self.producer.thing.spec.get("externallyManaged")

    @property
    def most(self) -> int | None:
        """VFs available to pods, if the producer says how many."""
        ranged = any("#" in t for key in ("pfNames", "rootDevices") for t in self._texts(key))
        return self.fit.count if is_policy(self.producer) or ranged else None

    def _texts(self, key: str) -> list[str]:
        return texts_of(self.selected.given.get(key) or [])


def is_policy(producer: Producer) -> bool:
    return (producer.thing.group, producer.thing.kind) == (SRIOV, "SriovNetworkNodePolicy")


def _at(producer: Producer, *path: str | int) -> str:
    source = producer.thing.source(path)
    return f"{source.file}:{source.line}"


def offers(cluster: ObjectGraph, texts: Texts, resource: str, host: SiteHost) -> tuple[Offer, ...]:
    """What everything that produces the resource offers on each described port of a host."""
    found = (p for p in producers_of(cluster, resource) if host.has(p.labels))
    return tuple(offer for producer in found for offer in _of(producer, texts, host))


def _of(producer: Producer, texts: Texts, host: SiteHost) -> Iterator[Offer]:
    for selected in producer.selected:
        for hca in host.hcas:
            if (hca.pci or hca.netdev) and producer.resource:
                yield _offer(producer, selected, texts, host, hca)


def _offer(producer: Producer, selected: Selected, texts: Texts, host: SiteHost, hca: SiteHca) -> Offer:
    policy = is_policy(producer)
    made = _made(producer, texts, host, hca)
    found = fit(SelectablePort(hca, made.value if made is not None else None, policy), selected.given)
    mtu = None
    if policy and producer.mtu is not None:
        mtu = Stated(producer.mtu, _at(producer, "spec", "mtu"))
    return Offer(hca, producer, selected, found, made, mtu)


def _made(producer: Producer, texts: Texts, host: SiteHost, hca: SiteHca) -> Stated | None:
    """VFs of a port: those a policy asks for, else those of the host's own file."""
    spec = producer.thing.spec
    if is_policy(producer) and not spec.get("externallyManaged"):
        count = spec.get("numVfs")
        return Stated(count, _at(producer, "spec", "numVfs")) if type(count) is int else None
    unit = link_of(texts, host, hca)
    return number(unit, unit.last("Link", "SR-IOVVirtualFunctions")) if unit is not None else None


def policy_vfs(cluster: ObjectGraph, resources: list[str], host: SiteHost) -> Mapping[str, int]:
    """HCA -> the most VFs that a policy puts into a resource."""
    found: dict[str, int] = {}
    for resource in resources:
        for each in offers(cluster, {}, resource, host):
            if each.by_policy and not each.fit.key and each.fit.count:
                found[each.hca.name] = max(found.get(each.hca.name, 0), each.fit.count)
    return found


@dataclass(frozen=True, slots=True)
class Device:
    """The HCA, or why there is none: ``wrong`` has the reason, empty if the files just do not say. ``open``:
    why it is uncertain which HCA it is, or how it is set up."""

    hca: SiteHca | None
    offer: Offer | None = None
    wrong: str = ""
    open: tuple[str, ...] = ()


def device_of(
    cluster: ObjectGraph,
    texts: Texts,
    network: Nad,
    host: SiteHost,
    *,
    master: str | None,
    nth: int,
    asked: int,
) -> Device:
    """The device of the pod's ``nth`` attachment (from 0) that uses the network's resource; ``asked``: how
    many devices of it the pod requests."""
    if master is not None:
        return _of_master(master, host)
    if network.resource is None:
        return Device(None)
    every = offers(cluster, texts, network.resource, host)
    if not every and (hidden := _hidden(cluster, network.resource)):
        return Device(None, None, "", (hidden,))
    return _dealt(network.resource, every, host, nth, asked)


def _hidden(cluster: ObjectGraph, resource: str) -> str:
    """Of a producer whose controller chooses the devices, why it is uncertain which they are."""
    found = next((p for p in producers_of(cluster, resource) if not p.selected), None)
    said = f"which HCA has {resource}, the controller of {found} decides: it is not followed"
    return f"{said} ({_at(found, *found.at)})" if found is not None else ""


def _of_master(master: str, host: SiteHost) -> Device:
    """The PF itself, or the PF below a VLAN interface."""
    found = next((hca for name in standing_on(master) for hca in host.hcas if hca.netdev == name), None)
    unknown = found is None and any(hca.netdev for hca in host.hcas)
    return Device(found, None, f"{host.name} has no interface {master}" if unknown else "")


def _dealt(resource: str, every: tuple[Offer, ...], host: SiteHost, nth: int, asked: int) -> Device:
    """Multus deals a pod's devices of one resource sorted by PCI address; several VFs of one PF are alike
    (k8snetworkplumbingwg/multus-cni v4.3.0 pkg/types/types.go, SortDeviceIDs)."""
    fitting = [o for o in every if not o.fit.key]
    taken = [o for o in fitting if not _unnamed(o)]
    taken = sorted({id(o.hca): o for o in reversed(taken)}.values(), key=lambda o: o.hca.pci or "")
    if len(taken) > nth or len(taken) == 1:
        offer = taken[min(nth, len(taken) - 1)]
        doubts = (*_several(resource, taken, host, asked), *_twice(resource, every, host), *_unknown(offer))
        return Device(offer.hca, offer, _misses(offer, host), doubts)
    if fitting and not taken:
        return Device(None, None, "", tuple(_unknown(fitting[0])))
    described = any(hca.pci or hca.netdev for hca in host.hcas)
    wrong = _none(resource, every, host, nth) if described else ""
    return Device(None, None, wrong)


def _unnamed(offer: Offer) -> bool:
    """Whether nothing confirms that the names it selects by are those of the port."""
    given = {key for key in NAMING if offer.selected.given.get(key)}
    return bool(given) and given <= {*offer.fit.unknown}


_OF_CATALOG = {"vendor", "vendors", "deviceID", "deviceIDs", "devices", "drivers", "linkTypes"}
"""Keys that the catalog or site.json can check; for a card outside the catalog nothing can."""


def _none(resource: str, every: tuple[Offer, ...], host: SiteHost, nth: int) -> str:
    said = f"resource {resource} selects no HCA number {nth + 1} of {host.name}"
    refused = [o for o in every if o.fit.key]
    if not refused:
        return said
    nearest = max(refused, key=lambda o: list(o.selected.given).index(o.fit.key))
    values = " ".join(texts_of(nearest.selected.given[nearest.fit.key])[:4])
    none = f"{nearest.fit.key} {values} fits no device of its HCAs that the other keys leave"
    if bare := next((o for o in refused if _without_vfs(o)), None):
        made = bare.made.at if bare.made is not None else ""
        return f"{said}: {bare.hca.name} has no VFs ({made}), which {bare.fit.key} asks for ({bare.at})"
    has = catalog_has(nearest.hca, nearest.fit.key)
    return f"{said}: {none}{f', {nearest.hca.model} has {has}' if has else ''} ({nearest.at})"


def _without_vfs(offer: Offer) -> bool:
    """Whether it would match if the port had VFs."""
    bare = offer.made is not None and offer.made.value == 0
    return (
        bare and not fit(SelectablePort(offer.hca, None, is_policy(offer.producer)), offer.selected.given).key
    )


def _several(resource: str, taken: list[Offer], host: SiteHost, asked: int) -> Iterator[str]:
    """The kubelet may assign any free device of a resource (kubernetes.io/docs, Device Plugins, Allocate)."""
    if len(taken) < 2 or any(o.producer.config is not None and o.producer.config.shared for o in taken):
        return
    counts = [1 if o.fit.count is None and not o.made else o.fit.count for o in taken]
    known = [count for count in counts if count is not None]
    if len(known) == len(counts) and asked >= sum(known):
        return
    names = ", ".join(o.hca.name for o in taken)
    text = (
        f"resource {resource} has devices of {names} of {host.name} ({taken[0].at}), a pod asks for {asked}"
    )
    yield f"{text}: which of them it gets is not stated"


def _twice(resource: str, every: tuple[Offer, ...], host: SiteHost) -> Iterator[str]:
    """If two plugins offer one resource, the kubelet keeps the one that registered last
    (kubernetes/kubernetes pkg/kubelet/cm/devicemanager/plugin/v1beta1/handler.go). All policies share one
    plugin."""
    makers: dict[object, Offer] = {}
    for offer in every:
        if not offer.fit.key:
            own = offer.producer.config
            makers.setdefault(SRIOV if own is None else (id(own.thing), own.place), offer)
    if len(makers) > 1:
        said = " and ".join(f"{o.producer} ({o.at})" for o in list(makers.values())[:4])
        yield f"{said} both make {resource} on {host.name}: the plugin that registers last gets it"


def _unknown(offer: Offer) -> Iterator[str]:
    for key in offer.fit.unknown:
        if key not in _OF_CATALOG:
            place = _at(offer.producer, *offer.selected.at, key)
            yield f"no file says which devices {key} of {offer.producer.resource} takes ({place})"


_LINK_TYPES = {"eth": "ethernet", "ib": "infiniband"}


def _misses(offer: Offer, host: SiteHost) -> str:
    """Settings of a policy by which the port gets no such devices."""
    hca, producer = offer.hca, offer.producer
    if not is_policy(producer):
        return ""
    spec, where = producer.thing.spec, f"{hca.name} of {host.name}"
    link = _LINK_TYPES.get(producer.link or "", hca.link)
    if hca.link and link != hca.link:
        said = f"linkType {spec['linkType']} of {producer} ({_at(producer, 'spec', 'linkType')})"
        return f"{said} is not {hca.link}, the link of {where}"
    wanted, made = spec.get("numVfs"), offer.made
    if spec.get("externallyManaged") and made is not None and type(wanted) is int and made.value < wanted:
        said = f"{where} has {made.value} VFs ({made.at}), {producer} takes {wanted}"
        return f"{said} ({_at(producer, 'spec', 'numVfs')})"
    return ""


def settings_faults(offer: Offer, host: SiteHost, verbs: bool) -> Iterator[tuple[bool, str]]:
    """(whether it refutes, text) for settings of a producer that do not select devices. ``verbs``: whether
    the pod gets the verbs device files in another way."""
    producer = offer.producer
    policy = is_policy(producer)
    stated = producer.thing.spec if policy else offer.selected.given
    at = ("spec",) if policy else offer.selected.at
    shared = producer.config is not None and producer.config.shared
    if stated.get("isRdma") is not True and not (verbs or shared) and (policy or producer.config is not None):
        said = f"isRdma of {producer.resource} is not true ({_at(producer, *at, 'isRdma')})"
        yield True, f"{said}: its pods get no verbs device of {offer.hca.name}"
    if policy:
        yield from _of_policy(producer, offer, host)


def _of_policy(producer: Producer, offer: Offer, host: SiteHost) -> Iterator[tuple[bool, str]]:
    spec = producer.thing.spec
    for key, usual in _USUAL.items():
        if spec.get(key) not in (None, "", {}, usual):
            text = f"{key} {spec[key]} of {producer} ({_at(producer, 'spec', key)})"
            yield False, f"{text}: what VFs then do is not traced"
    if spec.get("externallyManaged") and offer.made is None:
        said = f"{producer} leaves VFs to others ({_at(producer, 'spec', 'externallyManaged')})"
        where = f"{offer.hca.name} of {host.name}"
        yield False, f"{said}: no file creates them on {where}; SR-IOVVirtualFunctions would"


_USUAL = {"deviceType": "netdevice", "eSwitchMode": "legacy", "vdpaType": None, "bridge": None}
"""VF settings, with the value at which the NIC's embedded switch passes frames from VF to wire."""


def plugin_unknown(offer: Offer, cluster: ObjectGraph) -> str:
    """Why no device plugin reads a ConfigMap, as far as files show; empty if one does."""
    config = offer.producer.config
    if config is None or config.thing.kind != "ConfigMap":
        return ""
    thing, key = config.thing, str(config.place[-1])
    name, namespace, file = _READ[config.shared]
    if (thing.name, thing.namespace, key) == (name, namespace, file) or _mounted(cluster, thing):
        return ""
    source = thing.source(config.place)
    said = f"ConfigMap {thing.namespace}/{thing.name} has it in {key} ({source.file}:{source.line})"
    return f"{said}: a device plugin as its project ships it reads {file} of {namespace}/{name}"


_READ = {
    False: ("sriovdp-config", "kube-system", "config.json"),
    True: ("rdma-devices", "kube-system", "config.json"),
}
"""Whether it is the RDMA-shared plugin -> name, namespace and key of the ConfigMap that its DaemonSet mounts
(k8snetworkplumbingwg/sriov-network-device-plugin 40b6f50 deployments/sriovdp-daemonset.yaml;
Mellanox/k8s-rdma-shared-dev-plugin deployment/k8s/base/daemonset.yaml and config/configmap.yaml)."""


def _mounted(cluster: ObjectGraph, thing: Thing) -> bool:
    """Whether a pod of the files mounts the object."""
    return any(
        mapping(mapping(volume).get("configMap")).get("name") == thing.name
        for pod in cluster.pods
        if pod.thing.namespace == thing.namespace
        for volume in listing(pod.spec.get("volumes"))
    )
