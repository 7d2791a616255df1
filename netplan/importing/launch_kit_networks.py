"""Networks and pools of a ``cluster-config.yaml``, as k8s-launch-kit derives them from its profile.

NVIDIA/k8s-launch-kit profiles/*/ (06131767, 1703162f, 28ed09e3, 396bc005): with ``multirail`` each east-west
PF gets a network, a pool and a resource, with ``-rail-<n>`` or ``_rail_<n>`` and the group's identifier
appended. PFs of any other traffic are left out before they are counted (pkg/networkoperatorplugin/pfutil,
FilterEastWestPFs): the n-th east-west PF has the n-th subnet. Groups that are not merged have consecutive
slices; which group has which is only in the generated folder, whose Kubernetes objects can be read instead.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from netplan.importing.facts import Fact, Of, Remark
from netplan.importing.kubernetes.left import SYSCTLS
from netplan.importing.kubernetes.nics import MELLANOX
from netplan.importing.kubernetes.objects import Reader, pci_of
from netplan.importing.kubernetes.spectrum_x import NO_MODE, NO_PLANES
from netplan.importing.launch_kit_operator import sriov_namespace_of
from netplan.importing.launch_kit_pools import pool_facts

Path = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Deployment:
    """``section``: where its names stand. ``mtu``: the key of its MTU there."""

    mode: str
    section: str
    resources: str
    mtu: str = ""
    vfs: bool = False


DEPLOYMENTS: Mapping[tuple[str, str], Deployment] = {
    ("sriov", "ethernet"): Deployment("sriov", "sriov", "sriov", "ethernetMtu", vfs=True),
    ("sriov", "infiniband"): Deployment("ib-sriov", "sriov", "sriov", "infinibandMtu", vfs=True),
    ("host_device", "ethernet"): Deployment("host-device", "hostdev", "hostdev"),
    ("host_device", "infiniband"): Deployment("host-device", "hostdev", "hostdev"),
    ("rdma_shared", "ethernet"): Deployment("macvlan", "macvlan", "rdmaShared"),
    ("rdma_shared", "infiniband"): Deployment("ipoib", "ipoib", "rdmaShared"),
}
"""By ``profile.deployment`` and ``profile.fabric``."""


_OLD_MTU = "mtu"
"""Its key in the release of October 2025 (Mellanox/network-operator-docs 9ce9ca0 docs/k8s-launch-kit.rst)."""
_ROUTING = {"source-based": "sbr", "destination-based": "none"}
"""``profile.routing`` -> the plugin that it chains (docs/reference/configuration.md 0713a6aa, Profile)."""


_OF_VENDOR = "its policy takes every PF of vendor 15b3, those of north-south traffic too"
"""profiles/sriov-ethernet-rdma/40-sriovnetworknodepolicy.yaml f6ded5a1, ddf273c0."""
_ONE = "multirail is false: one network has all east-west PFs; the rails of PFs are left out"


def network_facts(read: Reader, groups: list[Path]) -> Iterator[Fact | Remark]:
    """``groups``: of ``clusterConfig``."""
    if read.thing.get("profile", "spectrumX", "enable") is True:
        yield from _spectrum_x(read, groups)
        return
    names = (read.text("profile", "deployment"), read.text("profile", "fabric").lower())
    kind = DEPLOYMENTS.get(names)
    if kind is None or not groups:
        if any(names):
            what = f"{' of '.join(filter(None, names))}: no deployment whose networks are known"
            yield Remark(read.at("profile"), f"profile {what}")
        return
    yield from _owner(read, kind)
    if read.flag("profile", "ignoreARP"):
        read.refuse(SYSCTLS, "profile", "ignoreARP")
    parts = _merged(read, groups)
    sets = {part.suffix for part in parts}
    if len(sets) > 1 and read.text("nvIpam", "poolName"):
        what = f"subnets of {len(sets)} groups, not taken: give the IPPools of the generated folder too"
        yield Remark(read.at("nvIpam"), what)
    for part in parts:
        yield from _group(read, part, kind, sole=len(sets) == 1)


@dataclass(frozen=True, slots=True)
class _Part:
    """``suffix``: of the names of its networks; ``first``: of the groups with that suffix. ``nodes``: its
    own, where there are other groups."""

    group: Path
    suffix: str
    first: bool
    nodes: tuple[str, ...]


def _merged(read: Reader, groups: Sequence[Path]) -> list[_Part]:
    """Groups with one type of GPU and equally many east-west PFs have one set of networks and pools, named
    after the GPUs (NVIDIA/k8s-launch-kit pkg/networkoperatorplugin/networkoperator.go,
    mergeCompatibleGroups; docs/user/heterogeneous-clusters.md 089ceea4)."""
    types = [read.text(*group, "gpuType") or read.text(*group, "productType") for group in groups]
    counts = [sum(word == "east-west" for _, word in _traffic(read, group)) for group in groups]
    keys = [*zip(types, counts, strict=True)]
    found: list[_Part] = []
    for group, key in zip(groups, keys, strict=True):
        several = bool(key[0]) and keys.count(key) > 1
        name = key[0].lower().replace(" ", "-") if several else read.text(*group, "identifier")
        suffix = f"-{name}" if name else ""
        first = not several or all(part.suffix != suffix for part in found)
        nodes = tuple(read.texts(*group, "workerNodes")) if len(groups) > 1 else ()
        found.append(_Part(group, suffix, first, nodes))
    return found


def _traffic(read: Reader, group: Path) -> list[tuple[Path, str]]:
    """The PFs of a group, and where their traffic goes."""
    return [(path, read.text(*path, "traffic")) for path, _ in read.rows(*group, "pfs")]


def _spectrum_x(read: Reader, groups: list[Path]) -> Iterator[Fact | Remark]:
    """A resource for each rail with one VF, as profiles/spectrum-x makes them (25247774); addresses are in a
    topology file that it reads, and in the CIDRPools of the generated folder."""
    at: Path = ("profile", "spectrumX")
    yield read.fact("cluster", (), "sriov_operator", True, *at)
    namespace = sriov_namespace_of(read)
    yield read.fact("cluster", (), "sriov_namespace", namespace, *at)
    yield read.fact("cluster", (), "nic_configuration", True, *at)
    what = f"a Spectrum-X profile: {NO_MODE}; addresses are in the CIDRPools of the generated folder"
    yield Remark(read.at(*at), what)
    planes = read.number(*at, "numberOfPlanes")
    if planes and planes > 1:
        yield Remark(read.at(*at, "numberOfPlanes"), f"{planes} PFs {NO_PLANES}")
    if read.thing.get(*at, "useDRA") is True:
        yield read.fact("cluster", (), "dra_driver", "dra-driver-sriov", *at, "useDRA")
    for group in groups:
        nodes = tuple(read.texts(*group, "workerNodes")) if len(groups) > 1 else ()
        for path, _ in read.rows(*group, "pfs"):
            rail = read.number(*path, "rail")
            if rail is not None and read.text(*path, "traffic") != "north-south":
                of = (f"rail{rail}", "/".join(map(str, group)))
                yield from _selected(read, of, path, (path,), nodes)
                yield read.fact("resource", of, "vfs", 1, *path)
                yield read.fact("resource", of, "told", True, *at)


def _owner(read: Reader, kind: Deployment) -> Iterator[Fact]:
    at = ("profile", "deployment")
    if kind.vfs:
        yield read.fact("cluster", (), "sriov_operator", True, *at)
        namespace = sriov_namespace_of(read)
        yield read.fact("cluster", (), "sriov_namespace", namespace, *at)
    else:
        yield read.fact("cluster", (), "device_plugin", "nic-cluster-policy", *at)


def _group(read: Reader, part: _Part, kind: Deployment, *, sole: bool) -> Iterator[Fact | Remark]:
    """``sole``: no group has networks of its own beside these, so that theirs are the first subnets."""
    fabric = []
    for path, traffic in _traffic(read, part.group):
        if traffic == "east-west":
            fabric.append(path)
        elif traffic != "north-south":
            what = f"traffic {traffic!r} of a PF is neither east-west nor north-south; it has no network"
            yield Remark(read.at(*path), what)
    pool, network = read.text("nvIpam", "poolName"), read.text(kind.section, "networkName")
    resource = read.text(kind.resources, "resourceName")
    if not (pool and network and resource):
        keys = f"nvIpam.poolName, {kind.section}.networkName and {kind.resources}.resourceName"
        yield Remark(read.at("profile"), f"not all of {keys}; networks of the profile are left out")
        return
    if read.thing.get("profile", "multirail") is not True:
        yield from _of_all(read, part, kind, fabric)
        yield from pool_facts(read, f"{pool}{part.suffix}", 0) if part.first and sole else ()
        return
    for number, path in enumerate(fabric):
        rail, netdev = read.number(*path, "rail"), read.text(*path, "networkInterface")
        if rail is None:
            yield Remark(read.at(*path), f"PF {netdev} has no rail; its network is left out")
            continue
        asked, end = f"{resource}_rail_{rail}", f"-rail-{rail}{part.suffix}"
        yield from _resource(read, path, kind, asked, (path,), part.nodes)
        if part.first:
            yield from _network(read, kind, f"{network}{end}", asked, f"{pool}{end}", (netdev,))
            yield from pool_facts(read, f"{pool}{end}", number) if sole else ()


def _of_all(read: Reader, part: _Part, kind: Deployment, fabric: Sequence[Path]) -> Iterator[Fact | Remark]:
    """One network and one resource. ``fabric``: the east-west PFs."""
    at = ("profile", "multirail")
    resource = read.text(kind.resources, "resourceName")
    if read.thing.get(*at) is False:
        yield read.fact("cluster", (), "one_network", True, *at)
        yield Remark(read.at(*at), f"{_ONE}; {_OF_VENDOR}" if kind.vfs else _ONE)
    yield from _resource(read, part.group, kind, resource, () if kind.vfs else fabric, part.nodes)
    if kind.vfs:
        of = (resource, "/".join(map(str, part.group)))
        yield read.fact("resource", of, "vendors", (MELLANOX,), *part.group)
    if part.first:
        pool, network = read.text("nvIpam", "poolName"), read.text(kind.section, "networkName")
        name = f"{network}{part.suffix}"
        netdevs = tuple(read.text(*path, "networkInterface") for path in fabric[:1])
        yield from _network(read, kind, name, resource, f"{pool}{part.suffix}", netdevs)


def _resource(
    read: Reader,
    path: Path,
    kind: Deployment,
    name: str,
    rows: Sequence[Path],
    nodes: tuple[str, ...],
) -> Iterator[Fact]:
    """``nodes``: of its group, where there are several; another one may have such a card."""
    of = (name, "/".join(map(str, path)))
    yield from _selected(read, of, path, rows, nodes)
    share = read.number("rdmaShared", "hcaMax") if kind.resources == "rdmaShared" else None
    if share:
        yield read.fact("resource", of, "share_max", share, "rdmaShared", "hcaMax")
    vfs = read.number("sriov", "numVfs") if kind.vfs else None
    if vfs:
        yield read.fact("resource", of, "vfs", vfs, "sriov", "numVfs")


def _selected(
    read: Reader, of: Of, path: Path, rows: Sequence[Path], nodes: tuple[str, ...]
) -> Iterator[Fact]:
    """``rows``: PFs. Discovery leaves their names empty where nodes of the group differ in them."""
    pcis = [pci for row in rows if (pci := pci_of(read.text(*row, "pciAddress")))]
    netdevs = [netdev for row in rows if (netdev := read.text(*row, "networkInterface"))]
    if rows and len(netdevs) == len(rows):
        yield read.fact("resource", of, "netdevs", tuple(netdevs), *path)
    elif pcis:
        yield read.fact("resource", of, "pci", tuple(pcis), *path)
    if nodes:
        yield read.fact("resource", of, "nodes", nodes, *path)


def _network(
    read: Reader, kind: Deployment, name: str, resource: str, pool: str, netdevs: tuple[str, ...]
) -> Iterator[Fact]:
    at = (kind.section, "networkName")
    listed = read.thing.get("networkNamespaces")
    spaces = [each for each in (listed if isinstance(listed, list) else ()) if isinstance(each, str)]
    for namespace in spaces or [read.text("podNamespace") or "default"]:
        of = (namespace, f"{name}-{namespace}" if len(spaces) > 1 else name)  # nsSuffix of its templates
        yield read.fact("network", of, "mode", kind.mode, *at)
        yield read.fact("network", of, "writer", "operator", *at)
        yield read.fact("network", of, "ipam", "nv-ipam", "nvIpam")
        yield read.fact("network", of, "pool", pool, "nvIpam", "poolName")
        if kind.resources == "rdmaShared":
            for netdev in filter(None, netdevs):
                yield read.fact("network", of, "master", netdev, *at)
        else:
            yield read.fact("network", of, "resource", resource, kind.resources, "resourceName")
        if read.word(_ROUTING, "profile", "routing") == "sbr":
            yield read.fact("network", of, "routing", "sbr", "profile", "routing")
        for key in (kind.mtu, _OLD_MTU) if kind.mtu else ():
            if mtu := read.number(kind.section, key):
                yield read.fact("network", of, "mtu", mtu, kind.section, key)
                break
