"""Classes of pods: those on the same networks that ask for the same are one workload of the inventory."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass

from netplan.importing.facts import Conflict, Of, Said, Site, place, texts_in
from netplan.importing.hosts import HostKind, unused
from netplan.importing.kubernetes.workloads import AT, CALLED, ON, SIZES, TAKES
from netplan.importing.networks import NetworkRow, inventory_name
from netplan.importing.virtual import EFA


@dataclass(frozen=True, slots=True)
class WorkloadRow:
    """A workload of the inventory, of one or several jobs.

    ``jobs``: as in the cluster; ``networks``: of the inventory, in order; ``hosts``: host types that its pods
    run on today; ``on``: where its networks are stated; ``unfit``: why no inventory has its networks.
    ``nodes``: of the largest job; ``per_node``: the most pods that one node has of all; ``at``: the first
    node; ``strange``: nodes that are no hosts; ``called``: interfaces that netplan calls otherwise;
    ``devices``: resources that they take without a network of it.
    """

    name: str
    jobs: tuple[Of, ...]
    networks: tuple[str, ...]
    hosts: tuple[str, ...]
    on: Said
    unfit: str
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


Rails = Mapping[str, tuple[NetworkRow, int | None]]
"""``namespace/name`` -> network of the inventory, and rail."""


@dataclass(frozen=True, slots=True)
class _Known:
    """``resources``: those of cards, and that of EFA."""

    networks: Rails
    resources: Set[str]


@dataclass(frozen=True, slots=True)
class _Part:
    """Networks and devices of one pod."""

    networks: tuple[str, ...]
    unfit: str
    devices: tuple[str, ...]
    called: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Job:
    of: Of
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


def workload_rows(site: Site, rows: Sequence[NetworkRow], kinds: Sequence[HostKind]) -> list[WorkloadRow]:
    """Pods on no network of the inventory are none."""
    networks = {"/".join(part.of): (row, part.rail) for row in rows for part in row.parts}
    resources = {EFA for of in site.every("node") if site.said("node", of, EFA)}
    known = _Known(networks, resources.union(of[0] for of in site.every("resource")))
    type_of = {node: kind.name for kind in kinds for node in kind.nodes}
    groups: dict[tuple[tuple[str, ...], tuple[object, ...]], list[_Job]] = {}
    for of in site.every("workload"):
        job = _job(site, of, known)
        if job is not None:
            own = {type_of[str(said.value)] for said in job.nodes if said.value in type_of}
            hosts = tuple(kind.name for kind in kinds if kind.name in own)
            groups.setdefault((hosts, job.key()), []).append(job)
    taken: set[str] = set()
    return [_row(jobs, hosts, type_of, taken) for (hosts, _), jobs in groups.items()]


def _row(jobs: Sequence[_Job], hosts: tuple[str, ...], known: Container[str], taken: set[str]) -> WorkloadRow:
    """``known``: nodes that are hosts."""
    first, nodes = jobs[0], [said for job in jobs for said in job.nodes]
    per_node = Counter(str(said.value) for said in nodes)
    return WorkloadRow(
        name=unused(inventory_name(first.of[1]), taken),
        jobs=tuple(job.of for job in jobs),
        networks=first.networks,
        hosts=hosts,
        on=first.on,
        unfit=first.unfit,
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


def _job(site: Site, of: Of, known: _Known) -> _Job | None:
    on = dict(site.prefixed("workload", of, ON))
    parts = {pod: _part(site, of, pod, said, known) for pod, said in on.items()}
    if not any(part.networks or part.devices for part in parts.values()):
        return None
    (pod, first), *others = parts.items()
    unfit = first.unfit
    for other, part in others:
        if (part.networks, part.devices, part.unfit) != (first.networks, first.devices, first.unfit):
            places = f"{place(on[pod].at)} and {place(on[other].at)}"
            unfit = f"its pods are on other networks ({places}); split it"
    fields = {name: said for name in SIZES if (said := site.said("workload", of, name)) is not None}
    conflicts = {name: each for name in SIZES if (each := site.conflict("workload", of, name)) is not None}
    nodes = tuple(said for _, said in site.prefixed("workload", of, AT))
    called = next((part.called for part in parts.values() if part.called), ())
    return _Job(of, first.networks, on[pod], unfit, len(on), nodes, called, first.devices, fields, conflicts)


def _part(site: Site, of: Of, pod: str, on: Said, known: _Known) -> _Part:
    """What one pod asks for."""
    names, rails = texts_in(on.value), known.networks
    networks, unfit = _folded(names, of[0], rails)
    attached = {resource for name in names if name in rails for resource in rails[name][0].resources}
    taken = site.listed("workload", of, f"{TAKES}{pod}")
    devices = tuple(name for name in taken if name in known.resources and name not in attached)
    called = site.listed("workload", of, f"{CALLED}{pod}")
    return _Part(networks, unfit, devices, _renamed(names, called, rails))


def _renamed(names: Sequence[str], called: Sequence[str], known: Rails) -> tuple[str, ...]:
    """Interfaces on rails that netplan calls otherwise: ``net1, not rail0``."""
    rails = (known[name][1] if name in known else None for name in names)
    pairs = ((own, f"rail{rail}") for own, rail in zip(called, rails, strict=False) if rail is not None)
    return tuple(f"{own}, not {wanted}" for own, wanted in pairs if own != wanted)


def _folded(names: Iterable[str], space: str, known: Rails) -> tuple[tuple[str, ...], str]:
    """Networks of the inventory, and why it cannot have them so; empty if it can."""
    names = list(names)
    rows: dict[str, NetworkRow] = {}
    rails: dict[str, list[int | None]] = {}
    for name in names:
        if name in known:
            row, rail = known[name]
            rows[row.name] = row
            rails.setdefault(row.name, []).append(rail)
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
