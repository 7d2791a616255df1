"""The steps of one interface: attachment, network, resource, device, VLAN, MTU, addresses, routes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from operator import attrgetter
from typing import Any

from netplan.diagnostics import Path
from netplan.graph.kubernetes.attachments import PodInterface, nearest
from netplan.graph.kubernetes.cluster import ANY, SRIOV, Nad, ObjectGraph, Plugin, Pod, same_resource
from netplan.graph.kubernetes.misplaced import misplaced
from netplan.graph.kubernetes.producers import Producer, nameless, producers_of
from netplan.graph.kubernetes.supplies import Supply, supplies_of
from netplan.graph.kubernetes.tags import standing_on, vlan_of_master
from netplan.reading.kubernetes.objects import Thing, mapping
from netplan.rules.kubernetes.misnamed_resources import misnamed
from netplan.rules.kubernetes.pods import injected
from netplan.trace.chains.devices import ONLY_A_KIND, all_named, ports_of, producer_lines
from netplan.trace.chains.model import Chain, Doubt, Line, Meets, Step, Subject, at, unproved

_MADE_ELSEWHERE = "a controller creates the CNI configuration: no file states its plugins"


def chain_of(cluster: ObjectGraph, attachment: PodInterface) -> Chain:
    network = attachment.network
    steps, meets = [_attachment(cluster, attachment)], Meets()
    if network is not None:
        key = ("interface", id(network))
        known = cluster.once(key, lambda: _Interface(cluster, network))
        steps += known.steps(attachment.pod)
        meets = known.meets
    return Chain(
        interface=attachment.interface, network=attachment.reference, steps=tuple(steps), meets=meets
    )


def _attachment(cluster: ObjectGraph, attachment: PodInterface) -> Step:
    thing, network = attachment.pod.thing, attachment.network
    doubts: list[Doubt] = []
    if network is None:
        doubts.append(
            unproved("the files have no such network, nor an object from which an operator would create it")
        )
    others = [n for n in attachment.networks[1:] if n.thing.body != attachment.networks[0].thing.body]
    if network is not None and others:
        places = ", ".join(at(n.thing) for n in others[:4])
        doubts.append(
            unproved(f"{network.thing} is defined elsewhere too ({places}); the nearest is followed")
        )
    subjects: tuple[Subject, ...] = (
        (Subject(thing, attachment.at),) if isinstance(attachment.at[-1], int) else ()
    )
    if meant := misplaced(cluster).get((attachment.namespace, attachment.name)):
        subjects += (Subject(meant.network.thing, meant.at),)
    line = Line(attachment.reference, at(thing, attachment.at))
    return Step(name="attachment", lines=(line,), doubts=tuple(doubts), subjects=subjects)


@dataclass(frozen=True)
class _Interface:
    """An interface on a network that the files define; the same in each pod, except for its resource."""

    cluster: ObjectGraph
    network: Nad

    @property
    def thing(self) -> Thing:
        return self.network.thing

    @cached_property
    def producers(self) -> list[Producer]:
        found = producers_of(self.cluster, self.network.resource) if self.network.resource else []
        return nearest(self.thing, found, attrgetter("thing"))

    @cached_property
    def supplies(self) -> tuple[Supply, ...]:
        return supplies_of(self.cluster, self.network)

    @property
    def main(self) -> dict[str, Any]:
        return self.network.chain[0] if self.network.plugins else {}

    def steps(self, pod: Pod) -> Iterator[Step]:
        first, *rest = self._shared
        resource = self._resource(pod)
        yield from (first, resource, *rest) if resource else self._shared

    @cached_property
    def _shared(self) -> tuple[Step, ...]:
        made = (self._network(), self._device(), self._vlan(), self._mtu(), self._addresses())
        routes = (self._routes(),) if self.supplies else ()
        return (*(step for step in made if step is not None), *routes)

    @cached_property
    def meets(self) -> Meets:
        return Meets(
            network=f"{self.network} ({at(self.thing)})",
            vlan=self._tag()[0],
            mtu=self._mtus()[0][0] if self._mtus() else None,
            subnets=tuple(s.subnet for s in self.supplies if s.subnet is not None),
            routed=any(supply.ways for supply in self.supplies) or self._moved(),
        )

    def _network(self) -> Step:
        made = "" if self.thing.kind == "NetworkAttachmentDefinition" else f", makes NAD {self.network}"
        chain = ", ".join(self.network.types)
        line = Line(f"{self.thing}{made}{': ' if chain else ''}{chain}", at(self.thing))
        doubts = () if chain else (unproved(_MADE_ELSEWHERE),)
        return Step(name="network", lines=(line,), doubts=doubts, subjects=(Subject(self.thing, ()),))

    def _resource(self, pod: Pod) -> Step | None:
        resource = self.network.resource
        if resource is None:
            return None
        asked = pod.asked(resource)
        named = next((name for name in sorted(pod.resources()) if same_resource(name, resource)), resource)
        none = "a claim of the pod may provide it" if pod.claimed is None else "the pod asks for none"
        said = f"the pod asks for {asked}" if asked else none
        lines = [Line(f"{named.removeprefix(f'{ANY}/')}, {said}", at(self.thing, self.network.resource_at))]
        doubts = [] if asked or pod.claimed is None else list(self._unasked(resource))
        if not self.producers:
            doubts.append(unproved(f"nothing in the files produces {named.removeprefix(f'{ANY}/')}"))
        elif ANY in {p.resource.partition("/")[0] for p in self.producers} and named.partition("/")[0] != ANY:
            doubts.append(
                unproved(f"no file says that the prefix is {named.rpartition('/')[0]}: {self._prefix()}")
            )
        places = [Subject(self.thing, self.network.resource_at), *asking_of(pod, resource)]
        if other := misnamed(self.cluster).get(resource.rpartition("/")[2]):
            places.append(Subject(other.thing, other.at))
        if not self.producers:
            places += [Subject(policy, ("spec", "resourceName")) for policy in nameless(self.cluster)]
        return Step(name="resource", lines=tuple(lines), doubts=tuple(doubts), subjects=tuple(places))

    def _prefix(self) -> str:
        """Where it is set."""
        policies = any(producer.thing.group == SRIOV for producer in self.producers)
        return "chart value resourcePrefix of the operator" if policies else "--resource-prefix of the plugin"

    def _unasked(self, resource: str) -> Iterator[Doubt]:
        if injected(self.cluster, resource):
            yield unproved("the operator's injector adds it if its webhook is on")
        else:
            yield unproved("no container asks for it")

    def _device(self) -> Step | None:
        if self.network.resource is not None:
            return self._produced() if self.producers else None
        stands = [key for key in _STANDS_ON if isinstance(self.main.get(key), str) and self.main[key]]
        if not stands:
            return None
        path, plugin = self.network.plugins[0]
        lines = tuple(Line(f"{key} {plugin[key]}", at(self.thing, (*path, key))) for key in stands)
        lines += tuple(
            ports_of(self.cluster, names=[name for key in stands for name in standing_on(plugin[key])])
        )
        return Step(
            name="device", lines=lines, subjects=tuple(Subject(self.thing, (*path, k)) for k in stands)
        )

    def _produced(self) -> Step:
        lines, subjects = producer_lines(self.cluster, self.producers)
        doubts = () if all_named(self.cluster, self.producers) else (unproved(ONLY_A_KIND),)
        return Step(name="device", lines=lines, doubts=doubts, subjects=subjects)

    def _tag(self) -> tuple[int | None, Path, str]:
        """(VLAN, path, name of the setting); VLAN None if it is not known."""
        if not self.network.plugins:
            return None, (), ""
        path, plugin = self.network.plugins[0]
        for key in _TAGS:
            if plugin.get(key) not in (None, "", 0):
                value = plugin[key]
                return (value if type(value) is int else None), (*path, key), f"{key} {value}"
        vlan = vlan_of_master(plugin)
        if vlan is not None:
            return vlan, (*path, "master"), f"VLAN {vlan}, by the name of its master {plugin['master']}"
        infiniband = plugin.get("type") in _INFINIBAND
        return 0, path, "no pkey is stated" if infiniband else "untagged: no vlan is stated"

    def _vlan(self) -> Step | None:
        if not self.network.plugins:
            return None
        vlan, path, said = self._tag()
        doubts = () if vlan is not None else (unproved("the VLAN is a placeholder"),)
        plugin = self.network.plugins[0][0]
        places = [(*plugin, key) for key in (*_TAGS, "vlanQoS", "vlanProto", "trunk")]
        subjects = tuple(Subject(self.thing, place) for place in places)
        return Step(name="vlan", lines=(Line(said, at(self.thing, path)),), doubts=doubts, subjects=subjects)

    def _mtus(self) -> list[tuple[int, str, Thing, Path]]:
        """Settings of the MTU, the one that wins first: tuning, then the plugin, then the policy."""
        plugins = sorted(self.network.plugins, key=lambda each: each[1].get("type") != "tuning")
        found = [
            (p["mtu"], f"of {p.get('type')}", self.thing, (*path, "mtu"))
            for path, p in plugins
            if type(p.get("mtu")) is int and p["mtu"] > 0
        ]
        policies: dict[int, list[Producer]] = {}
        for producer in self.producers:
            policies.setdefault(producer.mtu or 0, []).append(producer)
        for mtu, (first, *others) in policies.items():
            more = f" and {len(others)} more" if others else ""
            found += [(mtu, f"of {first}{more}", first.thing, ("spec", "mtu"))] if mtu else []
        return found

    def _mtu(self) -> Step | None:
        if not self.network.plugins:
            return None
        found = self._mtus()
        lines = tuple(Line(f"{mtu} {whose}", at(thing, path)) for mtu, whose, thing, path in found)
        doubts = () if found else (unproved("no file states it: the interface keeps the MTU of its port"),)
        subjects = tuple(Subject(thing, path) for _, _, thing, path in found)
        return Step(name="mtu", lines=lines, doubts=doubts, subjects=subjects)

    def _addresses(self) -> Step | None:
        if not self.network.plugins:
            return None
        if not self.supplies:
            return Step(name="addresses", lines=(Line("none: the network has no ipam", at(self.thing)),))
        lines, doubts, subjects = [], [], []
        for supply in self.supplies:
            pool = supply.pool
            lines.append(Line(_supplied(supply), at(pool) if pool else at(self.thing, supply.at)))
            subjects += [Subject(self.thing, supply.at), *([Subject(pool, ())] if pool else [])]
            if supply.absent:
                doubts.append(unproved(f"{supply.source} is not in the files"))
            elif supply.subnet is None:
                doubts.append(
                    unproved(_NO_RANGE.get(supply.kind, f"{supply.kind} states no range that is read"))
                )
        return Step(
            name="addresses",
            lines=tuple(lines),
            doubts=tuple(dict.fromkeys(doubts)),
            subjects=tuple(dict.fromkeys(subjects)),
        )

    def _moved(self) -> bool:
        return bool({"sbr", "coordinator"} & {*self.network.types})

    def _routes(self) -> Step:
        lines = [line for supply in self.supplies for line in self._ways(supply)]
        lines += [
            Line(_ROUTERS[str(plugin.get("type"))], at(self.thing, path)) for path, plugin in self._routers()
        ]
        absent = [supply.source for supply in self.supplies if supply.absent]
        doubts = (unproved(f"routes of {source} are not in the files") for source in absent)
        return Step(
            name="routes",
            lines=tuple(dict.fromkeys(lines or [Line("on-link only", at(self.thing))])),
            doubts=tuple(dict.fromkeys(doubts)),
            subjects=tuple(dict.fromkeys(self._route_places())),
        )

    def _ways(self, supply: Supply) -> Iterator[Line]:
        """Routes that come with the addresses. A gateway matters to routes and to plugins that move them."""
        place = at(supply.pool) if supply.pool else at(self.thing, supply.at)
        gateway = supply.gateway or dict(supply.facts).get("gatewayIndex", "")
        ways: dict[str, list[str]] = {}
        for way in supply.ways:
            via = way.via or (f"gateway {gateway}" if gateway else "")
            ways.setdefault(f"via {via}" if via else "on link", []).append(way.to)
        yield from (Line(f"{', '.join(targets)} {via}", place) for via, targets in ways.items())
        if gateway and not supply.ways and not self._moved():
            yield Line(f"on-link only: gateway {gateway} is in no route", place)

    def _routers(self) -> list[Plugin]:
        """Chained plugins that change routes."""
        return [(path, p) for path, p in self.network.plugins[1:] if str(p.get("type")) in _ROUTERS]

    def _route_places(self) -> Iterator[Subject]:
        for supply in self.supplies:
            yield Subject(self.thing, (*supply.at, "routes"))
            for key in ("routes", "defaultGateway") if supply.pool is not None else ():
                yield Subject(supply.pool or self.thing, ("spec", key))
        yield from (Subject(self.thing, path) for path, _ in self._routers())


_STANDS_ON = ("master", "device", "hwaddr", "kernelpath", "pciBusID", "deviceID", "bridge")
"""Keys of main plugins that name the host device below the interface."""
_TAGS = ("vlan", "vlanId", "pkey")
_INFINIBAND = ("ib-sriov", "ipoib")
_NO_RANGE = {
    "dhcp": "a DHCP server assigns them: no file states its range",
    "spiderpool": "annotations of the pod or its namespace decide, or the default pool",
    "static": "they can only be in each pod's annotation",
}
_ROUTERS = {
    "sbr": "sbr: routes of the interface in a table of their own, for its source addresses",
    "coordinator": "coordinator: Spiderpool moves routes of the interface into a table of their own",
    "route-override": "route-override: changes the routes",
    "vrf": "vrf: the interface is in a VRF of its own",
}


def asking_of(pod: Pod, resource: str) -> Iterator[Subject]:
    """Places where containers request a resource."""
    for path, container in (*pod.containers(), *pod.containers("initContainers")):
        for part in ("limits", "requests"):
            for name in mapping(mapping(container.get("resources")).get(part)):
                if same_resource(str(name), resource):
                    yield Subject(pod.thing, (*path, "resources", part, name))


def _supplied(supply: Supply) -> str:
    net = "" if supply.subnet is None else f" {supply.subnet}"
    shown = "" if net.strip() in supply.source else net
    gateway = (("gateway", supply.gateway),) if supply.gateway else ()
    facts = ", ".join(f"{key} {value}" for key, value in (*gateway, *supply.facts))
    return f"{supply.source}{shown}{', ' if facts else ''}{facts}"
