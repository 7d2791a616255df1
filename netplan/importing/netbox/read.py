"""Turns recorded devices, interfaces, cables, addresses and prefixes into facts.

Neither NetBox nor Nautobot has rails, PCI addresses or GPUs: cards come from other sources, and their
interfaces are matched by name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from netplan.diagnostics import Diagnostic
from netplan.importing.domain_names import DomainNames
from netplan.importing.facts import Fact, Remark
from netplan.importing.netbox.addresses import addresses, as_numbers, host_addresses, prefixes, vrfs
from netplan.importing.netbox.cables import cables
from netplan.importing.netbox.nics import Nic, lags, nics
from netplan.importing.netbox.objects import DEVICES, Object, Record, choice, read_record
from netplan.importing.switches import PLATFORM, ROLE, model_of
from netplan.model.document import Places
from netplan.model.values import LAST_VLAN

_LEAF = r"leaf|(?<![a-z])tor(?![a-z])"
_SWITCHES = re.compile(rf"{_LEAF}|spine|switch|fabric|router")
_HOSTS = re.compile(r"server|host|compute|gpu|node|worker|hypervisor")
"""Parts of role names, which every site chooses itself; a switch of the catalog is a switch whatever its
role."""
_TIERS = {"leaf": re.compile(_LEAF), "spine": re.compile("spine")}
_OTHER_TIERS = ("super", "border")
_NO_CABLE = frozenset({"virtual", "lag", "bridge"})
_GONE = frozenset(
    {"planned", "decommissioning", "decommissioned", "offline", "inventory", "retired", "staged"}
)


@dataclass(frozen=True, slots=True)
class ReadRecord:
    """``nics``: of hosts, whose cards other files have. ``called``: device -> its name in other files."""

    found: tuple[Fact | Remark, ...]
    problems: tuple[Diagnostic, ...]
    used: tuple[str, ...]
    nics: tuple[Nic, ...] = ()
    called: Mapping[str, str] = field(default_factory=dict)


def read_netbox(
    texts: Mapping[str, str], hosts: Iterable[str], places: Places, known: Iterable[str] = ()
) -> ReadRecord:
    """``hosts``, and ``known`` switches: those of other files."""
    hosts = {*hosts}
    record = read_record(texts, places)
    named = record.every(DEVICES)
    record.called = DomainNames((*hosts, *known)).joined(record.name(device) for device in named)
    kinds, left = _kinds(record, hosts)
    found: list[Fact | Remark] = [*left]
    for name, kind in kinds.items():
        found += _device(record, name, kind)
    for interface in record.every("dcim/interfaces"):
        device = record.name(interface.get("device"))
        if kinds.get(device, ("", {}))[0] == "switch" and choice(interface.get("type")) not in _NO_CABLE:
            found += _port(record, interface, device)
    switches = {name for name, (kind, _) in kinds.items() if kind == "switch"}
    found += cables(record, switches, kinds)
    found += lags(record, switches)
    found += addresses(record, switches)
    found += prefixes(record)
    found += vrfs(record, switches)
    found += as_numbers(record)
    hosts_of_record = kinds.keys() - switches
    of_hosts = (*nics(record, hosts_of_record), *host_addresses(record, hosts_of_record))
    return ReadRecord(
        found=(*record.remarks, *found),
        problems=tuple(record.problems),
        used=tuple(record.used),
        nics=of_hosts,
        called=record.called,
    )


Kinds = dict[str, tuple[str, Object]]


def _kinds(record: Record, hosts: set[str]) -> tuple[Kinds, list[Remark]]:
    """Device -> switch or host, and remarks about devices that are left out. A host that another file knows
    is there, whatever its status."""
    found: Kinds = {}
    unknown: list[tuple[str, Object]] = []
    gone: dict[str, list[tuple[str, Object]]] = {}
    for device in record.every(DEVICES):
        name, status = record.name(device), record.status(device)
        kind = _kind(record, device, name in hosts)
        if not name:
            continue
        if status in _GONE and kind and name not in hosts:
            gone.setdefault(status, []).append((name, device))
        elif kind:
            found[name] = (kind, device)
        elif status not in _GONE:
            unknown.append((name, device))
    remarks = []
    if unknown:
        roles = ", ".join(sorted({_role(record, device) or "none" for _, device in unknown})[:5])
        remarks.append(_left(record, unknown, f"of role {roles}: neither switch nor host"))
    for status, devices in gone.items():
        remarks.append(_left(record, devices, f"with status {status}, not taken, nor are its cables"))
    return found, remarks


def _kind(record: Record, device: Object, known: bool) -> str:
    """switch or host; empty for other devices."""
    role, kind = _role(record, device), record.other(device.get("device_type"))
    if model_of(f"{kind.get('model')} {kind.get('slug')}", "") or _SWITCHES.search(role):
        return "switch"
    return "host" if known or _HOSTS.search(role) else ""


def _left(record: Record, devices: list[tuple[str, Object]], why: str) -> Remark:
    first, device = devices[0]
    more = f" and {len(devices) - 1} more" if len(devices) > 1 else ""
    return Remark(record.at(device), f"{first}{more} {why}")


def _role(record: Record, device: Object) -> str:
    """Role of a device; ``device_role`` before NetBox 4.0."""
    role = record.other(device.get("role") or device.get("device_role"))
    return str(role.get("slug") or role.get("name") or "").lower()


def _device(record: Record, name: str, kind: tuple[str, Object]) -> Iterator[Fact]:
    what, device = kind
    if what == "host":
        yield Fact("node", (name,), "recorded", True, record.at(device))
        return
    yield Fact("switch", (name,), "recorded", True, record.at(device))
    role = _role(record, device)
    tiers = [tier for tier, words in _TIERS.items() if words.search(role)]
    if len(tiers) == 1 and not any(word in role for word in _OTHER_TIERS):
        key = "role" if "role" in device else "device_role"
        yield Fact("switch", (name,), ROLE, tiers[0], record.at(device, key))
    platform = record.name(device.get("platform"))
    if platform:
        yield Fact("switch", (name,), PLATFORM, platform, record.at(device, "platform"))
    model = record.other(device.get("device_type"))
    text = model.get("model")
    if isinstance(text, str) and text:
        yield Fact(
            "switch", (name,), "device_type", model_of(text, "") or text, record.at(device, "device_type")
        )


def _port(record: Record, interface: Object, switch: str) -> Iterator[Fact | Remark]:
    of = (switch, record.name(interface))
    ends = interface.get("connected_endpoints")
    whole = not isinstance(ends, list) or len(ends) < 2
    speed, mtu = record.number(interface, "speed"), record.number(interface, "mtu")
    if speed and speed >= 1_000_000 and whole:  # kbit/s; not that of the parts of a breakout cable
        yield Fact("port", of, "speed", speed // 1000, record.at(interface, "speed"))
    if mtu:
        yield Fact("port", of, "mtu", mtu, record.at(interface, "mtu"))
    if interface.get("enabled") is False:
        yield Fact("port", of, "admin_status", "down", record.at(interface, "enabled"))
    access = record.number(interface.get("untagged_vlan"), "vid", LAST_VLAN)
    if access:
        yield Fact("port", of, "access", access, record.at(interface, "untagged_vlan"))
    tagged = interface.get("tagged_vlans")
    vids = [record.number(each, "vid", LAST_VLAN) for each in (tagged if isinstance(tagged, list) else ())]
    if vlans := tuple(str(vid) for vid in vids if vid):
        yield Fact("port", of, "tagged", vlans, record.at(interface, "tagged_vlans"))
    elif choice(interface.get("mode")) == "tagged-all" and of[1]:
        why = "all VLANs (tagged-all) are not taken, as the record does not list them"
        yield Remark(record.at(interface, "mode"), f"{' '.join(of)}: {why}", alike=why)
