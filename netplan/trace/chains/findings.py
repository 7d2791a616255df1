"""What the rules say of the objects of a chain: each finding at the step that rests on its place."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from netplan.diagnostics import Path, Severity
from netplan.graph.kubernetes.cluster import Cluster
from netplan.graph.qos import Proof
from netplan.printable import clipped
from netplan.reading.kubernetes.objects import Thing
from netplan.rendered import order
from netplan.rules.kubernetes.registry import RULES, Finding, run_rule
from netplan.trace.chains.model import Chain, Doubt, PodChain, Step, StepName, Subject

CONTRADICTIONS = frozenset({"NP312", "NP670", "NP677", "NP678", "NP679"})
"""Rules of warnings and notes in which two values that files state rule each other out. Other warnings and
notes leave a step unproved: what settles them may stand on a node, or be meant."""
ABOUT: Mapping[str, StepName] = {"NP749": "routes", "NP772": "routes", "NP773": "routes"}
"""Rules about routes whose place is that of the addresses."""


@dataclass(frozen=True, slots=True)
class Found:
    code: str
    finding: Finding

    @property
    def at(self) -> Path:
        return self.finding.at

    def doubt(self) -> Doubt:
        severity = RULES[self.code].severity
        refutes = severity is Severity.ERROR or self.code in CONTRADICTIONS
        source = self.finding.thing.source(self.finding.at, self.finding.within)
        return Doubt(
            proof=Proof.REFUTED if refutes else Proof.OPEN,
            text=clipped(f"{self.finding.thing}: {self.finding.message}"),
            place=f"{source.file}:{source.line}",
            code=self.code,
            hint=clipped(self.finding.hint),
        )


Findings = Mapping[int, list[Found]]
"""By the object that they are about."""


def findings_of(cluster: Cluster) -> Findings:
    """What every rule finds."""
    found: dict[int, list[Found]] = {}
    for code in order():
        for finding in run_rule(cluster, code).findings:
            found.setdefault(id(finding.thing), []).append(Found(code, finding))
    return found


def judged(pod: PodChain, findings: Findings, others: Iterable[Path]) -> PodChain:
    """A pod with what the rules found at its objects. ``others``: places of the other pods of its object."""
    foreign = tuple(others)
    own = [
        found
        for found in findings.get(id(pod.pod.thing), ())
        if not any(found.at[: len(path)] == path for path in foreign)
    ]
    about_pod = {id(pod.pod.thing): own}
    taken: set[int] = set()
    chains = []
    for chain in pod.chains:
        steps = _placed(chain.steps, findings, about_pod, taken)
        chains.append(Chain(interface=chain.interface, network=chain.network, steps=steps, meets=chain.meets))
    left = {id(pod.pod.thing): [found for found in own if id(found) not in taken]}
    return PodChain(
        pod=pod.pod,
        name=pod.name,
        place=pod.place,
        steps=_placed(pod.steps, findings, left, taken),
        chains=tuple(chains),
        traffic_class=pod.traffic_class,
    )


def _placed(steps: tuple[Step, ...], findings: Findings, own: Findings, taken: set[int]) -> tuple[Step, ...]:
    """``own``: findings at the pod's object, in place of all that are there; ``taken``: those that got a
    step."""
    places = [(step, subject) for step in steps for subject in step.subjects]
    things: dict[int, Thing] = {id(subject.thing): subject.thing for _, subject in places}
    doubts: dict[StepName, list[Doubt]] = {}
    for key in things:
        for found in own[key] if key in own else findings.get(key, ()):
            around = [(s, p) for s, p in places if id(p.thing) == key]
            step = _closest(found, around, steps) or (None if key in own else _whole(found, around))
            if step is not None:
                doubts.setdefault(step, []).append(found.doubt())
                taken.add(id(found))
    return tuple(step.doubted(doubts.get(step.name, ())) for step in steps)


def _closest(found: Found, places: list[tuple[Step, Subject]], steps: tuple[Step, ...]) -> StepName | None:
    """The step with the closest place around the finding's; None where it is about another part."""
    around = [(len(p.path), s.name) for s, p in places if found.at[: len(p.path)] == p.path]
    if not around:
        return None
    meant = ABOUT.get(found.code)
    return meant if meant in {step.name for step in steps} else max(around, key=lambda each: each[0])[1]


def _whole(found: Found, places: list[tuple[Step, Subject]]) -> StepName | None:
    """The first step on an object of which a finding is about a larger part, or its name; of the pod's own
    object its first step has that."""
    larger = found.at[:1] == ("metadata",) or any(p.path[: len(found.at)] == found.at for _, p in places)
    return places[0][0].name if larger else None
