"""Whether switches are lossless for the classes that the NICs pause, in a state between two renders."""

from __future__ import annotations

from collections.abc import Iterator

from netplan.changes.ends import Ends
from netplan.changes.state import End, State, Version
from netplan.graph.qos import Proof, chain_of
from netplan.model.readback import ReadSwitch
from netplan.model.site import SiteClass


def lossy_classes(ends: Ends, state: State) -> Iterator[str]:
    """Classes that are lossless on the hosts as they are, but not on a switch; each once per switch."""
    for name in ends.differing:
        version: Version = state.version(name)
        for end, wanted in _paused(ends, state.hosts):
            if version in (end, "away") or not ends.files(name, end):
                continue
            read, planned = ends.read(name, version), ends.read(name, end)
            for each in wanted:
                text = _refuted(read, planned, each)
                if text:
                    yield f"class {each.name} is not lossless: {text}"


def _paused(ends: Ends, hosts: Version) -> Iterator[tuple[End, list[SiteClass]]]:
    """Lossless classes of the site the hosts belong to, plus those of the other site whose DSCPs the NICs map
    meanwhile and whose priority they pause."""
    own: End = "old" if hosts in ("old", "added") else "new"
    mine, others = (
        [each for each in ends.facts[end == "new"].classes if each.lossless] for end in _beginning_with(own)
    )
    yield own, mine
    if hosts != own:
        known, paused = {each.dscp for each in mine}, {each.priority for each in mine}
        both = [each for each in others if each.dscp not in known and each.priority in paused]
        yield _beginning_with(own)[1], both


def _beginning_with(end: End) -> tuple[End, End]:
    return ("old", "new") if end == "old" else ("new", "old")


def _refuted(read: ReadSwitch, planned: ReadSwitch, wanted: SiteClass) -> str:
    """Why the first port that should be lossless is not; ports with the same lines are judged once."""
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
