"""Addresses in use by pods: the annotation ``k8s.v1.cni.cncf.io/network-status``, a list of ``{name,
interface, ips, default}`` (k8snetworkplumbingwg/multi-net-spec, network status annotation). The primary
network has ``default``."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from netplan.importing.facts import Fact, Remark
from netplan.importing.kubernetes.objects import Reader
from netplan.model.values import parse_address
from netplan.reading.kubernetes.objects import Thing, listing, mapping

STATUS = ("metadata", "annotations", "k8s.v1.cni.cncf.io/network-status")
_OVER = frozenset({"Succeeded", "Failed"})
_MOST = 64
"""Limit of interfaces of one pod."""


def _parsed(text: str) -> Any:
    """None if it is not JSON."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def pod_facts(thing: Thing) -> Iterator[Fact | Remark]:
    read = Reader(thing)
    if read.text("status", "phase") in _OVER:
        return
    called = f"{read.text('metadata', 'namespace') or 'default'}/{thing.name}"
    for row in map(mapping, listing(_parsed(read.text(*STATUS)))[:_MOST]):
        for text in listing(row.get("ips"))[:_MOST] if row.get("default") is not True else ():
            ip = parse_address(text) if isinstance(text, str) else None
            if ip is not None:
                yield read.fact("address", (str(ip),), "pod", called, *STATUS)
