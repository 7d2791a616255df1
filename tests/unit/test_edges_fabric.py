"""Edge cases, one fact per case: switches and cables as trace judges them, by direct calls."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
from netaddr import IPAddress

from netplan.graph.hosts import Stated
from netplan.graph.qos import PriorityAnswer, Proof
from netplan.model.readback import Stand, Steps
from netplan.model.site import SiteCable, SiteQos
from netplan.trace.fabric import ReadFabric, Wanted
from netplan.trace.link import Packet, Ports, _in_queue, _untold, fits
from netplan.trace.model import Verdict
from netplan.trace.nic_end import _nic_answer as nic_answer
from netplan.trace.nic_end import port_fits
from tests.unit.test_trace_addresses import host
from tests.unit.test_trace_measured import SHARED, leaf
from tests.unit.test_trace_stretched import two_leaves

LEAF = leaf(SHARED)


def switched(**changes: Any) -> ReadFabric:
    """One switch with changes."""
    return ReadFabric({"leaf": replace(LEAF.switches["leaf"], **changes)}, LEAF.cables.peers.values())


def cable(switch: str, port: str, peer: str, peer_port: str, **more: Any) -> SiteCable:
    plain = next(iter(LEAF.cables.peers.values()))
    ends = {"switch": switch, "port": port, "peer": peer, "peer_port": peer_port, "peer_kind": "switch"}
    return replace(plain, **{**ends, **more})


def two(*cables: SiteCable) -> ReadFabric:
    return ReadFabric(two_leaves().switches, cables)


ONE, OTHER = cable("leaf", "up", "far", "up"), cable("far", "up", "leaf", "up")


def test_a_cable_between_switches_has_two_ends_that_agree() -> None:
    assert two(ONE, OTHER).cables.links == {
        "leaf": (("up", ("far", "up")),),
        "far": (("up", ("leaf", "up")),),
    }
    assert two(ONE).cables.links == {}
    assert two(ONE, replace(OTHER, peer_port="a-net1")).cables.links == {}
    assert two(replace(ONE, peer="gone"), OTHER).cables.links == {}
    assert ReadFabric({"far": two_leaves().switches["far"]}, [ONE, OTHER]).cables.links == {}


@pytest.mark.parametrize(
    ("back", "said"),
    [
        (OTHER, ""),
        (None, "site.json has leaf up on far up, but far up without a cable"),
        (replace(OTHER, peer_port="x"), "site.json has leaf up on far up, but far up on leaf x"),
        (replace(OTHER, peer="x"), "site.json has leaf up on far up, but far up on x up"),
        (
            replace(OTHER, speed_gbps=ONE.speed_gbps + 1),
            f"site.json has leaf up on far up with {ONE.speed_gbps} Gb/s and {ONE.cable_m} m, "
            f"and back with {ONE.speed_gbps + 1} Gb/s and {ONE.cable_m} m",
        ),
        (
            replace(OTHER, cable_m=ONE.cable_m + 1),
            f"site.json has leaf up on far up with {ONE.speed_gbps} Gb/s and {ONE.cable_m} m, "
            f"and back with {ONE.speed_gbps} Gb/s and {ONE.cable_m + 1} m",
        ),
    ],
)
def test_the_two_ends_of_a_cable_agree(back: SiteCable | None, said: str) -> None:
    fabric = two(ONE, *([back] if back else []))
    assert fabric.cables.dispute(ONE) == said
    fabric.cables.disputed = {("far", "up"): "another"}
    assert fabric.cables.dispute(ONE) == "another"


def test_what_no_file_states_is_told_with_where_it_would_stand() -> None:
    fabric = switched(stands={"arp": Stand("arp.txt", "age <vlan> <port>")})
    assert fabric.unstated("leaf", "paths").endswith("leaf is not stated (switches/leaf)")
    end = "leaf VLAN 7 is not stated; age 7 7 would prove it (switches/leaf/arp.txt)"
    assert fabric.unstated("leaf", "arp", "7").endswith(end)
    assert fabric.unstated("leaf", "arp", "up").endswith(
        "leaf up is not stated; age up up would prove it (switches/leaf/arp.txt)"
    )


def test_a_frame_enters_a_port_or_is_dropped() -> None:
    fabric = two(ONE, OTHER)
    ports = fabric.switches["leaf"].ports
    (first,) = [name for name, port in ports.items() if port.untagged == 101]
    assert str(fabric.accept("none", "up", None)) == "none has no files in switches/none"
    assert str(fabric.accept("leaf", "x", None)).startswith("leaf does not configure x (")
    assert str(fabric.accept("leaf", "up", None)).startswith("leaf up takes no untagged frames (")
    assert str(fabric.accept("leaf", "up", 999)).startswith("leaf has no VLAN 999 for up (")
    assert str(fabric.accept("leaf", first, 102)).startswith(f"leaf {first} does not carry VLAN 102 (")
    domain = fabric.accept("leaf", first, None)
    assert not isinstance(domain, str)
    assert domain.vlan == 101


PACKET = Packet(size=4096, dscp=None, cnp=None)


def passed(fabric: ReadFabric, port: str = "a-net1", packet: Packet = PACKET) -> Any:
    return Ports(fabric).at("leaf", port, packet)


def test_a_port_takes_a_packet_or_says_why_not() -> None:
    assert (passed(LEAF).faults, passed(LEAF).notes) == ((), ())
    (fault,) = passed(LEAF, "x").faults
    assert (fault.verdict, fault.text.startswith("leaf does not configure x (")) == (Verdict.LOST, True)
    ports = LEAF.switches["leaf"].ports

    def changed(**changes: Any) -> Any:
        return passed(switched(ports={**ports, "a-net1": replace(ports["a-net1"], **changes)}))

    (fault,) = changed(up=False).faults
    assert (fault.verdict, fault.text.startswith("leaf a-net1 is shut down (")) == (Verdict.LOST, True)
    assert len(changed(up=None).notes) == 1
    (fault,) = changed(ip_mtu=4095).faults
    assert fault.verdict is Verdict.TOO_BIG
    assert changed(ip_mtu=4096).faults == ()
    fabric = switched()
    fabric.cables.disputed = {("leaf", "a-net1"): "two files"}
    assert [each.text for each in passed(fabric).faults] == ["two files"]
    (fault,) = passed(switched(unparsed=("x.json",))).faults
    assert fault.text == "leaf has a file that cannot be read: switches/leaf/x.json"


@pytest.mark.parametrize(
    ("size", "mtu", "faults", "notes"),
    [(None, 1, 0, 0), (100, None, 0, 1), (100, 100, 0, 0), (100, 99, 1, 0)],
)
def test_a_packet_fits_where_the_mtu_is_no_less(
    size: int | None, mtu: int | None, faults: int, notes: int
) -> None:
    found = fits("x", mtu, Packet(size=size, dscp=None, cnp=None), "f")
    assert tuple(map(len, found)) == (faults, notes)


@pytest.mark.parametrize(
    ("size", "beyond", "known", "notes"),
    [
        (1500, "", True, 0),
        (1501, "", True, 1),
        (1501, "x", True, 0),
        (1501, "", False, 0),
        (None, "", True, 0),
    ],
)
def test_a_nic_of_no_stated_mtu_takes_1500_bytes(
    size: int | None, beyond: str, known: bool, notes: int
) -> None:
    hca = host(0, "0000:19:00.0").hcas[0] if known else None
    nic: Any = SimpleNamespace(port_mtu=None, hca=hca, beyond=beyond, file="f")
    assert tuple(map(len, port_fits("x", nic, Packet(size=size, dscp=None, cnp=None)))) == (0, notes)
    nic.port_mtu = Stated(4000, "g:1")
    (fault,) = port_fits("x", nic, Packet(size=4001, dscp=None, cnp=None))[0]
    assert fault.text.endswith("(g:1)")


def test_a_nic_of_which_no_file_sets_qos_is_refuted() -> None:
    found: PriorityAnswer = nic_answer("node-0 roce0", None, 26, 0)
    assert [(each.proof, each.text) for each in found.doubts] == [
        (Proof.REFUTED, "no file sets QoS on node-0 roce0")
    ]


@pytest.mark.parametrize(
    ("mtus", "told", "said"),
    [
        ({3: 4096, 0: 4096}, True, []),
        (
            {3: 4095, 0: 4096},
            True,
            ["queue 3 of leaf a-net1 takes packets of up to 4,095 bytes, the pod sends up to 4,096"],
        ),
        ({3: 4096}, True, ["queue 0 is not stated"]),
        ({}, False, []),
    ],
)
def test_a_queue_takes_a_packet(mtus: dict[int, int], told: bool, said: list[str]) -> None:
    port = LEAF.switches["leaf"].ports["a-net1"]
    queues = {26: frozenset({3}), 0: frozenset({0})}
    ports = {"a-net1": replace(port, qos=replace(port.qos, queues=queues, mtus=mtus))}
    fabric = switched(ports=ports, told=frozenset({"queue-mtu"} if told else ()))
    found = [*_in_queue(fabric.switches["leaf"], "a-net1", Packet(size=4096, dscp=26, cnp=None), fabric)]
    assert len(found) == len(said)
    assert all(words in text for words, text in zip(said, found, strict=True)), found


@pytest.mark.parametrize(
    ("version", "garp", "aged", "said"),
    [(4, False, True, ["garp"]), (4, True, True, []), (6, False, True, []), (4, True, False, ["arp"])],
)
def test_what_a_vlan_states_of_its_neighbours(version: int, garp: bool, aged: bool, said: list[str]) -> None:
    states = frozenset({"garp", "vlan-arp"})
    interfaces = {100: replace(LEAF.switches["leaf"].vlan_interfaces[101], garp=garp, aged=aged)}
    read = replace(LEAF.switches["leaf"], states=states, vlan_interfaces=interfaces)
    address = IPAddress("10.0.0.1") if version == 4 else IPAddress("fd00::1")
    routed: Any = SimpleNamespace(ip=address, vlan=100)
    assert list(_untold(read, routed)) == said


@pytest.mark.parametrize(
    ("seconds", "age", "unlike"),
    [(300, 300, False), (300, 300 + 59, False), (300, 360, True), (300, 240, True), (None, 9, False)],
)
def test_neighbours_are_kept_as_long_as_the_site_states(seconds: int | None, age: int, unlike: bool) -> None:
    """As near as the unit of the switch allows: one minute."""
    read = replace(LEAF.switches["leaf"], arp_seconds=age, steps=Steps(arp_seconds=60))
    fabric = ReadFabric({"leaf": read}, (), wanted=Wanted(SiteQos(), seconds))
    routed: Any = SimpleNamespace(switch="leaf", vlan=101, ip=IPAddress("10.1.0.1"))
    faults, _ = Ports(fabric)._neighbours(routed)
    assert [each.verdict for each in faults] == [Verdict.UNLIKE] * unlike
