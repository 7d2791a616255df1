"""What a chain is made of: steps with what files state, where, and what is in doubt."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Literal

from netplan.diagnostics import Path
from netplan.graph.kubernetes.addresses import IpNetwork
from netplan.graph.kubernetes.cluster import Pod
from netplan.graph.qos import Proof
from netplan.reading.kubernetes.objects import Thing
from netplan.records import dataclass

StepName = Literal[
    "pod",
    "claims",
    "environment",
    "attachment",
    "network",
    "resource",
    "device",
    "vlan",
    "mtu",
    "addresses",
    "routes",
]
OF_INTERFACE: tuple[StepName, ...] = (
    "attachment",
    "network",
    "resource",
    "device",
    "vlan",
    "mtu",
    "addresses",
    "routes",
)
WORDS = {Proof.PROVED: "proved", Proof.OPEN: "not proved", Proof.REFUTED: "refuted"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Doubt:
    """Why a step is not proved. ``place``: file and line; ``code``: of the rule that found it; ``hint``: what
    to do."""

    proof: Proof
    text: str
    place: str = ""
    code: str = ""
    hint: str = ""


@dataclass(frozen=True, slots=True)
class Line:
    """Something that a file states, and where."""

    text: str
    place: str = ""


@dataclass(frozen=True, slots=True)
class Subject:
    """A part of an object that a step rests on: what a rule finds there is about the step."""

    thing: Thing
    path: Path


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    name: StepName
    lines: tuple[Line, ...] = ()
    doubts: tuple[Doubt, ...] = ()
    subjects: tuple[Subject, ...] = ()

    @property
    def proof(self) -> Proof:
        return max((doubt.proof for doubt in self.doubts), default=Proof.PROVED)

    def doubted(self, found: Iterable[Doubt]) -> Step:
        """With more doubts, each once."""
        return replace(self, doubts=tuple(dict.fromkeys((*self.doubts, *found))))


@dataclass(frozen=True, slots=True, kw_only=True)
class Meets:
    """What packets of an interface meet, for comparing two of them; None or empty where it is not stated.

    ``network``: name and object of the network. ``vlan``: 0 for untagged. ``routed``: whether some route
    leads out of its subnets.
    """

    network: str = ""
    vlan: int | None = None
    mtu: int | None = None
    subnets: tuple[IpNetwork, ...] = ()
    routed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Chain:
    """Of one interface of a pod."""

    interface: str
    network: str
    steps: tuple[Step, ...]
    meets: Meets

    @property
    def proof(self) -> Proof:
        return max(step.proof for step in self.steps)

    def step(self, name: StepName) -> Step | None:
        return next((step for step in self.steps if step.name == name), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class PodChain:
    """``name``: of the object, with the part of it where it has several pod templates. ``traffic_class``: the
    byte its environment sets for RDMA, None where it sets none."""

    pod: Pod
    name: str
    place: str
    steps: tuple[Step, ...]
    chains: tuple[Chain, ...]
    traffic_class: int | None = None

    @property
    def proof(self) -> Proof:
        """At best not proved: the way as a whole leads over hosts and switches that are in no file."""
        return max(Proof.OPEN, *(step.proof for step in self.every_step()))

    @property
    def doubts(self) -> tuple[Doubt, ...]:
        return tuple(dict.fromkeys(doubt for step in self.every_step() for doubt in step.doubts))

    def every_step(self) -> tuple[Step, ...]:
        return (*self.steps, *(step for chain in self.chains for step in chain.steps))


@dataclass(frozen=True, slots=True, kw_only=True)
class Chains:
    """``unseen``: what the files do not hold, as sentences."""

    pods: tuple[PodChain, ...]
    objects: int
    unseen: tuple[str, ...]


def at(thing: Thing, path: Path = ()) -> str:
    """File and line."""
    source = thing.source(path)
    return f"{source.file}:{source.line}"


def unproved(text: str) -> Doubt:
    return Doubt(proof=Proof.OPEN, text=text)
