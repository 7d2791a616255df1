"""``site.json``: the site as data for programs. ``trace`` reads it back, so that no program parses a
README."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from functools import lru_cache
from typing import Any

from netplan.model.artifact import Artifact
from netplan.model.cluster import Cluster
from netplan.model.fabric import Fabric, Workload
from netplan.model.hardware import Host, HostType, Labels
from netplan.model.operator_releases import shown
from netplan.model.plan import Plan
from netplan.model.qos import QosPlan, TrafficClass
from netplan.model.site import PATH, VERSION
from netplan.model.switch_ports import SwitchPort
from netplan.model.switching import SwitchPlan
from netplan.render.dump import written

KIND = "site"

Device = tuple[str, str | None, str | None]
"""HCA name, PCI address, interface."""


def render_site(plan: Plan) -> Artifact:
    """One line per host, switch and cable, so that adding one changes one line."""
    fabric = plan.fabric
    data = {
        "version": VERSION,
        "site": fabric.site,
        "releases": _releases(fabric.cluster),
        "fabric": _fabric(fabric),
        **_classes(plan.qos),
        "host_types": {t.name: _host_type(t) for t in fabric.host_types},
        "hosts": {host.name: _host(host) for host in fabric.hosts},
        "switches": {switch.name: _switch(switch) for switch in plan.switches},
        "cables": {switch.name: _cables(switch) for switch in plan.switches},
        "workloads": {w.name: _workload(w) for w in fabric.workloads},
    }
    return Artifact(path=PATH, text=_text(data), kind=KIND, entities=("site",))


_quoted = json.encoder.encode_basestring_ascii
"""``json.dumps`` for text without its option handling, which takes longer than encoding a name."""


def _text(data: Mapping[str, Any]) -> str:
    return f"{_lines(data, _DEPTHS, '')}\n"


_DEPTHS: Mapping[str, Any] = {
    "classes": {},
    "host_types": {"*": {"hcas": {}}},
    "hosts": {},
    "switches": {},
    "cables": {"*": {}},
    "workloads": {},
}
"""Mappings written with one entry per line; everything else is on the line of its key."""


def _lines(value: Mapping[str, Any], depths: Mapping[str, Any], indent: str) -> str:
    if not value:
        return "{}"
    inner = f"{indent}  "
    entries = []
    for key, each in value.items():
        if type(each) is Written:
            text: str = each
        else:
            below = depths.get(key, depths.get("*"))
            text = json.dumps(each) if below is None else _lines(each, below, inner)
        entries.append(f"{inner}{_quoted(key)}: {text}")
    return "{\n" + ",\n".join(entries) + f"\n{indent}}}"


class Written(str):
    """Text that is JSON already."""


def _releases(cluster: Cluster) -> dict[str, str]:
    """Versions that the inventory states."""
    stated = {"kubernetes": cluster.kubernetes_version}
    if cluster.network_operator is not None:
        stated["network_operator"] = cluster.network_operator.release
    if cluster.spiderpool is not None:
        stated["spiderpool"] = cluster.spiderpool.release
    if cluster.kueue is not None:
        stated["kueue"] = cluster.kueue.release
    return {name: shown(release) for name, release in stated.items() if release is not None}


def _fabric(fabric: Fabric) -> dict[str, Any]:
    watchdog = fabric.qos.watchdog if fabric.qos else None
    return written(
        {
            "type": fabric.type,
            "mtu": fabric.mtu,
            "cross_rail": fabric.cross_rail,
            "arp_seconds": fabric.arp.timeout_seconds if fabric.arp else None,
            "pfc_watchdog": asdict(watchdog) if watchdog else None,
            "trust": fabric.qos.trust if fabric.qos and fabric.qos.trust != "dscp" else None,
        }
    )


def _classes(qos: QosPlan | None) -> dict[str, Any]:
    if qos is None:
        return {"classes": {}}
    best_effort = {"bandwidth_percent": qos.best_effort_percent}
    return {"classes": {c.name: _class(c) for c in qos.classes}, "best_effort": best_effort}


def _class(each: TrafficClass) -> dict[str, Any]:
    """``ecn_bytes`` holds thresholds from the inventory only; those that a rule derives from a switch's ports
    are left out."""
    ecn = each.ecn
    return written(
        {
            "dscp": each.dscp,
            "priority": each.priority,
            "lossless": each.lossless,
            "ecn": each.marked,
            "strict": each.strict,
            "bandwidth_percent": each.weight_percent,
            "ecn_bytes": [ecn.kmin_bytes, ecn.kmax_bytes] if ecn else None,
            "ecn_percent": ecn.probability_percent if ecn else None,
        }
    )


def _host_type(kind: HostType) -> dict[str, Any]:
    hcas = {
        hca.name: written(
            {
                "model": hca.model.name,
                "link": hca.link,
                "use": hca.use,
                "rail": hca.rail,
                "speed_gbps": hca.speed_gbps,
                "pci": hca.pci,
                "netdev": hca.netdev,
            }
        )
        for hca in kind.hcas
    }
    return {"node": kind.node, "gpus": kind.gpus, "labels": dict(kind.node_selector), "hcas": hcas}


def _host(host: Host) -> Written:
    """``count``: number of unnamed hosts. ``labels`` and ``hcas``: differences from the host type."""
    stated = tuple((name, hca.pci, hca.netdev) for name, hca in host.hcas.items() if hca.pci or hca.netdev)
    return _host_text(host.type.name, None if host.named else host.count, host.labels, stated)


@lru_cache(maxsize=4096)
def _host_text(kind: str, count: int | None, labels: Labels, stated: tuple[Device, ...]) -> Written:
    """JSON of a host. Cached: thousands of individually listed hosts have the same content."""
    own = {name: written({"pci": pci, "netdev": netdev}) for name, pci, netdev in stated}
    return Written(json.dumps(written({"type": kind, "count": count, "labels": dict(labels), "hcas": own})))


def _switch(switch: SwitchPlan) -> dict[str, Any]:
    return written(
        {
            "role": switch.role,
            "nos": switch.nos,
            "nos_version": switch.release.stated or None,
            "model": switch.type.model.name,
            "asic": switch.type.model.asic,
            "queue_bytes": switch.type.queue_bytes or None,
        }
    )


def _cables(switch: SwitchPlan) -> dict[str, Written]:
    """Port -> what it is cabled to: a host and its HCA, or a switch and its port."""
    return {port.name: _cable(port) for port in switch.ports}


def _cable(port: SwitchPort) -> Written:
    peer, _, far = port.peer.partition(" ")
    words = ("host", "hca") if port.kind == "host" else ("switch", "port")
    ends = f'"{words[0]}": {_quoted(peer)}, "{words[1]}": {_quoted(far)}'
    return Written(f'{{{ends}, "speed_gbps": {port.speed_gbps}, "cable_m": {port.cable_m}}}')


def _workload(workload: Workload) -> dict[str, Any]:
    types: Sequence[str] = [t.name for t in workload.host_types]
    each, own = workload.gpus, workload.pods_per_node
    fewer = each > 0 and any(t.gpus // each > own for t in workload.host_types)
    return written(
        {
            "namespace": workload.namespace,
            "host_types": types,
            "networks": [network.name for network in workload.networks],
            "pods_per_node": own if fewer else None,
        }
    )
