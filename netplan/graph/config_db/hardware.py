"""What is known of the box behind a config_db: its SKU's lossless table, its pool, its ASIC."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from netplan import nos
from netplan.catalog import switch_rows
from netplan.model.nos import NosModel, NosProfile
from netplan.model.switch_qos import Headroom
from netplan.plan.headroom import dynamic_headroom, table_headroom
from netplan.reading.config_db.switch import Switch

_PLATFORM = re.compile(r"[^-]+-[a-z]+_(?P<model>[a-z0-9]+)")
"""``x86_64-mlnx_msn2700-r0`` -> ``msn2700``"""
DEFAULT_MTU = 9100
"""Of a port without ``mtu`` (sonic-net/sonic-swss cfgmgr/portmgr.h)."""


@dataclass(frozen=True, slots=True)
class Hardware:
    """``table``: the numbers of exactly this SKU; ``asic``: its family, empty where unknown."""

    sku: str
    table: NosModel | None
    asic: str


@cache
def profile() -> NosProfile | None:
    """SONiC's numbers as netplan itself uses them."""
    return nos.load_nos({"sonic": ()})[0].get("sonic")


def hardware_of(switch: Switch) -> Hardware:
    sku = str(switch.local.get("hwsku", ""))
    sonic = profile()
    table = next((m for m in sonic.models.values() if m.sku == sku), None) if sonic else None
    platform = _PLATFORM.match(str(switch.local.get("platform", "")))
    model = table.name if table else platform["model"] if platform else ""
    return Hardware(sku, table, str(switch_rows().get(model, {}).get("asic", "")))


def speed_gbps(switch: Switch, port: str) -> int | None:
    speed = switch.number("PORT", port, "speed")
    return speed // 1000 if speed else None


def cable_rows(switch: Switch) -> dict[str, str]:
    """Port -> the row of CABLE_LENGTH that has its length, the first where several have."""
    if "cables" not in switch.memo:
        index: dict[str, str] = {}
        for key in switch.keys("CABLE_LENGTH"):
            for port in switch.rows("CABLE_LENGTH")[key].fields:
                index.setdefault(port, key)
        switch.memo["cables"] = index
    found: dict[str, str] = switch.memo["cables"]
    return found


def cable_m(switch: Switch, port: str) -> int | None:
    """The length in metres; None where none is stated, or a text that is no length."""
    key = cable_rows(switch).get(port)
    text = switch.text("CABLE_LENGTH", key, port) if key is not None else None
    digits = (text or "").removesuffix("m")
    return int(digits) if digits.isascii() and digits.isdigit() and len(digits) < 9 else None


def needed(switch: Switch, port: str) -> Headroom | None:
    """Headroom by the SKU's table, or by SONiC's own computation; None where neither is known."""
    hardware, sonic = hardware_of(switch), profile()
    speed, length = speed_gbps(switch, port), cable_m(switch, port)
    if sonic is None or speed is None or not length:
        return None
    if hardware.table is not None and not switch.dynamic:
        return table_headroom(hardware.table, speed, length)
    asic = sonic.asics.get(hardware.asic)
    if not switch.dynamic or sonic.dynamic_buffers is None or asic is None or not asic.pipeline_bytes:
        return None
    mtu = switch.number("PORT", port, "mtu") or DEFAULT_MTU
    return dynamic_headroom(sonic.dynamic_buffers, asic, speed, length, mtu)
