"""NP730, NP732, NP744, NP745: devices that a DRA driver allocates."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Any

from netplan.diagnostics import Path, Severity
from netplan.graph.kubernetes.asking import vendor_of
from netplan.graph.kubernetes.attachments import apart
from netplan.graph.kubernetes.cluster import SRIOV_DRA, ObjectGraph, Plugin, Pod
from netplan.reading.kubernetes.objects import Thing, inside, listing, mapping
from netplan.reading.kubernetes.placeholders import templated
from netplan.rules.kubernetes.alike import misspelt
from netplan.rules.kubernetes.registry import ObjectFinding, rule

DRA = "resource.k8s.io"
KINDS = {"resourceClaimTemplateName": "ResourceClaimTemplate", "resourceClaimName": "ResourceClaim"}


def rows(value: Any) -> list[tuple[int, dict[str, Any]]]:
    return [(index, row) for index, row in enumerate(listing(value)) if isinstance(row, dict)]


def _used(pod: Pod) -> list[Plugin]:
    """Claims that containers name, each with its place."""
    return [
        ((*at, "resources", "claims", index), row)
        for at, container in chain(pod.containers(), pod.containers("initContainers"))
        for index, row in rows(mapping(container.get("resources")).get("claims"))
    ]


def _claiming(cluster: ObjectGraph) -> list[Pod]:
    return [pod for pod in cluster.pods if listing(pod.spec.get("resourceClaims")) or _used(pod)]


def _claims(cluster: ObjectGraph) -> list[Thing]:
    return cluster.of(DRA, *KINDS.values())


def devices_of(claim: Thing) -> tuple[Path, dict[str, Any]]:
    own: Path = ("spec", "spec") if claim.kind == "ResourceClaimTemplate" else ("spec",)
    at = (*own, "devices")
    return at, mapping(inside(claim.body, at))


def _requests(claim: Thing) -> list[str]:
    """Names that a container may use: requests, and their alternatives."""
    found = []
    for _, request in rows(devices_of(claim)[1].get("requests")):
        name = str(request.get("name"))
        below = [f"{name}/{row.get('name')}" for _, row in rows(request.get("firstAvailable"))]
        found += [name, *below]
    return found


def _same_place(claim: Thing, namespace: str | None) -> bool:
    return claim.namespace is None or namespace is None or claim.namespace == namespace


def _waiting(cluster: ObjectGraph) -> list[Pod]:
    return [pod for pod in _claiming(cluster) if not pod.thing.runs]


@rule("NP730", "pod refers to a missing claim", on=_waiting, between=True)
def pod_claims(cluster: ObjectGraph, pod: Pod) -> Iterator[ObjectFinding]:
    """An entry of `resourceClaims` names one claim or one template in the pod's namespace; containers
    name entries of that list and requests of that claim.

    **Why.** The API server rejects a container that names a missing entry; a pod whose claim or template
    is missing waits for it forever.
    **Fix.** Use the name of a claim or template in the pod's namespace.
    **Source.** kubernetes/kubernetes 001a778f staging/src/k8s.io/api/core/v1/types.go (PodResourceClaim,
    ResourceClaim), pkg/apis/core/validation/validation.go.
    """
    known: dict[str, Thing | None] = {}
    for index, entry in rows(pod.spec.get("resourceClaims")):
        at: Path = (*pod.path, "spec", "resourceClaims", index)
        known[str(entry.get("name"))] = _meant(cluster, pod, entry)
        yield from _without_claim(cluster, pod, at, entry)
    for at, row in _used(pod):
        yield from _without_request(pod, at, row, known)


def _keys(entry: dict[str, Any]) -> list[str]:
    return [key for key in KINDS if entry.get(key)]


def _meant(cluster: ObjectGraph, pod: Pod, entry: dict[str, Any]) -> Thing | None:
    """The claim or template that an entry names; None if it is not here, or is ambiguous."""
    keys = _keys(entry)
    if len(keys) != 1 or templated(entry[keys[0]]) or _is_renamed(cluster, pod):
        return None
    return _named(cluster, pod, KINDS[keys[0]], str(entry[keys[0]]))


def _is_renamed(cluster: ObjectGraph, pod: Pod) -> bool:
    """Whether a kustomization changes the names of claims, or what the pod calls them."""

    def make() -> bool:
        return any(claim.file in cluster.tree.renamed for claim in _claims(cluster))

    return pod.thing.file in cluster.tree.renamed or cluster.once("renamed claims", make)


def _is_old(cluster: ObjectGraph, pod: Pod) -> bool:
    """Whether the cluster is one of Kubernetes 1.30 or older, where `source` is right: claims and classes
    beside the pod are of versions that 1.31 removed."""
    things = cluster.of(DRA, *KINDS.values(), "ResourceClass", "DeviceClass")
    versions = {thing.api_version for thing in things if cluster.beside(pod.thing, thing)}
    return bool(versions) and versions <= {f"{DRA}/v1alpha1", f"{DRA}/v1alpha2"}


def _without_claim(
    cluster: ObjectGraph, pod: Pod, at: Path, entry: dict[str, Any]
) -> Iterator[ObjectFinding]:
    keys = _keys(entry)
    old = _keys(mapping(entry.get("source")))
    if "template" in mapping(entry.get("claim")):  # the proposal of DRA before Kubernetes 1.26
        return
    if not keys and old:
        if _is_old(cluster, pod):
            return
        message = f"{old[0]} of claim {entry.get('name')} is below source, as in Kubernetes 1.30 and older"
        yield ObjectFinding(pod.thing, (*at, "source"), message, f"write {old[0]} without source")
        return
    if len(keys) != 1:
        names = "both a claim and" if keys else "neither a claim nor"
        message = f"claim {entry.get('name')} names {names} a template"
        yield ObjectFinding(pod.thing, at, message, f"write one of {' and '.join(KINDS)}")
        return
    kind, name = KINDS[keys[0]], str(entry[keys[0]])
    decided = not (templated(entry[keys[0]]) or _is_renamed(cluster, pod) or _to_be_made(cluster, name))
    if decided and _meant(cluster, pod, entry) is None and (hint := _hint(cluster, pod, kind, name)):
        yield ObjectFinding(pod.thing, (*at, keys[0]), f"{kind} {name} is not in the directory", hint)


def _without_request(
    pod: Pod, at: Path, row: dict[str, Any], known: Mapping[str, Thing | None]
) -> Iterator[ObjectFinding]:
    name, request = str(row.get("name")), row.get("request")
    if name not in known:
        listed = ", ".join(known) or "none"
        message = f"claim {name} is not in resourceClaims of the pod: {listed}"
        yield ObjectFinding(
            pod.thing, (*at, "name"), message, "add it to resourceClaims, or name one of these"
        )
    elif request and (claim := known[name]) is not None and request not in _requests(claim):
        message = f"{claim} has no request {request}: {', '.join(_requests(claim)) or 'none'}"
        yield ObjectFinding(pod.thing, (*at, "request"), message, "name a request of the claim")


def _named(cluster: ObjectGraph, pod: Pod, kind: str, name: str) -> Thing | None:
    mine = (c for c in cluster.of(DRA, kind) if c.name == name and _same_place(c, pod.thing.namespace))
    return next(mine, None)


def _to_be_made(cluster: ObjectGraph, name: str) -> bool:
    """Whether a controller creates a template of this name: one for each ComputeDomain
    (NVIDIA/k8s-dra-driver-gpu api/nvidia.com/resource/v1beta1/computedomain.go)."""
    domains = cluster.of("resource.nvidia.com", "ComputeDomain")
    named = [d.get("spec", "channel", "resourceClaimTemplate", "name") for d in domains]
    return name in named or any(map(templated, named))


def _hint(cluster: ObjectGraph, pod: Pod, kind: str, name: str) -> str:
    """A hint; empty if the directory does not prove that the object is missing: it may be created
    elsewhere, unless one has a similar name or the pod's folder has one that no pod uses."""
    every = cluster.of(DRA, kind)
    same = next((c for c in every if c.name == name), None)
    if same is not None:
        return f"create it in {pod.thing.namespace}: {same} cannot be used from there"
    if kind == KINDS["resourceClaimTemplateName"] and (beside := _of_workload(cluster, pod, name)):
        return beside
    there = sorted({c.name for c in every if _same_place(c, pod.thing.namespace)})
    close = [each for each in difflib.get_close_matches(name, there) if each not in _names_of(pod)]
    if close:
        return f"did you mean {close[0]}?"
    missing = cluster.whole or _has_idle(cluster, pod, every)
    return f"there: {', '.join(there[:8]) or 'none'}" if missing else ""


def _has_idle(cluster: ObjectGraph, pod: Pod, every: list[Thing]) -> bool:
    """Whether a claim beside the pod is one that no pod uses."""
    used = _names_used(cluster)
    beside = (c for c in every if apart(pod.thing, c) <= 0 and _same_place(c, pod.thing.namespace))
    return any(claim.name not in used for claim in beside)


def _names_used(cluster: ObjectGraph) -> frozenset[str]:
    """Names of claims and templates that pods refer to."""
    return cluster.once("claims in use", lambda: frozenset[str]().union(*map(_names_of, cluster.pods)))


def _names_of(pod: Pod) -> frozenset[str]:
    entries = (entry for _, entry in rows(pod.spec.get("resourceClaims")))
    return frozenset(str(entry[key]) for entry in entries for key in _keys(entry))


@rule("NP745", "claim that no container uses", on=_claiming, severity=Severity.WARNING)
def unused_claims(cluster: ObjectGraph, pod: Pod) -> Iterator[ObjectFinding]:
    """The devices of a claim go to the containers that name it under `resources.claims`. The check covers
    GPUs; a driver of network interfaces may move them into the pod without that.

    **Why.** The pod reserves the devices, and its containers start without them.
    **Fix.** Name the claim in the container that uses the devices.
    **Source.** kubernetes.io/docs/concepts/scheduling-eviction/dynamic-resource-allocation;
    kubernetes/kubernetes 001a778f staging/src/k8s.io/api/core/v1/types.go (ResourceRequirements, Claims).
    """
    used = {str(row.get("name")) for _, row in _used(pod)}
    listed = rows(pod.spec.get("resourceClaims"))
    if used - {str(entry.get("name")) for _, entry in listed}:  # NP730 suggests the name that was meant
        return
    for index, entry in listed:
        name = entry.get("resourceClaimTemplateName")
        template = _named(cluster, pod, "ResourceClaimTemplate", name) if isinstance(name, str) else None
        judged = cluster.whole or (template is not None and _only_gpus(template))
        if judged and entry.get("name") not in used:
            at = (*pod.path, "spec", "resourceClaims", index)
            message = f"claim {entry.get('name')} is used by no container"
            yield ObjectFinding(pod.thing, at, message, "name it in resources.claims of a container")


def _only_gpus(claim: Thing) -> bool:
    requests = [mapping(r.get("exactly", r)) for _, r in rows(devices_of(claim)[1].get("requests"))]
    return bool(requests) and all(vendor_of(str(r.get("deviceClassName"))) for r in requests)


_OF_CHARTS = re.compile(
    rf"{re.escape(SRIOV_DRA)}|(?:vfio\.gpu|compute-domain-daemon|compute-domain-default-channel)\.nvidia\.com"
)
"""DeviceClasses installed by charts of DRA drivers, beside those of GPUs (kubernetes-sigs/
dra-driver-nvidia-gpu deployments/helm/dra-driver-nvidia-gpu/templates/deviceclass-*.yaml)."""


def _is_of_chart(name: str) -> bool:
    return vendor_of(name) is not None or _OF_CHARTS.fullmatch(name) is not None


@rule("NP744", "claim of a device class that does not exist", on=_claims, between=True)
def classes(cluster: ObjectGraph, claim: Thing) -> Iterator[ObjectFinding]:
    """A request must name a DeviceClass that exists in the cluster.

    **Why.** The pod of the claim stays Pending: the class determines which devices match.
    **Fix.** Write the name of a class that exists.
    **Source.** kubernetes/kubernetes v1.34.4 api/openapi-spec/swagger.json (ExactDeviceRequest);
    kubernetes.io/docs/concepts/scheduling-eviction/dynamic-resource-allocation.
    """
    there = [c.name for c in cluster.of(DRA, "DeviceClass")]
    at, devices = devices_of(claim)
    for index, request in rows(devices.get("requests")):
        exactly = mapping(request.get("exactly", request))
        name = exactly.get("deviceClassName")
        if not isinstance(name, str) or templated(name) or name in there or _is_of_chart(name):
            continue
        close = misspelt(name, there)
        if close or cluster.whole:
            place = (*at, "requests", index, *(("exactly",) if "exactly" in request else ()))
            hint = f"did you mean {close}?" if close else f"classes here: {', '.join(there) or 'none'}"
            message = f"device class {name} is not in the directory"
            yield ObjectFinding(claim, (*place, "deviceClassName"), message, hint)


def _of_workload(cluster: ObjectGraph, pod: Pod, name: str) -> str:
    """A hint if netplan renders the template for a workload of another namespace: kustomize's
    ``namespace`` moves the pods there, but the template stays where it is."""
    own = pod.thing.namespace
    mine = [need for need in cluster.needs or () if need.claim == name]
    if not mine or own is None or any(need.namespace == own for need in mine):
        return ""
    return f"leave it in {mine[0].namespace}, where workload {mine[0].workload} has its template"


@rule("NP732", "claim names a request that it does not make", on=_claims)
def own_requests(_: ObjectGraph, claim: Thing) -> Iterator[ObjectFinding]:
    """Requests of a claim have unique names; `config` and `constraints` name requests of the same claim.

    **Why.** The API server rejects the object.
    **Fix.** Correct the name.
    **Source.** kubernetes/kubernetes 797475e1 pkg/apis/resource/validation/validation.go.
    """
    at, devices = devices_of(claim)
    names = _requests(claim)
    seen: set[str] = set()
    for index, request in rows(devices.get("requests")):
        name = str(request.get("name"))
        if name in seen:
            yield ObjectFinding(
                claim, (*at, "requests", index, "name"), f"request {name} twice", "rename one of them"
            )
        seen.add(name)
    for key in ("config", "constraints"):
        for index, row in rows(devices.get(key)):
            for number, name in enumerate(listing(row.get("requests"))):
                if isinstance(name, str) and name not in names and not any(map(templated, (name, *names))):
                    message = (
                        f"{key} is for request {name}, but the requests are {', '.join(names) or 'none'}"
                    )
                    place = (*at, key, index, "requests", number)
                    yield ObjectFinding(claim, place, message, "name a request of the claim")
