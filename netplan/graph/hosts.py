"""Settings of a port in the host files; a file of the host itself replaces that of its host type."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from netplan.model.site import SiteHca, SiteHost
from netplan.reading.hosts import Setting, Unit, bytes_of, read_unit
from netplan.records import dataclass

_LINK = re.compile(r"hosts/[^/]+/[^/]+\.link\Z")


@dataclass(frozen=True, slots=True)
class Stated:
    """A number with the file and line that state it."""

    value: int
    at: str


def file_of(texts: Mapping[str, str], host: SiteHost, file: str) -> tuple[str, str] | None:
    """Path and text."""
    paths = (f"hosts/{folder}/{file}" for folder in (host.name, host.type))
    return next(((path, texts[path]) for path in paths if path in texts), None)


def link_of(texts: Mapping[str, str], host: SiteHost, hca: SiteHca) -> Unit | None:
    """The ``.link`` file of a port (systemd.link(5))."""
    found = file_of(texts, host, f"10-{hca.name}.link")
    return read_unit(*found) if found else None


def network_of(texts: Mapping[str, str], host: SiteHost, hca: SiteHca) -> Unit | None:
    """The ``.network`` file of a port (systemd.network(5))."""
    found = file_of(texts, host, f"20-{hca.name}.network")
    return read_unit(*found) if found else None


def port_mtu(texts: Mapping[str, str], host: SiteHost, hca: SiteHca) -> Stated | None:
    """MTU of the PF: networkd (``.network``) overrides udev (``.link``); None if neither states it."""
    units = (network_of(texts, host, hca), link_of(texts, host, hca))
    return next((mtu for unit in units if unit is not None and (mtu := _mtu(unit))), None)


def link_mtus(texts: Mapping[str, str]) -> Iterator[Stated]:
    """MTUs of all ``.link`` files."""
    units = (read_unit(path, text) for path, text in texts.items() if _LINK.match(path))
    yield from (mtu for unit in units if (mtu := _mtu(unit)))


def _mtu(unit: Unit) -> Stated | None:
    return number(unit, unit.last("Link", "MTUBytes"))


def number(unit: Unit, setting: Setting | None) -> Stated | None:
    value = bytes_of(setting.value) if setting is not None else None
    return None if value is None else Stated(value, unit.at(setting))
