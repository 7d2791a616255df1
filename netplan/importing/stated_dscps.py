"""Classes of which a switch states code points itself that its profile has in them anyway, beside others:
those that it states are meant. CumulusNetworks/docs 0d142afe, Quality of Service, Trust DSCP: a line changes
the map for its own code points alone; without one DSCP / 8 is the switch priority.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from netplan.diagnostics import Source
from netplan.importing.facts import Fact, Remark, Said, Site, texts_in

STATED = "stated dscp"
"""Field of a class: the code points that lines of the switch name, where it has others too."""


def dscp_facts(
    number: str, points: tuple[str, ...], line_of: Callable[[str], int], own: int, at: Callable[[int], Source]
) -> Iterator[Fact]:
    """``line_of``: the line of a code point; ``own``: how many lines the file has itself."""
    stated = tuple(point for point in points if 0 < line_of(point) <= own)
    where = at(line_of((stated or points)[0]))
    yield Fact("class", (number,), "dscp", points, where)
    others = {_octet(point) for point in points if point not in stated}
    if others and {_octet(point) for point in stated} == others:
        yield Fact("class", (number,), STATED, stated, where)


def _octet(point: str) -> int:
    return int(point) // 8


def points_of(site: Site, number: str) -> Said | None:
    """Those that switches state, else all."""
    of = (number,)
    return site.said("class", of, STATED) or site.said("class", of, "dscp")


def lost_points(site: Site) -> Iterator[Remark]:
    """What a profile has in a class beside the code point that is taken."""
    for of in site.every("class"):
        every, stated = site.said("class", of, "dscp"), site.said("class", of, STATED)
        if every is not None and stated is not None:
            named = texts_in(stated.value)
            others = ", ".join(point for point in texts_in(every.value) if point not in named)
            what = f"DSCP {others}, in class {of[0]} by a profile of the switch"
            why = f"its lines name {', '.join(named)}; what matches no class of an inventory is best effort"
            yield Remark(stated.at, f"{what}: {why}")
