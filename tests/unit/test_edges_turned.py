"""Edge cases, one fact per case: conditions with two halves, and what comes after the first of several."""

from __future__ import annotations

from typing import Any

import pytest
from netaddr import IPNetwork

from netplan.checks import bandwidth, buffers, platforms
from netplan.model.hosts import HostPlan
from netplan.plan import hosts
from netplan.plan.neighbours import plan_demand
from tests.unit.host_inventory import PVRDMA, plans
from tests.unit.some import but, owned_by, said, some
from tests.unit.test_edges_faults import faults


@pytest.mark.parametrize(
    ("odd", "narrow"),
    [
        ((800, 400), True),
        ((400, 400), False),
        ((200, 200), False),
        ((401, 400), True),
        ((1600, 800), False),
        ((3200, 1600), False),
    ],
)
def test_a_narrow_leaf_has_less_up_and_more_to_share_it(odd: tuple[int, int], narrow: bool) -> None:
    even = {"leaf-1": (800, 800), "leaf-2": (800, 800), "leaf-3": (400, 800)}
    found = bandwidth._narrow({**even, "leaf-4": odd})
    assert dict(found) == ({odd: ["leaf-4"]} if narrow else {})


def sized(name: str, *tables: int | None, stated: int | None = None) -> Any:
    ports = [
        some(speed_gbps=400, cable_m=5, headroom=None if table is None else some(xoff=300, table_xoff=table))
        for table in tables
    ]
    return some(
        computes_headroom=True,
        type=some(name=name, at=("switch_types", name), small_packet_percentage=stated),
        lossless_ports=ports,
        small_packet_shipped=50,
        small_packet_percent=stated or 50,
        sku=f"SKU-{name}",
    )


def test_a_type_after_one_without_a_table_is_compared_too() -> None:
    switches = [
        sized("a"),
        sized("b", 0, None),
        sized("c", 1000),
        sized("d", stated=49),
        sized("e", stated=50),
        sized("three quarters", 400),
    ]
    plan: Any = some(switches=switches)
    assert said(buffers.below_table(plan)) == [
        "with small_packet_percentage 50 headroom at 400 Gb/s and 5 m is 300 bytes, the static table of "
        "SKU-c has 1,000",
        "small_packet_percentage 49 of switch type d is below the 50 of the image, and headroom with it",
    ]


def test_a_section_that_is_left_out_silences_what_is_in_it() -> None:
    found = faults(left_out=(("rails",),))
    assert found.silence("NP999", ("rails", "prefixes"))
    assert found.silence("NP999", ("rails",))
    assert not found.silence("NP999", ("networks", "rail"))


@pytest.mark.parametrize(
    ("pkey", "hint"),
    [
        (0x0000, "use a number"),
        (0x0001, None),
        (0x0002, None),
        (0x7FFD, None),
        (0x7FFE, None),
        (0x7FFF, "use a number"),
        (0x8000, "use a number"),
        (0x8001, 'write pkey: "0x0001" and membership: full'),
        (0xFFFE, 'write pkey: "0x7ffe" and membership: full'),
        (0xFFFF, "use a number"),
    ],
)
def test_a_partition_has_a_number_from_1_to_0x7ffe(pkey: int, hint: str | None) -> None:
    """InfiniBand Architecture Specification 1.4, 10.9: the top bit is the membership."""
    fabric: Any = some(networks=[some(name="n", at=("networks", "n"), pkey=pkey)])
    found = list(platforms.pkey_out_of_range(fabric))
    assert len(found) == (hint is not None)
    assert all(each.hint.startswith(hint or "-") for each in found)


@pytest.mark.parametrize(
    ("fabric_type", "node", "kind", "owner"),
    [
        ("roce", True, "node", "host"),
        ("roce", False, "hypervisor", "host"),
        ("infiniband", True, "node", None),
        ("pvrdma", True, "node", None),
        ("pvrdma", False, "pvrdma-hypervisor", None),
    ],
)
def test_the_readme_of_a_type_names_who_sets_qos_on_roce(
    fabric_type: str, node: bool, kind: str, owner: str | None
) -> None:
    cluster = some(distribution="kubeadm", owners=owned_by(nic_qos="host", vfs="host"), rdma_mode="shared")
    fabric: Any = some(type=fabric_type, cluster=cluster)
    host_type: Any = some(node=node, hcas=(), gpus=0)
    readme = hosts._readme(host_type, fabric)
    assert (readme.kind, readme.nic_qos_owner) == (kind, owner)


MOVED = """
host_types: {esxi: {hcas: {hca0: {netdev: vmnic4}}}}
hosts: {esx-1: {hcas: {hca0: {pci: "0000:3b:00.0"}}}}
"""


def test_a_hypervisor_gets_no_settings_of_devices() -> None:
    """netplan writes no files for it: whoever runs it applies what is stated."""
    (own,) = (plan for plan in plans(PVRDMA, MOVED) if plan.name == "esx-1")
    (stated,) = own.stated
    assert dict(stated.values) == {"address": "192.168.0.24/24", "PCI address": "0000:3b:00.0"}
    assert own == HostPlan(name=own.name, entity=own.entity, stated=own.stated)


def test_one_moved_device_of_several_is_enough_for_files_of_its_own() -> None:
    over = 'hosts: {"gpu-[01-02]": {hcas: {roce0: {netdev: ens1}, fe0: {rdma_device: mlx5_4}}}}'
    names = [plan.name for plan in plans(over=over) if plan.qos is not None]
    assert names == ["gpu", "gpu-01", "gpu-02"]


LEAF: Any = some(name="leaf-1", type=some(host_table=None))
SUBNET = some(network=IPNetwork("10.0.0.0/24"), gateway="10.0.0.1")
BLUE = some(name="blue", rail=0, subnets=(SUBNET,))
RED = some(name="red", rail=0, subnets=(SUBNET, but(SUBNET, network=IPNetwork("fd00::/64"))))


@pytest.mark.parametrize(
    ("uses", "gateways", "entries"),
    [
        ([BLUE], [BLUE], 8),
        ([BLUE, RED], [BLUE], 8),
        ([BLUE, RED], [BLUE, RED], 24),
        ([RED], [BLUE], 0),
        ([BLUE, RED], [], 0),
        ([], [BLUE], 0),
    ],
)
def test_a_leaf_knows_the_hosts_of_segments_whose_gateway_it_is(
    uses: list[Any], gateways: list[Any], entries: int
) -> None:
    """One entry per VF; three where it has an IPv4, a global and a link-local IPv6 address."""
    hca = some(name="roce0", use="vf", vfs=8, for_pods=True)
    link = some(host=some(hcas={}), hca=hca, port="Ethernet0")
    cables: Any = some(
        host_links={"leaf-1": (link,)}, uplinks={}, downlinks={}, addresses={}, rail_starts_per_hour=0
    )
    addresses: Any = some(port_uses={("leaf-1", "Ethernet0"): tuple(some(segment=s) for s in uses)})
    fabric: Any = some(arp=None)
    found = plan_demand(fabric, addresses, cables, LEAF, gateways)
    assert (found.hosts, found.total, found.routed) == (entries, entries, 1)
