"""NP828 to NP830: consistent cabling of rails to leaves and of leaves to spines."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping

from netplan.checks.once import once
from netplan.checks.registry import Finding, check
from netplan.diagnostics import Path, Severity, dotted
from netplan.model.fabric import Fabric
from netplan.model.hardware import HostLink, Switch, SwitchLink
from netplan.model.ranges import gathered
from netplan.model.values import natural
from netplan.records import dataclass

Pattern = tuple[tuple[int, str], ...]
"""(rail, leaf) of one host, in rail order."""


@dataclass(frozen=True, slots=True)
class _Group:
    """Hosts with the same pattern, and the cables of the first one by rail."""

    leaves: Mapping[int, str]
    hosts: tuple[str, ...]
    links: Mapping[int, HostLink]

    @property
    def who(self) -> str:
        return gathered(self.hosts)


def _groups(fabric: Fabric) -> list[_Group]:
    """Groups, largest first; hosts with two cables on a rail are in none (NP821 reports them)."""
    cables: dict[str, dict[int, HostLink]] = defaultdict(dict)
    unclear: set[str] = set()
    for link in fabric.host_links:
        hca = link.hca
        if hca.rail is not None and hca.for_pods:
            other = cables[link.host.name].setdefault(hca.rail, link)
            if other is not link:
                unclear.add(link.host.name)
    members: dict[Pattern, list[str]] = defaultdict(list)
    for host in fabric.hosts:
        if host.name in cables and host.name not in unclear:
            ends = [(rail, link.switch.name) for rail, link in cables[host.name].items()]
            members[tuple(sorted(ends))].append(host.name)
    return [
        _Group(dict(pattern), tuple(names), cables[names[0]])
        for pattern, names in sorted(members.items(), key=lambda item: -len(item[1]))
    ]


@once
def _beside(fabric: Fabric) -> list[tuple[_Group, _Group, list[int]]]:
    """(smaller group, larger group, rails on which they differ) of groups that share a leaf.

    Each group is compared only with the largest one on each of its leaves: linear in cables in every case.
    """
    found = []
    largest: dict[str, _Group] = {}
    for group in _groups(fabric):
        rivals = {id(g): g for leaf in group.leaves.values() if (g := largest.get(leaf)) is not None}
        for other in sorted(rivals.values(), key=lambda g: -len(g.hosts)):
            differ = [r for r, leaf in group.leaves.items() if other.leaves.get(r, leaf) != leaf]
            if differ:
                found.append((group, other, differ))
                break
        for leaf in group.leaves.values():
            largest.setdefault(leaf, group)
    return found


def _crossed(group: _Group, other: _Group) -> list[int]:
    """Rails of a group that end on a leaf where the other group has another rail, and this rail elsewhere."""
    rails_at = {leaf: rail for rail, leaf in other.leaves.items()}
    own = set(group.leaves.items())
    return [
        rail
        for rail, leaf in group.leaves.items()
        if other.leaves.get(rail, leaf) != leaf and leaf in rails_at and (rails_at[leaf], leaf) not in own
    ]


@once
def _host_cables(fabric: Fabric) -> int:
    hcas = [link.hca for link in fabric.host_links]
    return len([hca for hca in hcas if hca.rail is not None and hca.for_pods])


@check("NP828", "crossed rails", on=Fabric, counts=_host_cables)
def crossed_rails(fabric: Fabric) -> Iterator[Finding]:
    """Hosts connected to the same leaves must have each rail on the same leaf.

    **Why.** Two swapped cables put a host's rail into the VLAN and subnet of another: flows within a rail
    cross the spines, or do not arrive if rails are not routed.
    **Fix.** Swap the two cables, in the rack or in `links`.
    **Source.** NVIDIA DGX SuperPOD reference architecture: NIC i of every node of a unit ends on leaf i
    """
    for group, other, _ in _beside(fabric):
        rails = _crossed(group, other)
        if rails:
            rail = rails[0]
            leaf = group.leaves[rail]
            theirs = next(r for r, name in other.leaves.items() if name == leaf)
            what = (
                f"rail {rail} of {group.who} ends on {leaf}, where {other.who} have rail {theirs}; "
                f"their rail {rail} is on {other.leaves[rail]} ({dotted(other.links[rail].at)})"
            )
            yield Finding(group.links[rail].at, what, "swap the cables, or correct hca or switch of the link")


@check(
    "NP829",
    "hosts share some leaves and not others",
    on=Fabric,
    counts=_host_cables,
    severity=Severity.WARNING,
)
def partly_shared(fabric: Fabric) -> Iterator[Finding]:
    """Hosts that share the leaf of one rail should share the leaves of all rails.

    **Why.** One cable to the leaf of another unit makes these hosts a leaf group of their own: with a
    subnet per leaf their pods need separate attachments, and one of their rails crosses the spines.
    **Fix.** Correct the switch of the link; accept the finding if the racks are cabled that way.
    **Source.** NVIDIA DGX SuperPOD reference architecture: the nodes of a unit share all their leaves
    """
    for group, other, differ in _beside(fabric):
        if not _crossed(group, other):
            rail = differ[0]
            shared = next(leaf for leaf in group.leaves.values() if leaf in other.leaves.values())
            what = (
                f"rail {rail} of {group.who} ends on {group.leaves[rail]}, that of {other.who} on "
                f"{other.leaves[rail]} ({dotted(other.links[rail].at)}), but both are on {shared}"
            )
            yield Finding(group.links[rail].at, what, "correct switch of the link")


def _uplinks(fabric: Fabric) -> list[SwitchLink]:
    """Leaf-spine links; links between leaves need no equal distribution."""
    return [k for k in fabric.switch_links if (k.lower.role, k.upper.role) == ("leaf", "spine")]


def _tiers(links: Iterable[SwitchLink]) -> Iterator[list[Switch]]:
    """The leaves of each part of the network that is connected by uplinks, in natural order."""
    spines: dict[str, set[str]] = defaultdict(set)
    leaves: dict[str, Switch] = {}
    under: dict[str, set[str]] = defaultdict(set)
    for link in links:
        leaves[link.lower.name] = link.lower
        spines[link.lower.name].add(link.upper.name)
        under[link.upper.name].add(link.lower.name)
    seen: set[str] = set()
    for name in sorted(leaves, key=natural):
        part, todo = [], [name] if name not in seen else []
        seen.add(name)
        while todo:
            leaf = todo.pop()
            part.append(leaf)
            for spine in spines[leaf]:
                fresh = under.pop(spine, set()) - seen
                seen |= fresh
                todo += fresh
        if part:
            yield [leaves[leaf] for leaf in sorted(part, key=natural)]


@check(
    "NP830",
    "unequal number of links to the spines",
    on=Fabric,
    counts=lambda fabric: len(_uplinks(fabric)),
    about="switches",
)
def unequal_uplinks(fabric: Fabric) -> Iterator[Finding]:
    """A leaf should have the same number of links to every spine.

    **Why.** ECMP gives every spine the same share, so a spine with fewer links to the leaf is congested;
    a spine without a link does not reach the leaf at all.
    **Fix.** Add the missing links, or move some, so that every spine has the same number.
    **Source.** RFC 7938 section 3.2 (folded Clos); NVIDIA DGX SuperPOD reference architecture, link counts
    """
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    first: dict[str, SwitchLink] = {}
    links = _uplinks(fabric)
    for link in links:
        counts[link.lower.name][link.upper.name] += 1
        first.setdefault(link.lower.name, link)
    for part in _tiers(links):
        wanted = _usual(counts[leaf.name] for leaf in part)
        unequal: dict[tuple[tuple[str, int], ...], list[str]] = defaultdict(list)
        for leaf in part:
            has = counts[leaf.name]
            if has.keys() != wanted or len(set(has.values())) > 1:
                names = sorted(has.keys() | wanted, key=natural)
                unequal[tuple((spine, has[spine]) for spine in names)].append(leaf.name)
        for row, names in unequal.items():
            even = {leaf for has, leaves in unequal.items() for leaf in leaves}
            others = [leaf.name for leaf in part if leaf.name not in even]
            yield _unequal(row, names, others, counts, first[names[0]].at)


def _usual(counts: Iterator[Counter[str]]) -> set[str]:
    """The most common set of spines per leaf; on a tie, the larger set."""
    sets = Counter(tuple(sorted(has)) for has in counts)
    usual = max(sets.items(), key=lambda item: (item[1], len(item[0]), item[0]))
    return set(usual[0])


def _unequal(
    row: tuple[tuple[str, int], ...],
    names: list[str],
    others: list[str],
    counts: Mapping[str, Counter[str]],
    at: Path,
) -> Finding:
    verb = "has" if len(names) == 1 else "have"
    what = f"{gathered(names)} {verb} {_links(row)}"
    if others:
        theirs = Counter(tuple((spine, counts[name][spine]) for spine, _ in row) for name in others)
        usual = theirs.most_common()[0][0]
        alike = [name for name in others if tuple((spine, counts[name][spine]) for spine, _ in row) == usual]
        what += f"; {gathered(alike)} {'has' if len(alike) == 1 else 'have'} {_links(usual)}"
    return Finding(at, what, "add the missing links, so that every spine has the same number")


def _links(row: tuple[tuple[str, int], ...]) -> str:
    """As text: ``4 links each to spine-[1-2] and none to spine-3``."""
    by_count: dict[int, list[str]] = defaultdict(list)
    for spine, count in row:
        by_count[count].append(spine)
    parts = []
    for count, spines in sorted(by_count.items(), reverse=True):
        number = f"{count} link{'s' if count > 1 else ''}" if count else "none"
        each = " each" if count and len(spines) > 1 else ""
        parts.append(f"{number}{each} to {gathered(spines)}")
    return " and ".join(parts)
