"""``check-live`` of hosts: the cards that the plan has, against what the programs of a host print."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from netplan.live.judge import Live, judged
from netplan.live.read import read_outputs
from netplan.model.plan import Plan
from netplan.pipeline import compile_texts
from tests import live_hosts
from tests.inventories import text_of
from tests.live_hosts import Card

PCIS = ("0000:18:00.0", "0000:3b:00.0", "0000:86:00.0", "0000:af:00.0")
CARDS = tuple(
    Card(pci=pci, netdev=f"ens{n + 1}f0", rdma=f"mlx5_{n}", mac=f"b8:59:9f:00:00:0{n}", numa=n // 2)
    for n, pci in enumerate(PCIS)
)
WHOLE = tuple(replace(card, vfs=0) for card in CARDS)
"""Of gpu-101, whose cards pods get as they are."""


@cache
def plan() -> Plan:
    """iei-rocev2 with RDMA devices, and with MAC addresses for gpu-001."""
    macs = ", ".join(f'roce{n}: {{mac: "{card.mac}"}}' for n, card in enumerate(CARDS))
    text = text_of("iei-rocev2").replace(
        "model: connectx-5,", 'model: connectx-5, rdma_device: "mlx5_[0-3]",'
    )
    return planned(text.replace("  gpu-007:", f"  gpu-001: {{hcas: {{{macs}}}}}\n  gpu-007:"))


def planned(text: str) -> Plan:
    result = compile_texts({"site.yaml": text}, upto="plan")
    assert result.plan is not None, result.diagnostics
    return result.plan


def live(texts: dict[str, str], own: Plan | None = None) -> Live:
    own = own or plan()
    return judged(own, read_outputs(texts, own))


def told(found: Live) -> list[str]:
    return [f"{w.claim.subject} {w.claim.field}: {w.claim.expected}, {w.found}" for w in found.wrong]


def not_seen(found: Live) -> set[str]:
    return {one.claim.field for one in found.not_seen}


def of_gpu_001(**changed: Any) -> dict[str, str]:
    """Its files, with one card changed."""
    return live_hosts.files("gpu-001", [CARDS[0], replace(CARDS[1], **changed), *CARDS[2:]])


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


def test_a_list_of_functions_that_is_cut_off_says_nothing_of_the_rest() -> None:
    text = live_hosts.sysfs(CARDS)
    cut = text[: text.index("mtu=9000", text.index("0000:86:00.0")) + 5]  # "mtu=9" of the third card
    found = live({"gpu-001/sysfs.txt": cut})
    assert found.wrong == ()
    assert {one.claim.subject for one in found.not_seen if one.claim.field == "mtu"} == set(PCIS[2:])
    assert "ends in the middle of a line" in found.unread[0][1]


def test_a_program_that_shows_some_functions_alone_says_nothing_of_the_others() -> None:
    for name in ("lspci.txt", "ip-link.json", "lshw.json"):
        found = live(
            {f"gpu-001/{name}": live_hosts.files("gpu-001", CARDS[:1])[f"gpu-001.tar/gpu-001/{name}"]}
        )
        assert found.wrong == ()
        assert {one.claim.subject for one in found.not_seen} >= set(PCIS[1:])


def test_a_kernel_without_a_network_function_is_told() -> None:
    found = live({"gpu-001/sysfs.txt": live_hosts.sysfs([]), "gpu-101/sysfs.txt": live_hosts.sysfs(WHOLE)})
    assert [hop.name for hop in found.unseen if hop.name == "gpu-001"] == ["gpu-001"]
    assert ("gpu-001/sysfs.txt", "the kernel of gpu-001 shows no network function") in found.unread


def test_ip_link_alone_is_read() -> None:
    link = live_hosts.ip_link(CARDS)
    found = live({"gpu-001.json": json.dumps(link)})
    assert (found.wrong, found.unread) == ((), ())
    assert not_seen(found) == {"device", "rdma_device", "speed_gbps", "numa", "addresses"}
    link[2]["mtu"] = 1500
    assert told(live({"gpu-001.json": json.dumps(link)})) == ["0000:3b:00.0 mtu: 9000, 1500"]


def test_ip_link_without_pci_addresses_is_read_by_the_planned_names() -> None:
    """``ip -j link`` without ``-d``."""
    link = [
        {key: row[key] for key in row if not key.startswith("parent")} for row in live_hosts.ip_link(CARDS)
    ]
    found = live({"gpu-001.json": json.dumps(link)})
    assert (found.wrong, found.unread) == ((), ())
    assert not_seen(found) == {"device", "netdev", "rdma_device", "link", "speed_gbps", "numa", "addresses"}
    link[2]["operstate"] = "LOWERLAYERDOWN"
    assert told(live({"gpu-001.json": json.dumps(link)})) == ["0000:3b:00.0 oper: up, lowerlayerdown"]


def test_names_of_an_older_dump_do_not_hide_those_of_a_newer_one() -> None:
    older = {f"older/{file}": text for file, text in of_gpu_001().items()}
    swapped = [CARDS[0], *(replace(a, netdev=b.netdev) for a, b in (CARDS[1:3], CARDS[2:0:-1])), CARDS[3]]
    newer = {f"newer/{file}": text for file, text in live_hosts.files("gpu-001", swapped).items()}
    wanted = ["0000:3b:00.0 netdev: ens2f0, ens3f0", "0000:86:00.0 netdev: ens3f0, ens2f0"]
    assert told(live(older | newer)) == told(live(newer | older)) == wanted


def test_a_representor_is_no_other_name_of_its_card() -> None:
    link = live_hosts.ip_link(CARDS)
    link.append(
        {**link[2], "ifname": "ens2f0npf1vf0", "mtu": 1500, "operstate": "DOWN", "phys_port_name": "pf1vf0"}
    )
    assert told(live({"gpu-001.json": json.dumps(link)})) == []


def test_the_mac_address_is_the_card_s_where_a_bond_has_replaced_it() -> None:
    bond = "b8:59:9f:00:00:00"
    files = of_gpu_001(mac=bond)
    link = json.loads(files["gpu-001.tar/gpu-001/ip-link.json"])
    link[2]["permaddr"] = CARDS[1].mac
    files["gpu-001.tar/gpu-001/ip-link.json"] = json.dumps(link)
    assert told(live(files)) == []
    link[2]["permaddr"] = "b8:59:9f:ff:ff:ff"
    files["gpu-001.tar/gpu-001/ip-link.json"] = json.dumps(link)
    assert told(live(files)) == ["0000:3b:00.0 mac: b8:59:9f:00:00:01, b8:59:9f:ff:ff:ff"]


def test_a_part_of_a_long_list_of_vfs_is_no_smaller_number() -> None:
    files = of_gpu_001()
    link = json.loads(files["gpu-001.tar/gpu-001/ip-link.json"])
    del link[2]["vfinfo_list"][3:]
    files["gpu-001.tar/gpu-001/ip-link.json"] = json.dumps(link)
    assert told(live(files)) == []


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


def test_the_firmware_s_next_link_is_not_the_link() -> None:
    file = "gpu-001.tar/gpu-001/mlxconfig-1.json"
    files = of_gpu_001()
    found = live({file: files[file], "gpu-101/sysfs.txt": live_hosts.sysfs(WHOLE)})
    assert "gpu-001" not in {one.claim.hop.name for one in found.judged}
    files[file] = files[file].replace("ETH(2)", "IB(1)")
    assert told(live(files)) == ["0000:3b:00.0 link: ethernet, infiniband"]


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


def test_a_host_whose_cards_have_no_pci_address_in_the_inventory_is_told() -> None:
    found = live(live_hosts.files("crusoe-k3s-worker-0", CARDS), planned(text_of("crusoe-k3s-infiniband")))
    assert found.judged == ()
    assert found.unread == (("crusoe-k3s-worker-0", "the inventory has no PCI address of its cards"),)


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


def neighbours(*ends: tuple[str, str, str]) -> dict[str, str]:
    """``lldpctl -f json0`` of gpu-001. ``ends``: (interface, far system, far port)"""
    rows = [
        {
            "name": name,
            "chassis": [{"id": [{"type": "mac", "value": "50:6b:4b:00:00:01"}], "name": [{"value": system}]}],
            "port": [{"id": [{"type": "local", "value": "etp1"}], "descr": [{"value": port}]}],
        }
        for name, system, port in ends
    ]
    return {"gpu-001.tar/gpu-001/lldp.json": json.dumps({"lldp": [{"interface": rows}]})}


def test_a_host_hears_the_port_of_the_leaf_at_the_end_of_its_cable() -> None:
    right = [(f"ens{n + 1}f0", f"leaf-{n + 1}.example.com", "Ethernet0") for n in range(4)]
    found = live(of_gpu_001() | neighbours(*right))
    assert (found.wrong, found.not_seen, found.unread) == ((), (), ())
    crossed = [("ens1f0", "leaf-2", "Ethernet0"), ("ens2f0", "leaf-1", "Ethernet0"), *right[2:]]
    assert told(live(of_gpu_001() | neighbours(*crossed))) == [
        "ens1f0 peer: leaf-1 Ethernet0, leaf-2 Ethernet0",
        "ens2f0 peer: leaf-2 Ethernet0, leaf-1 Ethernet0",
    ]


def test_a_card_that_hears_nobody_or_a_port_without_its_name_is_not_seen() -> None:
    heard = neighbours(
        ("ens1f0", "leaf-1", "uplink"), ("ens2f0", "leaf-2", "Ethernet0"), ("eno1", "oob", "7")
    )
    found = live(of_gpu_001() | heard)
    assert found.wrong == ()
    assert {one.claim.subject for one in found.not_seen} == {"ens1f0", "ens3f0", "ens4f0"}


@pytest.mark.parametrize("text", ["2: ens1f0: <BROADCAST,UP> mtu 9000\n", '[{"dst": "default"}]'])
def test_another_output_of_a_host_is_told_as_that_of_a_host(text: str) -> None:
    found = live({"gpu-001/x.txt": text})
    assert found.judged == ()
    assert [why for _, why in found.unread] == [
        "no output of host gpu-001 that check-live reads; docs/check-live.md lists them"
    ]
