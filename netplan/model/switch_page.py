"""The review page of a switch, README.md: its plan, folded into the lines a reviewer needs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from operator import attrgetter

from netplan.model.folding import folded
from netplan.model.nos import TITLES
from netplan.model.ranges import compressed
from netplan.model.switch_ports import SwitchPort
from netplan.model.switch_qos import QueueEcn, SwitchQueue
from netplan.model.switching import Computed, MissingFeature, SwitchPlan
from netplan.records import dataclass

BY_HAND = "by hand"
"""Where a file sets nothing and the section of that name says what to do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PortRow:
    """Ports that count up together. ``carries``: VLANs, or the addresses of a routed port."""

    ports: str
    count: int
    kind: str
    peers: str
    carries: str
    speed_gbps: int
    cable_m: int
    mtu: int
    pfc: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NeighbourRow:
    peers: str
    ports: str
    addresses: str
    remote_as: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ChainRow:
    """One queue with the code points, or 802.1p priorities, that map to it."""

    classes: str
    points: str
    queue: int
    pfc: str
    scheduling: str
    ecn: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SwitchPage:
    """``by_hand``: abilities that the fabric needs and the files do not set; ``left_out``: those it would
    use. ``watchdog``: the files set it. ``announces``: a sentence on the prefixes that BGP carries.
    ``notes``: (title of the ability, what to know about it). ``sources``: of the numbers, each once.
    """

    by_hand: tuple[MissingFeature, ...]
    left_out: tuple[MissingFeature, ...]
    chain: tuple[ChainRow, ...]
    watchdog: bool
    neighbours: tuple[NeighbourRow, ...]
    announces: str
    ports: tuple[PortRow, ...]
    notes: tuple[tuple[str, str], ...]
    sources: tuple[str, ...]

    def cited(self, number: Computed) -> int:
        """The number of its source in the list."""
        return self.sources.index(number.source) + 1


def switch_page(plan: SwitchPlan) -> SwitchPage:
    lacking = plan.lacking
    return SwitchPage(
        by_hand=(*_forgotten(plan), *(gap for gap in plan.gaps if gap.needed)),
        left_out=tuple(gap for gap in plan.gaps if not gap.needed),
        chain=tuple(_chain_row(plan, queue, lacking) for queue in plan.qos.queues),
        watchdog=plan.watchdog.enabled and "pfc_watchdog" not in lacking,
        neighbours=_neighbours(plan),
        announces=_announces(plan, "cross_family" in lacking),
        ports=port_rows(plan.ports, lacking),
        notes=tuple((TITLES[feature], note) for feature, note in plan.notes),
        sources=tuple(dict.fromkeys(number.source for number in (*plan.computed, *plan.totals))),
    )


def with_rows(page: SwitchPage, plan: SwitchPlan) -> SwitchPage:
    """The page of a switch of the same shape (``model.alike``) as the one that ``page`` is of."""
    return replace(page, neighbours=_neighbours(plan), ports=port_rows(plan.ports, plan.lacking))


def _forgotten(plan: SwitchPlan) -> Iterator[MissingFeature]:
    """Host links whose announcement FRR loses when it restarts, if NP840 is accepted."""
    if plan.frr.lost:
        reason = "enter host-links.conf after every start of the bgp container, which forgets it"
        yield MissingFeature("announce_host_links", True, "rails.segment", reason)


def _chain_row(plan: SwitchPlan, queue: SwitchQueue, lacking: frozenset[str]) -> ChainRow:
    paused = "yes" if queue.lossless else "no"
    marked = [_marked(ecn, "ecn_probability" not in lacking) for ecn in queue.ecn]
    return ChainRow(
        classes=queue.classes,
        points=_points(plan, queue),
        queue=queue.number,
        pfc=BY_HAND if queue.lossless and "pfc" in lacking else paused,
        scheduling="strict" if queue.strict else f"weight {queue.weight}",
        ecn=BY_HAND if marked and "ecn" in lacking else "".join(marked),
    )


def _marked(ecn: QueueEcn, probability: bool) -> str:
    """The thresholds in force; if the NOS's unit changes them, the stated ones too."""
    low, high = ecn.stated
    rounded = ecn.stated != (ecn.kmin_bytes, ecn.kmax_bytes)
    parts = [
        f"{ecn.kmin_bytes:,} to {ecn.kmax_bytes:,} bytes",
        *([f"{ecn.probability} %"] if probability else []),
        *([f"rounded from {low:,} to {high:,}"] if rounded else []),
    ]
    return ", ".join(parts)


def _points(plan: SwitchPlan, queue: SwitchQueue) -> str:
    """What maps to the queue; if the switch maps more code points than the class has, both."""
    if queue.number == 0:
        return "every other"
    if not plan.qos.dscp_trust:
        return queue.pcp_list
    own = tuple(sorted(dscp for _, dscp, priority in plan.qos.class_dscps if priority == queue.number))
    return queue.dscp_list if own == queue.dscps else f"{compressed(own)}, and all of {queue.dscp_list}"


def _neighbours(plan: SwitchPlan) -> tuple[NeighbourRow, ...]:
    rows = ((peer.remote_as, (peer.name, peer.port, str(peer.address))) for peer in plan.neighbours)
    return tuple(
        NeighbourRow(peers=row.texts[0], ports=row.texts[1], addresses=row.texts[2], remote_as=row.key)
        for row in folded(rows)
    )


def _announces(plan: SwitchPlan, one_version: bool) -> str:
    """``one_version``: a session carries prefixes of its own IP version only."""
    found = [
        *(["its loopback"] if plan.loopbacks else []),
        *(["the networks of its VLANs"] if any(vlan.addresses for vlan in plan.vlans) else []),
        *(["the networks of its routed ports to hosts"] if plan.host_networks else []),
    ]
    what = f"It announces {' and '.join(filter(None, [', '.join(found[:-1]), *found[-1:]]))}"
    sessions = {neighbour.address.version for neighbour in plan.neighbours}
    if not one_version or not ({network.version for network in plan.networks} - sessions):
        return f"{what}."
    carried, lost = (4, 6) if 4 in sessions else (6, 4)
    return f"{what}. Only the IPv{carried} prefixes of these: its sessions carry no IPv{lost} prefixes."


_PORT_KEY = attrgetter("kind", "speed_gbps", "cable_m", "mtu", "pfc")


def port_rows(ports: Sequence[SwitchPort], lacking: frozenset[str]) -> tuple[PortRow, ...]:
    """In the order of the ports."""
    rows = ((_PORT_KEY(p), (p.name, p.peer, _carries(p))) for p in ports)
    return tuple(
        PortRow(
            ports=row.texts[0],
            count=row.count,
            kind=row.key[0],
            peers=row.texts[1],
            carries=row.texts[2],
            speed_gbps=row.key[1],
            cable_m=row.key[2],
            mtu=row.key[3],
            pfc=_paused(row.key[4], lacking),
        )
        for row in folded(rows)
    )


def _carries(port: SwitchPort) -> str:
    if port.addresses:
        return " ".join(map(str, port.addresses))
    return _vlans(port.untagged, port.tagged)


@lru_cache(maxsize=4096)
def _vlans(untagged: tuple[int, ...], tagged: tuple[int, ...]) -> str:
    return " ".join([*(f"{vlan} untagged" for vlan in untagged), *map(str, tagged)])


def _paused(priorities: tuple[int, ...], lacking: frozenset[str]) -> str:
    if priorities and "pfc" in lacking:
        return BY_HAND
    return " ".join(map(str, priorities))
