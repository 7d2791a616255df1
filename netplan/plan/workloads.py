"""Plans the pods of every workload."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from netplan.model.addresses import AddressPlan, LeafGroup
from netplan.model.admission import api_version
from netplan.model.claims import DRA_OWNERS
from netplan.model.fabric import Fabric, Network, Workload
from netplan.model.hardware import ZONE_LABEL, Host, Labels
from netplan.model.kubernetes import Attachment, KubernetesPlan, Resource
from netplan.model.qos import QosPlan
from netplan.model.workloads import DeviceRequest, Placement, PodNic, Volume, WorkloadPlan
from netplan.plan.claims import plan_claim
from netplan.plan.devices import carriers, rails_of
from netplan.plan.env_subject import beside_rails
from netplan.plan.groups import LabelSets
from netplan.plan.kueue import local_queue
from netplan.plan.pod_env import plan_env
from netplan.plan.pod_jobs import plan_jobs
from netplan.plan.pod_routes import plan_routes
from netplan.plan.pod_stability import plan_stability
from netplan.plan.spiderpool import POOLS_ANNOTATION, pools_annotation
from netplan.records import dataclass

NETWORKS_ANNOTATION = "k8s.v1.cni.cncf.io/networks"

INTERFACE_NAME_MAX = 15
"""IFNAMSIZ - 1; Multus refuses longer names."""

_SAME_ZONE = "EFA traffic does not cross availability zones (docs.aws.amazon.com/AWSEC2, efa-limits)"


@dataclass(frozen=True, slots=True)
class _Site:
    """What the pods of all workloads are planned from. ``attachments``: by network, then by leaf (None where
    they are not of a leaf), each in rail order. ``groups``: position of each host's leaf group."""

    fabric: Fabric
    addresses: AddressPlan
    qos: QosPlan | None
    kubernetes: KubernetesPlan
    labels: LabelSets
    attachments: Mapping[str, Mapping[str | None, Sequence[Attachment]]]
    groups: Mapping[str, int]


def plan_workloads(
    fabric: Fabric, addresses: AddressPlan, qos: QosPlan | None, kubernetes: KubernetesPlan
) -> tuple[WorkloadPlan, ...]:
    """One plan per workload, in inventory order. Never fails: what cannot work is marked in the plan for the
    checks."""
    site = _Site(
        fabric=fabric,
        addresses=addresses,
        qos=qos,
        kubernetes=kubernetes,
        labels=LabelSets(h for h in fabric.hosts if h.type.node),
        attachments=_by_leaf(kubernetes.attachments),
        groups={host.name: i for i, group in enumerate(addresses.groups) for host in group.hosts},
    )
    return tuple(_plan(workload, site) for workload in fabric.workloads)


def _by_leaf(attachments: Iterable[Attachment]) -> dict[str, dict[str | None, list[Attachment]]]:
    found: dict[str, dict[str | None, list[Attachment]]] = defaultdict(lambda: defaultdict(list))
    for attachment in attachments:
        leaf = attachment.segment.leaf if attachment.segment is not None else None
        found[attachment.network.name][leaf].append(attachment)
    return {network: dict(leaves) for network, leaves in found.items()}


def _plan(workload: Workload, site: _Site) -> WorkloadPlan:
    fabric, addresses = site.fabric, site.addresses
    groups = _groups(workload, site)
    nics = _nics(workload, site, groups[0] if groups else None)
    devices = _devices(workload, fabric, site.kubernetes, nics)
    env, omitted = plan_env(fabric, site.qos, workload)
    capabilities = ("IPC_LOCK",) if fabric.cluster.memlock == "pod" and not workload.privileged else ()
    return WorkloadPlan(
        workload=workload,
        placement=_placement(workload, fabric, groups, site.labels),
        nics=nics,
        devices=devices,
        limits=_limits(workload, devices),
        annotations=_annotations(workload, nics),
        capabilities=capabilities,
        volumes=_volumes(workload),
        env=env,
        omitted=omitted,
        routes=plan_routes(fabric, addresses, nics),
        stability=plan_stability(fabric, nics),
        claim=plan_claim(fabric, addresses, workload, nics),
        jobs=plan_jobs(fabric, workload, env),
        beside_rails=beside_rails(fabric, workload),
        extra=workload.extra,
        local_queue=local_queue(fabric, workload),
        admission_api=_admission_api(fabric, workload),
    )


def _admission_api(fabric: Fabric, workload: Workload) -> str | None:
    return api_version(fabric.cluster.kubernetes_version) if workload.admission_policy else None


def _groups(workload: Workload, site: _Site) -> tuple[LeafGroup, ...]:
    """Leaf groups of the workload's hosts if any of its networks has one attachment per leaf, else none."""
    if all(leaf is None for n in workload.networks for leaf in site.attachments.get(n.name, ())):
        return ()
    found = {site.groups[h.name] for h in workload.hosts if h.name in site.groups}
    return tuple(site.addresses.groups[i] for i in sorted(found))


def _placement(
    workload: Workload, fabric: Fabric, groups: tuple[LeafGroup, ...], labels: LabelSets
) -> Placement:
    nodes = [h for h in workload.hosts if h.type.node]
    selectors = labels.selectors(nodes)
    crowded = _others_that_fit(workload, fabric, nodes)
    instances = (t.instance_type for t in workload.host_types if t.instance_type is not None)
    leaves = tuple(g.name for g in groups)
    same_zone = _SAME_ZONE if fabric.type == "efa" else None
    unplaced = leaves if len(leaves) > 1 else ()
    return Placement(
        group=next(iter(leaves), None),
        selectors=tuple(dict.fromkeys(s for _, s in selectors if s)),
        unlabelled=tuple(kind for kind, s in selectors if crowded and not s),
        instance_types=tuple(dict.fromkeys(instances)),
        nodes=sum(h.count for h in nodes),
        same_zone=same_zone,
        zone=_zone(selectors),
        unplaced=unplaced,
    )


def _zone(selectors: Iterable[tuple[str, Labels]]) -> str | None:
    """Availability zone shared by all nodes, else None."""
    zones = {dict(labels).get(ZONE_LABEL) for _, labels in selectors}
    return zones.pop() if len(zones) == 1 else None


def _others_that_fit(workload: Workload, fabric: Fabric, nodes: Iterable[Host]) -> bool:
    """Whether hosts outside the workload carry all of its networks, so that its pods could be scheduled
    there."""
    own = {h.name for h in nodes}
    kinds = [{c.host_type.name for c in carriers(n, fabric)} for n in workload.networks]
    fitting = set.intersection(*kinds) if kinds else set()
    return any(h.type.name in fitting and h.name not in own for h in fabric.hosts)


def _nics(workload: Workload, site: _Site, group: LeafGroup | None) -> tuple[PodNic, ...]:
    """Interfaces of a pod, by network and rail: the order in which Multus assigns devices."""
    taken = {site.fabric.cluster.primary_network.interface}
    nics: list[PodNic] = []
    for network in workload.networks:
        rails = _rails_of_all(workload, network, site.fabric)
        for attachment in _near(site.attachments.get(network.name, {}), group):
            if attachment.rail not in rails:
                continue
            name = _interface(attachment, len(nics) + 1, taken)
            taken.add(name)
            here = workload.namespace in attachment.namespaces
            namespace = workload.namespace if here else attachment.namespaces[0]
            nics.append(PodNic(interface=name, namespace=namespace, attachment=attachment))
    return tuple(nics)


def _near(
    attachments: Mapping[str | None, Sequence[Attachment]], group: LeafGroup | None
) -> list[Attachment]:
    """A network's attachments on the leaves of a group, and those that are not of a leaf, in rail order."""
    found = [*attachments.get(None, ())]
    for rail, leaf in group.leaves if group is not None else ():
        found += (a for a in attachments.get(leaf, ()) if a.rail == rail)
    return found


def _rails_of_all(workload: Workload, network: Network, fabric: Fabric) -> set[int | None]:
    """Rails that the network has on every host type of the workload that carries it."""
    kinds = {t.name for t in workload.host_types}
    own = [set(rails_of(network, (c,))) for c in carriers(network, fabric) if c.host_type.name in kinds]
    return set.intersection(*own) if own else set()


def _interface(attachment: Attachment, position: int, taken: set[str]) -> str:
    """Interface name: ``railN``; for a second network on that rail, or one without rails, the network's name;
    ``netN`` where neither is free and fits."""
    rail = "" if attachment.rail is None else str(attachment.rail)
    wanted = ([f"rail{rail}"] if rail else []) + [f"{attachment.network.name}{rail}"]
    fitting = (n for n in wanted if len(n) <= INTERFACE_NAME_MAX and n not in taken)
    return next(fitting, f"net{position}")


def _devices(
    workload: Workload, fabric: Fabric, kubernetes: KubernetesPlan, nics: tuple[PodNic, ...]
) -> tuple[DeviceRequest, ...]:
    """Device requests: one device per attachment; one for all HCAs of a shared resource; else as many as
    every node has."""
    attached = Counter(n.attachment.resource.full_name for n in nics if n.attachment.resource is not None)
    found: dict[str, DeviceRequest] = {}
    for network in workload.networks:
        rails = _rails_of_all(workload, network, fabric)
        for resource in (r for r in kubernetes.resources if r.network == network.name):
            name = resource.full_name
            everywhere = len(resource.rails) != 1 or resource.rails[0] in rails
            if name in attached or (not network.by_mode.attached and everywhere):
                request = _request(workload, resource, attached[name])
                found[name] = _joined(found[name], request) if name in found else request
    return tuple(found.values())


def _joined(one: DeviceRequest, other: DeviceRequest) -> DeviceRequest:
    """Merged request of two networks on one resource, as with EFA. Attached devices are already counted
    together."""
    if one.attached:
        return one
    return replace(one, count=one.count + other.count, hcas=one.hcas + other.hcas)


def _request(workload: Workload, resource: Resource, attached: int) -> DeviceRequest:
    """Request for one resource. All host types run the same pods, so the type with the fewest HCAs sets the
    count (NP661)."""
    kinds = {t.name for t in workload.host_types}
    have = [n for kind, n in resource.hcas.items() if kind in kinds]
    shared = resource.plugin == "rdma-shared"
    alone = 1 if shared else workload.devices.get(resource.network, min(have, default=1))
    count = attached or alone
    hcas = max(have, default=1) if shared else count
    return DeviceRequest(
        resource=resource.full_name,
        network=resource.network,
        count=count,
        hcas=hcas,
        attached=attached > 0,
        claimed=resource.plugin in DRA_OWNERS,
        per_node={kind: n for kind, n in resource.per_node.items() if kind in kinds},
        share_max=resource.share_max,
    )


def _limits(workload: Workload, devices: tuple[DeviceRequest, ...]) -> tuple[tuple[str, str], ...]:
    gpu = workload.gpu_type
    gpus = {gpu.gpu_resource: str(workload.gpus)} if gpu is not None and workload.gpus else {}
    limits = {
        **gpus,
        **{d.resource: str(d.count) for d in devices if not d.claimed},
        "hugepages-2Mi": f"{workload.hugepages_2mi_mib}Mi" if workload.hugepages_2mi_mib else None,
        "cpu": str(workload.cpus) if workload.cpus else None,
        "memory": f"{workload.memory_mib}Mi" if workload.memory_mib else None,
    }
    return tuple((name, value) for name, value in limits.items() if value is not None)


def _annotations(workload: Workload, nics: tuple[PodNic, ...]) -> tuple[tuple[str, str], ...]:
    """Pod annotations. Interfaces from DRANET come with the claim, not through Multus, and are left out."""
    attached = [n.reference for n in nics if n.attachment.owner_kind != "ResourceClaimTemplate"]
    networks = ((NETWORKS_ANNOTATION, ",".join(attached)),) if attached else ()
    pools = pools_annotation(nics)
    named = ((POOLS_ANNOTATION, pools),) if pools else ()
    return (*networks, *named, *workload.annotations)


def _volumes(workload: Workload) -> tuple[Volume, ...]:
    """/dev/shm, which NCCL uses for shared memory and which is 64 MiB by default; for host-path pods also the
    node's verbs devices."""
    shm = Volume(name="rdma-shm", mount_path="/dev/shm", host_path=None, size_mib=workload.shm_mib)
    if all(n.takes != "mount" for n in workload.networks):
        return (shm,)
    verbs = "/dev/infiniband"
    return (shm, Volume(name="rdma-verbs", mount_path=verbs, host_path=verbs, size_mib=None))
