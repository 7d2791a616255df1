"""Addresses in use by pods: the annotation ``k8s.v1.cni.cncf.io/network-status``, a list of ``{name,
interface, ips, default}`` (k8snetworkplumbingwg/multi-net-spec, network status annotation). The primary
network has ``default``."""

from __future__ import annotations

import json
from collections.abc import Iterator

from netplan.importing.facts import Fact, Remark, not_taken
from netplan.importing.kubernetes import certificates
from netplan.importing.kubernetes.objects import Reader
from netplan.importing.kubernetes.primary import plugin_of
from netplan.importing.kubernetes.spiderpool import release_facts
from netplan.importing.kubernetes.workloads import workload_facts
from netplan.model.values import parse_address
from netplan.reading.kubernetes.objects import listing, mapping

STATUS = ("metadata", "annotations", "k8s.v1.cni.cncf.io/network-status")
_OVER = frozenset({"Succeeded", "Failed"})
_MOST = 64
"""Limit of interfaces of one pod."""


def pod_facts(read: Reader) -> Iterator[Fact | Remark]:
    yield from release_facts(read)
    yield from certificates.pod_facts(read)
    yield from plugin_of(read, ("metadata", "labels"))
    if read.text("status", "phase") in _OVER:
        return
    yield from workload_facts(read)
    if not (text := read.text(*STATUS)):
        return
    called = f"{read.text('metadata', 'namespace') or 'default'}/{read.thing.name}"
    try:
        rows = json.loads(text)
    except (ValueError, RecursionError):
        read.refuse("not JSON", *STATUS)
        return
    for row in map(mapping, listing(rows)[:_MOST]):
        for each in listing(row.get("ips"))[:_MOST] if row.get("default") is not True else ():
            ip = parse_address(each) if isinstance(each, str) else None
            if ip is not None:
                yield read.fact("address", (str(ip),), "pod", called, *STATUS)
            else:
                yield not_taken(read.at(*STATUS), "address of a pod", each, "not an IP address")
