"""Classes of pods: those on the same networks that ask for the same are one workload of the inventory."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from netplan.importing.facts import Conflict, Of, Said, Site, Value, place
from netplan.importing.hosts import HostKind, unused
from netplan.importing.kubernetes.workloads import AT, ON, SIZES
from netplan.importing.networks import NetworkRow, inventory_name


@dataclass(frozen=True, slots=True)
class WorkloadRow:
    """A workload of the inventory, of one or several jobs.

    ``jobs``: as in the cluster; ``networks``: of the inventory, in order; ``hosts``: host types that its pods
    run on today, none if no node is known; ``on``: where its networks are stated; ``unfit``: why no inventory
    has its networks. ``nodes``: of the largest job; ``per_node``: the most pods that one node has of all.
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
    on_nodes: tuple[str, ...]
    fields: Mapping[str, Said]
    conflicts: Mapping[str, Conflict]

    @property
    def namespace(self) -> str:
        return self.jobs[0][0]


@dataclass(frozen=True, slots=True)
class _Job:
    of: Of
    networks: tuple[str, ...]
    on: Said
    unfit: str
    nodes: tuple[str, ...]
    fields: Mapping[str, Said]
    conflicts: Mapping[str, Conflict]

    def key(self, hosts: tuple[str, ...]) -> tuple[object, ...]:
        stated = tuple((name, said.value) for name, said in sorted(self.fields.items()))
        asked = tuple((name, str(each)) for name, each in sorted(self.conflicts.items()))
        return self.of[0], self.networks, self.unfit, hosts, stated, asked


def workload_rows(site: Site, rows: Sequence[NetworkRow], kinds: Sequence[HostKind]) -> list[WorkloadRow]:
    """Pods on no network of the inventory are none."""
    known = {"/".join(part.of): (row, part.rail) for row in rows for part in row.parts}
    type_of = {node: kind.name for kind in kinds for node in kind.nodes}
    groups: dict[tuple[object, ...], list[_Job]] = {}
    types: dict[tuple[object, ...], tuple[str, ...]] = {}
    for of in site.every("workload"):
        job = _job(site, of, known)
        if job is not None:
            own = {type_of[node] for node in job.nodes if node in type_of}
            hosts = tuple(kind.name for kind in kinds if kind.name in own)
            groups.setdefault(job.key(hosts), []).append(job)
            types[job.key(hosts)] = hosts
    taken: set[str] = set()
    return [_row(jobs, types[key], taken) for key, jobs in groups.items()]


def _row(jobs: Sequence[_Job], hosts: tuple[str, ...], taken: set[str]) -> WorkloadRow:
    first = jobs[0]
    per_node = Counter(node for job in jobs for node in job.nodes)
    return WorkloadRow(
        name=unused(inventory_name(first.of[1]), taken),
        jobs=tuple(job.of for job in jobs),
        networks=first.networks,
        hosts=hosts,
        on=first.on,
        unfit=first.unfit,
        nodes=max(len(set(job.nodes)) for job in jobs),
        per_node=max(per_node.values(), default=0),
        pods=sum(len(job.nodes) for job in jobs),
        on_nodes=tuple(per_node),
        fields=first.fields,
        conflicts=first.conflicts,
    )


def _job(site: Site, of: Of, known: Mapping[str, tuple[NetworkRow, int | None]]) -> _Job | None:
    on = [said for _, said in site.prefixed("workload", of, ON)]
    asked = [_listed(said.value) for said in on]
    if not any(name in known for names in asked for name in names):
        return None
    nodes = tuple(str(said.value) for _, said in site.prefixed("workload", of, AT))
    found = [_folded(names, of[0], known) for names in asked]
    names, unfit = found[0]
    if any(each != found[0] for each in found):
        other = next(said for said, each in zip(on, found, strict=True) if each != found[0])
        unfit = f"its pods are on other networks ({place(on[0].at)} and {place(other.at)}); split it"
    fields = {name: said for name in SIZES if (said := site.said("workload", of, name)) is not None}
    conflicts = {name: each for name in SIZES if (each := site.conflict("workload", of, name)) is not None}
    return _Job(of, names, on[0], unfit, nodes, fields, conflicts)


def _folded(
    names: Iterable[str], space: str, known: Mapping[str, tuple[NetworkRow, int | None]]
) -> tuple[tuple[str, ...], str]:
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


def reordered(row: WorkloadRow, rails: Mapping[str, int | None]) -> bool:
    """Whether its pods list rails in another order than that of their numbers, which netplan has."""
    seen = [rails[name] for name in _listed(row.on.value) if rails.get(name) is not None]
    return seen != sorted(seen, key=lambda rail: rail or 0)


def _listed(value: Value) -> tuple[str, ...]:
    return value if isinstance(value, tuple) else ()
