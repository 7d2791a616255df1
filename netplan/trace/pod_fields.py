"""Pod fields besides networks and devices: who runs the pod, where, and with which rights.

Each field of the closed schema is in ``HARMLESS`` or examined here; a field outside the schema is reported
when objects are read.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from netplan.catalog import is_gpu
from netplan.diagnostics import Path
from netplan.graph.kubernetes.cluster import NETWORKS_ANNOTATION, Plugin, quantities
from netplan.graph.kubernetes.selections import annotation_at, pod_selections
from netplan.reading.kubernetes.objects import inside, listing, mapping
from netplan.trace.model import Fault, Verdict
from netplan.trace.site import TraceWorkload

HARMLESS: Mapping[str, str] = {
    "restartPolicy": "what happens after a container has ended",
    "subdomain": "a name in the cluster's DNS",
    "activeDeadlineSeconds": "when the pod is ended",
    "automountServiceAccountToken": "a token for the API server",
    "serviceAccount": "rights at the API server",
    "serviceAccountName": "rights at the API server",
    "dnsConfig": "how names are looked up",
    "dnsPolicy": "how names are looked up",
    "hostAliases": "names in /etc/hosts",
    "enableServiceLinks": "variables about Services",
    "hostIPC": "IPC namespace of the node: shared memory, no packets",
    "hostPID": "process namespace of the node",
    "shareProcessNamespace": "process namespace of the pod",
    "imagePullSecrets": "how the image is fetched",
    "priority": "who is preempted",
    "priorityClassName": "who is preempted",
    "preemptionPolicy": "who is preempted",
    "readinessGates": "when a Service sends to the pod",
    "terminationGracePeriodSeconds": "how the pod is ended",
    "tolerations": "nodes it may run on beside others; those it asks for are followed by their labels",
    "topologySpreadConstraints": "how its copies spread over nodes it may run on",
}
"""Pod fields without effect on packets, with what they do (kubernetes.io/docs/reference, Pod v1, PodSpec)."""
FOLLOWED = frozenset(
    {"nodeSelector", "affinity", "resourceClaims", "containers", "initContainers", "volumes"}
)

_SCHEDULERS = frozenset({"default-scheduler", "volcano", "scheduler-plugins-scheduler"})
"""kubernetes/kubernetes pkg/apis/core/types.go, DefaultSchedulerName; kubeflow/mpi-operator
cmd/mpi-operator/app/options, GangSchedulerVolcano; kubernetes-sigs/scheduler-plugins
manifests/install/charts/as-a-second-scheduler/values.yaml, scheduler.name."""
_RUNTIMES = frozenset({"nvidia", "nvidia-cdi", "nvidia-legacy", "runc"})
"""Handlers that run the pod on the node's kernel (NVIDIA/gpu-operator, state-container-toolkit)."""


def _scheduler(value: Any) -> str:
    return "" if value in _SCHEDULERS else "no file says whether a scheduler of that name exists"


def _runtime(value: Any) -> str:
    return "" if value in _RUNTIMES else "no file says whether that runtime gives the pod its VFs"


def _users(value: Any) -> str:
    """In a user namespace, capabilities are valid inside it only
    (kubernetes.io/docs/concepts/workloads/pods/user-namespaces)."""
    return "its capabilities do not count for the node's devices" if value is False else ""


def _gates(value: Any) -> str:
    return "it is not scheduled until somebody removes them" if value else ""


def _system(value: Any) -> str:
    return "" if mapping(value).get("name") in (None, "linux") else "it runs on no Linux node"


def _node_network(value: Any) -> str:
    return "Multus attaches nothing to a pod on the network of its node" if value else ""


_LOOKED_AT: Mapping[str, Callable[[Any], str]] = {
    "schedulerName": _scheduler,
    "runtimeClassName": _runtime,
    "hostUsers": _users,
    "schedulingGates": _gates,
    "os": _system,
    "hostNetwork": _node_network,
}
"""Field -> why its value leaves the pod's packets uncertain; empty if it does not."""
LOOKED_AT = frozenset({*_LOOKED_AT, "securityContext"})

_OF_NETWORKS = re.compile(r"cni|multus|(?:^|[./-])(?:ipam|network|bandwidth)|-bandwidth\Z|ovn\.org|cilium")
"""Annotations that plugins of the pod network read, recognized by their keys."""


def pod_fields(workload: TraceWorkload) -> Iterator[Fault]:
    yield from _spec(workload)
    yield from _annotations(workload)
    yield from _elements(workload)
    yield from _rights(workload)
    yield from _sharing(workload)


def _spec(workload: TraceWorkload) -> Iterator[Fault]:
    for name, value in workload.pod.spec.items():
        why = _LOOKED_AT[name](value) if name in _LOOKED_AT else ""
        if why:
            yield _open(workload, ("spec", name), f"{name} {_shown(value)} of {workload.name}: {why}")


def _annotations(workload: TraceWorkload) -> Iterator[Fault]:
    for key, value in workload.pod.annotations.items():
        if key != NETWORKS_ANNOTATION and _OF_NETWORKS.search(key):
            text = f"annotation {key} {_shown(value)} of {workload.name}: what it does is not followed"
            yield _open(workload, ("metadata", "annotations", key), text)


def _elements(workload: TraceWorkload) -> Iterator[Fault]:
    """What a network selection asks for besides name and interface (k8snetworkplumbingwg/multus-cni v4.3.0
    pkg/types/types.go, NetworkSelectionElement)."""
    for selection in pod_selections(workload.pod) or ():
        for key in selection.more:
            text = f"{key} of {selection.name} of {workload.name}: what it does is not followed"
            yield _open(workload, annotation_at(workload.pod)[len(workload.pod.path) :], text)


def _rights(workload: TraceWorkload) -> Iterator[Fault]:
    """The container with the devices locks the memory that the NIC reads (capabilities(7), mlock(2);
    linux-rdma/rdma-core Documentation/libibverbs.md). Added capabilities take effect for user 0 only."""
    spec = mapping(workload.pod.spec.get("securityContext"))
    path, container = workload.container
    own = mapping(container.get("securityContext"))
    if own.get("privileged") is True and own.get("runAsUser", spec.get("runAsUser")) in (None, 0):
        return
    for key, fine in (("runAsUser", (0,)), ("runAsNonRoot", (False,))):
        held, place = (own, (*_below(workload, path), "securityContext", key))
        if key not in own:
            held, place = spec, ("spec", "securityContext", key)
        if held.get(key) is not None and held[key] not in fine:
            said = f"{key} {_shown(held[key])} of {workload.name}"
            yield _open(workload, place, f"{said}: IPC_LOCK is not effective for another user than root")
    for place, sysctl in _sysctls(spec):
        text = f"sysctl {sysctl} of {workload.name}: what it does to its interfaces is not followed"
        yield _open(workload, place, text)


def _sysctls(spec: Mapping[str, Any]) -> Iterator[tuple[Path, str]]:
    for index, each in enumerate(listing(spec.get("sysctls"))):
        name = str(inside(each, ("name",)))
        if name.startswith("net."):
            yield ("spec", "securityContext", "sysctls", index), f"{name}={inside(each, ('value',))}"


def _sharing(workload: TraceWorkload) -> Iterator[Fault]:
    """The kubelet assigns devices per container, Multus to interfaces of the whole pod
    (k8snetworkplumbingwg/multus-cni v4.3.0 pkg/kubeletclient/kubeletclient.go, GetPodResourceMap)."""
    taking = [each for each in workload.pod.containers() if _devices(each)]
    for path, container in taking[1:]:
        names = ", ".join(_devices((path, container)))
        said = f"container {container.get('name')} of {workload.name} asks for {names} too"
        place = (*_below(workload, path), "resources", "limits")
        yield _open(workload, place, f"{said}: which of the pod's devices it gets is not stated")


def _devices(plugin: Plugin) -> list[str]:
    return [name for name in quantities(plugin[1], "limits") if "/" in name and not is_gpu(name)]


def _below(workload: TraceWorkload, path: Path) -> Path:
    return path[len(workload.pod.path) :]


def _shown(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)[:60].replace("\n", " ")


def _open(workload: TraceWorkload, path: Path, text: str) -> Fault:
    return Fault(Verdict.UNPROVED, f"{text} ({workload.at(*path)})")
