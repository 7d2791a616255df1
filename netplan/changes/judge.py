"""Whether pods can reach each other in a state between two renders."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from netplan.changes.classes import lossy_classes
from netplan.changes.ends import Ends
from netplan.changes.pools import Pools
from netplan.changes.state import End, State
from netplan.changes.wave import Wave
from netplan.graph.subnets import shared_subnets
from netplan.model.artifact import Artifact
from netplan.model.readback import ReadSwitch
from netplan.model.site import SiteSwitch
from netplan.trace import Tabulator, TracedSite, TraceError, Verdict, workloads_named
from netplan.trace.bgp import Bgp
from netplan.trace.fabric import ReadFabric
from netplan.trace.matrix import Cell, Matrix
from netplan.trace.model import DEVICE_BOUND
from netplan.trace.walk import Walker


@dataclass(frozen=True, slots=True)
class Refuted:
    """``workload``: whose pods are affected; empty if no pod is involved."""

    workload: str
    verdict: Verdict
    text: str


class Judge:
    """Traces each state once. Refutations that the old or new render already has are left out."""

    def __init__(self, ends: Ends) -> None:
        self.ends = ends
        self._refuted: dict[object, Mapping[str, Refuted]] = {}
        self._fabrics: dict[object, tuple[ReadFabric, Bgp]] = {}
        self._sites: dict[End, TracedSite] = {}
        self._pools = Pools(ends)

    def faults(self, wave: Wave) -> tuple[Refuted, ...]:
        """New refutations during and after the wave, for the pods that run; each cause once."""
        found = list(self._lost(wave.after))
        replaced = [name for name in wave.targets if wave.of_switches and self.ends.replaced(name)]
        if replaced:
            found += self._lost(wave.before.with_switches(replaced, "away"), Verdict.NARROW)
        return tuple(dict.fromkeys(found))

    def _lost(self, state: State, allowed: Verdict = Verdict.UNLIKE) -> Iterator[Refuted]:
        """``allowed``: the worst verdict that is not a fault."""
        texts = [*self._twice(state)]
        if state.pods != "stopped":
            texts += lossy_classes(self.ends, state)
        yield from (Refuted("", Verdict.LOST, text) for text in texts)
        if texts:
            return  # stopping workloads does not help
        if state.pods != "stopped":
            yield from (Refuted("", Verdict.LOST, text) for text in self._pools.given_twice(state))
        for pods in self._running(state):
            yield from self._of_pods(state, pods, allowed)

    def _of_pods(self, state: State, pods: End, allowed: Verdict) -> Iterator[Refuted]:
        if self.ends.is_render(state, pods):
            return  # what is refuted in a render is not the fault of the order
        refuted = {walk: each for walk, each in self._of(state, pods).items() if each.verdict > allowed}
        usual = self._of(State() if pods == "old" else whole(self.ends), pods) if refuted else {}
        lost = (each for walk, each in refuted.items() if walk not in usual)
        yield from (each for each in lost if each.workload not in self.ends.applied.workloads[1])

    def _running(self, state: State) -> Iterator[End]:
        if state.pods in ("old", "both"):
            yield "old"
        if state.pods in ("new", "both"):
            yield "new"

    def _of(self, state: State, pods: End) -> Mapping[str, Refuted]:
        """Walk -> why it is refuted."""
        key = (pods, state.hosts, *_network(state))
        if key not in self._refuted:
            self._refuted[key] = dict(self._walked(state, pods))
        return self._refuted[key]

    def _walked(self, state: State, pods: End) -> Iterator[tuple[str, Refuted]]:
        side = self.ends.side(state, pods)
        site = _Site(self.ends, state, [Artifact(path, text, "") for path, text in side.texts.items()])
        try:
            first = self._sites.setdefault(pods, site)  # objects and pods belong to one end in every state
            site.objects, site.cluster = first.objects, first.cluster
            tabulator = Tabulator(site, (DEVICE_BOUND,), sampled=True, walker=self._walker(site, state, pods))
            for workload in workloads_named(site, None):
                yield from _refuted(tabulator.matrix(workload))
        except TraceError as error:
            yield "", Refuted("", Verdict.LOST, f"not judged: {error}")

    def _walker(self, site: TracedSite, state: State, pods: End) -> Walker:
        """States with the same switches and cables share a fabric; with other hosts the ends of a walk
        differ."""
        key = (pods, *_network(state))
        if key not in self._fabrics:
            self._fabrics[key] = (site.fabric, site.bgp)
        site.fabric, site.bgp = self._fabrics[key]
        return Walker(site.fabric, site.bgp)

    def _twice(self, state: State) -> Iterator[str]:
        """The same network on two interfaces of a switch."""
        for name, version in state.switches.items():
            if version in ("added", "set"):
                yield from (f"{name} {each}" for each in shared_subnets(self.ends.read(name, version)))


class _Site(TracedSite):
    """A site whose switches are read once for all states with the same switch files."""

    def __init__(self, ends: Ends, state: State, artifacts: list[Artifact]) -> None:
        super().__init__(artifacts, ends.library)
        self._ends, self._state = ends, state

    def read_switch(self, switch: SiteSwitch, texts: Mapping[str, str]) -> ReadSwitch:
        return self._ends.read(switch.name, self._state.version(switch.name))


def _network(state: State) -> tuple[object, ...]:
    return state.cables, tuple(sorted(state.switches.items()))


def whole(ends: Ends) -> State:
    """The state after all waves."""
    return State(dict.fromkeys(ends.differing, "new"), "new", "new", "new", "new")


def _refuted(found: Matrix) -> Iterator[tuple[str, Refuted]]:
    if found.missing:
        yield found.workload, Refuted(found.workload, Verdict.LOST, found.missing)
    for cell in found.cells:
        if cell.fails and cell.verdict > Verdict.UNLIKE:
            walk = f"{found.workload}, {cell.relation}, {cell.start} to {cell.end}"
            yield walk, Refuted(found.workload, cell.verdict, _worst(cell))


def _worst(cell: Cell) -> str:
    return next((f.text for f in cell.faults if f.verdict is cell.verdict), cell.verdict.words)
