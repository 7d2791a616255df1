"""``check-live`` of hosts: which output says what about which card, and what says nothing."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import pytest

from tests import live_hosts
from tests.inventories import text_of
from tests.live_host_site import CARDS, PCIS, WHOLE, live, not_seen, of_gpu_001, planned, told


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


def test_the_firmware_s_next_link_is_not_the_link() -> None:
    file = "gpu-001.tar/gpu-001/mlxconfig-1.json"
    files = of_gpu_001()
    found = live({file: files[file], "gpu-101/sysfs.txt": live_hosts.sysfs(WHOLE)})
    assert "gpu-001" not in {one.claim.hop.name for one in found.judged}
    files[file] = files[file].replace("ETH(2)", "IB(1)")
    assert told(live(files)) == ["0000:3b:00.0 link: ethernet, infiniband"]


def test_a_host_whose_cards_have_no_pci_address_in_the_inventory_is_told() -> None:
    found = live(live_hosts.files("crusoe-k3s-worker-0", CARDS), planned(text_of("crusoe-k3s-infiniband")))
    assert found.judged == ()
    assert found.unread == (("crusoe-k3s-worker-0", "the inventory has no PCI address of its cards"),)


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


@pytest.mark.parametrize("name", ["bond0", "br0"])
def test_a_card_of_a_rail_has_no_master(name: str) -> None:
    link = live_hosts.ip_link(CARDS)
    link[2]["master"] = name
    assert told(live({"gpu-001.json": json.dumps(link)})) == [f"0000:3b:00.0 master: none, {name}"]


@pytest.mark.parametrize("file", ["gpu-001-ip.json", "dumps/gpu-001_link.json", "gpu-001.example.com.json"])
def test_a_file_is_of_the_host_that_its_name_begins_with(file: str) -> None:
    found = live({file: json.dumps(live_hosts.ip_link(CARDS))})
    assert {one.claim.hop.name for one in found.judged} == {"gpu-001"}
    assert found.wrong == ()


def test_a_card_of_a_rail_without_an_rdma_device() -> None:
    text = live_hosts.sysfs(CARDS)
    line = next(line for line in text.split("\n") if "0000:3b:00.0" in line)
    bare = re.sub(r" (?:ib|link_layer|port|rate|firmware|psid)=(?:\"[^\"]*\"|\S*)", "", line)
    assert bare != line
    found = live({"gpu-001/sysfs.txt": text.replace(line, bare)})
    assert "0000:3b:00.0 rdma: yes, none" in told(found)
    assert not any(one.startswith("0000:18:00.0") for one in told(found))


@pytest.mark.parametrize(
    ("enabled", "number", "wrong"),
    [
        ("True(1)", 8, []),
        ("True(1)", 16, []),
        ("True(1)", 7, ["0000:3b:00.0 firmware_vfs: 8, 7"]),
        ("False(0)", 8, ["0000:3b:00.0 firmware_vfs: 8, 0"]),
    ],
)
def test_vfs_that_the_firmware_has_after_its_next_start(enabled: str, number: int, wrong: list[str]) -> None:
    settings = {"SRIOV_EN": {"next_value": enabled}, "NUM_OF_VFS": {"next_value": number}}
    shown = {"Device #1": {"device": "0000:3b:00.0", "tlv_configuration": settings}}
    files = {"gpu-001/sysfs.txt": live_hosts.sysfs(CARDS), "gpu-001/mlxconfig.json": json.dumps(shown)}
    assert told(live(files)) == wrong


def heard(netdev: str, system: str, port: str) -> dict[str, str]:
    """``lldpctl -f json0`` of gpu-001."""
    chassis = {"id": [{"type": "mac", "value": "50:6b:4b:00:00:7b"}], "name": [{"value": system}]}
    far = {"id": [{"type": "ifname", "value": port}], "descr": [{"value": port}]}
    row = {"name": netdev, "via": "LLDP", "chassis": [chassis], "port": [far]}
    return {"gpu-001/lldp.json": json.dumps({"lldp": [{"interface": [row]}]})}


@pytest.mark.parametrize(
    ("netdev", "port", "wrong"),
    [
        ("ens1f0", "Ethernet0", []),
        ("eno1", "Ethernet0", ["eno1 peer: , leaf-1 Ethernet0"]),
        ("eno1", "Ethernet120", []),
    ],
)
def test_a_planned_port_behind_a_card_without_a_planned_cable(
    netdev: str, port: str, wrong: list[str]
) -> None:
    assert told(live(heard(netdev, "leaf-1", port))) == wrong


@pytest.mark.parametrize("command", ["ip -d -j addr", "sudo /sbin/ip -d -j link", "ssh gpu-001 lshw -json"])
def test_what_a_host_printed_in_place_of_an_output_is_named(command: str) -> None:
    prompt, good = "root@gpu-001:~#", json.dumps(live_hosts.ip_addr(CARDS))
    read = command.removeprefix("sudo ").removeprefix("ssh gpu-001 ")
    above = f"{prompt} ip -d -j addr\n{good}\n{prompt} {command}\n"
    for answer, why in (
        ("bash: ip: command not found\n", f"line 4: nothing of {read} is in it: bash: ip: command not found"),
        ("", f"line 3: nothing stands below {read}"),
    ):
        found = live({"x.log": f"{above}{answer}{prompt} \n"})
        assert (found.wrong, [why for _, why in found.unread]) == ((), [why])
    for other in ("ip -d -j addr > a.json", "date", "ip route"):
        assert live({"x.log": f"{above}{good}\n{prompt} {other}\n{prompt} \n"}).unread == ()
    below = f"time: 0.01s\n{good}\n"
    assert len(live({"x.log": f"{above}{below}{prompt} \n"}).unread) == 1
