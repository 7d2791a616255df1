"""Several files of a workload repeat its rails: the example pod, the component, each test job.

Reports what one has and another lacks; no file says which of them is right.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from netplan.catalog import is_gpu
from netplan.diagnostics import Path
from netplan.graph.kubernetes.cluster import ObjectGraph, Plugin, Pod, quantities
from netplan.graph.kubernetes.node_selection import of_pod
from netplan.graph.kubernetes.selections import annotation_at, pod_selections
from netplan.reading.kubernetes.objects import inside, listing
from netplan.records import dataclass
from netplan.trace.model import Fault, Verdict
from netplan.trace.site import TraceWorkload

_LIBRARY = re.compile(r"(?:NCCL|UCX|NVSHMEM)_")
_ASSIGNED = re.compile(r"(?:\A|[\s'\"])((?:NCCL|UCX|NVSHMEM)_[A-Z0-9_]+)=([^\s'\"]*)")
_AS_IS = frozenset({"NCCL_DEBUG"})
"""Variables that have no effect on packets."""
_ON_PURPOSE = re.compile(r"-tcp\b")
"""Name of a test job that runs without RDMA on purpose."""
_OFF = "NCCL_IB_DISABLE"


@dataclass(frozen=True, slots=True)
class _Facts:
    """What a pod has, by name; each value with the path where it stands."""

    pod: Pod
    values: Mapping[str, tuple[str, Path]]

    def at(self, name: str) -> str:
        path = self.values[name][1] if name in self.values else _container(self.pod)[0]
        return f"{self.pod.thing.file}:{self.pod.thing.source(path).line}"


def copies(workload: TraceWorkload, cluster: ObjectGraph) -> Iterator[Fault]:
    """Differences between the pod that is walked and the others in its folder."""
    found: tuple[Fault, ...] = cluster.once(("copies", workload.name), lambda: tuple(_all(workload, cluster)))
    yield from found


def _all(workload: TraceWorkload, cluster: ObjectGraph) -> Iterator[Fault]:
    folder, own = f"pods/{workload.name}/", _facts(workload.pod)
    for pod in cluster.pods:
        if pod.thing.file.startswith(folder) and pod.thing.file != workload.file:
            yield from _arguments(pod, own)
            if pod.thing.kind == "PodRails" or _has_gpus(pod):
                yield from _differences(own, _facts(pod))


def _differences(own: _Facts, other: _Facts) -> Iterator[Fault]:
    for name in dict.fromkeys((*own.values, *other.values)):
        if name == _OFF and _ON_PURPOSE.search(other.pod.thing.name):
            continue
        here, there = (facts.values.get(name, ("", ()))[0] for facts in (own, other))
        if here != there and "\n" in here + there:
            text = f"{name} differs between {own.at(name)} and {other.at(name)}"
            yield Fault(Verdict.UNPROVED, text)
        elif here != there:
            said = f"{name} is {_shown(there)} ({other.at(name)}) and {_shown(here)} ({own.at(name)})"
            yield Fault(Verdict.UNPROVED, said)


def _shown(value: str) -> str:
    short = value if len(value) <= 80 else f"{value[:80]}..."
    return short.replace("\n", " ") or "not stated"


def _has_gpus(pod: Pod) -> bool:
    return any(is_gpu(name) for _, c in pod.containers() for name in quantities(c, "limits"))


def _container(pod: Pod) -> Plugin:
    """The container with devices, else the first."""
    containers = pod.containers()
    asking = (c for c in containers if any("/" in name for name in quantities(c[1], "limits")))
    return next(asking, containers[0])


def _facts(pod: Pod) -> _Facts:
    return _Facts(pod, {name: (value, path) for name, value, path in _stated(pod)})


def _stated(pod: Pod) -> Iterator[tuple[str, str, Path]]:
    path, container = _container(pod)
    spec = (*pod.path, "spec")
    namespace = pod.thing.namespace or ""
    networks = [f"{s.namespace or namespace}/{s.name}@{s.interface or ''}" for s in pod_selections(pod) or ()]
    yield "the list of networks", ",".join(networks), annotation_at(pod)
    yield "the selection of nodes", _selection(pod), (*spec, "nodeSelector")
    yield from _variables(path, container)
    yield from _allowed(path, container)
    for index, mount in enumerate(listing(container.get("volumeMounts"))):
        yield f"mount of {inside(mount, ('name',))}", str(mount), (*path, "volumeMounts", index)
    for index, volume in enumerate(listing(pod.spec.get("volumes"))):
        yield f"volume {inside(volume, ('name',))}", str(volume), (*spec, "volumes", index)
    for at, init in pod.containers("initContainers"):
        for key in ("command", "args", "securityContext"):
            yield f"{key} of init container {init.get('name')}", str(init.get(key)), (*at, key)


def _variables(path: Path, container: Mapping[str, Any]) -> Iterator[tuple[str, str, Path]]:
    for index, entry in enumerate(listing(container.get("env"))):
        name = inside(entry, ("name",))
        if isinstance(name, str) and _LIBRARY.match(name) and name not in _AS_IS:
            yield name, str(entry.get("value")), (*path, "env", index)


def _allowed(path: Path, container: dict[str, Any]) -> Iterator[tuple[str, str, Path]]:
    """Devices and capabilities."""
    for name, amount in quantities(container, "limits").items():
        if "/" in name and not is_gpu(name):
            yield f"the limit of {name}", str(amount), (*path, "resources", "limits", name)
    for name in listing(inside(container, ("securityContext", "capabilities", "add"))):
        yield f"capability {name}", "added", (*path, "securityContext", "capabilities")


def _selection(pod: Pod) -> str:
    chosen = of_pod(pod.spec)
    terms = (" and ".join(f"{r.key} {r.operator} {','.join(r.values)}" for r in t) for t in chosen.terms)
    return ", ".join([*(f"{key}={value}" for key, value in sorted(chosen.labels)), *terms])


def _arguments(pod: Pod, own: _Facts) -> Iterator[Fault]:
    """``-x NAME=VALUE`` of mpirun, and the launcher's variables, which mpirun passes to the workers."""
    for path, container in pod.containers():
        for key in ("command", "args"):
            for index, word in enumerate(listing(container.get(key))):
                for name, value in _ASSIGNED.findall(str(word)):
                    yield from _passed(pod, own, name, value, (*path, key, index))
        if not _has_gpus(pod) and pod.thing.kind != "PodRails":
            for name, value, place in _variables(path, container):
                yield from _passed(pod, own, name, value, place)


def _passed(pod: Pod, own: _Facts, name: str, value: str, path: Path) -> Iterator[Fault]:
    stated = own.values[name][0] if name in own.values else ""
    if name in _AS_IS or stated == value or (name == _OFF and _ON_PURPOSE.search(pod.thing.name)):
        return
    text = f"{name} is {_shown(value)} ({pod.thing.file}:{pod.thing.source(path).line})"
    yield Fault(Verdict.UNPROVED, f"{text} and {_shown(stated)} ({own.at(name)})")
