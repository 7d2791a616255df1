"""The routing state of one pod and how Linux uses it: rules, tables, the device a socket is bound to.

The order is the kernel's: rules by priority; in a table the longest prefix, then the smaller metric
(ip-rule(8), ip-route(8)), then the route added last (torvalds/linux net/ipv4/fib_trie.c, fib_table_insert). A
socket bound to a device that finds no route takes the destination as on-link (net/ipv4/route.c,
ip_route_output_key_hash_rcu). tests/netns/test_flows.py compares this with a kernel.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_network

from netplan.records import dataclass

Address = IPv4Address | IPv6Address
Prefix = IPv4Network | IPv6Network

MAIN = 254
_MAIN_PRIORITY = 32766
_DEFAULTS = {4: ip_network("0.0.0.0/0"), 6: ip_network("::/0")}


@dataclass(frozen=True, slots=True)
class Owned:
    """An address of an interface with its prefix, and the gateway the IPAM gave with it."""

    ip: Address
    prefix: Prefix
    gateway: Address | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class KernelRoute:
    """``dev`` is None for ``unreachable``, ``via`` None for an on-link route. ``src``: source address for
    unbound sockets."""

    dst: Prefix
    dev: str | None
    via: Address | None = None
    metric: int = 0
    src: Address | None = None


@dataclass(frozen=True, slots=True)
class RoutingRule:
    """``source`` is None for ``from all``."""

    priority: int
    source: Prefix | None
    table: int


@dataclass(frozen=True, slots=True)
class Decision:
    """How a packet leaves: ``dev``, None if it does not; ``rule`` and ``route`` decided it.

    ``guessed``: there was no route, so the kernel took the device the socket is bound to and the destination
    as on-link.
    """

    dev: str | None
    next_hop: Address
    src: Address | None
    rule: RoutingRule | None
    route: KernelRoute | None
    guessed: bool = False


@dataclass(slots=True)
class Namespace:
    """Network state of a pod while its plugins and scripts run, in their order.

    ``addresses``: interface -> its addresses, the primary one first. ``arp_ignore``, ``rp_filter``: interface
    -> effective value.
    """

    addresses: dict[str, tuple[Owned, ...]] = field(default_factory=dict)
    rules: list[RoutingRule] = field(default_factory=list)
    tables: dict[int, list[KernelRoute]] = field(default_factory=dict)
    arp_ignore: dict[str, int] = field(default_factory=dict)
    rp_filter: dict[str, int] = field(default_factory=dict)
    _sorted: list[RoutingRule] | None = None

    def table(self, number: int) -> list[KernelRoute]:
        return self.tables.setdefault(number, [])

    def add_route(self, route: KernelRoute, table: int = MAIN) -> None:
        """As ``ip route prepend``, which is what the CNI library does: before equal routes."""
        self.table(table).insert(0, route)

    def replace_route(self, route: KernelRoute, table: int = MAIN) -> None:
        routes = self.table(table)
        for index, old in enumerate(routes):
            if (old.dst, old.metric) == (route.dst, route.metric):
                routes[index] = route
                return
        routes.insert(0, route)

    def add_rule(self, source: Prefix | None, table: int, priority: int | None = None) -> None:
        """Without a priority the kernel takes one below its smallest rule, from 32766 down."""
        if priority is None:
            priority = min((r.priority for r in self.rules), default=_MAIN_PRIORITY) - 1
        self.rules.append(RoutingRule(priority, source, table))
        self._sorted = None

    def del_rules(self, priority: int, version: int) -> None:
        """``ip -4 rule del`` leaves the rules of IPv6; one from all is of IPv4 here."""
        kept = (r for r in self.rules if r.priority != priority or _version(r) != version)
        self.rules = [*kept]
        self._sorted = None

    def flush(self, table: int, version: int) -> None:
        self.tables[table] = [route for route in self.table(table) if route.dst.version != version]

    def owned(self, interface: str, version: int) -> tuple[Owned, ...]:
        """The interface's addresses of one IP version."""
        return tuple(o for o in self.addresses.get(interface, ()) if o.ip.version == version)

    def owner(self, address: Address) -> str | None:
        return next((d for d, owned in self.addresses.items() if any(o.ip == address for o in owned)), None)

    def _ordered(self) -> list[RoutingRule]:
        if self._sorted is None:
            main = RoutingRule(_MAIN_PRIORITY, None, MAIN)
            self._sorted = sorted([*self.rules, main], key=lambda rule: rule.priority)
        return self._sorted

    def decide(self, dst: Address, src: Address | None = None, oif: str | None = None) -> Decision:
        """How a packet to ``dst`` leaves; ``src`` and ``oif`` are what its socket is bound to."""
        for rule in self._ordered():
            if rule.source is not None and (src is None or not _within(src, rule.source)):
                continue
            route = self._match(rule.table, dst, oif)
            if route is None:
                continue
            if route.dev is None:
                return self._guess(dst, src, oif, rule, route)
            chosen = src or route.src or self._source(route.dev, route.via or dst)
            return Decision(route.dev, route.via or dst, chosen, rule, route)
        return self._guess(dst, src, oif, None, None)

    def _match(self, table: int, dst: Address, oif: str | None) -> KernelRoute | None:
        best: KernelRoute | None = None
        for route in self.tables.get(table, ()):
            if oif is not None and route.dev is not None and route.dev != oif:
                continue
            if best is not None and _precedence(route) <= _precedence(best):
                continue
            if _within(dst, route.dst):
                best = route
        return best

    def _guess(
        self,
        dst: Address,
        src: Address | None,
        oif: str | None,
        rule: RoutingRule | None,
        route: KernelRoute | None,
    ) -> Decision:
        if oif is None:
            return Decision(None, dst, src, rule, route)
        return Decision(oif, dst, src or self._source(oif, dst), rule, route, guessed=True)

    def _source(self, dev: str, target: Address) -> Address | None:
        """The address on the target's subnet, else the first of its family."""
        family = [o for o in self.addresses.get(dev, ()) if o.ip.version == target.version]
        near = [o for o in family if _within(target, o.prefix)]
        return next((o.ip for o in (*near, *family)), None)


def _version(rule: RoutingRule) -> int:
    return rule.source.version if rule.source is not None else 4


def _precedence(route: KernelRoute) -> tuple[int, int]:
    """Sort key of a route; of two equal ones the first in the table wins."""
    return route.dst.prefixlen, -route.metric


def _within(address: Address, prefix: Prefix) -> bool:
    return address.version == prefix.version and address in prefix


def default_route(version: int) -> Prefix:
    return _DEFAULTS[version]


def effective(values: Mapping[str, str], key: str, interface: str) -> int:
    """The ``net.ipv4.conf`` value in force: the larger of ``all`` and the interface's own.

    torvalds/linux Documentation/networking/ip-sysctl.rst, arp_ignore and rp_filter. ``values``: sysctls as
    the tuning plugin takes them; an unset one has the kernel's default, 0.
    """
    names = (f"net.ipv4.conf.all.{key}", f"net.ipv4.conf.IFNAME.{key}", f"net.ipv4.conf.{interface}.{key}")
    return max((int(values[name]) for name in names if values.get(name, "").isdecimal()), default=0)
