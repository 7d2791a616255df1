"""NP814, NP815, NP831: host-port versus uplink bandwidth of a leaf."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping

from netplan.checks.once import once
from netplan.checks.registry import Finding, check
from netplan.diagnostics import Severity
from netplan.model.plan import Plan
from netplan.model.ranges import gathered
from netplan.model.switch_ports import oversubscription
from netplan.model.switching import SwitchPlan

Sums = tuple[int, int]
"""Gb/s down and up."""


@once
def _bandwidth(plan: Plan) -> dict[str, Sums]:
    """Leaf -> Gb/s to hosts and to spines, for leaves with both; empty if leaves are linked to each other."""
    found: dict[str, Sums] = {}
    if any(link.upper.role == "leaf" for link in plan.fabric.switch_links):
        return found
    for switch in plan.switches:
        down = sum([port.speed_gbps for port in switch.ports if port.kind == "host"])
        up = sum([port.speed_gbps for port in switch.ports if port.kind == "uplink"])
        if down and up:
            found[switch.name] = (down, up)
    return found


def _leaf_count(plan: Plan) -> int:
    return len(_bandwidth(plan))


def _limit(plan: Plan) -> int | None:
    """The maximum oversubscription in percent that the inventory states."""
    return plan.fabric.underlay.max_oversubscription if plan.fabric.underlay is not None else None


def _limited_count(plan: Plan) -> int:
    return _leaf_count(plan) if _limit(plan) is not None else 0


def _above(plan: Plan, percent: int) -> dict[Sums, list[SwitchPlan]]:
    """Leaves whose down:up ratio exceeds ``percent``, grouped by equal sums."""
    bandwidth = _bandwidth(plan)
    found: dict[Sums, list[SwitchPlan]] = defaultdict(list)
    for switch in plan.switches:
        down, up = bandwidth.get(switch.name, (0, 0))
        if 100 * down > percent * up:
            found[down, up].append(switch)
    return found


def _has(sums: Sums, switches: list[SwitchPlan]) -> str:
    """leaf-[1-2] (rail 0, 1) have 400 Gb/s down and 200 up, oversubscribed 2.00:1."""
    down, up = sums
    rails = sorted({port.rail for switch in switches for port in switch.ports if port.rail is not None})
    of = f" (rail {', '.join(map(str, rails))})" if rails else ""
    verb = "has" if len(switches) == 1 else "have"
    names = gathered(switch.name for switch in switches)
    hundredths = oversubscription(down, up)
    ratio = f"{hundredths // 100}.{hundredths % 100:02d}:1"
    return f"{names}{of} {verb} {down:,} Gb/s down and {up:,} up, oversubscribed {ratio}"


@check(
    "NP814", "leaf oversubscribed beyond the stated limit", on=Plan, counts=_limited_count, about="switches"
)
def oversubscribed(plan: Plan) -> Iterator[Finding]:
    """`underlay.max_oversubscription_percent` is the highest allowed ratio of downlink to uplink bandwidth.

    **Why.** A collective across leaves runs at the speed of the uplinks; excess traffic is buffered,
    marked and paused.
    **Fix.** Add links to the spines, move hosts to other leaves, or raise the limit.
    **Source.** RFC 7938 section 3.2.2 (ratio of what leads down to what leads up)
    """
    limit = _limit(plan)
    for sums, switches in _above(plan, limit).items() if limit is not None else ():
        what = f"{_has(sums, switches)}, max_oversubscription_percent is {limit}"
        yield Finding(switches[0].at, what, "add links to the spines, or raise the limit")


def _narrow_names(plan: Plan) -> set[str]:
    return {name for names in _narrow(_bandwidth(plan)).values() for name in names}


@check("NP815", "leaf oversubscribed", on=Plan, counts=_leaf_count, severity=Severity.INFO, about="switches")
def oversubscription_note(plan: Plan) -> Iterator[Finding]:
    """The host ports of a leaf together have more bandwidth than its uplinks, and no limit is stated.

    **Why.** The inventory does not say whether that is intended: traffic within the leaf runs at full
    speed, traffic between leaves shares the uplinks.
    **Fix.** State `underlay.max_oversubscription_percent`, so that a missing link becomes an error.
    **Source.** RFC 7938 section 3.2.2 (ratio of what leads down to what leads up)
    """
    if _limit(plan) is not None:
        return
    narrow = _narrow_names(plan)  # NP831 has these
    for sums, switches in _above(plan, 100).items():
        rest = [switch for switch in switches if switch.name not in narrow]
        if rest:
            percent = oversubscription(*sums)
            hint = f"state underlay.max_oversubscription_percent: {percent} if this is intended"
            yield Finding(rest[0].at, _has(sums, rest), hint)


def _usual(bandwidth: Mapping[str, Sums]) -> int:
    ups = Counter(up for _, up in bandwidth.values())
    return max(ups, key=lambda up: (ups[up], up), default=0)


def _peers(bandwidth: Mapping[str, Sums]) -> list[str]:
    usual = _usual(bandwidth)
    return [name for name, (_, up) in bandwidth.items() if up == usual]


def _narrow(bandwidth: Mapping[str, Sums]) -> dict[Sums, list[str]]:
    """Leaves with less uplink bandwidth than most peers and a higher down:up ratio than any peer."""
    usual = _usual(bandwidth)
    worst = max([1.0, *(down / up for down, up in map(bandwidth.__getitem__, _peers(bandwidth)))])
    narrow: dict[Sums, list[str]] = defaultdict(list)
    for name, (down, up) in bandwidth.items():
        if up < usual and down / up > worst:
            narrow[down, up].append(name)
    return narrow


@check(
    "NP831",
    "leaf with less uplink bandwidth than its peers",
    on=Plan,
    counts=_leaf_count,
    severity=Severity.WARNING,
    about="switches",
)
def narrow_leaf(plan: Plan) -> Iterator[Finding]:
    """A leaf should have as much uplink bandwidth as most of its peers, or fewer hosts to share it. If a
    limit is stated, NP814 checks every leaf against it instead.

    **Why.** A collective is as slow as its slowest flow: the hosts of a leaf with fewer uplinks slow down
    every job they are in.
    **Fix.** Add the missing links; accept the finding if the leaf's hosts need less.
    **Source.** RFC 7938 section 3.2.2 (ratio of what leads down to what leads up, ECMP over all paths up)
    """
    bandwidth = _bandwidth(plan) if _limit(plan) is None else {}
    usual, peers = _usual(bandwidth), _peers(bandwidth)
    places = {switch.name: switch.at for switch in plan.switches}
    for (down, up), names in _narrow(bandwidth).items():
        has = f"{gathered(names)} {'has' if len(names) == 1 else 'have'} {down:,} Gb/s down and {up:,} up"
        what = f"{has}, {gathered(peers)} {'has' if len(peers) == 1 else 'have'} {usual:,} up"
        yield Finding(places[names[0]], what, "add the missing links to the spines")
