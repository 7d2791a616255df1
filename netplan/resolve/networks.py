"""Networks and workloads."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from netplan.diagnostics import Path
from netplan.model.fabric import (
    SHARE_MAX,
    Acceptance,
    CollectiveTest,
    Nccl,
    Network,
    Rails,
    Subnet,
    Workload,
)
from netplan.model.hardware import Host, HostType
from netplan.model.modes import MODES
from netplan.model.qos_classes import Qos, QosClass
from netplan.model.ranges import is_range
from netplan.model.values import natural
from netplan.resolve.context import Context
from netplan.resolve.hosts import labels


def build_networks(
    networks: Mapping[str, Any],
    host_types: Mapping[str, HostType],
    subnets: Mapping[str, Subnet],
    qos: Qos | None,
    rails: Rails | None,
    context: Context,
) -> dict[str, Network]:
    out = {}
    for name in sorted(networks, key=natural):
        values, at = networks[name], ("networks", name)
        subnet = values.get("subnet")
        hcas = [
            (h, i) for i, t in enumerate(values.get("hcas", [])) for h in context.names(t, (*at, "hcas", i))
        ]
        share_max = SHARE_MAX if MODES[values["mode"]].sharing == "always" else None
        if subnet is not None:
            context.knows((*at, "subnet"), "subnet", subnet, subnets, "subnets")
        out[name] = Network(
            name=name,
            per_rail=values.get("for_each") == "rails",
            host_types=_host_types(values.get("hosts", []), (*at, "hosts"), host_types, context),
            mode=values["mode"],
            ipam=values["ipam"],
            routing=values["routing"],
            resource=values["resource"],
            resource_name=_resource_name(values, at, rails, context),
            resource_prefix=values.get("resource_prefix"),
            block_size=values.get("block_size"),
            hcas=tuple(name for name, _ in hcas),
            hca_keys=tuple(index for _, index in hcas),
            subnet=subnets.get(subnet or ""),
            namespaces=tuple(sorted(values.get("namespaces", []))),
            share_max=values.get("share_max", share_max),
            vf_range=_vf_range(values.get("vf_range"), at, context),
            traffic_class=_traffic_class(values.get("traffic_class"), qos, at, context),
            tagging=values["tagging"],
            vlan_qos=values.get("vlan_qos"),
            trust=values.get("trust"),
            spoofchk=values.get("spoofchk"),
            link_state=values.get("link_state"),
            min_tx_rate_mbps=values.get("min_tx_rate_mbps"),
            max_tx_rate_mbps=values.get("max_tx_rate_mbps"),
            pkey=_pkey(values.get("pkey")),
            membership=values.get("membership"),
            at=at,
        )
    return context.whole("networks", out)


def _resource_name(values: Mapping[str, Any], at: Path, rails: Rails | None, context: Context) -> str | None:
    """A range has a name for each rail."""
    text: str | None = values.get("resource_name")
    path: Path = (*at, "resource_name")
    names = context.names(text, path) if text is not None and is_range(text) else ()
    if names and (values.get("for_each") != "rails" or values["resource"] != "per-rail"):
        what = f"{text} has a name for each rail, and the network has one resource"
        context.problems.add("NP102", path, what, "state one name, or for_each: rails and resource: per-rail")
    elif names and rails is not None and len(names) != rails.count:
        what = f"{text} has {len(names)} names for {rails.count} rails"
        context.problems.add("NP102", path, what, "write a range with a name for each rail")
    return text


def _pkey(text: str | None) -> int | None:
    return None if text is None else int(text, 16)


def _host_types(
    names: Sequence[str], at: Path, known: Mapping[str, HostType], context: Context
) -> tuple[HostType, ...]:
    there = [n for i, n in enumerate(names) if context.knows((*at, i), "host type", n, known, "host_types")]
    return tuple(known[name] for name in there)


def _vf_range(text: str | None, at: Path, context: Context) -> tuple[int, int] | None:
    if text is None:
        return None
    first, last = (int(part) for part in text.split("-"))
    if last < first:
        context.problems.add("NP102", (*at, "vf_range"), f"{text} runs backwards", "write it as 0-3")
    return first, last


def _traffic_class(name: str | None, qos: Qos | None, at: Path, context: Context) -> QosClass | None:
    """The named QoS class; without a name, the lossless class if exactly one exists."""
    classes = {c.name: c for c in qos.classes} if qos else {}
    if name is None:
        lossless = qos.lossless if qos else ()
        return lossless[0] if len(lossless) == 1 else None
    context.knows((*at, "traffic_class"), "QoS class", name, classes, "qos")
    return classes.get(name)


def build_workloads(
    workloads: Mapping[str, Any],
    hosts: Mapping[str, Host],
    host_types: Mapping[str, HostType],
    networks: Mapping[str, Network],
    qos: Qos | None,
    context: Context,
) -> tuple[Workload, ...]:
    out = []
    for name in sorted(workloads, key=natural):
        values, at = workloads[name], ("workloads", name)
        attached = [
            network
            for index, network in enumerate(values["networks"])
            if context.knows((*at, "networks", index), "network", network, networks, "networks")
        ]
        for network in values.get("devices", {}):
            if network not in values["networks"]:
                at_devices = (*at, "devices", network)
                context.problems.unknown(at_devices, f"network of {name}", network, values["networks"])
        own = _hosts(values["hosts"], (*at, "hosts"), hosts, host_types, context)
        version, env = values.get("nccl_version"), values.get("env", {})
        nccl_version = tuple(int(p) for p in version.split(".")) if version else None
        out.append(
            Workload(
                name=name,
                namespace=values["namespace"],
                hosts=own,
                networks=tuple(networks[network] for network in attached),
                devices=dict(sorted(values.get("devices", {}).items())),
                gpus=values["gpus"],
                nodes=values["nodes"],
                pods_per_node=values["pods_per_node"],
                pod_starts_per_hour=values["pod_starts_per_hour"],
                image=values.get("image"),
                container=values["container"],
                jobs=tuple(values.get("jobs", ())),
                roles=tuple(values.get("roles", ())),
                queue=values.get("queue"),
                nccl_version=nccl_version,
                nccl=_nccl(values.get("nccl", {}), qos, (*at, "nccl"), context),
                cpus=values.get("cpus"),
                memory_mib=values.get("memory_mib"),
                shm_mib=values.get("shm_mib"),
                hugepages_2mi_mib=values.get("hugepages_2mi_mib"),
                runtime_class=values.get("runtime_class"),
                privileged=values["privileged"],
                unbound_traffic=values["unbound_traffic"],
                admission_policy=values["admission_policy"],
                annotations=labels(values.get("annotations")),
                env=labels({k: v if isinstance(v, str) else v["value"] for k, v in env.items()}),
                env_reasons=labels({k: v["reason"] for k, v in env.items() if not isinstance(v, str)}),
                test=_test(values["test"]),
                extra=_frozen(values.get("extra", {})),
                at=at,
            )
        )
    return tuple(out)


def _test(values: Mapping[str, Any]) -> CollectiveTest:
    return CollectiveTest(
        program=values["program"],
        args=tuple(values.get("args", ())),
        mpirun_args=tuple(values.get("mpirun_args", ())),
        tcp_fallback=values["tcp_fallback"],
    )


def _frozen(value: Any) -> Any:
    """A copy with sorted keys and with tuples for lists."""
    if isinstance(value, dict):
        return {key: _frozen(value[key]) for key in sorted(value)}
    return tuple(map(_frozen, value)) if isinstance(value, list) else value


def _nccl(values: Mapping[str, Any], qos: Qos | None, at: Path, context: Context) -> Nccl:
    name, classes = values.get("fifo_class"), {c.name: c for c in qos.classes} if qos else {}
    if name is not None:
        context.knows((*at, "fifo_class"), "QoS class", name, classes, "qos")
    return Nccl(
        qps_per_connection=values.get("qps_per_connection"),
        split_data_on_qps=values.get("split_data_on_qps"),
        fifo_class=classes.get(name) if name is not None else None,
    )


def _hosts(
    names: Sequence[str], at: Path, hosts: Mapping[str, Host], types: Mapping[str, HostType], context: Context
) -> tuple[Host, ...]:
    """Hosts selected by host type, name or range, in natural order."""
    found: dict[str, Host] = {}
    for index, text in enumerate(names):
        if text in types:
            found |= {h.name: h for h in hosts.values() if h.type.name == text}
            continue
        for name in context.names(text, (*at, index)):
            if is_range(text) and ("hosts", name) in context.absent:
                continue
            if context.is_refused("hosts", name) or context.is_refused("host_types", name):
                context.partial.add((*at, index))
                continue
            if name not in hosts:
                context.problems.unknown((*at, index), "host type or host", name, [*types, *hosts])
                break
            found[name] = hosts[name]
    return tuple(found[name] for name in sorted(found, key=natural))


def build_acceptances(
    entries: Sequence[Mapping[str, Any]], refused: Collection[Path]
) -> tuple[Acceptance, ...]:
    return tuple(
        Acceptance(check=e["check"], at=e["at"], reason=e["reason"], until=e.get("until"), index=i)
        for i, e in enumerate(entries)
        if ("accept", i) not in refused
    )
