"""Which rails of a workload a pod lacks, and whether it has any rails at all."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain
from typing import Any

from netplan.graph.kubernetes.asking import Asking, vendor_of
from netplan.graph.kubernetes.cluster import NETWORKS_ANNOTATION, ObjectGraph, Pod, same_resource
from netplan.graph.kubernetes.needs import Need
from netplan.graph.kubernetes.selections import NetworkSelection, networks_text, read_selections
from netplan.reading.kubernetes.objects import inside, listing, mapping
from netplan.reading.kubernetes.placeholders import templated
from netplan.records import dataclass
from netplan.report import few
from netplan.rules.kubernetes.pods import EFA, attached, injected

_SHOWN = 8


@dataclass(frozen=True, slots=True)
class Lack:
    """``parts``: what is missing, as text; ``weight``: how much is missing; ``of_networks``: only
    networks are missing."""

    need: Need
    parts: tuple[str, ...]
    weight: int
    of_networks: bool


def lack_of(cluster: ObjectGraph, asking: Asking, need: Need) -> Lack:
    pod = asking.pod
    if need.networks and on_host(pod) and networks_text(pod):
        part = f"hostNetwork: Multus attaches none of its {len(need.networks)} networks"
        return Lack(need, (part,), 1 + len(need.networks), of_networks=True)
    networks = _missing_networks(cluster, asking, need)
    devices = _missing_devices(cluster, pod, need, complete=not networks)
    parts: list[str] = []
    if networks:
        have, all_of = len(need.networks) - len(networks), len(need.networks)
        parts.append(f"{have} of {all_of} networks attached, {few(networks, _SHOWN)} missing")
    parts += devices
    if need.claim is not None and not _has_claim(pod, need.claim):
        parts.append(f"no claim of template {need.claim}")
    mounted = [inside(v, ("hostPath", "path")) for v in listing(pod.spec.get("volumes"))]
    parts += [f"no volume of {path}" for path in need.host_paths if path not in mounted]
    if not parts:
        parts += _without_routes(asking, need)
    if not parts:
        parts += (part for name, c in _with_gpus(pod) for part in _elsewhere(pod, name, c, need))
    return Lack(need, tuple(parts), len(parts) + len(networks), bool(networks) and len(parts) == 1)


_MAY_ROUTE = {"NET_ADMIN", "CAP_NET_ADMIN", "ALL"}


def _without_routes(asking: Asking, need: Need) -> list[str]:
    """What keeps rail-routes.sh from working; any container allowed to set routes may run it, whatever
    its name."""
    text, own = networks_text(asking.pod), asking.namespace
    if not need.scripted or templated(text):
        return []
    selections = read_selections((), text)[0] if isinstance(text, str) else []
    out = []
    for namespace, name, interface in need.scripted:
        found = [s for s in selections if selects(s, (namespace, name), own)]
        if found and interface not in {s.interface for s in found}:
            out.append(f"{namespace}/{name} is {found[0].interface or 'net1 or the like'}, not {interface}")
    shown = [few(out, _SHOWN)] if out else []
    both = chain(asking.pod.containers("initContainers"), asking.pod.containers())
    if not any(_may_route(mapping(container.get("securityContext"))) for _, container in both):
        shown.append("no init container rail-routes, which installs its routes")
    return shown


def _may_route(security: dict[str, Any]) -> bool:
    added = listing(mapping(security.get("capabilities")).get("add"))
    return security.get("privileged") is True or bool(_MAY_ROUTE & set(map(str, added)))


def on_host(pod: Pod) -> bool:
    """Whether the pod is on the host network, where no CNI plugin runs (multus-cni#1091, #587)."""
    return pod.spec.get("hostNetwork") is True


def _missing_networks(cluster: ObjectGraph, asking: Asking, need: Need) -> list[str]:
    """Networks the pod does not attach; also empty if the text is not final or already reported (NP758,
    NP762)."""
    text = networks_text(asking.pod)
    if templated(text) or not need.networks:
        return []
    selections, wrong = read_selections((), text) if isinstance(text, str) else ([], [])
    if wrong or any(_wrong_name(cluster, asking, s) for s in selections):
        return []
    own = asking.namespace
    missing = [n for n in need.networks if not any(selects(s, n, own) for s in selections)]
    return [f"{namespace}/{name}" for namespace, name in missing]


def selects(selection: NetworkSelection, network: tuple[str, str], own: str | None) -> bool:
    return selection.name == network[1] and (selection.namespace or own or network[0]) == network[0]


def _wrong_name(cluster: ObjectGraph, asking: Asking, selection: NetworkSelection) -> bool:
    namespace = selection.namespace or asking.namespace
    there = any(namespace in (None, n.namespace) for n in cluster.networks)
    return there and not cluster.named(namespace, selection.name)


def _missing_devices(cluster: ObjectGraph, pod: Pod, need: Need, complete: bool) -> list[str]:
    """Devices the pod lacks, except those that an injector adds to an annotated pod or that NP763 counts."""
    networks = attached(cluster, pod) if pod.annotations.get(NETWORKS_ANNOTATION) else None
    counted = [n.resource for n in networks or () if n.resource]
    out = []
    for resource, count in need.devices:
        asked = pod.asked(resource)
        if asked >= count or _not_final(pod, resource):
            continue
        if (
            complete
            and need.networks
            and (
                (asked == 0 and injected(cluster, resource))
                or any(same_resource(r, resource) for r in counted)
            )
        ):
            continue
        out.append(f"{asked} of {count} {resource}")
    return out


def _not_final(pod: Pod, resource: str) -> bool:
    """Whether an amount is not a number: a placeholder, or an invalid one (NP764)."""
    both = chain(pod.containers(), pod.containers("initContainers"))
    amounts = (inside(c, ("resources", part, resource)) for _, c in both for part in ("limits", "requests"))
    return any(amount is not None and not str(amount).isdecimal() for amount in amounts)


def _has_claim(pod: Pod, template: str) -> bool:
    """Whether the pod has a claim of the template; a claim created under its own name may be one."""
    entries = [mapping(e) for e in listing(pod.spec.get("resourceClaims"))]
    named = [e.get("resourceClaimTemplateName") for e in entries]
    return (
        template in named
        or any(templated(n) for n in named)
        or any(e.get("resourceClaimName") for e in entries)
    )


def _with_gpus(pod: Pod) -> list[tuple[str, Pod]]:
    """(name, pod reduced to it) for each container that requests GPUs. Parts of one container stated by
    both job and runtime (``trainer``) share a name. Empty if the GPUs come from claims only."""
    groups: dict[str, list[dict[str, Any]]] = {}
    for _, container in chain(pod.containers(), pod.containers("initContainers")):
        groups.setdefault(str(container.get("name")), []).append(container)
    alone = {name: replace(pod, template={"spec": {"containers": found}}) for name, found in groups.items()}
    return [(name, one) for name, one in alone.items() if any(map(vendor_of, one.resources()))]


def _elsewhere(pod: Pod, name: str, alone: Pod, need: Need) -> list[str]:
    """What the pod has only in other containers than the one with its GPUs: kubelet and driver assign
    devices, claims and mounts per container."""
    has, beside = f"container {name} has the GPUs", len(_with_gpus(pod)) > 1
    own = {resource: alone.asked(resource) for resource, _ in need.devices}
    out = [
        f"{has} and {own[resource]} of {count} {resource}"
        for resource, count in need.devices
        if own[resource] < min(count, pod.asked(resource)) and not (beside and any(own.values()))
    ]
    if need.claim is not None and _claims_elsewhere(pod, alone, need.claim):
        out.append(f"{has} but not the claim of template {need.claim}")
    mounts = {str(inside(m, ("name",))) for m in _inner(alone, ("volumeMounts",))}
    for path in need.host_paths:
        volumes = [v for v in listing(pod.spec.get("volumes")) if inside(v, ("hostPath", "path")) == path]
        if not mounts & {str(inside(v, ("name",))) for v in volumes}:
            out.append(f"{has} but does not mount {path}")
    return out


def _claims_elsewhere(pod: Pod, alone: Pod, template: str) -> bool:
    """Whether the pod has a claim of the template that the container does not use."""
    claims = [mapping(e) for e in listing(pod.spec.get("resourceClaims"))]
    named = {str(e.get("name")) for e in claims if e.get("resourceClaimTemplateName") == template}
    taken = {str(inside(c, ("name",))) for c in _inner(alone, ("resources", "claims"))}
    return bool(named) and not named & taken


def _inner(alone: Pod, path: tuple[str, ...]) -> list[Any]:
    return [entry for _, c in alone.containers() for entry in listing(inside(c, path))]


def has_rails(cluster: ObjectGraph, asking: Asking) -> bool:
    """Whether the pod has networks, devices that are not GPUs, or claims besides those for GPUs."""
    pod = asking.pod
    others = [r for r in pod.resources() if vendor_of(r) is None and _is_rail(cluster, r)]
    claims = listing(pod.spec.get("resourceClaims"))
    gpu_claims = sum(amount == "" for amount in asking.gpus.values())
    return bool(networks_text(pod)) or bool(others) or len(claims) > gpu_claims


def _is_rail(cluster: ObjectGraph, resource: str) -> bool:
    """Whether a resource is a rail's; e.g. rdma/ib, the RDMA shared device plugin's prefix with a
    site-specific name."""
    return resource == EFA or "rdma" in resource.lower() or bool(cluster.producers(resource))
