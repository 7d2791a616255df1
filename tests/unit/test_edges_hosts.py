"""Edge cases, one fact per case: units and other files of hosts, by direct calls.

A case is a single file and a sentence of the report that it causes: "file:line" stands in it where a line
is the cause. ``SILENT`` differs as little as possible and causes no such sentence.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from netplan.model.site import SiteHca
from netplan.reading.hosts import Unit, bytes_of, firmware, module_options, modules, read_unit
from netplan.reading.nic_scripts import odd_lines, rows_of_functions
from netplan.trace.units import Use, host_faults
from tests.unit.test_trace_addresses import host

HCA = SiteHca(name="roce0", rail=0, pci="0000:19:00.0", netdev="ens1f0", link="ethernet")
LINK, NETWORK, UNIT = "10-roce0.link", "20-roce0.network", "rdma-nic-qos.service"
FIRMWARE, SYSCTL, SCRIPT = "firmware-commands.txt", "sysctl.d/90-rdma.conf", "rdma-nic-qos.sh"
NAMED = "[Match]\nPath=pci-0000:19:00.0\n[Link]\nName=ens1f0\n"
SET = "mlxconfig -d 0000:19:00.0 -y set "
DEVICE = "sys-subsystem-net-devices-ens1f0.device"
RUNS = f"""\
[Unit]
After={DEVICE}
Wants={DEVICE}
Before=kubelet.service
[Service]
Type=oneshot
ExecStart=/usr/local/sbin/rdma-nic-qos.sh
[Install]
WantedBy=multi-user.target
"""
TABLE = "".join(f"net.ipv4.neigh.default.gc_thresh{n} = {1024 * n}\n" for n in (1, 2, 3))


def said(texts: dict[str, str], vfs: int = 2, made: bool = True, most: int | None = None) -> list[str]:
    here = replace(host(0), hcas=(HCA,))
    files = {f"hosts/gpu/{name}": text for name, text in texts.items()}
    return [each.text for each in host_faults(files, here, (Use(HCA, vfs, made, most),))]


def unit(old: str, new: str) -> dict[str, str]:
    assert old in RUNS
    return {UNIT: RUNS.replace(old, new), SCRIPT: ""}


SAYS = {
    "a link of no name": (
        {LINK: NAMED.replace("Name=ens1f0\n", "")},
        f".link file does not name it (hosts/gpu/{LINK})",
    ),
    "a line that is no setting": ({LINK: NAMED + "Name\n"}, f"hosts/gpu/{LINK}:5 is not read"),
    "a path of another card": (
        {LINK: NAMED.replace("19", "1a")},
        f"hosts/gpu/{LINK}:2 is for pci-0000:1a:00.0",
    ),
    "one VF too few": (
        {LINK: NAMED + "SR-IOVVirtualFunctions=1\n"},
        f"has 1 VFs (hosts/gpu/{LINK}:5), pods of a node take 2",
    ),
    "no number of VFs": ({LINK: NAMED + "SR-IOVVirtualFunctions=all\n"}, "has all VFs"),
    "a network of a bond": (
        {NETWORK: "[Match]\nName=ens1f0\n[Network]\nBond=bond0\n"},
        f"hosts/gpu/{NETWORK}:4 is not read: [Network] Bond=bond0",
    ),
    "a network of another port": (
        {NETWORK: "[Match]\nName=eth7\n"},
        f"hosts/gpu/{NETWORK}:2 is for eth7, roce0 of node-0 is ens1f0",
    ),
    "a network of no port": (
        {NETWORK: "[Match]\n"},
        f"hosts/gpu/{NETWORK} has no [Match] Name, roce0 of node-0 is ens1f0",
    ),
    "a port that stays manual": (
        {NETWORK: "[Link]\nActivationPolicy=manual\n"},
        "ActivationPolicy manual leaves roce0 of node-0 down",
    ),
    "a firmware line that is none": (
        {FIRMWARE: SET + "SRIOV_EN=1\nreboot\n"},
        f"hosts/gpu/{FIRMWARE}:2 is not read",
    ),
    "firmware without a switch": (
        {FIRMWARE: SET + "NUM_OF_VFS=2\n"},
        f"SRIOV_EN of roce0 of node-0 is not stated (hosts/gpu/{FIRMWARE})",
    ),
    "firmware without a count": (
        {FIRMWARE: SET + "SRIOV_EN=1\n"},
        f"NUM_OF_VFS of roce0 of node-0 is not stated (hosts/gpu/{FIRMWARE})",
    ),
    "firmware with one VF too few": (
        {FIRMWARE: SET + "SRIOV_EN=1 NUM_OF_VFS=1\n"},
        f"has 1 VFs (hosts/gpu/{FIRMWARE}:1), 2 are to be made",
    ),
    "firmware with more digits than any card has VFs": (
        {FIRMWARE: SET + "SRIOV_EN=1 NUM_OF_VFS=0000000002\n"},
        "has 0000000002 VFs",
    ),
    "firmware with no number": ({FIRMWARE: SET + "SRIOV_EN=1 NUM_OF_VFS=x\n"}, "has x VFs"),
    "the other link": ({FIRMWARE: SET + "LINK_TYPE_P1=1\n"}, "LINK_TYPE_P1=1 is not ethernet"),
    "nothing runs the script": (
        {SCRIPT: ""},
        "nothing runs rdma-nic-qos.sh when node-0 boots: it has no rdma-nic-qos.service",
    ),
    "a mark before the path": (
        unit("=/usr/local", "=-/usr/local"),
        f"hosts/gpu/{UNIT}:7 runs -/usr/local/sbin/rdma-nic-qos.sh: what the mark",
    ),
    "a unit that does not wait": (unit("oneshot", "simple"), f"Type is simple (hosts/gpu/{UNIT}:6)"),
    "a unit of no type": (unit("Type=oneshot\n", ""), f"Type is not stated (hosts/gpu/{UNIT})"),
    "a unit before nothing": (unit("Before=kubelet.service\n", ""), f"would prove it (hosts/gpu/{UNIT})"),
    "a unit before something else": (unit("kubelet", "sshd"), f"would prove it (hosts/gpu/{UNIT}:4)"),
    "a unit that wants no NIC": (
        unit(f"Wants={DEVICE}\n", ""),
        f"may run before ens1f0 is there; Wants={DEVICE}",
    ),
    "a unit after no NIC": (unit(f"After={DEVICE}\n", ""), f"may run before ens1f0 is there; After={DEVICE}"),
    "a unit that requires what is not there": (
        unit("Before", "Requires=a.service\nBefore"),
        f"hosts/gpu/{UNIT}:4 requires a.service",
    ),
    "a unit after itself": (
        unit(f"After={DEVICE}", f"After={DEVICE} kubelet.service"),
        f"hosts/gpu/{UNIT}:2 is after kubelet.service, hosts/gpu/{UNIT}:4 before kubelet.service",
    ),
    "a unit after the last target": (
        unit(f"After={DEVICE}", f"After={DEVICE} graphical.target"),
        "is after graphical.target",
    ),
    "thresholds that fall": (
        {SYSCTL: TABLE.replace("2048", "4096")},
        "gc_thresh1, gc_thresh2, gc_thresh3 do not rise on node-0",
    ),
    "a threshold left out": (
        {SYSCTL: TABLE.partition("\n")[2]},
        "net.ipv4.neigh.default.gc_thresh1 is not stated on node-0",
    ),
    "a table one too small": (
        {SYSCTL: TABLE.replace("1024", "1").replace("2048", "2").replace("3072", "1023")},
        f"gc_thresh3 of node-0 is 1023 (hosts/gpu/{SYSCTL}:3)",
    ),
    "a module left out": (
        {"modules-load.d/rdma.conf": "ib_umad\nib-uverbs\nrdma_cm\n"},
        "does not load rdma_ucm",
    ),
}
SILENT = {
    "a link": ({LINK: NAMED + "SR-IOVVirtualFunctions=2\n"}, "roce0"),
    "a network": ({NETWORK: "[Match]\nName=ens1f*\n[Link]\nActivationPolicy=always-up\n"}, "roce0"),
    "firmware": ({FIRMWARE: SET + "SRIOV_EN=1 NUM_OF_VFS=2 LINK_TYPE_P1=2\n"}, "roce0"),
    "firmware of another card": ({FIRMWARE: SET.replace("19", "1a") + "LINK_TYPE_P1=1\n"}, "LINK_TYPE"),
    "a unit": ({UNIT: RUNS, SCRIPT: ""}, UNIT),
    "a unit that requires systemd's": (unit("Before", "Requires=basic.target\nBefore"), "requires"),
    "a neighbour table of 1024": (
        {SYSCTL: TABLE.replace("1024", "1").replace("2048", "2").replace("3072", "1024")},
        "neighbour",
    ),
    "no script": ({UNIT: ""}, UNIT),
}


@pytest.mark.parametrize("name", SAYS)
def test_a_file_of_a_host_leads_to_a_sentence(name: str) -> None:
    texts, wanted = SAYS[name]
    assert any(wanted in text for text in said(texts)), said(texts)


@pytest.mark.parametrize("name", SILENT)
def test_a_file_beside_it_leads_to_none(name: str) -> None:
    texts, word = SILENT[name]
    assert [text for text in said(texts) if word in text] == []


def test_vfs_of_an_operator_are_as_many_as_pods_take() -> None:
    wanted = "roce0 of node-0 has 1 VFs for pods, those of a node take 2"
    assert wanted in said({}, made=False, most=1)
    assert wanted not in said({}, made=False, most=2)


def test_a_port_that_pods_take_whole_needs_no_vfs() -> None:
    assert not any("VF" in text for text in said({LINK: NAMED, FIRMWARE: SET + "SRIOV_EN=0\n"}, vfs=0))
    assert any("VF" in text for text in said({LINK: NAMED}))
    assert not any("VF" in text for text in said({LINK: NAMED, FIRMWARE: SET + "SRIOV_EN=0\n"}, made=False))


def test_firmware_gives_as_many_vfs_as_the_driver_is_told_to_make() -> None:
    texts = {LINK: NAMED + "SR-IOVVirtualFunctions=4\n", FIRMWARE: SET + "SRIOV_EN=1 NUM_OF_VFS=3\n"}
    assert any(text.endswith("4 are to be made") for text in said(texts))


def test_a_unit_of_systemd() -> None:
    """systemd.syntax(7): a comment in a line that goes on is left out, an empty value clears a list, and a
    backslash at the end of the file joins nothing."""
    text = "; old\nA=0\n[Unit]\nAfter=a \\\n# why\n  b\nBefore=x\nBefore=\nBefore=y z\nWants\nWants=c \\"
    found = read_unit("a.service", text)
    assert [(s.section, s.key, s.value, s.line) for s in found.settings] == [
        ("", "A", "0", 2),
        ("Unit", "After", "a b", 4),
        ("Unit", "Before", "x", 7),
        ("Unit", "Before", "", 8),
        ("Unit", "Before", "y z", 9),
        ("Unit", "Wants", "c", 11),
    ]
    assert found.strange == (10,)
    assert [*found.words("Unit", "Before")] == ["y", "z"]
    last = found.last("Unit", "Before")
    assert last is not None
    assert (found.at(last), found.at(None)) == ("a.service:9", "a.service")
    assert Unit("x", ()).last("Unit", "Before") is None


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("9000", 9000),
        ("1K", 1024),
        ("2M", 2 << 20),
        ("1G", 1 << 30),
        ("1T", 1 << 40),
        ("1k", None),
        ("", None),
    ],
)
def test_a_size(text: str, size: int | None) -> None:
    assert bytes_of(text) == size


def test_options_of_modules() -> None:
    found = module_options("m.conf", "# x\noptions ib-core netns_mode=0 x\noptions\nblacklist a b\n")
    assert [(s.section, s.key, s.value, s.line) for s in found.settings] == [
        ("ib_core", "netns_mode", "0", 2),
        ("ib_core", "x", "", 2),
    ]
    assert modules("ib-umad\n\n# x\nrdma_cm\n") == {"ib_umad": 1, "rdma_cm": 4}


def test_lines_of_firmware_that_are_none_are_passed_over() -> None:
    found = firmware("f.txt", f"reboot\n{SET}A=1 B=2\n")
    assert [(s.section, s.key, s.value, s.line) for s in found.settings] == [
        ("0000:19:00.0", "A", "1", 2),
        ("0000:19:00.0", "B", "2", 2),
    ]
    assert found.strange == (1,)


def test_a_function_that_is_called_and_not_there_is_named() -> None:
    found = odd_lines(SCRIPT, "#!/bin/sh\nset -eu\n write 6 x\n")
    assert [pair for pair in found if "the function" in pair[1]] == [(0, "lacks the function write")]
    assert not any("the function" in text for _, text in odd_lines(SCRIPT, "#!/bin/sh\nset -eu\n"))


def test_a_line_that_goes_on_at_the_end_of_a_script_is_a_line() -> None:
    assert rows_of_functions("a() {\n  b \\\n  c\n}\nd \\") == {"": [(5, "d")], "a": [(2, "b c")]}


def test_the_last_of_two_settings_counts() -> None:
    found = read_unit("x", "[Link]\nName=a\nName=b\n[Match]\nName=c\nOther=d\n")
    assert [each and each.value for each in (found.last("Link", "Name"), found.last("Match", "Name"))] == [
        "b",
        "c",
    ]
    assert found.last("Link", "Other") is None


def test_options_of_no_module_state_nothing() -> None:
    found = module_options("x", "options\noptions a-b\noptions a-b c=d e\nblacklist a c=d\n")
    assert [(each.section, each.key, each.value, each.line) for each in found.settings] == [
        ("a_b", "c", "d", 3),
        ("a_b", "e", "", 3),
    ]
