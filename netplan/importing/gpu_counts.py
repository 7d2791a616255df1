"""GPUs of a host type, and what their resource counts: GPUs, parts of them (MIG), or replicas of them.

docs.nvidia.com, GPU Operator, Time-Slicing GPUs in Kubernetes: ``nvidia.com/gpu.replicas`` on the node; with
``renameByDefault`` the resource is ``nvidia.com/gpu.shared``, else it keeps its name and counts replicas.
"""

from __future__ import annotations

from collections.abc import Iterator

from netplan.importing.facts import Said, Site, place
from netplan.importing.hosts import HostKind
from netplan.importing.text import INEXPRESSIBLE, Entry, line, listed, todo
from netplan.model.inventory_schema import schema_at

USUAL = "nvidia.com/gpu"
_SHARED = ".shared"


def gpu_lines(site: Site, kind: HostKind) -> list[str]:
    return [line(2, key, entry) for key, entry in _entries(site, kind)]


def _entries(site: Site, kind: HostKind) -> Iterator[tuple[str, Entry]]:
    if len(kind.gpus) > 1:
        seen = listed(f"{name} {said.value} ({place(said.at)})" for name, said in kind.gpus)
        what = f"{INEXPRESSIBLE}: several GPU resources of a node; state the one that pods of rails use"
        yield "gpus", todo("as many as it has of gpu_resource", seen)
        yield "gpu_resource", todo(what, seen)
        return
    for resource, gpus in kind.gpus:
        yield "gpus", _count(site, kind, resource, gpus)
        if resource != USUAL:
            yield "gpu_resource", Entry(resource, place(gpus.at))


def _count(site: Site, kind: HostKind, resource: str, gpus: Said) -> Entry:
    most = schema_at("host_types", "*", "gpus")["maximum"]
    where = f"{place(gpus.at)}{_shared(site, kind, resource, gpus)}"
    if isinstance(gpus.value, int) and gpus.value > most:
        what = f"{INEXPRESSIBLE}: {gpus.value} of {resource} on a node; state at most {most}"
        return todo(f"{what}, which bounds the pods of a node that ask for it", where)
    return Entry(gpus.value, where)


def _shared(site: Site, kind: HostKind, resource: str, gpus: Said) -> str:
    """Of how many GPUs, where several pods have one."""
    key = f"label/{resource.removesuffix(_SHARED)}.replicas"
    said = next(filter(None, (site.said("node", (node,), key) for node in kind.nodes)), None)
    replicas = int(str(said.value)) if said is not None and str(said.value).isdecimal() else 0
    if said is not None and replicas > 1 and isinstance(gpus.value, int):
        whole = gpus.value // replicas
        return (
            f"; {replicas} pods share each of {whole} (replicas, {place(said.at)}): one has no GPU of its own"
        )
    return "; pods share them" if resource.endswith(_SHARED) else ""
