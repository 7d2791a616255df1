"""Classes of pods: those on the same networks that ask for the same are one workload of the inventory."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from netplan.importing.cards import Card
from netplan.importing.facts import Conflict, Of, Said, Site, place
from netplan.importing.hosts import HostKind, unused
from netplan.importing.kubernetes.workloads import GPU
from netplan.importing.networks import NetworkRow, inventory_name
from netplan.importing.text import Entry, listed
from netplan.importing.virtual import EFA
from netplan.importing.workload_jobs import Job, Known, jobs_of
from netplan.importing.workload_limits import limits_of
from netplan.importing.workload_places import places_of


@dataclass(frozen=True, slots=True)
class WorkloadRow:
    """A workload of the inventory, of one or several jobs.

    ``jobs``: as in the cluster; ``networks``: of the inventory, in order; ``hosts``: host types that its pods
    run on today, or those hosts of them in ``group``, the leaf group that its networks are of; ``on``: where
    its networks are stated; ``unfit``: why no inventory has its networks; ``no_gpus``: or its GPUs.
    ``nodes``: of the largest job; ``per_node``: the most pods that one node has of all; ``at``: the first
    node; ``strange``: nodes that are no hosts; ``called``: interfaces that netplan calls otherwise;
    ``devices``: resources that they take without a network of it; ``asked``: what ``validate`` would refuse.
    """

    name: str
    jobs: tuple[Of, ...]
    networks: tuple[str, ...]
    hosts: tuple[str, ...]
    group: str
    on: Said
    unfit: str
    no_gpus: str
    nodes: int
    per_node: int
    pods: int
    placed: int
    on_nodes: tuple[str, ...]
    at: Said | None
    strange: tuple[str, ...]
    called: tuple[str, ...]
    devices: tuple[str, ...]
    fields: Mapping[str, Said]
    conflicts: Mapping[str, Conflict]
    asked: Mapping[str, Entry]

    @property
    def waiting(self) -> int:
        """Pods without a node."""
        return self.pods - self.placed

    @property
    def namespace(self) -> str:
        return self.jobs[0][0]


def workload_rows(
    site: Site, rows: Sequence[NetworkRow], kinds: Sequence[HostKind], cards: Iterable[Card]
) -> list[WorkloadRow]:
    """Pods on no network of the inventory are none."""
    networks = {"/".join(part.of): (row, part) for row in rows for part in row.parts}
    resources = {EFA for of in site.every("node") if site.said("node", of, EFA)}
    resources |= {of[0] for of in site.every("resource")}
    known = Known(networks, resources, places_of(site, rows, cards))
    type_of = {node: kind for kind in kinds for node in kind.nodes}
    groups: dict[tuple[tuple[str, ...], tuple[object, ...]], list[Job]] = {}
    for of in site.every("workload"):
        for job in jobs_of(site, of, known):
            hosts = known.places.hosts(kinds, (str(said.value) for said in job.nodes), job.group)
            groups.setdefault((hosts, job.key()), []).append(job)
    taken: set[str] = set()
    found = [_row(jobs, hosts, type_of, taken) for (hosts, _), jobs in groups.items()]
    return [_with_limits(site, row, rows, type_of) for row in found]


def _with_limits(
    site: Site, row: WorkloadRow, rows: Iterable[NetworkRow], known: Mapping[str, HostKind]
) -> WorkloadRow:
    own = [each for each in rows if each.name in row.networks]
    kinds = [*{known[node].name: known[node] for node in row.on_nodes if node in known}.values()]
    return replace(row, asked=limits_of(site, row.fields, own, kinds, row.per_node, row.on))


def _row(
    jobs: Sequence[Job], hosts: tuple[str, ...], known: Mapping[str, HostKind], taken: set[str]
) -> WorkloadRow:
    """``known``: nodes that are hosts."""
    first, nodes = jobs[0], [said for job in jobs for said in job.nodes]
    per_node = Counter(str(said.value) for said in nodes)
    return WorkloadRow(
        name=unused(_name(first), taken),
        jobs=tuple(job.of for job in jobs),
        networks=first.networks,
        hosts=hosts,
        group=first.leaf,
        on=first.on,
        unfit=first.unfit,
        no_gpus=_no_gpus(first, [known[node] for node in per_node if node in known]),
        nodes=max(len({said.value for said in job.nodes}) for job in jobs),
        per_node=max((0, *per_node.values())),
        pods=sum(job.pods for job in jobs),
        placed=len(nodes),
        on_nodes=tuple(per_node),
        at=next(iter(nodes), None),
        strange=tuple(node for node in per_node if node not in known),
        called=next((job.called for job in jobs if job.called), ()),
        devices=first.devices,
        fields=first.fields,
        conflicts=first.conflicts,
        asked={},
    )


def _name(job: Job) -> str:
    return inventory_name(f"{job.of[1]}-{job.leaf}" if job.several and job.leaf else job.of[1])


def _no_gpus(job: Job, kinds: Iterable[HostKind]) -> str:
    """Pods that ask for GPUs of another resource than their hosts have alone."""
    asked = job.fields.get(GPU)
    if job.gpu_claims:
        return f"its pods claim GPUs of {listed(job.gpu_claims)} ({place(job.on.at)}), no extended resource"
    for kind in kinds if asked is not None else ():
        own = dict(kind.gpus)
        if asked is not None and [*own] != [asked.value]:
            shown = listed(f"{name} ({place(said.at)})" for name, said in own.items()) or "none in the dumps"
            return f"its pods ask for {asked.value} ({place(asked.at)}), hosts of {kind.name} have {shown}"
    return ""
