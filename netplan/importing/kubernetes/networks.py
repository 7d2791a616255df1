"""Networks of pods.

Fields, of the CRDs of the projects: SriovNetwork and SriovIBNetwork
k8snetworkplumbingwg/sriov-network-operator 249e200 api/v1/sriovnetwork_types.go, sriovibnetwork_types.go;
HostDeviceNetwork, MacvlanNetwork and IPoIBNetwork Mellanox/network-operator b06827e api/v1alpha1. The
operators make a NetworkAttachmentDefinition of the same name in ``networkNamespace``: what is imported is its
owner. ``config`` of a NetworkAttachmentDefinition is JSON in a text, of one plugin or of a list, or empty
where it lies on the nodes (k8snetworkplumbingwg/multus-cni 95a0932).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from netplan.importing.facts import Fact, Of, Remark
from netplan.importing.kubernetes.nics import MOST_MTU
from netplan.importing.kubernetes.objects import Path, Reader, as_they_are
from netplan.importing.kubernetes.pools import ipam_facts
from netplan.importing.kubernetes.whole import with_fields
from netplan.importing.pkeys import pkey_of
from netplan.model.values import LAST_VLAN
from netplan.reading.kubernetes.objects import (
    CONFIG,
    IPAM,
    META,
    RESOURCE_ANNOTATION,
    Thing,
    listing,
    mapping,
)

_MODES: Mapping[str, str] = {
    "SriovNetwork": "sriov",
    "SriovIBNetwork": "ib-sriov",
    "HostDeviceNetwork": "host-device",
    "MacvlanNetwork": "macvlan",
    "IPoIBNetwork": "ipoib",
}
_PLUGINS = frozenset((*_MODES.values(), "ipvlan"))
_SWITCHED = {"on": "on", "off": "off", "true": "on", "false": "off", "yes": "on", "no": "off"}
_WORDS: Mapping[str, tuple[str, Mapping[str, str]]] = {
    "trust": ("trust", _SWITCHED),
    "spoofChk": ("spoofchk", _SWITCHED),
    "spoofchk": ("spoofchk", _SWITCHED),
    "linkState": ("link_state", as_they_are("auto", "enable", "disable")),
    "link_state": ("link_state", as_they_are("auto", "enable", "disable")),
}
_NUMBERS: Mapping[str, tuple[str, int]] = {
    "vlanQoS": ("vlan_qos", 7),
    "minTxRate": ("min_tx_rate_mbps", 800_000),
    "min_tx_rate": ("min_tx_rate_mbps", 800_000),
    "maxTxRate": ("max_tx_rate_mbps", 800_000),
    "max_tx_rate": ("max_tx_rate_mbps", 800_000),
}
"""Key of a SriovNetwork and of sriov-cni -> key of the inventory, with its words or greatest value."""
_TOLD = frozenset({"OVSNetwork", "SpectrumXRailPoolConfig"})
_ROUTING = {"sbr": "sbr", "coordinator": "spiderpool"}
"""Plugin of the chain -> ``routing``."""


def home(thing: Thing) -> Of:
    """Namespace and name of a network's NetworkAttachmentDefinition."""
    read = Reader(thing)
    namespace = read.text("spec", "networkNamespace") or read.text("metadata", "namespace")
    return (namespace or "default", thing.name)


def network_facts(read: Reader) -> Iterator[Fact | Remark]:
    """Facts of an operator's network object."""
    of = home(read.thing)
    read.text("spec", "networkNamespace")
    yield from with_whole(read, of, _of_object(read, of), "kind")


_NO_CHAIN = "the CRD of IPoIBNetwork has no such field up to 26.7 and drops it: no pod has these plugins"
"""Mellanox/network-operator 0039f156 api/v1alpha1/ipoibnetwork_types.go; NVIDIA/k8s-launch-kit writes it
(profiles/ipoib-rdma-shared 1703162f)."""


def _of_object(read: Reader, of: Of) -> Iterator[Fact | Remark]:
    yield read.fact("network", of, "mode", _MODES[read.thing.kind], "kind")
    yield read.fact("network", of, "writer", "operator", "kind")
    for key, name in (("resourceName", "resource"), ("master", "master")):
        if value := read.text("spec", key):
            yield read.fact("network", of, name, _bare(value), "spec", key)
    yield from setting_facts(read, of, ("spec",))
    yield from ipam_facts(read, of, IPAM)
    if read.thing.kind == "IPoIBNetwork" and read.value(*META):
        read.refuse(_NO_CHAIN, *META)
    else:
        yield from chain_facts(read, of, META, 0)


def first_plugin(read: Reader) -> Path:
    """Of the list of plugins, else the configuration itself."""
    plugins: Path = (*CONFIG, "plugins")
    return (*plugins, 0) if read.value(*plugins) is not None else CONFIG


def attachment_facts(read: Reader) -> Iterator[Fact | Remark]:
    """Facts of a NetworkAttachmentDefinition that no operator owns, or that Spiderpool made: of what it has
    nothing is only in the SpiderMultusConfig. One that was made for a network object states the same."""
    thing = read.thing
    path = first_plugin(read)
    kind = read.text(*path, "type")
    owner = _network_owner(thing, kind)
    if thing.owned and not owner and "SpiderMultusConfig" not in thing.owners:
        yield from _made_elsewhere(read)
        return
    if owner:
        yield Remark(read.at("kind"), f"{thing}: {_MADE.format(owner)}", alike=_MADE)
    if kind not in _PLUGINS:
        what = f"plugin {kind!r}" if kind else "no configuration in it"
        fault = thing.faults.get(CONFIG)
        what = f"its configuration is not JSON ({fault.reason})" if fault is not None else what
        yield Remark(read.at(*CONFIG), f"{thing}: {what}, left out")
        read.seen.add(("spec",))
        return
    of = home(thing)
    found = of_attachment(read, of, path, "operator" if owner else "netplan")
    yield from with_whole(read, of, as_in_object(found) if owner else found, *path)


_MADE = "an operator made it for a {} that no dump has; it is taken in its place, add these to the dump"
_REFERENCE = "/owner-ref"
"""End of the SR-IOV operator's annotation, ``SriovNetwork.sriovnetwork.openshift.io/<namespace>/<name>``: the
object is in another namespace, so that Kubernetes' own reference cannot name it. As the configuration beside
it: k8snetworkplumbingwg/sriov-network-operator 249e2001 api/v1/testdata/TestRendering/chained.golden."""


def _network_owner(thing: Thing, plugin: str) -> str:
    """Kind of the network object that it was made for; empty for another one."""
    return next((owner for owner, _ in made_for(thing) if _MODES.get(owner) == plugin), "")


def as_in_object(found: Iterable[Fact | Remark]) -> Iterator[Fact | Remark]:
    """Without the priority 0 that the operator writes for an object without one."""
    return (each for each in found if isinstance(each, Remark) or (each.field, each.value) != ("vlan_qos", 0))


def made_for(thing: Thing) -> list[tuple[str, str]]:
    """Kinds and names of the objects that it was made for."""
    rows = [mapping(row) for row in listing(thing.metadata.get("ownerReferences"))]
    stated = [str(text) for key, text in thing.annotations.items() if key.endswith(_REFERENCE)]
    found = [(str(row.get("kind") or ""), str(row.get("name") or "")) for row in rows]
    return found + [(text.partition(".")[0], text.rpartition("/")[2]) for text in stated]


def _made_elsewhere(read: Reader) -> Iterator[Remark]:
    """What an operator made for an object that no dump has; that of Spectrum-X is told there."""
    kinds = [kind for kind, _ in made_for(read.thing) if kind]
    read.seen.add(("spec",))
    if not _TOLD.intersection(kinds):
        why = f"an operator made it for {' and '.join(kinds) or 'an object'} that no dump has; left out"
        yield Remark(read.at("kind"), f"{read.thing}: {why}", alike=why)


def of_attachment(read: Reader, of: Of, path: Path, writer: str) -> Iterator[Fact | Remark]:
    """``path``: of its first plugin."""
    yield read.fact("network", of, "mode", read.text(*path, "type"), *path)
    yield read.fact("network", of, "writer", writer, *path)
    yield from resource_facts(read, of, "metadata", "annotations", RESOURCE_ANNOTATION)
    if master := read.text(*path, "master"):
        yield read.fact("network", of, "master", master, *path, "master")
    yield from setting_facts(read, of, path)
    yield from ipam_facts(read, of, (*path, "ipam"))
    if path != CONFIG:
        yield from chain_facts(read, of, path[:-1], 1)


def resource_facts(read: Reader, of: Of, *path: str | int) -> Iterator[Fact]:
    """A resource with the prefix of its device plugin."""
    if name := read.text(*path):
        yield read.fact("network", of, "resource", _bare(name), *path)
        if prefix := name.rpartition("/")[0]:
            yield read.fact("network", of, "prefix", prefix, *path)


def setting_facts(read: Reader, of: Of, path: Path) -> Iterator[Fact]:
    vlan = read.number(*path, "vlan", most=LAST_VLAN)
    if vlan is not None:  # 0 is untagged
        yield read.fact("network", of, "vlan", vlan, *path, "vlan")
    if mtu := read.number(*path, "mtu", most=MOST_MTU):
        yield read.fact("network", of, "mtu", mtu, *path, "mtu")
    for key, (name, words) in _WORDS.items():
        if word := read.word(words, *path, key):
            yield read.fact("network", of, name, word, *path, key)
    for key, (name, most) in _NUMBERS.items():
        number = read.number(*path, key, most=most)
        if number is not None:
            yield read.fact("network", of, name, number, *path, key)
    if pkey := read.text(*path, "pkey"):
        yield read.fact("network", of, "pkey", pkey_of(pkey), *path, "pkey")
    if read.flag(*path, "rdmaIsolation"):
        yield read.fact("network", of, "rdma", True, *path, "rdmaIsolation")
        yield read.fact("cluster", (), "rdma_mode/needed/exclusive", True, *path, "rdmaIsolation")


SYSCTLS, KIND = "sysctls", "kind/"
"""Fields of a network: that its chain sets some, and the kind of an object of it."""


def chain_facts(read: Reader, of: Of, path: Path, first: int) -> Iterator[Fact]:
    """Facts of the chained plugins, from the ``first`` on."""
    for at, _ in read.rows(*path):
        kind = read.text(*at, "type")
        if int(at[-1]) < first:
            continue
        if kind in _ROUTING:
            yield read.fact("network", of, "routing", _ROUTING[kind], *at)
        elif kind == "rdma":
            yield read.fact("network", of, "rdma", True, *at)
            yield read.fact("cluster", (), "rdma_mode/needed/exclusive", True, *at)
        elif kind == "tuning":
            if mtu := read.number(*at, "mtu", most=MOST_MTU):
                yield read.fact("network", of, "mtu", mtu, *at)
            if read.value(*at, "sysctl"):
                yield read.fact("network", of, SYSCTLS, True, *at)
        else:
            read.refuse("not rdma, tuning or sbr, the plugins that netplan chains", *at, "type")


def with_whole(
    read: Reader, of: Of, found: Iterable[Fact | Remark], *path: str | int
) -> Iterator[Fact | Remark]:
    """The facts, the kind of the object, and which fields it has."""
    yield from with_fields(read, found, read.thing.kind, path)
    yield read.fact("network", of, f"{KIND}{read.thing.kind}", True, *path)


def _bare(resource: str) -> str:
    """The resource without the device plugin's prefix."""
    return resource.rpartition("/")[2]
