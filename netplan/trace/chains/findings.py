"""Puts each finding of the rules at the step of a chain that its place belongs to."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field, replace

from netplan.diagnostics import Path, Severity
from netplan.graph.kubernetes.cluster import ObjectGraph
from netplan.graph.qos import Proof
from netplan.printable import clipped
from netplan.reading.kubernetes.objects import Thing
from netplan.records import dataclass
from netplan.rendered import order
from netplan.rules.kubernetes.registry import RULES, ObjectFinding, run_rule, severity_of
from netplan.trace.chains.model import Doubt, PodChain, Step, StepName, Subject, unproved

CONTRADICTIONS = frozenset({"NP312", "NP670", "NP677", "NP678", "NP679", "NP747"})
"""Rules of severity warning or note whose findings refute a step: two stated values contradict each other.
All other warnings and notes leave it unproved: a node may settle it, or it may be intended."""
ABOUT: Mapping[str, StepName] = {"NP749": "routes", "NP772": "routes", "NP773": "routes"}
"""Rules about routes whose findings point to the addresses."""


@dataclass(frozen=True, slots=True)
class Found:
    """``sure``: whether it is more than a note in this directory."""

    code: str
    finding: ObjectFinding
    sure: bool

    @property
    def at(self) -> Path:
        return self.finding.at

    def doubt(self) -> Doubt:
        refutes = self.code in CONTRADICTIONS or (RULES[self.code].severity is Severity.ERROR and self.sure)
        source = self.finding.thing.source(self.finding.at, self.finding.within)
        return Doubt(
            proof=Proof.REFUTED if refutes else Proof.OPEN,
            text=clipped(f"{self.finding.thing}: {self.finding.message}"),
            place=f"{source.file}:{source.line}",
            code=self.code,
            hint=clipped(self.finding.hint),
        )


Findings = Mapping[int, list[Found]]
"""Findings by the identity of their object."""


def findings_of(cluster: ObjectGraph) -> Findings:
    """All findings of all rules."""
    found: dict[int, list[Found]] = {}
    for code in order():
        for finding in run_rule(cluster, code).findings:
            sure = severity_of(RULES[code], finding, cluster) > Severity.INFO
            found.setdefault(id(finding.thing), []).append(Found(code, finding, sure))
    return found


@dataclass(frozen=True)
class Judge:
    """Assigns findings to steps. ``network``: cache of those for a network's steps, which pods share."""

    findings: Findings
    network: dict[object, Mapping[StepName, list[Doubt]]] = field(default_factory=dict)

    def judged(self, pod: PodChain, others: Iterable[Path]) -> PodChain:
        """A pod with the findings about its objects. ``others``: paths of the other pods in its object."""
        foreign = tuple(others)
        own = [
            found
            for found in self.findings.get(id(pod.pod.thing), ())
            if not any(found.at[: len(path)] == path for path in foreign)
        ]
        taken: set[int] = set()
        chains = [replace(chain, steps=self._chain(chain.steps, pod, own, taken)) for chain in pod.chains]
        left = [found for found in own if id(found) not in taken]
        found = _placed(pod.steps, {**self.findings, id(pod.pod.thing): left}, taken)
        return replace(pod, steps=_doubted(pod.steps, found), chains=tuple(chains))

    def _chain(
        self, steps: tuple[Step, ...], pod: PodChain, own: list[Found], taken: set[int]
    ) -> tuple[Step, ...]:
        """An interface's steps with the findings at the pod's object and at the objects of its network."""
        thing = pod.pod.thing
        mine = [_about(step, thing, True) for step in steps]
        rest = [_about(step, thing, False) for step in steps]
        key = tuple((step.name, id(s.thing), s.path) for step in rest for s in step.subjects)
        if key not in self.network:
            self.network[key] = _placed(rest, self.findings, set())
        of_pod = _placed(mine, {id(thing): own}, taken, whole=False)
        return _doubted(_doubted(steps, self.network[key]), of_pod)


def _about(step: Step, thing: Thing, same: bool) -> Step:
    """The step with only the subjects of one object (``same``), or only those of other objects."""
    return replace(step, subjects=tuple(s for s in step.subjects if (s.thing is thing) is same))


_MOST = 40
"""Findings listed at one step; a directory of copies can have thousands."""


def _doubted(steps: Sequence[Step], found: Mapping[StepName, list[Doubt]]) -> tuple[Step, ...]:
    return tuple(step.doubted(found[step.name]) if step.name in found else step for step in steps)


def _placed(
    steps: Sequence[Step], findings: Findings, taken: set[int], whole: bool = True
) -> Mapping[StepName, list[Doubt]]:
    """``taken``: findings that already have a step. ``whole``: also place findings about a larger part."""
    places: dict[int, list[tuple[Step, Subject]]] = {}
    for step in steps:
        for subject in step.subjects:
            places.setdefault(id(subject.thing), []).append((step, subject))
    names = frozenset(step.name for step in steps)
    doubts: dict[StepName, list[Doubt]] = {}
    for key, around in places.items():
        for found in findings.get(key, ()):
            step_name = _closest(found, around, names) or (_whole(found, around) if whole else None)
            if step_name is not None:
                taken.add(id(found))
                doubts.setdefault(step_name, []).append(found.doubt())
    return {name: _first(listed) for name, listed in doubts.items()}


def _first(doubts: list[Doubt]) -> list[Doubt]:
    """The first doubts, refutations before the others, and how many more there are."""
    listed = sorted(dict.fromkeys(doubts), key=lambda doubt: -doubt.proof)
    more = f"and {len(listed) - _MOST} findings more: netplan validate --rendered lists them"
    return listed[:_MOST] + ([unproved(more)] if len(listed) > _MOST else [])


def _closest(found: Found, places: list[tuple[Step, Subject]], names: frozenset[StepName]) -> StepName | None:
    """The step whose place most closely encloses the finding's; None if it is about another part."""
    around = [(len(p.path), s.name) for s, p in places if found.at[: len(p.path)] == p.path]
    if not around:
        return None
    meant = ABOUT.get(found.code)
    return meant if meant in names else max(around, key=lambda each: each[0])[1]


def _whole(found: Found, places: list[tuple[Step, Subject]]) -> StepName | None:
    """The first step on the object if the finding is about a part that encloses it, or about its name; for
    the pod's own object that is its first step."""
    larger = found.at[:1] == ("metadata",) or any(p.path[: len(found.at)] == found.at for _, p in places)
    return places[0][0].name if larger else None
