"""What a pod needs from its own files besides addresses and routes: interfaces, devices, environment,
script."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import zip_longest
from typing import Any

from netplan.diagnostics import Path
from netplan.graph.kubernetes.cluster import ObjectGraph, Pod
from netplan.reading.kubernetes.objects import inside, listing, mapping
from netplan.records import dataclass
from netplan.rules.kubernetes.pods import injected
from netplan.trace.copies import copies
from netplan.trace.environment import environment
from netplan.trace.model import Fault, Nic, Verdict
from netplan.trace.pod_fields import pod_fields
from netplan.trace.shell import changes_routes, unread
from netplan.trace.site import TraceWorkload

PRIMARY = "eth0"
"""Interface of the pod network (containerd/go-cni types.go, DefaultPrefix plus the first number)."""
_RUN = ("sh", "/bin/sh", "bash", "/bin/bash")


@dataclass(frozen=True, slots=True)
class Script:
    """A routing script as the pod runs it. ``at``: file and line."""

    text: str
    at: str
    path: Path
    container: Mapping[str, Any]


def script_of(workload: TraceWorkload) -> Script | None:
    """The text of the init container that sets up routes."""
    return init_script(workload.pod)


def init_script(pod: Pod) -> Script | None:
    for path, container in pod.containers("initContainers"):
        for key in ("command", "args"):
            for index, text in enumerate(listing(container.get(key))):
                if isinstance(text, str) and changes_routes(text):
                    line = pod.thing.source((*path, key, index)).line
                    return Script(text, f"{pod.thing.file}:{line}", (*path, key, index), container)
    return None


def wiring(
    workload: TraceWorkload, nics: Mapping[str, Nic], cluster: ObjectGraph, texts: Mapping[str, str]
) -> Iterator[Fault]:
    """Faults; those that only leave a path open have the verdict "not proved". ``texts``: by path."""
    yield from _missing(workload, nics)
    yield from _devices(workload, cluster)
    yield from _script(workload)
    yield from _beside(workload, texts)
    yield from environment(workload, (PRIMARY, *nics))
    yield from pod_fields(workload)
    yield from copies(workload, cluster)


def _missing(workload: TraceWorkload, nics: Mapping[str, Nic]) -> Iterator[Fault]:
    """Interfaces in routes.yaml that the pod lacks, but for those of networks that are missing, and the
    reverse."""
    where = workload.networks_at
    told = {each.interface for each in workload.attachments if each.network is None}
    for interface in workload.routes.rails:
        if interface not in nics and interface not in told:
            text = f"pods of {workload.name} have no interface {interface} ({where})"
            yield Fault(Verdict.LOST, f"{text}, which {workload.routes.at(interface)} lists")
    for nic in nics.values():
        listed = nic.name in workload.routes.rails or workload.routes.thing is None
        if not listed and nic.rail is not None and nic.hca is not None:
            text = f"{nic.name} of {workload.name} is on rail {nic.rail} ({where})"
            yield Fault(Verdict.UNPROVED, f"{text}, {workload.routes.file} does not list it")


def _devices(workload: TraceWorkload, cluster: ObjectGraph) -> Iterator[Fault]:
    """Each attachment takes one of the pod's devices (k8snetworkplumbingwg/multus-cni v4.3.0
    pkg/k8sclient/k8sclient.go, getKubernetesDelegate)."""
    if workload.pod.claimed is None:
        return
    wanted = Counter(
        each.network.resource
        for each in workload.attachments
        if each.network is not None and each.network.resource is not None
    )
    for resource, count in wanted.items():
        asked = workload.pod.asked(resource)
        if asked < count and not (asked == 0 and injected(cluster, resource)):
            text = f"pods of {workload.name} ask for {asked} of {resource}, their networks take {count}"
            yield Fault(Verdict.LOST, f"{text} ({_limits(workload)})")


def _limits(workload: TraceWorkload) -> str:
    path, _ = workload.container
    return workload.at(*path[len(workload.pod.path) :], "resources", "limits")


def _beside(workload: TraceWorkload, texts: Mapping[str, str]) -> Iterator[Fault]:
    """The script also stands in a file of its own, for people and other pods; the two must be equal."""
    path = f"pods/{workload.name}/rail-routes.sh"
    script = script_of(workload)
    if path not in texts:
        return
    if script is None:
        text = f"no init container of {workload.file} runs {path}"
        yield Fault(Verdict.UNPROVED, text)
        return
    both = zip_longest(script.text.splitlines(), texts[path].splitlines())
    for number, (one, other) in enumerate(both, 1):
        if one != other:
            line = int(script.at.rpartition(":")[2]) + number
            text = f"{workload.file}:{line} runs another script than {path}, from line {number} on"
            yield Fault(Verdict.UNPROVED, text)
            return


def _script(workload: TraceWorkload) -> Iterator[Fault]:
    """Whether the init container can run its script, and which lines are not understood."""
    script = script_of(workload)
    if script is None:
        return
    head = listing(script.container.get("command"))[:2]
    if head and (head[0] not in _RUN or head[1:] != ["-c"]):
        yield Fault(Verdict.UNPROVED, f"{script.at}: {' '.join(map(str, head))} is not sh -c")
    context = mapping(script.container.get("securityContext"))
    if "NET_ADMIN" not in listing(inside(context, ("capabilities", "add"))) and not context.get("privileged"):
        text = (
            "the init container that routes has no NET_ADMIN: the kernel refuses its routes (capabilities(7))"
        )
        yield Fault(Verdict.LOST, f"{text} ({script.at})")
    if context.get("runAsUser") != 0:
        text = "the init container that routes is not told to run as user 0: capabilities that are added are "
        yield Fault(Verdict.UNPROVED, f"{text}not effective for another user (capabilities(7)) ({script.at})")
    first = int(script.at.rpartition(":")[2])
    for number, line in unread(script.text):
        yield Fault(Verdict.UNPROVED, f"{workload.file}:{first + number} is not read: {line}")
