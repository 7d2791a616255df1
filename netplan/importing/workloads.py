"""Classes of pods: those on the same networks that ask for the same are one workload of the inventory."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace

from netplan.importing.cards import Card
from netplan.importing.facts import Conflict, Of, Said, Site, place, texts_in
from netplan.importing.hosts import HostKind, unused
from netplan.importing.kubernetes.workloads import AT, CALLED, GPU, ON, SIZES, TAKES, UNREAD
from netplan.importing.networks import FoundNetwork, NetworkRow, inventory_name
from netplan.importing.text import listed
from netplan.importing.virtual import EFA
from netplan.importing.workload_places import Group, Places, by_group, places_of
from netplan.model.values import natural


@dataclass(frozen=True, slots=True)
class WorkloadRow:
    """A workload of the inventory, of one or several jobs.

    ``jobs``: as in the cluster; ``networks``: of the inventory, in order; ``hosts``: host types that its pods
    run on today, or those hosts of them in ``group``, the leaf group that its networks are of; ``on``: where
    its networks are stated; ``unfit``: why no inventory has its networks; ``no_gpus``: or its GPUs.
    ``nodes``: of the largest job; ``per_node``: the most pods that one node has of all; ``at``: the first
    node; ``strange``: nodes that are no hosts; ``called``: interfaces that netplan calls otherwise;
    ``devices``: resources that they take without a network of it.
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

    @property
    def waiting(self) -> int:
        """Pods without a node."""
        return self.pods - self.placed

    @property
    def namespace(self) -> str:
        return self.jobs[0][0]


Rails = Mapping[str, tuple[NetworkRow, FoundNetwork]]
"""``namespace/name`` -> network of the inventory, and its object."""


@dataclass(frozen=True, slots=True)
class _Known:
    """``resources``: those of cards, and that of EFA. ``homes``: objects of a leaf group -> the group of the
    first pod that asks for them, and where."""

    networks: Rails
    resources: Set[str]
    places: Places
    homes: dict[tuple[str, ...], tuple[Group | None, Said]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Part:
    """Networks and devices of one pod. ``objects``: of its leaf group, in order."""

    networks: tuple[str, ...]
    objects: tuple[str, ...]
    unfit: str
    devices: tuple[str, ...]
    called: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Job:
    """``group``: leaf group of its nodes, if its networks are other ones on each; ``leaf``: the first leaf,
    where the job is on several groups."""

    of: Of
    group: Group | None
    leaf: str
    networks: tuple[str, ...]
    on: Said
    unfit: str
    pods: int
    nodes: tuple[Said, ...]
    called: tuple[str, ...]
    devices: tuple[str, ...]
    fields: Mapping[str, Said]
    conflicts: Mapping[str, Conflict]

    def key(self) -> tuple[object, ...]:
        """What the jobs of one workload have in common, besides the host types that they run on."""
        stated = tuple((name, said.value) for name, said in sorted(self.fields.items()))
        asked = tuple((name, str(each)) for name, each in sorted(self.conflicts.items()))
        return self.of[0], self.networks, self.devices, self.unfit, stated, asked


def workload_rows(
    site: Site, rows: Sequence[NetworkRow], kinds: Sequence[HostKind], cards: Iterable[Card]
) -> list[WorkloadRow]:
    """Pods on no network of the inventory are none."""
    networks = {"/".join(part.of): (row, part) for row in rows for part in row.parts}
    resources = {EFA for of in site.every("node") if site.said("node", of, EFA)}
    resources |= {of[0] for of in site.every("resource")}
    known = _Known(networks, resources, places_of(site, rows, cards))
    type_of = {node: kind for kind in kinds for node in kind.nodes}
    groups: dict[tuple[tuple[str, ...], tuple[object, ...]], list[_Job]] = {}
    for of in site.every("workload"):
        for job in _jobs(site, of, known):
            hosts = known.places.hosts(kinds, (str(said.value) for said in job.nodes), job.group)
            groups.setdefault((hosts, job.key()), []).append(job)
    taken: set[str] = set()
    return [_row(jobs, hosts, type_of, taken) for (hosts, _), jobs in groups.items()]


def _row(
    jobs: Sequence[_Job], hosts: tuple[str, ...], known: Mapping[str, HostKind], taken: set[str]
) -> WorkloadRow:
    """``known``: nodes that are hosts."""
    first, nodes = jobs[0], [said for job in jobs for said in job.nodes]
    per_node = Counter(str(said.value) for said in nodes)
    return WorkloadRow(
        name=unused(inventory_name(f"{first.of[1]}{first.leaf}"), taken),
        jobs=tuple(job.of for job in jobs),
        networks=first.networks,
        hosts=hosts,
        group=min((leaf for _, leaf in first.group or ()), key=natural, default=""),
        on=first.on,
        unfit=first.unfit,
        no_gpus=_no_gpus(first, [known[node] for node in per_node if node in known]),
        nodes=max(len({said.value for said in job.nodes}) for job in jobs),
        per_node=max(per_node.values(), default=0),
        pods=sum(job.pods for job in jobs),
        placed=len(nodes),
        on_nodes=tuple(per_node),
        at=next(iter(nodes), None),
        strange=tuple(node for node in per_node if node not in known),
        called=next((job.called for job in jobs if job.called), ()),
        devices=first.devices,
        fields=first.fields,
        conflicts=first.conflicts,
    )


def _jobs(site: Site, of: Of, known: _Known) -> Iterator[_Job]:
    """Of a job on several leaf groups one for each, where its networks are other ones there."""
    on, at = (dict(site.prefixed("workload", of, prefix)) for prefix in (ON, AT))
    parts = {pod: _part(site, of, pod, said, at.get(pod), known) for pod, said in on.items()}
    if not any(part.networks or part.devices for part in parts.values()):
        return
    networks = {pod: part.networks for pod, part in parts.items()}
    objects = {pod: said.value for pod, said in on.items()}
    groups = [*by_group(at, networks, objects, known.places)]
    for group, pods in groups:
        leaf = min((leaf for _, leaf in group or ()), key=natural, default="") if len(groups) > 1 else ""
        job = _Job(
            of=of,
            group=group,
            leaf=f"-{leaf}" if leaf else "",
            networks=parts[pods[0]].networks,
            on=on[pods[0]],
            unfit=_unfit({pod: parts[pod] for pod in pods}, on) or _at_two_places(parts, pods, at, known),
            pods=len(pods),
            nodes=tuple(at[pod] for pod in pods if pod in at),
            called=next((parts[pod].called for pod in pods if parts[pod].called), ()),
            devices=parts[pods[0]].devices,
            fields={name: said for name in _STATED if (said := site.said("workload", of, name)) is not None},
            conflicts={n: each for n in _STATED if (each := site.conflict("workload", of, n)) is not None},
        )
        yield job


_STATED = (*SIZES, GPU, *(f"{UNREAD}{name}" for name in SIZES))


def _unfit(parts: Mapping[str, _Part], on: Mapping[str, Said]) -> str:
    """Of the pods of one workload."""
    (pod, first), *others = parts.items()
    unfit = next((part.unfit for part in parts.values() if part.unfit), "")
    for other, part in others:
        if replace(part, called=first.called) != first:
            places = f"{place(on[pod].at)} and {place(on[other].at)}"
            unfit = f"its pods are on other networks ({places}); split it"
    return unfit


def _at_two_places(
    parts: Mapping[str, _Part], pods: Iterable[str], at: Mapping[str, Said], known: _Known
) -> str:
    """Objects of one leaf group that pods on another one ask for too."""
    for pod in (pod for pod in pods if pod in at and parts[pod].objects):
        own = known.places.groups.get(str(at[pod].value))
        group, said = known.homes.setdefault(parts[pod].objects, (own, at[pod]))
        if group != own:
            here, there = (f"{said.value} ({place(said.at)})" for said in (at[pod], said))
            return f"pods on {here} and on {there}, of two leaf groups, are on the same networks"
    return ""


def _no_gpus(job: _Job, kinds: Iterable[HostKind]) -> str:
    """Pods that ask for GPUs of another resource than their hosts have alone."""
    asked = job.fields.get(GPU)
    for kind in kinds if asked is not None else ():
        own = dict(kind.gpus)
        if asked is not None and [*own] != [asked.value]:
            shown = listed(f"{name} ({place(said.at)})" for name, said in own.items()) or "none in the dumps"
            return f"its pods ask for {asked.value} ({place(asked.at)}), hosts of {kind.name} have {shown}"
    return ""


def _part(site: Site, of: Of, pod: str, on: Said, node: Said | None, known: _Known) -> _Part:
    """What one pod asks for."""
    names, rails = texts_in(on.value), known.networks
    networks, unfit = _folded(names, of[0], rails)
    objects = [rails[name][1] for name in names if name in rails] if node is not None and not unfit else []
    apart = (known.places.elsewhere(site, part, str(node.value)) for part in objects if node is not None)
    attached = {resource for name in names if name in rails for resource in rails[name][0].resources}
    taken = site.listed("workload", of, f"{TAKES}{pod}")
    devices = tuple(name for name in taken if name in known.resources and name not in attached)
    called = site.listed("workload", of, f"{CALLED}{pod}")
    unfit = unfit or next(filter(None, apart), "")
    of_leaf = tuple(name for name in names if name in rails and rails[name][0].name in known.places.of_leaf)
    return _Part(networks, of_leaf, unfit, devices, _renamed(names, called, rails))


def _renamed(names: Sequence[str], called: Sequence[str], known: Rails) -> tuple[str, ...]:
    """Interfaces on rails that netplan calls otherwise: ``net1, not rail0``."""
    rails = (known[name][1].rail if name in known else None for name in names)
    pairs = ((own, f"rail{rail}") for own, rail in zip(called, rails, strict=False) if rail is not None)
    return tuple(f"{own}, not {wanted}" for own, wanted in pairs if own != wanted)


def _folded(names: Iterable[str], space: str, known: Rails) -> tuple[tuple[str, ...], str]:
    """Networks of the inventory, and why it cannot have them so; empty if it can."""
    names = list(names)
    rows: dict[str, NetworkRow] = {}
    rails: dict[str, list[int | None]] = {}
    for name in names:
        if name in known:
            row, part = known[name]
            rows[row.name] = row
            rails.setdefault(row.name, []).append(part.rail)
    problems = [f"{name} is none of the networks" for name in names if name not in known]
    problems += [why for name, row in rows.items() for why in _unlike(row, rails[name], space)]
    return tuple(rows), "; ".join(problems[:1])


def _unlike(row: NetworkRow, rails: Sequence[int | None], space: str) -> Iterator[str]:
    wanted: list[int | None] = [*sorted(row.rails)] or [None]
    if space not in row.namespaces:
        yield f"network {row.name} has no object in namespace {space}"
    elif len(set(rails)) < len(rails):
        yield f"its pods are on network {row.name} more than once"
    elif sorted(rails, key=str) != sorted(wanted, key=str):
        shown = ", ".join(str(rail) for rail in rails)
        yield f"its pods are on rails {shown} of network {row.name}, which has {len(wanted)}"
