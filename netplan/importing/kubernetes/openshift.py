"""The network of OpenShift: Network ``cluster`` of operator.openshift.io and of config.openshift.io.

Fields: openshift/cluster-network-operator 2a6a57fe vendor/github.com/openshift/api, types_network.go of
operator/v1 and config/v1. Its operator makes a NetworkAttachmentDefinition for each additional network
(bindata/network/additional-networks).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from netplan.importing.facts import Fact, Of, Remark, not_taken
from netplan.importing.kubernetes.objects import Path, Reader
from netplan.importing.kubernetes.primary import ONE
from netplan.reading.kubernetes.objects import Thing

OPERATOR, CONFIG = "operator.openshift.io", "config.openshift.io"
_CNI: Mapping[str, str] = {"OVNKubernetes": "ovn-kubernetes"}
_ADDITIONAL: Path = ("spec", "additionalNetworks")
_WHY = "the Cluster Network Operator makes it; keep it there, with a subnet outside those of the rails"


def cluster_network_facts(read: Reader) -> Iterator[Fact | Remark]:
    types: tuple[Path, ...] = (("spec", "defaultNetwork", "type"), ("spec", "networkType"))
    for path in (*types, ("status", "networkType")):
        if (named := read.text(*path)) in _CNI:
            yield read.fact("cluster", (), "cni", _CNI[named], *path)
        elif named:
            read.refuse("a network that the inventory has no word for: state cni: other", *path)
    for part in ("spec", "status"):
        ranges = [(*at, "cidr") for at, _ in read.rows(part, "clusterNetwork")]
        yield from _range(read, "pod_cidr", ranges)
        services = len(read.texts(part, "serviceNetwork"))
        yield from _range(read, "service_cidr", [(part, "serviceNetwork", n) for n in range(services)])
    for at, _ in read.rows(*_ADDITIONAL):
        of = "/".join(_home(read, at))
        yield not_taken(read.at(*at), f"Network {'.'.join(map(str, _ADDITIONAL))}", of, _WHY)


def _range(read: Reader, field: str, paths: list[Path]) -> Iterator[Fact]:
    for number, path in enumerate(paths):
        if (network := read.network(*path)) and number == 0:
            yield read.fact("cluster", (), field, network, *path)
        elif network:
            read.refuse(ONE, *path)


def additional_networks(thing: Thing) -> list[Of]:
    """Namespace and name of the NetworkAttachmentDefinitions that its operator makes."""
    read = Reader(thing)
    return [_home(read, at) for at, _ in read.rows(*_ADDITIONAL)] if thing.group == OPERATOR else []


def _home(read: Reader, at: Path) -> Of:
    return (read.text(*at, "namespace") or "default", read.text(*at, "name"))
