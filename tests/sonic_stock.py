"""The initial tables of a SONiC switch: the vendor's own templates, rendered as sonic-cfggen does.

Two SKUs have no port list in ``sonic-templates``; with a PORT table none is needed.
"""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Iterable, Mapping
from typing import Any

from jinja2 import ChoiceLoader, DictLoader, Environment, FileSystemLoader

from netplan.model.values import natural
from tests import upstream
from tests.sonic_yang import ConfigDb, base_config, merged

SKUS = {
    "ACS-MSN2700": "mellanox/x86_64-mlnx_msn2700-r0/ACS-MSN2700",
    "ACS-MSN3700": "mellanox/x86_64-mlnx_msn3700-r0/ACS-MSN3700",
    "ACS-MSN4700": "mellanox/x86_64-mlnx_msn4700-r0/ACS-MSN4700",
    "ACS-MSN4600C": "mellanox/x86_64-mlnx_msn4600c-r0/ACS-MSN4600C",
    "DellEMC-Z9332f-O32": "dell/x86_64-dellemc_z9332f_d1508-r0/DellEMC-Z9332f-O32",
    "Arista-7060X6-64PE": "arista/x86_64-arista_7060x6_64pe/Arista-7060X6-64PE",
}
"""SKU -> folder below ``sonic-templates``."""

_SIZED = {
    "pool": "ingress_lossless_pool",
    "xon": "19456",
    "xoff": "30720",
    "size": "50176",
    "dynamic_th": "0",
}
"""A lossless profile as buffermgrd creates it: 5 m on an SN2700."""
_SPARE_COMMA = re.compile(r",(?=\s*[}\]])")


def stock(
    sku: str, ports: Iterable[str], *, dynamic: bool = False, role: str = "LeafRouter", speed: int = 100_000
) -> ConfigDb:
    """config_db of a switch with ``ports`` and nothing configured beyond the image of ``sku``."""
    box = base_config(ports, speed)
    for row in box["PORT"].values():
        row["admin_status"] = "up"
    folder = SKUS[sku]
    asic = "mellanox" if folder.startswith("mellanox") else "broadcom"
    platform = folder.split("/")[1]
    box["DEVICE_METADATA"]["localhost"] |= {"hwsku": sku, "platform": platform, "type": role}
    box["DEVICE_METADATA"]["localhost"]["buffer_model"] = "dynamic" if dynamic else "traditional"
    buffers = _rendered(folder, "buffers_dynamic.json.j2" if dynamic else "buffers.json.j2", box, asic)
    qos = _rendered(folder, "qos.json.j2", box, asic)
    return merged(merged(box, buffers), qos)


def _rendered(folder: str, template: str, box: ConfigDb, asic: str) -> ConfigDb:
    templates = upstream.folder("sonic-templates")
    loader = ChoiceLoader(
        [
            FileSystemLoader([templates / folder, templates]),
            DictLoader({"buffer_ports.j2": ""}),
        ]
    )
    env = Environment(loader=loader, trim_blocks=True, autoescape=False)  # noqa: S701  JSON, not HTML
    env.filters["sort_by_port_index"] = lambda ports: ports.sort(key=natural)
    env.globals["template_exists"] = lambda name: name in env.list_templates()
    text = env.get_template(template).render(**box, asic_type=asic)
    data: ConfigDb = json.loads(_SPARE_COMMA.sub("", text))
    return {table: rows for table, rows in data.items() if rows}


def with_made_groups(data: ConfigDb) -> ConfigDb:
    """What buffermgrd adds in the traditional model: a row for each run of PFC priorities."""
    made = copy.deepcopy(data)
    lengths = next(iter(data["CABLE_LENGTH"].values()))
    for port, row in data["PORT_QOS_MAP"].items():
        if "pfc_enable" not in row or port not in lengths:
            continue
        profile = f"pg_lossless_{data['PORT'][port]['speed']}_{lengths[port]}_profile"
        made["BUFFER_PROFILE"].setdefault(profile, dict(_SIZED))
        for key in _runs(row["pfc_enable"]):
            made["BUFFER_PG"][f"{port}|{key}"] = {"profile": profile}
    return made


def _runs(enabled: str) -> list[str]:
    runs: list[list[int]] = []
    for number in sorted(map(int, enabled.split(","))):
        if runs and runs[-1][-1] == number - 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return [str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs]


class RefusedError(Exception):
    """A JSON patch that does not apply."""


def patched(data: ConfigDb, operations: Iterable[Mapping[str, Any]]) -> ConfigDb:
    """RFC 6902 add, remove and replace on objects; rejects what the RFC and `config apply-patch` reject.

    The latter also rejects an empty table (sonic-utilities generic_config_updater, EmptyTableError).
    """
    target: Any = copy.deepcopy(data)
    for one in operations:
        *above, last = (t.replace("~1", "/").replace("~0", "~") for t in str(one["path"]).split("/")[1:])
        parent = target
        for token in above:
            if token not in parent:
                raise RefusedError(f"{one['path']}: no {token}")
            parent = parent[token]
        if one["op"] in ("remove", "replace") and last not in parent:
            raise RefusedError(f"{one['path']}: nothing to {one['op']}")
        if one["op"] == "remove":
            del parent[last]
        else:
            assert one["op"] in ("add", "replace")
            parent[last] = copy.deepcopy(one["value"])
    empty = [table for table, rows in target.items() if not rows]
    if empty:
        raise RefusedError(f"empty tables: {empty}")
    result: ConfigDb = target
    return result
