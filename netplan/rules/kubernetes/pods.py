"""NP765 to NP767, NP797: pods: their devices, and what RDMA requires of a container."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Any

from netplan.diagnostics import Path, Severity, dotted
from netplan.graph.kubernetes.attachments import attachments_of
from netplan.graph.kubernetes.cluster import (
    SRIOV,
    Nad,
    ObjectGraph,
    Pod,
    quantities,
    same_resource,
)
from netplan.graph.kubernetes.selections import (
    pod_selections,
)
from netplan.reading.kubernetes.objects import inside, listing, mapping
from netplan.records import dataclass
from netplan.rules.kubernetes.registry import ObjectFinding, rule

EFA = "vpc.amazonaws.com/efa"


def annotated(cluster: ObjectGraph) -> list[Pod]:
    return [pod for pod in cluster.pods if pod_selections(pod) is not None]


def attached(cluster: ObjectGraph, pod: Pod) -> list[Nad] | None:
    """The networks of a pod in order; None if one of them is unknown."""
    found = [attachment.network for attachment in attachments_of(cluster, pod)]
    known = [network for network in found if network is not None]
    return known if len(known) == len(found) else None


def injected(cluster: ObjectGraph, resource: str) -> bool:
    """Whether the operator's injector may add the devices; on OpenShift it is on by default."""
    stated = [t.spec.get("enableInjector") for t in cluster.of(SRIOV, "SriovOperatorConfig")]
    if True in stated:
        return True
    return False not in stated and resource.startswith(("openshift.io/", "*/"))


@dataclass(frozen=True, slots=True)
class Asking:
    """A container that states resources."""

    pod: Pod
    at: Path
    container: dict[str, Any]

    def __str__(self) -> str:
        name = self.container.get("name")
        return f"container {name if name else f'number {int(self.at[-1]) + 1}'}"


def asking(cluster: ObjectGraph) -> list[Asking]:
    return [
        Asking(pod, at, c)
        for pod in cluster.pods
        for at, c in chain(pod.containers(), pod.containers("initContainers"))
        if any(is_device(name) for part in ("limits", "requests") for name in quantities(c, part))
    ]


def is_device(name: str) -> bool:
    """Whether it is an extended resource or huge pages: these cannot be overcommitted, so limit and request
    must be equal. Those with the domain of Kubernetes itself (`kubernetes.io/batch-cpu` of Koordinator) can
    (kubernetes/kubernetes 78fc8e44 pkg/apis/core/v1/helper/helpers.go, IsOvercommitAllowed)."""
    return ("/" in name and "kubernetes.io/" not in name) or name.startswith("hugepages-")


def rdma_resources(cluster: ObjectGraph) -> list[str]:
    """Resources that give a container verbs devices."""
    found = [
        f"{cluster.prefix}/{p.spec.get('resourceName')}"
        for p in cluster.policies
        if p.spec.get("isRdma") is True
    ]
    for config in cluster.configs:
        for _, entry in config.entries:
            selectors = entry.get("selectors")
            each = selectors if isinstance(selectors, list) else [selectors]
            if config.shared or any(_is_rdma(mapping(s)) for s in each):
                found.append(config.full(entry))
    return found


def _is_rdma(selector: dict[str, Any]) -> bool:
    return any(key.lower() == "isrdma" and value is True for key, value in selector.items())


@rule("NP765", "RDMA container without IPC_LOCK", on=asking, severity=Severity.INFO)
def ipc_lock(cluster: ObjectGraph, asking: Asking) -> Iterator[ObjectFinding]:
    """RDMA locks the memory it registers, and a container's default limit is too small for that.

    **Why.** ibv_reg_mr fails with ENOMEM, NCCL reports "Couldn't allocate MR". A container runtime whose
    unit sets LimitMEMLOCK=infinity does not need it, which no object shows.
    **Fix.** Add the capability IPC_LOCK, or raise the limit of the container runtime.
    **Source.** k8snetworkplumbingwg/sriov-network-device-plugin 40b6f507 docs/rdma/README.md and #271;
    NVIDIA/nccl-tests#206.
    """
    taken = [n for n in quantities(asking.container, "limits") if "/" in n]
    rdma = [n for n in taken if any(same_resource(n, r) for r in rdma_resources(cluster))]
    security = mapping(asking.container.get("securityContext"))
    added = listing(mapping(security.get("capabilities")).get("add"))
    if (
        rdma
        and security.get("privileged") is not True
        and not {"IPC_LOCK", "CAP_IPC_LOCK", "ALL"} & set(map(str, added))
    ):
        at = (*asking.at, "resources", "limits", rdma[0])
        message = f"{asking} requests {rdma[0]}, but has no IPC_LOCK"
        yield ObjectFinding(asking.pod.thing, at, message, "add IPC_LOCK to securityContext.capabilities.add")


@rule("NP766", "fixed GID index on a shared HCA", on=annotated, severity=Severity.WARNING)
def gid_index(cluster: ObjectGraph, pod: Pod) -> Iterator[ObjectFinding]:
    """With macvlan and ipvlan, pods share the GID table of an HCA.

    **Why.** Each pod's address has a different index, so a fixed NCCL_IB_GID_INDEX points to another
    pod's GID or to none, and NCCL times out.
    **Fix.** Remove the variable; NCCL 2.21 and newer choose by address.
    **Source.** NVIDIA/nccl 48bb7fe src/transport/net_ib.cc (IB_GID_INDEX); NVIDIA/nccl#769, #1573, PR#1427;
    k8snetworkplumbingwg/multus-cni#1100.
    """
    shared = [n for n in attached(cluster, pod) or () if n.types and n.types[0] in ("macvlan", "ipvlan")]
    for at, container in pod.containers() if shared else ():
        for index, entry in enumerate(listing(container.get("env"))):
            if inside(entry, ("name",)) == "NCCL_IB_GID_INDEX" and inside(entry, ("value",)) is not None:
                message = f"NCCL_IB_GID_INDEX is fixed, but {shared[0]} is {shared[0].types[0]}"
                yield ObjectFinding(pod.thing, (*at, "env", index), message, "remove the variable")


def _with_efa(cluster: ObjectGraph) -> list[Asking]:
    return [a for a in asking(cluster) if EFA in quantities(a.container, "limits")]


@rule("NP767", "EFA container without huge pages", on=_with_efa, severity=Severity.INFO)
def huge_pages(_: ObjectGraph, asking: Asking) -> Iterator[ObjectFinding]:
    """The EFA provider of libfabric takes its buffers from huge pages, unless FI_EFA_USE_HUGE_PAGE is 0.

    **Why.** Without them it falls back to ordinary memory or fails at start.
    **Fix.** Add `hugepages-2Mi: 5120Mi` to the limits of the container.
    **Source.** aws-samples/aws-efa-eks 9d6557e1 examples/simple/nccl-efa-tests.yaml; ofiwg/libfabric#9739.
    """
    off = {"name": "FI_EFA_USE_HUGE_PAGE", "value": "0"} in listing(asking.container.get("env"))
    if not off and not any(name.startswith("hugepages-") for name in quantities(asking.container, "limits")):
        at = (*asking.at, "resources", "limits", EFA)
        message = f"{asking} requests {EFA}, but no hugepages-2Mi"
        yield ObjectFinding(asking.pod.thing, at, message, "add hugepages-2Mi to the limits")


_SCAFFOLD = "controller:latest"


@rule("NP797", "environment value is not text", on=lambda cluster: cluster.pods)
def environment(cluster: ObjectGraph, pod: Pod) -> Iterator[ObjectFinding]:
    """Values of environment variables, annotations, labels and node selectors are text. The Deployment of a
    kubebuilder project, whose image is still `controller:latest`, is not judged: bundles are made of it, by
    programs that make text of such values.

    **Why.** The API server rejects the pod: cannot unmarshal number into a string.
    **Fix.** Quote the value.
    **Source.** kubernetes/kubernetes v1.34.4 api/openapi-spec/swagger.json (EnvVar, ObjectMeta, PodSpec);
    kubernetes-sigs/kubebuilder 5c40072 pkg/plugins/common/kustomize/v2/scaffolds/init.go (imageName).
    """
    scaffold = any(container.get("image") == _SCAFFOLD for _, container in pod.containers())
    built = not pod.path and cluster.texts_annotations(pod.thing.file)
    for at, value in () if scaffold else _texts(pod):
        if built and at[:2] == ("metadata", "annotations"):
            continue
        if isinstance(value, bool | int | float):
            shown = str(value).lower() if isinstance(value, bool) else str(value)
            yield ObjectFinding(pod.thing, at, f"{dotted(at)} is {shown}, not text", f'quote it: "{shown}"')


def _texts(pod: Pod) -> Iterator[tuple[Path, Any]]:
    for place in (("metadata", "annotations"), ("metadata", "labels"), ("spec", "nodeSelector")):
        for key, value in mapping(inside(pod.template, place)).items():
            yield (*pod.path, *place, key), value
    for at, container in chain(pod.containers(), pod.containers("initContainers")):
        for index, entry in enumerate(listing(container.get("env"))):
            yield (*at, "env", index, "value"), inside(entry, ("value",))
