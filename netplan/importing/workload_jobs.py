"""Jobs of the cluster: what their pods ask for, and why an inventory cannot have it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field

from netplan.importing.facts import Conflict, Of, Said, Site, place, texts_in
from netplan.importing.kubernetes.claims import GPUS, NETWORKS, OPEN, RESOURCES
from netplan.importing.kubernetes.workloads import AT, CALLED, CLAIMS, GPU, ON, SIZES, TAKES, UNREAD
from netplan.importing.networks import FoundNetwork, NetworkRow
from netplan.importing.workload_places import Group, Places, by_group
from netplan.model.values import natural

Rails = Mapping[str, tuple[NetworkRow, FoundNetwork]]
"""``namespace/name`` -> network of the inventory, and its object."""


@dataclass(frozen=True, slots=True)
class Known:
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
    rails: tuple[int | None, ...]
    open: tuple[str, ...]

    @property
    def asked(self) -> tuple[object, ...]:
        return self.networks, self.objects, self.devices, self.rails


@dataclass(frozen=True, slots=True)
class Job:
    """A job, or its pods of one leaf group. ``group``: that, if its networks are other ones on each;
    ``several``: whether the job is on others too."""

    of: Of
    group: Group | None
    several: bool
    networks: tuple[str, ...]
    on: Said
    unfit: str
    pods: int
    nodes: tuple[Said, ...]
    called: tuple[str, ...]
    devices: tuple[str, ...]
    gpu_claims: tuple[str, ...]
    fields: Mapping[str, Said]
    conflicts: Mapping[str, Conflict]

    @property
    def leaf(self) -> str:
        """The first of its leaf group."""
        return min((leaf for _, leaf in self.group or ()), key=natural, default="")

    def key(self) -> tuple[object, ...]:
        """What the jobs of one workload have in common, besides the host types that they run on."""
        stated = tuple((name, said.value) for name, said in sorted(self.fields.items()))
        asked = tuple((name, str(each)) for name, each in sorted(self.conflicts.items()))
        return self.of[0], self.networks, self.devices, self.unfit, stated, asked


def jobs_of(site: Site, of: Of, known: Known) -> Iterator[Job]:
    """Of a job on several leaf groups one for each, where its networks are other ones there."""
    on, at = (dict(site.prefixed("workload", of, prefix)) for prefix in (ON, AT))
    parts = {pod: _part(site, of, pod, said, at.get(pod), known) for pod, said in on.items()}
    if not any(part.networks or part.devices or part.open for part in parts.values()):
        return
    networks = {pod: part.networks for pod, part in parts.items()}
    objects = {pod: said.value for pod, said in on.items()}
    pods = _Pods(parts, on, at)
    groups = [*by_group(at, networks, objects, known.places)]
    for group, own in groups:
        yield _job(site, of, group, len(groups) > 1, pods.of(own), known)


@dataclass(frozen=True, slots=True)
class _Pods:
    """By their names: what they ask for, where, and their nodes as far as they have one."""

    parts: Mapping[str, _Part]
    on: Mapping[str, Said]
    at: Mapping[str, Said]

    def of(self, pods: Iterable[str]) -> _Pods:
        every = [*pods]
        at = {pod: self.at[pod] for pod in every if pod in self.at}
        return _Pods({pod: self.parts[pod] for pod in every}, {pod: self.on[pod] for pod in every}, at)


def _job(site: Site, of: Of, group: Group | None, several: bool, pods: _Pods, known: Known) -> Job:
    first = next(iter(pods.parts.values()))
    called = (part.called for part in pods.parts.values() if part.called)
    return Job(
        of=of,
        group=group,
        several=several,
        networks=first.networks,
        on=next(iter(pods.on.values())),
        unfit=_unfit(pods) or _at_two_places(pods, known),
        pods=len(pods.parts),
        nodes=tuple(pods.at.values()),
        called=next(called, ()),
        devices=first.devices,
        gpu_claims=_gpu_claims(site, of, pods.parts),
        fields={name: said for name, said in site.fields("workload", of).items() if name in _STATED},
        conflicts={each.field: each for each in site.about("workload", of) if each.field in _STATED},
    )


def _gpu_claims(site: Site, of: Of, pods: Iterable[str]) -> tuple[str, ...]:
    """Drivers of the GPUs that its pods claim."""
    texts = (text for pod in pods for text in site.listed("workload", of, f"{CLAIMS}{pod}"))
    return tuple(dict.fromkeys(_of_claims(site, (tuple(text.split("/", 1)) for text in texts), GPUS)))


_STATED = frozenset((*SIZES, GPU, *(f"{UNREAD}{name}" for name in SIZES)))


def _unfit(pods: _Pods) -> str:
    """Of the pods of one workload."""
    pod, first = next(iter(pods.parts.items()))
    for other, part in pods.parts.items():
        if part.asked != first.asked:
            places = f"{place(pods.on[pod].at)} and {place(pods.on[other].at)}"
            return f"its pods are on other networks ({places}); split it"
    return next((part.unfit for part in pods.parts.values() if part.unfit), "")


def _at_two_places(pods: _Pods, known: Known) -> str:
    """Objects of one leaf group that pods on another one ask for too."""
    for pod, node in pods.at.items():
        objects = pods.parts[pod].objects
        own = known.places.groups.get(str(node.value))
        group, said = known.homes.setdefault(objects, (own, node)) if objects else (own, node)
        if group != own:
            here, there = (f"{said.value} ({place(said.at)})" for said in (node, said))
            return f"pods on {here} and on {there}, of two leaf groups, are on the same networks"
    return ""


def _part(site: Site, of: Of, pod: str, on: Said, node: Said | None, known: Known) -> _Part:
    """What one pod asks for."""
    claimed, resources, left = _claimed(site, of, pod)
    names = (*texts_in(on.value), *claimed)
    networks, unfit = _folded(names, of[0], known.networks)
    found = [known.networks[name] for name in names if name in known.networks]
    parts = [part for _, part in found]
    taken = (*site.listed("workload", of, f"{TAKES}{pod}"), *resources)
    called = site.listed("workload", of, f"{CALLED}{pod}")
    return _Part(
        networks=networks,
        objects=tuple("/".join(part.of) for row, part in found if row.name in known.places.of_leaf),
        unfit=f"its pods have {left[0]}" if left else unfit or _elsewhere(site, parts, node, known),
        devices=_alone(taken, (row for row, _ in found), known),
        called=_renamed(names, called, known.networks),
        rails=tuple(part.rail for part in parts),
        open=left,
    )


def _alone(taken: Iterable[str], rows: Iterable[NetworkRow], known: Known) -> tuple[str, ...]:
    """Resources of cards that the pod takes and no network of it has."""
    attached = {resource for row in rows for resource in row.resources}
    return tuple(name for name in taken if name in known.resources and name not in attached)


Texts = tuple[str, ...]


def _claimed(site: Site, of: Of, pod: str) -> tuple[Texts, Texts, Texts]:
    """Networks and resources that the pod claims, and what is not known of its claims."""
    claims = [tuple(text.split("/", 1)) for text in site.listed("workload", of, f"{CLAIMS}{pod}")]
    networks, resources, left = (_of_claims(site, claims, name) for name in (NETWORKS, RESOURCES, OPEN))
    gone = (f"claim {'/'.join(each)}, in no dump" for each in claims if not site.fields("claim", each))
    return networks, resources, (*left, *gone)


def _of_claims(site: Site, claims: Iterable[Of], field: str) -> tuple[str, ...]:
    return tuple(text for claim in claims for text in site.listed("claim", claim, field))


def _elsewhere(site: Site, parts: Iterable[FoundNetwork], node: Said | None, known: Known) -> str:
    """Why the first of them that is not, is not one of the node's leaves."""
    if node is None:
        return ""
    return next(filter(None, (known.places.elsewhere(site, part, str(node.value)) for part in parts)), "")


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
