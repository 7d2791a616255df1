"""``netplan import`` of hosts without Kubernetes: output of host tools, and collect.sh.

The shapes are those of the sources named in ``netplan/importing/bare``; values are our own. Tables of
nvidia-smi have the shape of those in NVIDIA/nccl#933 (a NIC each), NVIDIA/nccl#2157 (several behind one
switch), deepseek-ai/DeepEP#128 (tabs as blanks) and NVIDIA/nccl-tests#78 (RDMA devices in the header).
"""

from __future__ import annotations

import gzip
import io
import json
import os
import re
import subprocess
import tarfile
from pathlib import Path
from typing import Any

import pytest
import yaml

from netplan import importing
from netplan.importing import packed
from netplan.importing.bare.rows import address, host_of
from netplan.importing.recognise import recognised
from netplan.importing.run import Imported, import_texts
from netplan.importing.sources import read_sources
from netplan.load import InputError
from tests.cli_runs import netplan
from tests.dumped_site import listed, nic_device, node
from tests.test_import import ODD, refused, spots, todo_lines, with_odd

SLOTS = {"0000:1a:00.0": ("ens1np0", 0), "0000:3c:00.0": ("ens2np0", 0), "0000:9d:00.0": ("ens9f0np0", 1)}
GPU_NICS = ("0000:3c:00.0", "0000:1a:00.0")
"""NICs of GPU0 and GPU1: not in address order."""


def mac(pci: str) -> str:
    return f"b8:3f:d2:00:00:{pci[5:7]}"


def lshw(numeric: bool = True) -> list[dict[str, Any]]:
    return [
        {
            "id": "network",
            "class": "network",
            "claimed": True,
            "handle": f"PCI:{pci}",
            "description": "Ethernet interface",
            "product": "MT2910 Family [ConnectX-7]" + (" [15B3:1021]" if numeric else ""),
            "vendor": "Mellanox Technologies" + (" [15B3]" if numeric else ""),
            "physid": "0",
            "businfo": f"pci@{pci}",
            "logicalname": name if pci != "0000:1a:00.0" else [name, "rdma-eth"],
            "serial": mac(pci),
            "size": 400000000000,
            "configuration": {"driver": "mlx5_core", "link": "yes", "speed": "400Gbit/s"},
        }
        for pci, (name, _) in SLOTS.items()
    ]


def ip_link() -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = [
        {"ifindex": 1, "ifname": "lo", "flags": ["UP"], "mtu": 65536, "link_type": "loopback"}
    ]
    for pci, (name, _) in SLOTS.items():
        row = {"ifindex": len(rows) + 1, "ifname": name, "flags": ["UP"], "mtu": 9216, "link_type": "ether"}
        row |= {"address": "02:00:00:00:00:01", "permaddr": mac(pci), "parentbus": "pci", "parentdev": pci}
        rows.append({**row, "vfinfo_list": [{"vf": 0}, {"vf": 1}]} if pci == "0000:1a:00.0" else row)
    rows.append(
        {
            "ifindex": 9,
            "ifname": "bond0",
            "linkinfo": {"info_kind": "bond"},
            "link_type": "ether",
            "address": "02:00:00:00:00:02",
        }
    )
    return [{}, *rows]


def lspci() -> str:
    rows = [("0000:00:1f.0", "ISA bridge [0601]", "Intel Corporation [8086]", "LPC [a1c1]", "0")]
    rows += [
        (
            pci,
            "Ethernet controller [0200]",
            "Mellanox Technologies [15b3]",
            "MT2910 Family [ConnectX-7] [1021]",
            str(numa),
        )
        for pci, (_, numa) in SLOTS.items()
    ]
    virtual = "ConnectX Family mlx5Gen Virtual Function [101e]"
    rows += [
        (f"0000:1a:00.{n}", "Ethernet controller [0200]", "Mellanox Technologies [15b3]", virtual, "0")
        for n in (1, 2)
    ]
    heads = ("Slot", "Class", "Vendor", "Device", "NUMANode")
    return "\n".join(
        "".join(f"{head}:\t{cell}\n" for head, cell in zip(heads, row, strict=True)) for row in rows
    )


def topology(mark: str = "PIX", legend: bool = True, space: str = "\t") -> str:
    names = ["mlx5_0", "mlx5_1", "mlx5_2"]
    nics = ["NIC0", "NIC1", "NIC2"] if legend else names
    cells = [[" X ", "NV18", "NODE", mark, "SYS"], ["NV18", " X ", mark, "NODE", "SYS"]]
    head = space.join(
        ["", "\x1b[4mGPU0", "GPU1", *nics, "CPU Affinity", "NUMA Affinity", "GPU NUMA ID\x1b[0m"]
    )
    rows = [space.join([f"GPU{n}", *row, "0-55,112-167", "0", "", "N/A"]) for n, row in enumerate(cells)]
    rows += [space.join([nic, *(row[n + 2] for row in cells), "X"]) for n, nic in enumerate(nics)]
    end = "\nLegend:\n\n  X    = Self\n  PIX  = Connection traversing at most a single PCIe bridge\n"
    if legend:
        end += "\nNIC Legend:\n\n" + "".join(
            f"  {nic}: {name}\n" for nic, name in zip(nics, names, strict=True)
        )
    return "\n".join([head, *rows, end])


def rdma_link() -> list[dict[str, Any]]:
    return [
        {
            "ifindex": n,
            "ifname": f"mlx5_{n}",
            "port": 1,
            "state": "ACTIVE",
            "physical_state": "LINK_UP",
            "netdev": name,
        }
        for n, (name, _) in enumerate(SLOTS.values())
    ]


def devlink() -> dict[str, Any]:
    ports = {
        f"pci/{pci}/65535": {"type": "eth", "netdev": name, "flavour": "physical", "ibdev": f"mlx5_{n}"}
        for n, (pci, (name, _)) in enumerate(SLOTS.items())
    }
    return {
        "port": {**ports, "pci/0000:1a:00.0/1": {"type": "eth", "netdev": "ens1np0_0", "flavour": "pcivf"}}
    }


def mlxconfig(pci: str) -> dict[str, Any]:
    settings = {
        name: {"read_only": False, "next_value": value}
        for name, value in (("NUM_OF_VFS", "16"), ("LINK_TYPE_P1", "ETH(2)"))
    }
    return {
        "Device #1": {
            "device_type": "ConnectX7",
            "name": "MCX75310AAS",
            "device": pci,
            "tlv_configuration": settings,
        }
    }


def host(name: str, form: str = "{}.{}.json") -> dict[str, str]:
    found = {"lshw": lshw(), "ip-link": ip_link(), "rdma-link": rdma_link(), "devlink-port": devlink()}
    found |= {f"mlxconfig-{n}": mlxconfig(pci) for n, pci in enumerate(SLOTS)}
    texts = {form.format(name, what): json.dumps(data, indent=3) for what, data in found.items()}
    texts[form.format(name, "lspci").replace(".json", ".txt")] = lspci()
    texts[form.format(name, "topo").replace(".json", ".txt")] = topology()
    return texts


def data(result: Imported) -> Any:
    return yaml.safe_load(result.text)


def hcas(texts: dict[str, str]) -> dict[str, Any]:
    (kind,) = data(import_texts(texts, "site"))["host_types"].values()
    found: dict[str, Any] = kind["hcas"]
    return found


def test_a_host_from_all_of_its_programs() -> None:
    """Rails follow the GPUs, an HCA far from all GPUs is front-end, VFs are not HCAs."""
    result = import_texts({**host("gpu-1"), **host("gpu-2", "dumps/{}/{}.json")}, "site")
    assert (result.conflicts, result.problems, result.unread) == ((), (), ())
    (kind,) = data(result)["host_types"].values()
    assert kind["gpus"] == 2
    assert kind["hcas"] == {
        "roce[0-1]": {"model": "connectx-7", "rail": 0, "speed_gbps": 400, "link": "ethernet"},
        "roce0": {"use": "pf", "pci": GPU_NICS[0], "netdev": "ens2np0", "rdma_device": "mlx5_1", "numa": 0},
        "roce1": {
            "use": "vf",
            "vfs": 2,
            "pci": GPU_NICS[1],
            "netdev": "ens1np0",
            "rdma_device": "mlx5_0",
            "numa": 0,
        },
        "front-end2": {
            "model": "connectx-7",
            "speed_gbps": 400,
            "link": "ethernet",
            "use": "front-end",
            "pci": "0000:9d:00.0",
            "netdev": "ens9f0np0",
            "rdma_device": "mlx5_2",
            "numa": 1,
        },
    }
    assert data(result)["hosts"] == {"gpu-[1-2]": {"type": "type-1"}}
    assert "rails proposed by the nearest GPUs" in result.text
    assert set(todo_lines(result.text)) <= refused(result.text)


@pytest.mark.parametrize(
    "table", [topology(), topology("PXB"), topology(legend=False), topology(space="     ")]
)
def test_shapes_of_the_table_of_gpus(table: str) -> None:
    texts = {**host("gpu-1"), "gpu-1.topo.txt": table}
    found = hcas(texts)
    assert [found[f"roce{n}"]["pci"] for n in range(2)] == list(GPU_NICS)


@pytest.mark.parametrize("mark", ["PHB", "NODE", "SYS"])
def test_a_table_without_near_cards_says_no_rail(mark: str) -> None:
    """As in virtual machines: rails are in address order, and the inventory says so."""
    result = import_texts({**host("gpu-1"), "gpu-1.topo.txt": topology(mark)}, "site")
    assert "proposed by PCI address" in result.text


def test_several_cards_behind_one_switch_of_two_gpus() -> None:
    table = topology("PXB").replace("NODE", "PXB")
    found = hcas({**host("gpu-1"), "gpu-1.topo.txt": table})
    assert [found[f"roce{n}"]["pci"] for n in range(2)] == sorted(GPU_NICS)


def test_a_host_that_lacks_a_card_keeps_the_rails_of_the_others() -> None:
    """By its GPUs alone, the card of rail 1 would be on rail 0."""
    texts: dict[str, str] = {}
    for number in range(1, 5):
        texts |= host(f"gpu-{number}")
    gone = "0000:3c:00.0"
    cards = [card for card in json.loads(texts["gpu-4.lshw.json"]) if gone not in card["businfo"]]
    texts["gpu-4.lshw.json"] = json.dumps(cards)
    blocks = texts["gpu-4.lspci.txt"].split("\n\n")
    texts["gpu-4.lspci.txt"] = "\n\n".join(block for block in blocks if gone not in block)
    result = import_texts(texts, "site")
    whole, part = data(result)["host_types"].values()
    assert list(whole["hcas"]) == ["roce[0-1]", "roce0", "roce1", "front-end2"]
    assert (part["hcas"]["roce1"]["rail"], part["hcas"]["roce1"]["pci"]) == (1, "0000:1a:00.0")
    assert f"as on gpu-1, which has {gone} too" in result.text
    alone = {name: text for name, text in texts.items() if name.startswith(("gpu-3", "gpu-4"))}
    both = data(import_texts(alone, "site"))["host_types"].values()
    assert ["roce0" in kind["hcas"] for kind in both] == [True, True]


def test_a_host_whose_gpus_no_dump_has_is_as_the_others() -> None:
    """Without ``nvidia-smi`` neither their number nor the rails are known; a Kubernetes node has none."""
    texts = {**host("gpu-1"), **host("gpu-2"), **host("gpu-3")}
    for kept in ("gpu-1", "gpu-3"):
        some = {name: text for name, text in texts.items() if "topo" not in name or name.startswith(kept)}
        result = import_texts(some, "site")
        (kind,) = data(result)["host_types"].values()
        assert (kind["gpus"], list(kind["hcas"])) == (2, ["roce[0-1]", "roce0", "roce1", "front-end2"])
    known = {**some, "nodes.yaml": listed([node("gpu-1", {}, 0)])}
    assert ["gpus" in kind for kind in data(import_texts(known, "site"))["host_types"].values()] == [
        False,
        True,
    ]


def test_a_virtual_function_is_no_card_of_its_own() -> None:
    """lshw does not show which HCA it belongs to, so owners.vfs becomes a TODO, not none."""
    virtual = lshw()[0] | {"businfo": "pci@0000:1a:00.2", "logicalname": "ens1v0"}
    virtual["product"] = "ConnectX Family mlx5Gen Virtual Function [15B3:101E]"
    texts = {"gpu-1.lshw.json": json.dumps([*lshw(), virtual])}
    assert hcas(texts) == hcas({"gpu-1.lshw.json": json.dumps(lshw())})
    result = import_texts(texts)
    assert "0000:1a:00.2" not in result.text
    assert data(result)["cluster"]["owners"]["vfs"] == "TODO"


def test_a_representor_of_a_vf_is_no_other_name_of_its_card() -> None:
    rows = ip_link()
    rows.append({**rows[2], "ifname": "ens1npf0vf0", "mtu": 1500, "phys_port_name": "pf0vf0"})
    assert hcas(host("gpu-1") | {"gpu-1.ip-link.json": json.dumps(rows)}) == hcas(host("gpu-1"))


def test_a_host_is_the_node_of_its_name() -> None:
    texts = {"nodes.yaml": listed([node("gpu-1", {"kind": "a"}, 2)]), **host("gpu-1.example.com")}
    result = import_texts(texts, "site")
    assert data(result)["hosts"] == {"gpu-1": {"type": "a"}}
    assert result.conflicts == ()


def test_neighbours_of_a_host_that_is_only_in_its_tar() -> None:
    chassis = {
        "leaf-1": {"id": {"type": "mac", "value": "x"}, "capability": {"type": "Bridge", "enabled": True}}
    }
    row = {"ens1np0": {"chassis": chassis, "port": {"id": {"type": "ifname", "value": "swp1"}}}}
    lldp = json.dumps({"lldp": {"interface": row}})
    found = data(import_texts({**host("gpu-1", "x.tar/{}/{}.json"), "x.tar/gpu-1/lldp.json": lldp}, "s"))
    assert found["links"] == [
        {"hosts": "gpu-1", "hca": "roce1", "switch": "leaf-1", "ports": "swp1", "cable_m": "TODO"},
        {"hosts": "gpu-1", "hca": "roce0", "switch": "TODO", "ports": "TODO", "cable_m": "TODO"},
    ]


def test_a_neighbour_without_a_name_is_told() -> None:
    chassis = {"id": {"type": "mac", "value": "98:03:9b:00:00:01"}}
    row = {"ens1np0": {"chassis": chassis, "port": {"id": {"type": "ifname", "value": "swp1"}}}}
    lldp = json.dumps({"lldp": {"interface": row}})
    remarks = import_texts({**host("gpu-1", "{}.{}.json"), "gpu-1.lldp.json": lldp}, "s").remarks
    told = [each.text for each in remarks if "neighbour" in each.text]
    assert told == ["gpu-1 ens1np0 has a neighbour that sends no system name: not taken"]


def test_whose_file_it_is_has_to_be_said() -> None:
    (remark,) = import_texts({"lspci.txt": lspci()}).remarks
    assert (
        str(remark) == "lspci.txt:1: the file does not say which host's lspci this is; name it after the host"
    )


@pytest.mark.parametrize(
    ("file", "name"),
    [
        ("gpu-1.lshw.json", "gpu-1"),
        ("d/gpu-1.example.com.ip-link.json", "gpu-1.example.com"),
        ("d/gpu-1_lspci.txt", "gpu-1"),
        ("d/gpu-1-topo.txt", "gpu-1"),
        ("gpu-1.ip_link.json", "gpu-1"),
        ("gpu-1/ip_addr.json", "gpu-1"),
        ("d/gpu_1_nvidia_smi_topo.txt", "gpu_1"),
        ("a.tar/gpu-1/mlxconfig-0000-1a-00-0.json", "gpu-1"),
        ("d/gpu-1.tar.gz/lspci.txt", "gpu-1"),
        ("lspci.txt", ""),
        ("../lspci.txt", ""),
        ("a b/lspci.txt", ""),
    ],
)
def test_whose_file_it_is(file: str, name: str) -> None:
    assert host_of(file) == name


@pytest.mark.parametrize(
    ("text", "pci"),
    [
        ("pci@0000:1A:00.0", "0000:1a:00.0"),
        ("1a:00.0", "0000:1a:00.0"),
        ("00000010:03:00.0", "0010:03:00.0"),
        ("pci/0002:03:00.0/65535", "0002:03:00.0"),
        ("/dev/mst/mt4129_pciconf0", ""),
        ("usb@1:2", ""),
        ("10000:e1:00.0", ""),
    ],
)
def test_addresses(text: str, pci: str) -> None:
    """mstflint prints PCI addresses without a domain, nvidia-smi with 8 digits; VMD domains have 5."""
    assert address(text) == pci


SYSFS = """# netplan collect 1: pci
pci=0000:1a:00.0 vendor=0x15b3 device=0x1021 numa=0 vfs=2 \
net=ibp26s0 mac=00:00:10:29:fe:80 mtu=4092 \
type=32 speed=-1 ib=mlx5_0 link_layer=InfiniBand rate="400 Gb/sec (4X NDR)" psid=MT_0000000838
pci=0000:1a:00.1 vendor=0x15b3 device=0x101e numa=0 vfs= physfn=yes net=ens1np0v0 mac=02:00:00:00:00:09
pci=0000:41:00.0 vendor=0x15b3 device=0x1021 numa=-1 vfs=0 ib=mlx5_1 link_layer=InfiniBand \
rate="400 Gb/sec (4X NDR)" firmware=28.39.1002
"""


def test_what_the_kernel_says_is_enough() -> None:
    assert hcas({"gpu-1.sysfs.txt": SYSFS}) == {
        "ib[0-1]": {"model": "connectx-7", "rail": 0, "speed_gbps": 400, "link": "infiniband"},
        "ib0": {
            "use": "vf",
            "vfs": 2,
            "pci": "0000:1a:00.0",
            "netdev": "ibp26s0",
            "rdma_device": "mlx5_0",
            "numa": 0,
        },
        "ib1": {"use": "pf", "pci": "0000:41:00.0", "rdma_device": "mlx5_1"},
    }


@pytest.mark.parametrize(
    ("link", "speed", "rate", "gbps"),
    [
        ("Ethernet", "speed=-1 ", "40 Gb/sec (4X QDR)", "TODO"),
        ("Ethernet", "speed= ", "100 Gb/sec (2X HDR)", "TODO"),
        ("Ethernet", "", "40 Gb/sec (4X QDR)", "TODO"),
        ("Ethernet", "", "100 Gb/sec (2X HDR)", 100),  # its network interface is in a pod
        ("InfiniBand", "speed=-1 ", "10 Gb/sec (4X SDR)", "TODO"),
        ("InfiniBand", "speed=-1 ", "40 Gb/sec (4X QDR)", 40),
    ],
)
def test_a_port_without_link_has_no_speed(link: str, speed: str, rate: str, gbps: int | str) -> None:
    line = f'pci=0000:1a:00.0 vendor=0x15b3 device=0x1021 {speed}ib=mlx5_0 link_layer={link} rate="{rate}"'
    (row,) = hcas({"gpu-1.sysfs.txt": f"# netplan collect 1: pci\n{line}\n"}).values()
    assert row["speed_gbps"] == gbps


def test_collect_sh_gathers_what_programs_print(tmp_path: Path) -> None:
    """With fake programs: the tar contains their output, and import reads it."""
    for name, text in (
        ("lspci", lspci()),
        ("nvidia-smi", topology()),
        ("uname", "gpu-1"),
        ("lshw", json.dumps(lshw())),
    ):
        program = tmp_path / "bin" / name
        program.parent.mkdir(exist_ok=True)
        (tmp_path / f"{name}.out").write_text(text)
        program.write_text(f"#!/bin/sh\nexec cat {tmp_path}/{name}.out\n")
        program.chmod(0o755)
    script = netplan("import", "--collect-script")[1]
    assert script == (Path(importing.__file__).parent / "collect.sh").read_text()
    env = {"PATH": f"{tmp_path}/bin:{os.environ['PATH']}", "TMPDIR": str(tmp_path)}
    made = subprocess.run(["sh", "-s"], input=script.encode(), capture_output=True, env=env, check=True)
    tar = tmp_path / "any.tar"
    tar.write_bytes(made.stdout)
    texts = read_sources([str(tar)])
    assert texts[f"{tar}/gpu-1/lspci.txt"] == lspci()
    assert {recognised(text) for text in texts.values()} >= {"lspci", "topology", "lshw", "sysfs"}
    assert data(import_texts(texts))["hosts"] == {"gpu-1": {"type": "type-1"}}
    assert not [path for path in tmp_path.iterdir() if path.name.startswith("tmp.")]


def tarred(*members: tuple[tarfile.TarInfo, bytes]) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as tar:
        for info, body in members:
            info.size = len(body)
            tar.addfile(info, io.BytesIO(body))
    return out.getvalue()


def member(name: str, kind: bytes = tarfile.REGTYPE, link: str = "") -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    info.type, info.linkname = kind, link
    return info


def test_members_are_labels_and_nothing_is_unpacked(tmp_path: Path) -> None:
    (tmp_path / "x.tgz").write_bytes(
        gzip.compress(
            tarred(
                (member("../../etc/cron.d/gpu-1/lspci.txt"), lspci().encode()),
                (member("/gpu-2/topo.txt"), topology().encode()),
                (member("gpu-3/lspci.txt", tarfile.SYMTYPE, "/etc/passwd"), b""),
                (member("gpu-4/\x1b[2J.txt"), b"x\xff"),
            )
        )
    )
    found = read_sources([str(tmp_path)])
    assert [name.removeprefix(f"{tmp_path}/") for name in found] == [
        "x.tgz/gpu-1/lspci.txt", "x.tgz/gpu-2/topo.txt", "x.tgz/gpu-4/\\x1b[2J.txt"]  # fmt: skip
    assert [path.name for path in tmp_path.iterdir()] == ["x.tgz"]


@pytest.mark.parametrize(
    ("body", "wanted"),
    [
        (b"", "cannot be read as a tar"),
        (b"\x1f\x8b" + b"\x00" * 40, "cannot be read as a tar"),
        (gzip.compress(tarred((member("a"), b"x" * 5000)), mtime=0)[:60], "cannot be read as a tar"),
        (tarred((member("a"), b"x" * 4000)), "is larger than"),
        (gzip.compress(tarred(*[(member(f"{n}"), b"x" * 900) for n in range(9)])), "unpacks to more than"),
        (tarred(*[(member(f"{n}"), b"") for n in range(4)]), "has more than 3 members"),
    ],
    ids=["empty", "no gzip", "cut off", "a large member", "a bomb", "many members"],
)
def test_a_hostile_tar(body: bytes, wanted: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    limits = {"MAX_MEMBERS": 3 if "members" in wanted else 99, "MAX_MEMBER": 3000}
    limits["MAX_TOTAL"] = 9000 if "unpacks" in wanted else 99_000
    for name, value in limits.items():
        monkeypatch.setattr(packed, name, value)
    (tmp_path / "x.tar").write_bytes(body)
    with pytest.raises(InputError, match=wanted):
        read_sources([str(tmp_path / "x.tar")])
    status, _, err = netplan("import", str(tmp_path / "x.tar"))
    assert status == 2
    assert wanted in err
    (tmp_path / "gpu-1.lspci.txt").write_text(lspci())
    status, out, err = netplan("import", str(tmp_path))  # the others are read
    assert status == 1
    assert re.search(f"^not read: .*{wanted}", err, re.MULTILINE)
    assert re.search(f"^# Not read: .*{wanted}", out, re.MULTILINE)
    assert "\n  gpu-1: " in out


@pytest.mark.sample(1)
@pytest.mark.parametrize("what", ["lshw", "ip-link", "rdma-link", "devlink-port", "mlxconfig-0"])
def test_any_value_anywhere_is_no_crash(what: str) -> None:
    base = host("gpu-1")
    whole = json.loads(base[f"gpu-1.{what}.json"])
    whole = whole[:3] if isinstance(whole, list) else whole
    for number, spot in enumerate(spots(whole)):
        texts = {**base, f"gpu-1.{what}.json": json.dumps(with_odd(whole, spot, ODD[number % len(ODD)]))}
        assert data(import_texts(texts))["version"] == 1


@pytest.mark.sample(1)
@pytest.mark.parametrize("text", [lspci(), topology(), SYSFS])
def test_broken_texts_are_no_crash(text: str) -> None:
    for at in range(0, len(text), 41):
        for broken in (text[:at], text[:at] + "\x00\udcff=\t[" + text[at + 3 :]):
            assert data(import_texts({"gpu-1.x.txt": lspci() + "\n", "gpu-1.y.txt": broken}))["version"] == 1


def devices(*versions: str) -> Imported:
    cards = [nic_device(f"gpu-{number}", "0000:18:00.0", "ens1") for number, _ in enumerate(versions)]
    for card, version in zip(cards, versions, strict=True):
        card["status"]["firmwareVersion"] = version
    return import_texts({"x.yaml": listed(cards)}, "site")


def test_the_firmware_of_a_card_is_in_its_comment() -> None:
    """The inventory has no key for it; of a rollout it matters."""
    result = devices("16.35.4030", "16.35.4030")
    assert result.remarks == ()
    assert "firmware 16.35.4030; x.yaml:" in result.text


def test_cards_of_one_model_with_other_firmware_are_told() -> None:
    (told,) = (each.text for each in devices("16.35.4030", "16.35.4030", "16.35.3006").remarks)
    seen = "16.35.4030 on 2 cards, 16.35.3006 on 1 card, such as gpu-2 0000:18:00.0"
    assert told == f"firmware of connectx-5: {seen}; the inventory has no key for it"
