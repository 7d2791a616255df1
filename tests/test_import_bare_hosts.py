"""Healthy hosts outside Kubernetes give no line: MAC addresses of bonds, files without anything of use."""

from __future__ import annotations

import json
from typing import Any

import pytest

from netplan.importing.run import Imported, import_texts
from tests.dumped_site import interface as state_interface
from tests.dumped_site import listed, node_state

BOND = "b8:00:00:00:00:01"
PORTS = (("0000:18:00.0", "ens1", BOND), ("0000:29:00.0", "ens2", "b8:00:00:00:00:02"))
"""PCI address, interface, own MAC address; the bond has that of its first port."""


def sysfs(bonded: bool = True) -> str:
    rows = (
        f"pci={pci} vendor=0x15b3 device=0x1021 numa=0 vfs=0 net={name} mac={BOND if bonded else mac}"
        " mtu=9000 type=1 speed=400000"
        for pci, name, mac in PORTS
    )
    return "\n".join(["# netplan collect 1: pci", *rows, ""])


def link(name: str, mac: str, permanent: bool, **more: Any) -> dict[str, Any]:
    own = {"permaddr": mac} if permanent and mac != BOND else {}
    return {"ifindex": 2, "ifname": name, "mtu": 9000, "link_type": "ether", "address": BOND, **own, **more}


def ip_link(permanent: bool = True) -> str:
    port = {"master": "bond0", "linkinfo": {"info_slave_kind": "bond"}}
    ports = [link(name, mac, permanent, **port) for _, name, mac in PORTS]
    return json.dumps([*ports, link("bond0", BOND, False, linkinfo={"info_kind": "bond"})])


def lshw_rows(bonded: bool = True) -> list[dict[str, Any]]:
    """``serial`` is the present address (lyonel/lshw src/core/network.cc)."""
    rows = ((pci, name, BOND if bonded else mac) for pci, name, mac in PORTS)
    return [
        {"id": "network", "class": "network", "businfo": f"pci@{pci}", "logicalname": name, "serial": mac}
        for pci, name, mac in rows
    ]


def lshw(bonded: bool = True) -> str:
    return json.dumps(lshw_rows(bonded))


def of_host(**files: str) -> Imported:
    return import_texts(
        {f"gpu-1.tar/gpu-1/{name.replace('_', '-')}": text for name, text in files.items()}, "s"
    )


def macs(result: Imported) -> list[str]:
    return [result.site.text("card", ("gpu-1", pci), "mac") for pci, *_ in PORTS]


def test_the_ports_of_a_bond_have_their_own_mac_addresses() -> None:
    result = of_host(**{"sysfs": sysfs(), "ip_link.json": ip_link(), "lshw.json": lshw()})
    assert result.conflicts == ()
    assert macs(result)[1] == PORTS[1][2]


def test_a_mac_address_that_was_set_is_not_the_cards_own() -> None:
    text = sysfs(bonded=False).replace(PORTS[1][2], "02:00:00:00:00:07")
    links = json.dumps([link(name, mac, permanent=True) for _, name, mac in PORTS])
    result = of_host(sysfs=text, ip_link=links)
    assert result.conflicts == ()
    assert macs(result)[1] == PORTS[1][2]


SOURCES: dict[str, dict[str, str]] = {
    "sysfs": {"sysfs": sysfs()},
    "lshw": {"sysfs": sysfs(), "lshw.json": lshw()},
    "an ip without permaddr": {"sysfs": sysfs(), "ip_link.json": ip_link(False), "lshw.json": lshw()},
}


@pytest.mark.parametrize("sources", SOURCES)
def test_the_address_of_a_bond_alone_is_no_ports_own(sources: str) -> None:
    result = of_host(**SOURCES[sources])
    assert result.conflicts == ()
    assert macs(result) == ["", ""]


def test_the_operator_shows_the_address_of_the_bond() -> None:
    """SriovNetworkNodeState has the present address of an interface."""
    cards = [state_interface(pci, name, 400, device="1021", mac=BOND) for pci, name, _ in PORTS]
    state = listed([node_state("gpu-1", cards)])
    files = {"gpu-1/sysfs.txt": sysfs(), "gpu-1/ip-link.json": ip_link(), "gpu-1/lshw.json": lshw()}
    assert import_texts({"state.yaml": state, **files}, "s").conflicts == ()


def test_two_addresses_of_a_card_in_no_bond_are_a_contradiction() -> None:
    result = of_host(sysfs=sysfs(bonded=False).replace(PORTS[1][2], "02:00:00:00:00:07"), lshw=lshw(False))
    (conflict,) = result.conflicts
    assert "mac: 02:00:00:00:00:07 (" in str(conflict)
    assert PORTS[1][2] in str(conflict)


def firmware(pci: str) -> str:
    stated = {"LINK_TYPE_P1": {"next_value": "ETH(2)"}}
    return json.dumps({"Device #1": {"device": pci, "tlv_configuration": stated}})


IDLE = {
    "devlink-dev.json": json.dumps({"dev": {"pci/0000:18:00.0": {}}}),
    "devlink-port.json": json.dumps({"port": {}}),
    "rdma-link.json": "[ ]\n",
    "mlxconfig-0000-29-00-1.json": firmware("0000:29:00.1"),
}


@pytest.mark.parametrize("file", IDLE)
def test_a_file_that_adds_nothing_to_the_others_of_its_host_gives_no_line(file: str) -> None:
    result = import_texts({"gpu-1.tar/gpu-1/sysfs.txt": sysfs(), f"gpu-1.tar/gpu-1/{file}": IDLE[file]}, "s")
    assert result.unread == ()
    assert result.remarks == ()


def test_the_number_of_gpus_is_of_use() -> None:
    topo = "\tGPU0\tGPU1\tCPU Affinity\nGPU0\t X \tNV18\t0-55\nGPU1\tNV18\t X \t0-55\n"
    result = import_texts({"gpu-1/sysfs.txt": sysfs(), "gpu-1/topo.txt": topo}, "s")
    assert result.unread == ()
    assert result.site.number("node", ("gpu-1",), "gpus/nvidia.com/gpu") == 2


@pytest.mark.parametrize("file", IDLE)
def test_a_file_of_another_host_alone_has_nothing_to_import(file: str) -> None:
    result = import_texts({"gpu-1/sysfs.txt": sysfs(), f"gpu-2/{file}": IDLE[file]}, "s")
    assert result.unread == (f"gpu-2/{file}",)


def test_hosts_without_neighbours_share_a_line() -> None:
    silent = json.dumps({"lldp": [{"interface": []}]})
    texts = {f"gpu-{n}/lldp.json": silent for n in range(1, 5)}
    result = import_texts({"gpu-1/sysfs.txt": sysfs(), **texts}, "s")
    (line,) = [str(each) for each in result.remarks if "LLDP" in str(each)]
    assert line == "gpu-1/lldp.json:1: LLDP output without a neighbour (and 3 more)"


def test_one_cause_on_all_hosts_is_one_contradiction() -> None:
    """Tars of two times: before VFs and MTU were set, and after."""
    texts: dict[str, str] = {}
    for n in range(1, 5):
        for when, text in (
            ("old", sysfs(bonded=False)),
            ("new", sysfs(bonded=False).replace("vfs=0", "vfs=8")),
        ):
            own = text.replace("mtu=9000", "mtu=1500") if when == "old" else text
            texts[f"{when}/gpu-{n}.tar/gpu-{n}/sysfs.txt"] = own
    found = [str(each) for each in import_texts(texts, "s").conflicts]
    assert len(found) == 2
    assert all(each.endswith("(and 7 more)") for each in found)
    assert {each.partition(", ")[2].partition(":")[0] for each in found} == {"vfs", "mtu"}


@pytest.mark.parametrize("between", ["\n", ",\n", ""])
def test_lshw_of_an_old_release_prints_no_list(between: str) -> None:
    """Before lyonel/lshw 2b1c730 objects of a class have no list around them, and at times no commas."""
    rows = [json.dumps({**row, "product": "x [15B3:1021]"}, indent=2) for row in lshw_rows(False)]
    result = import_texts({"gpu-1.lshw.json": between.join(rows)}, "s")
    assert result.problems == ()
    assert macs(result) == [mac for *_, mac in PORTS]
    second = rows[0].count("\n") + between.count("\n") + 1
    said = result.site.said("card", ("gpu-1", PORTS[1][0]), "netdev")
    assert said is not None
    assert said.at.line > second


def test_a_broken_list_of_lshw_is_named() -> None:
    text = json.dumps(lshw_rows(False)[0]) + "\n{"
    result = import_texts({"gpu-1.lshw.json": text, "gpu-2/sysfs.txt": sysfs()}, "s")
    assert [problem.source.file for problem in result.problems if problem.source] == ["gpu-1.lshw.json"]
