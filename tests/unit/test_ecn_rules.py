"""Thresholds that a rule derives from the speed of a switch's ports."""

from __future__ import annotations

import json

import pytest

from netplan.pipeline import compile_texts
from netplan.reading.switches import read_switch
from tests.inventories import text_of

STATED = "        ecn: {kmin_bytes: 100000, kmax_bytes: 400000}\n"


def by_rule(rule: str, speed: int):
    text = text_of("minimal")
    assert STATED in text
    text = text.replace(STATED, f"        ecn_rule: {rule}\n")
    assert "speed_gbps: 100" in text
    return compile_texts({"site.yaml": text.replace("speed_gbps: 100", f"speed_gbps: {speed}")})


@pytest.mark.parametrize(
    ("rule", "speed", "kmin", "kmax", "percent"),
    [
        ("hpcc", 25, 100_000, 400_000, 20),
        ("hpcc", 50, 200_000, 800_000, 20),
        ("hpcc", 100, 400_000, 1_600_000, 20),
        ("nvidia", 25, 150_000, 1_500_000, 100),
        ("nvidia", 100, 150_000, 1_500_000, 100),
    ],
)
def test_thresholds_reach_the_switch_with_their_rule(rule, speed, kmin, kmax, percent):
    result = by_rule(rule, speed)
    files = {a.path.split("/")[-1]: a.text for a in result.artifacts if a.path.startswith("switches/leaf-1/")}
    assert read_switch("leaf-1", "sonic", files).ecn == {3: (kmin, kmax)}
    [profile] = json.loads(files["roce.json"])["WRED_PROFILE"].values()
    assert profile["green_drop_probability"] == str(percent)
    assert f"| ECN Kmin of queue 3, rule {rule} | {kmin:,} bytes |" in files["README.md"]


def test_the_slowest_rdma_port_of_a_switch_counts():
    text = text_of("minimal").replace(STATED, "        ecn_rule: hpcc\n")
    text = text.replace("roce1: {pci:", "roce1: {speed_gbps: 25, pci:")
    plan = compile_texts({"site.yaml": text}).plan
    assert plan is not None
    [switch] = plan.switches
    assert {port.speed_gbps for port in switch.rdma_ports} == {25, 100}
    [queue] = switch.qos.marking
    assert (queue.ecn[0].kmin_bytes, queue.ecn[0].kmax_bytes) == (100_000, 400_000)


def test_late_marking_by_rule_is_reported_at_the_rule():
    text = text_of("iei-rocev2")
    stated = "        ecn: {kmin_bytes: 100000, kmax_bytes: 1500000, probability_percent: 100}\n"
    assert stated in text
    text = text.replace(stated, "        ecn_rule: hpcc\n")
    found = [d for d in compile_texts({"site.yaml": text}).diagnostics if d.code in ("NP413", "NP414")]
    assert {(d.code, d.path[-1]) for d in found} == {("NP414", "ecn_rule")}
