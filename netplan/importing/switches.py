"""Folds switches: type, role and number of each, and the underlay that follows from the numbers."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from netaddr import IPAddress, IPNetwork

from netplan.catalog import switch_rows
from netplan.importing.cabling import CARD, SWITCH, Cable
from netplan.importing.facts import Conflict, Said, Site
from netplan.importing.switch_ids import ids_of
from netplan.model.frr import NosFrr
from netplan.model.inventory_schema import schema_at
from netplan.model.values import parse_address
from netplan.nos import shipped
from netplan.reading.switches.rules import rules_of

PLATFORM = "recorded_platform"
"""Field of a switch: what a record calls its operating system, such as ``Cumulus Linux 5.14``."""
ROLE = "recorded_role"
"""Field of a switch: leaf or spine, by the role that a record gives it."""
_PLATFORMS: Mapping[str, str] = {
    "cumulus": "cumulus-nvue",
    "sonic": "sonic",
    "arista": "arista-eos",
    "nx-os": "cisco-nxos",
    "nxos": "cisco-nxos",
    "junos": "juniper-junos",
    "onyx": "onyx",
}
"""Part of a platform's name -> NOS; every site chooses these names itself."""


@dataclass(frozen=True, slots=True)
class SwitchRow:
    """``model``: from the catalog, empty for any other. ``role``: empty if neither its cables nor a record
    tells; ``by_record``: where a record alone does."""

    name: str
    model: str
    role: str
    id: int
    mtu: int | None
    fields: Mapping[str, Said]
    by_record: Said | None = None


@dataclass(frozen=True, slots=True)
class Uplinks:
    space: IPNetwork
    per_leaf: int


def switch_rows_of(
    site: Site, cables: Iterable[Cable], left: Container[str], hostless: Iterable[str]
) -> list[SwitchRow]:
    """``left``: switches of no fabric; ``hostless``: leaves without a host in the dumps."""
    names = [of[0] for of in site.every("switch") if of[0] not in left]
    roles = _roles(names, list(cables), hostless)
    open_ = (name for name, role in roles.items() if not role)
    recorded = {name: said for name in open_ if (said := site.said("switch", (name,), ROLE)) is not None}
    roles |= {name: str(said.value) for name, said in recorded.items()}
    ids, mtus = ids_of(site, roles).numbers, _mtus(site)
    return [
        SwitchRow(
            name,
            _model(site, name),
            roles[name],
            ids[name],
            mtus.get(name),
            site.fields("switch", (name,)),
            recorded.get(name),
        )
        for name in names
    ]


def _model(site: Site, name: str) -> str:
    """From the switch's own report, else from records."""
    own = (site.text("switch", (name,), field) for field in ("hwsku", "platform"))
    return model_of(*own) or model_of(site.text("switch", (name,), "device_type"), "")


def frr_mode_of(row: SwitchRow) -> Said | None:
    """Who owns FRR's configuration, where the switch states it: a mode of its NOS, or the text as it is where
    none fits."""
    mode, framework, modes = row.fields.get("routing_mode"), row.fields.get("framework"), frr_modes(row)
    said = mode or framework
    if said is None or not modes:
        return None
    managed = framework is not None and framework.value == "true"
    stated = str(mode.value) if mode is not None else modes[0].routing_config[0]
    same = (each for each in modes if each.framework == managed)
    fits = (each.name for each in same if managed or stated in each.routing_config)
    return Said(next(fits, stated), said.at)


def frr_modes(row: SwitchRow) -> Sequence[NosFrr]:
    """Those of its NOS, the image's default first."""
    nos = row.fields.get("nos")
    rules = rules_of(str(nos.value), shipped()) if nos is not None else None
    return rules.nos.frr_modes if rules is not None else ()


def recorded_nos(fields: Mapping[str, Said]) -> Said | None:
    """The NOS that a record names, where the switch itself does not state one. ``fields``: of the switch."""
    said = fields.get(PLATFORM)
    nos = platform_nos(said) if said is not None and "nos" not in fields else None
    return None if said is None or nos is None else Said(nos, said.at)


def platform_nos(said: Said) -> str | None:
    """The one NOS that a platform names."""
    text = str(said.value).lower()
    found = {nos for part, nos in _PLATFORMS.items() if part in text}
    found |= {"arista-eos"} if re.search(r"(?<![a-z])eos(?![a-z])", text) else set()
    return found.pop() if len(found) == 1 else None


def usual_router_id(row: SwitchRow) -> str:
    """Its loopback, as netplan works it out; empty if that is not known."""
    loopback = row.fields.get("loopback")
    return str(loopback.value) if loopback is not None else ""


def model_conflicts(site: Site) -> Iterator[Conflict]:
    """Of all switches."""
    for of in site.every("switch"):
        yield from model_conflict(site, of[0])


def model_conflict(site: Site, name: str) -> Iterator[Conflict]:
    """Where the recorded model differs from the one that the switch reports; that one is used."""
    own, record = (site.said("switch", (name,), field) for field in ("hwsku", "device_type"))
    models = [model_of(str(said.value), "") for said in (own, record) if said is not None]
    if own is not None and record is not None and all(models) and len(set(models)) > 1:
        yield Conflict("switch", (name,), "model", own, record)


def _roles(names: Iterable[str], cables: Sequence[Cable], hostless: Iterable[str]) -> dict[str, str]:
    """A leaf has hosts, or ports in their VLANs; a spine has leaves and no hosts."""
    leaves = {cable.switch for cable in cables if cable.kind == CARD} | {*hostless}
    above = {cable.far[0] for cable in cables if cable.kind == SWITCH and cable.switch in leaves}
    return {name: "leaf" if name in leaves else "spine" if name in above else "" for name in names}


def model_of(hwsku: str, platform: str) -> str:
    """The longest model name that occurs in the SKU or platform name, such as ``ACS-MSN2700`` or
    ``Mellanox-SN4700-O8V48``."""
    text = f"{hwsku} {platform}".lower()
    names = {alias: name for name in switch_rows() for alias in (name, re.sub(r"^m(?=sn)", "", name))}
    fitting = [alias for alias in names if re.search(rf"(?<![a-z0-9])m?{re.escape(alias)}(?![a-z0-9])", text)]
    return names[max(fitting, key=len)] if fitting else ""


def _mtus(site: Site) -> dict[str, int]:
    """Switch -> the MTU of most of its ports."""
    found: dict[str, Counter[int]] = {}
    for of in site.every("port"):
        mtu = site.number("port", of, "mtu")
        if mtu:
            found.setdefault(of[0], Counter())[mtu] += 1
    return {name: counts.most_common(1)[0][0] for name, counts in found.items()}


def leaf_asn(rows: Iterable[SwitchRow]) -> str:
    """``4200000100+`` if AS numbers count up with the ids, the number of a single leaf; else empty. An
    inventory has no leaves that share one (NP220)."""
    leaves = [row for row in rows if row.role == "leaf"]
    known = [(row.id, row.fields["asn"].value) for row in leaves if "asn" in row.fields]
    numbers = [(number, asn) for number, asn in known if isinstance(asn, int)]
    if not numbers or len(numbers) < len(leaves):
        return ""
    starts = {asn - number + 1 for number, asn in numbers}
    if len(starts) == 1 and min(starts) > 0:
        return f"{starts.pop()}+"
    return str(numbers[0][1]) if len(numbers) == 1 else ""


def uplinks_of(
    site: Site, rows: Iterable[SwitchRow], uplinks: Iterable[Cable], version: int = 0
) -> Uplinks | None:
    """The range whose parts are the /31 networks of the leaves' uplinks, by leaf and position of the port.
    ``version``: of IP, where an uplink may have both."""
    ids = {row.name: row.id for row in rows}
    places: Counter[str] = Counter()
    seen: list[tuple[int, int, IPNetwork]] = []
    for cable in uplinks:  # in the order of switches and ports
        network = link_network(site, cable.switch, cable.port, version)
        if network is None or has_odd_end(site, cable, network):
            return None
        seen.append((ids[cable.switch] - 1, places[cable.switch], network))
        places[cable.switch] += 1
    if not seen or len({network.version for *_, network in seen}) > 1:
        return None
    return _space(seen, max(place for _, place, _ in seen) + 1)


def uplinks_among(rows: Iterable[SwitchRow], cables: Iterable[Cable]) -> list[Cable]:
    """Cables from leaves to other switches than leaves, each from the leaf."""
    leaves = {row.name for row in rows if row.role == "leaf"}
    return [c for c in cables if c.kind == SWITCH and c.switch in leaves and c.far[0] not in leaves]


def link_network(site: Site, switch: str, port: str, version: int = 0) -> IPNetwork | None:
    """The only /31 or /127 of a routed port; with ``version`` the only one of that version."""
    texts = [str(said.value) for _, said in site.prefixed("port", (switch, port), "address/")]
    found = [(ip, text) for text in texts if (ip := parse_address(text.partition("/")[0])) is not None]
    found = [(ip, text) for ip, text in found if version in (0, ip.version)]
    if len(found) != 1:
        return None
    ip, text = found[0]
    return IPNetwork(text).cidr if text.endswith("/31" if ip.version == 4 else "/127") else None


def has_odd_end(site: Site, cable: Cable, network: IPNetwork) -> bool:
    """Whether the near switch has the second address; netplan gives it the first."""
    texts = (str(said.value) for _, said in site.prefixed("port", (cable.switch, cable.port), "address/"))
    return IPAddress(network.last, network.version) in {
        parse_address(text.partition("/")[0]) for text in texts
    }


def link_networks(site: Site, switch: str, port: str) -> list[IPNetwork]:
    """One for each IP version that a routed port has."""
    found = (link_network(site, switch, port, version) for version in (4, 6))
    return [network for network in found if network is not None]


def _space(seen: Sequence[tuple[int, int, IPNetwork]], most: int) -> Uplinks | None:
    version = seen[0][2].version
    bits = 32 if version == 4 else 128
    stated = schema_at("underlay", "uplinks_per_leaf")
    for per_leaf in (stated["default"], *range(most, stated["maximum"] + 1)):
        starts = {network.first // 2 - leaf * per_leaf - place for leaf, place, network in seen}
        if per_leaf < most or len(starts) > 1 or min(starts) < 0:
            continue
        first = starts.pop() * 2
        last = first + 2 * per_leaf * (max(leaf for leaf, *_ in seen) + 1) - 1
        length = bits - (first ^ last).bit_length()
        space = IPNetwork(f"{IPAddress(first, version)}/{length}")
        if space.cidr.first == first:
            return Uplinks(space.cidr, per_leaf)
    return None
