"""A small inventory cannot cost much: unbounded expansion is reported within seconds."""

from __future__ import annotations

import copy
import json
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from typing import Any

import pytest

from netplan.diagnostics import Severity
from netplan.load import load_texts
from netplan.pipeline import compile_texts
from tests.inventories import text_of

SECONDS = 20
"""Limit of processor time in seconds, so that a busy machine does not matter; the slowest takes 5."""


class TooSlowError(Exception):
    pass


@contextmanager
def deadline() -> Iterator[None]:
    """Only around the call: a signal between two tests would end the worker."""

    def too_slow(*_: object) -> None:
        raise TooSlowError(f"still busy after {SECONDS} s")

    before = signal.signal(signal.SIGPROF, too_slow)
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def merged(base: Any, over: Any) -> Any:
    """``over`` put into a copy of the inventory, section by section; None removes a key."""
    if not isinstance(base, dict) or not isinstance(over, dict):
        return over
    out = {**base, **{key: merged(base.get(key), value) for key, value in over.items()}}
    return {key: value for key, value in out.items() if value is not None}


def errors(text: str) -> set[str]:
    with deadline():
        found = compile_texts({"inventory.yaml": text}).diagnostics
    assert all(d.source is not None and d.hint for d in found)
    return {d.code for d in found if d.severity is Severity.ERROR}


def inventory(over: Any, name: str = "minimal") -> str:
    data = load_texts({f"{name}.yaml": text_of(name)}).data
    return json.dumps(merged(copy.deepcopy(data), over))


HOST = {"type": "gpu-server"}
ALL_HOSTS = {"gpu-[1-20000]": HOST, "gpu-[01-02]": None}
CABLE = {"hosts": "gpu-[01-02]", "hca": "roce0", "switch": "leaf-1", "ports": "Ethernet[0-4/4]", "cable_m": 5}
UNSTATED = {"vlan_ids": None, "rail_prefixes": None}

CASES = {
    "a range of a billion": ({"hosts": {"x-[1-1000000000]": HOST}}, {"NP102"}),
    "ranges of ranges": ({"hosts": {"x-[1-9999]-[1-9999]-[1-9999]": HOST}}, {"NP102"}),
    "numbers of 200 digits": ({"hosts": {f"x-[{'0' * 200}-{'9' * 3}]": HOST}}, {"NP111", "NP826"}),
    "a name that is too long": ({"hosts": {"x" + "9" * 300: HOST}}, {"NP016"}),
    "many ranges": ({"hosts": {f"x{n}-[1-99999]": HOST for n in range(500)}}, {"NP102"}),
    "HCAs by the thousand": (
        {"host_types": {"gpu-server": {"hcas": {"x[0-9999]": {"model": "connectx-7"}}}}}, {"NP016"},
    ),
    "host types by the thousand": ({"host_types": {f"t{n}": {} for n in range(1000)}}, {"NP016"}),
    "VLANs by the thousand": ({"vlans": {f"v{n}": {"id": 1} for n in range(5000)}}, {"NP016"}),
    "hosts times HCAs times ports": (
        {"hosts": ALL_HOSTS, "links": [{**CABLE, "hosts": "gpu-[1-20000]", "hca": "x[0-199999]",
                                        "ports": "p[1-200000]"}]}, {"NP104"},
    ),
    "ports times ports": (
        {"switches": {"leaf-[1-9999]": {"type": "leaf", "role": "leaf"}, "leaf-1": None},
         "links": [{"switches": "leaf-[1-9999]", "to": "leaf-[1-9999]", "ports": "p[1-99999]",
                    "to_ports": "q[1-99999]", "cable_m": 5}]}, {"NP102"},
    ),
    "one link 20,000 times": ({"links": [CABLE] * 20_000}, {"NP820", "NP826"}),
    "one long link 1,000 times": (
        {"hosts": ALL_HOSTS, "links": [{**CABLE, "hosts": "gpu-[1-20000]", "ports": "p[1-20000]"}] * 1000},
        {"NP102"},
    ),
    "unknown hosts in 5,000 links": (
        {"hosts": {"gpu-[1-12500]": HOST, "gpu-[01-02]": None},
         "links": [{**CABLE, "hosts": f"x{n}"} for n in range(5000)]}, {"NP101"},
    ),
    "a VLAN ID of 17 digits": ({"rails": {"vlan_ids": 10**17}}, {"NP104"}),
    "VLAN IDs for all": ({"rails": {"vlan_ids": "0-9999"}}, {"NP104"}),
    "64 rails of the whole IPv6": (
        {"rails": {**UNSTATED, "count": 64, "supernets": ["::/0"], "prefixes": [128]}},
        {"NP205", "NP207", "NP306"},
    ),
    "64 rails on 2,000 leaves": (
        {"rails": {**UNSTATED, "count": 64, "supernets": ["10.0.0.0/8"], "prefixes": [24]},
         "switches": {"leaf-[1-2000]": {"type": "leaf", "role": "leaf"}, "leaf-1": None}}, {"NP205", "NP306"},
    ),
    "a link network for every host": (
        {"rails": {**UNSTATED, "segment": "host", "supernets": ["10.0.0.0/8"], "prefixes": [31]}},
        {"NP205", "NP208"},
    ),
    "the highest ids": (
        {"rails": {"numbering": "id"},
         "switches": {"leaf-[1-1000]": {"type": "leaf", "role": "leaf", "id": 1_000_000}, "leaf-1": None}},
        {"NP203"},
    ),
    "100,000 pods": (
        {"workloads": {"training": {"nodes": 100_000, "pods_per_node": 1000}}}, {"NP603", "NP604"},
    ),
    "variables by the thousand": (
        {"workloads": {"training": {"env": {f"V{n}": "x" * 1000 for n in range(5000)}}}}, {"NP016"},
    ),
    "a mixed list": (
        {"workloads": {"training": {"hosts": [str(n) if n % 2 else [n] for n in range(20_000)]}}},
        {"NP011"},
    ),
    "a hundred thousand wrong values": ({"links": [1] * 100_000}, {"NP004", "NP011"}),
    "unknown keys by the thousand": ({"cluster": {f"key{n}": 1 for n in range(5000)}}, {"NP010"}),
}  # fmt: skip


@pytest.mark.sample(6)
@pytest.mark.parametrize(("over", "codes"), CASES.values(), ids=CASES)
def test_expansion_is_bounded(over: Any, codes: set[str]):
    assert errors(inventory(over)) == codes


def test_an_excluded_half_of_the_addresses():
    subnet = {"cidr": "fd00::/8", "gateway": "fd00::1", "exclude": ["fd80::-fdff::"] * 1000, "routes": None}
    subnet["reserved"] = None
    assert errors(inventory({"subnets": {"storage": subnet}}, "kitchen-sink")) == {"NP205"}


LETTERS = "abcdefghij"
TEXTS = {
    "deep list": ("version: " + "[" * 100_000, {"NP004"}),
    "deep map": ("{a: " * 50_000, {"NP004"}),
    "deep block": ("\n".join(" " * n + "a:" for n in range(1000)), {"NP004"}),
    "aliases of aliases": (
        "a: &a [x, x, x, x, x, x, x, x, x, x]\n"
        + "".join(f"{b}: &{b} [{', '.join([f'*{a}'] * 10)}]\n" for a, b in pairwise(LETTERS)),
        {"NP004"},
    ),
    "one long list in many places": (
        f"workloads:\n  w: {{hosts: &h [{', '.join(['{}'] * 2000)}]}}\n"
        + "".join(f"  w{n}: {{hosts: *h}}\n" for n in range(1000)),
        {"NP004", "NP011", "NP012", "NP017"},
    ),
    "a key of 5,000 digits": (f"hosts:\n  ? gpu-[1-{'9' * 5000}]\n  : {{type: x}}\n", {"NP012", "NP016"}),
    "one key 20,000 times": ("site: x\n" * 20_000, {"NP002"}),
    "a long line": (f'site: "{"x" * 5_000_000}"', {"NP012", "NP014"}),
    "tags": (f"links: [{', '.join(['!x 1'] * 20_000)}]", {"NP005"}),
    "lines": ("\n" * 1_000_000, {"NP011"}),
    "questions": ("? " * 20_000, {"NP004", "NP005"}),
}


@pytest.mark.parametrize(("text", "codes"), TEXTS.values(), ids=TEXTS)
def test_reading_is_bounded(text: str, codes: set[str]):
    assert errors(text) == codes
