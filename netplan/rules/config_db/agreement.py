"""NP882: whether queue and priority group of a traffic class belong to the same PFC priority."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from netplan.graph.config_db.chains import TABLES, Chain, pfc_chains
from netplan.reading.config_db.switch import DbSwitch, Spot, listed, once, with_others
from netplan.records import dataclass
from netplan.rules.config_db.groups import is_lossy
from netplan.rules.config_db.pools import is_of_one_pool
from netplan.rules.config_db.queue_buffers import lossy_queues
from netplan.rules.config_db.registry import RowFinding, rule


@dataclass(frozen=True, slots=True)
class Disagreement:
    """A traffic class whose queue is paused by priority ``by``, and whose priority group sends ``sends``.
    ``field``, ``entry``: the map, and its entry, that differs from all others."""

    chain: Chain
    tc: int
    by: int | None
    sends: int | None
    field: str
    entry: int

    @property
    def spot(self) -> Spot:
        return self._of(self.field, self.entry)

    def _of(self, field: str, entry: int) -> Spot:
        return self.chain.switch.spot(TABLES[field], self.chain.names[field], str(entry))

    def told(self, ports: list[str]) -> str:
        chain, switch = self.chain, self.chain.switch
        queue, group = chain.maps["tc_to_queue_map"][self.tc], chain.maps["tc_to_pg_map"][self.tc]
        marks = listed([str(mark) for mark in chain.marks_of(self.tc)])
        field = "tc_to_pg_map" if self.field == "tc_to_queue_map" else "tc_to_queue_map"
        where = f" at {switch.where(self._of(field, self.tc))}"
        paused = f"PFC priority {self.by} pauses" if self.by is not None else "no PFC priority pauses"
        protected = f"sends PFC priority {self.sends}" if self.sends is not None else "sends no PFC"
        if self.sends is None and group and is_lossy(switch, chain.ports[0], group):
            protected = "has no lossless buffer"
        at_queue, at_group = ("", where) if field == "tc_to_pg_map" else (where, "")
        message = (
            f"traffic class {self.tc} ({chain.marks} {marks}) of {listed(ports)}: queue {queue}{at_queue}, "
            f"which {paused}; priority group {group}{at_group}, which {protected}"
        )
        if self.field in _OF_PRIORITIES:
            number = chain.maps[self.field][self.entry]
            message += f"; {chain.map_name(self.field)} maps priority {self.entry} to {number}"
        return message


_OF_PRIORITIES = ("pfc_to_queue_map", "pfc_to_pg_map")


def _followed(switch: DbSwitch) -> int:
    return sum(len(chain.ports) for chain in pfc_chains(switch) if chain.complete)


@rule("NP882", "queue and priority group of a class disagree", on=DbSwitch, counts=_followed)
def disagreeing(switch: DbSwitch) -> Iterator[RowFinding]:
    """The queue of a traffic class is paused by one PFC priority, but its priority group sends PFC for
    another or none. Not reported of a queue that may drop itself (NP857, NP883), nor of a class with a group
    of its own whose buffer is lossless or not stated, where no map says which group sends a PFC priority; and
    a note where none says so on an ASIC that netplan does not know, with pools for both directions (NP848).

    **Why.** A class is lossless only if both match: its priority group pauses the sender before it is
    full, and its queue stops when the next hop pauses it. With only the queue, packets are dropped at
    ingress; with only the group, the peer is paused for traffic that is dropped further on.

    **Fix.** Make TC_TO_PRIORITY_GROUP_MAP, TC_TO_QUEUE_MAP and MAP_PFC_PRIORITY_TO_QUEUE agree: class,
    group, queue and priority 3.

    **Source.** sonic-net/sonic-swss e6b0c5b5 orchagent/qosorch.cpp, cfgmgr/buffermgr.cpp (lossless
    profiles for the groups of `pfc_enable`); for the note sonic-net/sonic-buildimage 086b03bd
    device/celestica/x86_64-cel_midstone-r0/Midstone-200i/qos.json.j2 (classes 4 and 5 in groups 1 and 2).
    """
    same: dict[tuple[object, ...], list[Disagreement]] = {}
    for chain in pfc_chains(switch):
        for one in disagreements(chain):
            same.setdefault(_place(one), []).append(one)
    for found in same.values():
        first = found[0]
        chains = dict.fromkeys(one.chain for one in found)
        others = {one.tc for one in found} - {first.tc}
        more = with_others(len(others), "class disagrees", "classes disagree")
        message = first.told([port for chain in chains for port in chain.ports])
        hint = "map the class to the queue and group of one PFC priority, or of none"
        if first.field in _OF_PRIORITIES:
            hint = f"map priority {first.entry} to {first.entry}"
        unsure = "pfc_to_pg_map" not in first.chain.names and is_of_one_pool(switch)
        yield RowFinding(first.spot, f"{message}{more}", hint, unsure)


def _place(one: Disagreement) -> tuple[object, ...]:
    """Classes that one map or entry of it is to blame for."""
    entry = one.entry if one.field in _OF_PRIORITIES else None
    return one.field, one.chain.names[one.field], entry


def disagreements(chain: Chain) -> Sequence[Disagreement]:
    return _of_chain(chain.switch, chain)


@once
def _of_chain(_: DbSwitch, chain: Chain) -> Sequence[Disagreement]:
    return list(_disagreements(chain)) if chain.complete else []


def misdirected(chain: Chain) -> set[int]:
    """PFC priorities that MAP_PFC_PRIORITY_TO_QUEUE leads away from the queue of their class."""
    return {one.entry for one in disagreements(chain) if one.field == "pfc_to_queue_map"}


def told_marks(chain: Chain) -> set[int]:
    """Markings of classes of which NP882 tells, or whose queue may drop (NP857, NP883)."""
    told = {one.tc for one in disagreements(chain)}
    dropped = {mark for mark, priority in chain.lossless.items() if is_lossy_queue(chain, priority)}
    return dropped | {mark for tc in told for mark in chain.marks_of(tc)}


def _disagreements(chain: Chain) -> Iterator[Disagreement]:
    queues, groups = chain.maps["tc_to_queue_map"], chain.maps["tc_to_pg_map"]
    for tc in sorted(set(chain.classes.values()) & queues.keys() & groups.keys()):
        stopping, sent = chain.qos.stopping(queues[tc]), chain.qos.sent(groups[tc])
        if set(stopping) & set(sent):
            continue
        by, sends = next(iter(stopping), None), next(iter(sent), None)
        follows = by is not None and sends is None and is_lossy_queue(chain, by)
        if by != sends and not follows and not _has_own_group(chain, tc):
            yield Disagreement(chain, tc, by, sends, *_guilty(chain, tc, by, sends))


def _guilty(chain: Chain, tc: int, by: int | None, sends: int | None) -> tuple[str, int]:
    """The map and entry that differs where class, queue, group and priority else have one number."""
    queue, group = chain.maps["tc_to_queue_map"][tc], chain.maps["tc_to_pg_map"][tc]
    if sends == queue:  # one that leads away from the queue, else one that leads there
        for one in (sends, by):
            if one is not None and (chain.queue_of(one) == queue) != (one == queue):
                return "pfc_to_queue_map", one
    if by == group:
        for one in (by, sends):
            if one is not None and (chain.group_of(one) == group) != (one == group):
                return "pfc_to_pg_map", one
    if queue != tc and (group == tc or sends is None):
        return "tc_to_queue_map", tc
    return "tc_to_pg_map", tc


def is_lossy_queue(chain: Chain, priority: int) -> bool:
    """Whether the queue of a priority may drop on all the ports, as NP857 or NP883 says."""
    queues = lossy_queues(chain.switch)
    return all((port, chain.queue_of(priority)) in queues for port in chain.ports)


def _has_own_group(chain: Chain, tc: int) -> bool:
    """Whether a class has a group to itself, which no priority number names, and neither a map nor the
    buffer of the group says that it is lossy: which group sends a priority is left to the ASIC then."""
    groups = chain.maps["tc_to_pg_map"]
    alone = list(groups.values()).count(groups[tc]) == 1
    if "pfc_to_pg_map" in chain.names or not alone or groups[tc] in chain.pfc:
        return False
    return not any(is_lossy(chain.switch, port, groups[tc]) for port in chain.ports)
