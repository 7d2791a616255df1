"""NP846, NP847: NOS release of a switch type, stated or missing."""

from __future__ import annotations

from collections.abc import Iterator

from netplan.checks.registry import Finding, check
from netplan.diagnostics import Severity
from netplan.model.plan import Plan
from netplan.model.switching import first_of_each_nos, first_of_each_type


def _switch_count(plan: Plan) -> int:
    return len(plan.switches)


@check(
    "NP846", "NOS release not stated", on=Plan, counts=_switch_count, severity=Severity.INFO, about="switches"
)
def release_not_stated(plan: Plan) -> Iterator[Finding]:
    """The files are written for one release; some commands change between releases.

    **Why.** A switch with another release may reject a line: Cumulus Linux 5.15 renamed whole families of
    commands.
    **Fix.** State `nos_version` of the switch type as the switch reports it.
    **Source.** CumulusNetworks/docs 07d58d4b cumulus-linux-515, New-and-Changed-NVUE-Commands.md (5.15
    renames); sonic-net/sonic-buildimage pull request 21697 (from 202505 on admin_status is up and down).
    """
    for switch in first_of_each_nos(s for s in plan.switches if not s.release.stated):
        kind, release = switch.type, switch.release
        what = f"the files of {switch.nos} are for release {release.name}: nos_version is not stated"
        hint = f'add nos_version: "{release.name}" to {kind.name}, or the release its switches run'
        yield Finding((*kind.at, "nos"), what, hint)


@check("NP847", "unknown NOS release", on=Plan, counts=_switch_count, about="switches")
def release_unknown(plan: Plan) -> Iterator[Finding]:
    """netplan has no data for the stated release.

    **Why.** Its commands may differ from those of the nearest known release, which netplan writes.
    **Fix.** Correct nos_version; or check the files against the documentation of that release and accept the
    finding at `switch_types.<type>.nos_version`. The switch's README names both releases.
    **Source.** netplan's own rule: files are written for releases whose documentation was read. The page NOS
    support lists them with their sources.
    """
    for switch in first_of_each_type(s for s in plan.switches if not s.release.known):
        kind, release = switch.type, switch.release
        ends = dict.fromkeys((release.oldest, release.newest))
        known = f"{' to '.join(ends)}, the known releases of {kind.nos}"
        what = f"nos_version {release.stated} of {kind.name} is outside {known}"
        hint = f"correct nos_version; if accepted, the files are written for {release.name}"
        yield Finding((*kind.at, "nos_version"), what, hint)
