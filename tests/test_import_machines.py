"""Virtual machines of clouds and hypervisors: their functions, and the round trip of the three shipped
inventories with VMs. What their dumps do not show is listed here by name."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import pytest
import yaml

from netplan.importing.run import Imported, import_texts
from netplan.pipeline import compile_texts
from tests.cli_runs import netplan
from tests.dumped_machines import COLLECTED, crusoe, eks, eks_node, vf_line, vsphere
from tests.dumped_site import listed, node
from tests.inventories import compiled, outputs, text_of
from tests.test_import import data, refused, todo_lines


@dataclass(frozen=True)
class Round:
    """``todos``: keys that the import leaves as TODO, once per occurrence. ``known``: values in the dumps
    that the reference does not state, removed here. ``stated``: values to fill in or add by hand, as in the
    reference; ``renamed``: names chosen by hand, (section, name) -> name."""

    dumps: Callable[[Mapping[str, str]], dict[str, str]]
    todos: tuple[str, ...]
    known: tuple[str, ...]
    stated: tuple[str, ...]
    renamed: Mapping[tuple[str, str], str]
    remarks: tuple[str, ...] = ()


ROUNDS = {
    "eks-efa": Round(
        dumps=eks,
        todos=("cni", "pod_cidr", "service_cidr"),
        known=("cluster.kubernetes_version",),
        stated=("cluster.primary_network", "hosts", "workloads"),  # hosts: a count there, names in the nodes
        renamed={("host_types", "p4d-24xlarge"): "p4d"},
    ),
    "crusoe-k3s-infiniband": Round(
        dumps=crusoe,
        todos=("cni", "pod_cidr", "service_cidr", "rdma_mode"),
        known=("cluster.kubernetes_version",),
        stated=(
            "cluster.primary_network",
            "cluster.rdma_mode",
            "cluster.gpu_operator.namespace",
            "cluster.nfd",
            "cluster.memlock",
            "fabric.partition",
            "host_types.h100-sxm-ib.instance_type",
            "workloads",
        ),
        renamed={("host_types", "type-1"): "h100-sxm-ib", ("hcas", "front-end4"): "eth4"},
    ),
    "vsphere-pvrdma": Round(
        dumps=vsphere,
        todos=("cni", "pod_cidr", "service_cidr", "dscp", "dscp", "model", "sn2700-1"),
        known=(),
        stated=(
            "cluster.primary_network",
            "fabric.arp",
            "fabric.qos.trust",
            "fabric.qos.classes.roce.dscp",  # Onyx's profile maps eight DSCPs to a class
            "fabric.qos.classes.roce.bandwidth_percent",
            "fabric.qos.classes.cnp.dscp",
            "vlans",
            "subnets.high-speed.vlan",
            "host_types.esxi",
            "hosts.sc2esx[24-27]",
            *(f"hosts.sc2esx{number}" for number in range(24, 28)),
            "hosts.sckubw[01-04].runs_on",
            "switch_types.sn2700.model",
            "switch_types.sn2700.port_mtu",
            "switches.sn2700-1.id",
            "switches.sn2700-1.role",
            "links",
            "networks.roce.hosts",
            "workloads",
            "accept",
        ),
        renamed={
            ("host_types", "pvrdma"): "worker-vm",
            ("networks", "pvrdma"): "roce",
            ("subnets", "pvrdma"): "high-speed",
            ("switch_types", "unknown"): "sn2700",
            ("classes", "tc6"): "cnp",
        },
        remarks=tuple(
            f"sn2700-1 1/{port} has sc2esx{port + 23} cx5, which is neither a card nor a switch in the dumps"
            for port in range(1, 5)
        ),
    ),
}


def imported(name: str) -> Imported:
    return import_texts(ROUNDS[name].dumps(outputs(compiled(name))), name)


def person(name: str, found: Any) -> Any:
    """The imported inventory after manual completion."""
    case, stated = ROUNDS[name], yaml.safe_load(text_of(name))
    for (section, old), new in case.renamed.items():
        found = _renamed(found, section, old, new)
    for path in case.known:
        _set(found, path.split("."), None)
    for path in case.stated:
        value = stated
        for part in path.split("."):
            value = value.get(part) if value is not None else None
        _set(found, path.split("."), value)
    return found


_REFERS = {
    "host_types": ("hosts",),
    "subnets": ("networks",),
    "switch_types": ("switches",),
}


def _renamed(found: Any, section: str, old: str, new: str, inside: str = "") -> Any:
    """Rename a key in its section and the references to it in other sections."""
    if isinstance(found, dict):
        pairs = [
            (new if inside == section and key == old else key, key, value) for key, value in found.items()
        ]
        place = inside if inside in _REFERS.get(section, ()) else ""
        return {name: _renamed(value, section, old, new, place or key) for name, key, value in pairs}
    return new if found == old and inside in _REFERS.get(section, ()) else found


def _set(found: Any, path: list[str], value: Any) -> None:
    """Set a value; None removes the key."""
    for part in path[:-1]:
        found = found.setdefault(part, {})
    if value is None:
        found.pop(path[-1], None)
    else:
        found[path[-1]] = value


@pytest.mark.parametrize("name", ROUNDS)
def test_the_way_round(name: str) -> None:
    """Every file of the tree is equal, to the byte."""
    files, result = outputs(compiled(name)), imported(name)
    assert (result.conflicts, result.problems) == ((), ())
    assert tuple(remark.text for remark in result.remarks) == ROUNDS[name].remarks
    text = yaml.safe_dump(person(name, data(result)), sort_keys=False)
    again = compile_texts({"site.yaml": text})
    assert [d for d in again.diagnostics if d.severity == 2] == []
    made = {a.path: a.text for a in again.artifacts}
    assert sorted(made) == sorted(files)
    assert [path for path in files if made[path] != files[path]] == []


@pytest.mark.parametrize("name", ROUNDS)
def test_what_no_dump_says_is_asked_by_name(name: str) -> None:
    text = imported(name).text
    lines = todo_lines(text)
    keys = [text.splitlines()[number - 1].split(":")[0].strip() for number in lines]
    assert sorted(keys) == sorted(ROUNDS[name].todos)
    assert set(lines) == refused(text)


@pytest.mark.parametrize("name", ["eks-efa", "crusoe-k3s-infiniband"])
def test_onto_the_inventory_the_machines_differ_in_nothing(name: str, tmp_path: Any) -> None:
    """Neither in VFs, whose PCI addresses the inventory lacks, nor in workers that it only counts."""
    site = tmp_path / "site.yaml"
    site.write_text(yaml.safe_dump(person(name, data(imported(name))), sort_keys=False))
    (tmp_path / "dumps").mkdir()
    for file, text in ROUNDS[name].dumps(outputs(compiled(name))).items():
        path = tmp_path / "dumps" / file
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    _, out, _ = netplan("import", str(tmp_path / "dumps"), "--into", str(site))
    version = "cluster.kubernetes_version"
    assert [line for line in out.splitlines() if line.startswith("  ") and version not in line] == []
    assert ("NicClusterPolicy: as planned, as far as netplan reads it\n" in out) is ("crusoe" in name)


def machine(lines: str, **labels: str) -> Imported:
    """One VM with GPUs and these functions."""
    own = node("vm-1", {key.replace("_", "/", 1).replace("_", "-"): v for key, v in labels.items()}, 8)
    return import_texts({"nodes.yaml": listed([own]), "vm-1.sysfs.txt": COLLECTED + lines}, "site")


def hcas(result: Imported) -> Any:
    return next(iter(data(result)["host_types"].values()))["hcas"]


def test_the_firmware_says_the_model_of_a_vf() -> None:
    """101e is the VF of eight models; the first number of the firmware version identifies the chip."""
    for firmware, model in (
        ("22.41.1000", "connectx-6-dx"),
        ("28.37.1700", "connectx-7"),
        ("40.45.1020", "connectx-8"),
    ):
        found = hcas(machine(vf_line(1, "mlx5_0", "ethernet", 100, f"firmware={firmware}")))
        assert [row["model"] for row in found.values()] == [model]


def test_what_the_model_may_be_is_asked() -> None:
    """The TODO lists those of the eight models with 400 Gb/s and InfiniBand."""
    text = machine(vf_line(1, "mlx5_0", "infiniband", 400, "")).text
    row = next(line for line in text.splitlines() if "model: TODO" in line)
    assert "TODO: model; one of connectx-7, connectx-8, connectx-9, bluefield-3; cat /sys/class/" in row
    assert "link: infiniband, use: vf, virtual: true, rdma_device: mlx5_0" in row
    assert text.splitlines().index(row) + 1 in refused(text)


def test_the_instance_type_says_the_model_of_a_vf() -> None:
    line = vf_line(1, "mlx5_0", "infiniband", 400, "")
    result = machine(line, **{"node.kubernetes.io_instance_type": "Standard_ND96isr_H100_v5"})
    kind = next(iter(data(result)["host_types"].values()))
    assert (kind["instance_type"], kind["hcas"]["ib0"]["model"]) == ("Standard_ND96isr_H100_v5", "connectx-7")


LSPCI = """Slot:\t{slot}
Class:\tInfiniband controller [0207]
Vendor:\tMellanox Technologies [15b3]
Device:\t{name} [{device}]
"""


def test_a_vf_beside_its_card_is_no_card() -> None:
    """Without the kernel's information, a VF belongs to a VM if no HCA of the host could have created it."""
    card = LSPCI.format(slot="0000:18:00.0", name="MT2910 Family", device="1021")
    vf = LSPCI.format(slot="0000:18:00.1", name="ConnectX Family mlx5Gen Virtual Function", device="101e")
    metal = import_texts({"gpu-1.lspci.txt": f"{card}\n{vf}"}, "site")
    assert [(c.pci, c.virtual) for c in metal.folded.cards] == [("0000:18:00.0", False)]
    guest = import_texts({"vm-1.lspci.txt": vf}, "site")
    assert [(c.pci, c.virtual, c.model) for c in guest.folded.cards] == [("0000:18:00.1", True, "")]
    assert "vfs: hypervisor # a VF whose card is outside the machine, vm-1.lspci.txt:4" in guest.text


PLUGIN = """apiVersion: v1
kind: ConfigMap
metadata: {name: plugin, namespace: kube-system}
data:
  config.json: '{"resourceList": [%s]}'
"""


def test_an_address_that_the_plugin_goes_by_is_kept() -> None:
    rows = ",".join(
        json.dumps({"resourceName": f"rail_{n}", "selectors": {"pciAddresses": [f"0000:0{n + 1}:00.0"]}})
        for n in range(2)
    )
    lines = "".join(vf_line(n + 1, f"mlx5_{n}", "infiniband", 400) for n in range(2))
    texts = {"vm-1.sysfs.txt": COLLECTED + lines, "plugin.yaml": PLUGIN % rows}
    found = hcas(import_texts(texts, "site"))
    assert [found[f"ib{n}"]["pci"] for n in range(2)] == ["0000:01:00.0", "0000:02:00.0"]
    assert found["ib[0-1]"]["rail"] == 0


def test_efa_of_an_instance_type_that_the_catalog_lacks() -> None:
    nodes = listed([eks_node(f"ip-10-0-1-{n}.ec2.internal", "p9.48xlarge", 8, 16) for n in (5, 6)])
    result = import_texts({"nodes.yaml": nodes}, "site")
    row = next(line for line in result.text.splitlines() if "efa[0-15]" in line)
    assert "{model: TODO, speed_gbps: TODO, use: pf, virtual: true}" in row
    assert "TODO: model; efa, efa-1, efa-2 or efa-3 by generation" in row
    assert "TODO: speed_gbps; " in row


def test_efa_as_the_kernel_shows_it() -> None:
    """The functions from collect.sh replace the count; EFA reports no link layer."""
    line = "pci=0000:{:02x}:00.0 vendor=0x1d0f device=0xefa1 numa=0 vfs= ib=rdmap{}s0 link_layer=Unspecified "
    lines = "".join(line.format(n + 16, n + 16) + 'rate="100 Gb/sec (4X EDR)"\n' for n in range(4))
    own = eks_node("vm-1", "p5.48xlarge", 8, 4)
    result = import_texts({"nodes.yaml": listed([own]), "vm-1.sysfs.txt": COLLECTED + lines}, "site")
    assert result.folded.kinds[0].names == ("efa0", "efa1", "efa2", "efa3")
    assert {card.model for card in result.folded.cards} == {"efa-1"}
    assert [card.text("rdma_device") for card in result.folded.cards] == [
        f"rdmap{n}s0" for n in range(16, 20)
    ]
    assert data(result)["fabric"] == {"type": "efa"}
    assert data(result)["networks"] == {"efa": {"mode": "device-only"}}


ONYX = '##\n## Running database "initial"\n## Generated at 2019/05/10\n## Hostname: sn-1\n##\n'


def own(result: Imported) -> list[str]:
    """Without the VLANs, which a switch alone does not say the use of."""
    (*remarks, vlans) = [each.text for each in result.remarks]
    assert vlans.startswith("VLAN 100 of the switches: the dumps have no rail and no network")
    return remarks


def test_onyx_a_range_of_ports_of_a_slot_is_each_of_them() -> None:
    lines = "   interface ethernet 1/1-1/3 switchport access vlan 100\n"
    result = import_texts({"a.txt": ONYX + lines}, "site")
    assert own(result) == []
    assert result.site.every("port") == [("sn-1", "1/1"), ("sn-1", "1/2"), ("sn-1", "1/3")]


def test_onyx_a_lag_is_told() -> None:
    lines = "   interface ethernet 1/1 switchport access vlan 100\n"
    lines += "   interface ethernet 1/1 mlag-channel-group 1 mode active\n"
    result = import_texts({"a.txt": ONYX + lines}, "site")
    assert own(result) == ["sn-1: 1/1 is in a LAG: VLANs and addresses of the LAG are not taken"]


def test_onyx_a_range_of_ports_over_slots_is_told() -> None:
    lines = "   interface ethernet 1/1 switchport access vlan 100\n"
    lines += "   interface ethernet 1/2-2/18 speed 10G force\n"
    result = import_texts({"a.txt": ONYX + lines}, "site")
    assert own(result) == ["sn-1: lines of 1/2-2/18, a range of ports, are not read"]
