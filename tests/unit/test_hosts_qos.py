"""The NIC QoS script, run with recorded commands and its own sysfs."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from netplan.plan.nic_qos import device_unit
from tests.unit.host_inventory import artifacts, plans, settings

TOOLS = ("mlnx_qos", "cma_roce_mode", "cma_roce_tos")
SHELLS = [s for s in ("dash", "bash", "busybox") if shutil.which(s)]


class Node:
    """A directory with ``bin`` (tools that record their arguments) and ``sys``."""

    def __init__(self, root: Path) -> None:
        self.root, self.log, self.sys = root, root / "log", root / "sys"
        (root / "bin").mkdir()
        for tool in TOOLS:
            path = root / "bin" / tool
            path.write_text(f'#!/bin/sh\necho {tool} "$@" >> {self.log}\n')
            path.chmod(0o755)

    def add(self, netdev: str, pci: str, rdma: str) -> None:
        net = self.sys / "class/net" / netdev
        for path in (
            net / "device/infiniband" / rdma,
            net / "ecn/roce_np/enable",
            net / "ecn/roce_rp/enable",
            self.sys / "bus/pci/devices" / pci / "net" / netdev,
            self.sys / "class/infiniband" / rdma / "tc/1",
        ):
            path.mkdir(parents=True)
        for file in ("roce_np/enable/3", "roce_rp/enable/3", "roce_np/cnp_dscp", "roce_np/cnp_802p_prio"):
            (net / "ecn" / file).write_text("0\n")
        (self.sys / "class/infiniband" / rdma / "tc/1/traffic_class").write_text("0\n")

    def run(self, script: str, shell: str = "sh", wait: str = "0") -> subprocess.CompletedProcess[str]:
        path = self.root / "rdma-nic-qos.sh"
        path.write_text(script)
        command = [shell, "sh", str(path)] if shell == "busybox" else [shell, str(path)]
        env = {"PATH": f"{self.root / 'bin'}:{os.environ['PATH']}", "RDMA_NIC_QOS_SYS": str(self.sys)}
        env["RDMA_NIC_QOS_WAIT"] = wait
        return subprocess.run(command, env=env, capture_output=True, text=True, check=False)

    def calls(self, tool: str) -> list[str]:
        return [c.removeprefix(f"{tool} ") for c in self.log.read_text().splitlines() if c.startswith(tool)]

    def value(self, path: str) -> str:
        return (self.sys / path).read_text().strip()


@pytest.fixture
def node(tmp_path: Path) -> Node:
    made = Node(tmp_path)
    made.add("rail0", "0000:18:00.0", "mlx5_0")
    made.add("ens2f0np0", "0000:3b:00.0", "mlx5_7")
    return made


TWO_CLASSES = "{qos: {classes: {store: {dscp: 34, priority: 4, lossless: true}}}}"
UNNAMED = "host_types: {gpu: {hcas: {roce1: {netdev: null}}}}"


def script(over: str = "") -> str:
    """The script; roce1 has no interface name, so the script must find it."""
    return artifacts(over=f"{UNNAMED}\n{over}")["gpu/rdma-nic-qos.sh"].text


@pytest.mark.parametrize("shell", SHELLS)
def test_calls_for_one_port_in_order(node: Node, shell: str) -> None:
    assert node.run(script(), shell).returncode == 0
    dscp = " ".join(f"--dscp2prio set,{d},{ {26: 3, 48: 6}.get(d, 0) }" for d in range(64))
    assert [c for c in node.calls("mlnx_qos") if c.startswith("-i rail0 ")] == [
        "-i rail0 --trust=dscp",
        "-i rail0 --pfc 0,0,0,1,0,0,0,0 --cable_len=30",
        f"-i rail0 {dscp}",
        "-i rail0 -p 0,1,2,3,4,5,6,7 -s ets,ets,ets,ets,ets,ets,strict,ets -t 50,0,0,50,0,0,0,0",
    ]


def test_a_port_without_a_name_is_found_by_its_pci_address(node: Node) -> None:
    assert node.run(script()).returncode == 0
    assert "-i ens2f0np0 --trust=dscp" in node.calls("mlnx_qos")
    assert node.calls("cma_roce_tos") == ["-d mlx5_0 -t 106", "-d mlx5_7 -t 106"]
    assert node.calls("cma_roce_mode") == ["-d mlx5_0 -p 1 -m 2", "-d mlx5_7 -p 1 -m 2"]


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("class/net/rail0/ecn/roce_np/enable/3", "1"),
        ("class/net/rail0/ecn/roce_rp/enable/3", "1"),
        ("class/net/rail0/ecn/roce_np/cnp_dscp", "48"),
        ("class/net/ens2f0np0/ecn/roce_np/cnp_802p_prio", "6"),
        ("class/infiniband/mlx5_7/tc/1/traffic_class", "106"),
    ],
)
def test_sysfs_after_a_run(node: Node, path: str, value: str) -> None:
    node.run(script())
    assert node.value(path) == value


def test_a_second_run_does_the_same(node: Node) -> None:
    node.run(script())
    first = node.log.read_text()
    assert node.run(script()).returncode == 0
    assert node.log.read_text() == first * 2


def test_a_missing_interface_fails_by_name(node: Node) -> None:
    shutil.rmtree(node.sys / "class/net/rail0")
    ran = node.run(script())
    assert (ran.returncode, ran.stderr) == (1, "rdma-nic-qos: no interface rail0\n")


def test_a_missing_pci_function_fails_by_name(node: Node) -> None:
    shutil.rmtree(node.sys / "bus/pci/devices/0000:3b:00.0")
    ran = node.run(script())
    assert ran.returncode == 1
    assert "roce1 has no interface" in ran.stderr


def test_a_port_that_the_driver_makes_late_is_waited_for(node: Node) -> None:
    """Without an interface name, there is no device unit for rdma-nic-qos.service to wait for."""
    late = node.sys / "bus/pci/devices/0000:3b:00.0/net"
    late.rename(late.with_name("later"))
    sleep = node.root / "bin/sleep"
    sleep.write_text(f'#!/bin/sh\necho sleep "$@" >> {node.log}\nmv {late.with_name("later")} {late}\n')
    sleep.chmod(0o755)
    ran = node.run(script(), wait="60")
    assert (ran.returncode, ran.stderr) == (0, "")
    assert node.calls("sleep") == ["1"]


def test_a_driver_without_ecn_files_fails(node: Node) -> None:
    shutil.rmtree(node.sys / "class/net/rail0/ecn")
    ran = node.run(script())
    assert ran.returncode == 1
    assert "ecn/roce_np/enable/3" in ran.stderr


def test_a_failing_tool_stops_the_script(node: Node) -> None:
    (node.root / "bin/mlnx_qos").write_text("#!/bin/sh\nexit 3\n")
    assert node.run(script()).returncode == 3


@pytest.mark.parametrize("shell", SHELLS)
def test_shell_syntax(tmp_path: Path, shell: str) -> None:
    path = tmp_path / "script"
    path.write_text(script())
    command = [shell, "sh", "-n", str(path)] if shell == "busybox" else [shell, "-n", str(path)]
    assert subprocess.run(command, check=False, capture_output=True).returncode == 0


def test_trust_pcp_has_no_dscp_map(node: Node) -> None:
    assert node.run(script("fabric: {qos: {trust: pcp}}")).returncode == 0
    assert not [c for c in node.calls("mlnx_qos") if "dscp2prio" in c]
    assert "-i rail0 --trust=pcp" in node.calls("mlnx_qos")


def test_without_a_cnp_class_its_files_stay(node: Node) -> None:
    node.run(script("fabric: {qos: {classes: {cnp: null}}}"))
    assert node.value("class/net/rail0/ecn/roce_np/cnp_dscp") == "0"


def test_two_lossless_classes_leave_the_traffic_class_to_the_application(node: Node) -> None:
    assert node.run(script(f"fabric: {TWO_CLASSES}")).returncode == 0
    assert node.calls("cma_roce_tos") == []


def test_a_network_decides_between_two_lossless_classes(node: Node) -> None:
    node.run(script(f"fabric: {TWO_CLASSES}\nnetworks: {{rail: {{traffic_class: store}}}}"))
    assert node.calls("cma_roce_tos") == ["-d mlx5_0 -t 138", "-d mlx5_7 -t 138"]


def test_without_links_no_cable_length_is_given(node: Node) -> None:
    assert node.run(script("links: null")).returncode == 0
    assert "-i rail0 --pfc 0,0,0,1,0,0,0,0" in node.calls("mlnx_qos")


def test_service_waits_for_known_interfaces_and_precedes_the_runtime() -> None:
    lines = settings(artifacts()["gpu/rdma-nic-qos.service"])
    assert "Wants=sys-subsystem-net-devices-rail0.device" in lines
    assert "Before=containerd.service" in lines
    other = artifacts(over="cluster: {distribution: openshift}")
    openshift = settings(other["gpu/rdma-nic-qos.service"])
    assert "Before=crio.service kubelet.service" in openshift
    assert "ExecStart=/usr/local/sbin/rdma-nic-qos.sh" in lines


def test_unit_name_is_escaped() -> None:
    assert device_unit("rail-0") == r"sys-subsystem-net-devices-rail\x2d0.device"


def test_nics_of_other_vendors_are_named_not_configured() -> None:
    over = """
    host_types: {gpu: {hcas: {roce1: {model: thor}}}}
    catalog:
      hcas:
        thor: {vendor: "14e4", pf_id: "16d7", max_vfs: 64, speeds_gbps: [100], links: [ethernet], source: "https://a.b"}
    """
    qos = plans(over=over)[0].qos
    assert qos is not None
    assert [d.hca for script in qos.scripts for d in script.devices] == ["roce0"]
    assert "No QoS file for roce1: no source" in artifacts(over=over)["gpu/README.md"].text
