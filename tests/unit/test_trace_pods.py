"""Edits of pods, pools and host files that make a rail refuted or not proved, each with file and line."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache

import pytest

from netplan.model.nic_text import NIC_SCRIPT
from netplan.pipeline import compile_texts
from netplan.reading.nic_scripts import odd_lines
from tests.edits.judges import trace
from tests.inventories import FOLDER, outputs
from tests.overlay import CHECKS, case_texts, compiled

Change = Callable[[str], str]
POD, WHOLE = "pods/training/pod.yaml", "pods/large-model/pod.yaml"
NAD = "kubernetes/30-networks/network-attachments/training/rail.yaml"


@cache
def rendered(name: str = "iei-rocev2") -> Mapping[str, str]:
    path = FOLDER / f"{name}.yaml"
    return outputs(compile_texts({path.name: path.read_text(encoding="utf-8")}))


def swap(old: str, new: str, count: int = 1) -> Change:
    return lambda text: text.replace(old, new, count)


def drop(pattern: str) -> Change:
    """An edit that removes the first match of a pattern."""
    return lambda text: re.sub(pattern, "", text, count=1)


@dataclass(frozen=True)
class Case:
    """An edit of one file and the resulting message of trace; ``refuted``: else not proved."""

    file: str
    change: Change
    says: str
    refuted: bool = True
    inventory: str = "iei-rocev2"


def said_of(case: Case) -> frozenset[str]:
    """Messages that the unchanged tree does not have."""
    tree = rendered(case.inventory)
    edited = {**tree, case.file: case.change(tree[case.file])}
    assert edited != tree
    return trace(edited) - trace(tree)


PODS = {
    "attachment left out": Case(
        POD,
        swap("training/rail-0-leaf-1@rail0,", ""),
        f"pods of training have no interface rail0 ({POD}:8), which pods/training/routes.yaml:3 lists",
    ),
    "interfaces swapped": Case(
        POD,
        lambda text: text.replace("@rail0", "@x").replace("@rail1", "@rail0").replace("@x", "@rail1"),
        "rail0 is rail 0 (pods/training/routes.yaml:3), and its device is roce1 of gpu-001, rail 1 (",
    ),
    "network of no name": Case(
        POD,
        swap("training/rail-0-leaf-1@", "training/rail-9@"),
        f"there is no network training/rail-9 ({POD}:8)",
    ),
    "device limit left out": Case(
        POD,
        drop(r" +intel.com/rail_1: .*\n"),
        f"pods of training ask for 0 of intel.com/rail_1, their networks take 1 ({POD}:34)",
    ),
    "nccl without rdma": Case(
        POD,
        swap("name: NCCL_IB_GID_INDEX\n      value: '3'", "name: NCCL_IB_DISABLE\n      value: '1'"),
        f"NCCL_IB_DISABLE 1 of training: its traffic is not RDMA and leaves on the pod network ({POD}:23)",
    ),
    "gid index": Case(
        POD,
        swap("name: NCCL_IB_GID_INDEX\n      value: '3'", "name: NCCL_IB_GID_INDEX\n      value: '2'"),
        f"NCCL_IB_GID_INDEX 2 of training is not 3, RoCE v2 of the first address of a device ({POD}:23)",
        refuted=False,
    ),
    "socket interface": Case(
        POD,
        swap("=eth0", "=eth1"),
        "NCCL_SOCKET_IFNAME =eth1 of training is none of eth0, rail0, rail1, rail2, rail3",
    ),
    "traffic class without ECT": Case(
        POD,
        swap("value: '106'", "value: '104'"),
        f"NCCL_IB_TC 104 of training ({POD}:19) has no ECT bit: switches may drop what they should mark; "
        "106 would prove it",
        refuted=False,
    ),
    "traffic class with CE": Case(
        POD,
        swap("value: '106'", "value: '107'"),
        f"NCCL_IB_TC 107 of training ({POD}:19) marks every packet as having experienced congestion; 106 "
        "does not",
    ),
    "a job with another environment": Case(
        "pods/training/nccl-test.yaml",
        swap("name: NCCL_IB_TC\n              value: '106'", "name: NCCL_IB_TC\n              value: '0'"),
        f"NCCL_IB_TC is 0 (pods/training/nccl-test.yaml:74) and 106 ({POD}:19)",
        refuted=False,
    ),
    "mpirun with another environment": Case(
        "pods/training/nccl-test.yaml",
        swap("NCCL_IB_TC=106", "NCCL_IB_TC=0"),
        f"NCCL_IB_TC is 0 (pods/training/nccl-test.yaml:38) and 106 ({POD}:19)",
        refuted=False,
    ),
    "a component with other networks": Case(
        "pods/training/rails/pod-rails.yaml",
        swap(",training/rail-3-leaf-4@rail3", ""),
        "the list of networks is training/rail-0-leaf-1@rail0,training/rail-1-leaf-2@rail1,",
        refuted=False,
    ),
    "site.json without the rail of an HCA": Case(
        "site.json",
        swap('"rail": 1, ', ""),
        "rail1 is rail 1 (pods/training/routes.yaml:29), and its device is roce1 of gpu-001, no rail (",
        refuted=False,
    ),
}
SCRIPTS = {
    "the pod runs another script": Case(
        WHOLE,
        swap("install 4 rail2 702", "install 4 rail2 709"),
        f"{WHOLE}:85 runs another script than pods/large-model/rail-routes.sh, from line 66 on",
        refuted=False,
    ),
    "another script beside": Case(
        "pods/large-model/rail-routes.sh",
        drop(r"install 4 rail2 .*\n"),
        f"{WHOLE}:85 runs another script than pods/large-model/rail-routes.sh, from line 66 on",
        refuted=False,
    ),
    "a rail that the script leaves out": Case(
        WHOLE, drop(r" +install 4 rail2 .*\n"), "no rule for source 172.16.10.0/24: the packet leaves on rail"
    ),
    "a line of the script that is not read": Case(
        WHOLE,
        swap("      announce rail0\n", "      announce rail0\n      ip link set rail0 down\n"),
        f"{WHOLE}:90 is not read: ip link set rail0 down",
        refuted=False,
    ),
    "no NET_ADMIN": Case(
        WHOLE,
        drop(r" +- NET_ADMIN\n"),
        "the init container that routes has no NET_ADMIN: the kernel refuses its routes (capabilities(7))",
    ),
}

TYPE = "hosts/nf5468m5"
LINK, NETWORK, UNIT = f"{TYPE}/10-roce0.link", f"{TYPE}/20-roce0.network", f"{TYPE}/rdma-nic-qos.service"
HOSTS = {
    "link file of another card": Case(
        LINK,
        swap("0000:18:00.0", "0000:19:00.0"),
        f"{LINK}:4 is for pci-0000:19:00.0, roce0 is at 0000:18:00.0 (site.json)",
    ),
    "link file for every device": Case(
        LINK,
        drop(r"Path=.*\n"),
        f"{LINK} has no [Match] setting: it is for every device of the host (systemd.link(5))",
        refuted=False,
    ),
    "another name": Case(
        LINK,
        swap("Name=ens1f0", "Name=eth7"),
        f"roce0 of gpu-001 is ens1f0 (site.json), its .link file names it eth7 ({LINK}:7)",
    ),
    "too few VFs": Case(
        LINK,
        swap("Functions=8", "Functions=1"),
        f"roce0 of gpu-001 has 1 VFs ({LINK}:10), pods of a node take 2",
    ),
    "no VFs": Case(
        LINK,
        drop(r"SR-IOV.*\n"),
        f"no file makes VFs of roce0 of gpu-001; SR-IOVVirtualFunctions would ({LINK})",
        refuted=False,
    ),
    "a setting in the wrong section": Case(
        LINK, drop(r"\[Link\]\n"), f"{LINK}:6 is not read: [Match] Name=ens1f0", refuted=True
    ),
    "a port that stays down": Case(
        NETWORK,
        swap("RequiredForOnline=no", "ActivationPolicy=always-down"),
        f"ActivationPolicy always-down leaves roce0 of gpu-001 down ({NETWORK}:8)",
    ),
    "a port of a bond": Case(
        NETWORK,
        swap("LLDP=yes", "Bond=bond0"),
        f"{NETWORK}:15 is not read: [Network] Bond=bond0",
        refuted=False,
    ),
    "networkd removes routes": Case(
        f"{TYPE}/networkd.conf.d/10-netplan.conf",
        swap("ManageForeignRoutes=no", "ManageForeignRoutes=yes"),
        "networkd removes routes or rules that others set on gpu-001; ManageForeignRoutes=no would keep them "
        f"({TYPE}/networkd.conf.d/10-netplan.conf:6)",
        refuted=False,
    ),
    "a unit that is not enabled": Case(
        UNIT,
        drop(r"\[Install\]\nWantedBy=.*\n"),
        f"{UNIT} has no WantedBy in [Install]: it is not started when gpu-001 boots",
    ),
    "a unit of no target": Case(
        UNIT,
        swap("multi-user.target", "rescue.target"),
        f"{UNIT}:23 is wanted by rescue.target: it is not started when gpu-001 boots",
    ),
    "a unit that runs something else": Case(
        UNIT,
        swap("sbin/rdma-nic-qos.sh", "sbin/rdma.sh"),
        f"{UNIT}:20 does not run /usr/local/sbin/rdma-nic-qos.sh on gpu-001",
    ),
    "a unit that does not wait for its NIC": Case(
        UNIT,
        swap("After=sys-subsystem-net-devices-ens1f0.device\n", ""),
        f"{UNIT} may run before ens1f0 is there; "
        "After=sys-subsystem-net-devices-ens1f0.device would prove it",
        refuted=False,
    ),
    "a condition of the unit": Case(
        UNIT,
        swap("[Service]", "ConditionPathExists=/etc/x\n[Service]"),
        f"{UNIT}:17 is not read: [Unit] ConditionPathExists=/etc/x",
        refuted=False,
    ),
    "firmware without VFs": Case(
        f"{TYPE}/firmware-commands.txt",
        swap("SRIOV_EN=1", "SRIOV_EN=0"),
        f"SRIOV_EN=0: roce0 of gpu-001 has no VFs ({TYPE}/firmware-commands.txt:8)",
    ),
    "firmware with fewer VFs": Case(
        f"{TYPE}/firmware-commands.txt",
        swap("NUM_OF_VFS=8", "NUM_OF_VFS=4"),
        f"the firmware of roce0 of gpu-001 has 4 VFs ({TYPE}/firmware-commands.txt:8), 8 are to be made",
    ),
    "firmware of another link": Case(
        f"{TYPE}/firmware-commands.txt",
        swap("LINK_TYPE_P1=2", "LINK_TYPE_P1=1"),
        "LINK_TYPE_P1=1 is not ethernet, the link of roce0 of gpu-001",
    ),
    "modules": Case(
        f"{TYPE}/modules-load.d/rdma.conf",
        swap("ib_uverbs\n", ""),
        f"{TYPE}/modules-load.d/rdma.conf does not load ib_uverbs: "
        "without it gpu-001 has no such device file",
        refuted=False,
    ),
    "driver that is not loaded": Case(
        f"{TYPE}/modprobe.d/rdma.conf",
        lambda text: text + "blacklist mlx5_core\n",
        "gpu-001 does not load mlx5_core for roce0, roce1, ",
    ),
    "RDMA that is not loaded": Case(
        f"{TYPE}/modprobe.d/rdma.conf",
        lambda text: text + "install ib-core /bin/false\n",
        "gpu-001 does not load ib_core for roce0, roce1, ",
    ),
    "option of a driver": Case(
        f"{TYPE}/modprobe.d/rdma.conf",
        lambda text: text + "options mlx5_core prof_sel=2\n",
        "what loads mlx5_core on gpu-001 is not followed: options mlx5_core prof_sel=2 "
        f"({TYPE}/modprobe.d/rdma.conf:5)",
        refuted=False,
    ),
    "neighbour table": Case(
        f"{TYPE}/sysctl.d/90-rdma.conf",
        drop(r"net.ipv4.neigh.default.gc_thresh3.*\n"),
        "net.ipv4.neigh.default.gc_thresh3 is not stated on gpu-001: its pods share one neighbour table",
        refuted=False,
    ),
    "no MTU of the port": Case(
        LINK, drop(r"MTUBytes=.*\n"), "the MTU of gpu-001 roce0 is not stated", refuted=False
    ),
    "RDMA devices are shared": Case(
        f"{TYPE}/modprobe.d/rdma.conf",
        swap("netns_mode=0", "netns_mode=1"),
        f"rail-0-leaf-1 chains rdma ({NAD}:2), which needs RDMA devices to be "
        f"exclusive: {TYPE}/modprobe.d/rdma.conf:4 shares them",
    ),
    "nothing moves the RDMA device": Case(
        NAD,
        lambda text: re.sub(r'        \{\n          "type": "rdma"\n        \},\n', "", text, count=1),
        f"RDMA devices are exclusive to a namespace ({TYPE}/modprobe.d/rdma.conf:4) and rail-0-leaf-1 does "
        f"not chain rdma: the pod sees none ({NAD}:2)",
    ),
    "a VF that is down": Case(
        NAD,
        swap('"vlan": 100,', '"vlan": 100, "link_state": "disable",'),
        f"link_state of rail-0-leaf-1 is disable: the VF is down ({NAD}:20)",
    ),
}

NIC = f"{TYPE}/rdma-nic-qos.sh"
NICS = {
    "a later --pfc": Case(
        NIC,
        swap("\n    # mlx5 starts", '\n    mlnx_qos -i "$dev" --pfc 0,0,0,0,0,0,0,0\n    # mlx5 starts'),
        f'{NIC}:111 is not read: mlnx_qos -i "$dev" --pfc 0,0,0,0,0,0,0,0',
        refuted=False,
    ),
    "the same line twice": Case(
        NIC,
        lambda text: re.sub(r"(    mlnx_qos -i \S+ --pfc .*\n)", r"\1\1", text),
        f'{NIC}:45 is there twice: mlnx_qos -i "$dev" --pfc 0,0,0,1,0,0,0,0',
        refuted=False,
    ),
    "another priority on the traffic class": Case(
        NIC,
        swap("-p 0,1,2,3,", "-p 3,1,2,3,"),
        f"priority 3 of gpu-001 roce0 shares traffic class 3 with priority 0 ({NIC}:112)",
        refuted=False,
    ),
    "shares": Case(
        NIC,
        swap("-t 50,0,0,50", "-t 50,0,0,40"),
        f"the shares of gpu-001 roce0 are 90 % in all, the driver takes 100 ({NIC}:112)",
        refuted=False,
    ),
    "no share": Case(
        NIC,
        swap("-t 50,0,0,50", "-t 100,0,0,0"),
        f"traffic class 3 of gpu-001 roce0 has no share ({NIC}:112)",
        refuted=False,
    ),
    "no ECT bit": Case(
        NIC,
        swap('apply ens1f0 "5" "106"', 'apply ens1f0 "5" "104"'),
        "gpu-001 roce0 sends traffic class 104, without an ECT bit: switches may drop what they should mark",
        refuted=False,
    ),
    "CE": Case(
        NIC,
        swap('apply ens1f0 "5" "106"', 'apply ens1f0 "5" "107"'),
        f"gpu-001 roce0 sends traffic class 107: every packet is marked as having experienced congestion "
        f"({NIC}:126)",
    ),
    "priority of CNPs": Case(
        NIC,
        swap('write 6 "$sys', 'write 5 "$sys'),
        "have priority 5 in their VLAN tag, 6 by DSCP on gpu-001 roce0",
        refuted=False,
    ),
    "a function that does something else": Case(
        NIC, swap('    echo "$1" > "$2"', "    :"), f"{NIC}:35 changes the function write", refuted=False
    ),
    "the script ends before the port": Case(
        NIC, swap("# roce0\n", "exit 0\n"), f"{NIC}:125 is not read: exit 0", refuted=False
    ),
    "no error ends it": Case(NIC, swap("set -eu\n", "\n"), f"{NIC} lacks a line like set -eu", refuted=False),
}


@pytest.mark.parametrize("name", NICS)
def test_a_nic_script(name: str) -> None:
    check(NICS[name])


@pytest.mark.parametrize("case", ["good-broadcom", "good-pensando"])
def test_the_scripts_of_other_vendors_are_read_whole(case: str) -> None:
    path = CHECKS / "NP540" / f"{case}.yaml"
    texts = {a.path: a.text for a in compiled(case_texts(path), path).artifacts if NIC_SCRIPT.match(a.path)}
    assert texts
    for file, text in texts.items():
        name = file.rpartition("/")[2]
        assert odd_lines(name, text) == ()
        assert odd_lines(name, text.replace("set -eu\n", "exit 0\n"))


@pytest.mark.parametrize("name", HOSTS)
def test_a_host(name: str) -> None:
    check(HOSTS[name])


@pytest.mark.parametrize("name", PODS)
def test_a_pod(name: str) -> None:
    check(PODS[name])


POOL, STAGE = "kubernetes/30-networks/ipam/rail0-leaf-1.yaml", "kubernetes/30-networks/kustomization.yaml"
PLUGIN = "kubernetes/40-device-plugins/device-plugin/sriov-device-plugin.yaml"
POOLS = {
    "a block too small": Case(
        POOL,
        swap("perNodeBlockSize: 9", "perNodeBlockSize: 1"),
        f"IPPool rail0-leaf-1 has 1 addresses for a node ({POOL}:15), 2 pods run on gpu-001",
    ),
    "blocks for too few nodes": Case(
        POOL,
        swap("perNodeBlockSize: 9", "perNodeBlockSize: 60"),
        f"IPPool rail0-leaf-1 has blocks for 4 nodes ({POOL}:15), 20 have its labels",
    ),
    "a namespace of its own": Case(
        POOL,
        swap("namespace: kube-system", "namespace: default"),
        f"IPPool rail0-leaf-1 is in namespace default ({POOL}:6), ",
        refuted=False,
    ),
    "a pool that is not listed": Case(
        STAGE,
        swap("- ipam/rail0-leaf-1.yaml\n", ""),
        f"{POOL} is not applied: {STAGE} does not list it",
    ),
    "an entry that is not there": Case(
        STAGE,
        swap("ipam/rail0-leaf-1.yaml", "ipam/rail9.yaml"),
        f"{STAGE}:5 lists kubernetes/30-networks/ipam/rail9.yaml, which does not exist",
    ),
    "a stage that is not listed": Case(
        "kubernetes/kustomization.yaml",
        swap("- 30-networks\n", ""),
        "kubernetes/30-networks is not listed in kubernetes/kustomization.yaml",
        refuted=False,
    ),
    "a namespace that nothing makes": Case(
        "kubernetes/10-prerequisites/namespaces/training.yaml",
        swap("name: training", "name: trainings"),
        "is in namespace training (",
        refuted=False,
    ),
    "a device of another card": Case(
        PLUGIN,
        swap('"1018"', '"1020"', -1),
        "resource intel.com/rail_0 selects no HCA number 1 of gpu-001: devices 1020 fits no device of its "
        "HCAs that the other keys leave, connectx-5 has 1017, 1018 (",
    ),
    "the MTU of the pod": Case(
        NAD,
        swap('"mtu": 9000,', '"mtu": 4200,'),
        f"the MTU of rail0 is 4200 ({NAD}:2), that of the fabric is 9000 (site.json)",
    ),
    "no lossless class": Case(
        "site.json",
        swap('"lossless": true', '"lossless": false'),
        "no class of the site is lossless (site.json), but NICs pause some (hosts/nf5468m5/rdma-nic-qos.sh)",
        refuted=False,
    ),
    "a priority of the class": Case(
        "site.json",
        swap('"dscp": 26, "priority": 3', '"dscp": 26, "priority": 4'),
        "DSCP 26 is priority 3 on NICs (",
        refuted=False,
    ),
    "hosts of the workload": Case(
        "site.json",
        swap('"host_types": ["nf5468m5"]', '"host_types": ["nf5468m5-whole"]'),
        "which is nf5468m5; site.json has nf5468m5-whole",
        refuted=False,
    ),
    "a table that routes.yaml does not have": Case(
        "pods/training/routes.yaml",
        swap("table: 100", "table: 105"),
        "rail0 has no rule from 172.16.0.",
        refuted=False,
    ),
    "a back end of no name": Case(
        "pods/training/routes.yaml",
        swap("back_end: sbr", "back_end: sbx"),
        "there is no back end sbx",
        refuted=True,
    ),
}


@pytest.mark.parametrize("name", POOLS)
def test_a_pool(name: str) -> None:
    check(POOLS[name])


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_script(name: str) -> None:
    check(SCRIPTS[name])


def check(case: Case) -> None:
    said = said_of(case)
    assert any(case.says in text for text in said), said
    verdicts = {text.split(": ")[1].strip() for text in said if re.match(r"[a-z-]+: [A-Z_]+ \Z", text)}
    assert ("UNPROVED" in verdicts) is not case.refuted, said
