"""Buffer profiles and pools that a config_db states itself, by the rules of ``validate --config-db``.

netplan leaves them to SONiC: no file of a rendered tree has such rows until somebody adds them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from typing import Any

from netplan import json_text
from netplan.graph.qos import Doubt, PriorityAnswer, Proof
from netplan.model.document import Places, SourceMap
from netplan.reading.config_db.read import switches_of
from netplan.reading.config_db.switch import DbSwitch
from netplan.reading.switches.patch import is_patch, pointer
from netplan.records import dataclass
from netplan.rules.config_db.port_buffers import BufferProblem, KnownPort, buffer_problems
from netplan.trace.fabric import ReadFabric

_PROFILES = "BUFFER_PROFILE"


@dataclass(frozen=True, slots=True)
class _Stated:
    """``patched``: (table, row) of what a JSON patch beside the files changes."""

    switch: DbSwitch
    patched: frozenset[tuple[str, ...]]


class StatedBuffers:
    """``judged``: an answer with what the stated rows of the port's priority group contradict."""

    def __init__(self, fabric: ReadFabric) -> None:
        self._fabric = fabric
        self._read = cache(lambda name: _read(fabric.texts_of(name)))

    def judged(self, answer: PriorityAnswer, switch: str, port: str) -> PriorityAnswer:
        stated = self._read(switch)
        told = any(doubt.fact == "buffer" and doubt.proof is Proof.REFUTED for doubt in answer.doubts)
        if stated is None or answer.priority is None or told:
            return answer
        found = [
            _doubt(stated.switch, f"{switch} {port}", problem)
            for problem in buffer_problems(stated.switch, port, answer.priority, self._known(switch, port))
            if ("BUFFER_PG", problem.row) not in stated.patched
        ]
        return replace(answer, doubts=(*answer.doubts, *found))

    def _known(self, switch: str, port: str) -> KnownPort:
        built = self._fabric.wanted.switches.get(switch)
        model, asic = (built.model, built.asic) if built is not None else ("", "")
        return KnownPort(
            model,
            asic,
            self._fabric.cables.speed_gbps(switch, port),
            self._fabric.cables.length_m(switch, port),
        )


def _read(texts: Mapping[str, str]) -> _Stated | None:
    """The switch, if its files state profiles and no patch changes profiles or pools."""
    files = {path: text for path, text in texts.items() if path.endswith(".json")}
    if not any(f'"{_PROFILES}"' in text for text in files.values()):
        return None
    patches = {path: data for path, text in files.items() if is_patch(data := _parsed(text))}
    changed = frozenset(tuple(pointer(op.get("path"))[:2]) for data in patches.values() for op in data)
    own = {path: text for path, text in files.items() if path not in patches}
    _, _, switches = switches_of(own, Places(SourceMap()))
    other = {row[0] for row in changed if row} & {_PROFILES, "BUFFER_POOL"}
    return _Stated(switches[0], changed) if len(switches) == 1 and not other else None


def _parsed(text: str) -> Any:
    try:
        return json_text.loads(text)
    except (ValueError, RecursionError):
        return None


def _doubt(switch: DbSwitch, place: str, problem: BufferProblem) -> Doubt:
    source = switch.sources.source(problem.at.offset)
    text = f"{place}: {problem.text} ({source.file}:{source.line})"
    return Doubt(Proof.REFUTED if problem.certain else Proof.OPEN, text, "buffer")
