"""NP428, NP693, NP746, NP748: pods that request GPUs but have no rails."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from netplan.diagnostics import Path, Severity
from netplan.graph.kubernetes.asking import Asking, Place, elsewhere, gpu_pods, vendor_of
from netplan.graph.kubernetes.cluster import NETWORKS_ANNOTATION, Nad, ObjectGraph
from netplan.graph.kubernetes.needs import Need, may_land
from netplan.graph.kubernetes.selections import annotation_at, networks_text, opted_out, read_selections
from netplan.model.pod_kinds import RAILS
from netplan.reading.kubernetes.objects import inside, mapping
from netplan.rules.kubernetes.lacks import Lack, has_rails, lack_of, on_host, selects
from netplan.rules.kubernetes.registry import ObjectFinding, rule

_OPT_OUT = f"mark a pod that needs no rails with {NETWORKS_ANNOTATION}: ''"


def _lacking(cluster: ObjectGraph, asking: Asking) -> Lack | None:
    """Of the workloads whose GPUs the pod may use, the one it lacks least of; None if it lacks nothing of
    that one, or may use none's GPUs."""
    lacks = [lack_of(cluster, asking, need) for need in _own_needs(cluster, asking)]
    least = min(lacks, key=lambda lack: lack.weight, default=None)
    return least if least is not None and least.parts else None


def _own_needs(cluster: ObjectGraph, asking: Asking) -> list[Need]:
    """Needs of workloads the pod may belong to; an object without a namespace may be applied to any."""
    return [
        need
        for need in cluster.needs or ()
        if asking.namespace in (None, need.namespace) and _takes(asking, need)
    ]


def _takes(asking: Asking, need: Need) -> bool:
    """Whether the GPUs may be those of the workload's nodes."""
    vendors = {vendor_of(name) for name in need.limits} - {None}
    return bool(asking.vendors & vendors) and may_land(asking.pod.spec, need.nodes)


def _in_doubt(cluster: ObjectGraph, asking: Asking) -> bool:
    return bool(asking.unseen) or _without_multus(cluster, asking)


def _without_multus(cluster: ObjectGraph, asking: Asking) -> bool:
    """Whether the pod is on the host network, perhaps on purpose: it requests no networks, and every
    workload it may belong to has some. Devices, claims and host paths do not depend on that."""
    needs = _own_needs(cluster, asking)
    return on_host(asking.pod) and not networks_text(asking.pod) and all(n.networks for n in needs)


def _judged(asking: Asking) -> bool:
    """Whether to check the pod; a cluster-wide template is checked as part of the jobs that refer to it."""
    return not asking.thing.kind.startswith("Cluster") and not opted_out(asking.pod)


def _of_workloads(cluster: ObjectGraph) -> list[Asking]:
    return [
        a for a in gpu_pods(cluster) if _judged(a) and not _in_doubt(cluster, a) and _own_needs(cluster, a)
    ]


@rule("NP746", "GPU pod of a workload without its rails", on=_of_workloads)
def rails(cluster: ObjectGraph, asking: Asking) -> Iterator[ObjectFinding]:
    """With an inventory: any pod template that requests GPUs in the namespace of a workload, and may run
    on its nodes, must have that workload's networks, devices or claim.

    **Why.** Patches of a kustomize component silently skip kinds they do not name and objects added
    outside it. The kubelet gives devices to a container, so those of a sidecar do not help the one with
    the GPUs. The job starts, finds no RDMA device and runs over the pod network.
    **Fix.** Include the component `pods/<workload>`, or add what its README lists to the pod template.
    Mark a pod that needs no rails with an empty `k8s.v1.cni.cncf.io/networks` annotation, or give it a
    node selector for nodes outside the workload.
    **Source.** kubectl.docs.kubernetes.io/references/kustomize/kustomization/patches (target);
    k8snetworkplumbingwg/network-attachment-definition-client 46fcc411 pkg/utils/net-attach-def.go
    (ParsePodNetworkAnnotation: an empty annotation); kubernetes pkg/kubelet/cm/devicemanager/manager.go
    (Allocate: for a container).
    """
    lack = _lacking(cluster, asking)
    if lack is not None:
        name = lack.need.workload
        message = f"requests {asking} but lacks rails of workload {name}: {'; '.join(lack.parts)}"
        hint = f"include the component pods/{name}, or add what pods/{name}/README.md lists; {_OPT_OUT}"
        if asking.namespace is None:
            hint += f"; state the namespace if it is not {lack.need.namespace}"
        yield ObjectFinding(asking.thing, _where(asking, lack), message, hint)


def _where(asking: Asking, lack: Lack) -> Path:
    """The annotation if only its networks are incomplete, else the GPU request."""
    stated = asking.pod.annotations.get(NETWORKS_ANNOTATION)
    at = annotation_at(asking.pod)
    return (
        at
        if stated and lack.of_networks and asking.thing.source(at) != asking.thing.source(())
        else asking.at
    )


def _asking(cluster: ObjectGraph) -> list[Asking | Place]:
    return [*(a for a in gpu_pods(cluster) if _judged(a)), *elsewhere(cluster)]


def _beside_an_inventory(cluster: ObjectGraph) -> list[Asking | Place]:
    return _asking(cluster) if cluster.needs is not None else []


def _alone(cluster: ObjectGraph) -> list[Asking | Place]:
    return _asking(cluster) if cluster.needs is None else []


@rule("NP693", "GPUs beside pods that have rails", on=_alone, severity=Severity.INFO)
def beside_others(cluster: ObjectGraph, subject: Asking | Place) -> Iterator[ObjectFinding]:
    """A pod requests GPUs without rails, in a namespace whose other pods or networks have devices.
    Without an inventory netplan cannot tell whether that is intended, or which nodes have rails.

    **Why.** Pods without rails run over the pod network, and take GPUs away from those that have rails.
    **Fix.** Add the rails, or mark the pod as not needing them with an empty
    `k8s.v1.cni.cncf.io/networks` annotation. Name the inventory before `--rendered` to have each
    workload's rails compared.
    **Source.** Arithmetic on the files: the devices that pods of one namespace ask for.
    """
    yield from (
        _at_a_place(cluster, subject) if isinstance(subject, Place) else _beside_others(cluster, subject)
    )


@rule("NP748", "GPUs without rails", on=_beside_an_inventory, severity=Severity.WARNING)
def perhaps_without(cluster: ObjectGraph, subject: Asking | Place) -> Iterator[ObjectFinding]:
    """GPUs are requested without rails, and the files do not show whether that is intended. This covers
    pods of another namespace that take as many whole GPUs of a workload's nodes as its own pods do,
    hostNetwork pods, jobs whose runtime is not in the directory, and GPUs in a custom resource outside
    any pod template. Without an inventory see NP693.

    **Why.** Pods without rails run over the pod network, and take GPUs away from those that have rails.
    **Fix.** Add the rails, or mark the pod as not needing them: an empty `k8s.v1.cni.cncf.io/networks`
    annotation, or a node selector for other nodes.
    **Source.** kubernetes.io/docs/concepts/scheduling-eviction/assign-pod-node; kubeflow/trainer 8c0f5059
    pkg/runtime/core/trainingruntime.go.
    """
    if isinstance(subject, Place):
        yield from _at_a_place(cluster, subject)
    elif not _own_needs(cluster, subject):
        yield from _of_another(cluster, subject)
    elif _in_doubt(cluster, subject) or subject.alone is not None:
        yield from _half_seen(cluster, subject)


def _half_seen(cluster: ObjectGraph, asking: Asking) -> Iterator[ObjectFinding]:
    lack = _lacking(cluster, asking)
    if not _in_doubt(cluster, asking):  # then NP746 has what it lacks
        lack = _lacking(cluster, replace(asking, pod=asking.alone)) if asking.alone and not lack else None
    if lack is None:
        return
    rails, missing = f"rails of workload {lack.need.workload}", "; ".join(lack.parts)
    if _without_multus(cluster, asking):
        message = f"requests {asking} with hostNetwork: Multus attaches no {rails} to it"
        hint = "leave hostNetwork out"
    elif asking.unseen:
        message = (
            f"requests {asking}; {asking.unseen} is not in the directory, and without it {rails} are "
            f"missing: {missing}"
        )
        hint = "add the runtime to what is checked"
    else:
        message = (
            f"Kubeflow Trainer before 2.3 replaces the limits of the runtime: {missing} of {rails} remain"
        )
        hint = "write the devices of the rails into resourcesPerNode as well"
    yield ObjectFinding(asking.thing, asking.at, message, f"{hint}; {_OPT_OUT}")


def _of_another(cluster: ObjectGraph, asking: Asking) -> Iterator[ObjectFinding]:
    """Pods on nodes of another workload. Ignores those with fewer GPUs than a pod of that workload: a
    notebook or server."""
    for need in cluster.needs or ():
        if _takes(asking, need) and asking.whole >= need.gpus and not has_rails(cluster, asking):
            whose = f"workload {need.workload} in {need.namespace}"
            message = f"requests {asking} of the nodes of {whose}, but has no rails"
            hint = f"add networks of its own, or a node selector for other nodes; {_OPT_OUT}"
            yield ObjectFinding(asking.thing, asking.at, message, hint)
            return


def _beside_others(cluster: ObjectGraph, asking: Asking) -> Iterator[ObjectFinding]:
    """Ignores pods with fewer GPUs than those with rails request: as in ``_of_another``, other kinds of
    work."""
    if asking.pod.spec.get("hostNetwork") is True or has_rails(cluster, asking):
        return
    why, least = _rails_of(cluster, asking.namespace)
    if why and asking.whole >= least:
        message = f"requests {asking}, but has no rails; {why}"
        yield ObjectFinding(asking.thing, asking.at, message, f"add networks and devices; {_OPT_OUT}")


def _at_a_place(cluster: ObjectGraph, place: Place) -> Iterator[ObjectFinding]:
    """One warning, unless the object has the annotation and the devices at that place."""
    namespace, texts = place.thing.namespace, set(_texts(place.thing.body))
    if cluster.needs is None:
        silent = bool(texts) or not _rails_of(cluster, namespace)[0]
    else:
        mine = [n for n in cluster.needs if namespace in (None, n.namespace)]
        silent = not mine or any(_stated(place, texts, need) for need in mine)
    if not silent:
        asks = ", ".join(f"{amount} {name}" for name, amount in place.gpus.items())
        message = f"requests {asks} where netplan knows no pod template: its rails were not checked"
        hint = (
            f"make sure that the operator of {place.thing.kind} passes on annotation and devices; {_OPT_OUT}"
        )
        yield ObjectFinding(place.thing, place.at, message, hint)


def _stated(place: Place, texts: set[str], need: Need) -> bool:
    if "" in texts:
        return True
    selections = [s for text in texts for s in read_selections((), text)[0]]
    limits = mapping(place.resources.get("limits"))
    return all(any(selects(s, n, place.thing.namespace) for s in selections) for n in need.networks) and all(
        name in limits for name, _ in need.devices
    )


def _texts(value: Any) -> Iterator[str]:
    """Networks annotations anywhere in an object."""
    if isinstance(value, list):
        for item in value:
            yield from _texts(item)
    elif isinstance(value, dict):
        text = value.get(NETWORKS_ANNOTATION)
        if isinstance(text, str):
            yield text
        for item in value.values():
            yield from _texts(item)


def _rails_of(cluster: ObjectGraph, namespace: str | None) -> tuple[str, int]:
    """Why pods of a namespace are known to have rails, empty if they are not; and the fewest GPUs of such
    a pod."""

    def make() -> dict[str | None, tuple[str, int]]:
        found: dict[str | None, tuple[str, int]] = {}
        for asking in sorted(gpu_pods(cluster), key=lambda a: a.whole):
            if asking.whole and has_rails(cluster, asking):
                found.setdefault(asking.namespace, (f"{asking.thing} has", asking.whole))
        for network in cluster.networks:
            if network.namespace is not None and _for_rdma(network):
                found.setdefault(network.namespace, (f"network {network} has devices for RDMA", 1))
        return found

    return cluster.once("rails of namespaces", make).get(namespace, ("", 0))


def _for_rdma(network: Nad) -> bool:
    """Whether a NAD has devices, and its chain moves RDMA devices or its resource is named after RDMA."""
    kinds = {"rdma", "ib-sriov", "ipoib"} & set(network.types)
    return bool(kinds) or (network.resource is not None and "rdma" in network.resource.lower())


def _excepted(cluster: ObjectGraph) -> list[Asking]:
    stated = ("metadata", "annotations", RAILS)
    return [a for a in gpu_pods(cluster) if inside(a.thing.body, stated) == "none" and a.pod.path]


@rule("NP428", "rails on an object that should have none", on=_excepted, severity=Severity.INFO)
def excepted(_: ObjectGraph, asking: Asking) -> Iterator[ObjectFinding]:
    """An object annotated `netplan/rails: none` should have no rails, unless they were added by hand.

    **Why.** Kustomize applies patches and commonAnnotations after components, so the component had added
    the rails before the annotation said none.
    **Fix.** Annotate the object in its own file, or in a kustomization below.
    **Source.** kubernetes-sigs/kustomize 12f9e639 api/internal/target/kusttarget.go (accumulateTarget:
    components, then transformers).
    """
    if networks_text(asking.pod):
        message = f"{RAILS} is none, but its pods have networks"
        hint = "set the annotation in the object's own file; ignore this if the networks were written by hand"
        yield ObjectFinding(asking.thing, ("metadata", "annotations", RAILS), message, hint)
