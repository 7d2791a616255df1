"""Objects of Spectrum-X: which PFs are on which rail, their VFs and pools; and what an inventory cannot
express.

SpectrumXRailPoolConfig: Mellanox/spectrum-x-operator 246268d api/v1alpha2/spectrumxrailpoolconfig_types.go;
NVIDIA/k8s-launch-kit writes the group ``spectrumx.net.nvidia.com`` too (profiles/spectrum-x 25247774), and in
v1alpha1 names of a SriovNetworkNodePolicy and a CIDRPool only (profiles/spectrum-x-ra2.1 18f0eed8). The
operator makes of each rail a policy and an OVSNetwork of the rail's name, whose VFs are in switchdev mode
behind a bridge of OVS-DOCA. PFs of one rail are its planes.
"""

from __future__ import annotations

from collections.abc import Iterator

from netplan.importing.facts import Fact, Remark
from netplan.importing.kubernetes.nics import MOST_MTU, at_once
from netplan.importing.kubernetes.objects import Path, Reader

NO_MODE = "its pods use OVS networks (switchdev), which are not supported; state networks yourself"
NO_PLANES = "are planes of one rail, but the inventory has one HCA per rail; the first is taken"
NO_PROFILE = "the inventory has no key for its NIC settings; set fabric.adaptive_routing: true if it is on"


def rail_pool_facts(read: Reader) -> Iterator[Fact | Remark]:
    yield read.fact("cluster", (), "sriov_operator", True, "kind")
    yield read.fact("cluster", (), "sriov_namespace", read.text("metadata", "namespace"), "metadata")
    yield Remark(read.at("kind"), f"{read.thing}: {NO_MODE}", alike=NO_MODE)
    if read.value("spec", "railTopology") and read.flag("spec", "draEnabled") is not False:
        at: Path = ("spec", "draEnabled") if "draEnabled" in read.names("spec") else ("spec",)
        yield read.fact("cluster", (), "dra_driver", "dra-driver-sriov", *at)
    yield from at_once(read)
    for path, _ in read.rows("spec", "railTopology"):
        yield from _rail(read, path)


def _rail(read: Reader, path: Path) -> Iterator[Fact | Remark]:
    """As a policy of the SR-IOV operator for the rail's PFs."""
    name, mtu = read.text(*path, "name"), read.number(*path, "mtu", most=MOST_MTU)
    of = (name, read.thing.name)
    at = (*path, "nicSelector", "pfNames")
    names = read.texts(*at)
    if not name or not names:
        yield Remark(read.at(*path), f"rail {name or 'without a name'} of {read.thing} names no PF, left out")
        return
    yield read.fact("resource", of, "netdevs", tuple(names[:1]), *at)
    yield read.fact("resource", of, "told", True, *path)
    if len(names) > 1:
        yield Remark(read.at(*at), f"{', '.join(names)} of {name} {NO_PLANES}")
    if vfs := read.number("spec", "numVfs"):
        yield read.fact("resource", of, "vfs", vfs, "spec", "numVfs")
    if mtu:
        yield read.fact("resource", of, "pod_mtu", mtu, *path, "mtu")
    if pool := read.text(*path, "cidrPoolRef"):
        yield read.fact("resource", of, "pool", pool, *path, "cidrPoolRef")
    if read.text(*path, "ipam"):
        yield Remark(read.at(*path, "ipam"), f"the IPAM of {name} is not read")
    yield from read.labels("resource", of, "spec", "nodeSelector")


def ovs_network_facts(read: Reader) -> Iterator[Fact | Remark]:
    read.seen.add(("spec",))
    why = "OVS networks (switchdev) are not supported, left out"
    yield Remark(read.at("kind"), f"{read.thing}: {why}", alike=why)


def profile_facts(read: Reader, path: Path) -> Iterator[Fact | Remark]:
    """``spectrumXOptimized`` of a NicConfigurationTemplate."""
    if read.flag(*path, "enabled"):
        version = read.text(*path, "version")
        read.seen.add(path)
        yield Remark(read.at(*path), f"{read.thing}: Spectrum-X {version}: {NO_PROFILE}")
