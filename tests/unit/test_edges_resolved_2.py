"""Facts of one line each, at their edge: what stays of an inventory with an entry that is wrong."""

from __future__ import annotations

import pytest

from netplan.diagnostics import Path
from tests.unit.test_edges_resolved import OWN, resolved, said

TWO_HOSTS = "hosts: {'gpu-[1-2]': null, gpu-1: {type: gpu}, gpu-2: {type: gpu}, gpu-3: {type: gpu}}"


@pytest.mark.parametrize(
    ("hosts", "wrong", "left"),
    [
        ("'gpu-[1-3]'", (), "gpu-1 gpu-2 gpu-3"),
        ("'gpu-[1-3]'", ("gpu-1",), "gpu-2 gpu-3"),
        ("'gpu-[1-3]'", ("gpu-2",), "gpu-1 gpu-3"),
        ("gpu-1, gpu-2", ("gpu-1",), "gpu-2"),
    ],
)
def test_a_workload_keeps_the_hosts_beside_a_refused_one(
    hosts: str, wrong: tuple[str, ...], left: str
) -> None:
    paths: tuple[Path, ...] = tuple(("hosts", name, "type") for name in wrong)
    found = resolved(f"{TWO_HOSTS}\nlinks: null\nworkloads: {{train: {{hosts: [{hosts}]}}}}", paths)
    assert " ".join(h.name for h in found.fabric.workloads[0].hosts) == left
    assert said(found) == []
    assert (("workloads", "train") in found.left_out) is bool(wrong)


def test_an_absent_member_of_a_range_is_no_host_of_a_workload() -> None:
    text = "hosts: {'gpu-[1-2]': {type: gpu}, gpu-1: {absent: true}}\nlinks: null\n"
    found = resolved(f"{text}workloads: {{train: {{hosts: ['gpu-[1-2]']}}}}")
    assert [h.name for h in found.fabric.workloads[0].hosts] == ["gpu-2"]
    assert said(found) == []


def test_a_network_with_an_unknown_host_type_is_told_once_at_its_entry() -> None:
    found = resolved("networks: {rail: {hosts: [gpu, gpus]}}")
    assert [(code, at) for code, at, _ in said(found)] == [("NP101", "networks.rail.hosts.1")]
    assert {("networks", "rail"), ("host_types", "gpus")} <= found.left_out


@pytest.mark.parametrize(
    ("networks", "prefixes", "problem"),
    [
        ("[10.0.0.0/24, 10.2.0.0/24], [10.1.0.0/24, 10.3.0.0/24]", "[26, 26]", "rail 0 has IPv4 and IPv4"),
        ("[10.0.0.0/24], [10.1.0.0/24]", "[26, 64]", "rail 0 has IPv4, and there are 2 prefixes"),
        ("[10.0.0.0/24, 'fd00::/56'], [10.1.0.0/24, 'fd01::/56']", "[26, 64]", None),
    ],
)
def test_rail_networks_have_one_prefix_length_for_each_family(
    networks: str, prefixes: str, problem: str | None
) -> None:
    found = resolved(f"rails: {{{OWN.replace('[26]', prefixes)}, rail_networks: [{networks}]}}")
    assert [text[: len(problem or "")] for _, _, text in said(found)] == ([problem] if problem else [])
    assert found.fabric.rails is not None
    assert len(found.fabric.rails.rail_networks) == (0 if problem else 2)


@pytest.mark.parametrize(
    ("supernets", "prefixes", "rail_prefixes", "problem"),
    [
        ("172.16.0.0/20, 'fd00::/48'", "24, 64", "22, 49", None),
        ("172.16.0.0/20, 'fd00::/48'", "24, 64", "22, 48", "2 rails of /22 do not fit"),
        (
            "'fd00::/48', 172.16.0.0/20",
            "64, 24",
            "48, 22",
            "2 rails of /48 do not fit: fd00::/48 has room for 1",
        ),
    ],
)
def test_every_rail_has_a_part_of_every_supernet(
    supernets: str, prefixes: str, rail_prefixes: str, problem: str | None
) -> None:
    text = f"supernets: [{supernets}], prefixes: [{prefixes}], rail_prefixes: [{rail_prefixes}]"
    found = resolved(f"rails: {{{text}}}")
    assert [(code, what[: len(problem or "")]) for code, _, what in said(found)] == (
        [("NP203", problem)] if problem else []
    )
    assert found.fabric.rails is not None
    assert [len(parts) for parts in found.fabric.rails.rail_networks] == ([] if problem else [2, 2])
