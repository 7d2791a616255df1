"""What a running object has in common with planned ones that claim it too."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from netplan.changes.rival_nodes import Nodes, Taken, nodes_of, one_of_nodes, same_nics, vfs_meet
from netplan.changes.rival_ranges import Held, held_by, in_both
from netplan.diagnostics import Path
from netplan.graph.kubernetes.cluster import NVIDIA, ObjectGraph, same_resource
from netplan.graph.kubernetes.producers import Producer, producers_of
from netplan.model.ranges import gathered
from netplan.model.site import SiteFacts
from netplan.model.values import natural, parse_network
from netplan.reading.kubernetes.objects import Thing
from netplan.trace.devices import is_policy

_NAD = "NetworkAttachmentDefinition"
_TWICE = "remove first, or pods get addresses twice"
_WITH_POOL = "remove together with the pool it draws from"
_ONE_STORE = "whereabouts gives no address twice; remove once no pod uses it"
_OVERWRITTEN = "remove first, or each overwrites the other"
_ONE_POLICY = "remove first, the operator applies only one of two"
_TWO_PLUGINS = "remove first, or two device plugins hand out the same devices"
_MIXED = "remove first, or pods get devices of either"
_ONE_SECTION = "remove first, the operator takes a section from one of the two kinds only"
ALSO = "also of"
_SKIPPED = "default"
_SECTIONS = ("ofedDriver", "rdmaSharedDevicePlugin", "sriovDevicePlugin")
"""What a NicNodePolicy may have, if the NicClusterPolicy does not (Mellanox/network-operator 85ebca91
pkg/policyoverlap/overlap.go, DetectSectionConflict)."""


@dataclass(frozen=True, slots=True)
class RivalClaim:
    """``what text``: what is claimed twice; ``how``: its relation to what the ``planned`` objects claim;
    ``at``: where the running object states it."""

    what: str
    text: str
    how: str
    planned: tuple[Thing, ...]
    advice: str
    at: Path


class Claims:
    """``left``: the running objects that may claim something twice."""

    def __init__(
        self, planned: ObjectGraph, running: ObjectGraph, facts: SiteFacts, left: Iterable[Thing]
    ) -> None:
        self._planned, self._running = planned, running
        self._left = {id(thing) for thing in left}
        self._nodes = Nodes(running, facts)

    def of(self, thing: Thing) -> RivalClaim | None:
        """The gravest if there are several. A NAD that another running object generates is not listed: that
        object is."""
        key = id(thing)
        if self._generated(thing):
            return None
        found = self._names.get(key) or self._devices.get(key) or self._addresses.get(key)
        return found or self._sections(thing) or self._of_nodes(thing)

    @cached_property
    def _names(self) -> dict[int, RivalClaim]:
        """By networks of one name, with what generates them."""
        wanted = {(net.namespace, net.name): net.thing for net in self._planned.networks}
        found: dict[int, RivalClaim] = {}
        for net in self._running.networks:
            planned = wanted.get((net.namespace, net.name))
            if planned is not None and id(net.thing) in self._left:
                at: Path = ("metadata", "name")
                found[id(net.thing)] = RivalClaim(_NAD, str(net), ALSO, (planned,), _OVERWRITTEN, at)
        return found

    def _sections(self, thing: Thing) -> RivalClaim | None:
        """Of a NicNodePolicy, whatever nodes it selects."""
        for planned in self._planned.of(NVIDIA, "NicClusterPolicy"):
            both = [key for key in _SECTIONS if thing.spec.get(key) and planned.spec.get(key)]
            if both and (thing.group, thing.kind) == (NVIDIA, "NicNodePolicy"):
                text = ", ".join(both)
                return RivalClaim("", text, ALSO, (planned,), _ONE_SECTION, ("spec", both[0]))
        return None

    def _of_nodes(self, thing: Thing) -> RivalClaim | None:
        """Of a kind of which a node has one."""
        advice, own = one_of_nodes(thing), self._nodes.selected(nodes_of(thing))
        planned = self._planned.of(thing.group, thing.kind) if advice else []
        shared = {id(each): own & self._nodes.selected(nodes_of(each)) for each in planned}
        things = tuple(each for each in planned if shared[id(each)] and same_nics(thing, each))
        if not things:
            return None
        text = gathered(sorted({name for each in things for name in shared[id(each)]}, key=natural))
        return RivalClaim("nodes", text, ALSO, things, advice, ("spec", "nodeSelector"))

    def _generated(self, thing: Thing) -> bool:
        same = self._running.named(thing.namespace, thing.name) if thing.kind == _NAD else []
        return any(net.thing.kind != _NAD for net in same)

    @cached_property
    def _devices(self) -> dict[int, RivalClaim]:
        planned = [(each, self._nodes.taken(each)) for each in _producers(self._planned)]
        by_thing: dict[int, list[Producer]] = {}
        for producer in _producers(self._running):
            if id(producer.thing) in self._left:
                by_thing.setdefault(id(producer.thing), []).append(producer)
        claims = {key: self._of_producers(own, planned) for key, own in by_thing.items()}
        return {key: claim for key, claim in claims.items() if claim is not None}

    def _of_producers(
        self, every: list[Producer], planned: list[tuple[Producer, Taken]]
    ) -> RivalClaim | None:
        """``every``: of one object."""
        ports: set[str] = set()
        rivals: dict[int, Producer] = {}
        clashing: list[Producer] = []
        for own in every:
            taken = self._nodes.taken(own)
            for other, theirs in planned:
                alike = _shares(own) == _shares(other)
                same = [
                    at for at in taken.keys() & theirs.keys() if alike and vfs_meet(taken[at], theirs[at])
                ]
                if same:
                    ports |= {hca for _, hca in same}
                    rivals.setdefault(id(other.thing), other)
                    clashing.append(own)
        if not clashing:
            return self._of_resources(every, [other for other, _ in planned])
        policies = all(map(is_policy, (*clashing, *rivals.values())))
        advice = _ONE_POLICY if policies else _TWO_PLUGINS
        things = tuple(each.thing for each in rivals.values())
        text = gathered(sorted(ports, key=natural))
        what = "RDMA devices of" if _shares(clashing[0]) else "VFs of"
        return RivalClaim(what, text, ALSO, things, advice, clashing[0].selected[0].at)

    def _of_resources(self, every: list[Producer], planned: list[Producer]) -> RivalClaim | None:
        pairs = [(own, other) for own in every for other in planned if self._one_resource(own, other)]
        if not pairs:
            return None
        own = pairs[0][0]
        at = (*own.at, *(("spec",) if is_policy(own) else ()), "resourceName")
        things = tuple({id(other.thing): other.thing for _, other in pairs}.values())
        names = dict.fromkeys(own.resource.rpartition("/")[2] for own, _ in pairs)
        return RivalClaim("resource", gathered(names), ALSO, things, _MIXED, at)

    def _one_resource(self, one: Producer, other: Producer) -> bool:
        same = same_resource(one.resource, other.resource)
        return same and self._nodes.meet(one.labels, other.labels)

    @cached_property
    def _addresses(self) -> dict[int, RivalClaim]:
        """A network that draws from a pool is listed with it."""
        wanted = [held for held in held_by(self._planned) if held.pool is None]
        own = [held for held in held_by(self._running) if id(held.pool or held.thing) in self._left]
        shared: dict[int, list[tuple[Held, Held]]] = {}
        for planned, running in in_both(wanted, own):
            if id(running.thing) in self._left:
                shared.setdefault(id(running.thing), []).append((planned, running))
        return {key: _of_ranges(pairs) for key, pairs in shared.items()}


def _of_ranges(pairs: list[tuple[Held, Held]]) -> RivalClaim:
    """The first pair whose addresses are handed out twice, else the first; with all that is like it."""
    pairs = [pair for pair in pairs if not _one_store(pair)] or pairs
    first = pairs[0][1]
    wanted = range_of_held(first)
    of = [planned for planned, running in pairs if range_of_held(running) == wanted]
    how = ALSO if all(range_of_held(each) == wanted for each in of) else "overlapping"
    advice = _ONE_STORE if _one_store(pairs[0]) else _WITH_POOL if first.pool is not None else _TWICE
    things = tuple({id(each.thing): each.thing for each in of}.values())
    return RivalClaim("", first.text, how, things, advice, first.at)


def range_of_held(held: Held) -> str:
    """One text for the same addresses: ``fd00:1:0::/64`` is ``fd00:1::/64``."""
    network = parse_network(held.text)
    return held.text if network is None else str(network.cidr)


def _one_store(pair: tuple[Held, Held]) -> bool:
    return bool(pair[0].stores & pair[1].stores)


def _producers(cluster: ObjectGraph) -> list[Producer]:
    """Without the policy that the SR-IOV operator once made itself and skips
    (k8snetworkplumbingwg/sriov-network-operator 249e2001 controllers/sriovnetworknodepolicy_controller.go,
    DefaultPolicyName)."""
    found = [each for name in cluster.made for each in producers_of(cluster, name) if each.resource == name]
    return [each for each in found if not (is_policy(each) and each.thing.name == _SKIPPED)]


def _shares(producer: Producer) -> bool:
    """Whether its devices are RDMA devices of PFs that several pods share, not VFs."""
    return producer.config is not None and producer.config.shared
