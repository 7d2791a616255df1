"""Trace reads the NIC QoS script of each driver."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest

from netplan.model.artifact import Artifact
from netplan.model.site import SiteHca
from netplan.trace import Tabulator, TracedSite
from netplan.trace.link import Packet
from netplan.trace.model import Nic, ReadNicQos
from netplan.trace.nic_end import nic_point
from tests.overlay import CHECKS, case_texts, compiled

BNXT, IONIC = "hosts/gpu/rdma-nic-qos-bnxt.sh", "hosts/gpu/rdma-nic-qos-ionic.sh"


@cache
def rendered(case: str) -> tuple[Artifact, ...]:
    path = CHECKS / "NP540" / f"{case}.yaml"
    return compiled(case_texts(path), path).artifacts


def faults(case: str, path: str, old: str, new: str) -> set[str]:
    """Faults that the pods of a case see after one text in a script is changed."""
    assert any(a.path == path and old in a.text for a in rendered(case))
    edited = [replace(a, text=a.text.replace(old, new)) if a.path == path else a for a in rendered(case)]
    site = TracedSite(edited)
    found = Tabulator(site).matrix(site.workloads["train"])
    return {fault.text for cell in found.cells if cell.fails for fault in cell.faults}


@pytest.mark.parametrize(
    ("case", "path", "old", "new", "priority"),
    [
        ("good-broadcom", BNXT, "prio-pfc all:off 3:on", "prio-pfc all:off 4:on", 3),
        ("good-broadcom", BNXT, "dcb pfc set", "true dcb pfc", 3),
        ("good-broadcom", BNXT, "dscp-prio 26:3", "dscp-prio 27:3", 0),
        ("good-pensando", IONIC, "--priority 3 --no-drop enable", "--priority 5 --no-drop enable", 3),
        ("good-pensando", IONIC, "--dscp 26 --priority 3", "--dscp 27 --priority 3", 0),
    ],
)
def test_a_changed_script_is_lossy(case: str, path: str, old: str, new: str, priority: int) -> None:
    wanted = f"DSCP 26 gets priority {priority} on gpu-1 roce0, which has PFC off ({path}"
    assert any(said.startswith(wanted) for said in faults(case, path, old, new))


@pytest.mark.parametrize(("case", "path"), [("good-broadcom", BNXT), ("good-pensando", IONIC)])
def test_as_rendered_nothing_is_wrong(case: str, path: str) -> None:
    assert faults(case, path, "set -eu", "set -eu") == set()


def test_a_script_in_another_form_is_not_judged() -> None:
    assert faults("good-broadcom", BNXT, "dcb ", "another-tool ") == set()
    nic = Nic(
        name="net1", rail=0, kind="sriov", vlan=None, mtu=None, port_mtu=None, file="nad",
        hca=SiteHca(name="roce0", rail=0, pci=None, netdev=None, switch="leaf-1", port="Ethernet0"),
        qos=ReadNicQos(file=BNXT, judged=False, trust=None, priorities={}, pfc=frozenset()),
    )  # fmt: skip
    point = nic_point("gpu-1 roce0", nic, Packet(dscp=26, size=None))
    assert point is not None
    assert (point.lossless, "is not judged" in point.doubts[0].text) == (None, True)
