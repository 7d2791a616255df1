"""``site.json`` of a rendered directory: hosts, cables and switches as data."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from netplan import json_text, resources
from netplan.model.references import inlined
from netplan.model.site import (
    SiteCable,
    SiteClass,
    SiteFacts,
    SiteHca,
    SiteHost,
    SiteQos,
    SiteSwitch,
    SiteWatchdog,
)
from netplan.model.values import natural
from netplan.strict import Test, compiled, validator

SCHEMA = "site.schema.json"
_EXAMPLES = 2
"""Example hosts in place of hosts without names: two, so that there is a second node."""


def read_site(text: str) -> SiteFacts:
    """Raises ValueError with a message for the user if the text is wrong."""
    try:
        data = json_text.loads(text)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    if not _test()(data):
        error = next(_validator().iter_errors(data), None)
        if error is not None:
            where = ".".join(map(str, error.absolute_path)) or "the file"
            raise ValueError(f"{where}: {error.message[:200]}")
    if missing := sorted({h["type"] for h in data["hosts"].values()} - data["host_types"].keys()):
        raise ValueError(f"hosts: there is no host type {missing[0]}")
    cables = tuple(_cables(data["cables"]))
    types = data["host_types"]
    return SiteFacts(
        name=data["site"],
        fabric_type=data["fabric"]["type"],
        cross_rail=data["fabric"]["cross_rail"],
        qos=_qos(data),
        hosts=tuple(_hosts(data["hosts"], types, cables)),
        links={name: frozenset(hca["link"] for hca in kind["hcas"].values()) for name, kind in types.items()},
        switches={name: _switch(name, row) for name, row in data["switches"].items()},
        cables=cables,
        workloads=tuple(data["workloads"]),
        mtu=data["fabric"]["mtu"],
        placed={name: frozenset(row["host_types"]) for name, row in data["workloads"].items()},
        pods={n: row["pods_per_node"] for n, row in data["workloads"].items() if "pods_per_node" in row},
        arp_seconds=data["fabric"].get("arp_seconds"),
        named=frozenset(data["hosts"]),
        releases=data["releases"],
    )


def _qos(data: Mapping[str, Any]) -> SiteQos:
    watchdog = data["fabric"].get("pfc_watchdog")
    return SiteQos(
        classes=tuple(_class(name, row) for name, row in data["classes"].items()),
        best_effort_percent=data.get("best_effort", {}).get("bandwidth_percent"),
        watchdog=None if watchdog is None else SiteWatchdog(**watchdog),
        trust=data["fabric"].get("trust", "dscp"),
    )


def _class(name: str, row: Mapping[str, Any]) -> SiteClass:
    thresholds = row.get("ecn_bytes")
    return SiteClass(
        name=name,
        dscp=row["dscp"],
        priority=row["priority"],
        lossless=row["lossless"],
        ecn=row["ecn"],
        strict=row.get("strict"),
        bandwidth_percent=row.get("bandwidth_percent"),
        ecn_bytes=thresholds and tuple(thresholds),
        ecn_percent=row.get("ecn_percent"),
    )


def _switch(name: str, row: Mapping[str, Any]) -> SiteSwitch:
    return SiteSwitch(
        name=name,
        role=row["role"],
        nos=row["nos"],
        model=row["model"],
        asic=row["asic"],
        queue_bytes=row.get("queue_bytes", 0),
        nos_version=row.get("nos_version", ""),
    )


def _cables(switches: Mapping[str, Mapping[str, Any]]) -> Iterator[SiteCable]:
    for switch, ports in switches.items():
        for port, row in ports.items():
            kind = "host" if "host" in row else "switch"
            yield SiteCable(
                switch=switch,
                port=port,
                peer_kind=kind,
                peer=row[kind],
                peer_port=row["hca" if kind == "host" else "port"],
                speed_gbps=row["speed_gbps"],
                cable_m=row["cable_m"],
            )


def _hosts(
    hosts: Mapping[str, Any], types: Mapping[str, Any], cables: tuple[SiteCable, ...]
) -> Iterator[SiteHost]:
    """Kubernetes nodes in natural order; two examples for hosts without names."""
    plugged = {(c.peer, c.peer_port): c for c in cables if c.peer_kind == "host"}
    number = 0
    for name in sorted(hosts, key=natural):
        host = hosts[name]
        kind = types[host["type"]]
        if not kind["node"]:
            continue
        labels = {**kind["labels"], **host.get("labels", {})}
        hcas = tuple(_hcas(name, kind["hcas"], host.get("hcas", {}), plugged))
        count = min(host.get("count", 0), _EXAMPLES)
        for index, each in enumerate([f"{name}-{i + 1}" for i in range(count)] or [name]):
            yield SiteHost(
                name=each,
                type=host["type"],
                number=number + index,
                labels=labels,
                hcas=hcas,
                gpus=kind["gpus"],
            )
        number += 1


def _hcas(
    host: str,
    hcas: Mapping[str, Any],
    own: Mapping[str, Any],
    plugged: Mapping[tuple[str, str], SiteCable],
) -> Iterator[SiteHca]:
    for name, row in hcas.items():
        stated = {**row, **own.get(name, {})}
        cable = plugged.get((host, name))
        switch, port = (cable.switch, cable.port) if cable else ("", "")
        yield SiteHca(
            name=name,
            rail=row.get("rail"),
            pci=stated.get("pci"),
            netdev=stated.get("netdev"),
            link=row["link"],
            model=row["model"],
            use=row["use"],
            switch=switch,
            port=port,
        )


@cache
def _schema() -> Any:
    def read(file: str) -> Any:
        return json.loads((resources.schemas() / file).read_text(encoding="utf-8"))

    return inlined(read(SCHEMA), SCHEMA, read)


@cache
def _test() -> Test:
    return compiled(_schema())


@cache
def _validator() -> Any:
    return validator(_schema())
