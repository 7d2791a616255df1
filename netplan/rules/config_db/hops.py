"""NP898: markings that are lossless at one hop and not at the next."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from netplan.graph.config_db.chains import TABLES, Chain, pfc_chains
from netplan.graph.config_db.links import DbTopology
from netplan.reading.config_db.switch import DbSwitch, Spot, listed, with_others
from netplan.records import dataclass
from netplan.rules.config_db.agreement import told_marks
from netplan.rules.config_db.registry import RowFinding, rule


def _chained(fabric: DbTopology) -> int:
    return sum(len(_usual(switch)) for switch in fabric.switches) if len(fabric.switches) > 1 else 0


@rule("NP898", "DSCP lossless on one switch but not on the next", on=DbTopology, counts=_chained)
def chains(fabric: DbTopology) -> Iterator[RowFinding]:
    """The same DSCP is in a lossless class on one switch and in another class, or none, on a second.
    Compared are the two ends of a link whose PFC priorities agree or, for switches without a common link,
    the majority, which is a note: they may be of two fabrics. Of two that differ, the map is named that
    differs from more others.

    **Why.** Lossless is a property of the whole path: a single hop that maps DSCP 26 to class 1 drops it,
    however well all others are configured.

    **Fix.** Use the same DSCP_TO_TC_MAP and queue maps on all switches.

    **Source.** sonic-net/sonic-buildimage 086b03bd files/build_templates/qos_config.j2 (stock: DSCP 26 is in
    class 1).
    """
    joined: set[DbSwitch] = set()
    found: dict[tuple[DbSwitch, str, DbSwitch, str], UnlikeHops] = {}
    for link in fabric.links:
        joined |= {link.a.switch, link.b.switch}
        a, b = link.a.chain, link.b.chain
        if a and b and a.complete and b.complete and a.pfc == b.pfc and a.lossless != b.lossless:
            key = (a.switch, a.row, b.switch, b.row)
            found.setdefault(key, UnlikeHops(a, b, f"{link.a}", f"{link.b}"))
    yield from _told([one for one in found.values() if one.marks])
    apart = [switch for switch in fabric.switches if switch not in joined]
    yield from _told([one for one in _apart(apart, fabric) if one.marks], apart=True)


@dataclass(frozen=True, slots=True)
class UnlikeHops:
    """Two chains that treat a marking differently, and whose they are."""

    a: Chain
    b: Chain
    here: str
    there: str

    @property
    def marks(self) -> list[int]:
        """Without markings of which NP882, NP857 or NP883 tells on one of the two switches."""
        a, b = self.a, self.b
        either = a.lossless.keys() | b.lossless.keys()
        differ = {mark for mark in either if a.lossless.get(mark) != b.lossless.get(mark)}
        return sorted(differ - told_marks(a) - told_marks(b))

    def turned(self) -> UnlikeHops:
        return UnlikeHops(self.b, self.a, self.there, self.here)


def _told(found: Sequence[UnlikeHops], apart: bool = False) -> Iterator[RowFinding]:
    """One for each map: of two that differ, that which differs from more others."""
    degree = Counter(map_ for one in found for map_ in (_map(one.a), _map(one.b)))
    alike: dict[tuple[DbSwitch, tuple[int, ...], str], list[UnlikeHops]] = {}
    for one in found:
        own = one.turned() if degree[_map(one.b)] > degree[_map(one.a)] else one
        alike.setdefault((own.a.switch, tuple(own.marks), _classes(own)), []).append(own)
    for same in alike.values():
        yield _finding(same[0], len(same) - 1, apart)


def _map(chain: Chain) -> tuple[DbSwitch, str]:
    return chain.switch, chain.row


def _classes(one: UnlikeHops) -> str:
    return f"{_class(one.a, one.marks[0])} {_class(one.b, one.marks[0])}"


def _finding(one: UnlikeHops, others: int, apart: bool) -> RowFinding:
    a, b, mark = one.a, one.b, one.marks[0]
    shown = listed([str(each) for each in one.marks], 8)
    where = b.switch.where(_mark_spot(b, mark))
    more = with_others(others, "map differs from it so", "maps differ from it so")
    there = f"{_class(b, mark)} at {one.there} ({where}){more}"
    message = f"{a.marks} {shown}: {_class(a, mark)} at {one.here}, {there}"
    hint = "map the same values to the same class on all switches"
    return RowFinding(_mark_spot(a, mark), message, hint, unsure=apart)


def _apart(alone: list[DbSwitch], fabric: DbTopology) -> Iterator[UnlikeHops]:
    """Compares each switch without a link to any other with what most switches have."""
    usual = [(switch, chain) for switch in fabric.switches for chain in _usual(switch)]
    if len(usual) < 2:
        return
    counts = Counter(tuple(sorted(chain.lossless.items())) for _, chain in usual)
    most = counts.most_common()[0][0]
    model = next(chain for _, chain in usual if tuple(sorted(chain.lossless.items())) == most)
    for switch, chain in usual:
        if switch in alone and chain.lossless != model.lossless:
            yield UnlikeHops(chain, model, switch.name, model.switch.name)


def _usual(switch: DbSwitch) -> list[Chain]:
    """The chain of the switch's PFC ports if all have the same, else empty."""
    found = [chain for chain in pfc_chains(switch) if chain.complete]
    return found if len({tuple(chain.lossless.items()) for chain in found}) == 1 else []


def _class(chain: Chain, mark: int) -> str:
    priority = chain.lossless.get(mark)
    return "lossy" if priority is None else f"lossless by PFC priority {priority}"


def _mark_spot(chain: Chain, mark: int) -> Spot:
    field = "dscp_to_tc_map" if "dscp_to_tc_map" in chain.maps else "dot1p_to_tc_map"
    return chain.switch.spot(TABLES[field], chain.names[field], str(mark))
