"""config_db files written by others: a whole fabric without findings, and each planted fault at its line."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest

from netplan.config_db import RULES, Judged, judge_texts
from netplan.diagnostics import Diagnostic, Severity
from netplan.model.document import Places, SourceMap
from netplan.reading.config_db.read import switches_of
from tests.inventories import SHIPPED, compiled, outputs, text_of
from tests.sonic_corpus import corpus, line_of, merged, small, texts
from tests.sonic_yang import base_config

LEAF, SPINE = "leaf-1.json", "spine-1.json"
NONE: dict[str, Any] = {}


def _found(judged: Judged, code: str) -> list[Diagnostic]:
    return [d for d in judged.diagnostics if d.code == code]


def test_a_whole_fabric_is_clean() -> None:
    judged = judge_texts(texts(corpus()))
    assert judged.diagnostics == ()
    assert judged.switches == ("leaf-1", "leaf-2", "spine-1")
    looked_at_nothing = {code for code, number in judged.checked.items() if not number}
    assert judged.checked.keys() == RULES.keys()
    assert looked_at_nothing == set()
    assert judged.checked["NP896"] == 16, "links between the leaves and the spine"
    assert judged.checked["NP882"] == 24 + 24 + 16, "ports with PFC"


PORT = "Ethernet64"
"""A port of leaf-1, connected to Ethernet0 of spine-1."""
FAULTS: dict[str, tuple[dict[str, Any], tuple[str, ...]]] = {
    "NP800": (
        {"VLAN": {"Vlan7": {"vlanid": "7"}}, "VLAN_INTERFACE": {"Vlan7": NONE, "Vlan7|192.0.2.1/24": NONE}},
        ("VLAN_INTERFACE", "Vlan7|192.0.2.1/24"),
    ),
    "NP817": (
        {"MGMT_INTERFACE": {"eth0": {}, "eth0|192.0.2.1/24": {"gwaddr": "198.51.100.1"}}},
        ("MGMT_INTERFACE", "eth0|192.0.2.1/24", "gwaddr"),
    ),
    "NP818": ({"VERSIONS": None, "INTERFACE": {PORT: None}}, ("INTERFACE", f"{PORT}|10.128.0.1/31")),
    "NP819": (
        {"BGP_NEIGHBOR": {"10.128.0.0": {"admin_status": "down"}}},
        ("BGP_NEIGHBOR", "10.128.0.0", "admin_status"),
    ),
    "NP841": (
        {"BGP_GLOBALS_AF_NETWORK": {"default|ipv4_unicast|172.16.0.0/24": {}}},
        ("BGP_GLOBALS_AF_NETWORK", "default|ipv4_unicast|172.16.0.0/24"),
    ),
    "NP860": ({"PORT": {"Ethernet120": {"mtu": None, "mtu ": "9216"}}}, ("PORT", "Ethernet120", "mtu ")),
    "NP861": (
        {"DEVICE_METADATA": {"localhost": {"hostname": "leaf-2"}}},
        ("DEVICE_METADATA", "localhost", "hostname"),
    ),
    "NP862": ({"PORT": {"Ethernet120": {"lanes": "116,120"}}}, ("PORT", "Ethernet120", "lanes")),
    "NP868": ({"PORT": {PORT: {"admin_status": "down"}}}, ("PORT", PORT, "admin_status")),
    "NP869": (
        {"INTERFACE": {"Ethernet120": {}, "Ethernet120|10.128.0.0/31": {}}},
        ("INTERFACE", "Ethernet120|10.128.0.0/31"),
    ),
    "NP872": ({"FEATURE": {"bgp": {"state": True}}}, ("FEATURE", "bgp", "state")),
    "NP873": ({"CRM": {"Config": {"polling_interval": 300}}}, ("CRM", "Config", "polling_interval")),
    "NP874": ({"QUEUE": {f"{PORT}|4": {"scheduler": "nope"}}}, ("QUEUE", f"{PORT}|4", "scheduler")),
    "NP875": (
        {"LOOPBACK_INTERFACE": {"Loopback0|10.255.0.9/32": {}}},
        ("LOOPBACK_INTERFACE", "Loopback0|10.255.0.9/32"),
    ),
    "NP876": ({"PORT": {"Ethernet120": {"mtu": "9217"}}}, ("PORT", "Ethernet120", "mtu")),
    "NP877": ({"INTERFACE": {"Ethernet12": {}}}, ("VLAN_MEMBER", "Vlan100|Ethernet12")),
    "NP878": ({"INTERFACE": {PORT: None}}, ("INTERFACE", f"{PORT}|10.128.0.1/31")),
    "NP879": ({"PFC_WD": {PORT: {"restoration_time": "150"}}}, ("PFC_WD", PORT, "restoration_time")),
    "NP880": ({"BGP_NEIGHBOR": {PORT: {"asn": "1"}}}, ("BGP_NEIGHBOR", PORT)),
    "NP881": (
        {"DSCP_TO_TC_MAP": {"NEW": {str(d): "0" for d in range(64)}},
         "PORT_QOS_MAP": {"Ethernet8": {"dscp_to_tc_map": "NEW"}}},
        ("PORT_QOS_MAP", "Ethernet8", "pfc_enable"),
    ),
    "NP882": (
        {"TC_TO_PRIORITY_GROUP_MAP": {"AZURE": {"4": "2"}}}, ("TC_TO_PRIORITY_GROUP_MAP", "AZURE", "4"),
    ),
    "NP848": (
        {"BUFFER_PROFILE": {"pg_lossless_100000_40m_profile": {"pool": "egress_lossless_pool"}}},
        ("BUFFER_PROFILE", "pg_lossless_100000_40m_profile", "pool"),
    ),
    "NP857": (
        {"BUFFER_QUEUE": {f"{PORT}|3-4": {"profile": "q_lossy_profile"}}},
        ("BUFFER_QUEUE", f"{PORT}|3-4", "profile"),
    ),
    "NP858": (
        {"BUFFER_QUEUE": {f"{PORT}|4": {"profile": "egress_lossless_profile"}}},
        ("BUFFER_QUEUE", f"{PORT}|3-4"),
    ),
    "NP859": (
        {"BUFFER_POOL": {"ingress_lossless_pool": {"xoff": "38911"}}},
        ("BUFFER_PROFILE", "pg_lossless_100000_40m_profile", "xoff"),
    ),
    "NP883": (
        {"BUFFER_PG": {f"{PORT}|3-4": {"profile": "ingress_lossy_profile"}}},
        ("BUFFER_PG", f"{PORT}|3-4", "profile"),
    ),
    "NP884": (
        {"BUFFER_PG": {f"{PORT}|3-4": None}, "CABLE_LENGTH": {"AZURE": {PORT: "0m"}}},
        ("CABLE_LENGTH", "AZURE", PORT),
    ),
    "NP885": (
        {"BUFFER_PROFILE": {"pg_lossless_100000_5m_profile": {"xoff": "20480"}}},
        ("BUFFER_PROFILE", "pg_lossless_100000_5m_profile", "xoff"),
    ),
    "NP886": (
        {"BUFFER_PROFILE": {"pg_lossless_100000_40m_profile": {"size": "1000000"}}},
        ("BUFFER_POOL", "ingress_lossless_pool", "size"),
    ),
    "NP887": ({"WRED_PROFILE": {"AZURE_LOSSLESS": {"ecn": None}}}, ("WRED_PROFILE", "AZURE_LOSSLESS")),
    "NP888": ({"QUEUE": {f"{PORT}|3": {"wred_profile": None}}}, ("QUEUE", f"{PORT}|3")),
    "NP889": (
        {"QUEUE": {f"{PORT}|3": {"scheduler": "scheduler.2"}}}, ("QUEUE", f"{PORT}|3", "scheduler"),
    ),
    "NP890": (
        {"PORT_QOS_MAP": {PORT: {"tc_to_pg_map": None}}}, ("PORT_QOS_MAP", PORT, "pfc_enable"),
    ),
    "NP891": ({"DSCP_TO_TC_MAP": {"AZURE": {"63": None}}}, ("DSCP_TO_TC_MAP", "AZURE")),
    "NP892": (
        {"PORT_QOS_MAP": {PORT: {"pfc_enable": "2,3,4"}}}, ("PORT_QOS_MAP", PORT, "pfc_enable"),
    ),
    "NP893": ({"PFC_WD": {PORT: None}}, ("PORT_QOS_MAP", PORT, "pfc_enable")),
    "NP894": ({"PORT": {"Ethernet20": {"mtu": "9000"}}}, ("PORT", "Ethernet20", "mtu")),
    "NP895": (
        {"SWITCH_HASH": {"GLOBAL": {"ecmp_hash": ["DST_MAC"]}}}, ("SWITCH_HASH", "GLOBAL", "ecmp_hash"),
    ),
    "NP896": ({"PORT_QOS_MAP": {PORT: {"pfc_enable": "3"}}}, ("PORT_QOS_MAP", PORT, "pfc_enable")),
    "NP897": ({"PORT": {PORT: {"mtu": "9100"}}}, ("PORT", PORT, "mtu")),
    "NP898": ({"DSCP_TO_TC_MAP": {"AZURE": {"26": "0"}}}, ("DSCP_TO_TC_MAP", "AZURE", "26")),
    "NP899": ({"DEVICE_NEIGHBOR": {PORT: {"port": "Ethernet100"}}}, ("DEVICE_NEIGHBOR", PORT)),
}  # fmt: skip
"""Code -> (patch for the file of leaf-1, key at whose line the finding is)."""

EITHER = {"NP861", "NP875", "NP899"}
"""Rules about two conflicting places, either of which may be wrong: reported at one, naming the other."""


def test_every_rule_has_a_fault() -> None:
    assert FAULTS.keys() | {"NP870", "NP871"} == RULES.keys()


@pytest.mark.parametrize("code", sorted(FAULTS))
def test_a_planted_fault_is_found_at_its_line(code: str) -> None:
    patch, path = FAULTS[code]
    files = corpus()
    files[LEAF] = merged(files[LEAF], patch)
    named = texts(files)
    found = _found(judge_texts(named), code)
    line = line_of(named[LEAF], *path)
    here = [d for d in found if d.source and (d.source.file, d.source.line) == (LEAF, line)]
    if code in EITHER:
        assert here or any(f"{LEAF}:{line}:" in d.message for d in found), found
    else:
        assert here, found
    assert all(d.path == path for d in here)


def test_broken_and_repeated_text_is_found_at_its_line() -> None:
    named = texts(corpus())
    line = line_of(named[LEAF], "PORT", "Ethernet8")
    lines = named[LEAF].split("\n")
    broken = "\n".join([*lines[: line - 1], "        Ethernet8: {", *lines[line:]])
    judged = judge_texts({**named, LEAF: broken})
    assert [(d.code, d.source and (d.source.file, d.source.line)) for d in judged.diagnostics] == [
        ("NP870", (LEAF, line))
    ]
    assert judged.switches == ("leaf-2", "spine-1")
    assert any(LEAF in note for note in judged.skipped)
    repeated = "\n".join([*lines[: line - 1], '        "Ethernet4": {', *lines[line:]])
    (problem,) = _found(judge_texts({**named, LEAF: repeated}), "NP871")
    assert problem.source
    assert problem.source.line == line
    assert f"{LEAF}:{line_of(named[LEAF], 'PORT', 'Ethernet4')}:9" in problem.message


def test_a_pfc_mismatch_names_both_places() -> None:
    files = corpus()
    files[SPINE]["PORT_QOS_MAP"]["Ethernet0"]["pfc_enable"] = "3"
    named = texts(files)
    (problem,) = _found(judge_texts(named), "NP896")
    here = line_of(named[LEAF], "PORT_QOS_MAP", PORT, "pfc_enable")
    there = line_of(named[SPINE], "PORT_QOS_MAP", "Ethernet0", "pfc_enable")
    assert str(problem.source) == f"{LEAF}:{here}:13"
    assert f"{SPINE}:{there}:13" in problem.message
    assert not _found(judge_texts({LEAF: named[LEAF]}), "NP896"), "one file alone says nothing of the other"


def test_links_follow_from_shared_subnets_too() -> None:
    files = corpus()
    for data in files.values():
        del data["DEVICE_NEIGHBOR"]
    judged = judge_texts(texts(files))
    assert judged.diagnostics == ()
    assert judged.checked["NP896"] == 16


def test_what_was_not_compared_is_said() -> None:
    judged = judge_texts({LEAF: texts(corpus())[LEAF]})
    assert any(
        note.startswith("24 links lead to switches or hosts not given (gpu-100") for note in judged.skipped
    )
    leaves = {name: text for name, text in texts(corpus()).items() if name != SPINE}
    notes = judge_texts(leaves).skipped
    assert any("no link between the switches given" in note for note in notes)


def with_sonic() -> list[str]:
    return [name for name in SHIPPED if "nos: sonic" in text_of(name)]


@pytest.mark.parametrize("name", with_sonic())
def test_what_netplan_renders_is_clean(name: str) -> None:
    """Both as the partial files, and merged over a switch's own configuration."""
    rendered = {
        path: text
        for path, text in outputs(compiled(name)).items()
        if path.startswith("switches/") and path.endswith(".json")
    }
    judged = judge_texts(rendered)
    assert not [d for d in judged.diagnostics if d.severity >= Severity.WARNING]
    assert set(judged.switches) == {Path(path).parent.name for path in rendered}
    assert judged.checked["NP890"] or not any(path.endswith("roce.json") for path in rendered)


def test_rendered_files_over_a_box_are_clean() -> None:
    rendered = {
        path: text
        for path, text in outputs(compiled("iei-rocev2")).items()
        if path.startswith("switches/leaf-1/") and path.endswith(".json")
    }
    interfaces = json.loads(rendered["switches/leaf-1/interfaces.json"])
    box = base_config(interfaces["PORT"])
    named = {"switches/leaf-1/config_db.json": json.dumps(box), **rendered}
    judged = judge_texts(named)
    assert not [d for d in judged.diagnostics if d.severity >= Severity.WARNING]
    assert judged.switches == ("switch",)
    assert judged.checked["NP884"], "the table of the SKU was looked at"


def _grouped(named: dict[str, Any]) -> dict[str, list[str]]:
    *_, switches = switches_of({name: json.dumps(data) for name, data in named.items()}, Places(SourceMap()))
    return {switch.name: [file.name for file in switch.files] for switch in switches}


def _host(name: str) -> dict[str, Any]:
    return {"DEVICE_METADATA": {"localhost": {"hostname": name}}}


def test_files_of_one_switch_come_together() -> None:
    roce, ports = {"QUEUE": NONE}, {"PORT": {"Ethernet0": NONE}}
    assert _grouped({"a/x.json": _host("one"), "b/y.json": _host("one")}) == {"one": ["a/x.json", "b/y.json"]}
    assert _grouped({"a/r.json": roce, "a/c.json": _host("one")}) == {"one": ["a/r.json", "a/c.json"]}
    assert _grouped({"s/a/r.json": roce, "s/a/i.json": ports, "s/b/r.json": roce}) == {
        "a": ["s/a/r.json", "s/a/i.json"],
        "b": ["s/b/r.json"],
    }
    assert _grouped({"d/p1.json": ports, "d/p2.json": ports}) == {"p1": ["d/p1.json"], "p2": ["d/p2.json"]}
    assert _grouped({"d/r.json": roce, "d/1.json": _host("one"), "d/2.json": _host("two")}) == {
        "one": ["d/1.json"], "r": ["d/r.json"], "two": ["d/2.json"],
    }  # fmt: skip


def test_a_json_patch_is_no_config_db() -> None:
    patch = json.dumps([{"op": "remove", "path": "/BUFFER_QUEUE/Ethernet0|3-4"}])
    judged = judge_texts({LEAF: texts(corpus())[LEAF], "buffers.patch.json": patch})
    assert not judged.diagnostics
    assert "buffers.patch.json skipped: no config_db table in it" in judged.skipped
    assert _found(judge_texts({"buffers.patch.json": patch}), "NP872"), "alone it is meant as one"


def test_later_files_are_laid_over_earlier_ones() -> None:
    named = {name: json.dumps(data) for name, data in small().items()}
    over = {"DEVICE_METADATA": {"localhost": {"hostname": "leaf-1"}}, "PORT": {"Ethernet20": {"mtu": "9100"}}}
    (problem,) = _found(judge_texts({**named, "z.json": json.dumps(over)}), "NP897")
    assert problem.source
    assert problem.source.file == "z.json"


def test_a_file_of_ten_megabytes_takes_seconds() -> None:
    """Seconds of processor time, mostly for reading; the time is proportional to the size."""
    files = corpus(ports=1200, hosts=1000, uplinks=100)
    named = {LEAF: texts(files)[LEAF]}
    assert len(named[LEAF]) > 2_000_000
    filler = {f"PAD{n}": {f"row{m}": {"field": "x" * 50} for m in range(1000)} for n in range(100)}
    named[LEAF] = json.dumps({**json.loads(named[LEAF]), **filler}, indent=4)
    assert len(named[LEAF]) > 10_000_000
    before = time.process_time()
    judged = judge_texts(named)
    assert time.process_time() - before < 20
    assert {d.code for d in judged.diagnostics} <= {"NP876", "NP886", "NP875"}


def test_a_profile_that_drops_hides_no_other() -> None:
    """Queues with one profile are one finding; NP887 reports the first one here."""
    drops = {
        "ecn": "ecn_none",
        "wred_green_enable": "true",
        "green_min_threshold": "1",
        "green_max_threshold": "2",
    }
    silent = {"ecn": "ecn_none", "wred_green_enable": "false"}
    patch = {
        "WRED_PROFILE": {"DROPS": drops, "SILENT": silent},
        "QUEUE": {"Ethernet0|3": {"wred_profile": "DROPS"}, "Ethernet4|3": {"wred_profile": "SILENT"}},
    }
    files = small()
    files["leaf-1.json"] = merged(files["leaf-1.json"], patch)
    judged = judge_texts(texts(files))
    assert [d.path[1] for d in _found(judged, "NP887")] == ["DROPS"]
    assert [d.path[1] for d in _found(judged, "NP888")] == ["Ethernet4|3"]
