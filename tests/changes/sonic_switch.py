"""A model of a SONiC switch: CONFIG_DB as changed by ``config apply-patch``, ``config load`` and the CLI.

It is independent of the product: what is rejected follows sonic-net/sonic-utilities 691b1bb
(generic_config_updater/generic_updater.py and gu_common.py, config/main.py, config/vlan.py, pfcwd/main.py).
"""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import jsonpatch

from netplan.changes.commands import Change, Files, Part
from tests.sonic_tables import TABLES
from tests.sonic_yang import ConfigDb, merged

FOREIGN: ConfigDb = {
    "PORT": {"Ethernet252": {"lanes": "252,253,254,255", "speed": "100000", "mtu": "1500"}},
    "VLAN": {"Vlan3999": {"vlanid": "3999"}},
    "VLAN_MEMBER": {"Vlan3999|Ethernet252": {"tagging_mode": "untagged"}},
    "VLAN_INTERFACE": {"Vlan3999": {}, "Vlan3999|192.0.2.1/24": {}},
    "BGP_NEIGHBOR": {"192.0.2.2": {"asn": "64999", "name": "somebody"}},
    "CABLE_LENGTH": {"AZURE": {"Ethernet252": "300m"}},
    "SCHEDULER": {"mine": {"type": "DWRR", "weight": "25"}},
    "QUEUE": {"Ethernet252|3": {"scheduler": "mine"}},
    "PORT_QOS_MAP": {"Ethernet252": {"dscp_to_tc_map": "MINE"}},
}
"""Rows configured by others, which must survive every change."""


_AZURE = {"AZURE": {"0": "0"}}
IMAGE: ConfigDb = {
    "PORT": {"Ethernet248": {"lanes": "248,249,250,251", "speed": "100000", "mtu": "9100"}},
    "CABLE_LENGTH": {"AZURE": {"Ethernet248": "300m"}},
    "DSCP_TO_TC_MAP": _AZURE,
    "TC_TO_QUEUE_MAP": _AZURE,
    "TC_TO_PRIORITY_GROUP_MAP": _AZURE,
    "MAP_PFC_PRIORITY_TO_QUEUE": _AZURE,
    "SCHEDULER": {"scheduler.1": {"type": "DWRR", "weight": "15"}},
    "WRED_PROFILE": {"AZURE_LOSSLESS": {"ecn": "ecn_all"}},
    "QUEUE": {"Ethernet248|3": {"scheduler": "scheduler.1"}},
    "PORT_QOS_MAP": {"Ethernet248": {"dscp_to_tc_map": "AZURE"}},
}
"""Default rows of the image, for an unused port."""


class RefusedError(Exception):
    """The switch rejects it."""


class SonicSwitch:
    """``planted``: with rows configured by others. ``ports``: names of the switch's ports."""

    def __init__(self, ports: list[str], stock: Mapping[str, str], *, planted: bool, dynamic: bool) -> None:
        self.db: ConfigDb = {
            "DEVICE_METADATA": {
                "localhost": {"hostname": "switch", "hwsku": "ACS-MSN2700", "type": "LeafRouter"}
            },
            "PORT": {
                port: {"lanes": str(number + 1000), "speed": "100000", "mtu": "9100"}
                for number, port in enumerate(ports)
            },
        }
        self.db = merged(self.db, IMAGE)
        if stock:
            self.db["BUFFER_QUEUE"] = {
                f"{p}|{q}": {"profile": name} for p in ports for q, name in stock.items()
            }
            profiles = sorted(set(stock.values()))
            self.db["BUFFER_POOL"] = {"pool": {"type": "egress", "mode": "dynamic", "size": "1"}}
            self.db["BUFFER_PROFILE"] = {
                p: {"pool": "pool", "size": "0", "dynamic_th": "7"} for p in profiles
            }
            groups = ["0", *(["3-4"] if dynamic else [])]
            self.db["BUFFER_PG"] = {f"{p}|{group}": {"profile": "NULL"} for p in ports for group in groups}
        if planted:
            self.db = merged(self.db, FOREIGN)
        self.files: dict[str, str] = {}
        self.frr = Frr()
        self.seen: list[ConfigDb] = []

    def rollout(self, files: Files) -> None:
        """Apply the files as in the README, on a switch that has none of them."""
        self.db = merged(self.db, json.loads(files.get("interfaces.json", "{}")))
        if "buffers.patch.json" in files:
            operations = json.loads(files["buffers.patch.json"])
            # it also sets pfc_enable, which comes from roce.json
            buffers = [op for op in operations if op["path"].startswith("/BUFFER_")]
            self.db = jsonpatch.apply_patch(self.db, buffers)
        self.db = merged(self.db, json.loads(files.get("roce.json", "{}")))
        self.files = {name: text for name, text in files.items() if name == "arp.conf"}
        for name in ("bgp.conf", "host-links.conf"):
            for line in files.get(name, "").splitlines():
                self.frr.line(line)
        self._drop_empty()

    def apply(self, change: Change) -> None:
        """Apply a change; a guarded removal that is rejected is done row by row, as ``confirm`` says."""
        guarded = re.findall(
            r"confirm on the switch: (\w+) has only the rows of the patch", " ".join(change.confirm)
        )
        for part in change.parts:
            if part.apply.startswith("sudo config apply-patch"):
                self.patch(list(self._by_row(json.loads(part.text), guarded)))
            else:
                self.part(part)

    def _by_row(self, operations: list[dict[str, Any]], guarded: list[str]) -> Iterator[dict[str, Any]]:
        for op in operations:
            name = op["path"].removeprefix("/")
            others = name in guarded and self.db.get(name) != next(
                each["value"] for each in operations if each["op"] == "test" and each["path"] == op["path"]
            )
            if not others:
                yield op
            elif op["op"] == "test":
                yield from (
                    {"op": "remove", "path": f"{op['path']}/{key.replace('/', '~1')}"} for key in op["value"]
                )

    def part(self, part: Part) -> None:
        if part.apply.startswith("sudo config apply-patch"):
            self.patch(json.loads(part.text))
        elif part.apply.startswith("sudo config load -y"):
            self.db = merged(self.db, json.loads(part.text))
        elif part.apply.startswith("sh -e"):
            for line in part.text.splitlines():
                self.command(line)
        elif "/etc/sysctl.d/" in part.apply:
            self.files["arp.conf"] = part.text
        elif "vtysh -f" in part.apply:
            for line in part.text.splitlines():
                self.frr.line(line)
        else:
            raise AssertionError(part.apply)
        self.seen.append(copy.deepcopy(self.db))

    def patch(self, operations: list[dict[str, Any]]) -> None:
        try:
            target = jsonpatch.apply_patch(self.db, operations)
        except (jsonpatch.JsonPatchException, jsonpatch.JsonPointerException) as error:
            raise RefusedError(str(error)) from error
        empty = [name for name, rows in target.items() if not rows]
        if empty:
            raise RefusedError(f"EmptyTableError: {empty}")
        for op in jsonpatch.JsonPatch.from_diff(self.db, target):
            table, *_ = op["path"].split("/")[1:]
            if table not in TABLES and table != "BGP_NEIGHBOR_AF":  # in sonic-bgp-neighbor.yang
                raise RefusedError(f"{table} has no YANG model")
            if table in ("PFC_WD", "BUFFER_POOL") or (
                table == "BUFFER_PROFILE" and op["path"].count("/") != 2
            ):
                raise RefusedError(f"Modification of {table} table is illegal")
            if op["op"] == "remove" and op["path"] == "/LOOPBACK_INTERFACE/Loopback0":
                raise RefusedError("remove is illegal on Loopback0")
        self.db = target

    def command(self, line: str) -> None:
        for pattern, act in self._commands().items():
            match = re.fullmatch(pattern, line)
            if match:
                act(*match.groups())
                self._drop_empty()
                return
        raise RefusedError(f"no such command: {line}")

    def _commands(self) -> Mapping[str, Callable[..., None]]:
        return {
            r"sudo pfcwd stop (\S+)": lambda port: self._take("PFC_WD", port),
            r"sudo config vlan member del (\d+) (\S+)": lambda vlan, port: self._take(
                "VLAN_MEMBER", f"Vlan{vlan}|{port}"
            ),
            r"sudo config interface ip remove (\S+) (\S+)": self._address,
            r"sudo config bgp remove neighbor (\S+)": lambda address: self._take("BGP_NEIGHBOR", address),
            r"sudo config vlan del (\d+)": self._vlan,
            r"sudo config portchannel member del (\S+) (\S+)": lambda name, port: self._take(
                "PORTCHANNEL_MEMBER", f"{name}|{port}"
            ),
        }

    def _take(self, table: str, key: str) -> None:
        if key not in self.db.get(table, {}):
            raise RefusedError(f"{table}|{key} is not there")
        del self.db[table][key]

    def _address(self, name: str, address: str) -> None:
        table = "VLAN_INTERFACE" if name.startswith("Vlan") else "INTERFACE"
        self._take(table, f"{name}|{address}")
        if not any(key.startswith(f"{name}|") for key in self.db[table]):
            self._take(table, name)

    def _vlan(self, vlan: str) -> None:
        name = f"Vlan{vlan}"
        for table in ("VLAN_MEMBER", "VLAN_INTERFACE"):
            if any(key.split("|")[0] == name for key in self.db.get(table, {})):
                raise RefusedError(f"{name} still has {table}")
        self._take("VLAN", name)

    def _drop_empty(self) -> None:
        """Remove tables without rows: CONFIG_DB has none."""
        self.db = {name: rows for name, rows in self.db.items() if rows}

    def twice(self) -> list[str]:
        """Addresses on more than one interface."""
        tables = ("VLAN_INTERFACE", "INTERFACE")
        keys = [key for table in tables for key in self.db.get(table, {}) if "|" in key]
        addresses = [key.partition("|")[2] for key in keys]
        return sorted({one for one in addresses if addresses.count(one) > 1})


class Frr:
    """State of ``vtysh -f``: the lines of ``router bgp`` by address family."""

    def __init__(self) -> None:
        self.router, self.lines = "", set[tuple[str, str]]()
        self._at: str | None = None

    def line(self, raw: str) -> None:
        line = " ".join(raw.split())
        if not line or line.startswith("!"):
            return
        if line.startswith("router bgp "):
            if self.router not in ("", line):
                raise RefusedError(f"BGP is already running; {self.router}")
            self.router, self._at = line, ""
        elif line.startswith("no router bgp "):
            if line != f"no {self.router}":
                raise RefusedError(f"no such BGP: {line}")
            self.router, self.lines, self._at = "", set(), None
        elif line == "exit":
            self._at = None
        elif self._at is None:
            raise RefusedError(f"unknown command: {line}")
        elif line.startswith("address-family "):
            self._at = line
        elif line == "exit-address-family":
            self._at = ""
        else:
            self._setting(line)

    def _setting(self, line: str) -> None:
        words = line.removeprefix("no ").split()
        if line.startswith("no neighbor ") and len(words) == 2:
            mine = {(at, one) for at, one in self.lines if one.split()[:2] == words}
            if not mine:
                raise RefusedError(f"no such neighbour: {line}")
            self.lines -= mine
        elif line.startswith("no ") and words[0] != "bgp":
            if (self._at, line.removeprefix("no ")) not in self.lines:
                raise RefusedError(f"not there: {line}")
            self.lines.discard((str(self._at), line.removeprefix("no ")))
        else:
            if words[0] == "neighbor" and words[2] != "remote-as" and not self._known(words[1]):
                raise RefusedError(f"no remote-as: {line}")
            size = {"neighbor": 3, "bgp": 2, "maximum-paths": 1}.get(words[0], 9)
            self.lines = {
                e for e in self.lines if e[0] != self._at or e[1].split()[:size] != line.split()[:size]
            }
            self.lines.add((str(self._at), line))

    def _known(self, address: str) -> bool:
        return any(line.startswith(f"neighbor {address} remote-as ") for _, line in self.lines)


def differences(left: ConfigDb, right: ConfigDb) -> set[tuple[str, str, str]]:
    """(table, key, field) that differ; field "" for a row that one side lacks."""
    found: set[tuple[str, str, str]] = set()
    for table in {*left, *right}:
        rows = left.get(table, {}), right.get(table, {})
        for key in {*rows[0], *rows[1]}:
            if (key in rows[0]) != (key in rows[1]):
                found.add((table, key, ""))
                continue
            a, b = rows[0][key], rows[1][key]
            found |= {(table, key, field) for field in {*a, *b} if a.get(field) != b.get(field)}
    return found
