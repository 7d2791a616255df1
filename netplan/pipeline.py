"""The stages, in order. Start reading here.

load -> schema -> resolve -> check(Fabric) -> plan -> check(Plan) -> render -> verify; ``write`` is left to
the caller. A stage reports everything it finds. After errors the stages up to check(Plan) continue with the
sound entities, ``checks.faults`` suppresses findings that merely follow from those errors, and nothing is
rendered.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import date

from netplan import catalog, nos, release_data, schema, verify
from netplan.checks import entry_problems, expired, run_checks
from netplan.checks.faults import Faults
from netplan.diagnostics import Diagnostic, Severity, has_errors
from netplan.load import Document, InputError, load, load_texts, read_text
from netplan.model.acceptance import EVERYTHING, Selection
from netplan.model.artifact import Artifact
from netplan.model.document import Places, SourceMap
from netplan.model.fabric import Fabric
from netplan.model.grouping import grouped, with_heirs
from netplan.model.nos import NosProfile
from netplan.model.operator_releases import OperatorReleases
from netplan.model.options import DEFAULTS, Options
from netplan.model.partial import with_unknown
from netplan.model.plan import Plan
from netplan.model.shard import WHOLE, Shard
from netplan.model.written import Written
from netplan.plan import make_plan
from netplan.render import KINDS, KnownFiles, render, template_problems
from netplan.resolve import resolve
from netplan.resolve.hosts import hca_model
from netplan.resolve.switches import switch_model
from netplan.result import Result, place

__all__ = ["KINDS", "STAGES", "Options", "Result", "compile_texts", "read_nos_dir", "run"]

STAGES = ("load", "schema", "resolve", "plan", "render", "verify")


def run(
    inputs: Sequence[str],
    options: Options = DEFAULTS,
    *,
    upto: str = "verify",
    shard: Shard = WHOLE,
    progress: Callable[[str], None] | None = None,
    keep_plan: bool = True,
) -> Result:
    """Compile the inventory in ``inputs`` (files, directories, ``-``). Raises load.InputError.

    ``shard``: the part of the artifacts to produce; objects and pods reference each other, so every part
    verifies all of them. ``keep_plan``: if false, the plan's memory is released after rendering.
    """
    _tell(progress, "reading the inventory")
    given = options.operators
    releases = _operators(given) if given is not None else catalog.operator_releases()
    document = load(inputs, options.overlays)
    state = _Run(document, upto, options.today, options.selection, progress, releases)
    state.shard, state.keep_plan = shard, keep_plan
    state.keep_files = shard == WHOLE and options.nos_dir is None
    if options.nos_dir is not None:
        state.use_nos(options.nos_dir)
    return _compile(state)


def read_nos_dir(nos_dir: str) -> Result:
    """Read a site's NOS folders only; the result has ``library`` and problems. Raises load.InputError."""
    sources = SourceMap()
    library, problems = _nos_library(nos_dir, sources)
    document = Document(None, (), (), None, Places(sources))
    return Result(diagnostics=tuple(sorted(problems, key=place)), document=document, library=library)


def _nos_library(nos_dir: str, sources: SourceMap) -> tuple[nos.NosLibrary, list[Diagnostic]]:
    from netplan.reading.switches import read_rules  # few sites have NOS folders of their own

    try:
        library, problems = nos.with_own(nos_dir, sources)
    except nos.NosDirError as error:
        raise InputError(str(error)) from error
    problems += template_problems(library.own.values())
    for profile in library.own.values():
        problems += read_rules(profile, sources)[1]
    return library, problems


def _operators(name: str) -> OperatorReleases:
    releases, problems = release_data.extended(name, read_text(name))
    if problems:
        raise InputError(f"{name}: {'; '.join(problems)}")
    return releases


def compile_texts(
    texts: Mapping[str, str],
    *,
    upto: str = "verify",
    today: date | None = None,
    selection: Selection = EVERYTHING,
    nos_dir: str | None = None,
    overlays: Sequence[Mapping[str, str]] = (),
) -> Result:
    """As ``run``, for texts in memory (file name -> text)."""
    state = _Run(load_texts(texts, overlays), upto, today, selection, None, catalog.operator_releases())
    if nos_dir is not None:
        state.use_nos(nos_dir)
    return _compile(state)


def _tell(progress: Callable[[str], None] | None, stage: str) -> None:
    if progress is not None:
        progress(stage)


def _compile(state: _Run) -> Result:
    state.found += state.document.problems
    for stage in (state.schema, state.resolve, state.plan, state.render, state.verify):
        if STAGES.index(stage.__name__) > STAGES.index(state.upto):
            break
        if state.stops_before(stage.__name__):
            state.skipped.append(f"{_UNDONE[stage.__name__]}: the inventory has errors")
            break
        stage()
    return state.result()


_SCHEMA = "NP010"
"""The first code about an inventory's content; lower codes are about text that cannot be read."""
_PLANNED_WITHOUT = frozenset(
    {"site", "name", "version", "mtu", "cross_rail", "adaptive_routing", "qos", "arp", "partition"}
)
"""Fields of the fabric that may be wrong without making the plan impossible."""
_UNDONE = {
    "schema": "nothing was validated",
    "resolve": "references were not resolved",
    "plan": "nothing was planned",
    "render": "artifacts were not rendered",
    "verify": "artifacts were not verified",
}


class _Run:
    """State of one run, passed from stage to stage."""

    def __init__(
        self,
        document: Document,
        upto: str,
        today: date | None,
        selection: Selection,
        progress: Callable[[str], None] | None,
        operators: OperatorReleases,
    ) -> None:
        self.operators, self.library = operators, nos.shipped()
        self.document, self.upto, self.progress = document, upto, progress
        self.today, self.selection = today.isoformat() if today else "", selection
        self.found: list[Diagnostic] = []
        self.accepted: list[Diagnostic] = []
        self.left_out: list[Diagnostic] = []
        self.checked: dict[str, int] = {}
        self.skipped: list[str] = []
        self.faults = Faults()
        self.fabric: Fabric | None = None
        self.unknown: frozenset[str] = frozenset()
        self.planned: Plan | None = None
        self.sound = False
        self.muted = 0
        self.profiles: Mapping[str, NosProfile] = {}
        self.artifacts: tuple[Artifact, ...] = ()
        self.shard = WHOLE
        self.keep_plan = True
        self.keep_files = False
        self.known: KnownFiles | None = None

    def use_nos(self, nos_dir: str) -> None:
        """Override the built-in NOS folders with the site's own."""
        self.library, problems = _nos_library(nos_dir, self.document.places.sources)
        self.found += problems

    def stops_before(self, stage: str) -> bool:
        """Whether errors prevent a stage: its input is missing, or it would render."""
        if not has_errors(self.found):
            return False
        if stage == "resolve":
            return any(d.code < _SCHEMA for d in self.found)
        return stage != "plan" or not self.unknown <= _PLANNED_WITHOUT

    def schema(self) -> None:
        _tell(self.progress, "validating against the schema")
        data, entries = self.document.data, self.document.entries
        found = schema.validate(data, entries.accepted if entries is not None else ())
        if entries is not None:
            entries.settle(accepted=not found)
        self.found += with_heirs(data, found)

    def resolve(self) -> None:
        _tell(self.progress, "resolving names")
        resolved = resolve(
            self.document.data,
            {name: hca_model(name, row) for name, row in catalog.hca_rows().items()},
            {name: switch_model(name, row) for name, row in catalog.switch_rows().items()},
            self.library.names,
            self.operators,
            [d.path for d in self.found if d.severity is Severity.ERROR],
        )
        self.found += with_heirs(self.document.data, resolved.problems)
        self.faults.leave_out(resolved.left_out)
        self.faults.add(resolved.problems)
        self.fabric, self.unknown = resolved.fabric, resolved.unknown
        if "accept" not in self.unknown:
            self._check(self._known() if self.unknown else self.fabric, self.fabric)

    def _known(self) -> Fabric:
        assert self.fabric is not None
        return with_unknown(self.fabric, self.unknown)

    def plan(self) -> None:
        assert self.fabric is not None
        self.sound = not self.faults
        _tell(
            self.progress,
            f"planning {len(self.fabric.hosts):,} hosts and {len(self.fabric.switches):,} switches",
        )
        wanted = {s.type.nos: (*s.type.at, "nos") for s in self.fabric.switches}
        self.profiles, problems = nos.load_nos(wanted, self.library)
        self.found += problems
        self.planned, problems = make_plan(self.fabric, self.profiles)
        causes = [d for d in problems if not self.faults.silence(d.code, d.path)]
        self.found += causes
        self.faults.add(causes)
        known = replace(self.planned, fabric=self._known()) if self.unknown else self.planned
        self._check(known, self.fabric)

    def render(self) -> None:
        assert self.planned is not None
        part = "artifacts" if self.shard == WHOLE else f"part {self.shard}"
        _tell(self.progress, f"rendering {part}")
        self.known = KnownFiles.of(self.planned) if self.keep_files else None
        self.artifacts = render(self.planned, self.profiles, self.found, self.shard, self.known)
        if not self.keep_plan:
            self.planned = None
        if has_errors(self.found):
            self.artifacts = ()

    def verify(self) -> None:
        _tell(self.progress, f"verifying {len(self.artifacts):,} artifacts")
        outcome = verify.verify(self.artifacts)
        for d in outcome.diagnostics:
            (self.found if self.selection.keeps(d.code, d.severity) else self.left_out).append(d)
        self.checked |= outcome.checked
        if self.known is not None and not has_errors(outcome.diagnostics):
            self.known.store()

    def _check(self, subject: Fabric | Plan, fabric: Fabric) -> None:
        holding = tuple(entry for entry in fabric.accept if not expired(entry, self.today))
        outcome = run_checks(subject, holding, self.faults)
        used = range(len(fabric.accept)) if self.faults else outcome.used  # covered findings may be muted
        problems = entry_problems(fabric.accept, used, outcome.checked, self.today)
        found = [*outcome.diagnostics, *problems]
        kept = [d for d in found if self.selection.keeps(d.code, d.severity)]
        self.found += kept
        self.left_out += [d for d in found if not self.selection.keeps(d.code, d.severity)]
        self.accepted += outcome.accepted
        self.muted += outcome.muted
        self.checked |= outcome.checked
        self.faults.add(kept)

    def result(self) -> Result:
        partial = bool(self.unknown or self.faults.sections)
        muted = [f"checks that depend on wrong values were not run ({self.muted})"] if self.muted else []
        fabric, accepted = (None, ()) if partial else (self.fabric, self._placed(self.accepted))
        plan = self.planned if self.sound else None
        return Result(
            diagnostics=tuple(sorted(grouped(self._placed(self.found)), key=place)),
            document=self.document,
            fabric=fabric,
            plan=plan,
            artifacts=tuple(a for a in self.artifacts if self.shard.has(a.path)),
            checked=dict(sorted(self.checked.items())),
            not_applicable=tuple(sorted(code for code, n in self.checked.items() if not n)),
            accepted=accepted,
            left_out=self._placed(self.left_out),
            skipped=(*self.skipped, *muted),
            library=self.library,
        )

    def _placed(self, found: list[Diagnostic]) -> tuple[Diagnostic, ...]:
        written = Written(self.document)
        placed = {
            d if d.source is not None else replace(d, source=written.locate(d.path)): None for d in found
        }
        return tuple(sorted(placed, key=place))
