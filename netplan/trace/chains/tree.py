"""Reads files that anybody wrote, or standard input, into the chains of their pods."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from netplan.diagnostics import Diagnostic, Path
from netplan.graph.kubernetes.cluster import ObjectGraph, Pod
from netplan.graph.kubernetes.unseen import unseen
from netplan.load import InputError
from netplan.model.site import PATH
from netplan.reading.kubernetes.files import Found, read_input
from netplan.rendered import gathered
from netplan.report import count, few
from netplan.trace.chains.findings import Judge, findings_of
from netplan.trace.chains.model import Chains, PodChain
from netplan.trace.chains.pods import every_pod, pods_of
from netplan.trace.model import TraceError
from netplan.write.manifest import MANIFEST

_KINDS = 8
_VIRTUAL_MACHINE = ("kubevirt.io", "VirtualMachine")


def read_chains(given: str) -> Chains:
    """Chains of a directory, a file, or standard input (``-``). Raises TraceError if there is nothing to
    follow."""
    try:
        cluster, problems = gathered(_relative(read_input(given), given), "")
    except InputError as error:
        raise TraceError(str(error)) from error
    chains = chains_of(cluster, problems)
    if not chains.pods:
        raise TraceError(_nothing(cluster, chains))
    return chains


def _relative(found: Found, given: str) -> Found:
    """The finding with file names relative to the directory; a file given by name keeps its name."""
    base = f"{given.rstrip('/')}/"
    return replace(found, texts={name.removeprefix(base): text for name, text in found.texts.items()})


def chains_of(cluster: ObjectGraph, problems: tuple[Diagnostic, ...] = ()) -> Chains:
    judge = Judge(findings_of(cluster))
    paths: dict[int, list[Path]] = {}
    for pod in every_pod(cluster):
        paths.setdefault(id(pod.thing), []).append(pod.path)
    found = tuple(_named(pods_of(cluster), paths))
    return Chains(
        pods=tuple(judge.judged(pod, _others(pod.pod, paths)) for pod in found),
        objects=len(cluster.tree.things),
        unseen=tuple(_unseen(cluster, problems)),
    )


def _others(pod: Pod, paths: dict[int, list[Path]]) -> list[Path]:
    """Paths of the other pods of its object, without those that enclose this one."""
    every = paths[id(pod.thing)]
    return [path for path in every if path != pod.path and path != pod.path[: len(path)]]


def _named(pods: Iterator[PodChain], paths: dict[int, list[Path]]) -> Iterator[PodChain]:
    """Gives each pod template of an object with several its own name."""
    for pod in pods:
        others = _others(pod.pod, paths)
        part = _part(pod.pod.path, others) if others else ""
        yield replace(pod, name=f"{pod.name} {part}") if part else pod


def _part(path: Path, others: list[Path]) -> str:
    """The first path element that none of the others has at that position: ``Worker``, or a list index."""
    for index, element in enumerate(path):
        if all(other[index : index + 1] != (element,) for other in others):
            return str(element)
    return ".".join(map(str, path))


def _unseen(cluster: ObjectGraph, problems: tuple[Diagnostic, ...]) -> Iterator[str]:
    if cluster.site is None:
        yield f"no {PATH}: hosts, cabling and switches are unknown, so no path is proved"
    else:
        yield f"{PATH} without {MANIFEST}: its cables and switches are not followed"
    if problems:
        first = problems[0]
        place = f"{first.source.file}:{first.source.line}: " if first.source else ""
        yield f"{count(len(problems), 'problem')} of reading, first {place}{first.message}"
    machines = cluster.of(*_VIRTUAL_MACHINE)
    if machines:
        yield f"networks of {count(len(machines), 'VirtualMachine')} were not followed"
    yield from cluster.tree.skipped
    yield from unseen(cluster)


def _nothing(cluster: ObjectGraph, chains: Chains) -> str:
    kinds = Counter(thing.kind for thing in cluster.tree.things)
    shown = few([f"{number:,} {kind}" for kind, number in kinds.most_common()], _KINDS, "more kinds")
    pods = len(every_pod(cluster))
    said = f"{count(pods, 'pod')}, none with a network or a device of theirs" if pods else "no pod"
    notes = "; ".join(chains.unseen[1:])
    return (
        f"no pod with an attachment found: {count(chains.objects, 'object')} read"
        f"{f' ({shown})' if shown else ''}, {said}{f'; {notes}' if notes else ''}"
    )
