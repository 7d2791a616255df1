"""``site.json``: the inventory's data reads back; one line per host and cable."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

import pytest

from netplan.model.site import PATH
from netplan.reading.site import read_site
from tests.inventories import SHIPPED, compiled


def text_of(name: str) -> str:
    [text] = [a.text for a in compiled(name).artifacts if a.path == PATH]
    return text


@pytest.mark.parametrize("name", SHIPPED)
def test_it_says_what_the_inventory_says(name: str) -> None:
    fabric, facts = compiled(name).fabric, read_site(text_of(name))
    assert fabric is not None
    assert (facts.name, facts.fabric_type, facts.cross_rail) == (fabric.site, fabric.type, fabric.cross_rail)
    assert set(facts.workloads) == {w.name for w in fabric.workloads}
    assert set(facts.switches) == {s.name for s in fabric.switches}
    for switch in fabric.switches:
        read = facts.switches[switch.name]
        assert (read.nos, read.asic, read.role) == (switch.type.nos, switch.type.model.asic, switch.role)
    assert facts.arp_seconds == (fabric.arp.timeout_seconds if fabric.arp else None)
    classes = fabric.qos.classes if fabric.qos else ()
    stated = {(c.dscp, c.priority, c.lossless, c.scheduling == "strict") for c in classes}
    assert {(c.dscp, c.priority, c.lossless, c.strict) for c in facts.classes} == stated
    thresholds = {c.name: (c.ecn.kmin_bytes, c.ecn.kmax_bytes) for c in classes if c.ecn}
    assert {c.name: c.ecn_bytes for c in facts.classes if c.ecn_bytes} == thresholds
    if fabric.qos and fabric.qos.watchdog:
        assert facts.qos.watchdog is not None
        assert asdict(facts.qos.watchdog) == asdict(fabric.qos.watchdog)


@pytest.mark.parametrize("name", SHIPPED)
def test_shares_that_are_not_strict_are_the_whole_link(name: str) -> None:
    qos = read_site(text_of(name)).qos
    if qos.classes:
        shares = [each.bandwidth_percent or 0 for each in qos.classes]
        assert sum(shares) + (qos.best_effort_percent or 0) == 100


@pytest.mark.parametrize("name", SHIPPED)
def test_its_cables_are_those_of_the_inventory(name: str) -> None:
    fabric, facts = compiled(name).fabric, read_site(text_of(name))
    assert fabric is not None
    ends = {(link.switch.name, link.port): (link.host.name, link.hca.name) for link in fabric.host_links}
    for link in fabric.switch_links:
        lower, upper = (link.lower.name, link.lower_port), (link.upper.name, link.upper_port)
        ends |= {lower: upper, upper: lower}
    assert {(c.switch, c.port): (c.peer, c.peer_port) for c in facts.cables} == ends
    nodes = {host.name: host for host in fabric.hosts if host.type.node and host.named}
    read = {host.name: host for host in facts.hosts}
    assert nodes.keys() <= read.keys()
    for host in nodes.values():
        assert read[host.name].labels == dict(host.all_labels)
        assert {hca.name for hca in read[host.name].hcas} == {hca.name for hca in host.type.hcas}
        for hca in read[host.name].hcas:
            plugged = [place for place, peer in ends.items() if peer == (host.name, hca.name)]
            assert (hca.switch, hca.port) == (plugged[0] if plugged else ("", ""))


def test_hosts_without_names_have_two_examples() -> None:
    names = [host.name for host in read_site(text_of("kitchen-sink")).hosts]
    assert [name for name in names if name.startswith("cloud")] == ["cloud-1", "cloud-2"]
    assert not [name for name in names if name.startswith("hv-")]  # hypervisors are not nodes


def test_a_host_and_a_cable_have_a_line_each() -> None:
    lines = text_of("iei-rocev2").splitlines()
    assert '    "gpu-001": {"type": "nf5468m5"},' in lines
    cable = '"host": "gpu-001", "hca": "roce0", "speed_gbps": 100, "cable_m": 5'
    assert f'      "Ethernet0": {{{cable}}},' in lines


def changed(change: dict[str, Any]) -> str:
    return json.dumps({**json.loads(text_of("minimal")), **change})


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "Expecting value"),
        ("[" * 100_000, "nested too deeply"),
        ("[]", "is not of type 'object'"),
        (changed({"version": 2}), "version: 1 was expected"),
        (changed({"more": 1}), "Additional properties"),
        (changed({"hosts": {"a": {"type": "none"}}}), "there is no host type none"),
        (changed({"cables": {"leaf": {"p": {"speed_gbps": 1, "cable_m": 1}}}}), "cables.leaf.p"),
    ],
)
def test_a_text_that_is_no_site(text: str, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        read_site(text)
