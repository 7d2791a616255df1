"""Pods with their attachments: the steps that all interfaces share, and a chain for each interface."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from operator import attrgetter
from typing import Any

from netplan.catalog import is_gpu
from netplan.graph.kubernetes.argo import argo_pods
from netplan.graph.kubernetes.attachments import attachments_of, nearest
from netplan.graph.kubernetes.cluster import NETWORKS_ANNOTATION, Nad, ObjectGraph, Pod, same_resource
from netplan.graph.kubernetes.producers import producers_of
from netplan.graph.kubernetes.selections import networks_text, opted_out, pod_selections
from netplan.graph.kubernetes.trainer import train_jobs
from netplan.reading.kubernetes.objects import listing, mapping
from netplan.reading.kubernetes.placeholders import templated
from netplan.rules.kubernetes.misnamed_resources import misnamed
from netplan.trace.chains.devices import producer_lines
from netplan.trace.chains.model import Doubt, Line, PodChain, Step, Subject, at, unproved
from netplan.trace.chains.steps import asking_of, chain_of

TRAFFIC_CLASSES = ("NCCL_IB_TC", "UCX_IB_TRAFFIC_CLASS")
_ENVIRONMENT = (
    "NCCL_IB_HCA", "NCCL_IB_GID_INDEX", *TRAFFIC_CLASSES, "NCCL_IB_SL", "NCCL_IB_DISABLE",
    "NCCL_IB_ROCE_VERSION_NUM", "NCCL_IB_ADDR_FAMILY", "NCCL_IB_ADDR_RANGE", "NCCL_NET", "NCCL_NET_PLUGIN",
    "NCCL_NET_GDR_LEVEL", "NCCL_NET_GDR_READ", "NCCL_DMABUF_ENABLE", "NCCL_CROSS_NIC", "NCCL_P2P_DISABLE",
    "NCCL_SOCKET_IFNAME", "GLOO_SOCKET_IFNAME", "UCX_NET_DEVICES", "UCX_IB_GID_INDEX", "UCX_TLS",
    "NVSHMEM_HCA_LIST", "NVSHMEM_IB_GID_INDEX", "NVSHMEM_IB_TRAFFIC_CLASS", "FI_PROVIDER",
)  # fmt: skip
"""Variables that decide how a library reaches the HCAs
(docs.nvidia.com/deeplearning/nccl/user-guide/docs/env.html; openucx/ucx src/uct/ib;
docs.nvidia.com/nvshmem, environment variables)."""


def pods_of(cluster: ObjectGraph) -> Iterator[PodChain]:
    """Pods with an attachment, or with a device that something in the files produces."""
    for pod in every_pod(cluster):
        if pod_selections(pod) or _annotation(pod) or _devices(cluster, pod):
            yield _pod(cluster, pod)


def every_pod(cluster: ObjectGraph) -> tuple[Pod, ...]:
    """Pods of all kinds, including those that templates of Argo Workflows and TrainJobs turn into."""

    def make() -> tuple[Pod, ...]:
        return (*cluster.pods, *argo_pods(cluster), *(job.pod for job in train_jobs(cluster)))

    return cluster.once("every pod", make)


def _pod(cluster: ObjectGraph, pod: Pod) -> PodChain:
    steps = [_whole(cluster, pod)]
    steps += [step for step in (_claims(cluster, pod), _environment(cluster, pod)) if step is not None]
    chains = tuple(chain_of(cluster, attachment) for attachment in attachments_of(cluster, pod))
    return PodChain(
        pod=pod,
        name=f"{pod.thing}",
        place=at(pod.thing, pod.path),
        steps=tuple(steps),
        chains=chains,
        traffic_class=_traffic_class(cluster, pod),
    )


def _whole(cluster: ObjectGraph, pod: Pod) -> Step:
    """The pod itself: its GPUs, an annotation that cannot be read, devices without an attachment."""
    lines: list[Line] = []
    doubts: list[Doubt] = []
    subjects = [Subject(pod.thing, ()), Subject(pod.thing, pod.path)]
    for path, container in pod.containers():
        for name, amount in mapping(mapping(container.get("resources")).get("limits")).items():
            if is_gpu(str(name)):
                place = at(pod.thing, (*path, "resources", "limits", name))
                lines.append(Line(f"container {container.get('name')} has {amount} {name}", place))
    if annotation := _annotation(pod):
        lines.append(annotation)
        doubts.append(unproved("Multus cannot read this as the networks of the pod"))
    if pod.spec.get("hostNetwork") is True:
        lines.append(
            Line("it is on the network of the node", at(pod.thing, (*pod.path, "spec", "hostNetwork")))
        )
    for name in _devices(cluster, pod):
        asks = next((p.path for p in asking_of(pod, name)), pod.path)
        lines.append(Line(f"{pod.asked(name)} {name}, without an attachment", at(pod.thing, asks)))
        made = nearest(pod.thing, producers_of(cluster, name), attrgetter("thing"))
        produced, found = producer_lines(cluster, made)
        lines += produced
        subjects += found
    subjects += _wanting(cluster, pod)
    return Step(name="pod", lines=tuple(lines), doubts=tuple(doubts), subjects=tuple(subjects))


def _wanting(cluster: ObjectGraph, pod: Pod) -> list[Subject]:
    """What should produce a resource that the pod requests but none of its networks has."""
    own = {n.resource.rpartition("/")[2] for n in _networks(cluster, pod) if n.resource}
    names = {name.rpartition("/")[2] for name in pod.resources()} - own
    others = misnamed(cluster)
    return [Subject(others[name].thing, others[name].at) for name in sorted(names) if name in others]


def _networks(cluster: ObjectGraph, pod: Pod) -> list[Nad]:
    return [a.network for a in attachments_of(cluster, pod) if a.network is not None]


def _annotation(pod: Pod) -> Line | None:
    """A networks annotation that selects nothing readable: it has placeholders, or stands in the wrong
    place."""
    text = networks_text(pod)
    if opted_out(pod) or pod_selections(pod) or text in (None, "", "[]"):
        return None
    shown = " ".join(str(text).split())[:120]
    place = (*pod.path, "metadata", "annotations", NETWORKS_ANNOTATION)
    why = "with placeholders" if templated(text) else "as written"
    return Line(f"networks {why}: {shown}", at(pod.thing, place))


def _devices(cluster: ObjectGraph, pod: Pod) -> list[str]:
    """Resources that the pod requests and files produce, but that none of its networks uses."""
    own = [n.resource for n in _networks(cluster, pod) if n.resource]
    return [
        name
        for name in sorted(pod.resources())
        if not any(same_resource(name, resource) for resource in own) and cluster.producers(name)
    ]


def _claims(cluster: ObjectGraph, pod: Pod) -> Step | None:
    claims = [(n, e) for n, e in enumerate(listing(pod.spec.get("resourceClaims"))) if isinstance(e, dict)]
    if not claims:
        return None
    lines: list[Line] = []
    subjects: list[Subject] = []
    for index, entry in claims:
        name = entry.get("resourceClaimTemplateName") or entry.get("resourceClaimName")
        place = at(pod.thing, (*pod.path, "spec", "resourceClaims", index))
        lines.append(Line(f"claim {entry.get('name')}: {name}", place))
        for thing in cluster.of("resource.k8s.io", "ResourceClaimTemplate", "ResourceClaim"):
            if thing.name == name and thing.may_be_beside(pod.thing):
                subjects.append(Subject(thing, ()))
    return Step(
        name="claims",
        lines=tuple(lines),
        doubts=(unproved("no file states which devices the DRA driver allocates and what it sets up"),),
        subjects=tuple(subjects),
    )


def _variables(cluster: ObjectGraph, pod: Pod) -> Iterator[tuple[str, Any, str]]:
    """(name, value, place) from the containers and from ConfigMaps they load with envFrom; None for a value
    that is set elsewhere."""
    for path, container in chain(pod.containers(), pod.containers("initContainers")):
        for entry in listing(container.get("envFrom")):
            name = mapping(mapping(entry).get("configMapRef")).get("name")
            for thing in cluster.of("", "ConfigMap"):
                if thing.name == name and thing.may_be_beside(pod.thing):
                    prefix = mapping(entry).get("prefix") or ""
                    for key, value in mapping(thing.body.get("data")).items():
                        yield f"{prefix}{key}", value, at(thing, ("data", key))
        for index, entry in enumerate(listing(container.get("env"))):
            stated = mapping(entry)
            place = at(pod.thing, (*path, "env", index))
            yield str(stated.get("name")), None if "valueFrom" in stated else stated.get("value", ""), place


def _environment(cluster: ObjectGraph, pod: Pod) -> Step | None:
    lines: list[Line] = []
    doubts: list[Doubt] = []
    for name, value, place in _variables(cluster, pod):
        if name not in _ENVIRONMENT:
            continue
        if value is None or templated(value):
            doubts.append(unproved(f"the value of {name} is not in the files ({place})"))
        lines.append(Line(f"{name}={'...' if value is None else value}{_dscp(name, value)}", place))
    if not lines:
        return None
    containers = (path for path, _ in chain(pod.containers(), pod.containers("initContainers")))
    subjects = tuple(Subject(pod.thing, (*path, "env")) for path in containers)
    return Step(
        name="environment", lines=tuple(dict.fromkeys(lines)), doubts=tuple(doubts), subjects=subjects
    )


def _dscp(name: str, value: Any) -> str:
    byte = _byte(name, value)
    return "" if byte is None else f" (DSCP {byte >> 2})"


def _byte(name: str, value: Any) -> int | None:
    text = str(value)
    known = name in TRAFFIC_CLASSES and text.isdecimal() and len(text) <= 3
    return int(text) if known and int(text) <= 255 else None


def _traffic_class(cluster: ObjectGraph, pod: Pod) -> int | None:
    found = (_byte(name, value) for name, value, _ in _variables(cluster, pod))
    return next((byte for byte in found if byte is not None), None)
