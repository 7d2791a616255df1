"""NIC QoS scripts of drivers other than mlx5, and mlx5 settings beyond QoS: run with recorded commands."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from netplan import resources
from netplan.catalog import nic_drivers
from netplan.model.nic_text import NIC_SCRIPT, read_nic_script
from netplan.reading.nic_scripts import odd_lines
from netplan.render.jinja import environment
from tests.unit.host_inventory import artifacts, settings
from tests.unit.test_hosts_qos import SHELLS

TOOLS = ("dcb", "ethtool", "nicctl", "mlnx_qos", "cma_roce_mode", "cma_roce_tos")


def site(vendor: str, pf_id: str, more: str = "") -> str:
    return f"""
host_types: {{gpu: {{hcas: {{roce0: {{model: other}}, roce1: {{model: other, netdev: null}}}}}}}}
catalog:
  hcas:
    other:
      {{vendor: "{vendor}", pf_id: "{pf_id}", vf_id: "1234", max_vfs: 64, speeds_gbps: [100],
       links: [ethernet], out_of_order: true, source: "https://example.com/nic"}}
{more}
"""


BNXT, IONIC = site("14e4", "1760"), site("1dd8", "1002")
BNXT_SCRIPT, IONIC_SCRIPT = "gpu/rdma-nic-qos-bnxt.sh", "gpu/rdma-nic-qos-ionic.sh"


class Node:
    """``bin``: tools that record their arguments; ``sys``: two ports, whose configfs groups are complete."""

    def __init__(self, root: Path, driver: str) -> None:
        self.root, self.log, self.sys = root, root / "log", root / "sys"
        self.bin = root / "bin"
        self.bin.mkdir()
        for tool in TOOLS:
            self.tool(tool, f'echo {tool} "$@" >> {self.log}')
        for index, (netdev, pci) in enumerate((("rail0", "0000:18:00.0"), ("ens2f0np0", "0000:3b:00.0"))):
            device = self.sys / "devices" / pci
            (device / "infiniband" / f"{driver}{index}").mkdir(parents=True)
            (self.sys / "class/net" / netdev).mkdir(parents=True)
            (self.sys / "class/net" / netdev / "device").symlink_to(device)
            (self.sys / "bus/pci/devices" / pci / "net" / netdev).mkdir(parents=True)

    def tool(self, name: str, body: str) -> None:
        path = self.bin / name
        path.write_text(f"#!/bin/sh\n{body}\n")
        path.chmod(0o755)

    def configfs(self) -> None:
        """A new directory gets its files; when it is removed, they are saved under ``kept``."""
        (self.sys / "kernel/config/bnxt_re").mkdir(parents=True)
        (self.sys / "kernel/config/rdma_cm").mkdir(parents=True)
        names = (
            "disable_prio_vlan_tx ecn_marking ecn_enable cc_mode roce_prio roce_dscp cnp_prio cnp_dscp apply"
        )
        self.tool(
            "mkdir",
            f'for last; do :; done\n/bin/mkdir -p "$last/ports/1/cc"\n'
            f'for name in {names}; do : > "$last/ports/1/cc/$name"; done\n'
            f': > "$last/ports/1/default_roce_mode"; : > "$last/ports/1/default_roce_tos"',
        )
        self.tool("rmdir", f'/bin/mkdir -p {self.root}/kept/"${{1%/*}}"\nmv "$1" {self.root}/kept/"$1"')

    def debugfs(self, pci: str, files: tuple[str, ...]) -> None:
        folder = self.sys / "kernel/debug/bnxt_re" / pci / "cc_config"
        folder.mkdir(parents=True)
        for file in files:
            (folder / file).write_text("")

    def run(self, script: str, shell: str = "sh") -> subprocess.CompletedProcess[str]:
        path = self.root / "script.sh"
        path.write_text(script)
        command = [shell, "sh", str(path)] if shell == "busybox" else [shell, str(path)]
        env = {"PATH": f"{self.bin}:{os.environ['PATH']}", "RDMA_NIC_QOS_SYS": str(self.sys)}
        env["RDMA_NIC_QOS_WAIT"] = "0"
        return subprocess.run(command, env=env, capture_output=True, text=True, check=False)

    def calls(self, of: str) -> list[str]:
        return [c for c in self.log.read_text().splitlines() if c.startswith(of)]

    def group(self, path: str) -> dict[str, str]:
        """Values of a configfs group that was later removed."""
        folder = Path(f"{self.root}/kept/{self.sys}/kernel/config/{path}")
        return {p.name: p.read_text().strip() for p in folder.iterdir() if p.is_file()}


@pytest.fixture
def bnxt(tmp_path: Path) -> Node:
    node = Node(tmp_path, "bnxt_re")
    node.configfs()
    return node


@pytest.fixture
def ionic(tmp_path: Path) -> Node:
    return Node(tmp_path, "ionic_")


@pytest.mark.parametrize("shell", SHELLS)
def test_broadcom_calls_for_one_port_in_order(bnxt: Node, shell: str) -> None:
    ran = bnxt.run(artifacts(over=BNXT)[BNXT_SCRIPT].text, shell)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert [c for c in bnxt.calls("") if "rail0" in c] == [
        "ethtool -A rail0 rx off tx off",
        "dcb app flush dev rail0",
        "dcb ets set dev rail0 tc-tsa 0:ets 1:ets tc-bw 0:50 1:50 prio-tc 0:0 1:0 2:0 3:1 4:0 5:0 6:0 7:0",
        "dcb pfc set dev rail0 prio-pfc all:off 3:on",
        "dcb app add dev rail0 dgram-port-prio 4791:3",
        "dcb app add dev rail0 dscp-prio 26:3",
    ]


def test_broadcom_dcqcn_values_are_hex(bnxt: Node) -> None:
    bnxt.run(artifacts(over=BNXT)[BNXT_SCRIPT].text)
    assert bnxt.group("bnxt_re/bnxt_re0/ports/1/cc") == {
        "disable_prio_vlan_tx": "0x1",
        "ecn_marking": "0x1",
        "ecn_enable": "0x1",
        "cc_mode": "0x1",
        "roce_prio": "0x3",
        "roce_dscp": "0x1a",
        "cnp_prio": "0x6",
        "cnp_dscp": "0x30",
        "apply": "0x1",
    }
    assert bnxt.group("rdma_cm/bnxt_re1/ports/1")["default_roce_tos"] == str(26 << 2)


def test_broadcom_firmware_with_a_cnp_service_type_gets_a_strict_class(bnxt: Node) -> None:
    info = bnxt.sys / "kernel/debug/bnxt_re/bnxt_re0/info"
    info.parent.mkdir(parents=True)
    info.write_text("fw_service_prof_type_sup : 1\n")
    assert bnxt.run(artifacts(over=BNXT)[BNXT_SCRIPT].text).returncode == 0
    calls = [c for c in bnxt.calls("dcb") if "rail0" in c]
    assert "tc-tsa 0:ets 1:ets 2:strict tc-bw 0:50 1:50 prio-tc 0:0 1:0 2:0 3:1 4:0 5:0 6:2 7:0" in calls[1]
    assert calls[-1] == "dcb app add dev rail0 dscp-prio 48:6"
    assert bnxt.group("bnxt_re/bnxt_re0/ports/1/cc")["cnp_dscp"] == ""


def test_broadcom_driver_of_the_kernel_is_set_in_debugfs(tmp_path: Path) -> None:
    node = Node(tmp_path, "bnxt_re")
    (node.sys / "kernel/config/rdma_cm").mkdir(parents=True)
    for pci in ("0000:18:00.0", "0000:3b:00.0"):
        files = ("enable_cc", "tos_ecn", "cc_mode", "tos_dscp", "alt_vlan_pcp", "alt_vlan_dscp")
        node.debugfs(pci, files)
        rdma = {"0000:18:00.0": "bnxt_re0", "0000:3b:00.0": "bnxt_re1"}[pci]
        cm = node.sys / "kernel/config/rdma_cm" / rdma / "ports/1"
        cm.mkdir(parents=True)
        (cm / "default_roce_mode").write_text("")
        (cm / "default_roce_tos").write_text("")
    node.tool("rmdir", ":")
    ran = node.run(artifacts(over=BNXT)[BNXT_SCRIPT].text)
    assert (ran.returncode, ran.stderr) == (0, "")
    folder = node.sys / "kernel/debug/bnxt_re/0000:18:00.0/cc_config"
    values = {p.name: p.read_text().strip() for p in folder.iterdir()}
    assert values["alt_vlan_dscp"] == "0x30"
    assert values["enable_cc"] == "0x1"


def test_broadcom_without_congestion_control_files_fails(tmp_path: Path) -> None:
    ran = Node(tmp_path, "bnxt_re").run(artifacts(over=BNXT)[BNXT_SCRIPT].text)
    assert ran.returncode == 1
    assert "rdma-nic-qos-bnxt: no " in ran.stderr


@pytest.mark.parametrize("shell", SHELLS)
def test_pensando_calls_in_order(ionic: Node, shell: str) -> None:
    ran = ionic.run(artifacts(over=IONIC)[IONIC_SCRIPT].text, shell)
    assert (ran.returncode, ran.stderr) == (0, "")
    calls = [c for c in ionic.calls("nicctl") if "--no-drop disable" not in c]
    assert calls[:8] == [
        "nicctl update port --all --pause-type pfc --rx-pause enable --tx-pause enable",
        "nicctl update qos --classification-type pcp",
        "nicctl update qos --classification-type dscp",
        "nicctl update qos dscp-to-priority --dscp 0-63 --priority 0",
        "nicctl update qos dscp-to-priority --dscp 26 --priority 3",
        "nicctl update qos dscp-to-priority --dscp 48 --priority 6",
        "nicctl update qos pfc --priority 3 --no-drop enable",
        "nicctl update qos scheduling --priority 0,3,6 --dwrr 50,50,0 --rate-limit 0,0,10",
    ]
    assert [c.split()[4] for c in calls[8:]] == ["ionic_0", "ionic_1"]
    assert all(c.endswith("--cnp-dscp 48") for c in calls[8:])


@pytest.mark.parametrize(
    ("over", "path"), [(BNXT, BNXT_SCRIPT), (IONIC, IONIC_SCRIPT), ("", "gpu/rdma-nic-qos.sh")]
)
def test_scripts_are_read_back(over: str, path: str) -> None:
    """Each DSCP that the script sets, and PFC; every other code point has priority 0."""
    said = read_nic_script(artifacts(over=over)[path].text)
    assert said is not None
    assert (said.trust, said.pfc, said.priorities[26]) == ("dscp", frozenset({3}), 3)
    assert all(priority == 0 for dscp, priority in said.priorities.items() if dscp not in (26, 48))


def test_every_line_that_is_written_is_known() -> None:
    for over in (BNXT, IONIC, MLX5, ""):
        texts = {path: a.text for path, a in artifacts(over=over).items() if path.endswith(".sh")}
        assert texts
        for path, text in texts.items():
            assert odd_lines(path.rpartition("/")[2], text) == ()


def test_a_script_of_another_form_is_not_judged() -> None:
    assert read_nic_script("#!/bin/sh\nniccli --dev 1 qos --pfc --enable 3\n") is None


def test_the_unit_runs_a_script_for_each_driver() -> None:
    over = site("14e4", "1760").replace("roce0: {model: other}, ", "")
    found = artifacts(over=over)
    starts = [line for line in settings(found["gpu/rdma-nic-qos.service"]) if line.startswith("ExecStart")]
    assert starts == [
        "ExecStart=/usr/local/sbin/rdma-nic-qos.sh",
        "ExecStart=/usr/local/sbin/rdma-nic-qos-bnxt.sh",
    ]


@pytest.mark.parametrize(
    ("over", "reason"),
    [
        (site("14e4", "1770"), "no source for the QoS of PCI device 14e4:1770"),
        (site("8086", "1592"), "DSCP of its congestion notification packets"),
        (site("14e4", "1760", "fabric: {qos: {trust: pcp}}"), "trust dscp only"),
        (
            site(
                "14e4", "1760", "fabric: {qos: {classes: {store: {dscp: 34, priority: 4, lossless: true}}}}"
            ),
            "one lossless class, fabric.qos has roce, store",
        ),
        (IONIC.replace("roce0:", "st0: {model: other}, roce0:"), "st0 has use storage"),
    ],
)
def test_a_nic_without_a_script_is_named_with_the_reason(over: str, reason: str) -> None:
    found = artifacts(over=over)
    assert not [path for path in found if "nic-qos" in path]
    assert reason in found["gpu/README.md"].text


def test_every_written_driver_has_a_template() -> None:
    jinja = environment(resources.templates() / "host")
    for driver in nic_drivers():
        assert (driver.script is None) != (driver.unwritten is None)
        if driver.script is not None:
            assert jinja.get_template(f"nic/{driver.name}.sh.j2")
            assert NIC_SCRIPT.match(f"hosts/gpu/{driver.script}")


MLX5 = """
fabric: {adaptive_routing: true, qos: {nic_pfc_stall_ms: 800}}
host_types: {gpu: {hcas: {roce0: {model: connectx-7}, roce1: {model: connectx-7, netdev: ens2f0np0}}}}
"""


@pytest.fixture
def mlx5(tmp_path: Path) -> Node:
    node = Node(tmp_path, "mlx5_")
    for index, netdev in enumerate(("rail0", "ens2f0np0")):
        for file in ("roce_np/enable/3", "roce_rp/enable/3", "roce_np/cnp_dscp", "roce_np/cnp_802p_prio"):
            path = node.sys / "class/net" / netdev / "ecn" / file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("")
        tc = node.sys / "class/infiniband" / f"mlx5_{index}" / "tc/1"
        tc.mkdir(parents=True)
        (tc / "traffic_class").write_text("")
    node.tool("mlxreg", f'echo mlxreg "$@" >> {node.log}\necho "adaptive_routing_forced_en   | 0x00000001"')
    return node


def test_adaptive_routing_and_storm_prevention_are_set_at_boot(mlx5: Node) -> None:
    ran = mlx5.run(artifacts(over=MLX5)["gpu/rdma-nic-qos.sh"].text)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert mlx5.calls("ethtool") == [
        f"ethtool --set-tunable {netdev} pfc-prevention-tout 800" for netdev in ("rail0", "ens2f0np0")
    ]
    assert mlx5.calls("mlxreg")[0] == (
        "mlxreg -d 0000:18:00.0 --reg_name ROCE_ACCL --set adaptive_routing_forced_en=0x1 --yes"
    )


def test_a_nic_that_wants_packets_in_order_is_left_alone(mlx5: Node) -> None:
    over = MLX5.replace("roce1: {model: connectx-7, ", "roce1: {")
    assert mlx5.run(artifacts(over=over)["gpu/rdma-nic-qos.sh"].text).returncode == 0
    assert {call.split()[2] for call in mlx5.calls("mlxreg")} == {"0000:18:00.0"}


def test_a_register_that_does_not_take_the_value_fails(mlx5: Node) -> None:
    mlx5.tool("mlxreg", 'echo "adaptive_routing_forced_en   | 0x00000000"')
    ran = mlx5.run(artifacts(over=MLX5)["gpu/rdma-nic-qos.sh"].text)
    assert (ran.returncode, ran.stderr) == (
        1,
        "rdma-nic-qos: rail0: ROCE_ACCL does not show adaptive_routing_forced_en\n",
    )


def test_without_the_keys_neither_is_touched() -> None:
    text = artifacts()["gpu/rdma-nic-qos.sh"].text
    assert "mlxreg" not in text
    assert "pfc-prevention-tout" not in text


@pytest.mark.parametrize(
    ("over", "has", "lacks"),
    [
        (BNXT, "class 1, priority 3: 50 %", "| strict classes |"),
        (IONIC, "strict, at most 10 Gb/s", "| strict classes |"),
        ("", "| strict classes |", "rdma-nic-qos-bnxt"),
    ],
)
def test_the_readme_lists_what_the_script_sets(over: str, has: str, lacks: str) -> None:
    text = artifacts(over=over)["gpu/README.md"].text
    assert has in text
    assert lacks not in text
