"""Compares the QoS lines of a port with the traffic classes of ``site.json``.

A hop can be lossless and still serve a class differently than the site states: other traffic in its queue,
a different bandwidth share, different ECN thresholds or PFC watchdog timers. Only settings that both sides
state are compared, and numbers only as precisely as the NOS can express them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from netplan.graph.qos import Doubt, Proof, QosChain
from netplan.model.ranges import compressed
from netplan.model.site import PATH, SiteQos
from netplan.records import dataclass

BEST_EFFORT = "best effort"


@dataclass(frozen=True, slots=True)
class Mapped:
    """Queues and priority groups of the code points; shared by all ports with the same QoS. ``queues``:
    class -> queue, including best effort. ``others``: code point that belongs to no class -> queue.
    ``groups``: code point -> priority group, None if several are stated."""

    queues: Mapping[str, int]
    others: Mapping[int, int]
    groups: Mapping[int, int | None]


def mapped(chain: QosChain, site: SiteQos) -> Mapped:
    """Takes the queue with most of the unclassified code points as best effort."""
    found = {
        each.name: queue for each in site.classes if (queue := _only(chain.qos.queues, each.dscp)) is not None
    }
    others = _others(chain.qos.queues, site)
    counts = Counter(others.values())
    if counts and not chain.steps.eighths:
        found[BEST_EFFORT] = min(counts, key=lambda queue: (-counts[queue], queue))
    groups = {dscp: _only(chain.qos.groups, dscp) for dscp in chain.qos.groups}
    return Mapped(found, others, groups)


def unlike_site(chain: QosChain, site: SiteQos, ways: Mapped) -> tuple[Doubt, ...]:
    """Differences between the port and the site; empty if the port's queues are not known."""
    if not site.classes or not chain.qos.queues:
        return ()
    return (
        *_strangers(chain, site, ways),
        *_unmapped(chain, site),
        *_groups(chain, site, ways.groups),
        *_served(chain, site, ways.queues),
        *_whole(chain),
        *_marks(chain, site, ways.queues),
        *_watchdog(chain, site),
    )


def _others(numbers: Mapping[int, frozenset[int]], site: SiteQos) -> dict[int, int]:
    """Code points of no class -> their number, where there is exactly one."""
    named = {each.dscp for each in site.classes}
    return {
        dscp: only for dscp in numbers if dscp not in named and (only := _only(numbers, dscp)) is not None
    }


def _only(numbers: Mapping[int, frozenset[int]], key: int) -> int | None:
    found = numbers.get(key, frozenset())
    return next(iter(found)) if len(found) == 1 else None


def _strangers(chain: QosChain, site: SiteQos, ways: Mapped) -> Iterator[Doubt]:
    """Code points of no class that are in another queue than best effort, or in a lossless class's queue."""
    queues = ways.queues
    if BEST_EFFORT not in queues:
        return
    usual = queues[BEST_EFFORT]
    owners = {queues[c.name]: c for c in site.classes if c.priority and c.name in queues}
    wrong: dict[int, list[int]] = {}
    for dscp, queue in ways.others.items():
        if queue != usual or queue in owners:
            wrong.setdefault(queue, []).append(dscp)
    for queue, dscps in sorted(wrong.items()):
        owner = owners.get(queue)
        of = f"that of class {owner.name}" if owner else f"best effort is in queue {usual}"
        text = f"DSCP {compressed(dscps)}, in no class of {PATH}, {'is' if len(dscps) == 1 else 'are'}"
        yield _unlike(chain, "dscp", f"{text} in queue {queue} of {chain.place}: {of}")


def _unmapped(chain: QosChain, site: SiteQos) -> Iterator[Doubt]:
    """Unmapped code points, on a NOS whose default map we do not know: they may share a queue with a
    class."""
    named = {each.dscp for each in site.classes}
    lost = [dscp for dscp in range(64) if dscp not in named and dscp not in chain.qos.queues]
    if lost and "dscp-rest" in chain.stands:
        yield chain.open("dscp-rest", f"the queue of DSCP {compressed(lost)}, in no class of {PATH},")


def _groups(chain: QosChain, site: SiteQos, groups: Mapping[int, int | None]) -> Iterator[Doubt]:
    """Code points without PFC must use a priority group that has a buffer and is not lossless."""
    lossless = {each.dscp for each in site.classes if each.lossless}
    kept = {groups.get(dscp): dscp for dscp in lossless}
    for group in sorted({group for group in groups.values() if group is not None}):
        dscps = [dscp for dscp in groups if groups[dscp] == group and dscp not in lossless]
        text = f"DSCP {compressed(dscps)} in priority group {group}"
        if not dscps or chain.steps.eighths:
            continue
        if group in kept:
            yield _unlike(
                chain, "group", f"{text} of {chain.place}, which is lossless for DSCP {kept[group]}"
            )
        elif not _buffered(chain, group):
            yield chain.open("buffer-lossy", f"a buffer for {text}")


def _buffered(chain: QosChain, group: int) -> bool:
    """Whether a group has a buffer; some NOSes give one to certain groups only."""
    shipped = chain.implied.get("buffer-lossy")
    stated = chain.qos.buffers | chain.qos.lossy_buffers
    return shipped is None or not shipped.numbers or group in shipped.numbers | stated


def _served(chain: QosChain, site: SiteQos, queues: Mapping[str, int]) -> Iterator[Doubt]:
    """Which queues are strict, and the bandwidth shares of the others."""
    strict = {each.name: each.strict for each in site.classes} | {BEST_EFFORT: False}
    for name, queue in queues.items():
        wanted, got = strict[name], queue in chain.qos.strict
        if "strict" in chain.states and wanted is not None and wanted is not got:
            said = "strict" if got else "not strict"
            text = f"queue {queue} of {chain.place}, {name}, is {said}, unlike {PATH}"
            yield _unlike(chain, "strict", text)
    yield from _shares(chain, site, {n: q for n, q in queues.items() if q not in chain.qos.strict})


def _shares(chain: QosChain, site: SiteQos, queues: Mapping[str, int]) -> Iterator[Doubt]:
    wanted = _wanted_shares(site, queues)
    fact = "share" if "share" in chain.states else "weight"
    if fact not in chain.states or wanted is None:
        return
    known: dict[int, int] = {}
    for queue in wanted:
        weight = _only(chain.qos.weights, queue)
        if weight is None:
            yield chain.open(fact, f"the share of queue {queue}")
        else:
            known[queue] = weight
    if len(known) < len(wanted) or _proportional(known, wanted):
        return
    got, asked = (", ".join(f"{part} for queue {q}" for q, part in each.items()) for each in (known, wanted))
    yield _unlike(chain, fact, f"weights of {chain.place} are {got}; {PATH} has percent {asked}")


def _whole(chain: QosChain) -> Iterator[Doubt]:
    """Percentages the switch cannot deliver: more than 100 in total, or for a strict queue."""
    whole = sum(max(percents) for percents in chain.qos.shares.values())
    if whole > 100:
        text = f"the shares of {chain.place} are {whole} % together {chain.at('share')}"
        yield Doubt(Proof.OPEN, text, "share")
    for queue in sorted(chain.qos.strict & chain.qos.shares.keys()):
        text = f"queue {queue} of {chain.place} is strict and has a share of the rest {chain.at('share')}"
        yield Doubt(Proof.OPEN, text, "share")


def _wanted_shares(site: SiteQos, queues: Mapping[str, int]) -> dict[int, int] | None:
    """Queue -> percent, at least 1 because no weight is 0; None if the site does not state every share."""
    percents = {each.name: each.bandwidth_percent for each in site.classes}
    percents[BEST_EFFORT] = site.best_effort_percent
    found: dict[int, int] = {}
    for name, queue in sorted(queues.items(), key=lambda each: each[1]):
        percent = percents[name]
        if percent is None:
            return None
        found[queue] = found.get(queue, 0) + percent
    return {queue: max(1, percent) for queue, percent in found.items()}


def _proportional(one: Mapping[int, int], other: Mapping[int, int]) -> bool:
    whole, total = sum(one.values()), sum(other.values())
    return all(one[key] * total == other[key] * whole for key in one)


def _marks(chain: QosChain, site: SiteQos, queues: Mapping[str, int]) -> Iterator[Doubt]:
    """ECN thresholds and marking probability, compared in steps of the NOS."""
    for each in site.classes:
        queue = queues.get(each.name)
        if queue is None:
            continue
        got, percent = chain.ecn.get(queue), _only(chain.qos.ecn_percent, queue)
        of, place = f"for class {each.name}", f"queue {queue} of {chain.place}"
        if got is not None and not each.ecn and each.lossless:
            yield Doubt(Proof.OPEN, f"{place} marks ECN, but {PATH} has none {of} {chain.at('ecn')}", "ecn")
        if (
            each.ecn_bytes is not None
            and got is not None
            and _beside(got, each.ecn_bytes, chain.steps.ecn_bytes)
        ):
            low, high = each.ecn_bytes
            text = f"ECN of {place} marks from {got[0]:,} to {got[1]:,} bytes"
            yield _unlike(chain, "ecn", f"{text}; {PATH} has {low:,} to {high:,} {of}")
        if each.ecn_percent is None:
            continue
        if percent is None and chain.asks("ecn-percent"):
            yield chain.open("ecn-percent", f"how likely ECN marks in queue {queue}")
        elif percent is not None and percent != each.ecn_percent:
            text = f"ECN of {place} marks {percent} % at its upper threshold"
            yield _unlike(chain, "ecn-percent", f"{text}; {PATH} has {each.ecn_percent} % {of}")


def _beside(got: tuple[int, int], wanted: tuple[int, int], step: float) -> bool:
    """Whether thresholds differ by more than rounding. ``step``: unit in bytes, 0 if unknown (no
    comparison)."""
    return bool(step) and any(abs(one - other) >= step for one, other in zip(got, wanted, strict=True))


def _watchdog(chain: QosChain, site: SiteQos) -> Iterator[Doubt]:
    if site.watchdog is None:
        if chain.qos.detection_ms:
            text = f"{chain.place} has a PFC watchdog, but {PATH} has none"
            yield Doubt(Proof.OPEN, f"{text} {chain.at('watchdog-detection')}", "watchdog-detection")
        return
    for fact, got, wanted, does in (
        ("watchdog-detection", chain.qos.detection_ms, site.watchdog.detection_ms, "acts after"),
        ("watchdog-restoration", chain.qos.restoration_ms, site.watchdog.restoration_ms, "gives up after"),
    ):
        if not got and chain.asks(fact):
            yield chain.open(fact, f"how long the PFC watchdog waits ({fact.partition('-')[2]})")
        for each in sorted(got):
            if abs(each - wanted) >= chain.steps.watchdog_ms:
                text = f"the PFC watchdog of {chain.place} {does} {each:,} ms; {PATH} has {wanted:,} ms"
                yield _unlike(chain, fact if fact in chain.told else "watchdog-polls", text)


def _unlike(chain: QosChain, fact: str, text: str) -> Doubt:
    return Doubt(Proof.UNLIKE, f"{text} {chain.at(fact)}", fact)
