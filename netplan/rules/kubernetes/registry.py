"""Declares and runs the rules about Kubernetes objects."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

from netplan.diagnostics import Diagnostic, Path, Severity
from netplan.graph.kubernetes.cluster import ObjectGraph
from netplan.load import STDIN
from netplan.model.rulebook import HINT_OF_MORE, Answer, Rule, register
from netplan.printable import clipped
from netplan.reading.kubernetes.objects import Thing
from netplan.reading.kubernetes.partial import is_built
from netplan.reading.kubernetes.subject import concerns_networks
from netplan.records import dataclass

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class ObjectFinding:
    """One finding. ``at``: path in the object, possibly continuing into a JSON text. ``breaks``: the
    value is unusable, so later rules skip it. ``unsure``: in files of others it is a note, because nothing
    says that what it compares is applied together."""

    thing: Thing
    at: Path
    message: str
    hint: str
    breaks: bool = False
    unsure: bool = False
    within: tuple[int, int] | None = None


RULES: dict[str, Rule[ObjectGraph, ObjectFinding]] = {}
"""Rules about Kubernetes objects."""
Run = Callable[[ObjectGraph, T], Iterator[ObjectFinding]]


def rule(
    code: str,
    title: str,
    *,
    on: Callable[[ObjectGraph], Sequence[T]],
    severity: Severity = Severity.ERROR,
    between: bool = False,
) -> Callable[[Run[T]], Run[T]]:
    """Register a function ``(cluster, subject) -> findings`` under a permanent code."""

    def ask(run: Run[T], cluster: ObjectGraph) -> tuple[int, Iterator[ObjectFinding]]:
        subjects = on(cluster)
        findings = (f for subject in subjects for f in run(cluster, subject) if not _is_consequence(f))
        return len(subjects), findings

    def declare(run: Run[T]) -> Run[T]:
        RULES[code] = register(
            Rule(
                code=code,
                title=title,
                severity=severity,
                kind="foreign",
                subject=ObjectGraph,
                ask=partial(ask, run),
                run=run,
                text=run.__doc__ or "",
                most=2_000,
                between=between,
            )
        )
        return run

    return declare


def run_rules(cluster: ObjectGraph, codes: Sequence[str]) -> tuple[list[Diagnostic], dict[str, int]]:
    """Findings of the rules, and how many subjects each checked."""
    found: list[Diagnostic] = []
    counts: dict[str, int] = {}
    for code in codes:
        each, answer = RULES[code], run_rule(cluster, code)
        counts[code] = answer.looked_at
        listed = answer.findings
        if answer.over is not None:
            listed = [*listed, replace(answer.over, message=each.more, hint=HINT_OF_MORE)]
        found += (_diagnostic(each, finding, cluster) for finding in listed)
    return found, counts


def run_rule(cluster: ObjectGraph, code: str) -> Answer[ObjectFinding]:
    """Findings of one rule; later rules skip places that it marks as broken."""
    answer = RULES[code].answer(cluster)
    for finding in answer.findings:
        if finding.breaks:
            finding.thing.broken.append(finding.at)
    return answer


def _is_consequence(finding: ObjectFinding) -> bool:
    """Whether the place, or a part of it, already has a finding of its own."""
    at = finding.at
    return any(at[: len(b)] == b or (len(at) > 1 and b[: len(at)] == at) for b in finding.thing.broken)


def severity_of(rule: Rule[Any, ObjectFinding], finding: ObjectFinding, cluster: ObjectGraph) -> Severity:
    """Standard input is what will be applied, an object of a dump runs, and a tree of netplan is complete.
    Objects of tests may be wrong on purpose; those that have nothing to do with networks may be templates,
    samples and fixtures, unless an inventory, a CRD that was given or a kustomization is about them, or
    their file was given by itself."""
    whole = cluster.site is not None or finding.thing.file == STDIN or finding.thing.live
    if whole:
        return rule.severity
    thing = finding.thing
    unsure = finding.unsure or thing.fixture or _is_apart(thing, cluster)
    return Severity.INFO if unsure else rule.elsewhere


def _is_apart(thing: Thing, cluster: ObjectGraph) -> bool:
    if cluster.needs is not None or cluster.tree.is_one_file or (thing.group, thing.kind) in cluster.given:
        return False
    if concerns_networks(thing):
        return False
    return not is_built(thing.file, cluster.tree.kustomizations)


def _diagnostic(rule: Rule[Any, ObjectFinding], finding: ObjectFinding, cluster: ObjectGraph) -> Diagnostic:
    message, hint = clipped(f"{finding.thing}: {finding.message}"), clipped(finding.hint)
    source = finding.thing.source(finding.at, finding.within)
    return Diagnostic(rule.code, severity_of(rule, finding, cluster), finding.at, message, hint, source)
