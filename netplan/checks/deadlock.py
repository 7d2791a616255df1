"""NP856: no cyclic buffer dependency between lossless queues (PFC deadlock).

If every link joins a leaf and a spine, the tiers and the AS plan prove it: spines share one AS number, so BGP
rejects every path that goes up again after going down, whichever link fails. Other fabrics are searched: a
channel is one direction of a link with its lossless priority (the buffer behind its ingress port); it waits
for the next channel of every path through it. All lossless priorities take the same paths.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

from netplan.checks.registry import Finding, check
from netplan.model.fabric import Fabric
from netplan.model.values import natural

Channel = tuple[str, str]
"""(sending switch, switch whose ingress buffer fills); parallel cables are equivalent."""
Neighbours = Mapping[str, tuple[str, ...]]
Asns = Mapping[str, int]

EFFORT_MAX = 3_000_000
"""Limit of search steps, 2 us each: adjacencies x leaves x (adjacencies that may fail + 1)."""
PATHS_MAX = 64
"""Limit of distinct AS-number sets kept per route."""


def tiered(fabric: Fabric) -> bool:
    return all((k.lower.role, k.upper.role) == ("leaf", "spine") for k in fabric.switch_links)


def _channel_count(fabric: Fabric) -> int:
    lossless = fabric.qos is not None and bool(fabric.qos.lossless)
    return 2 * len(fabric.switch_links) if lossless else 0


@check("NP856", "cyclic buffer dependency", on=Fabric, counts=_channel_count, about="switches")
def cyclic_buffers(fabric: Fabric) -> Iterator[Finding]:
    """A paused port fills its buffer, which pauses the port upstream. Leaf-spine fabrics are free of
    cycles because of their tiers; with links between leaves every path is searched, as cabled and with
    each single link failed.

    **Why.** Once every buffer of a cycle is full, none can drain: PFC deadlocks the network for good.
    **Fix.** Remove a link of the cycle, or connect the leaves through spines.
    **Source.** Hu et al., Tagger: Practical PFC Deadlock Prevention, CoNEXT 2017; Hu et al., Deadlocks in
    Datacenter Networks: Why Do They Form, HotNets 2016
    """
    if not _channel_count(fabric) or tiered(fabric):
        return
    cables: dict[frozenset[str], int] = defaultdict(int)
    for link in fabric.switch_links:
        cables[frozenset((link.lower.name, link.upper.name))] += 1
    sources = tuple(sorted({link.switch.name for link in fabric.host_links}, key=natural))
    may_fail = [pair for pair, count in cables.items() if count == 1]
    if len(cables) * len(sources) * (len(may_fail) + 1) > EFFORT_MAX:
        what = (
            f"{len(cables)} pairs of switches are linked, too many to search, and not all are from leaf "
            "to spine"
        )
        yield Finding(("links",), what, "link leaves to spines only; that needs no search")
        return
    asns = _asns(fabric)
    for failed in (None, *sorted(may_fail, key=sorted)):
        circle = find_circle(neighbours(pair for pair in cables if pair != failed), sources, asns)
        if circle:
            when = "" if failed is None else f" when the link {' - '.join(sorted(failed, key=natural))} fails"
            what = f"cyclic buffer dependency{when}: {' -> '.join((*circle, circle[0]))}"
            yield Finding(
                ("links",), what, "remove a link of the cycle, or connect the leaves through spines"
            )
            return


def _asns(fabric: Fabric) -> Asns:
    """AS numbers as planned; none without BGP."""
    plan = fabric.underlay
    if plan is None:
        return {}
    leaf = {s.name: plan.leaf_asn + (s.id - 1 if plan.leaf_asn_counts else 0) for s in fabric.switches}
    return leaf | {s.name: plan.spine_asn for s in fabric.switches if s.role == "spine"}


def neighbours(pairs: Iterable[frozenset[str]]) -> Neighbours:
    found: dict[str, set[str]] = defaultdict(set)
    for pair in pairs:
        for name in pair:
            found[name] |= pair - {name}
    return {name: tuple(sorted(others, key=natural)) for name, others in found.items()}


def find_circle(links: Neighbours, sources: Iterable[str], asns: Asns) -> tuple[str, ...]:
    """Switches along a cycle of waiting channels, in order; empty if there is none.

    ``sources``: switches with hosts, which are the ends of every path.
    """
    ends = tuple(sources)
    waits: dict[Channel, set[Channel]] = defaultdict(set)
    for target in ends:
        hops = next_hops(links, target, asns)
        for channel, following in _turns(hops, ends):
            waits[channel].add(following)
    return _smallest_first(_cycle({channel: sorted(after) for channel, after in waits.items()}))


def next_hops(links: Neighbours, target: str, asns: Asns) -> dict[str, tuple[str, ...]]:
    """Switch -> ECMP next hops to ``target``: fewest hops, without the switch's own AS in the AS path."""
    known: dict[str, frozenset[frozenset[int]]] = {target: frozenset([_with(frozenset(), target, asns)])}
    hops: dict[str, tuple[str, ...]] = {target: ()}
    level = [target]
    while level:
        reached: dict[str, list[str]] = defaultdict(list)
        for name in level:
            for other in links.get(name, ()):
                if other not in known and any(asns.get(other) not in path for path in known[name]):
                    reached[other].append(name)
        for name, via in reached.items():
            paths = {p for v in via for p in known[v] if asns.get(name) not in p}
            known[name] = frozenset(_with(p, name, asns) for p in sorted(paths, key=sorted)[:PATHS_MAX])
            hops[name] = tuple(via)
        level = list(reached)
    return hops


def _with(path: frozenset[int], name: str, asns: Asns) -> frozenset[int]:
    return path | {asns[name]} if name in asns else path


def _turns(hops: Mapping[str, tuple[str, ...]], ends: Iterable[str]) -> Iterator[tuple[Channel, Channel]]:
    """Pairs of consecutive channels on the paths from ``ends``."""
    seen: set[str] = set()
    todo = [name for name in ends if name in hops]
    while todo:
        here = todo.pop()
        if here in seen:
            continue
        seen.add(here)
        for middle in hops[here]:
            todo.append(middle)
            for last in hops[middle]:
                yield (here, middle), (middle, last)


def _cycle(waits: Mapping[Channel, list[Channel]]) -> tuple[Channel, ...]:
    """A cycle of the graph, by depth-first search without recursion."""
    done: set[Channel] = set()
    for start in sorted(waits):
        if start in done:
            continue
        path, rest = [start], [iter(waits[start])]
        on_path = {start: 0}
        while path:
            following = next(rest[-1], None)
            if following is None:
                rest.pop()
                done.add(path[-1])
                del on_path[path.pop()]
            elif following in on_path:
                return tuple(path[on_path[following] :])
            elif following not in done:
                on_path[following] = len(path)
                path.append(following)
                rest.append(iter(waits.get(following, [])))
    return ()


def _smallest_first(cycle: tuple[Channel, ...]) -> tuple[str, ...]:
    names = [sender for sender, _ in cycle]
    if not names:
        return ()
    at = names.index(min(names, key=natural))
    return (*names[at:], *names[:at])
