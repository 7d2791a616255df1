"""Our structural rules compared with SONiC's own models: what yanglint accepts must not be an error."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Iterator

import pytest

from netplan.config_db import judge_texts
from netplan.diagnostics import Severity
from tests.sonic_corpus import small
from tests.sonic_tables import TABLES
from tests.sonic_yang import ConfigDb, base_config, merged, yanglint

pytestmark = pytest.mark.yang

SHAPE = {"NP870", "NP871", "NP872", "NP874", "NP876", "NP877", "NP878", "NP879", "NP880"}
"""Rules that the models also have."""
ROUNDS = 4
PER_ROUND = 20


def modelled(data: ConfigDb) -> ConfigDb:
    """The tables that the yanglint wrapper supports."""
    return {table: rows for table, rows in data.items() if table in TABLES}


LEAF = modelled(small()["leaf-1.json"])


def _shape_errors(data: ConfigDb) -> set[str]:
    """Our errors about a configuration merged over a switch's own rows, as for yanglint."""
    whole = merged(base_config(data.get("PORT", {})), data)
    whole["VERSIONS"] = {"DATABASE": {"VERSION": "version_202411_01"}}  # without one, see NP818
    found = judge_texts({"config_db.json": json.dumps(whole)}).diagnostics
    return {f"{d.code} {d.message}" for d in found if d.code in SHAPE and d.severity is Severity.ERROR}


def test_the_fabric_is_accepted_by_the_models() -> None:
    for data in small().values():
        assert yanglint(modelled(data)) == []
        assert _shape_errors(modelled(data)) == set()


VALUES = (
    "", "0", "1", "7", "8", "9", "15", "16", "63", "64", "100", "101", "199", "9216", "9217", "40", "40m",
    "true", "None", "AZURE", "NULL", "up", "STRICT", "ecn_all", "tagged", "untagged",
    "18446744073709551615", "18446744073709551616", "-8", "-9", "3,4", "3,", "global", "Ethernet0", "drop",
    "enable", "dynamic", "x" * 33,
)  # fmt: skip


def _mutant(chance: random.Random) -> tuple[str, ConfigDb]:
    """(description, configuration) with one field changed or removed, or one row removed or renamed."""
    data = copy.deepcopy(LEAF)
    table = chance.choice(sorted(data))
    key = chance.choice(sorted(data[table]))
    fields = sorted(data[table][key])
    kind = (
        chance.choice(["value"] * 6 + ["field", "row", "name"]) if fields else chance.choice(["row", "name"])
    )
    if kind == "row":
        del data[table][key]
        return f"{table} {key} removed", data
    if kind == "name":
        new = chance.choice(
            [key + "x", key.replace("|", "|x", 1), key.partition("|")[0], "Ethernet4|3", "Vlan100"]
        )
        data[table][new] = data[table].pop(key)
        return f"{table} {key} renamed {new}", data
    field = chance.choice(fields)
    if kind == "field":
        del data[table][key][field]
        return f"{table} {key} {field} removed", data
    data[table][key][field] = chance.choice(VALUES)
    return f"{table} {key} {field} = {data[table][key][field]}", data


def _hangs(data: ConfigDb) -> bool:
    """Whether yanglint 2.1.30 would loop endlessly: on a BGP_NEIGHBOR row with a VRF."""
    return any("|" in key for key in data.get("BGP_NEIGHBOR", {}))


def _mutants(seed: int) -> Iterator[tuple[str, ConfigDb]]:
    chance, seen = random.Random(seed), 0
    while seen < PER_ROUND:
        what, data = _mutant(chance)
        if not _hangs(data):
            seen += 1
            yield what, data


@pytest.mark.sample(1)
@pytest.mark.parametrize("seed", range(ROUNDS))
def test_what_the_models_accept_is_no_shape_error(seed: int) -> None:
    accepted = 0
    for what, data in _mutants(seed):
        if not yanglint(data):
            accepted += 1
            assert _shape_errors(data) == set(), what
    assert accepted, "every mutant was refused, so nothing was compared"


REFUSED: dict[str, tuple[str, str, str, object]] = {
    "a dangling WRED profile": ("QUEUE", "Ethernet0|3", "wred_profile", "nope"),
    "a dangling map": ("PORT_QOS_MAP", "Ethernet0", "dscp_to_tc_map", "nope"),
    "the brackets of old images": ("QUEUE", "Ethernet0|3", "scheduler", "[SCHEDULER|scheduler.1]"),
    "a routed port in a VLAN": ("INTERFACE", "Ethernet0", "mpls", "enable"),
    "a watchdog faster than its poll": ("PFC_WD", "GLOBAL", "POLL_INTERVAL", "1000"),
    "a WRED profile upside down": ("WRED_PROFILE", "AZURE_LOSSLESS", "green_max_threshold", "1"),
    "an address without its bare row": ("INTERFACE", "Ethernet28|192.0.2.0/31", "scope", "global"),
    "priority 8": ("PORT_QOS_MAP", "Ethernet0", "pfc_enable", "8"),
    "an MTU of 9300": ("PORT", "Ethernet0", "mtu", "9300"),
    "a cable without its unit": ("CABLE_LENGTH", "AZURE", "Ethernet0", "40"),
    "DSCP 64": ("DSCP_TO_TC_MAP", "AZURE", "64", "1"),
    "another vlanid": ("VLAN", "Vlan100", "vlanid", "101"),
    "two untagged VLANs": ("VLAN_MEMBER", "Vlan101|Ethernet0", "tagging_mode", "untagged"),
    "weight 0": ("SCHEDULER", "scheduler.1", "weight", "0"),
    "a profile without size": ("BUFFER_PROFILE", "new", "pool", "ingress_lossless_pool"),
    "a port as BGP neighbour": ("BGP_NEIGHBOR", "Ethernet20", "asn", "1"),
    "a true that is not text": ("PORT", "Ethernet0", "admin_status", True),
}
"""Mistakes that the models reject, and we must too."""


@pytest.mark.parametrize("what", REFUSED)
def test_what_the_models_refuse_is_a_shape_error(what: str) -> None:
    table, key, field, value = REFUSED[what]
    data = copy.deepcopy(LEAF)
    if key == "Vlan101|Ethernet0":
        data["VLAN"]["Vlan101"] = {"vlanid": "101"}
    data[table].setdefault(key, {})[field] = value
    assert yanglint(data)
    assert _shape_errors(data)
