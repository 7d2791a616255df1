"""Validates a rendered SONiC config_db against SONiC's own YANG models, with yanglint.

The rendered config is partial on purpose (lanes, hwsku, platform and mac belong to the switch), so it is
first merged over a minimal config of such a switch.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests import upstream
from tests.sonic_tables import TABLES, Table

ConfigDb = dict[str, dict[str, dict[str, Any]]]
"""Table -> row key (parts joined by ``|``) -> field -> string, or list of strings for a leaf-list."""

TIMEOUT_SECONDS = 30  # 0.3 s if all is well; some rows make yanglint 2.1.30 loop forever
LANES_PER_PORT = 4


def missing() -> str | None:
    """Why the YANG models and the vendor's templates cannot be used here; None if they can."""
    if shutil.which("yanglint") is None:
        return "yanglint is not on the PATH (Debian: libyang2-tools)"
    return upstream.missing("sonic-yang") or upstream.missing("sonic-templates")


def yanglint(config_db: ConfigDb, ports: Iterable[str] = (), speed: int = 100_000) -> list[str]:
    """Errors of a partial config_db, empty if the models accept it.

    ``ports``: ports of the switch that the config's own PORT table does not have; ``speed``: of ports without
    one, in Mb/s. yanglint reports its first error only. Neighbours of frrcfgd are left out.
    """
    box = base_config([*ports, *config_db.get("PORT", {})], speed)
    data, errors = to_yang(merged(box, without_managed_neighbours(config_db)))
    return errors or _run(data)


def without_managed_neighbours(config_db: ConfigDb) -> ConfigDb:
    """BGP_NEIGHBOR rows with a VRF make yanglint 2.1.30 loop forever, and BGP_NEIGHBOR_AF refers to them."""
    rows = {key: row for key, row in config_db.get("BGP_NEIGHBOR", {}).items() if "|" not in key}
    tables = {name: table for name, table in config_db.items() if name != "BGP_NEIGHBOR_AF"}
    return tables | ({"BGP_NEIGHBOR": rows} if "BGP_NEIGHBOR" in tables else {})


def base_config(ports: Iterable[str], speed: int = 100_000) -> ConfigDb:
    """What a switch has of its own and netplan never writes: identity, lanes; and a speed (Mb/s) per port."""
    identity = {
        "hostname": "switch",
        "hwsku": "ACS-MSN2700",
        "platform": "x86_64-mlnx_msn2700-r0",
        "mac": "02:00:00:00:00:01",
        "type": "LeafRouter",
        "bgp_asn": "65100",
    }
    rows = {}
    for index, port in enumerate(dict.fromkeys(ports)):
        lanes = range(index * LANES_PER_PORT, (index + 1) * LANES_PER_PORT)
        rows[port] = {"lanes": ",".join(map(str, lanes)), "speed": str(speed)}
    return {"DEVICE_METADATA": {"localhost": identity}, "PORT": rows}


def merged(base: ConfigDb, over: ConfigDb) -> ConfigDb:
    """Merges like ``config load``: field by field, ``over`` wins."""
    tables = dict.fromkeys([*base, *over])
    return {table: _merged_rows(base.get(table, {}), over.get(table, {})) for table in tables}


def _merged_rows(base: dict[str, Any], over: dict[str, Any]) -> dict[str, Any]:
    return {key: {**base.get(key, {}), **over.get(key, {})} for key in dict.fromkeys([*base, *over])}


def to_yang(config_db: ConfigDb) -> tuple[dict[str, Any], list[str]]:
    """RFC 7951 JSON of a config_db, and what could not be translated.

    The same mapping as sonic_yang_ext.py of sonic-buildimage, from a table instead of the parsed models.
    """
    out: dict[str, Any] = {}
    errors: list[str] = []
    for name, rows in config_db.items():
        table = TABLES.get(name)
        if table is None:
            errors.append(f"{name}: no such table")
            continue
        container = _Container(name, table)
        for key, fields in rows.items():
            container.add(key, fields)
        out.setdefault(f"{table.module}:{table.module}", {})[name] = container.rows
        errors += container.errors
    return out, errors


@dataclass
class _Container:
    """A table during translation to YANG: ``rows`` is the content of its container."""

    name: str
    table: Table
    rows: dict[str, Any] = field(default_factory=dict)
    errors: list[str] = field(default_factory=list)

    def add(self, key: str, fields: dict[str, Any]) -> None:
        leaves = {leaf: self._value(f"{key}.{leaf}", leaf, value) for leaf, value in fields.items()}
        if key in self.table.containers:
            self.rows[key] = leaves
            return
        parts = key.split("|")
        lists = [(name, keys) for name, keys in self.table.lists.items() if len(keys) == len(parts)]
        if not lists:
            self.errors.append(f"{self.name}|{key}: no list of this table has {len(parts)} keys")
            return
        (name, keys) = lists[0]
        row: dict[str, Any] = {k: self._typed(k, part) for k, part in zip(keys, parts, strict=True)}
        self.rows.setdefault(name, []).append(row | self._inner(leaves))

    def _inner(self, leaves: dict[str, Any]) -> dict[str, Any]:
        """A map (DSCP to traffic class, port to cable) has plain fields here, and is a list of pairs in
        YANG."""
        if self.table.pairs is None:
            return leaves
        name, key, value = self.table.pairs
        pairs = [
            {key: self._typed(key, left), value: self._typed(value, right)} for left, right in leaves.items()
        ]
        return {name: pairs}

    def _value(self, where: str, leaf: str, value: Any) -> Any:
        texts = value if isinstance(value, list) else [value]
        if not all(isinstance(text, str) for text in texts):
            self.errors.append(
                f"{self.name}|{where}: {value!r} is not a string; config_db knows no other type"
            )
        if leaf in self.table.comma_lists and isinstance(value, str):
            return [text.strip() for text in value.split(",")]
        return self._typed(leaf, value)

    def _typed(self, leaf: str, value: Any) -> Any:
        """A number or boolean where libyang wants one; anything else stays, for yanglint to reject."""
        if leaf in self.table.numbers and isinstance(value, str) and re.fullmatch(r"-?\d+", value):
            return int(value)
        if leaf in self.table.booleans and value in ("true", "false"):
            return value == "true"
        return value


def _run(data: dict[str, Any]) -> list[str]:
    models = upstream.folder("sonic-yang")
    # Always all modules: constraints that refer to a missing module are skipped with only a warning.
    modules = [str(path) for path in sorted(models.glob("*.yang"))]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "config.json"
        file.write_text(json.dumps(data))
        command = ["yanglint", "-p", str(models), "-f", "json", "-t", "config", *modules, str(file)]
        try:
            done = subprocess.run(
                command, capture_output=True, text=True, timeout=TIMEOUT_SECONDS, check=False
            )
        except subprocess.TimeoutExpired:
            return [f"yanglint gave no answer in {TIMEOUT_SECONDS} s"]
    if done.returncode == 0:
        return []
    lines = done.stderr.splitlines()
    return [line for line in lines if line.startswith("libyang err")] or lines or [f"exit {done.returncode}"]
