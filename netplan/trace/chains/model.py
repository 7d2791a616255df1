"""The parts of a chain: steps with what files state, where they state it, and what is in doubt."""

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
    """Why a step is not proved. ``place``: file and line; ``code``: the rule; ``hint``: what to do."""

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
    """A part of an object that a step depends on: what a rule finds there concerns the step."""

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
        """The step with more doubts, each once."""
        return replace(self, doubts=tuple(dict.fromkeys((*self.doubts, *found))))


@dataclass(frozen=True, slots=True, kw_only=True)
class Meets:
    """What packets meet at an interface, to compare two of them; None or empty if not stated.

    ``network``: name and object of the network. ``vlan``: 0 for untagged. ``routed``: whether a route leads
    out of its subnets.
    """

    network: str = ""
    vlan: int | None = None
    mtu: int | None = None
    subnets: tuple[IpNetwork, ...] = ()
    routed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Chain:
    """The steps of one interface of a pod."""

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
    """``name``: of the object, plus the part if it has several pod templates. ``traffic_class``: the byte
    that its environment sets for RDMA, None if it sets none."""

    pod: Pod
    name: str
    place: str
    steps: tuple[Step, ...]
    chains: tuple[Chain, ...]
    traffic_class: int | None = None

    @property
    def proof(self) -> Proof:
        """Never better than not proved: hosts and switches on the way are in no file."""
        return max(Proof.OPEN, *(step.proof for step in self.every_step()))

    @property
    def doubts(self) -> tuple[Doubt, ...]:
        return tuple(dict.fromkeys(doubt for step in self.every_step() for doubt in step.doubts))

    def every_step(self) -> tuple[Step, ...]:
        return (*self.steps, *(step for chain in self.chains for step in chain.steps))


@dataclass(frozen=True, slots=True, kw_only=True)
class Chains:
    """``unseen``: sentences on what the files do not contain."""

    pods: tuple[PodChain, ...]
    objects: int
    unseen: tuple[str, ...]


def at(thing: Thing, path: Path = ()) -> str:
    """File and line."""
    source = thing.source(path)
    return f"{source.file}:{source.line}"


def unproved(text: str) -> Doubt:
    return Doubt(proof=Proof.OPEN, text=text)
