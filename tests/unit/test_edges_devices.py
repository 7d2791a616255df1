"""Edge cases, one fact per case: devices that pods use, rails that have them, ports of a switch model."""

from __future__ import annotations

from typing import Any

import pytest

from netplan.checks import rail_devices, rails, shared_resources
from netplan.checks.ports import no_such_port
from tests.unit.some import but, said, some
from tests.unit.test_edges_pool_checks import network


@pytest.mark.parametrize(
    ("stated", "pcis", "why"),
    [
        ((), ("18:00.0", "3b:00.0"), ""),
        ((), ("3b:00.0", "18:00.0"), "PCI order gives rails 1, 0"),
        (("01:00.0",), ("3b:00.0", "18:00.0"), ""),
        ((None,), ("3b:00.0", "18:00.0"), "PCI order gives rails 1, 0"),
        ((), ("AA:00.0", "ab:00.0"), ""),
        ((), (None, "18:00.0"), "the PCI address of roce0 is not stated"),
        (("01:00.0",), (None, "18:00.0"), ""),
    ],
)
def test_devices_are_dealt_in_the_order_of_pci_addresses(stated: Any, pcis: Any, why: str) -> None:
    hcas = [some(name=f"roce{n}", rail=n, pci=pci, for_pods=True) for n, pci in enumerate(pcis)]
    hcas += [
        some(name="x", rail=2, pci=None, for_pods=True),
        some(name="y", rail=0, pci=None, for_pods=False),
    ]
    own = {f"roce{n}": some(pci=pci) for n, pci in enumerate(stated)}
    given = some(type=some(hcas=hcas), hcas=own)
    assert shared_resources._pci_order(given, some(rails=(0, 1))) == why


@pytest.mark.parametrize(
    ("multus", "plugin", "on", "said_of"),
    [
        (None, "sriov", (0, 1), "Multus hands"),
        ((4, 2, 9), "sriov", (0, 1), "Multus 4.2.9 hands"),
        ((4, 3, 0), "sriov", (0, 1), ""),
        ((4, 3, 1), "sriov", (0, 1), "Multus 4.3.1 hands"),
        (None, "rdma-shared", (0, 1), ""),
        (None, "sriov", (0,), ""),
    ],
)
def test_who_deals_the_devices_of_several_rails(multus: Any, plugin: str, on: Any, said_of: str) -> None:
    resource = some(plugin=plugin, rails=on, full_name="intel.com/rail", per_node={"gpu": 2})
    unused = but(resource, full_name="intel.com/other")
    attached = [some(resource=resource, network=network("a")), some(resource=resource, network=network("b"))]
    plan = some(fabric=some(cluster=some(cni_plugins=some(multus=multus))), workloads=[])
    plan.kubernetes = some(resources=[unused, resource], attachments=attached)
    found = list(shared_resources.shared_resource(plan))
    assert [said_of in each.message for each in found] == ([True] if said_of else [])
    assert [each.at for each in found] == ([("networks", "a", "resource")] if said_of else [])
    assert all(("where it is 4.3.0" in each.hint) is (multus is None) for each in found)
    other = some(nics=[some(attachment=some(resource=unused))])
    kinds = [some(name="gpu"), some(name="cpu")]
    mine = some(
        name="job",
        nics=[*other.nics, some(attachment=some(resource=resource))],
        devices=[some(resource="intel.com/other", count=2), some(resource="intel.com/rail", count=1)],
        workload=some(host_types=kinds, hosts=[]),
    )
    plan.workloads = [other, mine]
    if multus == (4, 3, 0):
        assert said(shared_resources.shared_resource(plan)) == [
            "resource intel.com/rail serves rails 0, 1, but a pod of job uses 1 of 2 devices on gpu"
        ]


def test_names_of_rdma_devices_begin_alike() -> None:
    first = some(name="a", rdma_device=None, vf_rdma_prefix="rail0", at=("a",), use="vf", virtual=False)
    second = some(name="b", rdma_device="mlx5_1", vf_rdma_prefix=None, at=("b",), use="vf", virtual=False)
    kind, other = some(name="gpu", hcas=[first, second]), some(name="cpu", hcas=[])
    hosts = [some(type=kind, hcas={"b": some(rdma_device=None)})]
    fabric = some(host_types=[kind], hosts=hosts)
    assert said(rail_devices.prefix_too_short(fabric)) == []
    hosts.append(some(type=other, hcas={"b": some(rdma_device="rail0x")}))
    assert said(rail_devices.prefix_too_short(fabric)) == []
    hosts.append(some(type=kind, hcas={"b": some(rdma_device="rail0x")}))
    wanted = ["vf_rdma_prefix rail0 of gpu a also matches rail0x of b"]
    assert said(rail_devices.prefix_too_short(fabric)) == wanted
    assert not said(rail_devices.prefix_without_vfs(fabric))
    for change in ({"use": "pf"}, {"virtual": True}):
        one = some(host_types=[some(name="gpu", hcas=[but(first, **change), second])])
        assert said(rail_devices.prefix_without_vfs(one)) == ["gpu a gives no VFs to pods"]


@pytest.mark.parametrize(
    ("beside", "known", "what"),
    [
        (("storage",), (), "NCCL and UCX"),
        (("storage",), ("NCCL_IB_HCA",), "UCX"),
        (("storage",), ("UCX_NET_DEVICES",), "NCCL"),
        (("storage",), ("UCX_NET_DEVICES", "NCCL_IB_HCA"), ""),
        ((), (), ""),
    ],
)
def test_somebody_tells_the_rails_from_what_is_beside_them(beside: Any, known: Any, what: str) -> None:
    job = some(name="job", beside_rails=beside, env=[some(name=name) for name in known])
    job.workload = some(at=("workloads", "job"))
    wanted = (
        [f"pods of job have rails and also storage, nothing tells {what} which are rails"] if what else []
    )
    assert said(rail_devices.rails_unnamed(some(workloads=[job]))) == wanted


def test_every_rail_has_an_hca(monkeypatch: Any) -> None:
    hcas = [some(rail=0, for_pods=True), some(rail=1, for_pods=False), some(rail=None, for_pods=True)]
    hcas.append(some(rail=2, for_pods=True))
    given = some(count=5, at=("rails",), segment="leaf")
    fabric = some(rails=given, host_types=[some(hcas=hcas)], underlay=None)
    found = list(rails.empty_rail(fabric))
    assert said(found) == [f"no HCA is on rail {n} of 5" for n in (1, 3, 4)]
    assert [each.hint for each in found] == [f"set rails.count to 3, or use rail {n}" for n in (1, 3, 4)]
    assert not list(rails.empty_rail(but(fabric, rails=None)))
    cables = [some(hca=hcas[0]), some(hca=but(hcas[3], for_pods=False))]
    fabric.host_links = cables
    monkeypatch.setattr(rails, "wants_cable", lambda fabric: {"gpu": [some(rail=4)]})
    (bare,) = rails.uncabled_rails(fabric)
    assert bare.message == "rails end on leaves, but no cable is stated for rail 2"
    assert bare.hint == "add switches and links, or set rails.segment: stretched"
    (bare,) = rails.uncabled_rails(but(fabric, underlay=some()))
    assert bare.hint == "add switches and links"
    assert not list(rails.uncabled_rails(but(fabric, rails=None)))
    assert not list(rails.uncabled_rails(but(fabric, rails=but(given, segment="host"))))
    assert not list(rails.uncabled_rails(but(fabric, host_links=[*cables, some(hca=hcas[3])])))


@pytest.mark.parametrize(
    ("position", "parts", "speeds", "told"),
    [
        (32, 1, (100,), False),
        (33, 1, (100,), True),
        (33, 1, (25,), False),
        (33, 1, (10, 40), True),
        (33, 1, (), False),
        (33, 2, (25,), True),
        (33, 4, (), True),
    ],
)
def test_a_port_beyond_the_box_is_small(position: int, parts: int, speeds: Any, told: bool) -> None:
    port = some(name="Ethernet128", position=position, parts=parts, speeds=speeds, last="Ethernet129")
    ports = [some(name="Ethernet0", at=("a",)), some(name="Ethernet129", at=("links", 3))]
    switch = some(
        name="leaf-1", type=some(model=some(name="msn2700", ports=32)), physical=[port, port], ports=ports
    )
    found = list(no_such_port(some(switches=[switch, switch])))
    assert [each.at for each in found] == ([("links", 3)] if told else [])
    assert said(found) == (["leaf-1 Ethernet128 is port 33 of the box, msn2700 has 32"] if told else [])
