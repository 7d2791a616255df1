"""Resolves ``workload@host/rail`` to a pod and one of its interfaces."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

from netplan.report import few
from netplan.trace.matrix import versions
from netplan.trace.model import DEVICE_BOUND, FLOWS, TraceError, TracePod, Walks
from netplan.trace.pods import build_pod
from netplan.trace.pods_per_node import shared_by_pods
from netplan.trace.site import TracedSite, TraceWorkload
from netplan.trace.walk import Walker

_SHOWN = 12


def ends_of(site: TracedSite, start: str, end: str) -> tuple[tuple[TracePod, str], tuple[TracePod, str]]:
    """Both ends; on one host they are two pods. Raises TraceError."""
    a, b = end_of(site, start), end_of(site, end)
    if a[0].host.name != b[0].host.name:
        return a, b
    workload = site.workloads[b[0].workload]
    if a[0].workload == workload.name and not shared_by_pods(site, workload):
        alone = f"a pod of {workload.name} takes the HCAs of {b[0].host.name}: there is no second host"
        raise TraceError(f"{alone} it could send to")
    return a, end_of(site, end, 1)


def end_of(site: TracedSite, text: str, slot: int = 0) -> tuple[TracePod, str]:
    """One end. Raises TraceError that lists the names there are."""
    workload_name, at, rest = text.partition("@")
    host_name, slash, rail = rest.partition("/")
    if not (workload_name and at and host_name and slash and rail):
        raise TraceError(f"{text} is not WORKLOAD@HOST/RAIL, such as {_example(site)}")
    workload = site.workloads.get(workload_name)
    if workload is None:
        raise TraceError(f"there is no workload {workload_name}; {_known(workload_name, site.workloads)}")
    if host_name not in site.hosts:
        raise TraceError(f"there is no host {host_name}; {_known(host_name, _hosts(site, workload))}")
    host = site.hosts[host_name]
    if host not in site.hosts_of(workload):
        names = _known(host_name, _hosts(site, workload))
        raise TraceError(
            f"pods of {workload_name} do not run on {host_name}: its labels do not match; {names}"
        )
    pod = build_pod(site, workload, host, slot)
    return pod, _interface(pod, rail)


def _interface(pod: TracePod, rail: str) -> str:
    if rail in pod.nics:
        return rail
    if rail.isdecimal():
        for nic in pod.nics.values():
            if nic.rail == int(rail):
                return nic.name
    raise TraceError(f"pods of {pod.workload} have no interface or rail {rail}; {_known(rail, pod.nics)}")


def _hosts(site: TracedSite, workload: TraceWorkload) -> list[str]:
    return [host.name for host in site.hosts_of(workload)]


def _known(wrong: str, names: Iterable[str]) -> str:
    listed = list(names)
    close = difflib.get_close_matches(wrong, listed)
    near = f"did you mean {close[0]}? " if close else ""
    if not listed:
        return f"{near}there is none"
    return f"{near}there are {few(listed, _SHOWN)}"


def _example(site: TracedSite) -> str:
    for workload in site.workloads.values():
        for host in site.hosts_of(workload):
            return f"{workload.name}@{host.name}/0"
    return "training@gpu-001/rail0"


def walks_between(site: TracedSite, start: str, end: str) -> Walks:
    """The walks of every flow between two ends. Raises TraceError."""
    a, b = ends_of(site, start, end)
    walker = Walker(site.fabric, site.bgp)
    plain = not a[0].space.addresses.get(a[1])
    flows = (DEVICE_BOUND,) if plain else FLOWS
    families = {
        f"IPv{version}": tuple(walker.walk(a, b, flow, version) for flow in flows)
        for version in versions(a[0], a[1], b[0], b[1])
    }
    meant = a[0].workload != b[0].workload or (a[1], b[1]) in a[0].intended
    unbound = any(site.workloads[pod.workload].routes.unbound for pod, _ in (a, b))
    return Walks(start, end, meant, families, unbound)


def workloads_named(site: TracedSite, only: str | None) -> list[TraceWorkload]:
    """All workloads, or the one of that name. Raises TraceError."""
    if only is not None and only not in site.workloads:
        raise TraceError(f"there is no workload {only}; {_known(only, site.workloads)}")
    if not site.workloads:
        raise TraceError("there is no workload")
    return [workload for name, workload in site.workloads.items() if only in (None, name)]
