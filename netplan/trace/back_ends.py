"""What installs a pod's rules and tables: one function for each back end.

``PLUGINS`` has the back ends that are CNI plugins, by type; each runs after its interface got its addresses,
as the plugin does. ``shell`` has the back end that runs in the pod. A plugin in neither ``PLUGINS`` nor
``NEUTRAL`` is reported as one that trace cannot judge.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from ipaddress import ip_address, ip_network
from typing import Any

from netplan.trace.linux import MAIN, KernelRoute, Namespace, Owned, Prefix, default_route, effective

NEUTRAL = frozenset({"rdma", "tuning"})
"""Chained plugins that change neither rules nor routes."""

_FIRST_TABLE = 100
"""sbr takes the first free table id from here on (containernetworking/plugins, sbr/main.go)."""


def attach(
    space: Namespace,
    interface: str,
    owned: tuple[Owned, ...],
    routes: list[dict[str, Any]],
    chain: tuple[dict[str, Any], ...],
) -> list[str]:
    """One CNI ADD: addresses, the IPAM's routes, then the chained plugins. Returns the types it does not
    know."""
    space.addresses[interface] = owned
    for address in owned:
        space.add_route(KernelRoute(dst=address.prefix, dev=interface, src=address.ip))
    for route in routes:
        _ipam_route(space, interface, owned, route)
    unknown = []
    values: dict[str, str] = {}
    for plugin in chain[1:]:
        kind = str(plugin["type"])
        if kind == "tuning":
            values |= plugin.get("sysctl", {})  # a later plugin overrides the key
            _sysctls(space, interface, values)
        elif kind in PLUGINS:
            PLUGINS[kind](space, interface, plugin)
        elif kind not in NEUTRAL:
            unknown.append(kind)
    return unknown


def _sysctls(space: Namespace, interface: str, values: Mapping[str, str]) -> None:
    space.arp_ignore[interface] = effective(values, "arp_ignore", interface)
    space.rp_filter[interface] = effective(values, "rp_filter", interface)


def _ipam_route(space: Namespace, interface: str, owned: tuple[Owned, ...], route: dict[str, Any]) -> None:
    """Add a route of the IPAM; without a gateway of its own it uses the addresses'
    (containernetworking/plugins v1.9.1 pkg/ipam/ipam_linux.go).

    Plugins honour ``table`` from 1.6.0 on (the same file at v1.5.1 and v1.6.0).
    """
    dst = ip_network(route["dst"], strict=False)
    gateways = (o.gateway for o in owned if o.gateway is not None and o.gateway.version == dst.version)
    via = ip_address(route["gw"]) if route.get("gw") else next(gateways, None)
    if via is not None and int(via) == 0:
        via = None  # 0.0.0.0 asks for an on-link route
    space.add_route(KernelRoute(dst=dst, dev=interface, via=via), int(route.get("table", MAIN)))


def sbr(space: Namespace, interface: str, plugin: Mapping[str, Any]) -> None:
    """Source-based routing: a rule and a table for each address (containernetworking/plugins v1.9.1
    plugins/meta/sbr/main.go, doRoutes; ``addSourceHints``: 3d27709, in no release).

    The table gets a default route through the IPAM's gateway and the interface's routes of main, which leave
    main. With ``table`` only the rule is added; ``addSourceHints`` keeps the connected routes in main.
    """
    owned = space.addresses[interface]
    if "table" in plugin:
        for address in owned:
            space.add_rule(_host(address), int(plugin["table"]))
        return
    mine = [route for route in space.table(MAIN) if route.dev == interface]
    for address in owned:
        table = _free_table(space)
        space.add_rule(_host(address), table)
        if address.gateway is not None:
            default = default_route(address.ip.version)
            space.add_route(KernelRoute(dst=default, dev=interface, via=address.gateway), table)
        for route in reversed(mine):
            if _belongs(route, address):
                space.replace_route(route, table)
    connected = [o.prefix for o in owned] if plugin.get("addSourceHints") else []
    space.tables[MAIN] = [
        r for r in space.table(MAIN) if r.dev != interface or (r.via is None and r.dst in connected)
    ]


def _free_table(space: Namespace) -> int:
    used = {rule.table for rule in space.rules}
    return next(number for number in range(_FIRST_TABLE, _FIRST_TABLE + 1000) if number not in used)


def _host(address: Owned) -> Prefix:
    return ip_network(address.ip)


def _belongs(route: KernelRoute, address: Owned) -> bool:
    """Whether the route's source or gateway lies in the address's prefix, or it has neither."""
    points = [p for p in (route.src, route.via) if p is not None]
    if not points:
        return route.dst.version == address.ip.version
    return any(p.version == address.prefix.version and p in address.prefix for p in points)


PLUGINS: Mapping[str, Callable[[Namespace, str, Mapping[str, Any]], None]] = {"sbr": sbr}
