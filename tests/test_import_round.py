"""Round trip: dumps of a site after a render, imported and rendered again.

Dumps consist of rendered objects and files, with status fields as in the CRDs (``tests/dumped_site.py``);
``tests/test_import_fabric.py`` does the same for iei-rocev2. Values in no dump are filled in.
"""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import pytest

from netplan.importing.run import import_texts
from netplan.pipeline import compile_texts
from tests.cli_runs import netplan
from tests.dumped_site import cluster_dumps, fabric_dumps, interface, lldpctl_of_switch, nvue
from tests.inventories import compiled, outputs, text_of
from tests.test_import import filled

QOS = "{classes: {roce: {dscp: 26, priority: 3, lossless: true, bandwidth_percent: 50}}}"
PRIMARY = {"cni": "calico", "pod_cidr": "10.244.0.0/16", "service_cidr": "10.96.0.0/12"}

FILLED_IN = {**PRIMARY, "arp": "{timeout_seconds: 60, mac_timeout_seconds: 600}"}


def again(text: str) -> dict[str, str]:
    result = compile_texts({"site.yaml": text})
    assert [d for d in result.diagnostics if d.severity == 2] == []
    return {a.path: a.text for a in result.artifacts}


def objects(files: Mapping[str, str]) -> list[str]:
    """Networks, pools and devices as a cluster shows them."""
    return [
        p for p in files if p.startswith(("kubernetes/3", "kubernetes/4")) and not p.endswith("README.md")
    ]


def test_dgx1_multirail() -> None:
    """HCAs by PCI address only, policies of the SR-IOV operator, whereabouts, no switches. Objects contain
    the name of the host type only as a part of names, so it is filled in."""
    files = outputs(compiled("dgx1-multirail"))
    result = import_texts(cluster_dumps(files), "dgx1-multirail")
    assert (result.conflicts, result.remarks, result.problems) == ((), (), ())
    text = filled(result.text, {**PRIMARY, "routing": "script", "qos": QOS})
    text = text.replace("  dgx-1:", "  dgx1:").replace("{type: dgx-1}", "{type: dgx1}")
    made = again(text)
    for path in objects(files):
        assert made[path] == files[path], path
    assert len(objects(files)) >= 4


def superpod(leaves: int, spines: int) -> tuple[Mapping[str, str], dict[str, str]]:
    files = outputs(compiled("superpod-h100"))
    switches = list(json.loads(files["site.json"])["switches"].items())
    kept = [s for s in switches if s[1]["role"] == "leaf"][:leaves]
    kept += [s for s in switches if s[1]["role"] == "spine"][:spines]
    texts = cluster_dumps(files)
    for name, switch in kept:
        texts[f"{name}.yaml"] = nvue(files, name, switch["model"])
        texts[f"{name}.lldp.json"] = lldpctl_of_switch(name, files)
    return files, texts


@pytest.mark.full
def test_superpod() -> None:
    """128 hosts with 8 rails and routed links (segment: host), 40 NVUE switches, a CIDRPool per rail: every
    object, host file and switch file is equal, except cable lengths, as NVUE has one for all ports."""
    files, texts = superpod(32, 8)
    result = import_texts(texts, "superpod-h100")
    assert (result.conflicts, result.remarks, result.problems) == ((), (), ())
    assert "  segment: host #" in result.text
    assert "  supernets: [172.16.0.0/16] # smallest range for 1024 links" in result.text
    text = filled(result.text, {**PRIMARY, "routing": "script", "arp": "{timeout_seconds: 60}"})
    text = text.replace("fabric:\n", "fabric:\n  adaptive_routing: true\n")
    made = again(text)
    paths = objects(files) + [p for p in files if p.endswith((".link", ".network"))]
    paths += [p for p in files if re.fullmatch(r"switches/[^/]+/(interfaces|roce)\.(yaml|txt)", p)]
    assert len(paths) > 180
    assert [path for path in paths if made.get(path) != files[path]] == []


def text_of_16() -> str:
    """iei-rocev2 with its 16 hosts of one kind and four rails, without workloads."""
    text = text_of("iei-rocev2")
    text = re.sub(r"(?m)^.*gpu-\[101-104\].*\n", "", text)
    text = re.sub(r"(?ms)^  nf5468m5-whole:.*?(?=^hosts:)", "\n", text)
    text = re.sub(r"(?ms)^  card: .*?(?=^workloads:)", "\n", text)
    return re.sub(r"(?ms)^  large-model:.*\Z", "", text)


@cache
def site_of_16() -> dict[str, str]:
    """What is rendered from it."""
    return again(text_of_16())


def brownfield(folder: Path) -> None:
    files = site_of_16()
    folder.mkdir()
    for name, text in {**cluster_dumps(files), **fabric_dumps(files)}.items():
        (folder / name).write_text(text)


def test_from_a_folder_to_a_site_that_renumbers_nothing(tmp_path: Path) -> None:
    """Issue 14: one command writes an inventory from a folder with dumps of 16 hosts on 4 rails; with the
    three TODOs that no dump answers filled in, validate is clean, and nothing that runs would change."""
    brownfield(tmp_path / "dumps")
    site = tmp_path / "site.yaml"
    status, _, err = netplan("import", str(tmp_path / "dumps"), "--site", "iei-rocev2", "-o", str(site))
    assert (status, "16 hosts in 1 host type, 3 TODOs to fill in" in err) == (0, True)
    site.write_text(filled(site.read_text(), FILLED_IN))
    status, _, err = netplan("validate", str(site))
    assert (status, "0 errors, 0 warnings" in err) == (0, True), err
    status, out, _ = netplan("import", str(tmp_path / "dumps"), "--into", str(site))
    assert (status, out.splitlines()[0]) == (0, f"the dumps match {site}")
    shown = [line for line in out.splitlines()[2:] if "not compared" not in line]
    assert all(line.endswith(": as planned, as far as netplan reads it") for line in shown)
    assert len(shown) >= 9


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ({"externallyManaged": True}, False),
        ({"externallyManaged": True, "eSwitchMode": "switchdev"}, True),
        ({}, False),
    ],
)
def test_vfs_that_something_else_made_are_no_drift(
    said: dict[str, object], told: bool, tmp_path: Path
) -> None:
    """Each node has one card more, whose VFs no policy makes: --into of the imported inventory is quiet, and
    so is its last part; that netplan has no VFs in switchdev mode is told both times."""
    brownfield(tmp_path / "dumps")
    states = tmp_path / "dumps" / "states.json"
    data = json.loads(states.read_text())
    for number, state in enumerate(data["items"]):
        card = interface("0000:f1:00.0", "eno9", 100, vfs=4, mac=f"b8:59:9f:09:00:{number:02x}")
        vfs = [{"pciAddress": f"0000:f1:00.{n}", "name": f"eno9v{n}", "vfID": n} for n in range(1, 5)]
        state["status"]["interfaces"].append({**card, "Vfs": vfs, **said})
    states.write_text(json.dumps(data, indent=2))
    site = tmp_path / "site.yaml"
    status, _, err = netplan("import", str(tmp_path / "dumps"), "--site", "iei-rocev2", "-o", str(site))
    assert (status, "switchdev" in err) == (0, told), err
    site.write_text(filled(site.read_text(), FILLED_IN))
    assert "0000:f1:00.0" in site.read_text()
    status, out, err = netplan("import", str(tmp_path / "dumps"), "--into", str(site))
    assert (status, out.splitlines()[0]) == (0, f"the dumps match {site}"), out
    shown = [line for line in out.splitlines()[2:] if "not compared" not in line]
    assert all(line.endswith(": as planned, as far as netplan reads it") for line in shown), out
    assert len(shown) >= 9
    noted = [line for line in err.splitlines() if "nothing to import" not in line]
    assert (len(noted), "switchdev" in err) == (int(told), told), err


TAKEN_OVER = """
workloads:
  training:
    namespace: training
    hosts: [nf5468m5]
    networks: [rail]
    gpus: 4
    nodes: 16
    image: example.com/train:1
    jobs: [mpijob]
"""


@pytest.mark.full
def test_the_twelve_steps_of_the_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each command of docs/import.md is run in order, on the dumps of the site with 16 hosts."""
    brownfield(tmp_path / "dumps")
    monkeypatch.chdir(tmp_path)
    page = (Path(__file__).parent.parent / "docs" / "import.md").read_text()
    section = page.partition("## A brownfield takeover in twelve steps")[2].partition("\n## ")[0]
    steps = re.split(r"(?m)^[0-9]+\. ", section)[1:]
    assert len(steps) == 12
    ran = 0
    for number, step in enumerate(steps, 1):
        if number == 11:
            Path("site.yaml").write_text(Path("site.yaml").read_text() + TAKEN_OVER)
        for command in re.findall(r"(?m)^ *\$ netplan (.*)$", step):
            words = shlex.split(command.partition(" > ")[0].replace("prod", "iei-rocev2"))
            status, out, err = netplan(*words)
            assert status == 0, (command, out, err)
            ran += 1
        if number == 5:
            site = Path("site.yaml")
            site.write_text(filled(site.read_text(), FILLED_IN))
    assert ran == 10
