"""One cause, one finding: in the first run, at the key to change, whatever other errors there are."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from typing import Any

import pytest

from netplan.checks import REGISTRY
from netplan.checks.faults import FOLLOWS, WHOLE
from netplan.diagnostics import Diagnostic, Severity, dotted
from netplan.load import load_texts
from netplan.model.codes import CODES
from netplan.model.inventory_schema import inventory_schema
from netplan.pipeline import compile_texts
from tests.factories import merged
from tests.mutations import nodes
from tests.overlay import CHECKS, base_data, case_texts, several

SIX = """
vlans: {storage: {id: 101}}
subnets:
  storage: {cidr: 172.24.0.0/24, vlan: storage, gateway: 172.24.1.1}
  small: {cidr: 172.25.0.0/30}
host_types:
  gpu:
    hcas:
      roce1: {vfs: 200}
      store: {vfs: 8, model: connectx-5, pci: "0000:5e:00.0", netdev: ens3f0, use: vf}
networks:
  rail: {hcas: [roce0, roce1]}
  storage: {mode: sriov, subnet: storage, ipam: whereabouts, hcas: [store], vf_range: 0-3, namespaces: [a]}
  backup: {mode: sriov, subnet: small, ipam: whereabouts, hcas: [store], vf_range: 2-5, namespaces: [a]}
workloads: {other: {namespace: training, hosts: [gpu], networks: [raill], gpus: 0}}
"""
"""Six mistakes: name, duplicate VLAN ID, gateway, pool, overlapping VF ranges, too many VFs."""

FOUND = {
    ("NP101", "workloads.other.networks[0]"),
    ("NP206", "subnets.storage.gateway"),
    ("NP217", "subnets.small.cidr"),
    ("NP301", "vlans.storage.id"),
    ("NP503", "host_types.gpu.hcas.roce1.vfs"),
    ("NP521", "networks.storage"),
}
NAME = ("NP101", "workloads.other.networks[0]")
MANY = ("NP503", "host_types.gpu.hcas.roce1.vfs")
VLAN = ("NP301", "vlans.storage.id")
POOL = ("NP217", "subnets.small.cidr")

OTHERWISE: dict[str, tuple[str, str, set[tuple[str, str]]]] = {
    "a host type": ("networks: [raill]", "networks: [rail]", FOUND - {NAME}),
    "a workload's hosts": (
        "hosts: [gpu], networks: [raill]",
        "hosts: [gpuu], networks: [rail]",
        FOUND - {NAME} | {("NP101", "workloads.other.hosts[0]")},
    ),
    "a VLAN ID out of range": ("id: 101", "id: 5000", FOUND - {VLAN} | {("NP015", "vlans.storage.id")}),
    "a VLAN ID kept back": ("id: 101", "id: 1", FOUND - {VLAN} | {("NP302", "vlans.storage.id")}),
    "an HCA model": (
        "roce1: {vfs: 200}",
        "roce1: {vfs: 200}\n      roce0: {model: connectx-55}",
        FOUND | {("NP101", "host_types.gpu.hcas.roce0.model")},
    ),
    "the pool of the rails": (
        "172.25.0.0/30}",
        "172.25.0.0/24}\nrails: {prefixes: [30]}",
        FOUND - {POOL} | {("NP207", "rails.prefixes")},
    ),
    "a wrong key": (
        "gpus: 0",
        "gpus: 0, gpu: 1",
        FOUND - {NAME} | {("NP010", "workloads.other.gpu")},
    ),
    "a switch type": (
        "workloads:",
        "switches: {leaf-1: {type: sn27}}\nworkloads:",
        FOUND | {("NP101", "switches.leaf-1.type")},
    ),
    "too many VFs where the ranges overlap": (
        "roce1: {vfs: 200}\n      store: {vfs: 8,",
        "store: {vfs: 200,",
        FOUND - {MANY} | {("NP503", "host_types.gpu.hcas.store.vfs")},
    ),
    "a site": ("vlans:", "site: Base\nvlans:", FOUND | {("NP014", "site")}),
    "an MTU": ("vlans:", 'fabric: {mtu: "9000"}\nvlans:', FOUND | {("NP011", "fabric.mtu")}),
}


def compiled(data: Any) -> tuple[Diagnostic, ...]:
    return compile_texts({"case.yaml": json.dumps(data, indent=1)}).diagnostics


def over(text: str, base: str = "") -> Any:
    return merged(base_data(base), load_texts({"over.yaml": text}).data)


def places(found: tuple[Diagnostic, ...]) -> set[tuple[str, str]]:
    return {(d.code, dotted(d.path)) for d in found if d.severity is Severity.ERROR}


def test_six_mistakes_are_six_findings():
    found = compiled(over(SIX))
    assert (places(found), len(found)) == (FOUND, 6)


@pytest.mark.parametrize("what", OTHERWISE)
def test_so_with_another_mistake(what: str):
    old, new, expected = OTHERWISE[what]
    assert SIX.count(old) == 1
    found = compiled(over(SIX.replace(old, new)))
    assert (places(found), len(found)) == (expected, len(expected))


TOGETHER = (
    ("NP015/bad-large", "NP102/bad-backwards", "NP705/bad-gpu-operator", "NP214/bad-gateway"),
    ("NP014/bad-name", "NP104/bad-vlans", "NP820/bad-same", "NP836/bad-unknown"),
    ("NP013/bad-word", "NP105/bad-no-model", "NP614/bad-two-classes", "NP840/bad-bgpcfgd"),
    ("NP018/bad-identity", "NP101/bad-model", "NP206/bad-broadcast", "NP834/bad-vrp"),
    ("NP012/bad-missing", "NP203/bad-leaf-id", "NP402/bad-same", "NP319/bad-nxos"),
    ("NP011/bad-text", "NP204/bad-route-family", "NP703/bad-kubernetes", "NP708/bad-long"),
    ("NP017/bad-twice", "NP202/bad-host-bits", "NP406/bad-all", "NP313/bad-both-untagged"),
    ("NP301/bad-rail", "NP802/bad-mac-age"),
    ("NP503/bad-connectx-5", "NP521/bad-ranges", "NP842/bad-dac"),
)
"""Groups of unrelated cases, most of them reported by four stages."""


@pytest.mark.parametrize("names", TOGETHER, ids="-".join)
def test_independent_mistakes_are_all_found(names: tuple[str, ...]):
    cases = [CHECKS / f"{name}.yaml" for name in names]
    alone = [places(compile_texts(case_texts(case)).diagnostics) for case in cases]
    assert places(compile_texts(several(cases)).diagnostics) == set().union(*alone)


def with_a_wrong_key(data: Any) -> Iterator[tuple[str, Any]]:
    """One inventory per mapping of the data, with an unknown key in that mapping."""
    for path, value in nodes(data):
        if isinstance(value, dict):
            out = copy.deepcopy(data)
            here = out
            for part in path:
                here = here[part]
            here["zz"] = 1
            yield dotted(path), out


@pytest.mark.sample(3)
@pytest.mark.parametrize("base", ["", *sorted(path.stem for path in CHECKS.glob("bases/*.yaml"))])
def test_a_wrong_key_has_no_consequences(base: str):
    consequences = {}
    for place, data in with_a_wrong_key(base_data(base)):
        found = compiled(data)
        if not found or any(d.code >= "NP100" for d in found):
            consequences[place] = [(d.code, d.message) for d in found]
    assert consequences == {}


INHERITED = {
    "an unknown key of a range": (
        "{type: gpu, typo: 1}",
        "",
        ("NP010", "hosts.gpu-[001-128].typo", "; 128 hosts inherit it"),
    ),
    "an unknown key of a type": (
        "{type: gpu}",
        "host_types: {gpu: {typo: 1}}",
        ("NP010", "host_types.gpu.typo", "; 128 hosts inherit it"),
    ),
    "a value of a type": (
        "{type: gpu}",
        "host_types: {gpu: {hcas: {roce0: {vfs: x}}}}",
        ("NP011", "host_types.gpu.hcas.roce0.vfs", "; 128 hosts inherit it"),
    ),
    "a name": (
        "{type: gpuu}",
        "",
        ("NP101", "hosts.gpu-[001-128].type", "; 128 hosts inherit it"),
    ),
    "an HCA": (
        "{type: gpu, hcas: {roce7: {netdev: ens7}}}",
        "",
        ("NP101", "hosts.gpu-[001-128].hcas.roce7", "; 128 hosts inherit it"),
    ),
    "no type": ("{id: 1}", "", ("NP105", "hosts.gpu-[001-128]", "; also gpu-[002-128], 128 in all")),
    "a MAC": (
        '{type: gpu, hcas: {roce0: {mac: "02:00:00:00:00:01"}}}',
        "",
        ("NP502", "hosts.gpu-[001-128].hcas.roce0.mac", "; also gpu-[003-128], 127 in all"),
    ),
}


@pytest.mark.parametrize("what", INHERITED)
def test_a_mistake_that_128_hosts_inherit_is_one_finding(what: str):
    host, more, (code, place, end) = INHERITED[what]
    rails = "links: null\nrails: {prefixes: [22], rail_prefixes: [22]}"
    text = f"hosts: {{'gpu-[1-2]': null, 'gpu-[001-128]': {host}}}\n{rails}\n{more}"
    found = [d for d in compiled(over(text)) if d.severity is Severity.ERROR]
    assert [(d.code, dotted(d.path)) for d in found] == [(code, place)]
    assert found[0].message.endswith(end)


def test_hcas_of_a_range_are_one_finding():
    hcas = '{roce0: null, roce1: null, "roce[0-1]": {model: connectx-5, rail: 0, vfs: 200}}'
    found = [d for d in compiled(over(f"host_types: {{gpu: {{hcas: {hcas}}}}}")) if d.code == "NP503"]
    assert [d.message for d in found] == ["roce0 of gpu has 200 VFs, connectx-5 has at most 127; also roce1"]


def test_the_tables_name_what_there_is():
    sections = set(inventory_schema()["properties"]) | {"qos"}
    assert {*FOLLOWS, *(code for codes in FOLLOWS.values() for code in codes), *WHOLE} <= {*REGISTRY, *CODES}
    assert {section for needed in WHOLE.values() for section in needed} <= sections


def test_checks_that_were_not_made_are_counted():
    whole = compile_texts({"case.yaml": json.dumps(over(SIX))})
    assert whole.skipped == (
        "artifacts were not rendered: the inventory has errors",
        f"checks that depend on wrong values were not run ({len(WHOLE_OF_NETWORKS)})",
    )
    assert WHOLE_OF_NETWORKS.isdisjoint(whole.checked)


WHOLE_OF_NETWORKS = {code for code, needed in WHOLE.items() if "networks" in needed}
"""Codes of checks that the misspelt name of a network prevents."""


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [("cable_m: 40", "cable_m: 40, zz: 1", "NP010"), ("to: spine-1", "to: spine-2", "NP101")],
)
def test_a_wrong_uplink_leaves_no_gap_in_the_fabric(old: str, new: str, code: str):
    uplinks = """
links:
  - {hosts: "gpu-[1-2]", hca: "roce[0-1]", switch: "leaf-[1-2]", ports: "Ethernet[0-4/4]", cable_m: 5}
  - {switches: leaf-1, ports: Ethernet64, to: spine-1, to_ports: Ethernet0, cable_m: 40}
  - {switches: leaf-2, ports: Ethernet64, to: spine-1, to_ports: Ethernet4, cable_m: 40}
"""
    assert compiled(over(uplinks)) == ()
    assert [d.code for d in compiled(over(uplinks.replace(old, new, 1)))] == [code]


def test_sections_that_a_check_needs_whole_are_sections() -> None:
    known = inventory_schema()["properties"].keys()
    assert all(sections and sections <= known for sections in WHOLE.values())
    assert {"fabric", "links"} <= WHOLE["NP837"]
