"""NP6xx: pods, their placement and their resources."""

from __future__ import annotations

from collections.abc import Iterator

from netplan.checks.mixed_types import uneven
from netplan.checks.registry import Finding, check
from netplan.diagnostics import Path, Severity
from netplan.model.fabric import Fabric, Network, Workload
from netplan.model.hardware import HostType
from netplan.model.job_kinds import JOB_KINDS
from netplan.model.plan import Plan
from netplan.model.workloads import CollectiveJob, DeviceRequest

NAME_MAX = 63


def _workloads(subject: Fabric | Plan) -> int:
    return len(subject.workloads)


def _jobs(plan: Plan) -> int:
    return sum(len(w.jobs) for w in plan.workloads)


def _used(fabric: Fabric) -> Iterator[tuple[Workload, Network]]:
    return ((w, n) for w in fabric.workloads for n in w.networks)


def _used_count(fabric: Fabric) -> int:
    return sum(1 for _ in _used(fabric))


@check("NP601", "hosts of a workload span several leaf groups", on=Plan, counts=_workloads)
def several_groups(plan: Plan) -> Iterator[Finding]:
    """With a subnet per leaf, an attachment is valid for the hosts of one leaf group only.

    **Why.** A pod template names its attachments, so a pod on another leaf gets the wrong subnet.
    **Fix.** Write one workload per leaf group, or use `rails.segment: host`, which works on any host.
    **Source.** Multus, annotation k8s.v1.cni.cncf.io/networks: one list for all pods of a template.
    """
    for w in plan.workloads:
        mixed = any(uneven(w.workload, n) for n in w.workload.networks)  # NP661
        if w.placement.unplaced and not mixed:
            groups, first = ", ".join(w.placement.unplaced), w.placement.unplaced[0]
            yield Finding(
                (*w.workload.at, "hosts"),
                f"{w.name} has hosts in leaf groups {groups}, but its attachments are those of {first}",
                "write a workload for each leaf group, or set rails.segment to host",
            )


@check("NP603", "pods of a node request more than the node has", on=Plan, counts=_workloads)
def too_much(plan: Plan) -> Iterator[Finding]:
    """The pods that share a node must not request more GPUs and devices than the node has.

    **Why.** The pods stay Pending: insufficient nvidia.com/gpu or RDMA resource.
    **Fix.** Lower `gpus` or `pods_per_node`, or raise `vfs` of the host type's HCAs; for a device-only
    network state fewer `devices`, for a shared one a larger `share_max`.
    **Source.** kubernetes/website 96b8eb9d content/en/docs/concepts/extend-kubernetes/compute-storage-net/
    device-plugins.md: extended resources are not overcommitted.
    """
    for w in (w for w in plan.workloads if w.workload.hosts):
        pods, kinds = w.workload.pods_per_node, w.workload.host_types
        kind = min(kinds, key=lambda t: t.gpus)
        if w.workload.gpus * pods > kind.gpus:
            what = f"{pods} pods of {w.name} with {w.workload.gpus} GPUs each"
            hint = "lower gpus or pods_per_node"
            yield Finding((*w.workload.at, "gpus"), f"{what} exceed the {kind.gpus} of {kind.name}", hint)
        for device in w.devices:
            with_it = [t for t in kinds if t.name in device.per_node]
            kind = min(with_it, key=lambda t: device.per_node[t.name], default=kind)
            have = device.per_node.get(kind.name)
            if have is not None and device.count * pods > have:
                what = f"{pods} pods of {w.name} with {device.count} {device.resource} each"
                at, hint = _too_many(w.workload, device, kind, have // pods)
                yield Finding(at, f"{what} exceed the {have} of {kind.name}", hint)


def _too_many(workload: Workload, device: DeviceRequest, kind: HostType, room: int) -> tuple[Path, str]:
    """(place to change the number of devices, hint)."""
    network = next(n for n in workload.networks if n.name == device.network)
    if network.name in workload.devices:
        lower = f"lower devices.{network.name} or pods_per_node"
        return (*workload.at, "devices", network.name), lower
    at = (*workload.at, "pods_per_node")
    if network.shared:
        return at, f"lower pods_per_node or raise share_max of {network.name}"
    vfs = any(h.use == "vf" and not h.virtual for h in kind.hcas)
    if network.takes == "any" and room:
        stated = f"state devices: {{{network.name}: {room}}}"
        return at, f"lower pods_per_node or {stated}"
    return at, f"lower pods_per_node or {'raise vfs of' if vfs else 'add'} the HCAs"


@check("NP604", "job with more pods than nodes", on=Plan, counts=_workloads)
def too_few_nodes(plan: Plan) -> Iterator[Finding]:
    """Each pod of a job runs on a node of its own.

    **Why.** The last pods stay Pending, and a collective job waits for all of them.
    **Fix.** Lower `nodes` or add hosts.
    **Source.** Kubernetes, podAntiAffinity on kubernetes.io/hostname, which the test jobs have.
    """
    for w in plan.workloads:
        if w.workload.nodes > w.placement.nodes:
            what = f"a job of {w.name} takes {w.workload.nodes} nodes, but it has {w.placement.nodes} hosts"
            yield Finding(
                (*w.workload.at, "nodes"), what, f"set nodes to {w.placement.nodes} or less, or add hosts"
            )


@check("NP605", "no attachment in the namespace of a workload", on=Fabric, counts=_used_count)
def missing_namespace(fabric: Fabric) -> Iterator[Finding]:
    """A NetworkAttachmentDefinition is a namespaced object.

    **Why.** With namespace isolation, Multus rejects attachments of another namespace.
    **Fix.** Add the namespace to `namespaces` of the network.
    **Source.** k8snetworkplumbingwg/multus-cni 95a09323 docs/configuration.md, namespaceIsolation.
    """
    for w, network in _used(fabric):
        places = network.namespaces or ("default",)
        if network.by_mode.attached and w.namespace not in places:
            known = ", ".join(places)
            what = f"workload {w.name} runs in namespace {w.namespace}, network {network.name} is in {known}"
            yield Finding(
                (*network.at, "namespaces"), what, f"add {w.namespace} to namespaces of {network.name}"
            )


@check("NP607", "hosts of a workload do not carry its network", on=Plan, counts=_workloads)
def not_carried(plan: Plan) -> Iterator[Finding]:
    """Every host type of a workload needs HCAs whose `use` fits the mode of each of its networks.

    **Why.** Pods on such a node would stay Pending for lack of the device, or start without the interface.
    **Fix.** Take the host type out of the workload, or give it fitting HCAs: `use: vf` for sriov, `pf`
    for host-device, macvlan and ipvlan.
    **Source.** k8snetworkplumbingwg/sriov-network-device-plugin 40b6f507 cmd/sriovdp/manager.go: a resource
    exists only where its selectors match.
    """
    for w in plan.workloads:
        for network in w.workload.networks:
            carrying = _carrying(plan, network)
            for kind in w.workload.host_types if carrying else ():  # else NP663 or NP710 reports it
                if kind.name not in carrying and not _told(network, kind):
                    what = f"host type {kind.name} has no HCA for {network.mode} network {network.name}"
                    hint = f"give {kind.name} such an HCA or take it out of hosts"
                    yield Finding((*w.workload.at, "hosts"), what, hint)


def _told(network: Network, kind: HostType) -> bool:
    """Whether NP663 or NP710 reports at the network why a host type does not carry it."""
    return kind in network.host_types or any(h.name in network.hcas for h in kind.hcas)


def _carrying(plan: Plan, network: Network) -> set[str]:
    if network.takes == "mount":
        return {t.name for t in plan.fabric.host_types if any(h.for_pods for h in t.hcas)}
    return {name for r in plan.kubernetes.resources if r.network == network.name for name in r.per_node}


@check("NP610", "job names not valid in Kubernetes", on=Plan, counts=_jobs)
def job_names(plan: Plan) -> Iterator[Finding]:
    """Names of pods and Services are DNS labels of up to 63 characters; a Service name begins with a letter.

    **Why.** The API server rejects the job, or the workers that the MPI operator creates.
    **Fix.** Give the workload a shorter name that begins with a letter.
    **Source.** kubeflow/mpi-operator caa3c47f pkg/apis/kubeflow/validation/validation.go;
    kubernetes-sigs/jobset 08dfbdfd pkg/webhooks/jobset_webhook.go, five characters behind the pod's number;
    RFC 1035 labels.
    """
    for w in plan.workloads:
        for job in w.jobs:
            longest = max(_names(job), key=len)
            if len(longest) > NAME_MAX:
                what = f"name {longest} of {job.file} has {len(longest)} characters, the limit is {NAME_MAX}"
                yield Finding(
                    w.workload.at, what, f"shorten the workload's name by {len(longest) - NAME_MAX}"
                )
            elif not longest[0].isalpha():
                yield Finding(
                    w.workload.at,
                    f"name {longest} of {job.file} begins with {longest[0]}",
                    "begin with a letter",
                )


def _names(job: CollectiveJob) -> tuple[str, ...]:
    texts = JOB_KINDS[job.kind].pod_names
    return tuple(text.format(name=job.name, last=job.replicas - 1) for text in texts)


def _efa_workloads(fabric: Fabric) -> int:
    return len(fabric.workloads) if fabric.type == "efa" else 0


@check("NP612", "EFA pods without huge pages", on=Fabric, counts=_efa_workloads, severity=Severity.WARNING)
def no_huge_pages(fabric: Fabric) -> Iterator[Finding]:
    """The EFA provider of libfabric takes its buffers from the node's huge pages.

    **Why.** Without a limit for them the container may use none, and the provider hangs at start.
    **Fix.** Set `hugepages_2mi_mib`; the AWS sample uses 5120.
    **Source.** aws-samples/aws-efa-eks 9d6557e1 examples/simple/nccl-efa-tests.yaml; ofiwg/libfabric#9739.
    """
    for w in fabric.workloads:
        if fabric.type == "efa" and w.hugepages_2mi_mib is None:
            yield Finding(
                w.at, f"workload {w.name} uses EFA without hugepages_2mi_mib", "set hugepages_2mi_mib to 5120"
            )


@check("NP615", "huge pages without CPU or memory", on=Fabric, counts=_workloads)
def huge_pages_alone(fabric: Fabric) -> Iterator[Finding]:
    """Kubernetes accepts a huge page limit only together with one for CPU or memory.

    **Why.** The API server refuses the pod: "HugePages require cpu or memory".
    **Fix.** Set `memory_mib` or `cpus`.
    **Source.** kubernetes/kubernetes a7264f95 pkg/apis/core/validation/validation.go,
    ValidateResourceRequirements.
    """
    for w in fabric.workloads:
        if w.hugepages_2mi_mib is not None and w.memory_mib is None and w.cpus is None:
            what = f"{w.name} has hugepages_2mi_mib {w.hugepages_2mi_mib}, but neither memory_mib nor cpus"
            yield Finding((*w.at, "hugepages_2mi_mib"), what, "set memory_mib or cpus")


@check(
    "NP616",
    "no node labels select the hosts of a workload",
    on=Plan,
    counts=_workloads,
    severity=Severity.WARNING,
)
def unlabelled(plan: Plan) -> Iterator[Finding]:
    """Pods are kept on a workload's hosts by labels that only these nodes have, among the nodes with the
    devices.

    **Why.** The scheduler may put a pod on a node with the same resources on another leaf, where its
    address is not routed.
    **Fix.** Give the hosts a label in `hosts.<name>.labels` or `host_types.<type>.node_selector`.
    **Source.** kubernetes/website c94699ee content/en/docs/concepts/scheduling-eviction/assign-pod-node.md,
    nodeSelector.
    """
    for w in plan.workloads:
        for kind in w.placement.unlabelled:
            what = f"no labels select only the hosts of type {kind} that {w.name} names"
            yield Finding((*w.workload.at, "hosts"), what, "give these hosts a label of their own")
