"""The pipeline for clusters on one fabric: one tree with separate files of the clusters and the switches
once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from netplan import nos, pipeline, verify
from netplan.diagnostics import Diagnostic, has_errors
from netplan.load import InputError, input_files
from netplan.model.artifact import Artifact
from netplan.model.codes import CODES
from netplan.model.document import Document, Places, SourceMap
from netplan.model.grouping import grouped
from netplan.model.nos import NosProfile
from netplan.model.options import DEFAULTS, Options
from netplan.model.plan import Plan
from netplan.render import render
from netplan.render.cabling import render_cabling
from netplan.render.switches import KIND, render_sources, render_switches
from netplan.result import Result, place
from netplan.sharing.disagreements import disagreements
from netplan.sharing.joined import joined_plan
from netplan.sharing.judged import Judged, judged
from netplan.sharing.member import Member
from netplan.write.parts import CLUSTERS

_ALONE = "NP135"
"""Reports that the switches of a shared fabric are rendered for one cluster; not the case here."""
_UNUSED = frozenset({"NP118", "NP317", "NP412", "NP416"})
"""Unused parts of the fabric's files are a finding only if no cluster uses them."""


def run(
    inputs: Sequence[str],
    fabric: Sequence[str],
    options: Options = DEFAULTS,
    *,
    progress: Callable[[str], None] | None = None,
) -> Result:
    """Compile each of ``inputs`` with the files of ``fabric``, and the switches of all. Raises
    load.InputError.

    ``artifacts``: ``switches/``, and each cluster's files below ``clusters/<site>/``.
    """
    if "-" in (*fabric, *options.overlays) or list(inputs).count("-") > 1:
        raise InputError("standard input can be read once, and each cluster reads these files: name files")
    results = [pipeline.run([given, *fabric], options, upto="plan", progress=progress) for given in inputs]
    shared = frozenset(map(str, input_files(fabric)))
    state = _Joining(results, shared, options)
    if state.clusters:
        state.join(progress or (lambda stage: None))
    return state.result()


class _Joining:
    """The results of the clusters, and what joining them adds."""

    def __init__(self, results: Sequence[Result], shared: frozenset[str], options: Options) -> None:
        self.results, self.shared, self.selection = results, shared, options.selection
        self.today = options.today.isoformat() if options.today else ""
        self.clusters = _clusters(results, shared)
        self.found: list[Diagnostic] = []
        self.left_out: list[Diagnostic] = []
        self.judged = Judged()
        self.checked: dict[str, int] = {}
        self.plan: Plan | None = None
        self.artifacts: tuple[Artifact, ...] = ()

    def join(self, progress: Callable[[str], None]) -> None:
        progress(f"joining {len(self.clusters)} clusters")
        self.found += _unnamed(self.clusters)
        self.found += disagreements(self.clusters)
        if self.found:
            return
        profiles = self._profiles()
        self.plan = joined_plan(self.clusters, profiles)
        self.judged = judged(self.plan, self.clusters, self.today)
        self._sort(self.judged.found)
        if has_errors((*self.found, *self.left_out)):
            return
        progress("rendering artifacts")
        self._render(self.plan, profiles)

    def _sort(self, found: Iterable[Diagnostic]) -> None:
        for d in found:
            kept = self.selection.keeps(d.code, d.severity)
            (self.found if kept else self.left_out).append(d)

    def _profiles(self) -> dict[str, NosProfile]:
        kinds = [s.type for c in self.clusters for s in c.fabric.switches]
        profiles, _ = nos.load_nos({kind.nos: kind.at for kind in kinds}, self.results[0].library)
        return profiles

    def _render(self, joint: Plan, profiles: dict[str, NosProfile]) -> None:
        """Verifies each cluster with the switches as rendered for all."""
        name = joint.fabric.site
        problems: list[Diagnostic] = []
        switches = [
            *render_switches(joint.switches, profiles, name, problems),
            *render_sources(joint.switches, profiles, name),
            *render_cabling(joint),
        ]
        artifacts = list(switches)
        for cluster in self.clusters:
            own = [a for a in render(cluster.plan, profiles, problems) if a.kind != KIND]
            verified = verify.verify(sorted([*own, *switches], key=lambda a: a.path))
            self._sort(verified.diagnostics)
            for code, count in verified.checked.items():
                self.checked[code] = self.checked.get(code, 0) + count
            artifacts += [replace(a, path=f"{CLUSTERS}/{cluster.site}/{a.path}") for a in own]
        self.found += problems
        if not has_errors(self.found):
            self.artifacts = tuple(sorted(artifacts, key=lambda a: a.path))

    def result(self) -> Result:
        found = [*self._of_clusters([r.diagnostics for r in self.results]), *self.found]
        accepted = [*self._of_clusters([r.accepted for r in self.results]), *self.judged.accepted]
        left_out = [*self._of_clusters([r.left_out for r in self.results]), *self.left_out]
        checked = self._checked()
        documents = [result.document for result in self.results if result.document is not None]
        skipped = dict.fromkeys(sentence for result in self.results for sentence in result.skipped)
        undone = () if self.artifacts else ("the clusters were not joined",)
        fabric = None
        if self.plan is None:  # accept entries belong to the fabric
            accepted = []
        else:
            fabric = self.plan.fabric
        return Result(
            diagnostics=_sorted(found),
            document=_together(documents),
            fabric=fabric,
            plan=self.plan,
            artifacts=self.artifacts,
            checked=checked,
            not_applicable=tuple(code for code, count in checked.items() if not count),
            accepted=_sorted(accepted),
            left_out=_sorted(left_out),
            skipped=(*skipped, *undone),
            library=self.results[0].library,
        )

    def _checked(self) -> dict[str, int]:
        found = dict(self.checked)
        for result in self.results:
            for code, count in result.checked.items():
                if code != _ALONE and code not in self.judged.checked:
                    found[code] = found.get(code, 0) + count
        return dict(sorted((found | self.judged.checked).items()))

    def _of_clusters(self, lists: Sequence[Iterable[Diagnostic]]) -> list[Diagnostic]:
        """Findings of the single clusters, each once, without those asked of all together and those about
        what another cluster uses."""
        every = [set(found) for found in lists]
        asked = self.judged.checked.keys()
        kept = dict.fromkeys(d for found in lists for d in found if d.code != _ALONE and d.code not in asked)
        return [d for d in kept if not self._used_elsewhere(d, every)]

    def _used_elsewhere(self, d: Diagnostic, every: Sequence[set[Diagnostic]]) -> bool:
        if d.source is None or d.source.file not in self.shared:
            return d.code == "NP113" and self._covers_jointly(d)
        if d.code == "NP113" and self._covers_jointly(d):
            return True
        return d.code in {"NP113", *_UNUSED} and not all(_alike(d, found) for found in every)

    def _covers_jointly(self, d: Diagnostic) -> bool:
        """Whether an ``accept`` entry that covers nothing in its cluster covers something in the joint
        fabric."""
        return any(d.message.startswith(f"{check} at {at} ") for check, at in self.judged.used)


def _alike(d: Diagnostic, found: set[Diagnostic]) -> bool:
    """Whether a cluster has the same finding; list indexes may differ between clusters."""
    return any((d.code, d.source, d.message) == (o.code, o.source, o.message) for o in found)


def _clusters(results: Sequence[Result], shared: frozenset[str]) -> list[Member]:
    """Empty unless all clusters are without errors."""
    found = []
    for r in results:
        errors = has_errors((*r.diagnostics, *r.left_out))
        if errors or r.fabric is None or r.plan is None or r.document is None:
            return []
        found.append(Member(r.fabric, r.plan, r.document, shared))
    return found


def _unnamed(clusters: Sequence[Member]) -> list[Diagnostic]:
    for cluster in clusters:
        if cluster.fabric.name is None:
            at = ("fabric",)
            what = f"the fabric of {cluster.site} has no name"
            hint = "state fabric.name in the files given with --fabric"
            return [Diagnostic("NP130", CODES["NP130"].severity, at, what, hint, cluster.source(at))]
    return []


def _together(documents: Sequence[Document]) -> Document | None:
    """Places and lines of all files; no single inventory has all of them."""
    if not documents:
        return None
    sources = SourceMap.joined(document.places.sources for document in documents)
    return Document(None, (), sources.names, None, Places(sources))


def _sorted(found: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    return tuple(sorted(grouped(found), key=place))
