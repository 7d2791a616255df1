"""``check-live`` of hosts: the cards that the plan has, against what the programs of a host print."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from netplan.live.judge import Live
from tests import live_hosts
from tests.inventories import text_of
from tests.live_host_site import CARDS, PCIS, WHOLE, live, not_seen, of_gpu_001, planned, told
from tests.live_hosts import Card


def test_outputs_of_the_plan_are_ok_in_every_value() -> None:
    found = live(of_gpu_001() | live_hosts.files("gpu-101", WHOLE))
    assert (found.wrong, found.not_seen, found.unread) == ((), (), ())
    assert {(v.rail, v.hop.name) for v in found.verdicts} == {
        (n, host) for n in range(4) for host in ("gpu-001", "gpu-101")
    }
    fields = {one.claim.field for one in found.judged if one.claim.hop.name == "gpu-001"}
    assert fields == {
        "device",
        "netdev",
        "rdma_device",
        "link",
        "speed_gbps",
        "mac",
        "mtu",
        "vfs",
        "numa",
        "addresses",
        "oper",
    }


@pytest.mark.parametrize(
    ("changed", "field"),
    [
        ({"device": "15b3:1019"}, "device: 15b3:1017, 15b3:1019"),
        ({"netdev": "enp59s0"}, "netdev: ens2f0, enp59s0"),
        ({"rdma": "mlx5_7"}, "rdma_device: mlx5_1, mlx5_7"),
        ({"gbps": 400}, "speed_gbps: 100, 400"),
        ({"mac": "b8:59:9f:ff:ff:ff"}, "mac: b8:59:9f:00:00:01, b8:59:9f:ff:ff:ff"),
        ({"mtu": 1500}, "mtu: 9000, 1500"),
        ({"vfs": 0}, "vfs: 8, 0"),
        ({"vfs": 16}, "vfs: 8, 16"),
        ({"numa": 1}, "numa: 0, 1"),
        ({"addresses": ("10.9.8.7/24",)}, "addresses: none, 10.9.8.7/24"),
        ({"up": False}, "oper: up, down"),
    ],
)
def test_one_value_of_a_card_that_differs_is_found(changed: dict[str, Any], field: str) -> None:
    found = live(of_gpu_001(**changed))
    assert told(found) == [f"0000:3b:00.0 {field}"]
    assert found.wrong[0].at is not None
    assert {v.rail for v in found.verdicts if v.outcome == "wrong"} == {1}


def test_a_card_as_infiniband_is_found() -> None:
    assert "0000:3b:00.0 link: ethernet, infiniband" in told(live(of_gpu_001(link="infiniband", mac="")))


def test_vfs_of_a_card_that_pods_get_as_it_is_are_wrong() -> None:
    cards = [replace(WHOLE[0], vfs=4), *WHOLE[1:]]
    assert told(live(live_hosts.files("gpu-101", cards))) == ["0000:18:00.0 vfs: 0, 4"]


def test_a_card_that_cannot_have_vfs_has_none() -> None:
    """The kernel has no sriov_numvfs for it."""
    text = live_hosts.sysfs(WHOLE).replace("vfs=0", "vfs=")
    assert (told(live({"gpu-101/sysfs.txt": text})), told(live({"gpu-001/sysfs.txt": text}))) == (
        [],
        [f"{pci} vfs: 8, 0" for pci in PCIS],
    )


def test_a_card_whose_link_is_down_is_wrong_by_each_program_alone() -> None:
    files = of_gpu_001(up=False)
    for name in ("sysfs.txt", "ip-link.json", "lshw.json"):
        file = f"gpu-001.tar/gpu-001/{name}"
        found = live({file: files[file]})
        assert told(found) == ["0000:3b:00.0 oper: up, down"], name
        assert "speed_gbps" in not_seen(found)
    both = {
        f"gpu-001.tar/gpu-001/{name}": files[f"gpu-001.tar/gpu-001/{name}"]
        for name in ("rdma-link.json", "devlink-port.json")
    }
    assert told(live(both)) == ["0000:3b:00.0 oper: up, down"]


def test_a_speed_of_minus_one_is_a_link_down_where_a_collect_sh_without_states_ran() -> None:
    down = live_hosts.sysfs([CARDS[0], replace(CARDS[1], up=False), *CARDS[2:]], old=True)
    found = live({"gpu-001/sysfs.txt": down})
    assert told(found) == ["0000:3b:00.0 oper: up, down"]
    assert not_seen(found) == {"oper", "speed_gbps", "addresses"}


def test_a_state_that_the_kernel_does_not_know_is_not_seen() -> None:
    text = live_hosts.sysfs(CARDS).replace("oper=up", "oper=unknown").replace("4: ACTIVE", "0: NOP")
    found = live({"gpu-001/sysfs.txt": text})
    assert (told(found), not_seen(found)) == ([], {"oper", "addresses"})


def test_a_card_that_is_gone_or_at_another_address_is_wrong() -> None:
    gone = [CARDS[0], *CARDS[2:]]
    assert told(live(live_hosts.files("gpu-001", gone))) == ["0000:3b:00.0 device: 15b3:1017, no function"]
    moved = of_gpu_001(pci="0000:3c:00.0")
    names = ["0000:3b:00.0 netdev: ens2f0, ens2f0 at 0000:3c:00.0",
             "0000:3b:00.0 rdma_device: mlx5_1, mlx5_1 at 0000:3c:00.0"]  # fmt: skip
    assert told(live(moved)) == ["0000:3b:00.0 device: 15b3:1017, no function", *names]
    link = "gpu-001.tar/gpu-001/ip-link.json"
    assert told(live({link: moved[link]})) == names[:1]


def test_a_virtual_function_at_the_address_of_a_card_is_wrong() -> None:
    lines = live_hosts.sysfs(CARDS).split("\n")
    lines[2] = "pci=0000:3b:00.0 vendor=0x15b3 device=0x1018 numa=0 vfs= physfn=yes net=ens2f0"
    assert "0000:3b:00.0 device: 15b3:1017, 15b3:1018, a virtual function" in told(
        live({"gpu-001/sysfs.txt": "\n".join(lines)})
    )


def test_a_card_in_a_pod_has_no_interface_on_the_host() -> None:
    found = live(live_hosts.files("gpu-101", [replace(card, netdev="", rdma="") for card in WHOLE]))
    assert found.wrong == ()
    assert not_seen(found) == {"netdev", "rdma_device", "speed_gbps", "mtu", "addresses", "oper"}


def test_a_card_without_its_driver_is_wrong_where_pods_get_vfs() -> None:
    """Neither interface nor RDMA device: the card itself never moves into a pod."""
    assert told(live(of_gpu_001(netdev="", rdma=""))) == [
        "0000:3b:00.0 netdev: ens2f0, none",
        "0000:3b:00.0 rdma_device: mlx5_1, none",
    ]


def test_a_speed_below_one_gigabit_is_wrong() -> None:
    text = live_hosts.sysfs(CARDS).replace("speed=100000", "speed=100", 1)
    assert told(live({"gpu-001/sysfs.txt": text})) == ["0000:18:00.0 speed_gbps: 100, 0.1"]


def a_vm_with_infiniband(up: bool, ipoib: str = "DOWN") -> Live:
    """A worker of crusoe-k3s-infiniband, whose first HCA has an address."""
    vf = Card(pci="0000:01:00.0", netdev="ibp1s0", rdma="mlx5_0", mac="", device="15b3:101e", vfs=0)
    vf = replace(vf, link="infiniband", gbps=400, mtu=2044, up=up)
    text = text_of("crusoe-k3s-infiniband").replace(
        "      eth4:", '      ib0: {pci: "0000:01:00.0"}\n      eth4:'
    )
    files = live_hosts.files("crusoe-k3s-worker-0", [vf])
    link = "crusoe-k3s-worker-0.tar/crusoe-k3s-worker-0/ip-link.json"
    files[link] = files[link].replace('"DOWN"', f'"{ipoib}"')
    return live(files, planned(text))


def test_an_infiniband_port_is_up_whatever_its_ipoib_interface_is() -> None:
    found = a_vm_with_infiniband(up=True)
    assert (found.wrong, found.not_seen) == ((), ())
    assert {one.claim.field for one in found.judged} == {
        "device",
        "rdma_device",
        "link",
        "speed_gbps",
        "oper",
    }
    assert told(a_vm_with_infiniband(up=False, ipoib="UP")) == ["0000:01:00.0 oper: up, down"]


def test_of_a_front_end_card_neither_mtu_nor_vfs_nor_link_are_the_plan_s() -> None:
    front = (
        '      front: {model: connectx-5, pci: "0000:5e:00.0", netdev: eno1, use: front-end}\n      roce3:'
    )
    card = Card(
        pci="0000:5e:00.0", netdev="eno1", rdma="mlx5_9", mac="b8:59:9f:00:00:09", mtu=1500, vfs=4, up=False
    )
    own = planned(text_of("iei-rocev2").replace("      roce3:", front, 1))
    found = live(live_hosts.files("gpu-001", [*CARDS, card]), own)
    assert found.wrong == ()
    mine = {one.claim.field for one in found.judged if one.claim.subject == card.pci}
    assert mine == {"device", "netdev", "link", "speed_gbps"}


def test_of_a_hypervisor_neither_mtu_nor_vfs_nor_addresses_are_the_plan_s() -> None:
    head, hca = "  hypervisor:\n    node: false\n", '      hv0: {model: connectx-7, pci: "0000:18:00.0"}\n'
    own = planned(text_of("kitchen-sink").replace(head, f"{head}    hcas:\n{hca}"))
    card = replace(CARDS[0], device="15b3:1021", gbps=400, mtu=1500, addresses=("10.0.0.1/8",))
    found = live(live_hosts.files("hv-1", [card]), own)
    assert found.wrong == ()
    assert {one.claim.field for one in found.judged} == {"device", "link", "speed_gbps"}


def test_addresses_of_a_host_are_those_of_its_network_files() -> None:
    """gpu-04 has one, whose interface has its planned addresses and no other."""
    card = Card(
        pci="0000:3b:00.0", netdev="store0", rdma="mlx5_2", mac="", device="15b3:101d", vfs=0, mtu=4200
    )
    wanted = "0000:3b:00.0 addresses: 172.24.0.10/24, "
    for shown, wrong in (
        (["172.24.0.10/24"], []),
        ([], [f"{wanted}none"]),
        (["172.24.0.11/24"], [f"{wanted}172.24.0.11/24"]),
        (["172.24.0.10/24", "10.0.0.1/8"], [f"{wanted}10.0.0.1/8 172.24.0.10/24"]),
    ):
        text = json.dumps(live_hosts.ip_addr([replace(card, addresses=tuple(shown))]))
        assert told(live({"gpu-04.json": text}, planned(text_of("kitchen-sink")))) == wrong


@pytest.mark.parametrize(
    ("flags", "found"),
    [
        (["dadfailed", "tentative"], "172.24.0.10/24 (dadfailed)"),
        (["tentative"], None),
        (["optimistic", "tentative"], ""),
        (["deprecated"], ""),
    ],
)
def test_an_address_that_the_kernel_does_not_use_is_wrong(flags: list[str], found: str | None) -> None:
    """Flags are those of IPv6 addresses; a tentative one may be used in the next second."""
    card = Card(pci="0000:3b:00.0", netdev="store0", rdma="", mac="", device="15b3:101d", mtu=4200)
    rows = live_hosts.ip_addr([replace(card, addresses=("172.24.0.10/24",))])
    rows[1]["addr_info"][1] |= dict.fromkeys(flags, True)
    result = live({"gpu-04.json": json.dumps(rows)}, planned(text_of("kitchen-sink")))
    wrong = [one.found for one in result.wrong if one.claim.field == "addresses"]
    assert wrong == ([found] if found else [])
    seen = {
        one.claim.subject for one in result.judged if one.outcome == "ok" and one.claim.field == "addresses"
    }
    assert (card.pci in seen) == (found == "")


KITCHEN = planned(text_of("kitchen-sink"))
"""Rail 0 has 172.16.0.0/24, gpu-04's store0 172.24.0.10/24."""


@pytest.mark.parametrize(
    ("row", "wrong"),
    [
        ({"ifname": "rail0.100", "link": "rail0", "linkinfo": {"info_kind": "vlan"}}, True),
        ({"ifname": "br0", "linkinfo": {"info_kind": "bridge"}}, True),
        ({"ifname": "eno1", "parentbus": "pci", "parentdev": "0000:01:00.0"}, True),
        ({"ifname": "eth7"}, False),
        ({"ifname": "rail0", "parentbus": "pci", "parentdev": "0000:18:00.0"}, False),
    ],
)
@pytest.mark.parametrize(
    ("address", "planned"), [("172.16.0.9", True), ("172.24.0.10", True), ("10.9.8.7", False)]
)
def test_an_address_of_a_rail_beside_the_cards_is_wrong(
    row: dict[str, Any], wrong: bool, address: str, planned: bool
) -> None:
    """Of an interface that may be a card nobody knows."""
    own = [{"local": address, "prefixlen": 24, "scope": "global"}]
    rows = [{"ifindex": 2, "mtu": 1500, "link_type": "ether", **row, "addr_info": own}]
    found = live({"gpu-04.json": json.dumps(rows)}, KITCHEN)
    told_of = [one for one in told(found) if "addresses of a rail" in one]
    assert told_of == ([f"{row['ifname']} addresses of a rail: , {address}/24"] if wrong and planned else [])


def test_firmware_settings_of_a_device_by_its_mst_name_are_told() -> None:
    files = of_gpu_001()
    name = "gpu-001.tar/gpu-001/mlxconfig-0.json"
    found = live(files | {name: files[name].replace(CARDS[0].pci, "/dev/mst/mt4119_pciconf0")})
    assert found.wrong == ()
    assert [(file, "/dev/mst" in why) for file, why in found.unread] == [(name, True)]
