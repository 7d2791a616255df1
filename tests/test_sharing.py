"""Clusters that share a fabric: switches once, from the links of all; contradictions name both places."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from netplan import pipeline, sharing
from netplan.diagnostics import Severity
from netplan.load import load_texts
from netplan.pipeline import compile_texts
from netplan.result import Result
from tests.cli_runs import netplan
from tests.inventories import text_of

EXAMPLE = Path(__file__).resolve().parent.parent / "examples" / "shared-fabric"
TRAIN, INFER, FABRIC = "clusters/train.yaml", "clusters/infer.yaml", "fabric/fabric.yaml"
APART = """
version: 1
site: apart
cluster:
  primary_network: {cni: calico, pod_cidr: 10.246.0.0/16, service_cidr: 10.98.0.0/16}
  owners: {vfs: host, device_plugin: manual}
rails: {count: 1, vlan_ids: 100-100, supernets: [172.24.0.0/20], prefixes: [24]}
host_types:
  apart:
    gpus: 8
    node_selector: {example.com/host-type: apart}
    hcas:
      roce0:
        {model: connectx-6-dx, pci: "0000:18:00.0", netdev: ens1f0, rail: 0, speed_gbps: 100, use: vf, vfs: 4}
hosts:
  apart-[1-2]: {type: apart}
switches:
  leaf-9: {type: leaf, id: 9, role: leaf}
  spine-9: {type: leaf, id: 109, role: spine}
links:
  - {hosts: "apart-[1-2]", hca: roce0, switch: leaf-9, ports: "Ethernet[0-4/4]", cable_m: 5}
  - {switches: leaf-9, ports: Ethernet124, to: spine-9, to_ports: Ethernet0, cable_m: 40}
networks: {rail: {for_each: rails, mode: sriov, ipam: nv-ipam, namespaces: [a], routing: sbr}}
workloads:
  a:
    {namespace: a, hosts: [apart], networks: [rail], gpus: 8, nodes: 2, image: example.com/a:1,
    shm_mib: 16384, nccl_version: "2.23.4"}
"""
"""A cluster with its own leaf and spine, which shares only the statements of the fabric."""


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the example as the working directory."""
    for part in ("clusters", "fabric"):
        shutil.copytree(EXAMPLE / part, tmp_path / part)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*clusters: str) -> Result:
    return sharing.run(clusters or (TRAIN, INFER), ["fabric"])


def texts(result: Result) -> Mapping[str, str]:
    assert not [d for d in result.diagnostics if d.severity > Severity.INFO]
    return {a.path: a.text for a in result.artifacts}


def of(prefix: str, files: Mapping[str, str]) -> Mapping[str, str]:
    return {path: text for path, text in files.items() if path.startswith(prefix)}


def test_a_switch_is_rendered_once_with_the_ports_of_all(site: Path) -> None:
    files = texts(run())
    leaf = yaml.safe_load(files["switches/leaf-1/interfaces.json"])
    assert leaf["VLAN"].keys() == {"Vlan100", "Vlan200"}
    assert {"Vlan100|Ethernet12", "Vlan200|Ethernet16"} <= leaf["VLAN_MEMBER"].keys()
    assert {"Vlan100|172.16.0.1/24", "Vlan200|172.20.0.1/24"} <= leaf["VLAN_INTERFACE"].keys()
    rows = files["switches/leaf-1/cabling.csv"].splitlines()
    assert [row.split(",")[3] for row in rows[1:9]] == [
        f"{n}-0{i}" for n in ("gpu", "inf") for i in range(1, 5)
    ]
    readme = files["switches/leaf-1/README.md"]
    assert "Site hall-1." in readme
    assert "train-rail0-leaf-1" in readme
    assert "infer-rail0-leaf-1" in readme
    assert not of("clusters/", {p: t for p, t in files.items() if "/switches/" in p})


def test_a_cluster_has_the_bytes_that_it_has_alone(site: Path) -> None:
    files = texts(run())
    for name, cluster in (("train", TRAIN), ("infer", INFER)):
        alone = {a.path: a.text for a in pipeline.run([cluster, "fabric"]).artifacts if a.kind != "switches"}
        prefix = f"clusters/{name}/"
        assert {p.removeprefix(prefix): t for p, t in of(prefix, files).items()} == alone


def test_nothing_moves_when_a_cluster_joins(site: Path) -> None:
    """Files of the existing clusters do not change, whatever the order of the clusters."""
    (site / "clusters" / "apart.yaml").write_text(APART)
    both, all_three = texts(run()), texts(run("clusters/apart.yaml", INFER, TRAIN))
    assert {path: all_three.get(path) for path in both} == both
    new = {"/".join(path.split("/")[:2]) for path in all_three.keys() - both.keys()}
    assert new == {"clusters/apart", "switches/leaf-9", "switches/spine-9"}
    alone = texts(run(TRAIN))
    assert of("clusters/train/", alone) == of("clusters/train/", both)
    assert of("switches/spine-1/", alone) == of("switches/spine-1/", both)
    before, after = (yaml.safe_load(f["switches/leaf-1/interfaces.json"]) for f in (alone, both))
    for table in ("LOOPBACK_INTERFACE", "INTERFACE", "VLAN", "VLAN_MEMBER", "VLAN_INTERFACE", "BGP_NEIGHBOR"):
        rows = before[table]
        assert {key: row for key, row in after[table].items() if key in rows} == rows


def test_neighbours_buffers_and_bandwidth_are_those_of_all(site: Path) -> None:
    (one, both) = (run(*names).plan for names in ((TRAIN,), (TRAIN, INFER)))
    assert one is not None
    assert both is not None
    first, second = one.switches[0], both.switches[0]
    assert (first.demand.hosts, second.demand.hosts) == (16, 32)
    assert first.demand.uplinks == second.demand.uplinks == 4
    assert second.demand.total == 36
    assert second.buffers != first.buffers


@pytest.mark.sample(1)
@pytest.mark.parametrize("name", ["iei-rocev2", "multi-vendor", "l3-to-host"])
def test_the_name_of_a_fabric_changes_no_byte(name: str) -> None:
    """An inventory rendered alone only gets a warning."""
    named = compile_texts({"a.yaml": text_of(name)}, overlays=[{"b.yaml": "fabric: {name: hall-1}"}])
    plain = compile_texts({"a.yaml": text_of(name)})
    assert named.artifacts == plain.artifacts
    assert {d.code for d in named.diagnostics} - {d.code for d in plain.diagnostics} == {"NP135"}


SHARED = ("version", "fabric", "underlay", "switch_types", "switches", "vlans")


@pytest.mark.sample(2)
@pytest.mark.parametrize(
    "name", ["iei-rocev2", "multi-vendor", "l3-to-host", "kitchen-sink", "dgx-h100-dra", "minimal"]
)
def test_an_inventory_in_two_files_is_itself(site: Path, name: str) -> None:
    """With its switches moved to files of a fabric with only this cluster, only the site's names differ."""
    own = json.loads(json.dumps(load_texts({"a.yaml": text_of(name)}).data))
    links = own.pop("links")
    fabric = {key: own.pop(key) for key in SHARED if key in own}
    fabric["fabric"]["name"] = "hall-1"
    fabric["links"] = [link for link in links if "switches" in link] or None
    own |= {"version": 1, "links": [link for link in links if "switches" not in link]}
    (site / "own.yaml").write_text(json.dumps(own))
    (site / "shared.yaml").write_text(json.dumps({k: v for k, v in fabric.items() if v is not None}))
    alone = {a.path: a.text for a in pipeline.run(["own.yaml", "shared.yaml"]).artifacts}
    joint = {a.path: a.text for a in sharing.run(["own.yaml"], ["shared.yaml"]).artifacts}
    here = own["site"]
    assert len(alone) == len(joint)
    for path, text in alone.items():
        if not path.startswith("switches/"):
            assert joint[f"clusters/{here}/{path}"] == text
            continue
        for word in ("Site", "site"):
            text = text.replace(f"{word} {here}", f"{word} hall-1")
        assert joint[path].replace(f"{here}-", "") == text.replace(f"{here}-", "")


def moved(old: str, new: str, name: str = INFER) -> Callable[[Path], None]:
    def move(site: Path) -> None:
        text = (site / name).read_text()
        assert old in text
        (site / name).write_text(text.replace(old, new))

    return move


def in_both(section: str, old: str, new: str) -> Callable[[Path], None]:
    """Move a section of the fabric to the file of each cluster, with a different value in one."""

    def move(site: Path) -> None:
        lines = (site / FABRIC).read_text().splitlines(keepends=True)
        start = next(i for i, line in enumerate(lines) if line.startswith(f"{section}:"))
        end = next((i for i, line in enumerate(lines) if i > start and line[:1] not in " \n"), len(lines))
        text = "".join(lines[start:end])
        assert old in text
        (site / FABRIC).write_text("".join(lines[:start] + lines[end:]))
        for name, own in ((TRAIN, text), (INFER, text.replace(old, new))):
            (site / name).write_text((site / name).read_text() + "\n" + own)

    return move


def stated(text: str, *names: str) -> Callable[[Path], None]:
    def state(site: Path) -> None:
        for name in names:
            data = yaml.safe_load((site / name).read_text())
            for section, more in yaml.safe_load(text).items():
                data[section] = {**data.get(section, {}), **more}
            (site / name).write_text(yaml.safe_dump(data))

    return state


def own_uplinks(**unlike: Any) -> Callable[[Path], None]:
    """Move links of the leaves to the files of the clusters, one link with different values in one file."""

    def move(site: Path) -> None:
        fabric = yaml.safe_load((site / FABRIC).read_text())
        links = fabric.pop("links")
        (site / FABRIC).write_text(yaml.safe_dump(fabric))
        for name, own in ((TRAIN, {}), (INFER, unlike)):
            data = yaml.safe_load((site / name).read_text())
            data["links"] += [{**links[0], **own}, links[1]]
            (site / name).write_text(yaml.safe_dump(data))

    return move


HOST = "hosts: {%s: {type: %s-server, hcas: {roce0: {mac: 'b8:59:9f:00:00:07'}}}}"


@pytest.mark.sample(5)
@pytest.mark.parametrize(
    ("changes", "code", "said"),
    [
        pytest.param(
            [moved("Ethernet[16-28/4]", "Ethernet[12-24/4]")],
            "NP132",
            "leaf-1 Ethernet12 goes to inf-01 roce0, in train (clusters/train.yaml:30:5) to gpu-04 roce0",
            id="a port with two cables",
        ),
        pytest.param(
            [moved("Ethernet[16-28/4]", "Ethernet[100-112/4]")],
            "NP820",
            "leaf-1 Ethernet112 goes to inf-04 roce0 and to spine-1 Ethernet0",
            id="a port of a link of the fabric",
        ),
        pytest.param(
            [moved("200-201", "100-101")],
            "NP133",
            "VLAN 100 on leaf-1 is rail0-leaf-1, in train (clusters/train.yaml:12:3) rail0-leaf-1",
            id="a VLAN with two meanings",
        ),
        pytest.param(
            [moved("172.20.0.0/20", "172.16.0.0/20")],
            "NP134",
            "rail0-leaf-1 overlaps 172.16.0.0/24 of rail0-leaf-1 in train (clusters/train.yaml:13:3)",
            id="subnets that overlap",
        ),
        pytest.param(
            [moved("inf-[01-04]", "gpu-[01-04]")],
            "NP132",
            "host gpu-01 is also in train (clusters/train.yaml:27:3)",
            id="a host twice",
        ),
        pytest.param(
            [stated(HOST % ("gpu-01", "gpu"), TRAIN), stated(HOST % ("inf-01", "inf"), INFER)],
            "NP132",
            "MAC b8:59:9f:00:00:07 of inf-01 roce0 is also that of gpu-01 roce0 in train "
            "(clusters/train.yaml:",
            id="a MAC twice",
        ),
        pytest.param(
            [in_both("fabric", "kmin_bytes: 100000", "kmin_bytes: 90000")],
            "NP131",
            "kmin_bytes is 90000, in train (clusters/train.yaml:57:15) 100000",
            id="QoS that differs",
        ),
        pytest.param(
            [in_both("underlay", "spine_asn: 4200000001", "spine_asn: 4200000002")],
            "NP131",
            "spine_asn is 4200000002, in train (clusters/train.yaml:47:35) 4200000001",
            id="an AS number that differs",
        ),
        pytest.param(
            [in_both("switches", "spine-[1-2]: {type: leaf, id: 101", "spine-[1-2]: {type: leaf, id: 111")],
            "NP131",
            "id of switch spine-1 differ from those in train (clusters/train.yaml:",
            id="a switch that differs",
        ),
        pytest.param(
            [own_uplinks(to_ports="Ethernet[16-20/4]")],
            "NP131",
            "the link leaf-1 Ethernet112 to spine-1 Ethernet16 is not in train (clusters/train.yaml:",
            id="a link that one of them has",
        ),
        pytest.param(
            [own_uplinks(cable_m=300)],
            "NP131",
            "cable_m of the link leaf-1 Ethernet112 to spine-1 Ethernet0 is 300, in train (clusters/",
            id="a link of two lengths",
        ),
        pytest.param(
            [own_uplinks(speed_gbps=40, fec="none")],
            "NP131",
            "fec of the link leaf-1 Ethernet112 to spine-1 Ethernet0 is none, in train (clusters/train.yaml:",
            id="a link of two speeds",
        ),
        pytest.param(
            [
                stated("switches: {leaf-9: {type: leaf, id: 9, role: leaf}}", TRAIN),
                stated("switches: {leaf-8: {type: leaf, id: 9, role: leaf}}", INFER),
            ],
            "NP132",
            "switch leaf-8 has id 9, as leaf-9 in train (clusters/train.yaml:",
            id="an id twice",
        ),
        pytest.param(
            [moved("site: infer", "site: train")],
            "NP132",
            "train (clusters/train.yaml:3:1) uses the site name train too",
            id="a site twice",
        ),
        pytest.param(
            [moved("name: hall-1", "mtu: 9000", FABRIC)],
            "NP130",
            "the fabric of train has no name",
            id="no name",
        ),
    ],
)
def test_a_contradiction_names_both_places(
    site: Path, changes: list[Callable[[Path], None]], code: str, said: str
) -> None:
    for change in changes:
        change(site)
    result = run()
    found = [d for d in result.diagnostics if d.severity is Severity.ERROR]
    assert code in {d.code for d in found}
    message = next(d for d in found if d.code == code)
    assert said in message.message
    assert message.hint
    assert message.source is not None
    assert message.source.file in (INFER, FABRIC)
    assert not result.artifacts


def test_pools_on_one_subnet_must_not_meet(site: Path) -> None:
    """Two clusters use one subnet of the fabric: what one assigns, the other must reserve."""
    subnets = """
subnets: {store: {cidr: 172.30.0.0/24, vlan: store, gateway: 172.30.0.1%s}}
networks:
  store: {mode: macvlan, subnet: store, ipam: whereabouts, hcas: [store], share_max: 8, namespaces: [%s]}
"""
    for name, kind, pci in ((TRAIN, "gpu", "Ethernet[40-52/4]"), (INFER, "inf", "Ethernet[56-68/4]")):
        data = yaml.safe_load((site / name).read_text())
        data["host_types"][f"{kind}-server"]["hcas"]["store"] = {
            "model": "connectx-6-dx",
            "pci": "0000:5e:00.0",
            "netdev": "ens3f0np0",
            "speed_gbps": 100,
            "use": "pf",
        }
        link = {"hosts": f"{kind}-[01-04]", "hca": "store", "switch": "leaf-1", "ports": pci, "cable_m": 5}
        data["links"].append(link)
        (site / name).write_text(yaml.safe_dump(data))
    (site / "fabric" / "store.yaml").write_text("vlans: {store: {id: 300}}\n")
    everything = [stated(subnets % ("", "a"), name) for name in (TRAIN, INFER)]
    for state in everything:
        state(site)
    found = [d for d in run().diagnostics if d.code == "NP134"]
    assert len(found) == 1
    assert found[0].message.startswith("pods of infer and of train (clusters/train.yaml:")
    assert found[0].message.endswith(" on store both get addresses such as 172.30.0.2")
    for name, taken in ((TRAIN, "172.30.0.128-172.30.0.255"), (INFER, "172.30.0.2-172.30.0.127")):
        stated(subnets % (f", reserved: [{taken}]", "a"), name)(site)
    result = run()
    files = {a.path: a.text for a in result.artifacts}
    assert files["switches/leaf-1/interfaces.json"].count("172.30.0.1/24") == 1
    stated(subnets % (", reserved: [172.30.0.2-172.30.0.4, 172.30.0.6-172.30.0.127]", "a"), INFER)(site)
    stated("hosts: {inf-01: {hcas: {store: {address: 172.30.0.5/24}}}}", INFER)(site)
    place = "train (clusters/train.yaml:"
    for order, said in (
        (
            (TRAIN, INFER),
            f"172.30.0.5 of store of inf-01 may be assigned to pods of train on store, in {place}",
        ),
        (
            (INFER, TRAIN),
            "pods of train on store may get 172.30.0.5, the address of store of inf-01 in infer (clusters",
        ),
    ):
        (clash,) = [d for d in run(*order).diagnostics if d.severity is Severity.ERROR]
        assert (clash.code, clash.message.startswith(said)) == ("NP134", True)
    stated(subnets % (", reserved: [172.30.0.2-172.30.0.127]", "a"), INFER)(site)
    stated("hosts: {inf-01: {hcas: {store: {address: 172.30.0.130/24}}}}", INFER)(site)
    assert run().artifacts


def test_links_of_hosts_are_told_apart_by_ids(site: Path) -> None:
    """Routed links of both clusters are numbered from one range of the fabric, by host id."""
    moved('nos_version: "202505"', 'nos_version: "202505", frr_mode: split', FABRIC)(site)
    rails = (
        "rails: {count: 2, segment: host, supernets: [172.16.0.0/20], rail_prefixes: [22], prefixes: [31]}\n"
    )
    for name in (TRAIN, INFER):
        own = (site / name).read_text()
        start, end = own.index("rails:"), own.index("host_types:")
        (site / name).write_text(
            own[:start]
            + own[end:]
            .replace(", vfs: 4", "")
            .replace("use: vf", "use: pf")
            .replace("mode: sriov", "mode: host-device")
        )
    (site / "fabric" / "rails.yaml").write_text(rails)
    found = [d for d in run().diagnostics if d.severity is Severity.ERROR]
    assert {d.code for d in found} == {"NP134"}
    assert found[0].message.startswith(
        "inf-01 on rail 0 has 172.16.0.0/31, as gpu-01 in train (clusters/train.yaml:"
    )
    moved("inf-[01-04]: {type: inf-server}", "inf-[01-04]: {type: inf-server, id: 5}")(site)
    files = {a.path: a.text for a in run().artifacts}
    leaf = yaml.safe_load(files["switches/leaf-1/interfaces.json"])
    assert {"Ethernet0|172.16.0.0/31", "Ethernet16|172.16.0.8/31"} <= leaf["INTERFACE"].keys()


def test_what_is_accepted_of_a_switch_holds_for_all(site: Path) -> None:
    """A finding caused by both clusters together, accepted in the fabric's files or in one cluster's."""
    moved("underlay: {", "underlay: {max_oversubscription_percent: 60, ", FABRIC)(site)
    found = [d for d in run().diagnostics if d.severity is Severity.ERROR]
    assert {(d.code, d.path) for d in found} == {("NP814", ("switches", "leaf-[1-2]"))}
    entry = "accept: [{check: NP814, at: 'switches.leaf-%s', reason: planned}]\n"
    for name in (FABRIC, INFER):
        kept = (site / name).read_text()
        (site / name).write_text(f"{kept}\n{entry % '[1-2]'}")
        result = run()
        assert [d.code for d in result.accepted if d.code == "NP814"]
        assert not {d.code for d in result.diagnostics} & {"NP814", "NP113"}
        (site / name).write_text(kept)


def test_errors_of_one_cluster_come_with_what_the_others_have(site: Path) -> None:
    """Errors in a file of the fabric are reported once."""
    moved("cnp: {dscp: 50", "cnp: {dscp: 26", FABRIC)(site)
    moved("networks: [rail]", "networks: [raill]")(site)
    result = run()
    assert sorted(d.code for d in result.diagnostics if d.severity is Severity.ERROR) == ["NP101", "NP401"]
    assert result.skipped[-1] == "the clusters were not joined"
    assert not result.artifacts


ARGUMENTS = ("--fabric", "fabric", TRAIN, INFER)


def test_the_command_writes_checks_and_removes(site: Path) -> None:
    assert netplan("render", *ARGUMENTS, "-o", "build")[0] == 0
    assert netplan("render", *ARGUMENTS, "-o", "build", "--check")[0] == 0
    status, out, _ = netplan("trace", "--rendered", "build/clusters/infer", "--matrix", "--format", "json")
    assert status == 0
    assert "gpu-01" not in out
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@example.com"]
    for arguments in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "a"]):
        subprocess.run([*git, *arguments], check=True)
    compared = ("diff", "HEAD:build/clusters/train", "build/clusters/train")
    assert netplan(*compared)[0] == 0
    moved("Ethernet[16-28/4]", "Ethernet[20-32/4]")(site)
    status, out, _ = netplan("render", *ARGUMENTS, "-o", "build", "--check", "--only", "switches")
    assert status == 1
    assert "would change switches/leaf-1/interfaces.json" in out
    assert "would change clusters" not in out
    assert netplan("render", "--fabric", "fabric", TRAIN, "-o", "build")[0] == 0
    assert not (site / "build" / "clusters" / "infer").exists()
    status, out, _ = netplan(*compared)
    assert status == 1
    assert "leaf-[1-2]: ports" in out
    assert "hosts: no file differs" in out


def test_an_origin_is_in_the_file_that_states_it(site: Path) -> None:
    for path, place in (
        ("fabric.qos.classes.roce.dscp", "fabric/fabric.yaml:10"),
        ("rails.vlan_ids", f"{TRAIN}:12"),
    ):
        assert place in netplan("show", TRAIN, "--fabric", "fabric", path)[1]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("render", *ARGUMENTS, "-o", "-"), "--fabric requires a directory"),
        (("validate", "--fabric", "-", TRAIN, INFER), "standard input can be read once"),
        (("validate", "--fabric", "absent", TRAIN, INFER), "'absent' does not exist"),
        (("validate", *ARGUMENTS, "--rendered", "x"), "--fabric cannot be used with --rendered"),
        (
            ("trace", "--matrix", "--rendered", "clusters", "--fabric", "fabric"),
            "--fabric require an inventory",
        ),
        (("render", *ARGUMENTS, "-o", "fabric"), "is the directory of the inventory fabric"),
    ],
)
def test_where_several_clusters_have_no_meaning(site: Path, arguments: tuple[str, ...], said: str) -> None:
    status, _, error = netplan(*arguments)
    assert status == 2
    assert said in error
