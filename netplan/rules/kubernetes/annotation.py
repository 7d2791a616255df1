"""NP747, NP762: a networks annotation that Multus does not read, or cannot use."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from netplan.diagnostics import Path, Severity
from netplan.graph.kubernetes.askers import KUBEVIRT, MACHINES, Asker, askers, interfaces_of
from netplan.graph.kubernetes.asking import gpu_pods
from netplan.graph.kubernetes.attachments import PodInterface
from netplan.graph.kubernetes.cluster import NETWORKS_ANNOTATION, ObjectGraph, Pod
from netplan.graph.kubernetes.selections import (
    KEEP_THEIRS,
    address_problems,
    interface_problems,
    mac_problems,
    meant_key,
    read_selections,
)
from netplan.reading.kubernetes.objects import Thing, inside, listing, mapping
from netplan.records import dataclass
from netplan.rules.kubernetes.host_local import refused_address
from netplan.rules.kubernetes.registry import ObjectFinding, rule


@dataclass(frozen=True, slots=True, eq=False)
class Annotated:
    """A map of annotations. ``of_pod``: of a pod template, else of an object that creates pods.
    ``replaced``: KubeVirt writes the annotation itself."""

    thing: Thing
    at: Path
    annotations: dict[str, Any]
    of_pod: bool
    replaced: bool = False


def _maps(cluster: ObjectGraph) -> list[Annotated]:
    found: list[Annotated] = []
    pods = [*cluster.pods, *(a.pod for a in gpu_pods(cluster) if a.thing.kind != "TrainJob")]
    paths: dict[int, set[Path]] = {}
    for pod in pods:
        at = (*pod.path, "metadata", "annotations")
        if at not in paths.setdefault(id(pod.thing), set()):
            paths[id(pod.thing)].add(at)
            found.append(Annotated(pod.thing, at, pod.annotations, of_pod=True))
    for thing in dict.fromkeys(pod.thing for pod in pods if pod.thing.kind in KEEP_THEIRS):
        for at, own in _levels(thing, thing.body, ()):
            if at not in paths[id(thing)]:
                found.append(Annotated(thing, at, own, of_pod=False))
    found += _of_machines(cluster)
    others = (asker for asker in askers(cluster) if asker.pod is None)
    return found + [Annotated(a.thing, a.at, dict(a.annotations), True, a.replaced) for a in others]


def _of_machines(cluster: ObjectGraph) -> Iterator[Annotated]:
    """Of objects with a template of a machine, whose annotations KubeVirt does not hand on."""
    for kind, template in MACHINES.items():
        for thing in cluster.of(KUBEVIRT, kind) if template else ():
            if thing.annotations.get(NETWORKS_ANNOTATION):
                spec = mapping(inside(thing.body, (*template, "spec")))
                rows = (mapping(row) for row in listing(spec.get("networks")))
                named = any("multus" in row for row in rows)
                yield Annotated(thing, ("metadata", "annotations"), thing.annotations, False, replaced=named)


def _levels(thing: Thing, value: Any, at: Path) -> Iterator[tuple[Path, dict[str, Any]]]:
    if isinstance(value, list):
        for index, item in enumerate(value):
            yield from _levels(thing, item, (*at, index))
    elif isinstance(value, dict):
        own = inside(value, ("metadata", "annotations"))
        if isinstance(own, dict):
            yield (*at, "metadata", "annotations"), own
        for key, item in value.items():
            if key not in ("metadata", "status", "containers"):
                yield from _levels(thing, item, (*at, key))


def _is_passed_on(cluster: ObjectGraph, one: Annotated) -> bool:
    """Whether the pods may get it all the same: it is on their template, whose spec is elsewhere, or the
    directory has a webhook that may change pods."""
    above = one.at[:-2]
    spec = mapping(inside(one.thing.body, (*above, "spec")))
    of_pods = above[-1:] == ("template",) and "template" not in spec
    return of_pods or bool(cluster.of("admissionregistration.k8s.io", "MutatingWebhookConfiguration"))


_OF_MACHINE = "write multus.networkName into networks of the machine's spec, and an interface for it"
_OF_V2 = "kubernetes.v1.cni.cncf.io/networks"
"""What Multus v2 read (k8snetworkplumbingwg/multus-cni, tags v2.1 and v3.0, k8sclient/k8sclient.go)."""


def _is_v3(cluster: ObjectGraph) -> bool:
    return any(NETWORKS_ANNOTATION in pod.annotations for pod in cluster.pods)


@rule("NP747", "networks annotation where Multus does not read it", on=_maps, severity=Severity.WARNING)
def annotation_key(cluster: ObjectGraph, one: Annotated) -> Iterator[ObjectFinding]:
    """Multus reads only `k8s.v1.cni.cncf.io/networks`, and only on the pod. The key of Multus v2 is a note in
    files of others where no pod has the new one, and so is an annotation that KubeVirt replaces.

    **Why.** The pod starts without its interfaces, and nothing reports it: Kubernetes accepts unknown
    annotations. Annotations of a Deployment, Job or JobSet are not passed on; pods get those of their
    template, and machines of KubeVirt theirs.
    **Fix.** Write the exact key in the metadata of the pod template.
    **Source.** k8snetworkplumbingwg/network-attachment-definition-client 46fcc411 pkg/utils/net-attach-def.go
    (ParsePodNetworkAnnotation); kubernetes-sigs/jobset 08dfbdfd pkg/controllers/jobset_controller.go;
    kubernetes-sigs/lws 060ab4da pkg/controllers/pod_controller.go; volcano-sh/volcano ed72c7c8
    pkg/controllers/job/job_controller_util.go; kubevirt/kubevirt d923fdb8
    pkg/network/pod/annotations/generator.go, pkg/virt-controller/watch/vm/vm.go (setupVMIFromVM: metadata of
    the template).
    """
    key = meant_key(one.annotations)
    if key is not None:
        since = " since v3" if key == _OF_V2 else ""
        message = f"Multus{since} does not read {key}"
        unsure = key == _OF_V2 and not cluster.once("pods of v3", lambda: _is_v3(cluster))
        hint = f"write {NETWORKS_ANNOTATION}"
        yield ObjectFinding(one.thing, (*one.at, key), message, hint, unsure=unsure)
    elif one.replaced:
        at = (*one.at, NETWORKS_ANNOTATION)
        message = "KubeVirt replaces it by the networks of the machine's spec"
        yield ObjectFinding(one.thing, at, message, "remove it, or those networks", unsure=True)
    elif not one.of_pod and one.annotations.get(NETWORKS_ANNOTATION) and not _is_passed_on(cluster, one):
        at = (*one.at, NETWORKS_ANNOTATION)
        message = f"{NETWORKS_ANNOTATION} is on the {one.thing.kind}, not on its pods"
        of_machine = one.thing.group == KUBEVIRT
        hint = _OF_MACHINE if of_machine else "move it to metadata.annotations of the pod template"
        yield ObjectFinding(one.thing, at, message, hint)


def _annotated(cluster: ObjectGraph) -> list[Asker]:
    return [asker for asker in askers(cluster) if asker.text is not None and asker.selections is not None]


@rule("NP762", "networks annotation that Multus cannot use", on=_annotated)
def readable(cluster: ObjectGraph, asker: Asker) -> Iterator[ObjectFinding]:
    """The annotation is a comma-separated list of namespace/name@interface, or a JSON list of objects, of a
    pod with a network namespace of its own. So it is where the values of a chart hand it to pods, and on a
    virtual machine; there it is a note where KubeVirt replaces the annotation. Multus hands `ips` to the
    IPAM: host-local has the addresses of its ranges, except the gateway.

    **Why.** The pod does not start if Multus cannot read the text, an address of `ips` or a `mac`, if
    host-local does not have the address ("failed to allocate all requested IPs"), or if an interface name is
    longer than 15 characters or used twice. For a pod with `hostNetwork` no CNI plugin runs: nothing is
    attached.
    **Fix.** Correct the annotation; give every interface of the pod a unique name.
    **Source.** k8snetworkplumbingwg/multus-cni 95a0932 pkg/k8sclient/k8sclient.go (parsePodNetworkAnnotation:
    also `ips`, `mac`); containernetworking/cni 3f51e880 pkg/utils/utils.go;
    k8snetworkplumbingwg/multus-cni#1091, #587; containernetworking/plugins 3d27709
    plugins/main/macvlan/macvlan.go (loadConf: the MAC of CNI_ARGS), which Linux' macvlan_validate refuses;
    plugins/ipam/host-local/main.go (cmdAdd), backend/allocator/allocator.go (Get).
    """
    thing, unsure = asker.thing, asker.replaced
    at = (*asker.at, NETWORKS_ANNOTATION)
    if _is_of_host(asker.pod) and cluster.needs is None and not cluster.whole:  # else NP746
        message = "the pod has hostNetwork: Multus attaches none of its networks"
        yield ObjectFinding(thing, at, message, "remove hostNetwork, or the annotation")
    selections, wrong = read_selections(at, str(asker.text))
    for message in wrong:
        hint = "write training/rail0@net1, or a JSON list"
        yield ObjectFinding(thing, at, message, hint, breaks=True, unsure=unsure)
    problems = (
        (address_problems, "write an address, with its prefix length"),
        (mac_problems, "write 6 bytes, such as 02:00:00:00:00:01, or 8"),
        (interface_problems, "give every interface a short, unique name"),
    )
    for find, hint in problems:
        for place, message in find(selections):
            yield ObjectFinding(thing, place, message, hint, unsure=unsure or _is_of_a_fork(asker))
    for interface in interfaces_of(cluster, asker):
        yield from _refused_addresses(interface)


def _refused_addresses(interface: PodInterface) -> Iterator[ObjectFinding]:
    """Addresses that host-local does not give, whichever definition of the network counts."""
    ipams = [[ipam for _, ipam in network.ipams] for network in interface.definitions]
    if not ipams or not all(len(own) == 1 and own[0].get("type") == "host-local" for own in ipams):
        return
    for text in interface.ips:
        reasons = [refused_address(own[0], text) for own in ipams]
        if all(reasons) and not interface.pod.thing.owned and not interface.pod.thing.runs:
            message = f"it asks for {text} on {interface.network}, but {reasons[0]}"
            hint = "ask for another address, or none"
            yield ObjectFinding(interface.pod.thing, interface.at, message, hint)


_DEFAULT = "v1.multus-cni.io/default-network"


def _is_of_a_fork(asker: Asker) -> bool:
    """Whether another key names the default network than Multus reads: its Multus is another one."""
    return any(str(key).endswith("/default-network") and key != _DEFAULT for key in asker.annotations)


def _is_of_host(pod: Pod | None) -> bool:
    return pod is not None and pod.spec.get("hostNetwork") is True
