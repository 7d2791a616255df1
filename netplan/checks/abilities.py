"""NP8xx: NOS features that the plan needs and that are missing or only rendered as a comment."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from netplan.checks.registry import Finding, check
from netplan.diagnostics import Path, Severity, dotted
from netplan.model.plan import Plan
from netplan.model.switching import MissingFeature, SwitchPlan


def _switch_count(plan: Plan) -> int:
    return len(plan.switches)


def _named(switches: list[SwitchPlan]) -> str:
    more = f" and {len(switches) - 1} more" if len(switches) > 1 else ""
    return f"{switches[0].name}{more}"


Gap = tuple[MissingFeature, list[SwitchPlan]]
_ELSEWHERE = frozenset({"cross_family"})
"""Features reported by another check at the key to change: NP622, at the prefixes not announced."""


def _gaps(plan: Plan, of: Callable[[SwitchPlan], Sequence[MissingFeature]], needed: bool) -> Iterator[Gap]:
    """Features from ``of`` with the switches that lack them, one entry per feature and switch type."""
    found: dict[tuple[str, MissingFeature], list[SwitchPlan]] = {}
    for switch in plan.switches:
        for gap in of(switch):
            if gap.needed == needed and gap.feature not in _ELSEWHERE:
                found.setdefault((switch.type.name, gap), []).append(switch)
    for (_, gap), switches in found.items():
        yield gap, switches


def _missing(switch: SwitchPlan) -> Sequence[MissingFeature]:
    return switch.missing


def _comments(switch: SwitchPlan) -> Sequence[MissingFeature]:
    return switch.unconfirmed


def _place(gap: MissingFeature, switches: list[SwitchPlan]) -> Path:
    """A separate place per feature, so that accepting one accepts no other."""
    return (*switches[0].type.at, "nos", gap.feature)


def _asked(gap: MissingFeature) -> str:
    return f", asked for by {gap.asked_by}" if gap.asked_by else ""


@check(
    "NP802",
    "NOS lacks an ability the fabric needs",
    on=Plan,
    counts=_switch_count,
    accepted="place",  # an entry above it would cover abilities that go missing later
    about="switches",
)
def needed_feature_missing(plan: Plan) -> Iterator[Finding]:
    """The fabric does not work without the ability, or a key of the inventory requires it.

    **Why.** If it were silently left out, the network would look configured but drop traffic.
    **Fix.** Use another NOS, or remove the key that requires it. If another tool configures it, accept
    the finding at its own place, `switch_types.<type>.nos.<ability>`; the switch's README then lists it
    at the top.
    **Source.** netplan's own rule: no command is written without a source that a reader can open. The page
    NOS support lists them by NOS, and what was searched in vain.
    """
    for gap, switches in _gaps(plan, _missing, needed=True):
        nos = switches[0].type.nos
        what = f"{nos} on {_named(switches)} has no {gap.title}{_asked(gap)}: {gap.reason}"
        hint = "use another nos for this switch type, or change what needs it"
        yield Finding(_place(gap, switches), what, hint)


@check(
    "NP803",
    "NOS lacks an ability the fabric would use",
    on=Plan,
    counts=_switch_count,
    severity=Severity.INFO,
    about="switches",
)
def wanted_feature_missing(plan: Plan) -> Iterator[Finding]:
    """The network works without it; the switch's README says what is not configured.

    **Why.** Whoever runs the switch has to know that it is missing.
    **Fix.** Configure it by hand if you need it.
    **Source.** netplan's own rule: no command is written without a source that a reader can open. The page
    NOS support lists them by NOS, and what was searched in vain.
    """
    for gap, switches in _gaps(plan, _missing, needed=False):
        what = f"no {gap.title} is configured on {_named(switches)}: {gap.reason}"
        yield Finding(_place(gap, switches), what, "see the switch's README")


@check(
    "NP804",
    "optional ability written as a comment only",
    on=Plan,
    counts=_switch_count,
    severity=Severity.INFO,
    about="switches",
)
def wanted_feature_unconfirmed(plan: Plan) -> Iterator[Finding]:
    """No source confirms the command, so the file carries it as a comment with its value.

    **Why.** A guessed command may be rejected, or do something else.
    **Fix.** Confirm it on the switch and enter it by hand.
    **Source.** netplan's own rule: no command is written without a source that a reader can open. The page
    NOS support lists them by NOS, and what was searched in vain.
    """
    for gap, switches in _gaps(plan, _comments, needed=False):
        what = f"{gap.title} is only a comment in the files of {_named(switches)}: {gap.reason}"
        yield Finding(_place(gap, switches), what, "confirm it on the switch")


@check(
    "NP832",
    "required ability written as a comment only",
    on=Plan,
    counts=_switch_count,
    accepted="place",  # as NP802
    about="switches",
)
def needed_feature_unconfirmed(plan: Plan) -> Iterator[Finding]:
    """The fabric or a key of the inventory needs the ability, but no source confirms its command.

    **Why.** The file would look complete, but the switch would lack PFC, ECN or its second uplink.
    **Fix.** Confirm the command on the switch and enter it by hand; then accept the finding at its own place,
    `switch_types.<type>.nos.<ability>`. The switch's README lists it at the top, among the steps to do by
    hand.
    **Source.** netplan's own rule: no command is written without a source that a reader can open. The page
    NOS support lists them by NOS, and what was searched in vain.
    """
    for gap, switches in _gaps(plan, _comments, needed=True):
        what = f"{gap.title} is only a comment in the files of {_named(switches)}{_asked(gap)}: {gap.reason}"
        at = _place(gap, switches)
        hint = f"enter it by hand and accept NP832 at {dotted(at)}, or use another nos"
        yield Finding(at, what, hint)
