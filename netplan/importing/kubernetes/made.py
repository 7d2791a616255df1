"""NetworkAttachmentDefinitions whose network object is in the dumps too: the operator writes the same there,
so that what differs is a contradiction. Pods get what the attachment has, whoever changed it.

Mellanox/network-operator b06827e0 manifests/state-hostdevice-network, -macvlan-network, -ipoib-network;
k8snetworkplumbingwg/sriov-network-operator 249e2001 bindata/manifests/cni-config; Spiderpool changes names of
masters and adds plugins (spidernet-io/spiderpool a7fbd3b2 pkg/multuscniconfig/multusconfig_informer.go).
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator
from typing import Any

from netplan.importing.facts import Fact, Of, Remark
from netplan.importing.kubernetes import spiderpool
from netplan.importing.kubernetes.left import left_fields
from netplan.importing.kubernetes.networks import as_in_object, first_plugin, home, of_attachment
from netplan.importing.kubernetes.objects import Path, Reader
from netplan.importing.kubernetes.whole import COMPARED, with_fields
from netplan.reading.kubernetes.objects import CONFIG, Thing

_OF_THE_PLUGIN = frozenset({"prefix"})
"""Fields that only the attachment has."""
_OF_SPIDERPOOL = frozenset({"mode", "resource", "vlan", "mtu", "ipam", "pool", "routing", "rdma"})
"""Fields that Spiderpool copies; others are not read of both, or it changes them."""
_SPIDERPOOL = "SpiderMultusConfig"


def made_facts(thing: Thing, owner: Thing) -> Iterator[Fact | Remark]:
    """What it says of the network of ``owner``, which reads the same fields."""
    read = Reader(thing)
    path, of = first_plugin(read), _home(owner)
    if thing.faults or not read.text(*path, "type"):
        fault = thing.faults.get(CONFIG)
        what = f"its configuration is not JSON ({fault.reason})" if fault else "no configuration in it"
        yield Remark(read.at(*CONFIG), f"{thing}: {what}; pods get no {owner.kind} {owner.name}")
        return
    yield from _moved(read, owner, of)
    yield from _other_mode(read, path, owner, of)
    found = [
        each
        for each in as_in_object(of_attachment(read, of, path, "operator"))
        if isinstance(each, Fact) and each.kind in COMPARED and _is_copied(each, owner)
    ]
    if owner.kind == _SPIDERPOOL:
        yield from found
    else:
        yield from with_fields(read, found, owner.kind, path)
        stated = {*_values(owner.spec), *(value for text in owner.texts.values() for value in _values(text))}
        yield from (each for each in (*read.refused, *left_fields(read)) if not _is_in(each, stated))


def _home(owner: Thing) -> Of:
    return spiderpool.home(owner) if owner.kind == _SPIDERPOOL else home(owner)


def _moved(read: Reader, owner: Thing, of: Of) -> Iterator[Fact]:
    """An attachment in another namespace than its object asks for."""
    if (namespace := home(read.thing)[0]) != of[0]:
        yield Reader(owner).fact("network", of, "namespace", of[0], "spec", "networkNamespace")
        yield read.fact("network", of, "namespace", namespace, "metadata", "namespace")


def _other_mode(read: Reader, path: Path, owner: Thing, of: Of) -> Iterator[Fact]:
    """Of macvlan: bridge, unless its object says otherwise."""
    own, made = Reader(owner).text("spec", "mode") or "bridge", read.text(*path, "mode") or "bridge"
    if owner.kind == "MacvlanNetwork" and read.text(*path, "type") == "macvlan" and own != made:
        yield Reader(owner).fact("network", of, "plugin mode", own, "spec", "mode")
        yield read.fact("network", of, "plugin mode", made, *path, "mode")


def _is_copied(fact: Fact, owner: Thing) -> bool:
    if owner.kind == _SPIDERPOOL:
        return fact.field in _OF_SPIDERPOOL
    return fact.field not in _OF_THE_PLUGIN


def _is_in(remark: Remark, stated: Collection[tuple[str, str]]) -> bool:
    """Whether the object has it under the same key, which is then told of that."""
    key = remark.alike.partition(":")[0].rpartition(".")[2]
    return (key, remark.value) in stated


def _values(value: Any, key: str = "") -> Iterator[tuple[str, str]]:
    """Keys with their values at any depth, as remarks show them."""
    if isinstance(value, dict):
        for name, part in value.items():
            yield from _values(part, str(name))
    for part in value if isinstance(value, list) else ():
        yield from _values(part, key)
    whole = isinstance(value, dict | list)
    yield key, json.dumps(value, default=str) if whole else str(value)
