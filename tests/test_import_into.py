"""``netplan import --into``: dumps compared with an existing inventory."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path

import pytest
import yaml

from netplan.importing.joining.join import Joined, join
from netplan.importing.run import Imported, import_texts
from netplan.pipeline import compile_texts
from tests.cli_runs import netplan
from tests.dumped_site import cluster_dumps, config_dbs, fabric_dumps, interface, listed, node, node_state
from tests.inventories import text_of
from tests.test_import import FILES, FILLED, filled

SITE = text_of("iei-rocev2")
LINKS = SITE.splitlines().index("links:") + 1
SMALLER = (
    ("gpu-[001-016]", "gpu-[001-014]"),
    ('Ethernet[0-60/4]", cable', 'Ethernet[0-52/4]", cable'),
    ("nodes: 16", "nodes: 14"),
    ("spine-[1-2]: ", "spine-1: "),
)
"""Replacements that remove two hosts and a spine."""


@cache
def dumps() -> dict[str, str]:
    return {**cluster_dumps(FILES), **fabric_dumps(FILES)}


@cache
def whole() -> Imported:
    return import_texts(dumps())


def edited(*pairs: tuple[str, str]) -> str:
    text = SITE
    for old, new in pairs:
        assert old in text
        text = text.replace(old, new)
    return text


def smaller() -> str:
    return re.sub(r".*spine-2.*\n", "", edited(*SMALLER))


def into(text: str, texts: dict[str, str] | None = None) -> Joined:
    result = compile_texts({"site.yaml": text}, upto="plan")
    assert result.fabric is not None, result.diagnostics
    assert result.document is not None
    imported = import_texts(texts) if texts else whole()
    return join(imported, result.fabric, result.document, result.plan)


def said(found: Joined, word: str) -> list[str]:
    return [str(change) for change in found.changes if change.word == word]


def line_of(text: str, part: str) -> int:
    return next(number for number, line in enumerate(text.splitlines(), 1) if part in line)


def test_the_dumps_of_a_site_say_what_its_inventory_says() -> None:
    found = into(SITE)
    assert [str(change) for change in found.changes] == [
        f"cluster.kubernetes_version: 1.32 (nodes.yaml:{line_of(dumps()['nodes.yaml'], 'kubeletVersion')})"
    ]
    assert found.text == ""


def test_what_is_new_goes_with_the_inventory() -> None:
    """Both files together render what the whole inventory renders."""
    found = into(smaller())
    result = compile_texts({"site.yaml": smaller().replace("nodes: 14", "nodes: 16"), "z.yaml": found.text})
    assert [d for d in result.diagnostics if d.severity > 0] == []
    made = {a.path: a.text for a in result.artifacts}
    for path in (p for p in FILES if p.endswith(("interfaces.json", "roce.json", "cabling.csv"))):
        assert made[path] == FILES[path]
    at = line_of(dumps()["nodes.yaml"], "name: gpu-015")
    assert said(found, "new")[:4] == [
        f"host gpu-[015-016]: host type nf5468m5 (nodes.yaml:{at})",
        "switch spine-2: msn2700 (spine-2.json:2)",
        "cable of leaf-[1-4] Ethernet[56-60/4]: to gpu-[015-016] roce[0-3] (leaf-1.txt:19)",
        "cable of leaf-1 Ethernet[96-108/4]: to spine-2 Ethernet[0-12/4] (leaf-1.txt:29)",
    ]
    assert said(found, "differs") == []


def test_new_hosts_have_the_labels_that_the_inventory_states_for_its_hosts() -> None:
    kind = "example.com/host-type: nf5468m5\n"
    text = smaller().replace("{type: nf5468m5}", "{type: nf5468m5, labels: {example.com/rack: r1}}")
    nodes = dumps()["nodes.yaml"].replace(kind, f"{kind}      example.com/rack: r1\n")
    found = into(text, {**dumps(), "nodes.yaml": nodes})
    (row,) = [line.strip() for line in found.text.splitlines() if line.startswith("  gpu-[015-016]:")]
    assert row.startswith("gpu-[015-016]: {type: nf5468m5, labels: {example.com/rack: r1}} # nodes.yaml:")


def test_another_label_of_a_host_than_the_inventory_states_is_a_difference() -> None:
    text = smaller().replace("{type: nf5468m5}", "{type: nf5468m5, labels: {example.com/rack: r1}}")
    kind = "example.com/host-type: nf5468m5\n"
    nodes = dumps()["nodes.yaml"].replace(kind, f"{kind}      example.com/rack: r1\n")
    assert not [
        row for row in said(into(text, {**dumps(), "nodes.yaml": nodes}), "differs") if "label" in row
    ]
    moved = nodes.replace("example.com/rack: r1", "example.com/rack: r2", 1)
    (row,) = [row for row in said(into(text, {**dumps(), "nodes.yaml": moved}), "differs") if "label" in row]
    at = line_of(text, "example.com/rack")
    assert row == f"gpu-001: label example.com/rack: r1 (site.yaml:{at}) or r2 on the node"


EDITS = (
    (("netdev: ens3f0", "netdev: ens9f0"), "gpu-[001-016] roce2: netdev: ens9f0 ({}) or ens3f0 ("),
    (('"0000:3b:00.0", netdev', '"0000:3c:00.0", netdev'), "roce1: pci: 0000:3c:00.0 ({}) or 0000:3b:00.0"),
    (
        ("speed_gbps: 100, use: vf", "speed_gbps: 50, use: vf"),
        "gpu-[001-016] roce0: speed_gbps: 50 ({}) or 100 (",
    ),
    (("vfs: 8}", "vfs: 16}"), "gpu-[001-016] roce0: vfs: 16 ({}) or 8 ("),
    (("00:00:07", "00:00:08"), "gpu-007 roce0: mac: b8:59:9f:00:00:08 ({}) or b8:59:9f:00:00:07 ("),
    (("vlan_ids: 100-103", "vlan_ids: 200-203"), "rails.vlan_ids: 200-203 ({}) or 100-103 ("),
    (("nads: netplan", "nads: operator"), "cluster.owners.nads: operator ({}) or netplan (training/"),
    (("4200000100+", "4200000200+"), "underlay.leaf_asn: 4200000200+ ({}) or 4200000100+ (leaf-1."),
    (
        ("cable_m: 5, ", "cable_m: 7, "),
        "cable of leaf-[1-4] Ethernet[0-60/4]: cable_m: 7 ({}), its headroom is for 5 m (leaf-1.",
    ),
    (("model: msn2700", "model: msn3700"), "switch leaf-1: model: msn3700 ({}) or msn2700 (leaf-1."),
)


def test_what_differs_has_both_places() -> None:
    text = edited(*(edit for edit, _ in EDITS))
    rows = said(into(text), "differs")
    for (_, new), wanted in EDITS:
        row = wanted.format(f"site.yaml:{line_of(text, new)}")
        assert any(row in each for each in rows), (row, rows)


CARD = "    routing: sbr\n  card"
GPUS = "    gpus: 8\n    node_selector: {example.com/host-type: nf5468m5}"
NETWORKS = (
    (("    namespaces: [training]\n    resource", "    namespaces: [training, other]\n    resource"),
     "network rail: namespaces: other, training (site.yaml:106) or training ("),
    ((CARD, "    routing: script\n  card"), "network rail: routing: script (site.yaml:108) or sbr ("),
    ((CARD, "    routing: sbr\n    tagging: port\n  card"),
     "network rail: tagging: port (site.yaml:109) or training/rail-0-leaf-1 with VLAN 100 ("),
    ((CARD, "    routing: sbr\n    resource_name: other\n  card"),
     "network rail: resource_name: other_0, other_1, other_2, other_3 (site.yaml:109) or rail_0, rail_1, "),
    ((CARD, "    routing: sbr\n    block_size: 32\n  card"), "pool rail0-leaf-1: block_size: "),
    (("[172.16.0.0/19]", "[172.17.0.0/19]"),
     "rail 0: subnet: 172.17.0.0/24 (site.yaml:51) or 172.16.0.0/24 ("),
    (("gateway: first", "gateway: last"),
     "rail 0: gateway of 172.16.0.0/24: 172.16.0.254 (site.yaml:51) or 172.16.0.1 ("),
    ((GPUS, GPUS.replace("8", "7", 1)), "gpu-[001-016]: gpus: 7 (site.yaml:58) or 8 (nodes.yaml:"),
    (("host-type: nf5468m5}", "host-type: other}"),
     "gpu-[001-016]: label example.com/host-type: other (site.yaml:59) or nf5468m5 on the node"),
)  # fmt: skip


@pytest.mark.parametrize(("edit", "wanted"), NETWORKS)
def test_networks_pools_and_nodes_that_differ(edit: tuple[str, str], wanted: str) -> None:
    """Each has both places, where the dumps have one."""
    rows = said(into(edited(edit)), "differs")
    assert any(row.startswith(wanted) for row in rows), rows


def test_one_object_of_a_network_that_differs_is_told_alone() -> None:
    """It is a network apart for a new inventory; the other rails did not change."""
    name = "kubernetes_30-networks_network-attachments_training_rail.yaml"
    parts = dumps()[name].split("---\n")
    (number,) = (number for number, part in enumerate(parts) if "name: rail-2-leaf-3\n" in part)
    parts[number] = parts[number].replace('"vlan": 102', '"vlan": 102, "trust": "on"')
    found = into(SITE, {**dumps(), name: "---\n".join(parts)})
    (row,) = said(found, "differs")
    assert row.startswith("network rail, rail 2: trust: not stated (site.yaml:101) or on (")
    assert [each for word in ("new", "gone") for each in said(found, word) if "network" in each] == []


@pytest.mark.parametrize(
    ("span", "differs"), [("172.16.0.9-172.16.0.12", True), ("172.16.0.0-172.16.0.1", False)]
)
def test_a_pool_that_excludes_what_the_inventory_does_not_reserve(span: str, differs: bool) -> None:
    """Its network address and its gateway are never given out."""
    first, last = span.split("-")
    more = f"exclusions: [{{startIP: {first}, endIP: {last}}}]\n  perNodeBlockSize"
    (name,) = (name for name in dumps() if "rail0-leaf-1" in name)
    texts = {**dumps(), name: dumps()[name].replace("perNodeBlockSize", more)}
    rows = [row for row in said(into(SITE, texts), "differs") if row.startswith("pool ")]
    wanted = f"pool rail0-leaf-1: excludes {span} ({name}:"
    assert [row[: len(wanted)] for row in rows] == [wanted] * differs


def test_a_pool_whose_exclusions_differ_is_not_as_planned(tmp_path: Path) -> None:
    """The objects' part said so, beside the difference."""
    (name,) = (name for name in dumps() if "rail0-leaf-1" in name)
    more = "exclusions: [{startIP: 172.16.0.9, endIP: 172.16.0.12}]\n  perNodeBlockSize"
    (tmp_path / "site.yaml").write_text(SITE)
    pools = [file for file in dumps() if "ipam_rail" in file]
    for texts, planned in (({}, True), ({name: dumps()[name].replace("perNodeBlockSize", more)}, False)):
        for file in pools:
            (tmp_path / file).write_text({**dumps(), **texts}[file])
        files = (str(tmp_path / file) for file in pools)
        _, out, _ = netplan("import", *files, "--into", str(tmp_path / "site.yaml"))
        assert ("IPPool: as planned" in out) is planned
    assert "kube-system/rail0-leaf-1 spec.exclusions [" in out


def test_networks_that_no_dump_has_and_that_no_inventory_has() -> None:
    own, *_ = SITE.partition("\nworkloads:")
    without = into(own.partition("  card: #")[0])
    assert next(row for row in said(without, "new") if "network" in row).startswith("network card: ")
    texts = {name: text for name, text in dumps().items() if not name.endswith("training_card.yaml")}
    assert [row for row in said(into(SITE, texts), "gone") if "network" in row] == [
        f"network card: site.yaml:{line_of(SITE, '  card: #')}"
    ]


def test_a_pool_that_is_gone_while_its_network_is_there() -> None:
    (name,) = (name for name in dumps() if "rail0-leaf-1" in name)
    texts = {file: text for file, text in dumps().items() if file != name}
    rows = said(into(SITE, texts), "gone")
    assert [
        row
        for row in rows
        if row.startswith("pool rail0-leaf-1: network training/rail-0-leaf-1 draws on it (")
    ]


def test_a_gpu_operator_that_the_inventory_lacks() -> None:
    spec = {"driver": {"enabled": True, "rdma": {"enabled": True}}, "gdrcopy": {"enabled": True}}
    policy = {"apiVersion": "nvidia.com/v1", "kind": "ClusterPolicy", "metadata": {"name": "c"}, "spec": spec}
    rows = said(into(SITE, {**dumps(), "gpu.yaml": listed([policy])}), "new")
    assert [row for row in rows if "gpu_operator" in row] == [
        "cluster.gpu_operator.driver_rdma: true (gpu.yaml:11)",
        "cluster.gpu_operator.gdrcopy: true (gpu.yaml:13)",
    ]


@pytest.mark.parametrize(
    ("mode", "runs"), [("split", "split"), ("separated", ""), ("unified", ""), ("split-unified", "split")]
)
def test_who_owns_the_configuration_of_frr(mode: str, runs: str) -> None:
    """With another owner the BGP part of the files has no effect."""
    tables = json.loads(dumps()["leaf-1.json"])
    tables["DEVICE_METADATA"]["localhost"]["docker_routing_config_mode"] = mode
    rows = said(into(SITE, {**dumps(), "leaf-1.json": json.dumps(tables, indent=4)}), "differs")
    found = [row for row in rows if "frr_mode" in row]
    assert [row.partition(" (leaf-1.json:")[0].partition(") ")[2] for row in found] == [f"or {runs}"] * bool(
        runs
    )
    assert all(row.startswith("switch leaf-1: frr_mode: bgpcfgd (site.yaml:") for row in found)


def test_a_cable_on_another_port() -> None:
    """Both ends of a cable that differs from the inventory are reported."""
    text = edited(
        ('ports: "Ethernet[0-60/4]"', 'ports: "Ethernet[112-124/4]"'),
        ('gpu-[001-016]", hca', 'gpu-[001-004]", hca'),
    )
    result = into(text)
    assert (
        "cable of leaf-[1-4] Ethernet[0-12/4]: to gpu-[001-004] roce[0-3], "
        f"which is on leaf-[1-4] Ethernet[112-124/4] (site.yaml:{LINKS + 1}) in the inventory (leaf-1.txt:5)"
        in said(result, "differs")
    )


@pytest.mark.parametrize(
    ("port", "description", "differs"),
    [
        ("etp1", "Ethernet{}", False),  # alias and name, as in SONiC's LLDP
        ("etp1", "leaf-1 uplink 1", False),  # neither is the name
        ("Ethernet{}", "leaf-1 uplink 1", False),
        ("etp1", "Ethernet{other}", True),
    ],
)
def test_ports_of_a_switch_without_a_dump_have_several_names(
    port: str, description: str, differs: bool
) -> None:
    result = compile_texts({"site.yaml": SITE}, upto="plan")
    assert result.fabric is not None
    one, other = [link for link in result.fabric.switch_links if link.lower.name == "leaf-1"][:2]
    numbers = one.upper_port.removeprefix("Ethernet"), other.upper_port.removeprefix("Ethernet")
    said_port, said_description = (text.format(numbers[0], other=numbers[1]) for text in (port, description))
    table = (
        "admin@leaf-1:~$ show lldp table\n"
        "LocalPort    RemoteDevice    RemotePortID    Capability    RemotePortDescr\n"
        "-----------  --------------  --------------  ------------  ---------------\n"
        f"{one.lower_port:<13}{one.upper.name:<16}{said_port:<16}{'BR':<14}{said_description}\n"
    )
    texts = {"nodes.yaml": dumps()["nodes.yaml"], "leaf-1.txt": table}
    found = [row for word in ("new", "differs") for row in said(into(SITE, texts), word) if "cable" in row]
    assert bool(found) == differs, found


@pytest.mark.parametrize("dumped", [True, False])
def test_crossed_cables_between_two_switches(dumped: bool) -> None:
    """The leaf learns only aliases from the spine, whose config_db maps them to ports."""
    result = compile_texts({"site.yaml": SITE}, upto="plan")
    assert result.fabric is not None
    mine = [link for link in result.fabric.switch_links if link.lower.name == "leaf-1"]
    one, other = next(
        (a, b) for a in mine for b in mine if a.upper.name == b.upper.name and a.upper_port < b.upper_port
    )
    names = one.lower_port, other.lower_port
    aliases = [f"etp{int(link.upper_port.removeprefix('Ethernet')) // 4 + 1}" for link in (other, one)]
    rows = "".join(
        f"{port:<13}{one.upper.name:<16}{alias:<16}{'BR':<14}uplink\n"
        for port, alias in zip(names, aliases, strict=True)
    )
    head = (
        "admin@leaf-1:~$ show lldp table\n"
        "LocalPort    RemoteDevice    RemotePortID    Capability    RemotePortDescr\n"
        "-----------  --------------  --------------  ------------  ---------------\n"
    )
    texts = {"nodes.yaml": dumps()["nodes.yaml"], "leaf-1.txt": head + rows}
    if dumped:
        name = f"{one.upper.name}.json"
        texts[name] = config_dbs(FILES)[name]
    found = [row for row in said(into(SITE, texts), "differs") if row.startswith("cable of leaf-1")]
    assert bool(found) == dumped


def test_a_card_that_is_not_in_the_catalog_is_there() -> None:
    """Intel's X710 at the address of an HCA: the HCA differs, and is not gone."""
    texts = dumps()
    states = json.loads(texts["states.json"])
    card = states["items"][2]["status"]["interfaces"][0]
    card |= {"vendor": "8086", "deviceID": "1572"}
    devices = yaml.safe_load(texts["nicdevices.yaml"])["items"]
    other = [each for each in devices if "gpu-003" not in json.dumps(each)]
    nics = yaml.safe_dump({"apiVersion": "v1", "kind": "List", "items": other})
    found = into(SITE, {**texts, "states.json": json.dumps(states, indent=1), "nicdevices.yaml": nics})
    assert said(found, "gone") == []
    told, cable = said(found, "differs")
    assert re.fullmatch(
        r"cable of leaf-1 Ethernet8: to gpu-003 roce0 \(site.yaml:\d+\) or to gpu-003 ens1f0 or \S+ "
        r"\(leaf-1.txt:\d+\)",
        cable,
    )
    assert "model: connectx-5 (site.yaml:" in told
    assert "or 8086:1572, which is not in the catalog (states.json:" in told


def test_a_card_that_a_host_has_beside_its_hcas_is_new() -> None:
    """Nothing uses it yet, so that it is on no rail."""
    states = json.loads(dumps()["states.json"])
    (own,) = (state for state in states["items"] if state["metadata"]["name"] == "gpu-003")
    own["status"]["interfaces"].append(interface("0000:d8:00.0", "ens9f0", 100))
    rows = said(into(SITE, {**dumps(), "states.json": json.dumps(states, indent=4)}), "new")
    (row,) = [row for row in rows if "0000:d8:00.0" in row]
    assert row.startswith("gpu-003 0000:d8:00.0: connectx-5 ens9f0 is not an HCA of nf5468m5 (states.json:")


def test_what_no_dump_shows() -> None:
    texts = {n: t for n, t in dumps().items() if not n.startswith(("gpu-016", "leaf-4", "spine-2"))}
    items = texts["nodes.yaml"].split("- apiVersion: v1\n")
    texts["nodes.yaml"] = "- apiVersion: v1\n".join(i for i in items if "name: gpu-016" not in i)
    for name in ("states.json", "nicdevices.yaml"):
        texts[name] = texts[name].replace("gpu-016", "gpu-015")
    texts["leaf-1.txt"] = "\n".join(li for li in texts["leaf-1.txt"].split("\n") if "gpu-016" not in li)
    gone = said(found := into(SITE, texts), "gone")
    assert [row for row in said(found, "differs") if "gpu-016" in row] == []  # leaf-2 and leaf-3 hear it
    texts["leaf-2.txt"] = "\n".join(
        li.replace("ens2f0", "ens9f9") if "gpu-016" in li else li for li in texts["leaf-2.txt"].split("\n")
    )
    (row,) = [row for row in said(into(SITE, texts), "differs") if "gpu-016" in row]
    assert row.startswith(
        f"cable of leaf-2 Ethernet60: to gpu-016 roce1 (site.yaml:{LINKS + 1}) or to gpu-016 ens9f9"
    )
    assert f"host gpu-016: no such node in the dumps (site.yaml:{line_of(SITE, 'gpu-[001-016]')})" in gone
    assert "switch leaf-4, spine-2: no dump covers it" in gone
    assert f"cable of leaf-1 Ethernet60: not heard (site.yaml:{LINKS + 1})" in gone


def test_parts_of_a_site_say_nothing_of_the_others() -> None:
    """One host's LLDP neighbours, or the states of two hosts, are not a complete list."""
    states = json.loads(dumps()["states.json"])
    states["items"] = states["items"][:2]
    texts = {"states.json": json.dumps(states), "gpu-001.lldp.json": dumps()["gpu-001.lldp.json"]}
    assert said(into(SITE, texts), "gone") == []


def test_the_command(tmp_path: Path) -> None:
    """What is new goes to a file that is not there; what runs and is not planned follows."""
    for name, text in {**cluster_dumps(FILES), "leaf-1.json": config_dbs(FILES)["leaf-1.json"]}.items():
        (tmp_path / "dumps").mkdir(exist_ok=True)
        (tmp_path / "dumps" / name).write_text(text)
    site, new = tmp_path / "site.yaml", tmp_path / "new.yaml"
    site.write_text(SITE.replace("cluster:\n", 'cluster:\n  kubernetes_version: "1.32"\n'))
    absent = "Not shown: in the inventory, in no dump"
    status, out, _ = netplan("import", str(tmp_path / "dumps"), "--into", str(site), "-o", str(new))
    assert (status, out.splitlines()[:2]) == (
        1,
        [absent, "  switch leaf-[2-4], spine-[1-2]: no dump covers it"],
    )
    assert out.count("as planned, as far as netplan reads it") == 5
    assert not new.exists()
    site.write_text(
        edited(
            ("gpu-[101-104]: {type: nf5468m5-whole}", "gpu-[101-103]: {type: nf5468m5-whole}"),
            ('"gpu-[101-104]", hca', '"gpu-[101-103]", hca'),
            ("64-76/4", "64-72/4"),
            ("nodes: 4", "nodes: 3"),
            ("vlan_ids: 100", "vlan_ids: 150"),
        )
    )
    site.write_text(site.read_text().replace("150-103", "150-153"))
    status, out, _ = netplan("import", str(tmp_path / "dumps"), "--into", str(site), "-o", str(new))
    assert status == 1
    assert "gpu-104: {type: nf5468m5-whole}" in new.read_text()
    assert (
        "Differences between what runs and what the inventory renders, running -> planned\n  leaf-1\n" in out
    )
    assert "untagged VLAN 100 -> 150 on Ethernet[64-72/4]" in out
    before = new.read_text()
    status, _, err = netplan("import", str(tmp_path / "dumps"), "--into", str(site), "-o", str(new))
    assert (status, new.read_text()) == (2, before)
    assert "exists; it was not overwritten" in err


@pytest.mark.parametrize("form", ["redis", "part"])
def test_a_configuration_that_cannot_be_compared_hides_no_other(form: str, tmp_path: Path) -> None:
    tables = json.loads(config_dbs(FILES)["leaf-1.json"])
    flat = {f"{table}|{key}": row for table, rows in tables.items() for key, row in rows.items()}
    part = {"DEVICE_METADATA": tables["DEVICE_METADATA"], "DEVICE_NEIGHBOR": {}}
    (tmp_path / "leaf-1.json").write_text(json.dumps(flat if form == "redis" else part))
    (tmp_path / "leaf-2.json").write_text(config_dbs(FILES)["leaf-2.json"])
    site = tmp_path / "site.yaml"
    site.write_text(SITE)
    given = [str(tmp_path / f"leaf-{number}.json") for number in (1, 2)]
    status, out, _ = netplan("import", *given, "--into", str(site))
    assert status == 1
    assert "leaf-2: as planned, as far as netplan reads it" in out
    assert f"leaf-1 not compared with what it runs: {given[0]}: none of its lines" in out


def test_lists_of_the_api_are_compared(tmp_path: Path) -> None:
    """kubectl get --raw states kind and version only for the list; objects that no cluster reader accepts do
    not prevent the comparison of switches."""
    listed = {"apiVersion": "v1", "kind": "NodeList", "metadata": {}, "items": [{"metadata": {"name": "g"}}]}
    nodes, leaf, site = tmp_path / "nodes.json", tmp_path / "leaf-1.json", tmp_path / "site.yaml"
    leaf.write_text(config_dbs(FILES)["leaf-1.json"])
    site.write_text(SITE)
    command = ("import", str(nodes), str(leaf), "--into", str(site))
    nodes.write_text(json.dumps(listed))
    status, out, err = netplan(*command)
    assert (status, "leaf-1: as planned" in out, "no Kubernetes object found" in out + err) == (
        1,
        True,
        False,
    )
    local = {"annotations": {"config.kubernetes.io/local-config": "true"}}
    nodes.write_text(json.dumps(listed | {"metadata": local}))
    status, out, err = netplan(*command)
    assert status == 1
    assert "leaf-1: as planned" in out
    assert "Kubernetes objects not compared: no Kubernetes object found" in out


def test_an_inventory_with_errors(tmp_path: Path) -> None:
    (tmp_path / "nodes.yaml").write_text(cluster_dumps(FILES)["nodes.yaml"])
    (tmp_path / "states.json").write_text(cluster_dumps(FILES)["states.json"])
    site = tmp_path / "site.yaml"
    for text in (SITE.replace("version: 1", "version: 7"), edited(("nodes: 16", "nodes: 17"))):
        site.write_text(text)
        status, out, err = netplan(
            "import", str(tmp_path / "nodes.yaml"), str(tmp_path / "states.json"), "--into", str(site)
        )
        assert (status, "the dumps match" in out) == (2, False)
        assert "site.yaml has errors" in err
    assert netplan("import", str(tmp_path / "nodes.yaml"), "--overlay", str(site))[0] == 2


@pytest.mark.parametrize(
    ("ids", "differs"), [("[100, 101, 102, 103]", False), ("[100, 101, 202, 103]", True)]
)
def test_vlan_ids_are_compared_in_either_form(ids: str, differs: bool) -> None:
    """The dumps say 100-103; and the other way round, dumps whose IDs do not count up."""
    found = said(into(SITE.replace("vlan_ids: 100-103", f"vlan_ids: {ids}")), "differs")
    assert [row.startswith("rails.vlan_ids: [100, 101, 202, 103] (site.yaml:") for row in found] == [
        True
    ] * differs
    moved = {name: re.sub(r"\bVlan102\b", "Vlan202", text) for name, text in config_dbs(FILES).items()}
    moved = {name: text.replace('"102"', '"202"') for name, text in moved.items()}
    nads = {name: re.sub(r'("?vlan"?: )102\b', r"\g<1>202", text) for name, text in dumps().items()}
    found = said(into(SITE, {**nads, **moved}), "differs")
    assert any(row.startswith("rails.vlan_ids: 100-103 (site.yaml:") for row in found), found


def test_nodes_whose_cards_no_dump_shows() -> None:
    """gpu-003, of which the operator reports nothing yet: neither a match nor gone."""
    states, nics = json.loads(dumps()["states.json"]), yaml.safe_load(dumps()["nicdevices.yaml"])
    for whole_list in (states, nics):
        whole_list["items"] = [each for each in whole_list["items"] if "gpu-003" not in json.dumps(each)]
    bare = {
        "nodes.yaml": dumps()["nodes.yaml"],
        "states.json": json.dumps(states),
        "nicdevices.yaml": yaml.safe_dump(nics),
    }
    at = line_of(dumps()["nodes.yaml"], "name: gpu-003")
    (row,) = said(found := into(SITE, bare), "gone")
    assert row.startswith("host gpu-003: its cards are not in the dumps")
    assert abs(int(row.rpartition(":")[2].rstrip(")")) - at) < 20
    assert [each for each in said(found, "new") if each.startswith("host")] == []


def test_a_switch_that_the_dumps_call_otherwise() -> None:
    """leaf-2 as tor-2, with the same loopback: no new switch, and its cables are the inventory's."""
    texts = {
        name.replace("leaf-2", "tor-2"): re.sub(r"\bleaf-2\b", "tor-2", text)
        for name, text in dumps().items()
        if "kubernetes" not in name
    }
    found = into(SITE, texts)
    assert found.text == ""
    assert [row for row in said(found, "new") if "tor-2" in row] == []
    assert [row for row in said(found, "gone") if "leaf-2" in row] == []
    (row,) = [each for each in said(found, "differs") if "tor-2" in each]
    assert row.startswith(
        f"switch leaf-2: name: leaf-2 (site.yaml:{line_of(SITE, 'leaf-[1-4]')}) or tor-2 (tor-2"
    )
    assert "; both have loopback " in row
    both = into(SITE, {**dumps(), "tor-2.json": texts["tor-2.json"]})
    assert any(each.startswith("switch tor-2: ") for each in said(both, "new"))


@pytest.mark.parametrize(("use", "differs"), [("front-end", False), ("vf, vfs: 8", True)])
def test_vfs_that_the_host_has_for_itself_are_no_difference(use: str, differs: bool) -> None:
    """No key of a front end has them; of an HCA for pods they are compared."""
    cards = [interface("0000:18:00.0", "ens1", 100, vfs=8), interface("0000:3b:00.0", "eno1", 100, vfs=4)]
    policy = {
        "apiVersion": "sriovnetwork.openshift.io/v1",
        "kind": "SriovNetworkNodePolicy",
        "metadata": {"name": "p"},
        "spec": {"resourceName": "r", "numVfs": 8, "nicSelector": {"pfNames": ["ens1"]}},
    }
    texts = {"x.yaml": listed([node("gpu-1", {"pool": "a"}, 8), node_state("gpu-1", cards), policy])}
    own = {"namespace": "x", "release": '"25.7"', "repository": "r", "version": "v"}
    text = filled(import_texts(texts, "site").text, {**FILLED, **own})
    assert "use: front-end" in text
    found = into(text.replace("use: front-end", f"use: {use}"), texts)
    assert any("vfs: 8" in row and "or 4" in row for row in said(found, "differs")) is differs
    assert not any("vfs: 0" in row for row in said(found, "differs"))


def test_two_inventories_are_refused(tmp_path: Path) -> None:
    """The last one alone would count."""
    (tmp_path / "nodes.yaml").write_text(dumps()["nodes.yaml"])
    status, _, err = netplan("import", str(tmp_path), "--into", "a.yaml", "--into", "b.yaml")
    assert (status, "--into is given twice; put the files of the inventory into one folder" in err) == (
        2,
        True,
    )
