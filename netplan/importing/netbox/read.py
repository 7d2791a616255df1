"""Turns recorded devices, interfaces, cables, addresses and prefixes into facts.

The far end of an interface is ``connected_endpoints`` (NetBox) or ``connected_endpoint`` (Nautobot), which
follow patch panels; without them the ends of the cable. Neither has rails, PCI addresses or GPUs: cards come
from other sources, and their interfaces are matched by name.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from math import ceil
from typing import Any

from netplan.diagnostics import Diagnostic
from netplan.importing.facts import Fact, Remark
from netplan.importing.netbox.objects import Object, Record, choice, read_record
from netplan.importing.switches import model_of
from netplan.model.document import Places
from netplan.model.values import LAST_VLAN, parse_network, whole

_SWITCHES = ("leaf", "spine", "switch", "tor", "fabric", "router")
_HOSTS = ("server", "host", "compute", "gpu", "node", "worker", "hypervisor")
"""Parts of role names, which every site chooses itself; a switch of the catalog is a switch whatever its
role."""
_NO_CABLE = frozenset({"virtual", "lag", "bridge"})
_GONE = frozenset(
    {"planned", "decommissioning", "decommissioned", "offline", "inventory", "retired", "staged"}
)
_METRES: Mapping[str, float] = {"m": 1, "cm": 0.01, "km": 1000, "ft": 0.3048, "in": 0.0254}
_MOST_CABLE = 100_000


@dataclass(frozen=True, slots=True)
class ReadRecord:
    found: tuple[Fact | Remark, ...]
    problems: tuple[Diagnostic, ...]
    used: tuple[str, ...]


def read_netbox(texts: Mapping[str, str], hosts: Iterable[str], places: Places) -> ReadRecord:
    """``hosts``: known from other files."""
    record = read_record(texts, places)
    kinds, left = _kinds(record, set(hosts))
    found: list[Fact | Remark] = [*left]
    for name, kind in kinds.items():
        found += _device(record, name, kind)
    for interface in record.every("dcim/interfaces"):
        device = record.name(interface.get("device"))
        if kinds.get(device, ("", {}))[0] == "switch" and choice(interface.get("type")) not in _NO_CABLE:
            found += _port(record, interface, device)
    found += _cables(record, kinds)
    found += _addresses(record, kinds)
    found += _prefixes(record)
    return ReadRecord((*record.remarks, *found), tuple(record.problems), tuple(record.used))


Kinds = dict[str, tuple[str, Object]]


def _kinds(record: Record, hosts: set[str]) -> tuple[Kinds, list[Remark]]:
    """Device -> switch or host, and remarks about devices that are neither."""
    found: Kinds = {}
    unknown: list[tuple[str, Object]] = []
    for device in record.every("dcim/devices"):
        name, role = record.name(device), _role(record, device)
        kind = record.other(device.get("device_type"))
        model = f"{kind.get('model')} {kind.get('slug')}"
        if not name or choice(device.get("status")) in _GONE:
            continue
        if model_of(model, "") or any(word in role for word in _SWITCHES):
            found[name] = ("switch", device)
        elif name in hosts or any(word in role for word in _HOSTS):
            found[name] = ("host", device)
        else:
            unknown.append((name, device))
    remarks = []
    if unknown:
        first, device = unknown[0]
        more = f" and {len(unknown) - 1} more" if len(unknown) > 1 else ""
        roles = ", ".join(sorted({_role(record, device) or "none" for _, device in unknown})[:5])
        remarks.append(Remark(record.at(device), f"{first}{more} of role {roles}: neither switch nor host"))
    return found, remarks


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
    model = record.other(device.get("device_type"))
    text = model.get("model")
    if isinstance(text, str) and text:
        yield Fact(
            "switch", (name,), "device_type", model_of(text, "") or text, record.at(device, "device_type")
        )


def _port(record: Record, interface: Object, switch: str) -> Iterator[Fact]:
    of = (switch, record.name(interface))
    speed, mtu = record.number(interface, "speed"), record.number(interface, "mtu")
    if speed and speed >= 1_000_000:  # kbit/s
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


def _cables(record: Record, kinds: Kinds) -> Iterator[Fact]:
    seen: set[tuple[str, str]] = set()
    for interface in record.every("dcim/interfaces"):
        far, own = _far(interface), record.end(interface)
        if far and all(own):
            seen.add(own)
            yield from _cable(record, own, record.end(far[0]), kinds, interface)
        yield from _length(record, own, record.other(interface.get("cable")), kinds, interface)
    for cable in record.every("dcim/cables"):
        ends = [record.end(end) for end in _ends(record, cable)]
        if len(ends) == 2 and choice(cable.get("status")) not in _GONE:
            for own, other in (ends, ends[::-1]):
                if own not in seen:
                    yield from _cable(record, own, other, kinds, cable)
                yield from _length(record, own, cable, kinds, cable)


def _length(
    record: Record, own: tuple[str, str], cable: Object, kinds: Kinds, thing: Object
) -> Iterator[Fact]:
    metres = _metres(cable)
    if not metres and str(cable.get("length") or "0").strip("0."):
        record.refuse(cable, "length", cable["length"], "not a length in m, cm, km, ft or in")
    if metres and own[1] and kinds.get(own[0], ("", {}))[0] == "switch":
        yield Fact("port", own, "cable_m", metres, record.at(thing, "cable"))


def _far(interface: Object) -> list[Any]:
    """A single far end. A cable to several is a breakout, which nothing here describes; a cable that is
    planned makes the far end not reachable."""
    if interface.get("connected_endpoints_reachable") is False:
        return []
    found = interface.get("connected_endpoints") or interface.get("connected_endpoint")
    kind = interface.get("connected_endpoints_type") or interface.get("connected_endpoint_type")
    ends = found if isinstance(found, list) else [found]
    return ends if len(ends) == 1 and isinstance(ends[0], dict) and kind in ("dcim.interface", None) else []


def _ends(record: Record, cable: Object) -> list[Any]:
    """Both terminations; none if one is not an interface, or there are several."""
    found: list[Any] = []
    for side in "ab":
        several, single = cable.get(f"{side}_terminations"), cable.get(f"termination_{side}")
        if isinstance(several, list) and len(several) == 1 and isinstance(several[0], dict):
            if several[0].get("object_type") == "dcim.interface":
                found.append(several[0].get("object"))
        elif isinstance(single, dict) and cable.get(f"termination_{side}_type") == "dcim.interface":
            found.append(single)
    return found


def _cable(
    record: Record, own: tuple[str, str], far: tuple[str, str], kinds: Kinds, thing: Object
) -> Iterator[Fact]:
    """The cable as the switch at one end would report it."""
    if all(own) and all(far) and far[0] in kinds and kinds.get(own[0], ("", {}))[0] == "switch":
        yield Fact("port", own, "record/netbox", (*far, ""), record.at(thing))


def _metres(cable: Object) -> int:
    """Length in m, rounded up, so that headroom is not too small; 0 if unknown."""
    text, unit = str(cable.get("length") or ""), choice(cable.get("length_unit"))
    try:
        length = float(text) * _METRES.get(unit, 0) if len(text) < 16 else 0
    except ValueError:
        return 0
    return max(1, ceil(round(length, 3))) if 0 < length < _MOST_CABLE else 0


def _in_use(record: Record, model: str) -> Iterator[Object]:
    return (thing for thing in record.every(model) if choice(thing.get("status")) != "deprecated")


def _addresses(record: Record, kinds: Kinds) -> Iterator[Fact]:
    """Addresses of switches: loopbacks, VLAN interfaces, routed ports."""
    for address in _in_use(record, "ipam/ip-addresses"):
        text = str(address.get("address") or "")
        device, name = record.end(address.get("assigned_object"))
        ip, _, length = text.partition("/")
        if kinds.get(device, ("", {}))[0] != "switch" or not name:
            continue
        if parse_network(text) is None:
            record.refuse(address, "address", text, "not an address such as 10.0.0.1/31")
            continue
        at, low = record.at(address, "address"), name.lower()
        number = low.removeprefix("vlan-interface").removeprefix("vlan").removeprefix("irb.")
        if low.startswith(("lo", "loopback")):
            if length in ("32", "128"):
                yield Fact("switch", (device,), "loopback", ip, at)
        elif number != low and whole(number, 4) is not None:
            yield Fact("svi", (device, number), f"address/{text}", text, at)
        else:
            yield Fact("port", (device, name), f"address/{text}", text, at)


def _prefixes(record: Record) -> Iterator[Fact]:
    for prefix in _in_use(record, "ipam/prefixes"):
        text, vid = str(prefix.get("prefix") or ""), record.number(prefix.get("vlan"), "vid", LAST_VLAN)
        if parse_network(text) is None:
            record.refuse(prefix, "prefix", text, "not a prefix such as 10.0.0.0/24")
        elif vid:
            yield Fact("prefix", (text,), "vlan", vid, record.at(prefix, "prefix"))
