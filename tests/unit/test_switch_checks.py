"""Each check of switches, QoS and VLANs finds its case, and nothing on a correct site."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, cast

import pytest

from netplan.checks import abilities, cabling, neighbours, qos, switch, switch_classes, vlan
from netplan.checks.registry import REGISTRY
from netplan.diagnostics import Diagnostic, Severity, dotted
from netplan.model.plan import Plan
from netplan.model.switch_qos import BufferDemand
from tests.switch_site import Site, inventory, site
from tests.unit.test_switch_plan import HCA, LINK, onyx_site

AREAS = {module.__name__ for module in (abilities, cabling, neighbours, qos, switch, switch_classes, vlan)}
OURS = {code for code, check in REGISTRY.items() if check.run.__module__ in AREAS}


def plan_of(planned: Site) -> Plan:
    """A plan for checks that do not read its Kubernetes and host parts."""
    nothing = cast(Any, None)
    return Plan(
        fabric=planned.fabric,
        addresses=planned.addresses,
        qos=planned.qos,
        kubernetes=nothing,
        overview=nothing,
        gitops=None,
        hosts=(),
        delivery=None,
        switches=planned.switches,
        workloads=(),
        kueue=None,
    )


def found(planned: Site) -> dict[str, list[Diagnostic]]:
    """Findings of the checks of these modules, by code."""
    out: dict[str, list[Diagnostic]] = {}
    for subject in (planned.fabric, plan_of(planned)):
        for code in sorted(OURS):
            check = REGISTRY[code]
            if isinstance(subject, check.subject):
                for f in check.answer(subject).findings:
                    found = Diagnostic(code, check.severity, f.at, f.message, f.hint)
                    out.setdefault(code, []).append(found)
    return out


def one(planned: Site, code: str) -> str:
    """``path: message`` of the only finding with a code."""
    (diagnostic,) = found(planned)[code]
    return f"{dotted(diagnostic.path)}: {diagnostic.message}"


def cls(**changes: Any) -> dict[str, Any]:
    base = {"dscp": 26, "priority": 3, "lossless": True, "bandwidth_percent": 50}
    return base | {"ecn": {"kmin_bytes": 100000, "kmax_bytes": 1500000}} | changes


def classes(**changes: Any) -> Site:
    cnp = {"dscp": 48, "priority": 6, "scheduling": "strict"}
    return site(fabric__qos__classes={"roce": cls(), "cnp": cnp} | changes)


def test_a_sound_site_has_no_errors_or_warnings() -> None:
    findings = [d for group in found(site()).values() for d in group]
    assert [d.code for d in findings if d.severity > Severity.INFO] == []


def test_an_onyx_site_has_no_errors_or_warnings() -> None:
    """Without the keys for the watchdog and the ARP ageing time, which Onyx lacks."""
    planned = onyx_site(fabric__arp=None, fabric__qos__pfc_watchdog=None)
    findings = [d for group in found(planned).values() for d in group]
    assert [d.code for d in findings if d.severity > Severity.INFO] == []


@pytest.mark.parametrize("code", sorted(OURS))
def test_explanations_say_why_how_and_whence(code: str) -> None:
    text = REGISTRY[code].explanation
    assert [word in text for word in ("**Why.**", "**Fix.**", "**Source.**")] == [True, True, True]


ODD = {
    "asic": "teralynx",
    "ports": 32,
    "speeds_gbps": [100],
    "host_table": 8192,
    "source": "https://example.com",
}
LEAF = "switch_types.leaf"
SPINE_LINK = {"switches": "leaf-1", "to": "spine-1", "cable_m": 40}


@pytest.mark.parametrize(
    ("code", "changes", "expected"),
    [
        (
            "NP301",
            {"vlans": {"storage": {"id": 101}}},
            "vlans.storage.id: VLAN storage and rail 1 both have VLAN ID 101",
        ),
        ("NP302", {"rails__vlan_ids": "1-4"}, "rails.vlan_ids: rail 0 has VLAN ID 1, 2 to 4094 are allowed"),
        (
            "NP303",
            {"switch_types__leaf__port_mtu": 4200},
            f"{LEAF}.port_mtu: switch type leaf carries IP packets of 4,200 bytes, fabric.mtu is 9000",
        ),
        (
            "NP304",
            {"switch_types__leaf__port_mtu": 9300},
            f"{LEAF}.port_mtu: port_mtu 9300 of switch type leaf is above 9216, the maximum of sonic",
        ),
        ("NP412", {"fabric__qos": None}, "fabric: fabric type roce has no qos"),
        (
            "NP410",
            {"fabric__qos__pfc_watchdog": {"poll_ms": 300, "detection_ms": 200, "restoration_ms": 2000}},
            "fabric.qos.pfc_watchdog.detection_ms: detection_ms 200 is below poll_ms 300",
        ),
        (
            "NP803",
            {"fabric__arp": {"timeout_seconds": 60, "mac_timeout_seconds": 900}},
            f"{LEAF}.nos.mac_age: no MAC ageing time is configured on leaf-1 and 3 more: SONiC takes "
            "the FDB ageing time from switch.json of the swss container, not from config_db; 900 s "
            "is stated, 600 s is in force",
        ),
        (
            "NP813",
            {"fabric__arp": {"timeout_seconds": 900}},
            "fabric.arp: ARP age 900 s is above the MAC age 600 s of sonic",
        ),
        (
            "NP808",
            {"catalog": {"switches": {"odd": ODD}}, "switch_types__leaf__model": "odd"},
            f"{LEAF}.model: netplan has no data of sonic for teralynx, the ASIC of odd",
        ),
        (
            "NP811",
            {"switch_types__leaf": {"nos": "sonic", "model": "z9864f"}},
            f"{LEAF}: host_table of switch type leaf (z9864f) is not known",
        ),
        (
            "NP805",
            {"links": [{**LINK, "cable_m": 400}]},
            "links[0]: leaf-1 Ethernet0: a cable of 400 m is longer than every row of ACS-MSN2700 at "
            "100 Gb/s: 5, 40, 300 m",
        ),
        (
            "NP806",
            {"links": [{**LINK, "cable_m": 20}]},
            "links[0]: leaf-1 Ethernet0: cable of 20 m is between 5 and 40 m, headroom is configured for "
            "40 m",
        ),
        (
            "NP820",
            {
                "links": [
                    {**LINK, "cable_m": 5},
                    {**SPINE_LINK, "ports": "Ethernet0", "to_ports": "Ethernet0"},
                ]
            },
            "links[1]: leaf-1 Ethernet0 goes to gpu-001 roce0 and to spine-1 Ethernet0",
        ),
        (
            "NP821",
            {
                "links": [
                    {**LINK, "cable_m": 5},
                    {
                        "hosts": "gpu-003",
                        "hca": "roce0",
                        "switch": "leaf-2",
                        "ports": "Ethernet0",
                        "cable_m": 5,
                    },
                ]
            },
            "links[1]: gpu-003 roce0 goes to leaf-1 Ethernet8 and to leaf-2 Ethernet0",
        ),
        (
            "NP822",
            {
                "links": [
                    {**SPINE_LINK, "switches": "spine-2", "ports": "Ethernet0", "to_ports": "Ethernet0"}
                ],
                "underlay": None,
            },
            "links[0]: spine-2 in switches is a spine, spine-1 a spine",
        ),
        (
            "NP823",
            {"links": [{**LINK, "ports": "1/[1-16]", "cable_m": 5}]},
            "links[0]: 1/1 of leaf-1 is not a port name of sonic",
        ),
        (
            "NP824",
            {
                "links": [
                    {
                        **SPINE_LINK,
                        "ports": "Ethernet[0-128/4]",
                        "to_ports": "Ethernet[0-128/4]",
                        "to": "spine-1",
                    }
                ],
                "switches__leaf-[1-4]": None,
                "switches": {
                    "leaf-1": {"type": "leaf", "id": 1, "role": "leaf"},
                    "spine-1": {"type": "wide", "id": 101, "role": "spine"},
                },
                "switch_types__wide": {"nos": "sonic", "model": "msn4600c"},
                "underlay__uplinks_per_leaf": 64,
            },
            "switches.leaf-1: 33 ports of leaf-1 need 3,300 Gb/s, msn2700 has 3,200",
        ),
        (
            "NP825",
            {"links": [{**SPINE_LINK, "ports": "Ethernet0", "to_ports": "Ethernet0", "speed_gbps": 400}]},
            "links[0]: leaf-1 Ethernet0 runs at 400 Gb/s, msn2700 has 10, 25, 40, 50, 100",
        ),
        (
            "NP305",
            {
                "switch_types__core": {"nos": "sonic", "model": "msn2700", "port_mtu": 9100},
                "switches__spine-[1-2]": {"type": "core", "id": 101, "role": "spine"},
            },
            "links[4]: leaf-1 carries IP packets of 9,216 bytes, spine-1 of 9,100",
        ),
    ],
)
def test_one_finding(code: str, changes: dict[str, Any], expected: str) -> None:
    assert one(site(**changes), code) == expected


@pytest.mark.parametrize(
    ("code", "changes", "expected"),
    [
        (
            "NP401",
            {"other": cls(priority=4, bandwidth_percent=20)},
            "classes.other.dscp: classes roce and other both have DSCP 26",
        ),
        (
            "NP402",
            {"other": cls(dscp=34, bandwidth_percent=20)},
            "classes.roce.priority: classes other and roce both have priority 3",
        ),
        (
            "NP404",
            {"other": cls(dscp=34, priority=0, bandwidth_percent=20)},
            "classes.other.priority: class other has priority 0, which is best effort",
        ),
        (
            "NP405",
            {"roce": cls(ecn={"kmin_bytes": 2000, "kmax_bytes": 2000})},
            "classes.roce.ecn: class roce has kmin_bytes 2000, not below kmax_bytes 2000",
        ),
        (
            "NP406",
            {"other": cls(dscp=34, priority=4, bandwidth_percent=50, lossless=False)},
            "classes: classes take 100 %, but 1 % must be left for the rest",
        ),
        ("NP407", {"cnp": {"dscp": 48, "priority": 6}}, "classes.cnp: class cnp is scheduled dwrr"),
        (
            "NP409",
            {"roce": {"dscp": 26, "priority": 3, "lossless": True}},
            "classes.roce: class roce is lossless and has no ecn",
        ),
        (
            "NP403",
            {
                "second": cls(dscp=34, priority=4, bandwidth_percent=10),
                "third": cls(dscp=10, priority=5, bandwidth_percent=10),
            },
            "classes: 3 classes are lossless (roce, second, third), at most 2 are possible",
        ),
        (
            "NP414",
            {"roce": cls(ecn={"kmin_bytes": 132116, "kmax_bytes": 1500000})},
            "classes.roce.ecn.kmin_bytes: kmin_bytes 132116 of class roce is not below 132116, at which "
            "leaf-1 sends XOFF when every priority group is congested",
        ),
        (
            "NP413",
            {"roce": cls(ecn={"kmin_bytes": 1000, "kmax_bytes": 1651456})},
            "classes.roce.ecn.kmax_bytes: kmax_bytes 1651456 of class roce is not below 1651456, at which "
            "leaf-1 sends XOFF when one priority group is congested",
        ),
    ],
)
def test_one_finding_in_a_class(code: str, changes: dict[str, Any], expected: str) -> None:
    assert one(classes(**changes), code) == f"fabric.qos.{expected}"


def test_ecn_without_cnp() -> None:
    planned = site(fabric__qos__classes={"roce": cls()})
    assert one(planned, "NP408") == "fabric.qos.classes: class roce has ecn, but there is no class cnp"


def test_pcp_over_routed_uplinks() -> None:
    findings = found(site(fabric__qos__trust="pcp"))["NP411"]
    assert findings[0].message == "trust is pcp, leaf-1 Ethernet64 is routed"


def test_dscp_maps_differ_between_noses() -> None:
    planned = onyx_site(
        **{
            "switch_types__core": {"nos": "sonic", "model": "msn2700"},
            "switches__spine-[1-2]": {"type": "core", "id": 101, "role": "spine"},
        }
    )
    assert one(planned, "NP415").startswith(
        "fabric.qos: leaf-1 (onyx) and spine-1 (sonic) classify DSCP 24, 25, 27, 28, 29, 30, 31, 49,"
    )


def test_required_feature_missing() -> None:
    planned = onyx_site(fabric__qos__classes__roce__dscp=34)
    assert [d.message.split(":")[0] for d in found(planned)["NP802"]] == [
        "onyx on leaf-1 and 5 more has no free mapping of DSCP to priority",
        "onyx on leaf-1 and 5 more has no PFC watchdog, asked for by fabric.qos.pfc_watchdog",
    ]


def test_unconfirmed_command() -> None:
    comments = {
        code: {f.message.split(":")[0] for f in found(onyx_site())[code]} for code in ("NP804", "NP832")
    }
    words = "is only a comment in the files of leaf-1 and"
    assert comments == {
        "NP804": {f"PFC independent of DCBX {words} 5 more", f"ECMP hash seed per tier {words} 5 more"},
        "NP832": {f"ARP ageing time {words} 3 more, asked for by fabric.arp.timeout_seconds"},
    }


def dynamic_site(metres: int) -> Site:
    """24 ports of leaf-1 with two lossless priorities in the dynamic model; ``metres``: cables to hosts."""
    links = [dict(link, cable_m=metres) if "hosts" in link else link for link in inventory()["links"]]
    roce = {"roce": cls(bandwidth_percent=30), "second": cls(dscp=34, priority=4, bandwidth_percent=30)}
    return site(links=links, fabric__qos__classes=roce, switch_types__leaf__buffer_model="dynamic")


def test_pool_too_small() -> None:
    messages = [finding.message for finding in found(dynamic_site(3000))["NP807"]]
    reserved = dynamic_site(3000).switches[0].buffers.reserved
    assert reserved > 13945824
    has = "ACS-MSN2700 has 13,945,824"
    assert messages[0] == f"leaf-1 reserves {reserved:,} bytes for lossless priorities, {has}"
    assert "NP807" not in found(dynamic_site(300))


def test_headroom_is_beside_the_ingress_pool() -> None:
    """SONiC's own values for ACS-MSN2700 fit: 16 ports at 300 m, 16 at 40 m, two priorities."""
    links = [dict(link, cable_m=300) if "hosts" in link else link for link in inventory()["links"]]
    roce = {"roce": cls(bandwidth_percent=30), "second": cls(dscp=34, priority=4, bandwidth_percent=30)}
    planned = site(links=links, fabric__qos__classes=roce)
    buffers = planned.switches[0].buffers
    assert buffers.pool < buffers.reserved < buffers.room == 13945824 - 3302912
    assert "NP807" not in found(planned)


@pytest.mark.parametrize(("total", "found_it"), [(10_000_000, False), (9_999_999, True)])
def test_pool_and_headroom_exactly_fill_the_buffer(total: int, found_it: bool) -> None:
    buffers = BufferDemand(
        pool=4_000_000, shared=4_000_000, reserved=6_000_000, total=total, xoff_one=0, xoff_all=0
    )
    planned = site()
    full = replace(planned, switches=tuple(replace(s, buffers=buffers) for s in planned.switches))
    assert ("NP807" in found(full)) == found_it


def test_neighbour_table_full() -> None:
    planned = site(
        switch_types__leaf__host_table=256, host_types__gpu__hcas={"roce[0-3]": {**HCA, "vfs": 12}}
    )
    messages = [d.message for d in found(planned)["NP809"]]
    assert messages[0] == "leaf-1 needs 200 neighbour entries, at most 179 of its 256 may be used"
    assert len(messages) == 4


def test_neighbour_table_exactly_at_seven_tenths() -> None:
    """179 = 16 x 11 + 3 entries fit a table of 256, one more would not."""
    links = [
        {**LINK, "cable_m": 5},
        {**SPINE_LINK, "ports": "Ethernet[64-72/4]", "to_ports": "Ethernet[0-8/4]"},
    ]
    planned = site(
        links=links,
        switch_types__leaf__host_table=256,
        host_types__gpu__hcas={"roce[0-3]": {**HCA, "vfs": 11}},
    )
    assert planned.switch("leaf-1").demand.total == 179
    assert "NP809" not in found(planned)


def test_kernel_limit_raised() -> None:
    planned = site(host_types__gpu__hcas={"roce[0-3]": {**HCA, "vfs": 150}})
    assert found(planned)["NP810"][0].message == "leaf-1: gc_thresh3 is raised from 4,096 to 4,816 entries"


def test_gateway_on_no_switch() -> None:
    findings = found(site(rails__vlan_ids=None))["NP306"]
    assert findings[0].message == (
        "gateway 172.16.0.1 of segment rail0-leaf-1 and 3 more are on no switch: no VLAN ID is stated"
    )
