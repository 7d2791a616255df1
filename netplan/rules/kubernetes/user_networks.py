"""What the CRD of UserDefinedNetworks refuses beyond fields and words, for NP752: subnets and rules in CEL.

ovn-kubernetes/ovn-kubernetes 8871cd9c helm/ovn-kubernetes/crds/k8s.ovn.org_clusteruserdefinednetworks.yaml,
x-kubernetes-validations; ovn-org/ovn-kubernetes 6c366bb4
go-controller/pkg/crd/userdefinednetwork/v1/shared.go.
Rules that some release with the field lacks are left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from netplan.diagnostics import Path, dotted
from netplan.graph.kubernetes.addresses import IpNetwork, around
from netplan.reading.kubernetes.fields import FieldFault
from netplan.reading.kubernetes.objects import Thing, inside, listing, mapping
from netplan.reading.kubernetes.placeholders import templated

_AT: dict[str, Path] = {"UserDefinedNetwork": ("spec",), "ClusterUserDefinedNetwork": ("spec", "network")}
_TOPOLOGIES = {"Layer2": "layer2", "Layer3": "layer3", "Localnet": "localnet"}
"""The last one is of ClusterUserDefinedNetworks alone."""
_OF_PRIMARY = ("joinSubnets", "defaultGatewayIPs", "reservedSubnets", "infrastructureSubnets")
_NEED_SUBNETS = ("ipamLifecycle", "reservedSubnets", "infrastructureSubnets", "excludeSubnets")
_SUBNETS = ("subnets", "joinSubnets", "reservedSubnets", "infrastructureSubnets", "excludeSubnets")


def refused(thing: Thing) -> Iterator[FieldFault]:
    base = _AT.get(thing.kind) if thing.group == "k8s.ovn.org" else None
    spec = mapping(inside(thing.body, base)) if base is not None else {}
    if base is None or templated(spec.get("topology")):
        return
    if (thing.kind, spec.get("topology")) != ("UserDefinedNetwork", "Localnet"):
        yield from _wrong_topology(base, spec)
    for topology, key in _TOPOLOGIES.items():
        own = spec.get(key)
        if isinstance(own, dict):
            at = (*base, key)
            yield from (*_wrong_subnets(at, own), *_wrong_ipam(at, own), *_unfit(at, own, topology))


def _wrong_topology(base: Path, spec: dict[str, Any]) -> Iterator[FieldFault]:
    """The settings are those of the topology, and no others."""
    topology = spec.get("topology")
    key = _TOPOLOGIES.get(str(topology))
    if key is None:
        return
    others = [other for other in _TOPOLOGIES.values() if other != key and spec.get(other) is not None]
    lacks = spec.get(key) is None
    for other in others:
        meant = next(word for word, name in _TOPOLOGIES.items() if name == other)
        hint = f"write {key}, or topology {meant}" if lacks else f"remove {other}"
        yield FieldFault((*base, other), f"{other} is set, but the topology is {topology}", hint)
    if lacks and not others:
        message = f"{key} is required by topology {topology} and missing"
        yield FieldFault((*base, key), message, f"write {key}", missing=True)


def _unfit(at: Path, own: dict[str, Any], topology: str) -> Iterator[FieldFault]:
    """Fields that contradict the role, or lack the subnets that they are about."""
    role, subnets = own.get("role"), own.get("subnets")
    for key in _OF_PRIMARY if role == "Secondary" else ():
        if own.get(key) is not None:
            yield FieldFault((*at, key), f"{key} is for role Primary only", f"remove {key}")
    enabled = inside(own, ("ipam", "mode")) in (None, "Enabled")
    primary = topology == "Layer2" and role == "Primary"
    if subnets is None and enabled and (primary or topology == "Localnet"):
        why = "role Primary" if primary else "an ipam that is not disabled"
        yield FieldFault(
            (*at, "subnets"), f"subnets is required by {why} and missing", "write subnets", missing=True
        )
        return
    for key in _NEED_SUBNETS if subnets is None else ():
        if own.get(key) is not None:
            yield FieldFault((*at, key), f"{key} is set without subnets", "write subnets")


def _wrong_ipam(at: Path, own: dict[str, Any]) -> Iterator[FieldFault]:
    ipam = mapping(own.get("ipam"))
    if ipam.get("mode") == "Disabled":
        if own.get("role") == "Primary":
            yield FieldFault((*at, "ipam", "mode"), "mode Disabled is for role Secondary only", "remove ipam")
        elif own.get("subnets") is not None:
            yield FieldFault(
                (*at, "subnets"), "subnets is set, but the ipam is disabled", "remove one of them"
            )
        if ipam.get("lifecycle") == "Persistent":
            yield FieldFault(
                (*at, "ipam", "lifecycle"), "lifecycle Persistent needs mode Enabled", "remove it"
            )
    vlan = mapping(own.get("vlan"))
    if vlan.get("mode") == "Access" and vlan.get("access") is None:
        message = "access is required by mode Access and missing"
        yield FieldFault((*at, "vlan", "access"), message, "write access, with id", missing=True)


def _wrong_subnets(at: Path, own: dict[str, Any]) -> Iterator[FieldFault]:
    for key in _SUBNETS:
        rows = listing(own.get(key))
        if own.get(key) == []:
            yield FieldFault((*at, key), f"{dotted((*at, key))} is empty", "write a subnet, or remove it")
        found: list[IpNetwork] = []
        for index, row in enumerate(rows):
            place: Path = (*at, key, index, *(["cidr"] if isinstance(row, dict) else []))
            text = row.get("cidr") if isinstance(row, dict) else row
            if not isinstance(text, str) or templated(text):
                continue
            try:
                found.append(_cidr(text))
            except ValueError:
                message = f"{dotted(place)} is {text!r}, no address with prefix length"
                yield FieldFault(place, message, "write it as 10.0.0.0/16")
                continue
            yield from _wrong_share(
                (*at, key, index, "hostSubnet"), mapping(row).get("hostSubnet"), found[-1]
            )
        if key in ("subnets", "joinSubnets") and len(found) == len(rows):
            yield from _too_many((*at, key), found, own)


def _wrong_share(at: Path, length: Any, network: IpNetwork) -> Iterator[FieldFault]:
    """Of the prefix length of a node's part."""
    if type(length) is int and not network.prefixlen < length < (32 if network.version == 4 else 128):
        longest = network.max_prefixlen - 1
        message = f"hostSubnet is {length}, no part of {network}"
        yield FieldFault(at, message, f"write a length of {network.prefixlen + 1} to {longest}")


def _too_many(at: Path, found: list[IpNetwork], own: dict[str, Any]) -> Iterator[FieldFault]:
    """Two subnets are one of each IP version; later releases give a primary network of layer 3 many."""
    versions = [network.version for network in found]
    many = at[-2:] == ("layer3", "subnets") and own.get("role") != "Secondary"
    if len(set(versions)) < len(versions) and not many:
        message = f"{dotted(at)} has two subnets of IPv{max(versions, key=versions.count)}"
        yield FieldFault((*at, 1), message, "write one of each IP version")


def _cidr(text: str) -> IpNetwork:
    if "/" not in text:
        raise ValueError
    return around(text)
