"""Checks about switches, run once for the fabric of all clusters: no single cluster shows a port too many, a
table too small or a leaf without uplinks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field

from netplan.checks import REGISTRY, expired
from netplan.diagnostics import Diagnostic, Path
from netplan.model.acceptance import Acceptances
from netplan.model.fabric import Acceptance
from netplan.model.plan import Plan
from netplan.model.rulebook import HINT_OF_MORE
from netplan.records import dataclass
from netplan.sharing.member import Member


@dataclass(frozen=True, slots=True)
class Judged:
    """``checked``: subjects by code. ``used``: ``accept`` entries that covered a finding."""

    found: list[Diagnostic] = field(default_factory=list)
    accepted: list[Diagnostic] = field(default_factory=list)
    checked: dict[str, int] = field(default_factory=dict)
    used: set[tuple[str, str]] = field(default_factory=set)


def judged(plan: Plan, clusters: Sequence[Member], today: str) -> Judged:
    """``plan``: of all clusters (``sharing.joined``). ``today``: ISO date against which acceptances expire,
    or ""."""
    by_site = {cluster.site: cluster for cluster in clusters}
    holding = {c.site: [e for e in c.fabric.accept if not expired(e, today)] for c in clusters}
    entries = {site: Acceptances(found) for site, found in holding.items()}
    outcome = Judged()
    for code, rule in sorted(REGISTRY.items()):
        if rule.about != "switches":
            continue
        answer = rule.answer(plan if rule.subject is Plan else plan.fabric)
        outcome.checked[code] = answer.looked_at
        for finding in (*answer.findings, *filter(None, [answer.over])):
            over = finding is answer.over
            message, hint = (rule.more, HINT_OF_MORE) if over else (finding.message, finding.hint)
            owner, path = _owner(finding.at, by_site, clusters[0])
            covering = _covering(code, path, owner, entries)
            outcome.used.update((entry.check, entry.at) for entry in covering)
            target = outcome.accepted if covering else outcome.found
            target.append(Diagnostic(code, rule.severity, path, message, hint, owner.source(path)))
    return outcome


def _owner(at: Path, by_site: Mapping[str, Member], first: Member) -> tuple[Member, Path]:
    """The cluster that owns a thing, and the path there; settings of the fabric are the same in the first."""
    owner = by_site.get(str(at[1])) if len(at) > 1 else None
    return (first, at) if owner is None or owner.of_itself(at[2:]) != at else (owner, at[2:])


def _covering(code: str, path: Path, owner: Member, entries: Mapping[str, Acceptances]) -> list[Acceptance]:
    """Entries of all clusters can cover a finding at a name; at a link only the owner's, because link numbers
    differ."""
    sites = [owner.site] if path[:1] == ("links",) else list(entries)
    return [entry for site in sites for entry in entries[site].covering(code, path)]
