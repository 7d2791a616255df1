"""The plan of one switch, value by value."""

from __future__ import annotations

from typing import Any

import pytest

from netplan.model.switch_ports import SwitchPort
from netplan.model.switching import MissingFeature
from tests.switch_site import Site, site

ONYX = {"nos": "onyx", "model": "msn2700", "host_table": 32768, "port_mtu": 9216}


def onyx_site(**changes: Any) -> Site:
    """The base site on Onyx, which has different port names."""
    names = ("1/[1-16]", "1/[17-20]", "1/[21-24]")
    links: list[dict[str, Any]] = []
    for leaf in range(1, 5):
        spine = f"1/[{leaf * 4 - 3}-{leaf * 4}]"
        host = {"hosts": "gpu-[001-016]", "hca": f"roce{leaf - 1}", "switch": f"leaf-{leaf}"}
        links.append(host | {"ports": names[0], "cable_m": 5})
        for number in (1, 2):
            up = {"switches": f"leaf-{leaf}", "ports": names[number], "to": f"spine-{number}"}
            links.append(up | {"to_ports": spine, "cable_m": 40})
    return site(**{"switch_types__leaf": ONYX, "links": links} | changes)


def port(planned: Site, switch: str, name: str) -> SwitchPort:
    return next(p for p in planned.switch(switch).ports if p.name == name)


def test_a_host_port() -> None:
    found = port(site(), "leaf-1", "Ethernet4")
    assert (found.kind, found.peer, found.speed_gbps, found.mtu) == ("host", "gpu-002 roce0", 100, 9216)
    assert (found.tagged, found.untagged, found.addresses, found.pfc) == ((100,), (), (), (3,))
    assert found.headroom is not None
    assert (found.headroom.xoff, found.buffer_cable_m) == (30720, 5)


def test_an_uplink_and_its_other_end() -> None:
    planned = site()
    lower, upper = port(planned, "leaf-2", "Ethernet64"), port(planned, "spine-1", "Ethernet16")
    assert (lower.kind, lower.peer, [str(a) for a in lower.addresses]) == (
        "uplink",
        "spine-1 Ethernet16",
        ["172.31.0.64/31"],
    )
    assert (upper.kind, upper.peer, [str(a) for a in upper.addresses]) == (
        "downlink",
        "leaf-2 Ethernet64",
        ["172.31.0.65/31"],
    )


def test_ports_are_in_natural_order() -> None:
    names = [p.name for p in site().switch("leaf-1").ports]
    assert names[:4] == ["Ethernet0", "Ethernet4", "Ethernet8", "Ethernet12"]


def test_bgp_of_a_leaf() -> None:
    leaf = site().switch("leaf-3")
    assert (leaf.asn, leaf.router_id) == (4200000102, "172.31.255.3")

    first = leaf.neighbours[0]
    assert (first.name, str(first.address), first.remote_as) == ("spine-1", "172.31.0.129", 4200000001)
    assert [str(n) for n in leaf.networks] == ["172.31.255.3/32", "172.16.10.0/24"]


def test_a_stated_router_id_counts_on_in_a_range() -> None:
    planned = site(
        **{"switches__leaf-[1-4]__router_id": "10.9.0.1", "switches__leaf-4": {"router_id": "10.9.9.9"}}
    )
    found = [planned.switch(f"leaf-{n}").router_id for n in (1, 3, 4)]
    assert found == ["10.9.0.1", "10.9.0.3", "10.9.9.9"]


def test_without_ipv4_loopbacks_the_id_is_the_router_id() -> None:
    assert site(underlay__loopbacks="fd00:ff::/120").switch("leaf-3").router_id == "0.0.0.3"


def test_the_gateway_is_on_its_leaf() -> None:
    (vlan,) = site().switch("leaf-2").vlans
    assert (vlan.id, [str(a) for a in vlan.addresses], len(vlan.members)) == (101, ["172.16.5.1/24"], 16)


def test_a_spine_has_no_vlans() -> None:
    assert site().switch("spine-1").vlans == ()


def test_without_underlay_uplinks_carry_stretched_vlans() -> None:
    planned = site(underlay=None, rails__segment="stretched", rails__gateway="none")
    uplink = port(planned, "leaf-1", "Ethernet64")
    assert (uplink.tagged, uplink.addresses) == ((100, 101, 102, 103), ())
    assert planned.switch("leaf-1").asn == 0


def test_routed_host_links() -> None:
    planned = site(rails__segment="host", rails__prefixes=[31], rails__vlan_ids=None)
    first = port(planned, "leaf-1", "Ethernet0")
    assert (first.tagged, [str(a) for a in first.addresses]) == ((), ["172.16.0.0/31"])
    leaf = planned.switch("leaf-1")
    assert (leaf.demand.hosts, leaf.demand.uplinks) == (16, 8)
    assert len(leaf.host_networks) == 16


def test_neighbour_demand_counts_every_vf() -> None:
    demand = site().switch("leaf-1").demand
    assert (demand.hosts, demand.uplinks, demand.total, demand.host_table) == (128, 8, 136, 32768)


def test_pods_that_start_leave_stale_neighbours() -> None:
    """Starts per second x ARP age (60 s) on each leaf, limited by the addresses of the subnet."""

    def demand(starts: int) -> tuple[int, int]:
        job = {"namespace": "training", "hosts": ["gpu"], "networks": ["rail"], "pod_starts_per_hour": starts}
        planned = site(workloads={"job": job})
        found = planned.switch("leaf-1").demand
        assert found.total == found.hosts + found.stale + found.uplinks
        return found.hosts, found.stale

    assert [demand(starts) for starts in (0, 1, 600, 3600)] == [(128, 0), (128, 1), (128, 10), (128, 60)]
    assert demand(360_000) == (128, 256 - 128)


def test_the_alternative_of_routed_links_is_counted() -> None:
    assert site().switch("leaf-1").demand.routed == 16 + 8


def test_a_pf_address_is_one_more_neighbour() -> None:
    hosts = {"gpu-[001-016]": {"type": "gpu", "id": 1}}
    hosts["gpu-001"] = {"hcas": {"roce0": {"address": "172.16.0.200/24"}}}
    assert site(hosts=hosts).switch("leaf-1").demand.hosts == 129


def test_ipv6_takes_two_entries_per_address() -> None:
    planned = site(rails__supernets=["172.16.0.0/20", "fd00::/48"], rails__prefixes=[24, 64])
    assert planned.switch("leaf-1").demand.hosts == 128 * 3


def test_kernel_limits_grow_with_the_demand() -> None:
    planned = site(host_types__gpu__hcas={"roce[0-3]": {**HCA, "vfs": 120}})
    arp = planned.switch("leaf-1").arp
    assert planned.switch("leaf-1").demand.total == 1928
    assert (arp.gc_thresh, arp.reachable_ms, arp.from_garp) == ((1928, 2892, 4096), 60000, True)


HCA = {"model": "connectx-5", "netdev": "ens1f[0-3]", "rail": 0, "speed_gbps": 100, "use": "vf", "vfs": 8}


def test_arp_is_for_leaves() -> None:
    assert site().switch("spine-1").arp.enabled is False


def test_maps_and_queues() -> None:
    qos = site().switch("leaf-1").qos
    assert [(d, tc) for d, tc in enumerate(qos.dscp_to_tc) if tc] == [(26, 3), (48, 6)]
    assert (qos.tc_to_pg, qos.pfc) == ((0, 0, 0, 3, 0, 0, 0, 0), (3,))
    assert [(q.number, q.strict, q.weight) for q in qos.queues] == [
        (0, False, 50),
        (3, False, 50),
        (6, True, 0),
    ]


def test_no_qos_no_lossless_ports() -> None:
    leaf = site(fabric__qos=None).switch("leaf-1")
    assert (leaf.qos.enabled, leaf.lossless_ports, leaf.watchdog.enabled) == (False, (), False)


def test_a_front_end_port_is_not_lossless() -> None:
    planned = site(host_types__gpu__hcas={"roce[0-3]": {**HCA, "use": "front-end", "vfs": 0}}, networks={})
    assert port(planned, "leaf-1", "Ethernet0").pfc == ()


def test_buffers_of_a_leaf() -> None:
    """16 host ports at 50176, 8 uplinks at 58368; alpha 1."""
    buffers = site().switch("leaf-1").buffers
    assert (buffers.pool, buffers.reserved) == (3302912, 16 * 50176 + 8 * 58368)
    assert (buffers.xoff_one, buffers.xoff_all) == (3302912 // 2, 3302912 // 25)


@pytest.mark.parametrize(
    ("changes", "missing"),
    [
        (
            {"switch_types__leaf__model": "msn3700", "switch_types__leaf__buffer_model": "dynamic"},
            "",
        ),
        (
            {"switch_types__leaf__model": "z9332f", "switch_types__leaf__buffer_model": "dynamic"},
            "the dynamic buffer model of sonic does not work on tomahawk3",
        ),
        (
            {"switch_types__leaf__model": "7060x6-64pe"},
            "the lossless table of Arista-7060X6-64PE-O128S2 has no row at 100 Gb/s, only at 400",
        ),
    ],
)
def test_why_headroom_is_missing(changes: dict[str, Any], missing: str) -> None:
    found = port(site(**changes), "leaf-1", "Ethernet0")
    assert (found.missing, found.headroom is None) == (missing, bool(missing))


def test_a_cable_longer_than_the_table() -> None:
    planned = site()
    links = [{**LINK, "cable_m": 400}]
    found = port(site(links=links), "leaf-1", "Ethernet0")
    assert (
        found.missing == "a cable of 400 m is longer than every row of ACS-MSN2700 at 100 Gb/s: 5, 40, 300 m"
    )
    assert found.lengths == (5, 40, 300)
    assert port(planned, "leaf-1", "Ethernet0").missing == ""


LINK = {"hosts": "gpu-[001-016]", "hca": "roce0", "switch": "leaf-1", "ports": "Ethernet[0-60/4]"}


def test_onyx_counts_ecn_in_kilobytes() -> None:
    (ecn,) = onyx_site().switch("leaf-1").qos.queues[1].ecn
    assert (ecn.kmin, ecn.kmax, ecn.kmin_bytes) == (100, 1500, 100000)


def test_onyx_maps_dscp_by_eighths() -> None:
    qos = onyx_site().switch("leaf-1").qos
    assert [d for d, tc in enumerate(qos.dscp_to_tc) if tc == 3] == list(range(24, 32))


def test_onyx_goes_without_what_it_lacks() -> None:
    leaf = onyx_site().switch("leaf-1")
    assert [(g.feature, g.needed) for g in leaf.missing] == [
        ("pfc_watchdog", True),
        ("ecn_probability", False),
        ("headroom", False),
        ("arp_from_garp", False),
    ]
    assert [g.feature for g in leaf.unconfirmed] == ["arp_age", "dcbx", "hash_seed"]


def test_onyx_cannot_map_dscp_34_to_priority_3() -> None:
    planned = onyx_site(fabric__qos__classes__roce__dscp=34)
    assert any(g.feature == "qos_map" and g.needed for g in planned.switch("leaf-1").missing)


def test_sonic_lacks_nothing() -> None:
    leaf = site().switch("leaf-1")
    assert (leaf.missing, leaf.unconfirmed) == ((), ())


def test_sonic_takes_no_mac_age() -> None:
    leaf = site(fabric__arp={"timeout_seconds": 60, "mac_timeout_seconds": 900}).switch("leaf-1")
    assert leaf.missing == (
        MissingFeature(
            "mac_age",
            False,
            "",
            "SONiC takes the FDB ageing time from switch.json of the swss container, not from config_db; "
            "900 s is stated, 600 s is in force",
        ),
    )
