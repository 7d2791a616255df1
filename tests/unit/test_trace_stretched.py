"""A VLAN stretched over two leaves: the packet crosses the trunk, and is lost if one side lacks the VLAN."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest

from netplan.model.readback import ReadPort, ReadSwitch
from netplan.model.site import SiteCable, SiteHca
from netplan.trace.bgp import Bgp
from netplan.trace.fabric import ReadFabric
from netplan.trace.link import Packet, Ports
from netplan.trace.model import DEVICE_BOUND, TracePod, Verdict, Walk
from netplan.trace.walk import Walker
from tests.unit.test_trace_measured import SHARED, leaf, pod

VLANS = frozenset({10, 101, 102})


def trunk(*vlans: int) -> ReadPort:
    return ReadPort(
        name="up", tagged=frozenset(vlans), untagged=None, addresses=(), ip_mtu=9000, pfc=frozenset()
    )


def two_leaves(near: frozenset[int] = VLANS, far: frozenset[int] = VLANS) -> ReadFabric:
    """``leaf`` with the gateways and pod a, ``far`` with pod b, and a cable between their ``up`` ports."""
    one = leaf(SHARED)
    switch = one.switches["leaf"]
    other: ReadSwitch = replace(
        switch,
        name="far",
        ports={n: p for n, p in switch.ports.items() if n[0] == "b"} | {"up": trunk(*far)},
        vlan_interfaces={},
    )
    switch = replace(
        switch, ports={n: p for n, p in switch.ports.items() if n[0] == "a"} | {"up": trunk(*near)}
    )
    cables = [
        replace(cable, switch="far") if cable.port[0] == "b" else cable for cable in one.cables.peers.values()
    ]
    plain: SiteCable = replace(cables[0], port="up", peer_kind="switch", peer_port="up")
    cables += [replace(plain, switch="leaf", peer="far"), replace(plain, switch="far", peer="leaf")]
    return ReadFabric({"leaf": switch, "far": other}, cables)


def moved(each: TracePod) -> TracePod:
    """Pod b, cabled to the far leaf."""
    nics = {}
    for name, nic in each.nics.items():
        assert isinstance(nic.hca, SiteHca)
        nics[name] = replace(nic, hca=replace(nic.hca, switch="far"))
    return replace(each, nics=nics)


def walk(fabric: ReadFabric, start: str, end: str) -> Walk:
    a, b = pod("sbr", SHARED, "a", 0), moved(pod("sbr", SHARED, "b", 0))
    return Walker(fabric, Bgp(fabric)).walk((a, start), (b, end), DEVICE_BOUND, 4)


def test_same_rail_of_one_leaf_enters_and_leaves_by_its_ports() -> None:
    fabric = leaf(SHARED)
    a, b = pod("sbr", SHARED, "a", 0), pod("sbr", SHARED, "b", 0)
    found = Walker(fabric, Bgp(fabric)).walk((a, "net1"), (b, "net1"), DEVICE_BOUND, 4)
    assert [(hop.node, hop.enter, hop.leave) for hop in found.there.hops[1:-1]] == [
        ("leaf", "a-net1", "b-net1")
    ]


def test_same_rail_crosses_the_trunk() -> None:
    found = walk(two_leaves(), "net1", "net1")
    assert found.verdict is Verdict.DELIVERED
    assert [(hop.node, hop.enter, hop.leave) for hop in found.there.hops] == [
        ("pod@a", "", "net1 (net1)"),
        ("leaf", "a-net1", "up"),
        ("far", "up", "b-net1"),
        ("pod@b", "net1 (net1)", ""),
    ]


@pytest.mark.parametrize("start", ["net1", "net2"])
def test_the_gateway_may_be_on_another_switch(start: str) -> None:
    """b's gateway is on the other leaf: its packets to the other rail cross the trunk twice."""
    fabric = two_leaves()
    a, b = pod("sbr", SHARED, "a", 0), moved(pod("sbr", SHARED, "b", 0))
    end = "net2" if start == "net1" else "net1"
    found = Walker(fabric, Bgp(fabric)).walk((b, start), (a, end), DEVICE_BOUND, 4)
    assert found.verdict is Verdict.DELIVERED
    assert [hop.node for hop in found.there.hops] == ["pod@b", "far", "leaf", "pod@a"]


@pytest.mark.parametrize(("near", "far"), [(VLANS - {101}, VLANS), (VLANS, VLANS - {101})])
def test_a_vlan_that_one_end_of_the_trunk_does_not_carry(near: frozenset[int], far: frozenset[int]) -> None:
    fabric = two_leaves(near, far)
    lost = walk(fabric, "net1", "net1")
    assert lost.verdict is Verdict.LOST
    assert "in VLAN 101 of leaf: it is in VLAN 101 of far" in lost.faults[0].text
    assert walk(fabric, "net2", "net2").verdict is Verdict.DELIVERED


def ring(*names: str) -> ReadFabric:
    """``leaf`` and ``far`` with switches between them in a row, and a longer way round by ``x`` and ``y``."""
    fabric = two_leaves()
    leaf_, far = fabric.switches["leaf"], fabric.switches["far"]
    rows = [("leaf", *names, "far"), ("leaf", *(f"x{n}" for n in range(len(names) + 1)), "far")]
    links = [(a, b) for row in rows for a, b in pairwise(row)]
    ends = [(a, b) for one, other in links for a, b in ((one, other), (other, one))]
    inner = {name for row in rows for name in row[1:-1]}
    switches = {name: replace(far, name=name, ports={}) for name in sorted(inner)} | {
        "leaf": leaf_,
        "far": far,
    }
    for a, b in ends:
        each = switches[a]
        switches[a] = replace(each, ports={**each.ports, f"to-{b}": replace(trunk(*VLANS), name=f"to-{b}")})
    plain = next(cable for cable in fabric.cables.peers.values() if cable.port == "up")
    cables = [cable for cable in fabric.cables.peers.values() if cable.port != "up"]
    cables += [replace(plain, switch=a, port=f"to-{b}", peer=b, peer_port=f"to-{a}") for a, b in ends]
    return ReadFabric(switches, cables)


@pytest.mark.parametrize("names", [("m",), ("m", "n")])
def test_a_stretched_vlan_is_crossed_by_the_shortest_way(names: tuple[str, ...]) -> None:
    found = walk(ring(*names), "net1", "net1")
    assert found.verdict is Verdict.DELIVERED
    row = ("leaf", *names, "far")
    assert [(hop.node, hop.leave) for hop in found.there.hops[1:-2]] == [
        (a, f"to-{b}") for a, b in pairwise(row)
    ]
    assert [hop.enter for hop in found.there.hops[2:-1]] == [f"to-{a}" for a in row[:-1]]
    assert found.back is not None
    assert [hop.node for hop in found.back.hops[1:-1]] == list(reversed(row))


def test_a_trunk_of_a_stretched_vlan_that_is_too_small_is_told() -> None:
    fabric = ring("m")
    small = fabric.switches["m"]
    ports = {**small.ports, "to-far": replace(small.ports["to-far"], ip_mtu=1500)}
    broken = ReadFabric(
        {**fabric.switches, "m": replace(small, ports=ports)}, list(fabric.cables.peers.values())
    )
    assert [fault.text.partition(" takes")[0] for fault in walk(broken, "net1", "net1").faults] == [
        "m to-far"
    ]


def test_a_port_without_a_cable_has_no_speed_to_keep_to() -> None:
    fabric = two_leaves()
    far = fabric.switches["far"]
    ports = {**far.ports, "spare": replace(trunk(*VLANS), name="spare", gbps=400)}
    spare = ReadFabric(
        {**fabric.switches, "far": replace(far, ports=ports)}, list(fabric.cables.peers.values())
    )
    assert Ports(spare).at("far", "spare", Packet(size=None, dscp=None)).faults == ()
    cables = [
        *fabric.cables.peers.values(),
        replace(next(iter(fabric.cables.peers.values())), switch="far", port="spare"),
    ]
    cabled = ReadFabric(spare.switches, [replace(each, speed_gbps=200) for each in cables])
    (fault,) = Ports(cabled).at("far", "spare", Packet(size=None, dscp=None)).faults
    assert fault.text.startswith("far spare has a speed of 400 Gb/s (")


@pytest.mark.parametrize(("routes", "arrives"), [("sbr", "net1"), ("explicit", None)])
def test_with_swapped_cables_the_other_interface_answers_unless_arp_ignore_forbids_it(
    routes: str, arrives: str | None
) -> None:
    """torvalds/linux Documentation/networking/ip-sysctl.rst, arp_ignore."""
    fabric = leaf(SHARED)
    switch = fabric.switches["leaf"]
    swapped = {"b-net1": switch.ports["b-net2"].untagged, "b-net2": switch.ports["b-net1"].untagged}
    ports = {n: replace(p, untagged=swapped.get(n, p.untagged)) for n, p in switch.ports.items()}
    wrong = ReadFabric({"leaf": replace(switch, ports=ports)}, list(fabric.cables.peers.values()))
    a, b = (pod(routes, SHARED, host, 0) for host in "ab")
    found = Walker(wrong, Bgp(wrong)).walk((a, "net2"), (b, "net2"), DEVICE_BOUND, 4)
    assert (found.verdict.fails, found.there.arrives) == (True, arrives)


def test_what_a_cable_carries_beyond_ethernet_is_not_followed() -> None:
    """Nothing is said of the switch, and the packet is taken to arrive."""
    fabric = leaf(SHARED)
    a, b = (pod("sbr", SHARED, host, 0) for host in "ab")
    beyond = replace(a, nics={name: replace(nic, beyond="InfiniBand") for name, nic in a.nics.items()})
    found = Walker(fabric, Bgp(fabric)).walk((beyond, "net1"), (b, "net1"), DEVICE_BOUND, 4).there
    assert (found.arrives, found.notes, [hop.node for hop in found.hops]) == (
        "net1",
        ("InfiniBand",),
        ["pod@a"],
    )
