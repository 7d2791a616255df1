"""Expand each entry of ``links`` into one link per cable."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import product
from typing import Any

from netplan.diagnostics import Path
from netplan.model.hardware import Host, HostLink, HostType, PortSettings, Switch, SwitchLink
from netplan.model.ranges import MAX_NAMES, is_range
from netplan.resolve.context import Context

_HOST_KEYS = ("hosts", "hca", "switch")
_SWITCH_KEYS = ("switches", "to", "to_ports")
_SIDES = (*_HOST_KEYS, *_SWITCH_KEYS)
_KINDS = {"hosts": "host", "switches": "switch"}
_ON_OFF = {True: "on", False: "off"}
MAX_CABLES = 5 * MAX_NAMES
"""Limit for all links together; 12,500 hosts with 8 HCAs and their switches have about 300,000 cables."""


def build_links(
    links: Sequence[Mapping[str, Any]],
    hosts: Mapping[str, Host],
    switches: Mapping[str, Switch],
    context: Context,
) -> tuple[tuple[HostLink, ...], tuple[SwitchLink, ...]]:
    host_links: list[HostLink] = []
    switch_links: list[SwitchLink] = []
    for index, values in enumerate(links):
        at: Path = ("links", index)
        if at in context.refused:
            continue
        if len(host_links) + len(switch_links) > MAX_CABLES:
            what = f"the links up to here expand to more than {MAX_CABLES} cables"
            context.problems.add("NP102", at, what, "remove links that are written more than once")
            context.refused.add(("links",))
            return (), ()
        given = tuple([k for k in _SIDES if k in values])
        if given == _HOST_KEYS and (link := _one_cable(values, at, hosts, switches)) is not None:
            host_links.append(link)
        elif given == _HOST_KEYS:
            host_links += _host_links(values, at, hosts, switches, context)
        elif given == _SWITCH_KEYS:
            switch_links += _switch_links(values, at, switches, context)
        else:
            context.problems.add(
                "NP106",
                at,
                f"a link has the keys {', '.join(given) or 'of neither side'}",
                "give hosts, hca and switch for a host link, or switches, to and to_ports for a switch link",
            )
    return tuple(host_links), tuple(switch_links)


def _one_cable(
    values: Mapping[str, Any], at: Path, hosts: Mapping[str, Host], switches: Mapping[str, Switch]
) -> HostLink | None:
    """A link without ranges, as in inventories with 100,000 links: what `_host_links` makes of it, in half
    the time. None if anything else is written."""
    host, switch = hosts.get(values["hosts"]), switches.get(values["switch"])
    if host is None or switch is None:
        return None
    hca, port = host.type.hca(values["hca"]), values["ports"]
    if hca is None or "[" in port or "]" in port:
        return None
    return HostLink(
        host=host,
        hca=hca,
        switch=switch,
        port=port,
        cable_m=values["cable_m"],
        settings=_settings(values),
        optic=values.get("optic"),
        at=at,
    )


def _host_links(
    values: Mapping[str, Any],
    at: Path,
    hosts: Mapping[str, Host],
    switches: Mapping[str, Switch],
    context: Context,
) -> list[HostLink]:
    """Pair hosts with the ports of one switch; a range of HCAs pairs one to one with a range of switches."""
    host_names = _known(values, "hosts", at, hosts, "hosts", context)
    switch_names = _known(values, "switch", at, switches, "switches", context)
    hcas = context.names(values["hca"], (*at, "hca"))
    ports = context.names(values["ports"], (*at, "ports"))
    if not (host_names and switch_names and hcas and ports):
        return []
    several = len(switch_names) > 1
    if several and not _same_length(len(switch_names), len(hcas), at, "switch", "hca", context):
        return []
    left, right = len(host_names) * len(hcas), len(switch_names) * len(ports)
    if not _same_length(left, right, at, "hosts and hca", "ports", context):
        return []
    ends = _ends(host_names, hcas, switch_names)
    settings, cable_m, optic = _settings(values), values["cable_m"], values.get("optic")
    out = []
    for (host_name, hca_name, switch_name), port in zip(ends, ports * len(switch_names), strict=True):
        if host_name not in hosts or switch_name not in switches:
            continue  # a hole still uses up its port, so no other cable shifts to a different one
        host = hosts[host_name]
        hca = host.type.hca(hca_name)
        if hca is None:
            _refuse_hca(host.type, hca_name, at, context)
            return []
        out.append(
            HostLink(
                host=host,
                hca=hca,
                switch=switches[switch_name],
                port=port,
                cable_m=cable_m,
                settings=settings,
                optic=optic,
                at=at,
            )
        )
    return out


def _ends(hosts: Sequence[str], hcas: Sequence[str], switches: Sequence[str]) -> list[tuple[str, str, str]]:
    """(host, HCA, switch) of each cable; with several switches, the n-th HCA goes to the n-th switch."""
    if len(switches) == 1:
        return [(host, hca, switches[0]) for host, hca in product(hosts, hcas)]
    return [(host, hca, switch) for hca, switch in zip(hcas, switches, strict=True) for host in hosts]


def _refuse_hca(host_type: HostType, name: str, at: Path, context: Context) -> None:
    known = [h.name for h in host_type.hcas]
    context.problems.unknown((*at, "hca"), f"HCA of host type {host_type.name}", name, known)
    context.partial.add((*host_type.at, "hcas", name))


def _switch_links(
    values: Mapping[str, Any], at: Path, switches: Mapping[str, Switch], context: Context
) -> list[SwitchLink]:
    """Pair each (switch, port) of the lower tier with one of the upper tier, ports varying fastest."""
    lower = _known(values, "switches", at, switches, "switches", context)
    upper = _known(values, "to", at, switches, "switches", context)
    ports = context.names(values["ports"], (*at, "ports"))
    to_ports = context.names(values["to_ports"], (*at, "to_ports"))
    if not (lower and upper and ports and to_ports):
        return []
    left, right = len(lower) * len(ports), len(upper) * len(to_ports)
    if not _same_length(left, right, at, "switches and ports", "to and to_ports", context):
        return []
    settings = _settings(values)
    return [
        SwitchLink(
            lower=switches[a],
            lower_port=port,
            upper=switches[b],
            upper_port=to_port,
            speed_gbps=values.get("speed_gbps"),
            cable_m=values["cable_m"],
            settings=settings,
            optic=values.get("optic"),
            at=at,
        )
        for (a, port), (b, to_port) in zip(product(lower, ports), product(upper, to_ports), strict=True)
        if a in switches and b in switches
    ]


def _settings(values: Mapping[str, Any]) -> PortSettings:
    autoneg = _ON_OFF[values["autoneg"]] if "autoneg" in values else ""
    return _port_settings(values.get("admin_status", ""), values.get("fec", ""), autoneg)


@lru_cache(maxsize=256)
def _port_settings(admin_status: str, fec: str, autoneg: str) -> PortSettings:
    """Cached: most links have the same settings."""
    return PortSettings(admin_status=admin_status, fec=fec, autoneg=autoneg)


def _known(
    values: Mapping[str, Any], key: str, at: Path, known: Mapping[str, object], section: str, context: Context
) -> tuple[str, ...]:
    """Members of a range; empty, with NP101, if one is neither defined nor a hole nor refused."""
    if values[key] in known:
        return (values[key],)
    names = context.names(values[key], (*at, key))
    for name in names:
        if name in known:
            continue
        hole = is_range(values[key]) and (section, name) in context.absent
        if not hole and not context.is_refused(section, name):
            context.problems.unknown((*at, key), _KINDS[section], name, known)
            context.partial.add((section, name))
            return ()
    return names


def _same_length(left: int, right: int, at: Path, left_name: str, right_name: str, context: Context) -> bool:
    """Whether both sides expand to the same number of ends, at most MAX_NAMES; else NP104 or NP102.

    Called before the product is built, so an oversized link costs no memory.
    """
    if left != right:
        what = f"{left_name} expand to {left} ends, {right_name} to {right}"
        context.problems.add("NP104", at, what, "give both sides the same length")
    elif left > MAX_NAMES:
        what = f"{left_name} expand to {left} ends, the limit is {MAX_NAMES}"
        context.problems.add("NP102", at, what, "shorten the ranges")
    return left == right <= MAX_NAMES
