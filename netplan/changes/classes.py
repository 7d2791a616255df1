"""Whether the switches are lossless for the classes that the NICs pause, in a state between two renders."""

from __future__ import annotations

from collections.abc import Iterator

from netplan.changes.states import Ends, State, Version
from netplan.graph.qos import Proof, chain_of
from netplan.model.readback import ReadSwitch
from netplan.model.site import SiteClass


def lossy_classes(ends: Ends, state: State) -> Iterator[str]:
    """Classes that are lossless with the hosts as they are and not on a switch; each once a switch."""
    facts = ends.facts[0 if state.hosts == "old" else 1]
    lossless = [each for each in facts.classes if each.lossless]
    for name in ends.differing:
        version: Version = state.version(name)
        if version in (state.hosts, "away") or not ends.files(name, state.hosts):
            continue
        read, planned = ends.read(name, version), ends.read(name, state.hosts)
        for each in lossless:
            text = _refuted(read, planned, each)
            if text:
                yield f"class {each.name} is not lossless: {text}"


def _refuted(read: ReadSwitch, planned: ReadSwitch, wanted: SiteClass) -> str:
    """Of the first port that is lossless as planned; ports with the same lines are asked once."""
    asked: set[int] = set()
    for port in read.ports:
        if port not in planned.ports or id(read.ports[port].qos) in asked:
            continue
        asked.add(id(read.ports[port].qos))
        before = chain_of(planned, port, "").lossless(wanted.dscp)
        answer = chain_of(read, port, f"switches/{read.name}/").lossless(wanted.dscp)
        if answer.proof is Proof.REFUTED and before.proof is not Proof.REFUTED:
            return next(doubt.text for doubt in answer.doubts if doubt.proof is Proof.REFUTED)
    return ""
