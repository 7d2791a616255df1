"""Bounds and tables as the sources state them: a value at the bound passes, the next one fails. The numbers
are repeated here, read from the source named in each docstring and not from the code."""

from __future__ import annotations

import json
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
from netaddr import IPAddress

from netplan.checks.port_settings import _fec as fec_findings
from netplan.checks.underlay import reserved_asn
from netplan.checks.waste import mtu_below_step
from netplan.config_db import judge_texts
from netplan.model.values import InterfaceAddress
from netplan.plan.ecn import RULES
from netplan.plan.headroom import interface_bytes, qbb_headroom, response_bytes
from netplan.plan.kueue import _limit as kueue_limit
from netplan.plan.primary_networks import _rke2_cilium as rke2_cilium
from netplan.reading.switches.columns import KINDS, spans
from netplan.rules.config_db.models import FIELDS, KEYS, MAPS
from netplan.trace.bgp import Bgp
from tests.unit.test_edges_fabric import ONE, OTHER, two

RANGES = (
    ("PORT", "speed", 1, 1_600_000),
    ("PORT", "mtu", 68, 9216),
    ("PORT", "subport", 0, 8),
    ("PORTCHANNEL", "mtu", 1, 9216),
    ("PORTCHANNEL", "min_links", 1, 1024),
    ("VLAN", "vlanid", 2, 4094),
    ("VLAN", "mtu", 1, 9216),
    ("SCHEDULER", "weight", 1, 100),
    ("WRED_PROFILE", "green_drop_probability", 0, 100),
    ("WRED_PROFILE", "green_min_threshold", 0, 2**64 - 1),
    ("BUFFER_POOL", "size", 0, 2**64 - 1),
    ("BUFFER_PROFILE", "dynamic_th", -8, 7),
    ("PFC_WD", "POLL_INTERVAL", 100, 1000),
    ("PFC_WD", "detection_time", 100, 5000),
    ("PFC_WD", "restoration_time", 100, 60_000),
    ("DEVICE_METADATA", "bgp_asn", 0, 2**32 - 1),
    ("BGP_NEIGHBOR", "asn", 1, 2**32 - 1),
    ("DEFAULT_LOSSLESS_BUFFER_PARAMETER", "default_dynamic_th", -8, 7),
)


@pytest.mark.parametrize(
    ("table", "field", "least", "most"), RANGES, ids=[f"NP876 {table}.{field}" for table, field, *_ in RANGES]
)
def test_a_number_of_a_field_is_in_its_range(table: str, field: str, least: int, most: int) -> None:
    """sonic-net/sonic-buildimage 086b03bd src/sonic-yang-models/yang-models/sonic-*.yang, range."""
    form = FIELDS[table][field]
    assert [form.takes(str(number)) for number in (least - 1, least, most, most + 1)] == [
        False,
        True,
        True,
        False,
    ]
    assert not form.takes("")
    assert not form.takes("x")
    assert f" {least} " in f"{form.words} " or "bytes" in form.words


@pytest.mark.parametrize(
    ("table", "right", "wrong"),
    [
        ("DSCP_TO_TC_MAP", [("0", "0"), ("63", "15")], [("64", "0"), ("0", "16"), ("-1", "0"), ("0", "-1")]),
        ("DOT1P_TO_TC_MAP", [("0", "0"), ("7", "15")], [("8", "0"), ("0", "16")]),
        ("TC_TO_QUEUE_MAP", [("0", "0"), ("15", "9")], [("16", "0"), ("0", "10")]),
        ("TC_TO_PRIORITY_GROUP_MAP", [("15", "7")], [("16", "0"), ("0", "8")]),
        ("MAP_PFC_PRIORITY_TO_QUEUE", [("7", "7")], [("8", "0"), ("0", "8")]),
        ("CABLE_LENGTH", [("Ethernet0", "0m"), ("x", "40m")], [("Ethernet0", "40"), ("Ethernet0", "m")]),
    ],
)
def test_a_pair_of_a_map_is_in_its_ranges(table: str, right: list[Any], wrong: list[Any]) -> None:
    """The same models."""
    one, other = MAPS[table]
    assert [one.takes(left) and other.takes(right) for left, right in right] == [True] * len(right)
    assert [one.takes(left) and other.takes(right) for left, right in wrong] == [False] * len(wrong)


@pytest.mark.parametrize(
    ("table", "right", "wrong"),
    [
        (
            "VLAN",
            ["Vlan2", "Vlan99", "Vlan999", "Vlan4095"],
            ["Vlan1", "Vlan0", "Vlan4096", "Vlan02", "vlan2"],
        ),
        (
            "BUFFER_PG",
            ["Ethernet0|0", "Ethernet0|7", "Ethernet0|3-4"],
            ["Ethernet0", "Ethernet0|8", "Ethernet0|3-"],
        ),
        ("QUEUE", ["Ethernet0|3"], ["Ethernet0", "|3"]),
        ("BUFFER_QUEUE", ["Ethernet0|15", "Ethernet0|0-9"], ["Ethernet0|16", "Ethernet0"]),
    ],
)
def test_a_key_has_its_form(table: str, right: list[str], wrong: list[str]) -> None:
    """The same models."""
    pattern, _ = KEYS[table]
    assert [bool(pattern.fullmatch(key)) for key in (*right, *wrong)] == [True] * len(right) + [False] * len(
        wrong
    )


@pytest.mark.parametrize(
    ("text", "owner", "found"),
    [("up", "", 0), ("true", "", 1), ("true", "true", 0), ("None", "", 0), ("x", "true", 1)],
)
def test_words_that_frrcfgd_takes_too(text: str, owner: str, found: int) -> None:
    """sonic-net/sonic-buildimage 086b03bd src/sonic-frr-mgmt-framework/frrcfgd/frrcfgd.py."""
    local = {"hostname": "leaf", **({"frr_mgmt_framework_config": owner} if owner else {})}
    tables = {
        "DEVICE_METADATA": {"localhost": local},
        "BGP_NEIGHBOR": {"10.0.0.1": {"asn": "65001", "admin_status": text}},
    }
    said = [
        each for each in judge_texts({"leaf.json": json.dumps(tables)}).diagnostics if each.code == "NP876"
    ]
    assert len(said) == found


@pytest.mark.parametrize(
    ("kind", "text", "values"),
    [
        ("vlan", "1", (1,)),
        ("vlan", "4094", (4094,)),
        ("dscp", "0,63", (0, 63)),
        ("queue", "7", (7,)),
        ("priority", "0-7", tuple(range(8))),
        ("number", str(2**32 - 1), (2**32 - 1,)),
        ("bits", "011010", (26,)),
        ("seconds", "1.5", (1500,)),
        ("tenths", "3", (300,)),
        ("mbps", "100000", (100,)),
        ("address", "10.0.0.1/32", (InterfaceAddress(IPAddress("10.0.0.1"), 32),)),
        ("address", "10.0.0.1 255.255.255.0", (InterfaceAddress(IPAddress("10.0.0.1"), 24),)),
        ("address", "fd00::1/128", (InterfaceAddress(IPAddress("fd00::1"), 128),)),
        ("ip", "fd00::1", (IPAddress("fd00::1"),)),
    ],
)
def test_a_column_of_a_line(kind: str, text: str, values: tuple[Any, ...]) -> None:
    assert KINDS[kind].values(text) == values


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("vlan", "0"),
        ("vlan", "4095"),
        ("dscp", "64"),
        ("queue", "8"),
        ("number", str(2**32)),
        ("mbps", "100500"),
        ("address", "10.0.0.1/33"),
        ("address", "fd00::1/129"),
        ("address", "10.0.0.1 255.0.255.0"),
        ("ip", "10.0.0"),
    ],
)
def test_a_column_beyond_its_range(kind: str, text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        KINDS[kind].values(text)


def test_a_list_of_numbers_has_4096_at_most() -> None:
    assert len(spans("1-4096")) == 4096
    assert spans("1,3-5 7 to 8") == (1, 3, 4, 5, 7, 8)
    for text in ("1-4097", "1,2-4097"):
        with pytest.raises(ValueError, match="more than 4096 numbers"):
            spans(text)


@pytest.mark.parametrize(
    ("speed", "interface", "response"),
    [(10, 8192, 30720), (25, 6144, 40960), (40, 24576, 60416), (100, 122880, 201728), (400, 122880, 463360)],
)
def test_the_delay_budget_of_pfc(speed: int, interface: int, response: int) -> None:
    """Cisco, Priority Flow Control: Build Reliable Layer 2 Infrastructure, table of IEEE 802.1Qbb delays."""
    assert (interface_bytes(speed), response_bytes(speed)) == (interface // 8, response // 8)
    frames, pause = 2 * 8 * 9000 + 96 + 64 + 160, 512 + 160
    for metres in (0, 1, 40):
        bits = frames + pause + 2 * interface + 2 * 5 * metres * speed + response
        assert qbb_headroom(speed, metres, 9000) == bits // 8
    assert qbb_headroom(speed + 1, 0, 9000) is None
    assert (interface_bytes(speed + 1), response_bytes(speed + 1)) == (0, 0)


@pytest.mark.parametrize(("gbps", "low", "high"), [(25, 100_000, 400_000), (100, 400_000, 1_600_000)])
def test_ecn_thresholds_of_hpcc(gbps: int, low: int, high: int) -> None:
    """alibaba-edu/High-Precision-Congestion-Control simulation/mix/config.txt."""
    found = RULES["hpcc"].thresholds(gbps)
    assert (found.kmin_bytes, found.kmax_bytes, found.probability_percent) == (low, high, 20)


@pytest.mark.parametrize("gbps", [10, 400])
def test_ecn_thresholds_of_nvidia(gbps: int) -> None:
    """docs.nvidia.com Cumulus Linux, RoCE defaults: 150,000 to 1,500,000 bytes."""
    found = RULES["nvidia"].thresholds(gbps)
    assert (found.kmin_bytes, found.kmax_bytes, found.probability_percent) == (150_000, 1_500_000, 100)


@pytest.mark.parametrize(
    ("release", "most"), [((0, 0), 16), ((0, 13), 16), ((0, 14), 64), ((0, 15), 64), ((1, 0), 64)]
)
def test_resources_of_a_group_of_kueue(release: tuple[int, int], most: int) -> None:
    """kubernetes-sigs/kueue config/components/crd/bases, coveredResources maxItems."""
    assert kueue_limit(release) == most


@pytest.mark.parametrize(
    ("version", "said"),
    [
        ((1, 30), None),
        ((1, 31), "v1.31.14"),
        ((1, 32), "v1.32.10"),
        ((1, 33), "v1.33.6"),
        ((1, 34), "v1.34.2"),
        ((1, 35), ""),
    ],
)
def test_rke2_leaves_other_cnis_alone_from_a_patch_on(version: tuple[int, int], said: str | None) -> None:
    """rancher/rke2-docs docs/networking/multus_sriov.md."""
    text = rke2_cilium("stated", version)
    assert (text == "") is (said == "")
    assert said is None or said in text
    assert (said is None) is (bool(text) and "RKE2 sets it" not in text)
    every = rke2_cilium("stated", None)
    assert all(each in every for each in ("v1.31.14", "v1.32.10", "v1.33.6", "v1.34.2"))


MODES = {
    "rs": (25, 50, 100, 200, 400, 800),
    "fc": (10, 25, 40, 50),
    "none": (10, 25, 40, 50, 100),
}


@pytest.mark.parametrize("mode", MODES)
def test_speeds_of_a_fec_mode(mode: str) -> None:
    """IEEE 802.3 clauses 74, 91, 108, 119, 134 and 161."""
    switch: Any = SimpleNamespace(name="leaf-1")
    for speed in (1, 10, 25, 40, 50, 100, 200, 400, 800, 1600):
        settings = SimpleNamespace(fec=mode, autoneg=None)
        port: Any = SimpleNamespace(name="p", settings=settings, speed_gbps=speed, at=("links", 0), optic="x")
        assert len(list(fec_findings(switch, port, (), True))) == (speed not in MODES[mode])
        alone = [*fec_findings(switch, port, (speed,), True)]
        assert len(alone) == (speed not in MODES[mode] or mode != "rs")


@pytest.mark.parametrize(
    ("autoneg", "negotiates", "found"),
    [("on", True, None), ("off", True, "autoneg"), (None, False, "itself")],
)
def test_fec_that_is_negotiated_needs_negotiation(
    autoneg: str | None, negotiates: bool, found: str | None
) -> None:
    switch: Any = SimpleNamespace(name="leaf-1")
    settings = SimpleNamespace(fec="auto", autoneg=autoneg)
    port: Any = SimpleNamespace(name="p", settings=settings, speed_gbps=100, at=("links", 0), optic="x")
    hints = [each.hint for each in fec_findings(switch, port, (100,), negotiates)]
    assert len(hints) == (found is not None)
    assert all(str(found) in hint for hint in hints)


@pytest.mark.parametrize(
    ("mtu", "step"),
    [
        (1023, None), (1024, 1024), (1119, 1024), (1120, None), (2047, None), (2048, 2048), (2143, 2048),
        (2144, None), (4096, 4096), (4191, 4096), (4192, None), (9000, None),
    ],
)  # fmt: skip
def test_an_mtu_has_room_for_a_roce_packet_and_its_headers(mtu: int, step: int | None) -> None:
    """torvalds/linux include/rdma/ib_addr.h, iboe_get_mtu: 96 bytes of headers."""
    for kind in ("roce", "pvrdma", "infiniband"):
        fabric: Any = SimpleNamespace(type=kind, mtu=mtu)
        said = [each.message for each in mtu_below_step(fabric)]
        assert len(said) == (step is not None and kind != "infiniband")
        assert all(f"{(step or 0) + 96}" in text and f"{(step or 0) // 2:,} bytes" in text for text in said)


@pytest.mark.parametrize(
    ("asn", "wrong"),
    [
        (0, True), (1, False), (23455, False), (23456, True), (23457, False), (65534, False), (65535, True),
        (65536, False), (4294967294, False), (4294967295, True), (4294967296, True),
    ],
)  # fmt: skip
def test_as_numbers_that_are_reserved(asn: int, wrong: bool) -> None:
    """RFC 7607, RFC 6793, RFC 7300."""
    underlay = SimpleNamespace(at=("underlay",))
    switches = [SimpleNamespace(name=f"leaf-{n}", role="leaf") for n in range(2)]
    plan: Any = SimpleNamespace(
        fabric=SimpleNamespace(underlay=underlay, switches=switches),
        addresses=SimpleNamespace(asns=dict.fromkeys(("leaf-0", "leaf-1"), asn)),
    )
    assert len(list(reserved_asn(plan))) == wrong
    plan.addresses.asns["leaf-0"] = 64512
    assert len(list(reserved_asn(plan))) == wrong


def test_a_cable_of_which_the_ends_disagree_says_why_there_is_no_session() -> None:
    fabric = two(ONE, replace(OTHER, cable_m=ONE.cable_m + 1))
    switches = {
        name: replace(each, asn=65000, ports={n: p for n, p in each.ports.items() if n != "up"})
        for name, each in fabric.switches.items()
    }
    fabric.switches = switches
    silent = Bgp(fabric).sessions.silent
    assert set(silent) == {("leaf", "up"), ("far", "up")}
    assert silent["leaf", "up"] == fabric.cables.dispute(ONE)
