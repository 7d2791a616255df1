"""The size of a two-tier fabric: how many leaves and spines, and what does not fit."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import ceil, gcd

from netplan.presets.ports import Split
from netplan.records import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Numbers:
    """What is asked for. ``down``: host ports of a leaf, ``up``: its uplinks, ``spine``: ports of a spine,
    None without spines. ``most``: hosts per leaf, 0 for as many as fit; ``spines``: 0 for as few as
    possible."""

    hosts: int
    rails: int
    rails_per_leaf: int
    oversubscription: Fraction
    down: Split
    up: Split | None
    spine: Split | None
    most: int
    spines: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Design:
    """``groups`` of ``leaves_per_group`` leaves have ports for ``per_leaf`` hosts each, and hosts in steps of
    ``unit``, which fill their ports; each leaf has ``links`` uplinks to each of ``spines``."""

    numbers: Numbers
    groups: int
    per_leaf: int
    spines: int
    links: int
    unit: int = 1

    @property
    def most(self) -> int:
        """Hosts of the largest group."""
        return min(self.per_leaf, self.numbers.hosts)

    @property
    def leaves_per_group(self) -> int:
        return self.numbers.rails // self.numbers.rails_per_leaf

    @property
    def leaves(self) -> int:
        return self.groups * self.leaves_per_group

    @property
    def uplinks(self) -> int:
        return self.spines * self.links

    @property
    def ratio(self) -> Fraction | None:
        """Host bandwidth of a full leaf divided by its uplink bandwidth; None without uplinks."""
        if not self.uplinks or self.numbers.up is None:
            return None
        down = self.most * self.numbers.rails_per_leaf * self.numbers.down.speed_gbps
        return Fraction(down, self.uplinks * self.numbers.up.speed_gbps)

    def group(self, number: int) -> tuple[int, int]:
        """First host, counted from 0, and number of hosts of a group; groups differ by one unit."""
        each, larger = divmod(ceil(self.numbers.hosts / self.unit), self.groups)
        first = (number * each + min(number, larger)) * self.unit
        own = (each + (number < larger)) * self.unit
        return first, min(own, self.numbers.hosts - first)

    def first_uplink(self) -> int:
        """Uplinks use a leaf's last ports, so that hosts can be added before them."""
        up = self.numbers.up
        return 0 if up is None else (up.ports - up.ports_of(self.uplinks)) * up.parts


@dataclass(frozen=True, slots=True)
class Misfit:
    """Why the numbers do not fit together, and what to do."""

    problem: str
    hint: str


def design(numbers: Numbers) -> Design | Misfit:
    if numbers.rails % numbers.rails_per_leaf:
        text = f"{numbers.rails} rails do not divide into leaves of {numbers.rails_per_leaf} rails"
        return Misfit(text, "give a divisor of the rails as --rails-per-leaf")
    alone = _one_leaf(numbers)
    if alone is not None:
        return alone
    room = _room(numbers)
    if room == 0:
        return _no_room(numbers)
    if numbers.most > room:
        return _too_many(numbers, room)
    cap = numbers.most or room
    groups = ceil(numbers.hosts / cap)
    unit = numbers.down.parts // gcd(numbers.down.parts, numbers.rails_per_leaf)
    per_leaf = _filling(ceil(numbers.hosts / groups), cap, unit)
    return _without_spines(numbers, groups, per_leaf) or _with_spines(numbers, groups, per_leaf, room)


def _one_leaf(numbers: Numbers) -> Design | None:
    """If a leaf holds all rails of all hosts, no spine is needed."""
    down = numbers.hosts * numbers.rails
    if numbers.rails_per_leaf < numbers.rails or (numbers.most and numbers.most < numbers.hosts):
        return None
    if numbers.down.ports_of(down) > numbers.down.ports or numbers.spines:
        return None
    return Design(numbers=numbers, groups=1, per_leaf=numbers.hosts, spines=0, links=0)


def _uplinks(numbers: Numbers, per_leaf: int) -> int:
    """Uplinks that a leaf with this many hosts needs."""
    if numbers.up is None:
        return 0
    down = per_leaf * numbers.rails_per_leaf * numbers.down.speed_gbps
    return ceil(down / (numbers.oversubscription * numbers.up.speed_gbps))


def _fits(numbers: Numbers, per_leaf: int, uplinks: int) -> bool:
    down = numbers.down.ports_of(per_leaf * numbers.rails_per_leaf)
    up = numbers.up.ports_of(uplinks) if numbers.up is not None else 0
    return down + up <= numbers.down.ports


def _room(numbers: Numbers) -> int:
    """The most hosts that a leaf holds besides the uplinks they need."""
    most = numbers.down.total // numbers.rails_per_leaf
    return next((n for n in range(most, 0, -1) if _fits(numbers, n, _uplinks(numbers, n))), 0)


def _filling(per_leaf: int, cap: int, unit: int) -> int:
    """Hosts per leaf such that all parts of its split ports are used, if that fits."""
    full = ceil(per_leaf / unit) * unit
    return full if full <= cap else per_leaf


def _without_spines(numbers: Numbers, groups: int, per_leaf: int) -> Design | Misfit | None:
    if numbers.up is not None:
        return None
    if groups == 1:
        return Design(numbers=numbers, groups=1, per_leaf=numbers.hosts, spines=0, links=0)
    text = (
        f"without spines each rail ends on one leaf, of {numbers.down.total:,} ports of "
        f"{numbers.down.speed_gbps} Gb/s: {numbers.hosts:,} hosts need {groups}"
    )
    return Misfit(text, f"give a spine model, or at most {per_leaf_bound(numbers):,} hosts")


def per_leaf_bound(numbers: Numbers) -> int:
    return numbers.most or _room(numbers)


def _with_spines(numbers: Numbers, groups: int, per_leaf: int, room: int) -> Design | Misfit:
    leaves = groups * (numbers.rails // numbers.rails_per_leaf)
    needed = _uplinks(numbers, min(per_leaf, numbers.hosts))
    unit = numbers.down.parts // gcd(numbers.down.parts, numbers.rails_per_leaf)
    unit = unit if per_leaf % unit == 0 else 1
    for spines in _choices(numbers, needed):
        links = ceil(needed / spines)
        taken = Design(
            numbers=numbers, groups=groups, per_leaf=per_leaf, spines=spines, links=links, unit=unit
        )
        if leaves * links <= _spine_ports(numbers) and _fits(numbers, per_leaf, spines * links):
            return taken
    return _no_reach(numbers, leaves, needed, room, per_leaf)


def _choices(numbers: Numbers, needed: int) -> Iterator[int]:
    """Numbers of spines to try, the fewest first; at least two for redundancy."""
    if numbers.spines:
        yield numbers.spines
    else:
        yield from range(min(2, needed), needed + 1)


def _spine_ports(numbers: Numbers) -> int:
    return 0 if numbers.spine is None else numbers.spine.total


def _no_room(numbers: Numbers) -> Misfit:
    one, up = numbers.rails_per_leaf, _uplinks(numbers, 1)
    text = (
        f"a leaf has {numbers.down.ports} ports: {one} to one host and {up} uplinks for an "
        f"oversubscription of {_ratio(numbers.oversubscription)} do not fit"
    )
    return Misfit(text, "take a leaf with more ports, fewer rails to a leaf or more oversubscription")


def _too_many(numbers: Numbers, room: int) -> Misfit:
    rails, most = numbers.rails_per_leaf, numbers.most
    down, up = numbers.down.ports_of(most * rails), _uplinks(numbers, most)
    ports = down + (numbers.up.ports_of(up) if numbers.up is not None else 0)
    text = (
        f"{most} hosts to a leaf need {ports} ports of {numbers.down.ports}: {most * rails} links down and "
        f"{up} up for an oversubscription of {_ratio(numbers.oversubscription)}"
    )
    return Misfit(text, f"give at most {room} hosts to a leaf")


def _no_ports(numbers: Numbers, per_leaf: int, text: str, uplinks: int) -> Misfit:
    """The spines have ports for all, but a leaf has too few beside those to its hosts."""
    used = numbers.down.ports_of(per_leaf * numbers.rails_per_leaf)
    there = (numbers.down.ports - used) * (1 if numbers.up is None else numbers.up.parts)
    return Misfit(
        f"{text}, {uplinks} in all, and beside its hosts it has ports for {there}",
        "give another number of spines, fewer --hosts-per-leaf, or leave --spines out",
    )


def _no_reach(numbers: Numbers, leaves: int, needed: int, room: int, per_leaf: int) -> Misfit:
    """The spines have too few ports: what they have, what is needed, and how far two tiers reach."""
    there, in_group = _spine_ports(numbers), numbers.rails // numbers.rails_per_leaf
    cap = numbers.most or room
    reach = (there // in_group) * cap
    spines = numbers.spines or needed
    links = ceil(needed / spines)
    need = f"{numbers.hosts:,} hosts need {leaves:,} leaves with {needed} uplinks each"
    if leaves * links <= there:
        return _no_ports(
            numbers, per_leaf, f"{need}; on {spines} spines a leaf has {links} to each", spines * links
        )
    text = (
        f"{need}; on {spines} spines a leaf has {links} to each, which takes {leaves * links:,} ports of a "
        f"spine, and it has {there:,}"
    )
    if reach >= numbers.hosts:
        return Misfit(text, "give another number of spines, or leave --spines out")
    more = f"two tiers of these models reach {reach:,} hosts at {_ratio(numbers.oversubscription)}"
    return Misfit(
        f"{text}; {more}",
        "take spines with more ports, more oversubscription, several rails to a leaf, or several fabrics: "
        "netplan has no third tier",
    )


def _ratio(value: Fraction) -> str:
    return f"{float(value):g}:1"
