"""Edge cases, one fact per case: features that a fabric needs of a switch, and settings of NICs."""

from __future__ import annotations

from typing import Any

import pytest
from netaddr import IPNetwork

from netplan.plan import switch_features
from netplan.plan.nic_qos import _port_settings, _tos, _vf_settings, device_unit
from tests.unit.some import owned_by, some


def plan(**facts: Any) -> Any:
    plain = {
        "networks": (),
        "neighbours": (),
        "host_networks": (),
        "breakouts": (),
        "families": (),
        "vlans": (),
    }
    arp = some(enabled=True, mac_seconds=600, mac_wanted=600, seconds=60)
    return some(**{**plain, "ports": (), "arp": arp, "hash_seed": 0, **facts})


V4, V6 = IPNetwork("10.0.0.0/24"), IPNetwork("fd00::/64")


@pytest.mark.parametrize(
    ("facts", "asked"),
    [
        ({}, set()),
        ({"networks": (V4,)}, set()),
        ({"networks": (V4, V6)}, {"ipv6"}),
        ({"neighbours": (some(address=V6.ip),)}, {"bgp", "ipv6"}),
        ({"neighbours": (some(address=V4.ip),) * 2}, {"bgp", "ecmp"}),
        ({"host_networks": (1,)}, set()),
        ({"host_networks": (1,), "neighbours": (some(address=V4.ip),)}, {"bgp", "announce_host_links"}),
        ({"breakouts": (1,)}, {"breakout"}),
        ({"families": (some(others=()), some(others=(1,)))}, {"cross_family"}),
        ({"ports": (some(ip_mtu=1500, routed=False),)}, {"lldp"}),
        (
            {"ports": (some(ip_mtu=1500, routed=False), some(ip_mtu=1501, routed=True))},
            {"lldp", "jumbo", "routed_port"},
        ),
        ({"vlans": (1,)}, {"vlan"}),
    ],
)
def test_abilities_that_a_network_asks_for(facts: Any, asked: set[str]) -> None:
    assert switch_features._network_features(plan(**facts)) == dict.fromkeys(asked, "")


@pytest.mark.parametrize(
    ("enabled", "arp", "vlans", "mac", "asked"),
    [
        (True, None, (), 600, {}),
        (False, some(mac_timeout_seconds=None), (), 600, {}),
        (True, some(mac_timeout_seconds=None), (), 600, {"arp_age": "fabric.arp.timeout_seconds"}),
        (
            True,
            some(mac_timeout_seconds=None),
            (some(addresses=()), some(addresses=(1,))),
            600,
            {"arp_age": "fabric.arp.timeout_seconds", "arp_from_garp": ""},
        ),
        (True, some(mac_timeout_seconds=600), (), 600, {"arp_age": "fabric.arp.timeout_seconds"}),
        (
            True,
            some(mac_timeout_seconds=600),
            (),
            60,
            {"arp_age": "fabric.arp.timeout_seconds", "mac_age": ""},
        ),
        (
            True,
            some(mac_timeout_seconds=600),
            (),
            59,
            {"arp_age": "fabric.arp.timeout_seconds", "mac_age": "fabric.arp.mac_timeout_seconds"},
        ),
        (True, some(mac_timeout_seconds=None), (), 59, {"arp_age": "fabric.arp.timeout_seconds"}),
    ],
)
def test_abilities_that_ages_ask_for(enabled: bool, arp: Any, vlans: Any, mac: int, asked: Any) -> None:
    given = plan(vlans=vlans, arp=some(enabled=enabled, mac_seconds=mac, mac_wanted=600, seconds=60))
    assert switch_features._arp_features(given, some(arp=arp)) == asked


@pytest.mark.parametrize(
    ("change", "asked"),
    [
        ({}, {"dscp_trust": "", "qos_map": ""}),
        ({"dscp": False}, {"pcp_trust": "", "qos_map": ""}),
        ({"pfc": (3,)}, {"dscp_trust": "", "qos_map": "", "pfc": "", "headroom": "", "dcbx": ""}),
        ({"marked": (False, True)}, {"dscp_trust": "", "qos_map": "", "ecn": "", "ecn_probability": ""}),
        ({"marked": (False,)}, {"dscp_trust": "", "qos_map": ""}),
        ({"strict": (6,)}, {"dscp_trust": "", "qos_map": "", "strict_queue": ""}),
        ({"fits": True}, {"dscp_trust": ""}),
        ({"watchdog": True}, {"dscp_trust": "", "qos_map": ""}),
        (
            {"watchdog": True, "pfc": (3,), "fits": True},
            {
                "dscp_trust": "",
                "pfc": "",
                "headroom": "",
                "dcbx": "",
                "pfc_watchdog": "fabric.qos.pfc_watchdog",
            },
        ),
    ],
)
def test_abilities_that_qos_asks_for(monkeypatch: Any, change: Any, asked: Any) -> None:
    given = {"dscp": True, "pfc": (), "marked": (), "strict": (), "watchdog": False, "fits": False, **change}
    monkeypatch.setattr(switch_features, "fits_roce_profile", lambda qos: given["fits"])
    classes = [some(marked=each) for each in given["marked"]]
    qos = some(pfc=given["pfc"], classes=classes, strict=given["strict"], watchdog=given["watchdog"])
    switch = some(qos=some(dscp_trust=given["dscp"]))
    assert switch_features._qos_features(switch, qos) == asked
    assert switch_features._qos_features(switch, None) == {}


def test_why_an_ability_is_not_there(monkeypatch: Any) -> None:
    nos = some(name="NOS", supports={"mac_age": "no key", "x": "why"}, asics={})
    switch = plan(type=some(model=some(asic="td3", name="box")))
    assert switch_features._why_not("x", switch, nos) == "why"
    assert switch_features._why_not("mac_age", switch, nos) == "no key; 600 s is stated, 600 s is in force"
    switch.arp.mac_seconds = 0
    said = "no key; 600 s is stated, what is in force is not known"
    assert switch_features._why_not("mac_age", switch, nos) == said
    none = "NOS does not support it on td3, the ASIC of box"
    assert switch_features._why_not_adaptive(switch, nos) == none
    nos.asics["td3"] = some(adaptive_gbps=())
    assert switch_features._why_not_adaptive(switch, nos) == none
    nos.asics["td3"] = some(adaptive_gbps=(200, 400))
    monkeypatch.setattr(
        switch_features, "balanced_ports", lambda ports: [some(speed_gbps=n) for n in (100, 50, 100)]
    )
    said = "it works on ports of 200, 400 Gb/s, those to other switches run at 50, 100"
    assert switch_features._why_not_adaptive(switch, nos) == said


@pytest.mark.parametrize(
    ("pci", "owner", "kind", "cnp", "links", "settings"),
    [
        ("0000:18:00.0", "host", "roce", True, 2, ["LINK_TYPE_P1=2", "CNP_DSCP_P1=48", "CNP_802P_PRIO_P1=6"]),
        ("0000:18:00.1", "host", "roce", True, 2, ["LINK_TYPE_P2=2", "CNP_DSCP_P2=48", "CNP_802P_PRIO_P2=6"]),
        ("0000:18:00.2", "host", "roce", True, 2, []),
        (None, "host", "roce", True, 2, ["LINK_TYPE_P1=2", "CNP_DSCP_P1=48", "CNP_802P_PRIO_P1=6"]),
        ("0000:18:00.0", "host", "roce", True, 1, ["CNP_DSCP_P1=48", "CNP_802P_PRIO_P1=6"]),
        ("0000:18:00.0", "sriov-network-operator", "roce", True, 2, ["CNP_DSCP_P1=48", "CNP_802P_PRIO_P1=6"]),
        ("0000:18:00.0", "host", "roce", False, 2, ["LINK_TYPE_P1=2"]),
        ("0000:18:00.0", "host", "infiniband", True, 2, ["LINK_TYPE_P1=2"]),
        ("0000:18:00.0", "host", "roce", None, 2, ["LINK_TYPE_P1=2"]),
    ],
)
def test_firmware_of_a_port(
    pci: Any, owner: str, kind: str, cnp: Any, links: int, settings: list[str]
) -> None:
    fabric = some(type=kind, cluster=some(owners=owned_by(vfs=owner)))
    port: Any = some(hca=some(pci=pci, link="ethernet", model=some(links=range(links))))
    qos = None if cnp is None else some(cnp=some(dscp=48, priority=6) if cnp else None)
    assert list(_port_settings(fabric, port, qos)) == settings


@pytest.mark.parametrize(
    ("owner", "ports", "settings"),
    [
        ("host", [("vf", 4), ("vf", 8), ("pf", 9)], ("SRIOV_EN=1", "NUM_OF_VFS=8")),
        ("host", [("vf", 1)], ("SRIOV_EN=1", "NUM_OF_VFS=1")),
        ("host", [("pf", 9)], ()),
        ("sriov-network-operator", [("vf", 4)], ()),
    ],
)
def test_firmware_gives_the_most_vfs_of_a_card(owner: str, ports: Any, settings: Any) -> None:
    fabric = some(cluster=some(owners=owned_by(vfs=owner)))
    members: Any = [some(hca=some(use=use, vfs=vfs)) for use, vfs in ports]
    assert _vf_settings(fabric, members) == settings


def test_a_device_in_the_words_of_systemd() -> None:
    assert device_unit("ens1f0np0") == "sys-subsystem-net-devices-ens1f0np0.device"
    assert device_unit("a-b_c.5:z") == "sys-subsystem-net-devices-a\\x2db_c.5:z.device"


@pytest.mark.parametrize(
    ("classes", "tos"),
    [
        ((), 106),
        (("roce",), 106),
        (("roce", None), 106),
        (("roce", "cnp"), None),
        ((None,), None),
        (("cnp",), 194),
    ],
)
def test_the_byte_of_a_port_is_that_of_its_networks(monkeypatch: Any, classes: Any, tos: Any) -> None:
    monkeypatch.setattr("netplan.plan.nic_qos.uses", lambda network, kind, hca: network.used)
    by_name = {
        "roce": some(name="roce", tos=106, lossless=True),
        "cnp": some(name="cnp", tos=194, lossless=False),
    }
    networks = [some(used=True, traffic_class=by_name.get(name)) for name in classes]
    networks.append(some(used=False, traffic_class=by_name["cnp"]))
    qos: Any = some(classes=by_name.values(), traffic_class=by_name.__getitem__)
    port: Any = some(hca=None)
    assert _tos(some(networks=networks), some(), port, qos) == tos
