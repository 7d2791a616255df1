"""Cables: every entry of ``links`` becomes one link per cable."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any

from netplan.diagnostics import Path
from netplan.model.fabric import Host, HostLink, Switch, SwitchLink
from netplan.resolve.context import Context

_HOST_KEYS = ("hosts", "hca", "switch")
_SWITCH_KEYS = ("switches", "to", "to_ports")


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
        given = [k for k in (*_HOST_KEYS, *_SWITCH_KEYS) if k in values]
        if given == list(_HOST_KEYS):
            host_links += _host_links(values, at, hosts, switches, context)
        elif given == list(_SWITCH_KEYS):
            switch_links += _switch_links(values, at, switches, context)
        else:
            context.problems.add(
                "NP106",
                at,
                f"a link has the keys {', '.join(given) or 'of neither side'}",
                "give hosts, hca and switch for a host link, or switches, to and to_ports for a switch link",
            )
    return tuple(host_links), tuple(switch_links)


def _host_links(
    values: Mapping[str, Any],
    at: Path,
    hosts: Mapping[str, Host],
    switches: Mapping[str, Switch],
    context: Context,
) -> list[HostLink]:
    """Hosts pair with ports on one switch; a range of HCAs with a range of switches pairs one to one."""
    host_names = _known(values, "hosts", at, hosts, "host", context)
    switch_names = _known(values, "switch", at, switches, "switch", context)
    hcas = context.names(values["hca"], (*at, "hca"))
    ports = context.names(values["ports"], (*at, "ports"))
    if not (host_names and switch_names and hcas and ports):
        return []
    if len(switch_names) > 1:
        if not _same_length(len(switch_names), len(hcas), at, "switch", "hca", context):
            return []
        ends = [(h, hca, switch) for hca, switch in zip(hcas, switch_names, strict=True) for h in host_names]
        all_ports = [p for _ in switch_names for p in ports]
    else:
        ends = [(h, hca, switch_names[0]) for h, hca in product(host_names, hcas)]
        all_ports = list(ports)
    if not _same_length(len(ends), len(all_ports), at, "hosts and hca", "ports", context):
        return []
    out = []
    for (host_name, hca_name, switch_name), port in zip(ends, all_ports, strict=True):
        host = hosts[host_name]
        hca = host.type.hca(hca_name)
        if hca is None:
            known = [h.name for h in host.type.hcas]
            context.problems.unknown((*at, "hca"), f"HCA of host type {host.type.name}", hca_name, known)
            return []
        out.append(
            HostLink(
                host=host, hca=hca, switch=switches[switch_name], port=port, cable_m=values["cable_m"], at=at
            )
        )
    return out


def _switch_links(
    values: Mapping[str, Any], at: Path, switches: Mapping[str, Switch], context: Context
) -> list[SwitchLink]:
    """Every (switch, port) of the lower side pairs with one of the upper side, ports varying fastest."""
    lower = _known(values, "switches", at, switches, "switch", context)
    upper = _known(values, "to", at, switches, "switch", context)
    ports = context.names(values["ports"], (*at, "ports"))
    to_ports = context.names(values["to_ports"], (*at, "to_ports"))
    if not (lower and upper and ports and to_ports):
        return []
    left, right = list(product(lower, ports)), list(product(upper, to_ports))
    if not _same_length(len(left), len(right), at, "switches and ports", "to and to_ports", context):
        return []
    return [
        SwitchLink(
            lower=switches[a],
            lower_port=port,
            upper=switches[b],
            upper_port=to_port,
            speed_gbps=values.get("speed_gbps"),
            cable_m=values["cable_m"],
            at=at,
        )
        for (a, port), (b, to_port) in zip(left, right, strict=True)
    ]


def _known(
    values: Mapping[str, Any], key: str, at: Path, known: Mapping[str, object], kind: str, context: Context
) -> tuple[str, ...]:
    """Members of a range that all exist, else empty with NP101."""
    names = context.names(values[key], (*at, key))
    for name in names:
        if name not in known:
            context.problems.unknown((*at, key), kind, name, list(known))
            return ()
    return names


def _same_length(left: int, right: int, at: Path, left_name: str, right_name: str, context: Context) -> bool:
    if left != right:
        context.problems.add(
            "NP104",
            at,
            f"{left_name} give {left} ends, {right_name} give {right}",
            "give both sides the same length",
        )
    return left == right
