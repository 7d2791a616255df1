"""``netplan trace`` as users run it: on an inventory, on an edited directory, with invalid ends."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from netplan.pipeline import compile_texts
from netplan.reading.switches import read_switch
from netplan.write import write
from tests.cli_runs import SITE, json_report, netplan
from tests.inventories import FOLDER, compiled

IEI = str(FOLDER / "iei-rocev2.yaml")
ENDS = ("training@gpu-001/rail0", "training@gpu-016/rail2")


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """The files of the IEI reference, to break."""
    write(tmp_path / "out", compiled("iei-rocev2").artifacts, "iei-rocev2")
    return tmp_path / "out"


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


def test_every_pair_of_the_reference_is_delivered() -> None:
    status, out, err = netplan("trace", IEI, "--matrix")
    assert status == 0
    assert out.count("every pair is delivered on the right rail, both ways") == 2
    assert err == ""


def test_a_vlan_deleted_from_a_rendered_file_is_named(tree: Path) -> None:
    file = tree / "switches/leaf-1/interfaces.json"
    edit(file, '"Vlan100": {"vlanid": "100", "mtu": "9216"}', "")
    status, out, _ = netplan("trace", "--rendered", str(tree), *ENDS)
    assert status == 1
    assert "not delivered: leaf-1 has no VLAN 100 for Ethernet0 (switches/leaf-1/interfaces.json:" in out
    status, out, _ = netplan("trace", "--rendered", str(tree), "--matrix", "--workload", "training")
    assert status == 1
    assert "leaf-1 has no VLAN 100 for Ethernet0 (switches/leaf-1/interfaces.json:" in out
    assert netplan("trace", IEI, *ENDS)[0] == 0


def test_the_cabling_is_that_of_site_json(tree: Path) -> None:
    """It is used alone, but not together with an inventory."""
    edit(tree / "site.json", '"Ethernet0": {"host": "gpu-001"', '"Ethernet1": {"host": "gpu-001"')
    status, out, _ = netplan("trace", "--rendered", str(tree), *ENDS)
    assert status == 1
    assert "leaf-1 does not configure Ethernet1" in out
    assert netplan("trace", IEI, "--rendered", str(tree), *ENDS)[0] == 0
    edit(tree / "switches/leaf-1/interfaces.json", '"Vlan100|Ethernet0": {"tagging_mode": "tagged"},', "")
    status, out, _ = netplan("trace", IEI, "--rendered", str(tree), *ENDS)
    assert status == 1
    assert "leaf-1 Ethernet0 does not carry VLAN 100 (switches/leaf-1/interfaces.json:" in out


def test_a_table_of_cables_that_says_something_else(tree: Path) -> None:
    file = "switches/leaf-1/cabling.csv"
    edit(tree / file, "leaf-1,Ethernet0,host,gpu-001", "leaf-1,Ethernet0,host,gpu-002")
    for inventory in ((), (IEI,)):
        status, out, _ = netplan("trace", *inventory, "--rendered", str(tree), *ENDS)
        assert status == 1
        cable = "roce0, 100 Gb/s, 5 m"
        said = f"{file}:2 has gpu-002 {cable} at leaf-1 Ethernet0, site.json has gpu-001 {cable} there"
        assert f"not delivered: {said}" in out
    lines = (tree / file).read_text().splitlines(keepends=True)
    (tree / file).write_text("".join([lines[0], *lines[2:]]))
    status, out, _ = netplan("trace", "--rendered", str(tree), *ENDS)
    assert status == 1
    assert f"{file} has no cable at leaf-1 Ethernet0, site.json has gpu-001 roce0, 100 Gb/s, 5 m there" in out


def test_a_site_file_that_cannot_be_used(tree: Path) -> None:
    whole = (tree / "site.json").read_text()
    for before, after, said in (
        ('"version": 1,', '"version": 2,', "site.json: version: 1 was expected"),
        ('"rail": 0,', '"rail": "0",', "roce0.rail: '0' is not of type 'integer'"),
        ('{"type": "nf5468m5"}', '{"type": "other"}', "site.json: hosts: there is no host type other"),
        ("{", "[", "site.json: "),
    ):
        assert before in whole
        (tree / "site.json").write_text(whole.replace(before, after))
        status, _, err = netplan("trace", "--rendered", str(tree), *ENDS)
        assert status == 2
        assert said in err
    (tree / "site.json").unlink()
    status, _, err = netplan("trace", "--rendered", str(tree), *ENDS)
    assert status == 2
    assert "without site.json, an end is written NAMESPACE/NAME or KIND/NAME, such as" in err


def test_a_file_that_is_gone(tree: Path) -> None:
    (tree / "switches/leaf-3/roce.json").unlink()
    status, out, _ = netplan("trace", "--rendered", str(tree), *ENDS)
    assert status == 1
    assert "not lossless: leaf-3 Ethernet80 does not classify by DSCP (switches/leaf-3/roce.json)" in out


def test_rails_by_number_and_quiet() -> None:
    assert netplan("trace", "--quiet", IEI, "training@gpu-001/0", "training@gpu-016/2") == (0, "", "")


def test_json(tree: Path) -> None:
    status, out, _ = netplan("trace", "--format", "json", "--rendered", str(tree), *ENDS)
    found = json_report(out)["trace"]
    assert (status, found["delivered"], found["meant"]) == (0, True, True)
    flows = found["families"][0]["flows"]
    assert [hop["node"] for hop in flows[0]["there"]["hops"]] == [
        "training@gpu-001",
        "leaf-1",
        "spine-1",
        "leaf-3",
        "training@gpu-016",
    ]
    assert [flow["verdict"] for flow in flows] == ["delivered", "delivered", "wrong rail"]
    status, out, _ = netplan("trace", "--format", "json", "--rendered", str(tree), "--matrix")
    matrix = json_report(out)["matrix"]
    assert status == 0
    assert [each["hosts"] for each in matrix["workloads"]] == [4, 16]


def test_what_the_files_leave_open_fails_only_when_strict() -> None:
    inventory = str(FOLDER / "dgx1-multirail.yaml")
    ends = ("multinode@dgx-001/0", "multinode@dgx-100/0")
    status, out, _ = netplan("trace", inventory, *ends)
    assert status == 0
    assert "not proved: as far as the files show" in out
    assert "no file says what dgx-001 roce0 is cabled to" in out
    assert netplan("trace", "--strict", inventory, *ends)[0] == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("trainig@gpu-001/0", ENDS[1]), "there is no workload trainig; did you mean training?"),
        (("training@gpu-01/0", ENDS[1]), "there is no host gpu-01; did you mean gpu-0"),
        (("training@gpu-101/0", ENDS[1]), "pods of training do not run on gpu-101"),
        (
            ("training@gpu-001/rail7", ENDS[1]),
            "no interface or rail rail7; did you mean rail3? there are rail0",
        ),
        (("training@gpu-001/9", ENDS[1]), "no interface or rail 9"),
        (("training/gpu-001", ENDS[1]), "training/gpu-001 is not WORKLOAD@HOST/RAIL, such as"),
        (("large-model@gpu-101/0", "large-model@gpu-101/1"), "there is no second host"),
        (("--matrix", "--workload", "nothing"), "there is no workload nothing"),
    ],
)
def test_an_end_that_does_not_exist(arguments: tuple[str, ...], message: str) -> None:
    status, out, err = netplan("trace", IEI, *arguments)
    assert (status, out) == (2, "")
    assert message in err


@pytest.mark.parametrize(
    "arguments",
    [(), (IEI,), (IEI, "a@b/0"), ("--matrix",), (IEI, *ENDS, "more"), (IEI, *ENDS, "--workload", "training")],
)
def test_wrong_usage(arguments: tuple[str, ...]) -> None:
    status, _, err = netplan("trace", *arguments)
    assert status == 2
    assert "Usage:" in err


def test_a_directory_that_is_not_netplans(tmp_path: Path) -> None:
    status, _, err = netplan("trace", "--rendered", str(tmp_path), "--matrix")
    assert status == 2
    assert "no Kubernetes object found: it contains no *.yaml, *.yml or *.json file" in err
    status, _, err = netplan("trace", IEI, "--rendered", str(tmp_path), "--matrix")
    assert status == 2
    assert "has no manifest.json: it is not a directory netplan rendered" in err


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("switches/leaf-1/cabling.csv", "port,peer\n"),
        ("switches/leaf-1/cabling.csv", None),
        ("kubernetes/30-networks/ipam/rail0-leaf-1.yaml", "kind: [\n"),
        ("pods/training/routes.yaml", "interfaces: {\n"),
        ("pods/training/routes.yaml", "interfaces: [{rail: 0}]\n"),
        ("pods/training/routes.yaml", "interfaces: [{interface: rail0, rail: x}]\n"),
        ("pods/training/routes.yaml", "interfaces: [{interface: rail0, rail: 0, routes: [{}]}]\n"),
        ("pods/training/routes.yaml", "interfaces: 5\n"),
        ("pods/training/routes.yaml", "[]\n[]\n"),
    ],
)
def test_files_that_cannot_be_read(tree: Path, path: str, text: str | None) -> None:
    file = tree / path
    first, *rows = file.read_text().splitlines(keepends=True)
    file.write_text(first + "x,y\n" + "".join(rows) if text is None else text)
    status, _, err = netplan("trace", "--rendered", str(tree), "--matrix")
    assert status == 2
    assert path in err


def test_an_inventory_with_errors(tmp_path: Path) -> None:
    bad = tmp_path / "bad.yaml"
    bad.write_text(SITE.replace("mtu: 4200", "mtu: 99"))
    status, _, err = netplan("trace", str(bad), "--matrix")
    assert status == 1
    assert "nothing traced" in err
    status, out, _ = netplan("trace", "--format", "json", str(bad), "--matrix")
    assert status == 1
    assert json.loads(out)["trace"] is None


def test_a_site_without_workloads(tmp_path: Path) -> None:
    assert compile_texts({"site.yaml": SITE}).artifacts
    site = tmp_path / "site.yaml"
    site.write_text(SITE)
    status, _, err = netplan("trace", str(site), "--matrix")
    assert status == 2
    assert "there is no workload" in err


@pytest.mark.parametrize(
    "path", ["hosts/nf5468m5/05-all.link", "switches/leaf-1/zz-local.txt", "kubernetes/extra.yaml"]
)
def test_a_file_that_netplan_did_not_write_leaves_it_unproved(tree: Path, path: str) -> None:
    (tree / path).write_text("[Link]\nMTUBytes=1500\n")
    status, out, _ = netplan("trace", "--rendered", str(tree), "--matrix", "--strict")
    assert status == 1
    assert f"{path} is not read: netplan did not write it" in out


@pytest.mark.parametrize("path", ["hosts/nf5468m5/sysctl.d/90-rdma.conf", "pods/training/pod.yaml"])
def test_a_file_that_was_removed_leaves_it_unproved(tree: Path, path: str) -> None:
    (tree / path).unlink()
    status, out, _ = netplan("trace", "--rendered", str(tree), "--matrix", "--strict")
    assert status == 1
    assert f"{path} is missing: manifest.json lists it" in out


def test_pages_are_for_people(tree: Path) -> None:
    for path in ("switches/leaf-1/README.md", "switches/leaf-1/cabling.csv"):
        (tree / path).unlink()
    assert netplan("trace", "--rendered", str(tree), "--matrix", "--strict")[0] == 0


def test_a_loopback_draws_the_packets_of_a_rail(tree: Path) -> None:
    """The connected route of a loopback takes precedence over BGP."""
    edit(tree / "switches/leaf-1/interfaces.json", '"Loopback0|172.31.255.1/32"', '"Loopback0|172.16.5.1/24"')
    status, out, _ = netplan("trace", "--rendered", str(tree), "--matrix")
    assert status == 1
    assert "leaf-1 keeps packets for 172.16.5." in out


def test_a_blank_from_a_web_page_is_named() -> None:
    read = read_switch("leaf-1", "arista-eos", {"roce.txt": "priority-flow-control\u00a0on\n"})
    assert "roce.txt: line 1 has a blank that is not a space (U+00A0): no NOS accepts it" in read.problems


@pytest.mark.parametrize("first", ["#!/bin/sh -n", "#!/bin/true", "", "#!/bin/sh\r"])
def test_a_nic_script_that_another_program_runs_is_named(tree: Path, first: str) -> None:
    path = "hosts/nf5468m5/rdma-nic-qos.sh"
    edit(tree / path, "#!/bin/sh\n", f"{first}\n")
    status, out, _ = netplan("trace", "--rendered", str(tree), "--matrix", "--strict")
    assert status == 1
    assert f"{path}:1 is not #!/bin/sh, which runs it" in out


@pytest.mark.parametrize(
    "new", ['"type": "sriov", "logLevel": "debug",', '"type": "sriov", "vlanProto": "802.1q",']
)
def test_what_netplan_does_not_write_leaves_it_unproved(tree: Path, new: str) -> None:
    edit(tree / "kubernetes/30-networks/network-attachments/training/rail.yaml", '"type": "sriov",', new)
    status, out, _ = netplan(
        "trace", "--rendered", str(tree), "--matrix", "--workload", "training", "--strict"
    )
    assert status == 1
    assert "trace does not know what it does" in out


def test_a_plugin_that_netplan_does_not_write_leaves_it_unproved(tree: Path) -> None:
    path = "kubernetes/30-networks/network-attachments/training/rail.yaml"
    old = '        {\n          "type": "rdma"\n        },'
    edit(tree / path, old, f'{old}\n        {{"type": "bandwidth", "ingressRate": 1}},')
    status, out, _ = netplan(
        "trace", "--rendered", str(tree), "--matrix", "--workload", "training", "--strict"
    )
    assert status == 1
    assert "bandwidth" in out


@pytest.mark.parametrize(
    ("path", "old", "new", "says"),
    [
        (
            "pods/training/rails/kustomization.yaml",
            "rail_0",
            "rail_9",
            "pods of other manifests is not followed",
        ),
        ("site.json", '"ecn_percent": 100', '"ecn_percent": 99', "the requirements it states are not those"),
        ("hosts/gpu-007/10-roce0.link", "00:00:07", "00:00:08", "no other file has the MAC address"),
    ],
)
def test_an_edit_that_no_file_decides_leaves_it_unproved(
    tree: Path, path: str, old: str, new: str, says: str
) -> None:
    edit(tree / path, old, new)
    status, out, _ = netplan("trace", "--rendered", str(tree), "--matrix", "--strict")
    assert status == 1
    assert says in out


def test_files_that_were_edited_are_named(tree: Path) -> None:
    """Edits alone refute nothing: the files are traced as they are."""
    edit(tree / "pods/training/pod.yaml", "  restartPolicy: Never\n", "")
    status, out, _ = netplan("trace", "--rendered", str(tree), "--matrix", "--strict")
    assert status == 0
    changed = (
        "changed since netplan wrote them (manifest.json), and traced as they are now: pods/training/pod.yaml"
    )
    assert changed in out
