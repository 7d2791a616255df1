"""A pod of a workload on a host, wired as its network attachments and scripts do it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from ipaddress import ip_address, ip_network

from netplan.graph.drivers import by_container
from netplan.graph.kubernetes.cluster import Nad
from netplan.model.site import SiteHost
from netplan.trace.addresses import Turn, Turns, addresses
from netplan.trace.asked import card_faults
from netplan.trace.back_ends import attach
from netplan.trace.classes import sent
from netplan.trace.devices import Device, device_of, plugin_unknown, settings_faults
from netplan.trace.isolation import attachment_faults, isolation
from netplan.trace.linux import KernelRoute, Namespace, Prefix, default_route
from netplan.trace.model import Fault, Nic, TracePod, Verdict, divided
from netplan.trace.pod_nics import Interfaces, place_of
from netplan.trace.pods_per_node import pods_on
from netplan.trace.pools import pool_faults, site_faults
from netplan.trace.refused import refused_network, refused_producer
from netplan.trace.shell import ScriptError, run_script
from netplan.trace.site import TracedSite, TraceWorkload
from netplan.trace.sysctls import tuned
from netplan.trace.units import Use, host_faults
from netplan.trace.wiring import PRIMARY, script_of, wiring

_POD_GATEWAY = {4: ip_address("169.254.1.1"), 6: ip_address("fe80::1")}
"""Next hop of the pod network's default route; its value decides nothing here."""

VF_KINDS = ("sriov", "ib-sriov")
"""Main plugins that give a pod a VF."""


def build_pod(site: TracedSite, workload: TraceWorkload, host: SiteHost, slot: int = 0) -> TracePod:
    """The pod in a slot of a host: 0, or 1 for a second pod beside it."""
    return _Builder(site, workload, host, slot).build()


class _Builder:
    def __init__(self, site: TracedSite, workload: TraceWorkload, host: SiteHost, slot: int) -> None:
        self.site, self.workload, self.host, self.slot = site, workload, host, slot
        self.interfaces = Interfaces(site, workload, host)
        self.space = Namespace()
        self.nics: dict[str, Nic] = {}
        self.faults: list[Fault] = []
        self.notes: list[str] = []
        self.taken: list[tuple[str, Device]] = []

    def build(self) -> TracePod:
        self.space.addresses[PRIMARY] = ()
        for version, gateway in _POD_GATEWAY.items():
            self.space.add_route(KernelRoute(dst=default_route(version), dev=PRIMARY, via=gateway))
        self._attach_all()
        if self.workload.claims:
            self.nics |= {nic.name: nic for nic in self.interfaces.claimed() if nic.name not in self.nics}
        elif not self.workload.attachments:
            self.nics = {nic.name: nic for nic in self.interfaces.plain_devices()}
        if not self.workload.claims:
            self._script()
            self._compare()
        self._judge((*self.site.unapplied, *self.site.without_namespace, *self.site.unasked))
        self._judge(site_faults(self.site, self.workload, self.host, list(self.nics.values())))
        self._judge(wiring(self.workload, self.nics, self.site.cluster, self.site.texts))
        self._judge(self.site.apart(self.workload.name, self.host))
        self._judge(self.site.ruled(self.workload.name))
        container = by_container(self.site.cluster)
        self._judge(host_faults(self.site.texts, self.host, tuple(self._uses()), container=container))
        return TracePod(
            workload=self.workload.name,
            host=self.host,
            primary=PRIMARY,
            nics=self.nics,
            space=self.space,
            sent=sent(self.site.facts.classes, self.workload, self.nics.values()),
            routes_file=self._routes_file(),
            intended=self._intended(),
            problems=tuple(self.faults),
            notes=tuple(dict.fromkeys(self.notes)),
        )

    def _compare(self) -> None:
        """What plugins and scripts set up with ``routes.yaml``. Without an interface or its addresses, its
        rules and tables are missing, and others have its numbers: only the reason is said."""
        if any(each.network is None for each in self.workload.attachments):
            return
        unknown = [fault.text for nic in self.nics.values() for fault in nic.unknown]
        self._say(unknown or self.workload.routes.differences(self.space, self._routes_file()))

    def _attach_all(self) -> None:
        """In the order of the annotation."""
        if self.workload.unreadable:
            self._lost(f"the annotation is not a list of networks ({self.workload.networks_at})")
        used: Counter[str] = Counter()
        turns = Turns((a.network for a in self.workload.attachments if a.network is not None), self.slot)
        for each in self.workload.attachments:
            if each.network is None:
                missing = f"there is no network {each.name} ({self.workload.networks_at})"
                self._lost(refused_network(self.site.objects.refused, each.name) or missing)
                continue
            if not each.network.plugins:
                self.nics[each.interface] = self.interfaces.unwritten(each.interface, each.network)
                continue
            nth = used[each.network.resource or ""]
            used[each.network.resource or ""] += 1
            self._attach(each.interface, each.network, nth, turns.next(each.network))

    def _uses(self) -> Iterator[Use]:
        """Use of each port: the VFs that pods of the workload take on a node."""
        pods = self._pods()
        vfs = Counter(device.hca for kind, device in self.taken if kind in VF_KINDS)
        for hca in dict.fromkeys(device.hca for _, device in self.taken):
            if hca is None:
                continue
            offers = [d.offer for _, d in self.taken if d.hca == hca and d.offer is not None]
            limits = [o.most for o in offers if o.most is not None]
            made = not any(o.by_policy for o in offers)
            yield Use(hca, pods * vfs[hca], made, min(limits, default=None))

    def _pods(self) -> int:
        by_gpus = pods_on(self.workload, self.host)
        return min(by_gpus, self.site.facts.pods.get(self.workload.name, by_gpus))

    def _judge(self, found: Iterable[Fault]) -> None:
        faults, notes = divided(found)
        self.faults += faults
        self.notes += notes

    def _say(self, texts: Iterable[str]) -> None:
        self.notes += texts

    def _lost(self, text: str) -> None:
        self.faults.append(Fault(Verdict.LOST, text))

    def _attach(self, interface: str, network: Nad, nth: int, turn: Turn) -> None:
        main, file = network.chain[0], network.thing.file
        owned, routes, faults = addresses(self.site, network, self.host, turn)
        if not network.ipams and interface not in self.workload.routes.rails:
            text = f"{network.name} has no IPAM ({file}): no file gives {interface} an address"
            faults = [*faults, Fault(Verdict.UNPROVED, text)]
        unknown = attach(self.space, interface, tuple(owned), routes, network.chain)
        self._say(f"plugin {kind} of {network.name} is not judged ({file})" for kind in unknown)
        master = main.get("master") or network.thing.spec.get("master")
        asked = self.workload.pod.asked(network.resource) if network.resource else 0
        device = device_of(
            self.site.cluster, self.site.texts, network, self.host, master=master, nth=nth, asked=asked
        )
        self.taken.append((network.types[0], device))
        explained = () if owned else tuple(faults)
        faults = [*faults, *attachment_faults(network), *tuned(network)]
        faults += pool_faults(self.site, network, self.host, self._pods())
        faults += isolation(self.site.texts, self.site.cluster, self.host, network, place_of(network))
        faults += self._of_device(device, network)
        problems = (*faults, *self.interfaces.swapped(interface, device))
        self.nics[interface] = self.interfaces.attached(interface, network, device, problems, explained)

    def _of_device(self, device: Device, network: Nad) -> Iterator[Fault]:
        if device.wrong:
            refused = refused_producer(self.site.objects.refused, network.resource)
            yield Fault(Verdict.LOST, refused or f"{device.wrong} ({network.thing.file})")
        yield from (Fault(Verdict.UNPROVED, text) for text in device.open)
        if device.hca is not None:
            yield from card_faults(device.hca, self.taken[-1][0], self.host.name)
        if device.offer is None:
            return
        if unknown := plugin_unknown(device.offer, self.site.cluster):
            yield Fault(Verdict.UNPROVED, unknown)
        for refutes, text in settings_faults(device.offer, self.host, self.workload.verbs_mounted):
            yield Fault(Verdict.LOST if refutes else Verdict.UNPROVED, text)

    def _script(self) -> None:
        script = script_of(self.workload)
        if script is None:
            return
        try:
            run_script(script.text, self.space)
        except ScriptError as error:
            self._lost(f"{script.at}: {error}")

    def _routes_file(self) -> str:
        script = script_of(self.workload)
        if script is not None:
            return script.at
        return next((nic.file for nic in self.nics.values()), self.workload.file)

    def _intended(self) -> frozenset[tuple[str, str]]:
        """Pairs of interfaces that should reach each other: each with its counterpart, and those for which
        ``routes.yaml`` lists a route from one to the other's addresses."""
        pairs = {(name, name) for name in self.nics}
        for name, (_, reached) in self.workload.routes.rails.items():
            prefixes = [ip_network(text, strict=False) for text in reached]
            for other in self.nics:
                owned = self.space.addresses.get(other, ())
                if any(_covers(p, o.prefix) for p in prefixes for o in owned):
                    pairs.add((name, other))
        return frozenset(pairs)


def _covers(wide: Prefix, narrow: Prefix) -> bool:
    same = wide.version == narrow.version
    return same and wide.prefixlen <= narrow.prefixlen and narrow.network_address in wide
