"""What is known of the hardware behind a config_db: its SKU's lossless table, its pool, its ASIC."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

from netplan import nos
from netplan.catalog import switch_rows
from netplan.graph.config_db.headroom import Cable, Need, Pattern, by_table, computed, least_for
from netplan.model.nos import DynamicBuffers, NosModel, NosProfile
from netplan.model.values import whole
from netplan.reading.config_db.switch import DbSwitch, once, plain_name
from netplan.records import dataclass

_PLATFORM = re.compile(r"[^-]+-[a-z]+_(?P<model>[a-z0-9]+)")
"""``x86_64-mlnx_msn2700-r0`` -> ``msn2700``"""
DEFAULT_MTU = 9100
"""MTU of a port without ``mtu`` (sonic-net/sonic-swss cfgmgr/portmgr.h)."""
_ALL = 100


@dataclass(frozen=True, slots=True)
class Hardware:
    """``table``: numbers of exactly this SKU; ``asic``: its family, empty if unknown."""

    sku: str
    table: NosModel | None
    asic: str

    @property
    def is_nvidia(self) -> bool:
        return self.asic.startswith("spectrum")


@cache
def profile() -> NosProfile | None:
    """The SONiC profile that netplan itself uses."""
    return nos.load_nos({"sonic": ()})[0].get("sonic")


def hardware_of(switch: DbSwitch) -> Hardware:
    sku = str(switch.local.get("hwsku", ""))
    sonic = profile()
    table = next((m for m in sonic.models.values() if m.sku == sku), None) if sonic else None
    platform = _PLATFORM.match(str(switch.local.get("platform", "")))
    model = table.name if table else platform["model"] if platform else ""
    return Hardware(sku, table, str(switch_rows().get(model, {}).get("asic", "")))


def speed_gbps(switch: DbSwitch, port: str) -> int | None:
    speed = switch.number("PORT", port, "speed")
    return speed // 1000 if speed else None


@once
def cable_rows(switch: DbSwitch) -> Mapping[str, str]:
    """Port -> the CABLE_LENGTH row with its length; the first if several have one."""
    index: dict[str, str] = {}
    for key in switch.keys("CABLE_LENGTH"):
        for port in switch.rows("CABLE_LENGTH")[key].fields:
            index.setdefault(port, key)
    return index


def cable_m(switch: DbSwitch, port: str) -> int | None:
    """Cable length in metres; None if not stated or not a length."""
    key = cable_rows(switch).get(port)
    text = switch.text("CABLE_LENGTH", key, port) if key is not None else None
    return whole((text or "").removesuffix("m"), 8)


def cable_of(switch: DbSwitch, port: str) -> Cable | None:
    """Speed, length, MTU and lanes of a port; None if speed or length is not stated."""
    speed, metres = switch.number("PORT", port, "speed"), cable_m(switch, port)
    if not speed or not metres:
        return None
    mtu = switch.number("PORT", port, "mtu") or DEFAULT_MTU
    lanes = switch.text("PORT", port, "lanes") or ""
    return Cable(speed, metres, mtu, len(lanes.split(",")) if lanes else 0)


def pool_of(switch: DbSwitch, profile: str | None) -> str:
    """The pool that a buffer profile names, without brackets; empty if it names none."""
    return plain_name(switch.text("BUFFER_PROFILE", profile or "", "pool") or "")


def shares_headroom(switch: DbSwitch, pool: str) -> bool:
    """Whether all groups share a headroom pool: by its own size, or by a ratio (dynamic model)."""
    return _is_oversubscribed(switch) or bool(switch.number("BUFFER_POOL", pool, "xoff"))


@once
def _is_oversubscribed(switch: DbSwitch) -> bool:
    table = "DEFAULT_LOSSLESS_BUFFER_PARAMETER"
    return any(switch.number(table, key, "over_subscribe_ratio") for key in switch.rows(table))


def _pattern(switch: DbSwitch, data: DynamicBuffers) -> Pattern:
    """The lossless traffic pattern of the file, else that of the images."""
    stated = {
        name: switch.number("LOSSLESS_TRAFFIC_PATTERN", key, name)
        for key in switch.keys("LOSSLESS_TRAFFIC_PATTERN")
        for name in ("mtu", "small_packet_percentage")
    }
    small = stated.get("small_packet_percentage")
    percent = data.small_packet_percent if small is None or small > _ALL else small
    mtu = stated.get("mtu") or data.lossless_mtu
    return Pattern(mtu, percent, shares_headroom(switch, "ingress_lossless_pool"))


def needed(switch: DbSwitch, port: str) -> Need | None:
    """Headroom by the SKU's table, else by SONiC's own computation; None if neither is known."""
    hardware, sonic, cable = hardware_of(switch), profile(), cable_of(switch, port)
    if sonic is None or cable is None:
        return None
    if not switch.dynamic:
        return by_table(hardware.table, cable) if hardware.table else None
    asic, data = sonic.asics.get(hardware.asic), sonic.dynamic_buffers
    if data is None or asic is None or not asic.pipeline_bytes:
        return None
    return computed(data, asic, cable, _pattern(switch, data))


def least(switch: DbSwitch, port: str) -> int:
    """Bytes that any ASIC needs for the cable of a port; 0 if speed or length is not stated."""
    cable = cable_of(switch, port)
    return _least(cable) if cable else 0


def least_of(speed_mbps: int, metres: int) -> int:
    """The same for a speed and length without a port."""
    return _least(Cable(speed_mbps, metres, DEFAULT_MTU))


def _least(cable: Cable) -> int:
    sonic = profile()
    if sonic is None or sonic.dynamic_buffers is None:
        return 0
    return least_for(cable, sonic.dynamic_buffers.metres_per_second)
