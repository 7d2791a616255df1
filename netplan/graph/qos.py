"""The QoS chain of one port, and whether a packet meets a lossless hop there: proved, refuted, or open.

The chain: what the port classifies by; DSCP to queue and to priority group; PFC, sent for that group and
honoured by that queue, for one priority; the buffers of both, with headroom for the cable; ECN that marks;
a PFC watchdog. A step whose lines contradict it refutes the hop; a step that no line states leaves it
open, unless it is the NOS default.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import field
from enum import IntEnum

from netplan.graph.config_db.headroom import level_of_xoff
from netplan.model.readback import EXACT, Implied, Pools, ReadQos, ReadSwitch, Stand, Steps
from netplan.records import dataclass

TO_CONFIRM = "not stated (comment to confirm)"
_FEATURES: Mapping[str, frozenset[str]] = {
    "dscp": frozenset({"qos_map", "dscp_trust", "pcp_trust"}),
    "pfc": frozenset({"pfc"}),
    "headroom": frozenset({"headroom"}),
    "buffer": frozenset({"headroom"}),
    "ecn": frozenset({"ecn"}),
    "watchdog": frozenset({"pfc_watchdog"}),
}
"""Step -> features of a NOS; if one of them is only a comment to confirm, the step is open."""


Line = Callable[[str, str, int | None], int | None]
"""(file, fact, number of a queue or group or None) -> number of the line that states it."""


def _no_line(file: str, fact: str, number: int | None) -> int | None:
    return None


class Proof(IntEnum):
    """From best to worst; the worst of several counts. ``UNLIKE``: lossless, but not as the site states."""

    PROVED = 0
    OPEN = 1
    UNLIKE = 2
    REFUTED = 3


@dataclass(frozen=True, slots=True)
class Doubt:
    """Why a hop is not proved. ``fact``: the fact that is contradicted or not stated."""

    proof: Proof
    text: str
    fact: str


@dataclass(frozen=True, slots=True)
class PriorityAnswer:
    """``priority``: of PFC; ``queue`` and ``group``: of the packet, of a switch. None where not known."""

    priority: int | None
    doubts: tuple[Doubt, ...] = ()
    queue: int | None = None
    group: int | None = None

    @property
    def proof(self) -> Proof:
        return max((doubt.proof for doubt in self.doubts), default=Proof.PROVED)


@dataclass(frozen=True, slots=True, kw_only=True)
class QosChain:
    """``place``: switch and port, as messages name them. ``trust``: dscp, pcp, None if not stated.

    ``states``: facts that lines of this NOS can state; ``told``: facts that some line of the switch
    states; ``implied``: NOS defaults. ``stands``: fact -> where its line belongs. ``headroom_m``: cable
    length the headroom is sized for; ``lengths`` and ``pools``: as in ``ReadSwitch``. ``comments``:
    features present only as a comment to confirm. ``ecn``: queue -> thresholds in bytes, in steps of
    ``steps``. ``folder``: of the files, for messages; ``line``: finds the line of a file that states a
    fact, called only when that fact is reported. ``ip_mtu``: the largest packet that the port takes.
    """

    place: str
    trust: str | None
    qos: ReadQos
    headroom_m: int | None = None
    ip_mtu: int | None = None
    states: frozenset[str] = frozenset()
    told: frozenset[str] = frozenset()
    implied: Mapping[str, Implied] = field(default_factory=dict)
    stands: Mapping[str, Stand] = field(default_factory=dict)
    comments: frozenset[str] = frozenset()
    ecn: Mapping[int, tuple[int, int]] = field(default_factory=dict)
    steps: Steps = EXACT
    lengths: Mapping[int, frozenset[int]] = field(default_factory=dict)
    pools: Pools = field(default_factory=dict)
    folder: str = ""
    line: Line = _no_line

    def lossless(self, dscp: int, cable_m: int = 0, speed_gbps: int = 0, size: int = 0) -> PriorityAnswer:
        """Whether the port is a lossless hop for a DSCP, both sending and receiving. ``size``: of the largest
        packet sent, 0 if not known."""
        queue, doubt = self.queue(dscp)
        if queue is None:
            return PriorityAnswer(None, doubt)
        group = self._group(dscp, queue)
        priority, unpaused = self._priority(dscp, queue, group)
        if priority is None:
            return PriorityAnswer(None, unpaused, queue, group)
        doubts = [*self._sent(dscp, group, priority), *self._twice(), *self._split(priority)]
        if not self.qos.fixed and "pfc-fixed" in self.states:
            doubts.append(self.open("pfc-fixed", "PFC regardless of what the peer offers by DCBX"))
        if "dscp_trust" in self.comments:
            doubts.append(Doubt(Proof.OPEN, f"PFC of {self.place} by DSCP is {TO_CONFIRM}", "trust"))
        doubts += self._buffer("buffer", group, self.qos.buffers, self.qos.lossy_buffers)
        doubts += [*self._headroom(cable_m, speed_gbps), *self._small(dscp, size)]
        doubts += self._buffer("queue-buffer", queue, self.qos.queue_buffers, self.qos.lossy_queues)
        doubts += [*self._marks(queue), *self._late(queue, speed_gbps)]
        doubts += self._watched(priority)
        return PriorityAnswer(priority, tuple(doubts), queue, group)

    def control(self, dscp: int, first: bool) -> tuple[Doubt, ...]:
        """Problems with the queue of congestion notifications (CNPs): they must not wait behind data, nor
        be stopped by its PFC. ``first``: whether the fabric serves them with strict priority."""
        queue, doubts = self.queue(dscp)
        if queue is None:
            return doubts
        said = f"CNPs, DSCP {dscp}, land in queue {queue} of {self.place}"
        if self.qos.stopping(queue):
            return (Doubt(Proof.REFUTED, f"{said}, which PFC stops {self.at('dscp')}", "cnp"),)
        if first and queue not in self.qos.strict:
            text = f"{said}, which is not strict, unlike on other switches {self.at('dscp')}"
            return (Doubt(Proof.REFUTED, text, "cnp"),)
        return ()

    def asks(self, fact: str) -> bool:
        """Whether to expect a line: other ports have one, or a message can say which one is missing."""
        return fact in self.told or fact in self.stands

    def queue(self, dscp: int) -> tuple[int | None, tuple[Doubt, ...]]:
        """The queue of a DSCP; None and the reason if it is not known."""
        if self.trust == "pcp" or (self.comments & _FEATURES["dscp"] and dscp not in self.qos.queues):
            text = f"the queue of DSCP {dscp} at {self.place} is {TO_CONFIRM}"
            return None, (Doubt(Proof.OPEN, text, "dscp"),)
        if self.trust is None and "trust" in self.states:
            text = f"{self.place} does not classify by DSCP {self.at('trust')}"
            return None, (Doubt(Proof.REFUTED, text, "trust"),)
        found = self.qos.queues.get(dscp, frozenset())
        if not found:
            text = f"{self.place} states no queue for DSCP {dscp} {self.at('dscp')}"
            return None, (Doubt(Proof.REFUTED, text, "dscp"),)
        if len(found) > 1:
            text = f"DSCP {dscp} is in queues {_listed(found)} of {self.place} {self.at('dscp')}"
            return None, (Doubt(Proof.OPEN, text, "dscp"),)
        return next(iter(found)), ()

    def at(self, fact: str, stated: str = "", number: int | None = None) -> str:
        """File and line that state a fact, in parentheses. ``stated``: the fact that lines of the file state
        in its place, of the queue or group ``number``."""
        stand = self.stands.get(fact)
        if stand is None:
            return f"({self.folder or 'no file'})"
        line = self.line(stand.file, stated or fact, number)
        return f"({self.folder}{stand.file}:{line})" if line else f"({self.folder}{stand.file})"

    def _priority(self, dscp: int, queue: int, group: int | None) -> tuple[int | None, tuple[Doubt, ...]]:
        """The PFC priority whose frames stop the queue, of several one that the group sends; None and the
        reason if there is none."""
        pfc = self.qos.pfc
        if not pfc and "pfc" in self.comments:
            return None, (Doubt(Proof.OPEN, f"PFC of {self.place} is {TO_CONFIRM}", "pfc"),)
        if not pfc:
            return None, (Doubt(Proof.REFUTED, f"{self.place} states no PFC {self.at('pfc')}", "pfc"),)
        if self._unstated("pfc-queue") and any(priority not in self.qos.pfc_queues for priority in pfc):
            return None, (self.open("pfc-queue", "which queue a received PFC frame stops"),)
        found = self.qos.stopping(queue, group)
        if found:
            return found[0], ()
        others = _listed(pfc)
        text = f"DSCP {dscp} lands in queue {queue} of {self.place}, which has PFC for {others} only"
        if any(self.qos.stopped(priority) != {priority} for priority in pfc):
            text = (
                f"DSCP {dscp} lands in queue {queue} of {self.place}, which no PFC frame for {others} stops"
            )
        return None, (Doubt(Proof.REFUTED, f"{text} {self.at('pfc')}", "pfc"),)

    def _group(self, dscp: int, queue: int) -> int | None:
        """The priority group; None if not stated, or stated more than once."""
        if not self._unstated("group") and not self.qos.groups:
            return queue
        found = self.qos.groups.get(dscp, frozenset())
        return next(iter(found)) if len(found) == 1 else None

    def _sent(self, dscp: int, group: int | None, priority: int) -> Iterator[Doubt]:
        """The priority group must send pause frames for the priority that stops its queue."""
        if group is None:
            yield self.open("group", f"the priority group of DSCP {dscp}")
            return
        if self._unstated("pfc-group") and priority not in self.qos.pfc_groups:
            yield self.open("pfc-group", f"the priority group of PFC priority {priority}")
            return
        sends = self.qos.sent(group)
        if priority in sends:
            return
        what = f"sends PFC for {_listed(sends)} only" if sends else "sends no PFC"
        text = f"DSCP {dscp} waits in priority group {group} of {self.place}, which {what}"
        yield Doubt(Proof.REFUTED, f"{text}: its queue stops for {priority} {self.at('group')}", "group")

    def _split(self, priority: int) -> Iterator[Doubt]:
        """Lines that give the priority several queues or groups: which of them holds is not stated."""
        for fact, what, numbers in (
            ("pfc-queue", "stops queues", self.qos.stopped(priority)),
            ("pfc-group", "is sent by priority groups", self.qos.sending(priority)),
        ):
            if len(numbers) > 1:
                text = f"PFC priority {priority} {what} {_listed(numbers)} of {self.place} {self.at(fact)}"
                yield Doubt(Proof.OPEN, text, "pfc")

    def _twice(self) -> Iterator[Doubt]:
        one, other = self.qos.pfc, self.qos.pfc_again
        if "pfc-again" in self.told and one != other:
            said = f"PFC of {self.place} is for {_listed(one)} {self.at('pfc')}"
            yield Doubt(
                Proof.OPEN, f"{said} and for {_listed(other) or 'none'} {self.at('pfc-again')}", "pfc"
            )

    def _buffer(
        self, fact: str, number: int | None, lossless: frozenset[int], lossy: frozenset[int]
    ) -> Iterator[Doubt]:
        if number is None:
            return
        what = f"{'priority group' if fact == 'buffer' else 'queue'} {number}"
        if number in lossy:
            stated = "buffer-lossy" if fact == "buffer" else "queue-lossy"
            text = f"{what} of {self.place} has a lossy buffer {self.at(fact, stated, number)}"
            yield Doubt(Proof.REFUTED, text, fact)
        elif number not in lossless and self._unstated(fact, number):
            yield self.open(fact, f"a lossless buffer of {what}")

    def _headroom(self, cable_m: int, speed_gbps: int) -> Iterator[Doubt]:
        known = self.lengths.get(speed_gbps, frozenset())
        if known and self.headroom_m is not None and self.headroom_m not in known:
            lists = f"at {speed_gbps} Gb/s its table lists {_listed(known)} m only"
            text = f"the headroom of {self.place} is for {self.headroom_m} m; {lists}"
            text = f"{text}, so no lossless buffer is created {self.at('headroom')}"
            yield Doubt(Proof.REFUTED, text, "headroom")
            return
        if self.headroom_m is None:
            if self._unstated("headroom"):
                yield self.open("headroom", "the cable length that its headroom is for")
        elif self.headroom_m < cable_m:
            text = f"the headroom of {self.place} is for {self.headroom_m} m, its cable is {cable_m} m long"
            yield Doubt(Proof.REFUTED, f"{text} {self.at('headroom')}", "headroom")

    def _small(self, dscp: int, size: int) -> Iterator[Doubt]:
        """Headroom for smaller packets than come."""
        fact, most = "headroom-mtu", self.qos.headroom_mtus.get(dscp)
        if fact not in self.states:
            return
        if most is None:
            yield self.open(fact, "the MRU for the headroom")
            return
        text = f"the headroom of {self.place} is for packets of up to {most:,} bytes {self.at(fact)}"
        if most < size:
            yield Doubt(Proof.REFUTED, f"{text}, those sent have up to {size:,}", "headroom")
        elif self.ip_mtu is not None and most < self.ip_mtu:
            yield Doubt(Proof.OPEN, f"{text}, the port takes up to {self.ip_mtu:,}", "headroom")

    def _marks(self, queue: int) -> Iterator[Doubt]:
        if queue in self.qos.unmarked:
            text = f"ECN of queue {queue} of {self.place} never marks {self.at('ecn')}"
            yield Doubt(Proof.REFUTED, text, "ecn")
        elif queue not in self.qos.marking:
            yield self.open("ecn", f"ECN of queue {queue}")

    def _late(self, queue: int, speed_gbps: int) -> Iterator[Doubt]:
        """ECN marking that starts only after a group, if it alone is congested, has sent XOFF: PFC acts
        first."""
        marks, pool = self.ecn.get(queue), self.pools.get((speed_gbps, self.headroom_m or 0))
        if marks is None or pool is None:
            return
        low, level = marks[0], level_of_xoff(*pool)
        if level and low >= level:
            text = f"ECN of queue {queue} of {self.place} begins at {low:,} bytes, PFC at {level:,} already"
            yield Doubt(Proof.OPEN, f"{text} {self.at('ecn')}", "ecn")

    def _watched(self, priority: int) -> Iterator[Doubt]:
        if priority in self.qos.unwatched:
            text = f"the PFC watchdog of {self.place} does not end a storm {self.at('watchdog')}"
            yield Doubt(Proof.REFUTED, text, "watchdog")
        elif priority not in self.qos.watchdog and self._unstated("watchdog", priority):
            yield self.open("watchdog", f"a PFC watchdog for priority {priority}")

    def _unstated(self, fact: str, number: int | None = None) -> bool:
        """Whether a fact needs a line: the NOS has no default for it, or other lines of the switch state
        it."""
        implied = self.implied.get(fact)
        if self.comments & _FEATURES.get(fact, frozenset()):
            return True
        if fact in self.told or implied is None:
            return True
        return bool(implied.numbers) and number not in implied.numbers

    def open(self, fact: str, what: str) -> Doubt:
        return Doubt(Proof.OPEN, f"{what} of {self.place} {self._lacking(fact)}", fact)

    def _lacking(self, fact: str) -> str:
        if self.comments & _FEATURES.get(fact, frozenset()):
            return f"is {TO_CONFIRM}"
        stand = self.stands.get(fact)
        if stand is None:
            return "is not stated, and netplan knows no line of its NOS that states it"
        line = stand.line.replace("<port>", self.place.rpartition(" ")[2])
        return f"is not stated; {line} would prove it ({self.folder}{stand.file})"


def chain_of(read: ReadSwitch, port: str, folder: str, line: Line = _no_line) -> QosChain:
    state = read.ports[port]
    return QosChain(
        place=f"{read.name} {port}",
        trust=state.trust,
        qos=state.qos,
        headroom_m=state.headroom_m,
        ip_mtu=state.ip_mtu,
        states=read.states,
        told=read.told,
        implied=read.implied,
        stands=read.stands,
        comments=read.comments,
        ecn=state.ecn,
        steps=read.steps,
        lengths=read.lengths,
        pools=read.pools,
        folder=folder,
        line=line,
    )


def serves_first(read: ReadSwitch, dscp: int) -> bool:
    """Whether some port of the switch has the DSCP in a strict queue."""
    states = {id(port.qos): port.qos for port in read.ports.values()}.values()
    return any(qos.queues.get(dscp, frozenset()) & qos.strict for qos in states)


def _listed(numbers: Iterable[int]) -> str:
    return ", ".join(map(str, sorted(numbers)))
