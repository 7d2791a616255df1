"""Addresses of hosts on the cards of rails: the inventory states those of the interfaces themselves, and no
pool gives out any, whatever else the dumps show."""

from __future__ import annotations

import json
from itertools import product
from typing import Any

import pytest

from netplan.importing.run import Imported, import_texts
from netplan.pipeline import compile_texts
from tests.dumped_site import listed, node
from tests.test_import import data, filled
from tests.test_import_into import into, said
from tests.test_import_record import NetBox

CARDS = (("0000:18:00.0", "ens1"), ("0000:29:00.0", "ens2"))
HOSTS = ("gpu-1", "gpu-2")
ANSWERS = {
    "cni": "calico",
    "pod_cidr": "10.244.0.0/16",
    "service_cidr": "10.96.0.0/12",
    "device_plugin": "manual",
    "nads": "netplan",
    "rdma_mode": "exclusive",
    "qos": "{classes: {roce: {dscp: 26, priority: 3, lossless: true, bandwidth_percent: 50}}}",
    "supernets": "[172.16.0.0/23]\n  rail_prefixes: [24]\n  prefixes: [24]\n  gateway: none",
}
NETWORK = """
networks:
  rail: {for_each: rails, mode: host-device, ipam: nv-ipam, namespaces: [default], routing: script}
"""
OPERATOR = """
  network_operator:
    release: '26.4'
    namespace: nvidia-network-operator
    repository: nvcr.io/nvidia/mellanox
    version: network-operator-v26.4.1
  rdma_mode"""


def address(host: int, rail: int, prefix: int = 24) -> dict[str, Any]:
    return {"family": "inet", "local": f"172.16.{rail}.{9 + host}", "prefixlen": prefix, "scope": "global"}


def texts(*addresses: list[dict[str, Any]], stacked: str = "") -> dict[str, str]:
    """``addresses``: of each host, by rail. ``stacked``: the kind of interface on the card that has them."""
    found = {"nodes.yaml": listed([node(name, {"example.com/pool": "train"}, 2) for name in HOSTS])}
    for name, own in zip(HOSTS, addresses, strict=False):
        rows = [
            f"pci={pci} vendor=0x15b3 device=0x1021 numa={rail} vfs=0 net={net} mtu=9000 type=1 speed=400000"
            f" ib=mlx5_{rail} link_layer=Ethernet"
            for rail, (pci, net) in enumerate(CARDS)
        ]
        found[f"{name}/sysfs.txt"] = "\n".join(["# netplan collect 1: pci", *rows, ""])
        topo = ["\tGPU0\tGPU1\tmlx5_0\tmlx5_1\tCPU Affinity", "GPU0\t X \tNV18\tPIX\tSYS\t0-55"]
        found[f"{name}/topo.txt"] = "\n".join([*topo, "GPU1\tNV18\t X \tSYS\tPIX\t0-55", ""])
        links = [link(net, each, stacked) for (_, net), each in zip(CARDS, own, strict=True)]
        found[f"{name}/ip-addr.json"] = json.dumps(links)
    return found


def link(net: str, each: dict[str, Any], stacked: str) -> dict[str, Any]:
    row: dict[str, Any] = {
        "ifindex": 2,
        "ifname": net,
        "mtu": 9000,
        "link_type": "ether",
        "addr_info": [each],
    }
    upper = {"ifname": f"{net}.100", "link": net, "linkinfo": {"info_kind": stacked}}
    return {**row, **upper} if stacked else row


ON_RAILS = [[address(host, rail) for rail in range(2)] for host in range(1, 3)]
RESERVED = ["172.16.0.10-172.16.0.11", "172.16.1.10-172.16.1.11"]


def imported(*addresses: list[dict[str, Any]], stacked: str = "") -> Imported:
    return import_texts(texts(*addresses, stacked=stacked), "site")


def test_those_of_a_bridge_over_a_card_are_reserved() -> None:
    """The addresses are in another file than the one that says which bridge a card is a port of."""
    found = texts(*ON_RAILS)
    for name in HOSTS:
        rows = json.loads(found[f"{name}/ip-addr.json"])
        made = [{**row, "ifname": f"br-{row['ifname']}", "linkinfo": {"info_kind": "bridge"}} for row in rows]
        ports = [{**row, "master": f"br-{row['ifname']}", "addr_info": []} for row in rows]
        found[f"{name}/ip-addr.json"] = json.dumps(made)
        found[f"{name}/ip-link.json"] = json.dumps(ports)
    assert data(import_texts(found, "site"))["rails"]["reserved"] == RESERVED


@pytest.mark.parametrize(("key", "told"), [("0x8005", True), ("0xffff", False), ("0x7fff", False)])
def test_a_partition_of_a_hosts_interface_is_told(key: str, told: bool) -> None:
    found = texts(*ON_RAILS)
    for name in HOSTS:
        rows = json.loads(found[f"{name}/ip-addr.json"])
        info = {"info_kind": "ipoib", "info_data": {"pkey": key}}
        child = {**rows[0], "ifname": "ens1.8005", "link": "ens1", "linkinfo": info, "addr_info": []}
        found[f"{name}/ip-addr.json"] = json.dumps([*rows, child])
    remarks = [each.text for each in import_texts(found, "site").remarks if "P_Key" in each.text]
    why = "a partition of a host's interface is not taken; its addresses count as those of ens1"
    assert remarks == ([f"P_Key of ens1.8005 '0x8005': {why} (and 1 more)"] if told else [])


def own_of(result: Imported) -> dict[str, list[str]]:
    hosts = {name: row.get("hcas", {}) for name, row in data(result)["hosts"].items()}
    return {name: [hca["address"] for hca in hcas.values()] for name, hcas in hosts.items() if hcas}


@pytest.mark.parametrize("second", ["fd00:200:0::b", "192.0.2.7"])
def test_a_second_address_that_the_host_file_takes_away_is_told(second: str) -> None:
    """Of IPv6 beside IPv4, however it is written, and of the host itself alone (/32)."""
    found = texts(*ON_RAILS)
    family = {"family": "inet6", "prefixlen": 64} if ":" in second else {"family": "inet", "prefixlen": 32}
    for name in HOSTS[:1]:
        rows = json.loads(found[f"{name}/ip-addr.json"])
        rows[0]["addr_info"].append({**family, "local": second, "scope": "global"})
        found[f"{name}/ip-addr.json"] = json.dumps(rows)
    result = import_texts(found, "site")
    assert own_of(result) == own_of(imported(*ON_RAILS))
    (line,) = [str(each) for each in result.remarks if "takes it away" in str(each)]
    assert "the first host file, 20-*.network, takes it away" in line


def test_those_of_the_interfaces_are_stated() -> None:
    """netplan's 20-*.network would take them away otherwise."""
    result = imported(*ON_RAILS)
    of = {f"gpu-{host}": [f"172.16.{rail}.{9 + host}/24" for rail in range(2)] for host in (1, 2)}
    assert own_of(result) == of
    assert "reserved" not in data(result)["rails"]
    text = filled(result.text, ANSWERS)
    assert [d for d in compile_texts({"site.yaml": text}).diagnostics if d.severity > 1] == []


def on_leaf(*addresses: list[dict[str, Any]], tagging: str = "untagged", native: bool = False) -> Imported:
    """On ports of a leaf that are in VLANs 100 and 101. ``native``: and in VLAN 9 untagged."""
    return import_texts({**texts(*addresses), **leaf_texts(tagging, native)}, "site")


def leaf_texts(tagging: str = "untagged", native: bool = False) -> dict[str, str]:
    ports = {(host, net): f"Ethernet{8 * at}" for at, (host, (_, net)) in enumerate(product(HOSTS, CARDS))}
    vlan = {net: f"Vlan{100 + rail}" for rail, (_, net) in enumerate(CARDS)}
    tables: dict[str, Any] = {
        "DEVICE_METADATA": {"localhost": {"hostname": "leaf-1"}},
        "PORT": {port: {"speed": "400000"} for port in ports.values()},
        "VLAN": {f"Vlan{number}": {} for number in (100, 101)},
        "VLAN_MEMBER": {f"{vlan[net]}|{port}": {"tagging_mode": tagging} for (_, net), port in ports.items()},
        "VLAN_INTERFACE": {f"Vlan{100 + rail}|172.16.{rail}.1/24": {} for rail in range(2)},
    }
    if native:
        tables["VLAN"]["Vlan9"] = {}
        tables["VLAN_MEMBER"] |= {f"Vlan9|{port}": {"tagging_mode": "untagged"} for port in ports.values()}
    cables = [f"leaf-1,{port},host,{host},{net}" for (host, net), port in ports.items()]
    csv = "\n".join(["switch,port,peer_kind,peer,peer_port", *cables, ""])
    return {"leaf-1.json": json.dumps(tables), "cables.csv": csv}


def test_addresses_of_another_vlan_than_that_of_the_port_are_asked() -> None:
    """By the address netplan would move the port."""
    result = on_leaf(ON_RAILS[0], [*reversed(ON_RAILS[1])])
    assert own_of(result) == {"gpu-1": ["172.16.0.10/24", "172.16.1.10/24"], "gpu-2": ["TODO", "TODO"]}
    (clash,) = (str(each) for each in result.conflicts)
    start = "gpu-2 ens1 has 172.16.1.11 (gpu-2/ip-addr.json:1), in the subnet of VLAN 101 (leaf-1.json:"
    assert clash.startswith(start)
    assert ", but its port leaf-1 Ethernet16 is in VLAN 100 (leaf-1.json:" in clash
    assert clash.endswith(" (and 1 more)")
    assert f"sources disagree: {start}" in result.text


def test_addresses_of_the_vlan_of_the_port_are_stated() -> None:
    result = on_leaf(*ON_RAILS)
    assert result.conflicts == ()
    assert own_of(result)["gpu-2"] == ["172.16.0.11/24", "172.16.1.11/24"]


def test_one_of_two_addresses_of_an_interface_is_asked() -> None:
    found = texts(*ON_RAILS)
    rows = json.loads(found["gpu-1/ip-addr.json"])
    rows[0]["addr_info"] += [{**address(1, 0), "local": "172.16.0.90"}, {**address(1, 0), "local": "fd00::1"}]
    found["gpu-1/ip-addr.json"] = json.dumps(rows)
    result = import_texts(found, "site")
    assert own_of(result)["gpu-1"] == ["TODO", "172.16.1.10/24"]
    assert data(result)["rails"]["reserved"][:2] == ["172.16.0.10", "172.16.0.90"]


@pytest.mark.parametrize("flag", ["mngtmpaddr", "temporary"])
def test_one_that_a_router_announced_is_not_stated(flag: str) -> None:
    found = texts(*ON_RAILS)
    rows = json.loads(found["gpu-1/ip-addr.json"])
    rows[0]["addr_info"] = [{**address(1, 0, 64), "local": "fd00::1", flag: True}]
    found["gpu-1/ip-addr.json"] = json.dumps(rows)
    assert own_of(import_texts(found, "site"))["gpu-1"] == ["172.16.1.10/24"]


def test_those_of_vlans_over_a_card_are_reserved_where_no_pool_is_in_the_dumps() -> None:
    result = imported(*ON_RAILS, stacked="vlan")
    assert data(result)["rails"]["reserved"] == RESERVED
    (line,) = [line for line in result.text.splitlines() if "supernets: TODO" in line]
    assert (
        "; hosts have rail 0 172.16.0.0/24 (gpu-1 ens1 172.16.0.10, gpu-1/ip-addr.json:1), rail 1 172."
        in line
    )


def test_the_ends_of_links_are_told_and_not_reserved() -> None:
    result = imported(*([address(host, rail, 31) for rail in range(2)] for host in range(1, 3)))
    assert "reserved" not in data(result)["rails"]
    assert "hosts have rail 0 172.16.0.10/31 (gpu-1 ens1" in result.text


def whole(reserved: bool) -> str:
    text = filled(imported(*ON_RAILS, stacked="vlan").text, ANSWERS).replace("\n  rdma_mode", OPERATOR)
    kept = [line for line in text.splitlines() if reserved or not line.startswith("  reserved:")]
    return "\n".join([*kept, NETWORK])


def test_the_finished_inventory_has_no_error_and_matches_the_dumps() -> None:
    assert [d for d in compile_texts({"site.yaml": whole(True)}).diagnostics if d.severity > 1] == []
    assert said(into(whole(True), texts(*ON_RAILS, stacked="vlan")), "differs") == []


def test_a_pool_that_gives_out_the_address_of_a_host_is_a_difference() -> None:
    text = whole(False)
    rows = said(into(text, texts(*ON_RAILS, stacked="vlan")), "differs")
    at = text.splitlines().index("rails:") + 1
    assert rows == [
        f"pool of rail{rail}: may give out 172.16.{rail}.10 of gpu-1 {net} (gpu-1/ip-addr.json:1) and 1 more;"
        f" rails.reserved (site.yaml:{at}) does not list it"
        for rail, (_, net) in enumerate(CARDS)
    ]


def test_no_pool_gives_out_its_gateway() -> None:
    """That a host has it, and a switch, is a contradiction of the dumps."""
    text = whole(True).replace("gateway: none", "gateway: first\n  gateway_owner: external")
    own = [
        [
            {**address(host, rail), "local": "172.16.0.1"} if rail == 0 else address(host, rail)
            for rail in range(2)
        ]
        for host in range(1, 3)
    ]
    assert said(into(text, texts(*own)), "differs") == []


def pool(rail: int) -> dict[str, Any]:
    return {
        "apiVersion": "nv-ipam.nvidia.com/v1alpha1",
        "kind": "IPPool",
        "metadata": {"name": f"rail-{rail}", "namespace": "nvidia-network-operator"},
        "spec": {"subnet": f"172.16.{rail}.0/24", "perNodeBlockSize": 16},
    }


def attachment(rail: int) -> dict[str, Any]:
    plugin = {"type": "host-device", "ipam": {"type": "nv-ipam", "poolName": f"rail-{rail}"}}
    name = {"name": f"rail-{rail}", "namespace": "default"}
    resource = {"k8s.v1.cni.cncf.io/resourceName": f"nvidia.com/rail_{rail}"}
    return {
        "apiVersion": "k8s.cni.cncf.io/v1",
        "kind": "NetworkAttachmentDefinition",
        "metadata": {**name, "annotations": resource},
        "spec": {"config": json.dumps({"cniVersion": "0.3.1", "name": f"rail-{rail}", **plugin})},
    }


def plugin() -> dict[str, Any]:
    rows = [
        {"resourceName": f"rail_{rail}", "selectors": {"pciAddresses": [pci]}}
        for rail, (pci, _) in enumerate(CARDS)
    ]
    return {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"name": "sriovdp-config", "namespace": "kube-system"},
        "data": {"config.json": json.dumps({"resourceList": rows})},
    }


def with_pools(*addresses: list[dict[str, Any]]) -> Imported:
    objects = [plugin(), *(kind(rail) for kind in (pool, attachment) for rail in range(2))]
    return import_texts({**texts(*addresses), "objects.yaml": listed(objects)}, "site")


def test_an_address_in_no_subnet_of_the_rails_is_told() -> None:
    """It moves into pods with its HCA."""
    odd = {**address(1, 0), "local": "172.20.0.10"}
    result = with_pools([odd, address(1, 1)], ON_RAILS[1])
    assert data(result)["rails"]["reserved"] == ["172.16.0.11", *RESERVED[1:]]
    (line,) = [str(each) for each in result.remarks if "address" in str(each)]
    assert line == "gpu-1/ip-addr.json:1: address of a card '172.20.0.10/24': it is in no subnet of the rails"


def test_addresses_in_subnets_of_the_rails_give_no_line() -> None:
    assert [str(each) for each in with_pools(*ON_RAILS).remarks if "address" in str(each)] == []


@pytest.mark.parametrize("native", [False, True])
def test_addresses_of_a_vlan_that_the_port_tags_are_asked(native: bool) -> None:
    """The interface sends untagged: stated, they are NP313."""
    result = on_leaf(*ON_RAILS, tagging="tagged", native=native)
    assert own_of(result) == {"gpu-1": ["TODO", "TODO"], "gpu-2": ["TODO", "TODO"]}
    line = next(each for each in result.text.splitlines() if "{address: TODO}" in each)
    assert "or none ({}) if 172.16.0.10 may go, which the interface sends untagged: leaf-1 Ethernet0" in line
    assert data(result)["rails"]["reserved"] == RESERVED
    assert result.conflicts == ()


def test_an_address_of_the_untagged_vlan_beside_is_no_question_of_tags() -> None:
    beside = [
        [{**each, "local": f"10.0.{host}.{at}"} for at, each in enumerate(ON_RAILS[0])] for host in (1, 2)
    ]
    assert own_of(on_leaf(*beside, tagging="tagged", native=True))["gpu-1"] == ["10.0.1.0/24", "10.0.1.1/24"]


def record_of(**fields: Any) -> dict[str, str]:
    """The addresses of ON_RAILS, of record."""
    box = NetBox()
    for name, own in zip(HOSTS, ON_RAILS, strict=True):
        role = {"id": 1, "url": "u", "name": "server", "slug": "server"}
        device = box.new("dcim/devices", name, name=name, role=role, status={"value": "active"})
        for (_, net), each in zip(CARDS, own, strict=True):
            held = box.new("dcim/interfaces", name, net, name=net, device=box.brief(device, "name"))
            stated = {"address": f"{each['local']}/24", "assigned_object": {**held}, **fields}
            box.new("ipam/ip-addresses", name, net, **stated)
    return box.pages()


def recorded(*, seen: bool = False, tagging: str = "untagged", **fields: Any) -> Imported:
    """``seen``: the hosts' own output shows interfaces without addresses."""
    own = {
        name: json.dumps([{**row, "addr_info": []} for row in json.loads(text)])
        if "ip-addr" in name
        else text
        for name, text in texts(*ON_RAILS).items()
        if seen or "ip-addr" not in name
    }
    return import_texts({**own, **leaf_texts(tagging), **record_of(**fields)}, "site")


def test_addresses_of_record_are_the_hosts() -> None:
    """netplan's 20-*.network would take them away."""
    result = recorded()
    assert own_of(result) == own_of(imported(*ON_RAILS))
    assert "reserved" not in data(result)["rails"]
    stated = [each for each in result.text.splitlines() if "address: 172.16" in each]
    assert all("ipam-ip-addresses.json:" in each for each in stated)
    assert own_of(recorded(tagging="tagged")) == {"gpu-1": ["TODO", "TODO"], "gpu-2": ["TODO", "TODO"]}


@pytest.mark.parametrize(
    "unlike",
    [
        {"seen": True},
        {"status": {"value": "reserved"}},
        {"status": {"value": "slaac"}},
        {"role": {"value": "vip"}},
    ],
)
def test_addresses_of_record_that_no_interface_has_are_reserved(unlike: dict[str, Any]) -> None:
    result = recorded(**unlike)
    assert own_of(result) == {}
    assert data(result)["rails"]["reserved"] == RESERVED
