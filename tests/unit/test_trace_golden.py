"""Output of ``netplan trace`` for the shipped inventories, byte by byte; both directions agree."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache

import pytest

from netplan.trace import Matrix, Tabulator, TracedSite, Verdict, matrix_lines, trace_lines, walks_between
from netplan.trace.model import DEVICE_BOUND, SOURCE_BOUND
from netplan.trace.pods import build_pod
from tests.cli_runs import netplan
from tests.conftest import GoldenTree
from tests.inventories import FOLDER, SHIPPED, compiled

UNPROVED = {
    "dgx-h100-dra",
    "crusoe-k3s-infiniband",
    "vsphere-pvrdma",
    "dgx1-multirail",
    "eks-efa",
    "multi-vendor",
    "minimal",
}
"""Inventories that are not fully proved: no switches in the inventory, commands to confirm, or SONiC ports
that no row enables."""

TRACES = {
    "iei-rocev2": (
        ("training@gpu-001/rail0", "training@gpu-016/rail2"),
        ("training@gpu-001/0", "training@gpu-001/0"),
        ("large-model@gpu-101/rail3", "training@gpu-002/rail3"),
    ),
    "l3-to-host": (("training@gpu-01/rail0", "training@gpu-08/rail3"),),
    "multi-vendor": (("training@gpu-1/rail7", "training@gpu-2/rail0"),),
    "crusoe-k3s-infiniband": (("nccl-tests@crusoe-k3s-worker-0/0", "nccl-tests@crusoe-k3s-worker-1/0"),),
    "dgx1-multirail": (("multinode@dgx-001/rail0", "multinode@dgx-002/rail1"),),
    "kitchen-sink": (("training@gpu-01/storage", "training@gpu-04/storage"),),
}


@cache
def site_of(name: str) -> TracedSite:
    """The site as read from the files alone, as with ``--rendered``."""
    return TracedSite(compiled(name).artifacts)


@cache
def matrices(name: str) -> tuple[Matrix, ...]:
    tabulator = Tabulator(site_of(name))
    return tuple(tabulator.matrix(workload) for workload in site_of(name).workloads.values())


def golden_texts() -> Iterator[tuple[str, str]]:
    for name in SHIPPED:
        found = (line for each in matrices(name) for line in (*matrix_lines(each, color=False), ""))
        yield f"{name}/matrix.txt", "".join(f"{line}\n" for line in found)
    for name, pairs in TRACES.items():
        for number, (start, end) in enumerate(pairs, 1):
            drawn = trace_lines(walks_between(site_of(name), start, end), color=False)
            yield f"{name}/trace-{number}.txt", "".join(f"{line}\n" for line in drawn)


def test_the_texts(golden_tree: GoldenTree) -> None:
    produced = dict(golden_texts())
    start, end = TRACES["iei-rocev2"][0]
    inventory = str(FOLDER / "iei-rocev2.yaml")
    produced["iei-rocev2/trace-1.json"] = part("trace", inventory, start, end)
    produced["minimal/matrix.json"] = part("matrix", str(FOLDER / "minimal.yaml"), "--matrix")
    golden_tree("trace", produced)


def part(key: str, *arguments: str) -> str:
    """The result of a run without the surrounding report, which has the number of checks."""
    found = json.loads(netplan("trace", "--format", "json", *arguments)[1])[key]
    return f"{json.dumps(found, indent=2)}\n"


@pytest.mark.parametrize("name", SHIPPED)
def test_every_pair_of_a_shipped_inventory_is_delivered(name: str) -> None:
    found = matrices(name)
    assert found
    wanted = Verdict.UNPROVED if name in UNPROVED else Verdict.DELIVERED
    for each in found:
        assert each.walks
        assert each.verdict is wanted, (each.workload, [cell for cell in each.cells if cell.fails])


@pytest.mark.parametrize("name", [name for name in SHIPPED if name not in UNPROVED])
def test_the_way_back_is_the_way_there_seen_from_the_other_end(name: str) -> None:
    """A to B is delivered exactly if B to A is, over the same interfaces in reverse."""
    site = site_of(name)
    tabulator = Tabulator(site)
    looked = 0
    for workload in site.workloads.values():
        a, *_, b = (build_pod(site, workload, host) for host in site.hosts_of(workload))
        for start in a.nics:
            for end in b.nics:
                for flow in (DEVICE_BOUND, SOURCE_BOUND):
                    there = tabulator.between(a, start, b, end, flow)
                    back = tabulator.between(b, end, a, start, flow)
                    assert there.verdict.fails == back.verdict.fails, (start, end, flow.name)
                    if there.back is not None and back.back is not None and not there.verdict.fails:
                        assert (there.there.leaves, there.there.arrives) == (
                            back.back.leaves,
                            back.back.arrives,
                        )
                        assert (there.back.leaves, there.back.arrives) == (
                            back.there.leaves,
                            back.there.arrives,
                        )
                    looked += 1
    assert looked >= 8


def test_the_files_alone_say_what_the_inventory_says() -> None:
    """The plan is not needed: hosts, cabling and switches are in the files."""
    for name in ("iei-rocev2", "l3-to-host", "multi-vendor"):
        inventory = str(FOLDER / f"{name}.yaml")
        lines = [line for each in matrices(name) for line in (*matrix_lines(each, color=False), "")][:-1]
        assert netplan("trace", inventory, "--matrix")[1] == "".join(f"{line}\n" for line in lines)
