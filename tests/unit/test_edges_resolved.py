"""Facts of one line each, at their edge: what the entries of an inventory amount to after resolving."""

from __future__ import annotations

import json
from typing import Any

import pytest
import yaml

from netplan.catalog import operator_releases, switch_rows
from netplan.diagnostics import Path
from netplan.resolve import Resolved, resolve
from netplan.resolve.switches import switch_model
from tests.factories import hca_models, merged
from tests.overlay import base_data

SWITCH_MODELS = {name: switch_model(name, values) for name, values in switch_rows().items()}


def resolved(over: str, wrong: tuple[Path, ...] = ()) -> Resolved:
    data = merged(base_data(""), yaml.safe_load(over) or {})
    return resolve(
        json.loads(json.dumps(data)), hca_models(), SWITCH_MODELS, {"sonic"}, operator_releases(), wrong
    )


def said(found: Resolved) -> list[tuple[str, str, str]]:
    return [(d.code, ".".join(map(str, d.path)), d.message) for d in found.problems]


@pytest.mark.parametrize(
    ("hosts", "ids"),
    [
        ("gpu-[3-5]: {type: gpu}", "gpu-3 3, gpu-4 4, gpu-5 5"),
        ("gpu-[3-5]: {type: gpu, id: 10}", "gpu-3 10, gpu-4 11, gpu-5 12"),
        ("gpu-[3-5]: {type: gpu, id: 10}; gpu-4: {id: 99}", "gpu-3 10, gpu-4 99, gpu-5 12"),
        ("gpu-[3-5]: {type: gpu, id: 10}; gpu-4: {absent: true}", "gpu-3 10, gpu-5 12"),
        ("gpu-[3-5]: {type: gpu}; gpu-4: {labels: {a: b}}", "gpu-3 3, gpu-4 4, gpu-5 5"),
        ("gpu-[0009-0011]: {type: gpu}", "gpu-0009 9, gpu-0010 10, gpu-0011 11"),
        ("'[8-9]-a': {type: gpu, id: 5}", "8-a 5, 9-a 6"),
        ("'[8-9]-a': {type: gpu}", "8-a 0, 9-a 0"),
        ("a[2-2]: {type: gpu, id: 7}", "a2 7"),
        ("big: {type: gpu}", "big 0"),
        ("big: {type: gpu, id: 7}", "big 7"),
        ("n10: {type: gpu, id: 7}", "n10 7"),
        ("n10: {type: gpu}; n9: {type: gpu}", "n9 9, n10 10"),
        ("pool-1: {type: gpu, count: 4}", "pool-1 0"),
    ],
)
def test_numbers_of_hosts(hosts: str, ids: str) -> None:
    found = resolved(over("hosts", hosts))
    assert ", ".join(f"{h.name} {h.id}" for h in found.fabric.hosts) == ids
    assert said(found) == []


def listed(entries: str) -> Any:
    return yaml.safe_load(entries.replace("; ", "\n"))


def over(section: str, entries: str) -> str:
    """The section with these entries and no others; without links."""
    own = listed(entries)
    gone = dict.fromkeys(base_data("")[section])
    return yaml.safe_dump({"links": None, section: {**gone, **own}})


@pytest.mark.parametrize(
    ("hosts", "at"),
    [
        ("gpu-[3-4]: {type: gpu}", {"gpu-3": "gpu-[3-4]", "gpu-4": "gpu-[3-4]"}),
        ("gpu-[3-4]: {type: gpu}; gpu-4: {id: 9}", {"gpu-3": "gpu-[3-4]", "gpu-4": "gpu-4"}),
    ],
)
def test_a_host_stands_where_its_own_entry_is(hosts: str, at: dict[str, str]) -> None:
    assert {h.name: h.at[-1] for h in resolved(over("hosts", hosts)).fabric.hosts} == at


@pytest.mark.parametrize(
    ("switches", "ids"),
    [
        ("leaf-[1-2]: {type: sn2700, role: leaf}", "leaf-1 1 None, leaf-2 2 None"),
        (
            "leaf-[1-2]: {type: sn2700, role: leaf, router_id: 10.0.0.255}",
            "leaf-1 1 10.0.0.255, leaf-2 2 10.0.1.0",
        ),
        (
            "leaf-[1-3]: {type: sn2700, role: leaf, router_id: 10.0.0.5}; leaf-2: {router_id: 10.9.9.9}",
            "leaf-1 1 10.0.0.5, leaf-2 2 10.9.9.9, leaf-3 3 10.0.0.7",
        ),
        (
            "leaf-[1-3]: {type: sn2700, role: leaf, router_id: 10.0.0.5}; leaf-2: {id: 9}",
            "leaf-1 1 10.0.0.5, leaf-2 9 10.0.0.6, leaf-3 3 10.0.0.7",
        ),
        (
            "leaf-[1-2]: {type: sn2700, role: leaf, router_id: 255.255.255.255}",
            "leaf-1 1 255.255.255.255, leaf-2 2 0.0.0.0",
        ),
    ],
)
def test_numbers_of_switches(switches: str, ids: str) -> None:
    found = resolved(over("switches", switches)).fabric.switches
    assert ", ".join(f"{s.name} {s.id} {s.router_id}" for s in found) == ids


@pytest.mark.parametrize(
    ("switches", "problems", "left"),
    [
        ("leaf-1: {type: sn2700}", [("leaf-1", "switch leaf-1 has no role")], ""),
        ("leaf-1: {role: leaf}", [("leaf-1", "switch leaf-1 has no type")], ""),
        (
            "leaf-1: {}",
            [("leaf-1", "switch leaf-1 has no type"), ("leaf-1", "switch leaf-1 has no role")],
            "",
        ),
        (
            "leaf-0: {type: sn2700, role: leaf}",
            [("leaf-0", "switch leaf-0 has no id and its name does not end in a number of 1 or more")],
            "",
        ),
        (
            "a: {type: sn2700, role: leaf}; b: {type: sn2700, role: leaf, id: 1}",
            [("a", "switch a has no id and its name does not end in a number of 1 or more")],
            "b",
        ),
    ],
)
def test_what_a_switch_lacks(switches: str, problems: list[tuple[str, str]], left: str) -> None:
    found = resolved(over("switches", switches))
    assert said(found) == [("NP105", f"switches.{at}", text) for at, text in problems]
    assert " ".join(s.name for s in found.fabric.switches) == left
    assert {("switches", at) for at, _ in problems} <= found.left_out


HCA = "model: connectx-5, speed_gbps: 100"


@pytest.mark.parametrize(
    ("hcas", "facts"),
    [
        (f"nic[0-1]: {{{HCA}, rail: 0}}", "nic0 0, nic1 1"),
        (f"nic[4-5]: {{{HCA}, rail: 2}}", "nic4 2, nic5 3"),
        (f"nic[0-2]: {{{HCA}, rail: 0}}; nic1: {{rail: 7}}", "nic0 0, nic1 7, nic2 2"),
        (f"nic[0-2]: {{{HCA}, rail: 0}}; nic1: {{numa: 1}}", "nic0 0, nic1 1, nic2 2"),
        (f"nic[0-2]: {{{HCA}, rail: 0}}; nic1: {{absent: true}}", "nic0 0, nic2 2"),
        (f"nic[3-3]: {{{HCA}, rail: 5}}", "nic3 5"),
        (f"nic: {{{HCA}}}", "nic None"),
    ],
)
def test_rails_of_hcas(hcas: str, facts: str) -> None:
    found = of_type(hcas)
    assert ", ".join(f"{h.name} {h.rail}" for h in found.fabric.host_types[0].hcas) == facts
    assert said(found) == []


def of_type(hcas: str) -> Resolved:
    own = {**dict.fromkeys(("roce0", "roce1")), **listed(hcas)}
    return resolved(yaml.safe_dump({"links": None, "host_types": {"gpu": {"hcas": own}}}))


@pytest.mark.parametrize(
    ("stated", "names"),
    [
        ("netdev: 'ens[1-2]f0'", "ens1f0, ens2f0"),
        ("netdev: eth0", "eth0, eth0"),
        ("rdma_device: 'mlx5_[4-5]'", "mlx5_4, mlx5_5"),
        ("vf_rdma_prefix: 'rail[0-1]_'", "rail0_, rail1_"),
    ],
)
def test_names_of_a_range_of_hcas_pair_with_it(stated: str, names: str) -> None:
    found = of_type(f"nic[0-1]: {{{HCA}, {stated}}}").fabric.host_types[0].hcas
    assert ", ".join(str(getattr(h, stated.partition(":")[0])) for h in found) == names


def test_a_range_of_names_that_is_shorter_or_longer_is_told_once() -> None:
    at = "host_types.gpu.hcas.nic[0-2].netdev"
    for text, many in (("ens[1-2]f0", 2), ("ens[1-4]f0", 4)):
        found = of_type(f"nic[0-2]: {{{HCA}, netdev: '{text}'}}")
        assert said(found) == [("NP104", at, f"{text} has {many} members, nic[0-2] has 3")]
    assert [h.netdev for h in found.fabric.host_types[0].hcas] == ["ens1f0"] * 3


def test_a_name_stated_for_one_hca_of_a_range_stands_there() -> None:
    long = "x" * 16
    found = of_type(f"nic[0-1]: {{{HCA}, netdev: eth0}}; nic1: {{netdev: {long}}}")
    where = "host_types.gpu.hcas.nic1.netdev"
    assert said(found) == [("NP016", where, f"{long} has 16 characters, the limit is 15")]
    found = of_type(f"nic[0-1]: {{{HCA}, netdev: {long}}}; nic1: {{numa: 1}}")
    assert {path for _, path, _ in said(found)} == {"host_types.gpu.hcas.nic[0-1].netdev"}


@pytest.mark.parametrize(
    ("hcas", "problems"),
    [
        ("nic[0-1]: {rail: 0}", [("NP105", "nic[0-1]", "HCA nic0 has no model")]),
        (f"nic[0-1]: {{rail: 0}}; nic0: {{{HCA}}}", [("NP105", "nic[0-1]", "HCA nic1 has no model")]),
        (
            f"nic[0-1]: {{{HCA}, rail: 0}}; nic7: {{rail: 1}}",
            [("NP105", "nic7", "HCA nic7 has no model")],
        ),
        ("nic[0-1]: {model: cx}", [("NP101", "nic[0-1].model", "")]),
        (f"nic[0-1]: {{{HCA}}}; nic1: {{model: cx}}", [("NP101", "nic1.model", "")]),
    ],
)
def test_what_an_hca_lacks_is_told_once(hcas: str, problems: list[tuple[str, str, str]]) -> None:
    found = said(of_type(hcas))
    assert [(code, path.removeprefix("host_types.gpu.hcas."), text if code == "NP105" else "")
            for code, path, text in found] == problems  # fmt: skip


@pytest.mark.parametrize(
    ("ids", "made", "problem"),
    [
        ("100-101", (100, 101), ""),
        ("'100'", (100, 101), "vlan_ids 100 gives 1 ids for 2 rails"),
        ("100-102", (100, 101), "vlan_ids 100-102 gives 3 ids for 2 rails"),
        ("[7, 9]", (7, 9), ""),
        ("[9]", (9, 10), "vlan_ids [9] gives 1 ids for 2 rails"),
        ("[9, 3, 5]", (9, 3), "vlan_ids [9, 3, 5] gives 3 ids for 2 rails"),
    ],
)
def test_vlans_of_rails(ids: str, made: tuple[int, ...], problem: str) -> None:
    found = resolved(f"rails: {{vlan_ids: {ids}}}")
    assert found.fabric.rails is not None
    assert found.fabric.rails.vlan_ids == made
    assert said(found) == ([("NP104", "rails.vlan_ids", problem)] if problem else [])
    assert "rails" not in found.unknown


def rails(text: str) -> Resolved:
    return resolved(f"rails: {{{text}}}")


OWN = "supernets: null, rail_prefixes: null, count: 2, prefixes: [26]"


@pytest.mark.parametrize(
    ("text", "problems"),
    [
        ("", []),
        ("prefixes: [22]", []),
        (
            "prefixes: [21]",
            ["prefixes.0: supernet 172.16.0.0/20, rail prefix /22 and subnet prefix /21 do not nest"],
        ),
        ("prefixes: [32]", []),
        (
            "prefixes: [33]",
            ["prefixes.0: supernet 172.16.0.0/20, rail prefix /22 and subnet prefix /33 do not nest"],
        ),
        ("rail_prefixes: [20], count: 1, vlan_ids: '100'", []),
        (
            "rail_prefixes: [19]",
            ["prefixes.0: supernet 172.16.0.0/20, rail prefix /19 and subnet prefix /24 do not nest"],
        ),
        ("rail_prefixes: [21]", []),
        (
            "rail_prefixes: [21], count: 3, vlan_ids: 100-102",
            ["supernets: 3 rails of /21 do not fit: 172.16.0.0/20 has room for 2"],
        ),
        ("rail_prefixes: null", []),
        ("prefixes: [24, 64]", [": 1 supernets, 2 prefixes, 1 rail_prefixes"]),
        ("rail_prefixes: [22, 24]", [": 1 supernets, 1 prefixes, 2 rail_prefixes"]),
        (
            "supernets: [172.16.0.0/20, 10.0.0.0/20], prefixes: [24, 24], rail_prefixes: [22, 22]",
            ["supernets: two supernets of one address family"],
        ),
        ("supernets: ['x']", ["supernets.0: x is not a network"]),
        ("supernets: ['172.16.0.1/20']", ["supernets.0: 172.16.0.1/20 has host bits"]),
        (f"{OWN}, rail_networks: [10.0.0.0/24, 10.1.0.0/26]", []),
        (
            f"{OWN}, rail_networks: [10.0.0.0/24, 10.1.0.0/27]",
            ["rail_networks.1: a subnet of /26 is not part of 10.1.0.0/27 of rail 1"],
        ),
        (f"{OWN}, rail_networks: [10.0.0.0/24]", ["rail_networks: 2 rails, but rail_networks has 1"]),
        (
            f"{OWN}, rail_networks: [10.0.0.0/24, 'fd00::/48']",
            ["rail_networks.1: rail 1 has IPv6, rail 0 has IPv4"],
        ),
        (
            f"{OWN}, rail_networks: [10.0.0.0/24, [10.1.0.0/24, 'fd00::/48']]",
            ["rail_networks.1: rail 1 has IPv4 and IPv6, rail 0 has IPv4"],
        ),
        (f"{OWN}, rail_networks: [x, 10.1.0.0/24]", ["rail_networks.0: x is not a network"]),
        (
            f"{OWN}, rail_networks: [[10.0.0.0/24, 10.2.0.0/24], [10.1.0.0/24, 10.3.0.0/24]]",
            [
                "rail_networks.0: rail 0 has IPv4 and IPv4, and there are 1 prefixes",
            ],
        ),
        (
            "rail_networks: [10.0.0.0/24, 10.1.0.0/24]",
            [
                "supernets: supernets and rail_networks both say which addresses a rail has",
                "rail_prefixes: rail_prefixes and rail_networks both say which addresses a rail has",
            ],
        ),
    ],
)
def test_networks_of_rails(text: str, problems: list[str]) -> None:
    found = rails(text)
    assert [f"{path.removeprefix('rails').removeprefix('.')}: {what}" if path != "rails" else f": {what}"
            for _, path, what in said(found)] == problems  # fmt: skip
    assert found.fabric.rails is not None
    stands = {code for code, *_ in said(found)} <= {"NP202"}
    assert ("rails" in found.unknown) is not stands


@pytest.mark.parametrize(
    ("text", "networks"),
    [
        ("", [["172.16.0.0/22"], ["172.16.4.0/22"]]),
        ("rail_prefixes: null", [["172.16.0.0/21"], ["172.16.8.0/21"]]),
        ("rail_prefixes: null, count: 3, vlan_ids: 100-102", [[f"172.16.{n}.0/22"] for n in (0, 4, 8)]),
        (f"{OWN}, rail_networks: [10.0.0.0/24, [10.1.0.0/26]]", [["10.0.0.0/24"], ["10.1.0.0/26"]]),
        (f"{OWN}, rail_networks: [10.0.0.0/24]", []),
        (f"{OWN}, rail_networks: [10.0.0.0/24, 10.1.0.0/27]", []),
        (
            "supernets: [172.16.0.0/20, 'fd00::/48'], prefixes: [24, 64], rail_prefixes: [22, 56]",
            [["172.16.0.0/22", "fd00::/56"], ["172.16.4.0/22", "fd00:0:0:100::/56"]],
        ),
    ],
)
def test_each_rail_has_its_part(text: str, networks: list[list[str]]) -> None:
    found = rails(text).fabric.rails
    assert found is not None
    assert [[str(n) for n in rail] for rail in found.rail_networks] == networks


SUBNET = "vlans: {v: {id: 9}}\nsubnets: {s: {cidr: 10.9.0.0/24, vlan: v, %s}}\n"


@pytest.mark.parametrize(
    ("text", "problems"),
    [
        ("routes: [10.0.0.0/8]", []),
        (
            "routes: [10.0.0.0/8, 'fd00::/8']",
            [("NP204", "routes.1", "route fd00::/8 is IPv6, subnet 10.9.0.0/24 is IPv4")],
        ),
        ("routes: ['x']", [("NP201", "routes.0", "x is not a network")]),
        ("routes: ['fd00::/8'], cidr: x", [("NP201", "cidr", "x is not a network")]),
        ("exclude: [10.9.0.5-10.9.0.5]", []),
        ("exclude: [10.9.0.5]", []),
        (
            "exclude: [10.9.0.5-10.9.0.4]",
            [("NP201", "exclude.0", "the end of 10.9.0.5-10.9.0.4 is before its start")],
        ),
        (
            "reserved: ['10.9.0.5-fd00::1']",
            [("NP201", "reserved.0", "the end of 10.9.0.5-fd00::1 is before its start")],
        ),
        ("gateway: 10.9.0.1", []),
        ("gateway: none", []),
        ("gateway: x", [("NP201", "gateway", "x is not an address")]),
        ("vlan: w", [("NP101", "vlan")]),
    ],
)
def test_what_a_subnet_states(text: str, problems: list[tuple[str, str, str]]) -> None:
    found = resolved(SUBNET % text)
    told = [(code, path.removeprefix("subnets.s."), what) for code, path, what in said(found)]
    assert [each[: len(wanted)] for each, wanted in zip(told, problems, strict=True)] == problems
    assert [s.name for s in found.fabric.subnets] == ["s"] * (not problems)
    assert (("subnets", "s") in found.left_out) is bool(problems)


def test_what_stands_behind_a_refused_range_is_resolved() -> None:
    """An entry of its own for one of the range says nothing without it, and is no mistake."""
    hosts = "a-[1-2]: {type: gpu}; a-1: {id: 9}; z-3: {type: gpu}"
    found = resolved(over("hosts", hosts), (("hosts", "a-[1-2]", "type"),))
    assert [host.name for host in found.fabric.hosts] == ["z-3"]
    assert said(found) == []
    leaf = "{type: sn2700, role: leaf}"
    switches = f"a-[1-2]: {leaf}; a-1: {{id: 9}}; z-3: {leaf}"
    found = resolved(over("switches", switches), (("switches", "a-[1-2]", "type"),))
    assert [switch.name for switch in found.fabric.switches] == ["z-3"]
    assert said(found) == []


@pytest.mark.parametrize(("key", "most"), [("netdev", 15), ("rdma_device", 63), ("vf_rdma_prefix", 63)])
def test_names_are_as_long_as_the_kernel_takes(key: str, most: int) -> None:
    assert said(of_type(f"nic: {{{HCA}, {key}: {'x' * most}}}")) == []
    ((code, path, _),) = said(of_type(f"nic: {{{HCA}, {key}: {'x' * (most + 1)}}}"))
    assert (code, path) == ("NP016", f"host_types.gpu.hcas.nic.{key}")


def test_a_host_has_256_hcas_at_most() -> None:
    assert said(of_type(f"nic[1-256]: {{{HCA}}}")) == []
    found = of_type(f"nic[1-257]: {{{HCA}}}")
    assert said(found) == [("NP016", "host_types.gpu.hcas", "host type gpu has 257 HCAs, the limit is 256")]
    assert len(found.fabric.host_types[0].hcas) == 256
