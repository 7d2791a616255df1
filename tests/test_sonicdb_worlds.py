"""Origins of config_db files: dumps, several ASICs, chassis, old images, folders, copies."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from netplan.config_db import Judged, judge, judge_texts
from netplan.diagnostics import Severity
from tests.sonic_corpus import ConfigDb, merged, small, texts

LEAF = "leaf-1.json"


def _codes(judged: Judged) -> set[str]:
    return {d.code for d in judged.diagnostics}


def _dump(tables: ConfigDb, *, typed: bool) -> dict[str, Any]:
    rows: dict[str, Any] = {}
    for table, keys in tables.items():
        for key, fields in keys.items():
            flat = {
                f"{name}@" if isinstance(value, list) else name: ",".join(value)
                if isinstance(value, list)
                else value
                for name, value in (fields or {"NULL": "NULL"}).items()
            }
            rows[f"{table}|{key}"] = (
                {"expireat": 1602451533.23, "ttl": -0.001, "type": "hash", "value": flat} if typed else flat
            )
    return {**rows, "CONFIG_DB_INITIALIZED": {"type": "string", "value": "1"}} if typed else rows


@pytest.mark.parametrize("typed", [True, False])
@pytest.mark.parametrize("database", ["", "db4", "CONFIG_DB"])
def test_a_dump_of_redis_is_read_as_tables(typed: bool, database: str) -> None:
    dumped = {name: _dump(tables, typed=typed) for name, tables in small().items()}
    if database:
        other = {"db0": {"PORT_TABLE:Ethernet0": {"type": "hash", "value": {}}}} if database == "db4" else {}
        dumped = {name: {**other, database: data} for name, data in dumped.items()}
    judged = judge_texts({name: json.dumps(data, indent=2) for name, data in dumped.items()})
    assert judged.diagnostics == ()
    assert judged.switches == ("leaf-1", "leaf-2", "spine-1")
    assert any("a dump of redis" in note for note in judged.skipped)
    assert judged.checked["NP896"] == 4


def test_a_fault_in_a_dump_is_found_at_its_line() -> None:
    tables = merged(small()[LEAF], {"PORT_QOS_MAP": {"Ethernet20": {"pfc_enable": "3"}}})
    text = json.dumps(_dump(tables, typed=True), indent=2)
    judged = judge_texts({**texts(small()), LEAF: text})
    (problem,) = (d for d in judged.diagnostics if d.code == "NP896")
    assert problem.source
    assert text.split("\n")[problem.source.line - 1].strip() == '"pfc_enable": "3",'


def test_a_dump_without_config_db_is_named() -> None:
    dump = {"db0": {"PORT_TABLE:Ethernet0": {"type": "hash", "value": {}}}, "db6": {}}
    judged = judge_texts({"dump.json": json.dumps(dump)})
    assert any("without CONFIG_DB (database 4): it has db0, db6" in note for note in judged.skipped)
    assert _codes(judged) == {"NP872"}, "nothing was judged, so that the run must not pass"
    flat = judge_texts({"dump.json": json.dumps(dump["db0"])})
    assert _codes(flat) == {"NP872"}
    assert "not of CONFIG_DB" in flat.diagnostics[0].message


def test_each_asic_is_a_switch_of_its_own() -> None:
    """They share hostname, loopback and MAC."""
    asics = {}
    for number, name in enumerate(("localhost", "asic0", "asic1")):
        local = {"asic_name": name} if number else {}
        asics[name] = merged(small()[LEAF], {"DEVICE_METADATA": {"localhost": local}, "INTERFACE": None})
    judged = judge_texts({"all.json": json.dumps(asics, indent=1)})
    assert judged.switches == ("leaf-1", "leaf-1 asic0", "leaf-1 asic1")
    assert _codes(judged) <= {"NP874", "NP880"}, "of the removed table only"
    one = judge_texts({f"config_db{name}.json": json.dumps(data) for name, data in asics.items()})
    assert one.switches == judged.switches


def _chassis(mine: str, hostname: str = "leaf-1") -> ConfigDb:
    """QUEUE rows with the keys of a chassis; those of other cards have no scheduler."""
    data = copy.deepcopy(small()[LEAF])
    rows = {}
    for key, row in data["QUEUE"].items():
        port, _, queue = key.partition("|")
        rows[f"{hostname}|{mine}|{port}|{queue}"] = row
        rows[f"other-card|Asic0|{port}|{queue}"] = {"wred_profile": row.get("wred_profile", "AZURE_LOSSLESS")}
    data["QUEUE"] = rows
    data["DEVICE_METADATA"]["localhost"]["asic_name"] = "Asic0"
    return data


def test_queues_of_a_chassis_are_those_of_their_card() -> None:
    assert judge_texts({LEAF: json.dumps(_chassis("asic0"))}).diagnostics == ()
    broken = _chassis("Asic0")
    del broken["QUEUE"]["leaf-1|Asic0|Ethernet0|3"]["wred_profile"]
    assert _codes(judge_texts({LEAF: json.dumps(broken)})) == {"NP888"}
    part = {name: rows for name, rows in broken.items() if name not in {"DEVICE_METADATA", "PORT"}}
    assert "NP888" not in _codes(judge_texts({LEAF: json.dumps(part)})), "whose queues they are is not stated"


def _bracketed(data: ConfigDb) -> ConfigDb:
    targets = {"wred_profile": "WRED_PROFILE", "scheduler": "SCHEDULER", "dscp_to_tc_map": "DSCP_TO_TC_MAP",
               "tc_to_queue_map": "TC_TO_QUEUE_MAP", "tc_to_pg_map": "TC_TO_PRIORITY_GROUP_MAP",
               "pfc_to_queue_map": "MAP_PFC_PRIORITY_TO_QUEUE",
               "pfc_to_pg_map": "PFC_PRIORITY_TO_PRIORITY_GROUP_MAP"}  # fmt: skip
    data = json.loads(json.dumps(data))  # rows of the corpus are shared
    for table in ("QUEUE", "PORT_QOS_MAP"):
        for row in data[table].values():
            row.update({name: f"[{targets[name]}|{row[name]}]" for name in targets.keys() & row.keys()})
    for table, target in (("BUFFER_PG", "PROFILE"), ("BUFFER_QUEUE", "PROFILE"), ("BUFFER_PROFILE", "POOL")):
        for row in data[table].values():
            name = target.lower()
            row[name] = f"[BUFFER_{target}|{row[name]}]"
    for table in ("BUFFER_PORT_INGRESS_PROFILE_LIST", "BUFFER_PORT_EGRESS_PROFILE_LIST"):
        for row in data[table].values():
            row["profile_list"] = ",".join(
                f"[BUFFER_PROFILE|{one}]" for one in row["profile_list"].split(",")
            )
    return data


@pytest.mark.parametrize(
    ("version", "codes"),
    [("version_1_0_4", set()), ("version_3_0_2", set()), (None, set()),
     ("version_3_0_3", {"NP874"}), ("version_202411_01", {"NP874"})],
)  # fmt: skip
def test_brackets_are_right_in_old_files(version: str | None, codes: set[str]) -> None:
    data = _bracketed(small()[LEAF])
    data["VERSIONS"]["DATABASE"] = {"VERSION": version} if version else {}
    judged = judge_texts({LEAF: json.dumps(data)})
    assert _codes(judged) == codes
    assert len(judged.diagnostics) == len(codes), "told once"
    data["QUEUE"]["Ethernet0|3"]["wred_profile"] = "[WRED_PROFILE|nope]"
    assert "NP874" in _codes(judge_texts({LEAF: json.dumps(data)})), "a name in brackets has to exist too"


def test_rows_of_the_watchdog_alone_are_laid_over_those_of_the_switch() -> None:
    rows = {"Ethernet0": {"action": "drop", "detection_time": "200", "restoration_time": "400"}}
    assert not judge_texts({LEAF: json.dumps({"PFC_WD": rows})}).diagnostics
    whole = {**small()[LEAF], "PFC_WD": rows}
    assert "NP893" in _codes(judge_texts({LEAF: json.dumps(whole)}))


def test_queues_whose_keys_are_refused_have_no_further_finding() -> None:
    data = copy.deepcopy(small()[LEAF])
    data["QUEUE"] = {key.replace("|", ":"): row for key, row in data["QUEUE"].items()}
    codes = _codes(judge_texts({LEAF: json.dumps(data)}))
    assert "NP876" in codes
    assert "NP888" not in codes


def test_old_files_have_addresses_without_bare_rows() -> None:
    data = copy.deepcopy(small()[LEAF])
    for table in ("INTERFACE", "VLAN_INTERFACE", "LOOPBACK_INTERFACE"):
        data[table] = {key: row for key, row in data[table].items() if "|" in key}
    assert "NP878" in _codes(judge_texts({LEAF: json.dumps(data)}))
    data["VERSIONS"] = {}
    unversioned = _codes(judge_texts({LEAF: json.dumps(data)}))
    assert unversioned == {"NP818"}, "FEATURE is younger than bare rows; db_migrator adds them at boot"
    features = data.pop("FEATURE")
    assert not judge_texts({LEAF: json.dumps(data)}).diagnostics
    data |= {"FEATURE": features, "VERSIONS": {"DATABASE": {"VERSION": "version_1_0_1"}}}
    assert not judge_texts({LEAF: json.dumps(data)}).diagnostics


def test_a_part_leaves_fields_to_the_switch() -> None:
    """Its rows are laid over those of the switch field by field: PFC of a bound port, the size of a pool."""
    pool = {"ingress_lossless_pool": {"size": "4580864"}}
    part: ConfigDb = {"PORT_QOS_MAP": {"Ethernet0": {"pfc_enable": "3,4"}}, "BUFFER_POOL": pool}
    assert judge_texts({"roce.json": json.dumps(part)}).diagnostics == ()
    part["PORT_QOS_MAP"]["Ethernet0"]["dscp_to_tc_map"] = "AZURE"
    part["BUFFER_POOL"]["rdma_pool"] = {"size": "4580864"}
    assert _codes(judge_texts({"roce.json": json.dumps(part)})) == {"NP878", "NP890"}


def test_one_cause_is_one_finding() -> None:
    """A name used by many rows, rows that all lack a field, a port with lanes of seven others."""
    data = json.loads(json.dumps(small()[LEAF]))
    del data["WRED_PROFILE"]["AZURE_LOSSLESS"]
    for port in data["PORT"].values():
        del port["speed"]
    data["PORT"]["Ethernet0"]["lanes"] = ",".join(map(str, range(32)))
    found = judge_texts({LEAF: json.dumps(data)}).diagnostics
    assert sorted(d.code for d in found) == ["NP862", "NP874", "NP878"]


def test_frrcfgd_has_words_of_its_own() -> None:
    row = {"BGP_NEIGHBOR": {"default|10.128.0.0": {"asn": "4200000001", "admin_status": "true"}}}
    data = merged({**small()[LEAF], "BGP_NEIGHBOR": {}}, row)
    assert "NP876" in _codes(judge_texts({LEAF: json.dumps(data)}))
    data["DEVICE_METADATA"]["localhost"]["frr_mgmt_framework_config"] = "true"
    assert judge_texts({LEAF: json.dumps(data)}).diagnostics == ()


def test_dual_tor_has_four_lossless_priorities() -> None:
    enabled = {"pfc_enable": "2,3,4,6"}
    rows = dict.fromkeys(small()[LEAF]["PORT_QOS_MAP"], enabled)
    data = merged(small()[LEAF], {"PORT_QOS_MAP": rows})
    assert "NP892" not in _codes(judge_texts({LEAF: json.dumps(data)}))


@pytest.mark.parametrize(
    ("subtype", "watched", "lacking"), [("DualToR", "3,4", []), ("DualToR", "3", ["4"]), ("", "3,4", ["2,6"])]
)
def test_priorities_of_the_tunnel_have_no_watchdog(subtype: str, watched: str, lacking: list[str]) -> None:
    """Lossless queues 2 and 6 of dual ToR are for packets that come back from the tunnel."""
    enabled = "2,3,4,6" if subtype else "2,3,4,5,6"
    queues = dict.fromkeys(("Ethernet0|0-2", "Ethernet0|5-6"))
    own = {f"Ethernet0|{queue}": {"profile": "egress_lossless_profile"} for queue in (2, 6)}
    patch = {
        "DEVICE_METADATA": {"localhost": {"subtype": subtype or None}},
        "PORT_QOS_MAP": {"Ethernet0": {"pfc_enable": enabled, "pfcwd_sw_enable": watched}},
        "BUFFER_QUEUE": {**queues, **own, "Ethernet0|5": {"profile": "q_lossy_profile"}},
    }
    judged = judge_texts(texts({**small(), LEAF: merged(small()[LEAF], patch)}))
    found = [d.message for d in judged.diagnostics if d.code == "NP893"]
    assert [message.split("priority ")[1].split(", which")[0] for message in found] == lacking


def test_files_of_a_folder_are_laid_by_name(tmp_path: Path) -> None:
    """In the order of a shell's `*.json`: 00-running.json, 10-roce.json, config_db.json."""
    whole, over = copy.deepcopy(small()[LEAF]), {"PORT": {"Ethernet20": {"mtu": "9100"}}}
    (tmp_path / "spine.json").write_text(texts(small())["spine-1.json"])
    for first, second, expected in (("00-running.json", "roce.json", {"NP894", "NP897"}),
                                    ("config_db.json", "00-roce.json", set())):  # fmt: skip
        folder = tmp_path / first
        folder.mkdir()
        (folder / first).write_text(json.dumps(whole))
        (folder / second).write_text(json.dumps(over))
        judged = judge([str(tmp_path / "spine.json"), str(folder)])
        assert _codes(judged) - {"NP894"} == expected - {"NP894"}, first


def test_two_switches_of_one_name_are_not_merged() -> None:
    other = merged(small()["leaf-2.json"], {"DEVICE_METADATA": {"localhost": {"hostname": "leaf-1"}}})
    files = {**small(), "leaf-2.json": other}
    judged = judge_texts(texts(files))
    assert judged.switches == ("leaf-1", "leaf-1#2", "spine-1")
    assert "NP861" in _codes(judged)
    copied = judge_texts(texts({LEAF: small()[LEAF], "backup.json": small()[LEAF]}))
    assert copied.switches == ("leaf-1",)
    assert copied.diagnostics == ()
    assert f"backup.json: a copy of {LEAF}, left out" in copied.skipped


PLANTED: dict[str, tuple[str, dict[str, Any], str]] = {
    "xoff a tenth": (LEAF, {"BUFFER_PROFILE": {"pg_lossless_100000_40m_profile": {"xoff": "3891"}}}, "NP885"),
    "lanes twice": (LEAF, {"PORT": {"Ethernet28": {"lanes": "0,1,2,3"}}}, "NP862"),
    "a lossy profile": (LEAF, {"BUFFER_QUEUE": {"Ethernet0|3-4": {"profile": "q_lossy_profile"}}}, "NP857"),
    "a lossy pool": (
        LEAF, {"BUFFER_PROFILE": {"egress_lossless_profile": {"pool": "egress_lossy_pool"}}}, "NP857",
    ),
    "the same /31 on one switch": (
        "spine-1.json",
        {"INTERFACE": {"Ethernet4|10.128.0.2/31": None, "Ethernet4|10.128.0.0/31": {}}},
        "NP869",
    ),
    "the same /31 on two": (
        "leaf-2.json",
        {"INTERFACE": {"Ethernet20|10.128.1.1/31": None, "Ethernet20|10.128.0.1/31": {}}},
        "NP875",
    ),
    "a port down": (LEAF, {"PORT": {"Ethernet20": {"admin_status": "down"}}}, "NP868"),
    "DSCP 26 in another class": (LEAF, {"DSCP_TO_TC_MAP": {"AZURE": {"26": "1"}}}, "NP898"),
    "PFC pauses another queue": (LEAF, {"MAP_PFC_PRIORITY_TO_QUEUE": {"AZURE": {"3": "2"}}}, "NP882"),
    "ECN off": (LEAF, {"WRED_PROFILE": {"AZURE_LOSSLESS": {"ecn": "ecn_none"}}}, "NP887"),
    "ECN off, and no WRED": (
        LEAF,
        {"WRED_PROFILE": {"AZURE_LOSSLESS": {"ecn": "ecn_none", "wred_green_enable": "false"}}},
        "NP888",
    ),
    "no ECN profile": (LEAF, {"QUEUE": {"Ethernet0|3": {"wred_profile": None}}}, "NP888"),
}  # fmt: skip


@pytest.mark.parametrize("what", PLANTED)
def test_a_planted_mistake_is_found(what: str) -> None:
    name, patch, code = PLANTED[what]
    files = small()
    files[name] = merged(files[name], patch)
    judged = judge_texts(texts(files))
    assert code in {d.code for d in judged.diagnostics if d.severity >= Severity.WARNING}
