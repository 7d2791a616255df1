"""Ports and VLAN interfaces of record (NetBox, Nautobot, tables of cables) that are not as planned. What a
running configuration states is compared as a whole elsewhere."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from netplan.importing.facts import Kind, Of, Said, Site, place
from netplan.importing.joining.known import Change
from netplan.model.folding import folded
from netplan.model.plan import Plan
from netplan.model.switch_ports import SwitchPort
from netplan.model.switching import SwitchPlan
from netplan.model.values import InterfaceAddress, natural, parse_address, parse_network
from netplan.report import few

_SHOWN = 6
"""Ranges of ports in one change."""
Row = tuple[str, str, str, Said]
"""What differs, planned, of record, and where."""


def port_changes(
    site: Site, plan: Plan, configs: Mapping[str, Sequence[str]], names: Mapping[str, str]
) -> Iterator[Change]:
    """``configs``: switch -> files of its running configuration; ``names``: of switches, in the dumps -> in
    the inventory. Ports that are alike are one change, with the place of the first."""
    record = _Record(site, configs)
    planned = {switch.name: switch for switch in plan.switches}
    own = {of[0] for of in site.every("switch") if names.get(of[0], of[0]) in planned}
    for name in sorted(own, key=natural):
        switch, found = planned[names.get(name, name)], dict[tuple[str, str, str], list[tuple[str, Said]]]()
        for port in switch.ports:
            for what, before, after, said in record.port(name, port):
                found.setdefault((what, before, after), []).append((port.name, said))
        for (what, before, after), mine in found.items():
            runs = [run.texts[0] for run in folded(("", (port,)) for port, _ in mine)]
            whom = f"{switch.name} {few(runs, _SHOWN)}"
            yield _change(whom, (what, before, after, mine[0][1]))
        for vlan, row in record.vlans(name, switch):
            yield _change(f"{switch.name} VLAN {vlan}", row)


def _change(whom: str, row: Row) -> Change:
    what, before, after, said = row
    return Change("differs", whom, f"{what}: {before} (planned) or {after} ({place(said.at)})")


class _Record:
    def __init__(self, site: Site, configs: Mapping[str, Sequence[str]]) -> None:
        self._site, self._configs = site, configs

    def _said(self, of: Of, field: str) -> Said | None:
        """What a record states of a port."""
        said = self._site.said("port", of, field)
        return said if said is not None and self._is_record(of, said) else None

    def _is_record(self, of: Of, said: Said) -> bool:
        return said.at.file not in self._configs.get(of[0], ())

    def _addresses(self, kind: Kind, of: Of) -> dict[str, Said]:
        found = self._site.prefixed(kind, of, "address/")
        own = ((_written(text), said) for text, said in found if self._is_record(of, said))
        return {text: said for text, said in own if text}

    def port(self, switch: str, port: SwitchPort) -> Iterator[Row]:
        of = (switch, port.name)
        if (speed := self._said(of, "speed")) is not None and speed.value != port.speed_mbps:
            yield "speed_gbps", str(port.speed_gbps), _gbps(speed), speed
        if (mtu := self._said(of, "mtu")) is not None and mtu.value != port.mtu:
            yield "MTU", str(port.mtu), str(mtu.value), mtu
        yield from _addresses(self._addresses("port", of), map(str, port.addresses))
        access, tagged = (self._said(of, field) for field in ("access", "tagged"))
        stated = access or tagged
        if stated is not None and not port.routed:
            untagged = () if access is None else (access.value,)
            tags = self._site.listed("port", of, "tagged") if tagged is not None else ()
            before, after = _vlans(port.untagged, port.tagged), _vlans(untagged, map(int, tags))
            if before != after:
                yield "VLANs", before, after, stated

    def vlans(self, name: str, switch: SwitchPlan) -> Iterator[tuple[int, Row]]:
        """Addresses of VLAN interfaces."""
        for vlan in switch.vlans:
            found = self._addresses("svi", (name, str(vlan.id)))
            for row in _addresses(found, map(str, vlan.addresses)):
                yield vlan.id, row


def _addresses(found: Mapping[str, Said], planned: Iterable[str]) -> Iterator[Row]:
    """Where a record has any: it may have none of a kind."""
    before, after = sorted(planned), sorted(found)
    if found and before != after:
        other = (said for text, said in found.items() if text not in before)
        said = next(other, next(iter(found.values())))
        yield "address", ", ".join(before) or "none", ", ".join(after), said


def _written(text: str) -> str:
    """An address as netplan writes it; empty for a link-local one, which every port has."""
    address, network = parse_address(text.partition("/")[0]), parse_network(text)
    if address is None or network is None or network.is_link_local():
        return ""
    return str(InterfaceAddress(address, network.prefixlen))


def _gbps(said: Said) -> str:
    return f"{said.value / 1000:g}" if isinstance(said.value, int) else str(said.value)


def _vlans(untagged: Iterable[object], tagged: Iterable[int]) -> str:
    own = [*(f"{vlan} untagged" for vlan in untagged), *(f"{vlan} tagged" for vlan in sorted(tagged))]
    return ", ".join(own) or "none"
