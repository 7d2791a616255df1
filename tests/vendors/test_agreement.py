"""One fabric with a different NOS on every leaf: each file states the plan's values in its NOS's syntax."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

import pytest

from netplan.model.switch_ports import PortVlans
from netplan.model.switching import SwitchPlan
from netplan.nos import available
from tests.nos_site import BOX
from tests.switch_site import Site, fabric_of, inventory, planned, profiles
from tests.vendors.grammar import facts, grammar
from tests.vendors.readers import EVERY, READERS, Told
from tests.vendors.sites import ACCESS, MIXED, PORTS

LEAVES = {nos: f"leaf-{number}" for number, nos in enumerate(PORTS, start=1)}
SWITCHES = LEAVES | {"sonic": "spine-1"}
HOSTS = 4
KMIN, KMAX = 254_000, 1_524_000
"""Whole cells of 254 bytes and whole kilobytes, so that no unit rounds."""

FEATURES = {
    "dscp": "dscp_trust",
    "pfc": "pfc",
    "ecn": "ecn",
    "mtu": "routed_port",
    "arp": "arp_age",
    "vlans": "vlan",
}
UNCONFIRMED = {
    (nos, value): (row["comment"], row["feature"])
    for nos in PORTS
    for value, row in facts(nos).unconfirmed.items()
}
"""(NOS, value) rendered only as a comment -> (comment with the value, feature listed as unconfirmed)."""


@cache
def mixed() -> Site:
    links: list[dict[str, Any]] = []
    for rail, (nos, leaf) in enumerate(LEAVES.items()):
        port = PORTS[nos][0]
        hosts = {"hosts": f"gpu-[001-00{HOSTS}]", "hca": f"roce{rail}", "switch": leaf, "cable_m": 5}
        links.append(hosts | {"ports": f"{port}[1-{HOSTS}]"})
        up = {"switches": leaf, "ports": f"{port}[{HOSTS + 1}-{HOSTS + 2}]", "to": "spine-1", "cable_m": 40}
        links.append(up | {"to_ports": f"Ethernet[{rail * 8}-{rail * 8 + 4}/4]"})
    last = len(PORTS) - 1
    hca = {
        "model": "connectx-5",
        "netdev": f"ens1f[0-{last}]",
        "rail": 0,
        "speed_gbps": 100,
        "use": "vf",
        "vfs": 8,
    }
    types: dict[str, Any] = {
        nos: {
            "nos": nos,
            "model": PORTS[nos][1],
            "port_mtu": min(9216, profiles()[nos].limits.mtu_max or 9216),
        }
        for nos in PORTS
    }
    spine = {"nos": "sonic", "model": "msn2700", "buffer_model": "traditional", "port_mtu": 9216}
    data = inventory(
        catalog={"switches": {asic: BOX | {"asic": asic} for _, asic in PORTS.values()}},
        fabric__arp={"timeout_seconds": 120},
        fabric__qos__classes__roce__ecn={"kmin_bytes": KMIN, "kmax_bytes": KMAX},
        fabric__qos__pfc_watchdog={"poll_ms": 100, "detection_ms": 300},
        rails__count=len(PORTS),
        rails__vlan_ids=f"100-{100 + last}",
        rails__supernets=["172.16.0.0/16"],
        host_types__gpu__hcas={f"roce[0-{last}]": hca},
        hosts={f"gpu-[001-00{HOSTS}]": {"type": "gpu", "id": 1}},
        switch_types=types | {"spine": spine},
        switches={
            leaf: {"type": nos, "id": n, "role": "leaf"} for n, (nos, leaf) in enumerate(LEAVES.items(), 1)
        }
        | {"spine-1": {"type": "spine", "id": 101, "role": "spine"}},
        links=links,
    )
    first = {(leaf, f"{PORTS[nos][0]}1"): MIXED for nos, leaf in LEAVES.items()}
    second = {(leaf, f"{PORTS[nos][0]}2"): ACCESS for nos, leaf in LEAVES.items()}
    return planned(fabric_of(data), first | second)


@cache
def told(nos: str) -> Told:
    return READERS[nos](mixed().files(SWITCHES[nos]))


def switch_of(nos: str) -> SwitchPlan:
    return mixed().switch(SWITCHES[nos])


def is_told(nos: str, value: str) -> bool:
    """Whether the text must state a value, by nos.yaml and the table above."""
    supported = profiles()[nos].supports[FEATURES[value]] == ""
    return (
        supported and (nos, value) not in UNCONFIRMED and not (nos == "sonic" and value in ("arp", "vlans"))
    )


def stating(value: str) -> list[str]:
    return [nos for nos in READERS if is_told(nos, value)]


def test_every_nos_is_in_the_fabric() -> None:
    """A NOS may lack a hand-written reader, which is code: its readback.yaml reads it back."""
    assert set(READERS) <= set(SWITCHES) == set(available())


@pytest.mark.parametrize("nos", READERS)
def test_a_reader_finds_what_nos_yaml_supports_and_nothing_else(nos: str) -> None:
    found = {value for value in FEATURES if getattr(told(nos), value)}
    assert found == {value for value in FEATURES if is_told(nos, value)}


@pytest.mark.parametrize("nos", stating("dscp"))
def test_a_code_point_is_in_the_queue_of_its_class(nos: str) -> None:
    qos = mixed().qos
    assert qos is not None
    named = {c.dscp: c.priority for c in qos.classes}
    assert {dscp: queue for dscp, queue in told(nos).dscp.items() if dscp in named} == named == {26: 3, 48: 6}


@pytest.mark.parametrize("nos", [nos for nos in stating("dscp") if nos != "onyx"])
def test_every_other_code_point_is_best_effort(nos: str) -> None:
    qos = mixed().qos
    assert qos is not None
    assert told(nos).dscp == dict(enumerate(qos.dscp_to_priority))


@pytest.mark.parametrize("nos", stating("pfc"))
def test_the_lossless_priorities_of_a_port(nos: str) -> None:
    pfc = told(nos).pfc
    wanted = {port.name: set(port.pfc) for port in switch_of(nos).lossless_ports}
    assert {port: pfc.get(port, pfc.get(EVERY)) for port in wanted} == wanted
    assert pfc.keys() <= wanted.keys() | {EVERY}


@pytest.mark.parametrize("nos", stating("ecn"))
def test_the_marking_thresholds_in_bytes(nos: str) -> None:
    ecn = told(nos).ecn
    ports = {EVERY} & {port for port, _ in ecn} or {port.name for port in switch_of(nos).rdma_ports}
    assert ecn == {(port, 3): (KMIN, KMAX) for port in ports}


@pytest.mark.parametrize("nos", stating("mtu"))
def test_the_largest_ip_packet_of_a_port(nos: str) -> None:
    assert told(nos).mtu == {port.name: port.ip_mtu for port in switch_of(nos).ports}


@pytest.mark.parametrize("nos", stating("arp"))
def test_the_neighbour_age_in_seconds(nos: str) -> None:
    assert told(nos).arp == {switch_of(nos).arp.seconds} == {120}


@pytest.mark.parametrize("nos", stating("vlans"))
def test_the_vlans_of_a_port_and_their_tagging(nos: str) -> None:
    ports = [port for port in switch_of(nos).ports if port.kind == "host"]
    wanted = {port.name: PortVlans(port.tagged, next(iter(port.untagged), None)) for port in ports}
    assert {
        name: PortVlans(tuple(sorted(tagged)), untagged)
        for name, (tagged, untagged) in told(nos).vlans.items()
    } == wanted
    assert [*wanted.values()][:2] == [MIXED, ACCESS]


@pytest.mark.parametrize(("nos", "value"), UNCONFIRMED)
def test_an_unconfirmed_value_is_a_comment_to_confirm(nos: str, value: str) -> None:
    pattern, feature = UNCONFIRMED[nos, value]
    switch = switch_of(nos)
    assert feature in {missing.feature for missing in switch.unconfirmed}
    found = [
        c for c in comments(nos) if re.search(r"(?i)confirm on the switch", c) and re.search(pattern, c, re.M)
    ]
    assert len(found) == 1


def comments(nos: str) -> list[str]:
    """Blocks of consecutive comment lines."""
    mark = grammar(nos).comment.pattern
    text = "\n".join(text for name, text in mixed().files(SWITCHES[nos]).items() if name.endswith(".txt"))
    return re.findall(rf"(?m)(?:^ *{mark}.*\n?)+", text)
