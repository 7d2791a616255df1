"""NP6xx: pods, where they run, what they take and how their packets leave."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from netplan.checks.registry import Finding, check
from netplan.diagnostics import Severity
from netplan.model.fabric import Fabric, Host, Network, Workload
from netplan.model.kubernetes import Resource
from netplan.model.plan import Plan
from netplan.model.workloads import CollectiveJob, WorkloadPlan

VERBS_ONLY = ("device-only", "host-path")
NAME_MAX = 63


def _workloads(subject: Fabric | Plan) -> int:
    return len(subject.workloads)


def _jobs(plan: Plan) -> int:
    return sum(len(w.jobs) for w in plan.workloads)


def _used(fabric: Fabric) -> Iterator[tuple[Workload, Network]]:
    return ((w, n) for w in fabric.workloads for n in w.networks)


def _used_count(fabric: Fabric) -> int:
    return sum(1 for _ in _used(fabric))


@check("NP601", "the hosts of a workload span several leaf groups", on=Plan, counts=_workloads)
def several_groups(plan: Plan) -> Iterator[Finding]:
    """With a subnet per leaf, an attachment fits the hosts of one leaf group only.

    **Why.** A pod template names its attachments; a pod on another leaf would get an address its leaf does not route.
    **Fix.** Write one workload per leaf group, or use `rails.segment: host` (any host) or `stretched`.
    **Source.** Multus, annotation k8s.v1.cni.cncf.io/networks: one list for all pods of a template.
    """
    for w in plan.workloads:
        if w.placement.unplaced:
            groups = ", ".join(w.placement.unplaced)
            yield Finding(
                (*w.workload.at, "hosts"),
                f"workload {w.name} has hosts of the leaf groups {groups}, its attachments are those of {groups.split(',')[0]}",
                "write a workload for each leaf group, or set rails.segment to host",
            )


@check("NP602", "one resource for several rails gives pods the wrong device", on=Plan, counts=_workloads)
def shared_resource(plan: Plan) -> Iterator[Finding]:
    """One resource name for the devices of several rails works only where there is nothing to choose.

    **Why.** The kubelet picks any devices of a resource and Multus deals them out sorted by PCI address: the pod
    must take all of them, one per PF, and PCI order must be rail order; else an interface gets another rail's VLAN.
    **Fix.** Set `resource: per-rail` on the network.
    **Source.** k8snetworkplumbingwg/multus-cni pkg/types and sriov-network-device-plugin (allocation by device id).
    """
    for w in plan.workloads:
        shared = {
            n.attachment.resource.full_name: n.attachment.resource for n in w.nics if n.attachment.resource
        }
        for resource in shared.values():
            segments = {n.attachment.segment for n in w.nics if n.attachment.resource is resource}
            if resource.plugin != "sriov" or len(resource.rails) < 2 or len(segments) < 2:
                continue
            for host_or_type, why in _wrong_dealing(w, resource):
                network = next(n for n in w.workload.networks if n.name == resource.network)
                what = f"resource {resource.full_name} serves the rails {_numbers(resource.rails)}, but {why} on {host_or_type}"
                yield Finding(
                    (*network.at, "resource"), what, f"set resource: per-rail on network {network.name}"
                )


def _numbers(values: tuple[int, ...]) -> str:
    return ", ".join(map(str, values))


def _wrong_dealing(w: WorkloadPlan, resource: Resource) -> Iterator[tuple[str, str]]:
    """(host type or host, reason); of several hosts with one reason the first."""
    count = next(d.count for d in w.devices if d.resource == resource.full_name)
    for kind in w.workload.host_types:
        have = resource.per_node.get(kind.name, count)
        if have != count:
            yield kind.name, f"a pod of {w.name} takes {count} of {have} devices"
    seen: set[str] = set()
    for host in w.workload.hosts:
        why = _pci_order(host, resource)
        if why and host.type.name not in seen:
            seen.add(host.type.name)
            yield host.name, why


def _pci_order(host: Host, resource: Resource) -> str:
    found = []
    for hca in host.type.hcas:
        if hca.for_pods and hca.rail in resource.rails:
            own = host.hcas.get(hca.name)
            found.append(((own.pci if own else None) or hca.pci, hca.rail))
    if any(pci is None for pci, _ in found):
        return "the PCI order of the HCAs is not stated"
    rails = [rail for _, rail in sorted(found, key=lambda f: str(f[0]))]
    return (
        f"PCI order gives the rails {', '.join(map(str, rails))}"
        if rails != sorted(rails, key=lambda r: r or 0)
        else ""
    )


@check("NP603", "the pods of a node ask for more than the node has", on=Plan, counts=_workloads)
def too_much(plan: Plan) -> Iterator[Finding]:
    """GPUs and devices of all pods that share a node must fit it.

    **Why.** The scheduler leaves the pods Pending: Insufficient nvidia.com/gpu or the RDMA resource.
    **Fix.** Lower `gpus` or `pods_per_node`, or raise `vfs` of the host type's HCAs.
    **Source.** Kubernetes, device plugins: extended resources are not overcommitted.
    """
    for w in plan.workloads:
        pods = w.workload.pods_per_node
        for kind in w.workload.host_types:
            wanted = [("gpus", "GPUs", w.workload.gpus, kind.gpus)]
            wanted += [
                ("pods_per_node", d.resource, d.count, d.per_node.get(kind.name, 0)) for d in w.devices
            ]
            for key, what, each, have in wanted:
                if each * pods > have and (key == "gpus" or have):
                    yield Finding(
                        (*w.workload.at, key),
                        f"{pods} pods of {w.name} with {each} {what} each need {each * pods}, a {kind.name} node has {have}",
                        "lower gpus or pods_per_node"
                        if key == "gpus"
                        else "lower pods_per_node or raise vfs of the HCAs",
                    )


@check("NP604", "a job has more pods than there are nodes", on=Plan, counts=_workloads)
def too_few_nodes(plan: Plan) -> Iterator[Finding]:
    """The pods of a job run one on each node.

    **Why.** The last pods stay Pending, and a collective job waits for all of them.
    **Fix.** Lower `nodes` or add hosts.
    **Source.** Kubernetes, podAntiAffinity on kubernetes.io/hostname, which the test jobs have.
    """
    for w in plan.workloads:
        if w.workload.nodes > w.placement.nodes:
            what = f"a job of {w.name} takes {w.workload.nodes} nodes, its hosts are {w.placement.nodes}"
            yield Finding(
                (*w.workload.at, "nodes"), what, f"set nodes to {w.placement.nodes} or less, or add hosts"
            )


@check("NP605", "a workload's namespace has no attachment of its network", on=Fabric, counts=_used_count)
def missing_namespace(fabric: Fabric) -> Iterator[Finding]:
    """A NetworkAttachmentDefinition is a namespaced object.

    **Why.** Multus with namespace isolation refuses attachments of another namespace, and RBAC on them differs.
    **Fix.** Add the namespace to `namespaces` of the network.
    **Source.** k8snetworkplumbingwg/multus-cni docs/configuration.md, namespaceIsolation.
    """
    for w, network in _used(fabric):
        places = network.namespaces or ("default",)
        if network.mode not in VERBS_ONLY and w.namespace not in places:
            what = f"workload {w.name} runs in namespace {w.namespace}, network {network.name} is in {', '.join(places)}"
            yield Finding(
                (*network.at, "namespaces"), what, f"add {w.namespace} to namespaces of {network.name}"
            )


@check("NP606", "a stated variable is one that netplan derives", on=Plan, counts=_workloads)
def env_collision(plan: Plan) -> Iterator[Finding]:
    """A derived variable follows from the design; a second value would contradict it or fall out of step.

    **Why.** An NCCL_IB_TC that is not the switches' DSCP puts training traffic into the lossy queue, in silence.
    **Fix.** Remove the variable from `env`, or change the design value it follows from.
    **Source.** The reason column of pods/<workload>/README.md.
    """
    for w in plan.workloads:
        stated = dict(w.workload.env)
        for name, count in Counter(e.name for e in w.env).items():
            if count > 1:
                derived = next(e.value for e in w.env if e.name == name)
                what = f"variable {name} of {w.name} is stated as {stated[name]} and derived as {derived}"
                yield Finding((*w.workload.at, "env", name), what, f"remove {name} from env")


@check("NP607", "a workload's hosts do not carry its network", on=Plan, counts=_workloads)
def not_carried(plan: Plan) -> Iterator[Finding]:
    """Every host type of a workload needs HCAs whose `use` fits the mode of each of its networks.

    **Why.** Pods on such a node would stay Pending for the device, or start without the interface.
    **Fix.** Take the host type out of the workload, or give it fitting HCAs: `use: vf` for sriov, `pf` for host-device,
    macvlan and ipvlan.
    **Source.** sriov-network-device-plugin: a resource exists only where its selectors match.
    """
    for w in plan.workloads:
        for network in w.workload.networks:
            for kind in w.workload.host_types:
                if kind.name not in _carrying(plan, network):
                    what = f"host type {kind.name} of {w.name} has no HCA for network {network.name}, mode {network.mode}"
                    yield Finding(
                        (*w.workload.at, "hosts"),
                        what,
                        f"give {kind.name} such an HCA or take it out of hosts",
                    )


def _carrying(plan: Plan, network: Network) -> set[str]:
    if network.mode == "host-path":
        return {t.name for t in plan.fabric.host_types if any(h.for_pods for h in t.hcas)}
    return {name for r in plan.kubernetes.resources if r.network == network.name for name in r.per_node}


def _routed_networks(fabric: Fabric) -> int:
    return sum(n.routing != "none" for n in fabric.networks)


@check("NP608", "rail routes cannot be installed", on=Fabric, counts=_routed_networks)
def unroutable(fabric: Fabric) -> Iterator[Finding]:
    """Source routing needs an address from an IPAM that also knows the gateway.

    **Why.** sbr without a gateway adds a rule but no default: packets for other subnets fall through to the pod
    network. An IPv6 address of a routed host link does not tell netplan's script the gateway.
    **Fix.** Give the rails a gateway and the network an IPAM with pools, or set `routing: none`.
    **Source.** containernetworking/plugins plugins/meta/sbr/main.go; behaviour measured with the real plugin.
    """
    for network in fabric.networks:
        why = _why_unroutable(fabric, network) if network.routing != "none" else ""
        if why:
            hint = "set routing: none, or give the network a gateway and nv-ipam, whereabouts or host-local"
            yield Finding(
                (*network.at, "routing"),
                f"network {network.name} has routing {network.routing}, but {why}",
                hint,
            )


def _why_unroutable(fabric: Fabric, network: Network) -> str:
    rails = fabric.rails
    by_sbr = network.routing == "sbr"
    if network.ipam == "none" or (by_sbr and network.ipam == "static"):
        return f"ipam is {network.ipam}"
    if by_sbr and network.subnet is not None and network.subnet.gateway is None:
        return f"subnet {network.subnet.name} has no gateway"
    if by_sbr and network.subnet is None and (rails is None or rails.gateway == "none"):
        return "the rails have no gateway"
    if not by_sbr and network.subnet is not None:
        return "the script installs routes of rails only"
    v6 = any(s.version == 6 for s in rails.supernets) if rails is not None else False
    if not by_sbr and v6 and rails is not None and rails.segment == "host":
        return "the rails are routed IPv6 host links"
    return ""


def _rail_networks(fabric: Fabric) -> int:
    return sum(n.per_rail and n.ipam != "none" for n in fabric.networks)


@check(
    "NP609",
    "rails are to reach each other but are not routed",
    on=Fabric,
    counts=_rail_networks,
    severity=Severity.WARNING,
)
def not_routed(fabric: Fabric) -> Iterator[Finding]:
    """`cross_rail: any` says that every rail reaches every rail, which takes a gateway per rail.

    **Why.** NCCL picks NICs of different rails for a connection and fails with retry errors, although ping on one rail
    works.
    **Fix.** Set `rails.gateway`, or `fabric.cross_rail: aligned`, which makes NCCL stay on its rail.
    **Source.** NVIDIA/nccl docs/env, NCCL_CROSS_NIC.
    """
    rails = fabric.rails
    if fabric.type == "roce" and rails is not None and rails.gateway == "none" and fabric.cross_rail == "any":
        what = "fabric.cross_rail is any, but rails.gateway is none, so no rail reaches another one"
        yield Finding(
            ("fabric", "cross_rail"), what, "set fabric.cross_rail to aligned or rails.gateway to first"
        )


@check("NP610", "a job's names do not fit Kubernetes", on=Plan, counts=_jobs)
def job_names(plan: Plan) -> Iterator[Finding]:
    """Names of pods and Services are DNS labels: 63 characters, a Service's begins with a letter.

    **Why.** The API server refuses the job or the MPI operator its workers.
    **Fix.** Give the workload a shorter name that begins with a letter.
    **Source.** kubeflow/mpi-operator pkg/apis/kubeflow/validation/validation.go; RFC 1035 labels in Kubernetes.
    """
    for w in plan.workloads:
        for job in w.jobs:
            longest = max(_names(job), key=len)
            if len(longest) > NAME_MAX:
                what = f"name {longest} of {job.file} has {len(longest)} characters, {NAME_MAX} are allowed"
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
    last = job.replicas - 1
    return {
        "mpijob": (f"{job.name}-worker-{last}", f"{job.name}-launcher"),
        "indexed-job": (f"{job.name}-{last}",),
        "statefulset": (f"{job.name}-{last}", f"{job.name}-launcher"),
    }[job.kind]


@check(
    "NP611",
    "the NCCL version cannot find the GID of macvlan pods",
    on=Fabric,
    counts=_used_count,
    severity=Severity.WARNING,
)
def sparse_gids(fabric: Fabric) -> Iterator[Finding]:
    """The GID of a macvlan or ipvlan pod stands in the PF's table, at an index that differs from pod to pod.

    **Why.** No fixed NCCL_IB_GID_INDEX is right, and NCCL's own search stops at the first hole in the table before
    2.26.2: "read failed in ncclIbRoceGetVersionNum".
    **Fix.** Use NCCL 2.26.2 or newer in the image, or `mode: sriov`.
    **Source.** k8snetworkplumbingwg/multus-cni#1100; NVIDIA/nccl#1573 and #1587.
    """
    for w, network in _used(fabric):
        if (
            network.mode in ("macvlan", "ipvlan")
            and w.nccl_version is not None
            and w.nccl_version < (2, 26, 2)
        ):
            version = ".".join(map(str, w.nccl_version))
            what = f"workload {w.name} has NCCL {version} on {network.mode} network {network.name}, 2.26.2 is needed"
            yield Finding(
                (*w.at, "nccl_version"), what, "use an image with NCCL 2.26.2 or newer, or mode sriov"
            )


def _efa_workloads(fabric: Fabric) -> int:
    return len(fabric.workloads) if fabric.type == "efa" else 0


@check("NP612", "EFA pods without huge pages", on=Fabric, counts=_efa_workloads, severity=Severity.WARNING)
def no_huge_pages(fabric: Fabric) -> Iterator[Finding]:
    """The EFA provider of libfabric takes its buffers from the node's huge pages.

    **Why.** Without a limit for them the container may use none: the provider falls back or hangs while it starts.
    **Fix.** Set `hugepages_2mi_mib`; the sample of AWS uses 5120.
    **Source.** aws-samples/aws-efa-eks examples/simple/nccl-efa-tests.yaml; ofiwg/libfabric#9739.
    """
    for w in fabric.workloads:
        if fabric.type == "efa" and w.hugepages_2mi_mib is None:
            yield Finding(
                w.at, f"workload {w.name} uses EFA without hugepages_2mi_mib", "set hugepages_2mi_mib to 5120"
            )


@check("NP613", "several pods with one static address", on=Fabric, counts=_used_count)
def static_addresses(fabric: Fabric) -> Iterator[Finding]:
    """All pods of a job have the same template, and with it the same static addresses.

    **Why.** Two pods answer ARP for one address; traffic goes to whichever answered last.
    **Fix.** Use nv-ipam, whereabouts or host-local.
    **Source.** containernetworking/plugins plugins/ipam/static.
    """
    for w, network in _used(fabric):
        if network.ipam == "static" and w.nodes * w.pods_per_node > 1:
            what = f"workload {w.name} has {w.nodes} pods to a job, network {network.name} has ipam static"
            yield Finding((*network.at, "ipam"), what, "set ipam to nv-ipam or whereabouts")


@check("NP614", "RDMA traffic of a workload has no one lossless class", on=Fabric, counts=_used_count)
def no_class(fabric: Fabric) -> Iterator[Finding]:
    """A pod has one traffic class byte for all its RDMA traffic, NCCL_IB_TC.

    **Why.** Without it NCCL sends DSCP 0, best effort, and drops packets under load although PFC is configured.
    **Fix.** Set `traffic_class` of the network, the same for all networks of a workload.
    **Source.** NVIDIA/nccl docs/env, NCCL_IB_TC.
    """
    lossless = fabric.qos.lossless if fabric.qos is not None and fabric.type == "roce" else ()
    if not lossless:
        return
    names = ", ".join(c.name for c in lossless)
    for network in dict.fromkeys(n.name for _, n in _used(fabric)):
        found = next(n for _, n in _used(fabric) if n.name == network)
        if found.traffic_class is None:
            what = f"network {network} states no traffic_class, fabric.qos has the lossless classes {names}"
            yield Finding(found.at, what, f"set traffic_class to one of {names}")
    for w in fabric.workloads:
        used = sorted({n.traffic_class.name for n in w.networks if n.traffic_class is not None})
        if len(used) > 1:
            what = f"the networks of {w.name} have the traffic classes {', '.join(used)}, a pod can use one"
            yield Finding(
                (*w.at, "networks"), what, "give the networks one traffic_class, or write two workloads"
            )


@check("NP615", "huge pages without CPU or memory", on=Fabric, counts=_workloads)
def huge_pages_alone(fabric: Fabric) -> Iterator[Finding]:
    """Kubernetes takes a huge page limit only together with one for CPU or memory.

    **Why.** The API server refuses the pod: "HugePages require cpu or memory".
    **Fix.** Set `memory_mib` or `cpus`.
    **Source.** kubernetes/kubernetes pkg/apis/core/validation/validation.go, ValidateResourceRequirements.
    """
    for w in fabric.workloads:
        if w.hugepages_2mi_mib is not None and w.memory_mib is None and w.cpus is None:
            what = f"workload {w.name} has hugepages_2mi_mib {w.hugepages_2mi_mib}, but neither memory_mib nor cpus"
            yield Finding((*w.at, "hugepages_2mi_mib"), what, "set memory_mib or cpus")


@check(
    "NP616",
    "no node labels select the hosts of a workload",
    on=Plan,
    counts=_workloads,
    severity=Severity.WARNING,
)
def unlabelled(plan: Plan) -> Iterator[Finding]:
    """Pods are kept on a workload's hosts by labels that these nodes have and no other node with the devices.

    **Why.** The scheduler may put a pod on another node with the same resources, on another leaf: its address is not
    routed there.
    **Fix.** Give the hosts a label in `hosts.<name>.labels` or `host_types.<type>.node_selector`.
    **Source.** Kubernetes, nodeSelector.
    """
    for w in plan.workloads:
        for kind in w.placement.unlabelled:
            what = f"no labels select just the hosts of type {kind} that {w.name} names, other nodes have its devices too"
            yield Finding((*w.workload.at, "hosts"), what, "give these hosts a label of their own")
