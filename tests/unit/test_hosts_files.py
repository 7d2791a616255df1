"""Each host file: its content, and when it exists."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from netplan.model.fabric import Fabric
from netplan.model.hardware import HostType
from netplan.plan.host_system import plan_sysctl
from netplan.plan.nic_qos import plan_nic_qos
from tests.unit.host_inventory import PODS_WITHOUT_ADDRESSES, PVRDMA, ROCE, artifacts, plans, settings


def text(path: str, over: str = "") -> str:
    return artifacts(over=over)[path].text


def test_files_of_a_host_type() -> None:
    assert sorted(artifacts()) == [
        "gpu/10-roce0.link",
        "gpu/10-roce1.link",
        "gpu/20-roce0.network",
        "gpu/20-roce1.network",
        "gpu/README.md",
        "gpu/firmware-commands.txt",
        "gpu/modprobe.d/rdma.conf",
        "gpu/modules-load.d/rdma.conf",
        "gpu/networkd.conf.d/10-netplan.conf",
        "gpu/rdma-nic-qos.service",
        "gpu/rdma-nic-qos.sh",
        "gpu/sysctl.d/90-rdma.conf",
    ]


def test_entities_and_kind() -> None:
    script = artifacts()["gpu/rdma-nic-qos.sh"]
    assert (script.kind, script.entities, script.executable) == ("hosts", ("host_types.gpu",), True)


def test_link_pins_the_name_by_path_and_makes_the_vfs() -> None:
    assert settings(artifacts()["gpu/10-roce0.link"]) == [
        "[Match]",
        "Path=pci-0000:18:00.0",
        "[Link]",
        "Name=rail0",
        "MTUBytes=9000",
        "SR-IOVVirtualFunctions=8",
    ]


def test_operator_owns_vfs_and_their_mtu() -> None:
    over = "cluster: {owners: {vfs: sriov-network-operator, device_plugin: sriov-network-operator}}"
    assert settings(artifacts(over=over)["gpu/10-roce0.link"])[-1] == "Name=rail0"


def test_a_stated_mac_pins_the_name_on_that_host_only() -> None:
    over = "hosts: {gpu-02: {hcas: {roce0: {mac: 'B8:59:9F:00:00:02'}}}}"
    found = artifacts(over=over)
    assert "PermanentMACAddress=b8:59:9f:00:00:02" in settings(found["gpu-02/10-roce0.link"])
    assert [p for p in found if p.startswith("gpu-0")] == ["gpu-02/10-roce0.link"]


def test_interface_without_address() -> None:
    assert settings(artifacts()["gpu/20-roce0.network"]) == [
        "[Match]",
        "Name=rail0",
        "[Link]",
        "RequiredForOnline=no",
        "[Network]",
        "LinkLocalAddressing=no",
        "IPv6AcceptRA=no",
        "LLDP=yes",
        "EmitLLDP=nearest-bridge",
    ]


def test_routed_link_has_its_table_and_the_rail_in_main() -> None:
    found = artifacts(over=PODS_WITHOUT_ADDRESSES)
    assert settings(found["gpu-02/20-roce0.network"])[9:] == [
        "IgnoreCarrierLoss=yes",
        "[Address]",
        "Address=172.16.0.3/31",
        "[Route]",
        "Destination=172.16.0.2/31",
        "Scope=link",
        "PreferredSource=172.16.0.3",
        "Table=700",
        "[Route]",
        "Destination=0.0.0.0/0",
        "Gateway=172.16.0.2",
        "PreferredSource=172.16.0.3",
        "Table=700",
        "[Route]",
        "Destination=172.16.0.0/21",
        "Gateway=172.16.0.2",
        "PreferredSource=172.16.0.3",
        "[RoutingPolicyRule]",
        "From=172.16.0.3/32",
        "Table=700",
        "Priority=700",
    ]


def test_host_directory_holds_only_what_differs() -> None:
    found = artifacts(over=PODS_WITHOUT_ADDRESSES)
    assert [p for p in found if p.startswith("gpu-01")] == [
        "gpu-01/20-roce0.network",
        "gpu-01/20-roce1.network",
    ]


def test_addresses_that_an_ipam_gives_to_pods_are_not_the_hosts() -> None:
    found = artifacts(over="rails: {segment: host, prefixes: [31], vlan_ids: null}")
    assert not [p for p in found if p.startswith("gpu-0")]


def test_stated_address_takes_the_gateway_of_its_segment() -> None:
    over = "hosts: {gpu-01: {hcas: {roce0: {address: 172.16.0.9/24}}}}"
    lines = settings(artifacts(over=over)["gpu-01/20-roce0.network"])
    assert "Address=172.16.0.9/24" in lines
    assert lines.count("Gateway=172.16.0.1") == 2


def test_ipv6_address_keeps_the_link_local_one() -> None:
    over = PODS_WITHOUT_ADDRESSES.replace("prefixes: [31]", "supernets: ['fd00:16::/48'], prefixes: [127]")
    lines = settings(artifacts(over=over)["gpu-01/20-roce0.network"])
    assert "LinkLocalAddressing=ipv6" in lines
    assert "From=fd00:16::1/128" in lines


def test_networkd_leaves_the_cni_its_routes() -> None:
    assert settings(artifacts()["gpu/networkd.conf.d/10-netplan.conf"]) == [
        "[Network]",
        "ManageForeignRoutingPolicyRules=no",
        "ManageForeignRoutes=no",
    ]


def test_neighbour_table_and_huge_pages() -> None:
    # 2 pods x 2 interfaces x min(253 others in a /24, 16: job and gateway) = 64, plus 1024 for the rest
    assert settings(artifacts()["gpu/sysctl.d/90-rdma.conf"]) == [
        "net.ipv4.neigh.default.gc_thresh1 = 1088",
        "net.ipv4.neigh.default.gc_thresh2 = 1632",
        "net.ipv4.neigh.default.gc_thresh3 = 2176",
        "vm.nr_hugepages = 1026",
    ]


def test_neighbour_table_on_routed_links_counts_the_gateway_alone() -> None:
    sysctl = plans(over="rails: {segment: host, prefixes: [31], vlan_ids: null}")[0].sysctl
    assert sysctl is not None
    assert [t.total for t in sysctl.neighbours[0].terms] == [4]


def test_ipv6_neighbours_count_twice() -> None:
    sysctl = plans(over="rails: {supernets: ['fd00:16::/48'], prefixes: [64]}")[0].sysctl
    assert sysctl is not None
    assert [(n.family, n.thresholds[0]) for n in sysctl.neighbours] == [("ipv6", 1024 + 2 * 64)]


def test_one_more_host_changes_no_file_of_the_type() -> None:
    more = "hosts: {gpu-03: {type: gpu, id: 3}}"
    before, after = artifacts(), artifacts(over=more)
    assert {p: a.text for p, a in after.items()} == {p: a.text for p, a in before.items()}


def test_addressed_interfaces_answer_for_themselves() -> None:
    lines = settings(artifacts(over=PODS_WITHOUT_ADDRESSES)["gpu/sysctl.d/90-rdma.conf"])
    assert lines[:3] == [
        "net/ipv4/conf/rail0/arp_ignore = 1",
        "net/ipv4/conf/rail0/arp_announce = 2",
        "net/ipv4/conf/rail0/rp_filter = 2",
    ]


def test_ipv6_interfaces_take_no_router_advertisements() -> None:
    over = PODS_WITHOUT_ADDRESSES.replace("prefixes: [31]", "supernets: ['fd00:16::/48'], prefixes: [127]")
    lines = settings(artifacts(over=over)["gpu/sysctl.d/90-rdma.conf"])
    assert "net/ipv6/conf/rail0/accept_ra = 0" in lines
    assert "net/ipv6/conf/rail1/dad_transmits = 0" in lines
    ipv4 = settings(artifacts(over=PODS_WITHOUT_ADDRESSES)["gpu/sysctl.d/90-rdma.conf"])
    assert not [line for line in ipv4 if "ipv6" in line]


def test_exclusive_mode() -> None:
    assert settings(artifacts()["gpu/modprobe.d/rdma.conf"]) == ["options ib_core netns_mode=0"]


@pytest.mark.parametrize(
    "over",
    [
        "cluster: {rdma_mode: shared}",
        "cluster: {owners: {vfs: sriov-network-operator, device_plugin: sriov-network-operator}}",
    ],
    ids=["shared is the default", "the operator owns the mode"],
)
def test_no_modprobe_file(over: str) -> None:
    assert "gpu/modprobe.d/rdma.conf" not in artifacts(over=over)


def test_modules() -> None:
    found = artifacts()["gpu/modules-load.d/rdma.conf"]
    assert settings(found) == ["ib_umad", "ib_uverbs", "rdma_ucm", "rdma_cm"]


@pytest.mark.parametrize(
    ("distribution", "unit"),
    [("kubernetes", "containerd"), ("eks", "containerd"), ("k3s", "k3s-agent"), ("rke2", "rke2-agent")],
)
def test_memlock_of_the_runtime(distribution: str, unit: str) -> None:
    found = artifacts(over=f"cluster: {{memlock: runtime, distribution: {distribution}}}")
    drop_in = found[f"gpu/{unit}.service.d/10-rdma-memlock.conf"]
    assert settings(drop_in) == ["[Service]", "LimitMEMLOCK=infinity"]


def test_openshift_has_no_drop_in_and_the_readme_says_so() -> None:
    found = artifacts(over="cluster: {memlock: runtime, distribution: openshift}")
    assert not [p for p in found if "memlock" in p]
    assert "no drop-in for openshift" in found["gpu/README.md"].text


def test_firmware_commands() -> None:
    assert settings(artifacts()["gpu/firmware-commands.txt"]) == [
        f"mlxconfig -d {pci} set SRIOV_EN=1 NUM_OF_VFS=8 LINK_TYPE_P1=2 CNP_DSCP_P1=48 CNP_802P_PRIO_P1=6"
        for pci in ("0000:18:00.0", "0000:3b:00.0")
    ]


def test_firmware_of_a_card_with_two_ports_is_one_command() -> None:
    over = "host_types: {gpu: {hcas: {roce1: {pci: '0000:18:00.1', vfs: 4}}}}"
    assert settings(artifacts(over=over)["gpu/firmware-commands.txt"]) == [
        "mlxconfig -d 0000:18:00.0 set SRIOV_EN=1 NUM_OF_VFS=8 "
        "LINK_TYPE_P1=2 CNP_DSCP_P1=48 CNP_802P_PRIO_P1=6 "
        "LINK_TYPE_P2=2 CNP_DSCP_P2=48 CNP_802P_PRIO_P2=6"
    ]


def test_firmware_belongs_to_the_operator_that_sets_it() -> None:
    found = artifacts(over="cluster: {owners: {nic_qos: nic-configuration-operator}}")
    assert not [p for p in found if "firmware" in p or "nic-qos" in p]


def test_front_end_and_storage_appear_in_no_command() -> None:
    commands = [line for p, a in artifacts().items() if p != "gpu/README.md" for line in settings(a)]
    touched = [c for c in commands if any(w in c for w in ("eth0", "store0", "0000:5e", "0000:86"))]
    assert touched == []


@pytest.mark.parametrize(
    ("values", "files"),
    [
        ("pci: '0000:af:00.0'", ["10-roce1.link", "firmware-commands.txt"]),
        ("netdev: other1", ["10-roce1.link", "20-roce1.network", "rdma-nic-qos.service", "rdma-nic-qos.sh"]),
    ],
    ids=["other slot", "other name"],
)
def test_moved_devices_of_one_host_replace_whole_files(values: str, files: list[str]) -> None:
    found = artifacts(over=f"hosts: {{gpu-02: {{hcas: {{roce1: {{{values}}}}}}}}}")
    assert sorted(p for p in found if p.startswith("gpu-02")) == [f"gpu-02/{name}" for name in files]


def test_virtual_hcas_get_no_device_files() -> None:
    over = """
    cluster: {owners: {vfs: hypervisor}, rdma_mode: shared}
    host_types: {gpu: {hcas: {roce0: {virtual: true, vfs: null}, roce1: {virtual: true, vfs: null}}}}
    """
    assert sorted(artifacts(over=over)) == [
        "gpu/README.md",
        "gpu/modules-load.d/rdma.conf",
        "gpu/sysctl.d/90-rdma.conf",
    ]


def test_hypervisors_get_a_checklist_only() -> None:
    found = artifacts(PVRDMA)
    assert sorted(found) == [
        "esx-1/README.md",
        "esxi/README.md",
        "vm-1/README.md",
        "vm/README.md",
        "vm/modules-load.d/rdma.conf",
    ]
    assert "Net.PVRDMAVmknic" in found["esxi/README.md"].text
    assert "| hca0 | address | 192.168.0.24/24 |" in found["esx-1/README.md"].text


def test_vm_with_a_known_interface_gets_its_address() -> None:
    found = artifacts(PVRDMA, "host_types: {vm: {hcas: {pvrdma0: {netdev: ens192}}}}")
    lines = settings(found["vm-1/20-pvrdma0.network"])
    assert ("Name=ens192" in lines, "Address=192.168.0.51/24" in lines, "LLDP=yes" in lines) == (
        True,
        True,
        False,
    )
    assert "vm-1/networkd.conf.d/10-netplan.conf" in found


def test_infiniband_port_is_pinned_by_path_and_its_mac_is_left_to_a_person() -> None:
    over = """
    fabric: {type: infiniband, qos: null}
    rails: {vlan_ids: null}
    networks: {rail: {mode: ib-sriov}}
    hosts: {gpu-01: {hcas: {roce0: {mac: "b8:59:9f:00:00:01"}}}}
    """
    found = artifacts(over=over)
    assert settings(found["gpu/10-roce0.link"]) == [
        "[Match]",
        "Path=pci-0000:18:00.0",
        "[Link]",
        "Name=rail0",
        "SR-IOVVirtualFunctions=8",
    ]
    assert "LLDP=yes" not in settings(found["gpu/20-roce0.network"])
    assert "SRIOV_EN=1 NUM_OF_VFS=8 LINK_TYPE_P1=1" in found["gpu/firmware-commands.txt"].text
    assert "| roce0 | MAC | b8:59:9f:00:00:01 |" in found["gpu-01/README.md"].text


def test_a_type_without_hcas_has_no_files() -> None:
    found = artifacts(
        over="host_types: {cpu: {}}\nhosts: {gpu-01: null, cpu-1: {type: cpu, id: 9}}\nlinks: null"
    )
    assert not [p for p in found if p.startswith("cpu")]


def test_every_file_names_the_site_and_ends_with_one_newline() -> None:
    texts = [a.text for over in ("", PODS_WITHOUT_ADDRESSES) for a in artifacts(ROCE, over).values()]
    assert [t for t in texts if "site lab" not in t or not t.endswith("\n") or t.endswith("\n\n")] == []


def test_kernel_settings_are_worked_out_once_for_a_type(monkeypatch: pytest.MonkeyPatch) -> None:
    """They depend on workloads, networks and HCAs; hosts of a type differ only in device names."""
    asked: list[str] = []

    def counted(fabric: Fabric, host_type: HostType, *rest: Any) -> Any:
        asked.append(host_type.name)
        return plan_sysctl(fabric, host_type, *rest)

    monkeypatch.setattr("netplan.plan.hosts.plan_sysctl", counted)
    moved = "hosts: {gpu-01: {hcas: {roce0: {netdev: x0}}}, gpu-02: {hcas: {roce0: {netdev: y0}}}}"
    found = {plan.name: plan.sysctl for plan in plans(over=f"{PODS_WITHOUT_ADDRESSES}\n{moved}")}
    assert asked == ["gpu"]
    assert found["gpu"] is not None
    assert found["gpu"].hugepages
    assert found["gpu-01"] == replace(found["gpu"], addressed=("x0", "rail1"))
    assert found["gpu-02"] == replace(found["gpu"], addressed=("y0", "rail1"))


def test_a_host_that_repeats_its_type_has_no_files() -> None:
    """It states a MAC address, but also a PCI address, by which the type's file finds the port."""
    own = '{mac: "b8:59:9f:00:00:02", pci: "0000:18:00.0", netdev: rail0}'
    found = artifacts(over=f"hosts: {{gpu-02: {{hcas: {{roce0: {own}}}}}}}")
    assert [p for p in found if p.startswith("gpu-0")] == []


def test_a_host_with_a_pci_address_of_its_own_is_found_by_it() -> None:
    own = '{mac: "b8:59:9f:00:00:02", pci: "0000:19:00.0"}'
    found = artifacts(over=f"hosts: {{gpu-02: {{hcas: {{roce0: {own}}}}}}}")
    assert "Path=pci-0000:19:00.0" in settings(found["gpu-02/10-roce0.link"])


@pytest.mark.parametrize(("pci", "planned"), [("0000:18:00.0", 1), ("0000:19:00.0", 2)])
def test_files_that_name_devices_are_planned_once_for_the_same_devices(
    pci: str, planned: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Once for the type, and once for all hosts with the same other PCI addresses."""
    calls = []

    def counted(*arguments: Any) -> Any:
        calls.append(arguments)
        return plan_nic_qos(*arguments)

    monkeypatch.setattr("netplan.plan.hosts.plan_nic_qos", counted)
    own = "".join(f'gpu-0{n}: {{hcas: {{roce0: {{pci: "{pci}"}}}}}}, ' for n in (1, 2))
    plans(over=f"hosts: {{{own}}}")
    assert len(calls) == planned
