"""``netplan diff``: changes, their effects, and the sources."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, get_args

import jsonschema
import pytest
import yaml
from netaddr import IPAddress, IPNetwork

from netplan import resources
from netplan.changes import show
from netplan.changes.compare import difference, ends_of, facts_of
from netplan.changes.drift import Drift, drift
from netplan.changes.effects import FILE, effects
from netplan.changes.model import ORDER, WORDS, Difference, Status, Word
from netplan.changes.objects import _pool_row as pool_row
from netplan.changes.objects import said as value_said
from netplan.changes.ran import running_files
from netplan.changes.sides import Side
from netplan.changes.steps import steps
from netplan.changes.switches import ISOLATED, files_of, switch_effects
from netplan.changes.waves import course
from netplan.model.readback import ReadNeighbour, ReadPort, ReadQos, ReadSwitch, ReadVlanInterface
from netplan.model.values import InterfaceAddress
from netplan.nos import shipped
from netplan.pipeline import compile_texts
from netplan.write import write
from tests.cli_runs import netplan
from tests.inventories import FOLDER

EFFECTS = Path(resources.__file__).parent / "changes" / FILE
DSCP = ("dscp: 26", "dscp: 28")


def inventory(name: str, *edits: tuple[str, str]) -> str:
    text = (FOLDER / f"{name}.yaml").read_text(encoding="utf-8")
    for old, new in edits:
        assert old in text, old
        text = text.replace(old, new)
    return text


def side(name: str, *edits: tuple[str, str]) -> Side:
    result = compile_texts({f"{name}.yaml": inventory(name, *edits)})
    assert result.artifacts, [d.message for d in result.diagnostics]
    return Side(name, {a.path: a.text for a in result.artifacts}, result.document)


CHANGES: Mapping[str, tuple[str, tuple[str, str]]] = {
    "vlan": ("iei-rocev2", ("vlan_ids: 100-103", "vlan_ids: 300-303")),
    "mtu": ("multi-vendor", ("\n  mtu: 4200", "\n  mtu: 4000")),
    "dscp": ("superpod-h100", ("        dscp: 26\n", "        dscp: 27\n")),
}


@pytest.mark.parametrize("name", ["vlan", "mtu", pytest.param("dscp", marks=pytest.mark.full)])
def test_what_it_says(name: str, golden_tree: Callable[[str, Mapping[str, str]], None]) -> None:
    site, edit = CHANGES[name]
    ends = ends_of(side(site), side(site, edit))
    found, way = difference(ends), course(ends)
    texts = {"diff.txt": show.lines(found, way), "diff.md": show.markdown(found, way)}
    golden_tree(f"diff/{name}", {file: "\n".join(lines) + "\n" for file, lines in texts.items()})


def changed(*edits: tuple[str, str], site: str = "minimal") -> Difference:
    return difference(ends_of(side(site), side(site, *edits)))


def said(found: Difference) -> list[str]:
    return [f"{each.effect.word} {each.target}: {each.change}" for each in found.effects]


def test_the_same_inventory_is_the_same() -> None:
    found = changed()
    assert found.same
    assert list(show.lines(found)) == ["nothing changes"]
    assert list(show.markdown(found))[-1] == "Nothing changes."


def test_a_comment_changes_nothing_on_the_wire() -> None:
    text = inventory("minimal")
    old, new = (compile_texts({"minimal.yaml": t}) for t in (text, f"# a comment\n{text}"))
    sides = [Side("minimal", {a.path: a.text for a in r.artifacts}, r.document) for r in (old, new)]
    assert difference(ends_of(sides[0], sides[1])).same


def test_both_ways_are_the_same_files() -> None:
    site, edit = CHANGES["vlan"]
    old, new = side(site), side(site, edit)
    there, back = difference(ends_of(old, new)), difference(ends_of(new, old))
    assert (there.added, there.removed, there.changed) == (back.removed, back.added, back.changed)
    assert [(i.old, i.new) for i in there.intent] == [(i.new, i.old) for i in back.intent]
    assert len(there.effects) == len(back.effects)


def test_one_address_on_two_interfaces_comes_first() -> None:
    site, edit = CHANGES["vlan"]
    found = difference(ends_of(side(site), side(site, edit)))
    assert said(found)[0].startswith("twice leaf-[1-4]: address moved: 172.16.[0-15/5].1/24 VLAN [100-103]")
    places = [ORDER[each.effect.word] for each in found.effects]
    assert places == sorted(places)


def test_hosts_of_a_range_are_one_line() -> None:
    found = changed(("gpu-[01-02]", "gpu-[01-03]"), ("[0-4/4]", "[0-8/4]"), ("[8-12/4]", "[12-20/4]"))
    assert [(i.path, i.old) for i in found.intent if i.path.startswith("hosts")] == [("hosts.gpu-03", "")]
    assert found.intent[0].place.startswith("minimal.yaml:")


def test_of_long_values_the_part_that_differs_is_shown() -> None:
    same = "x" * 100
    assert value_said(f"{same}1{same}", f"{same}2{same}") == f"...{'x' * 12}1{'x' * 29}..."
    assert value_said("short", "shorter") == "short"
    assert value_said(same) == f"{'x' * 45}..."


@pytest.mark.parametrize(
    ("new", "row"), [("10.0.0.0/23", "wider"), ("10.0.1.0/24", "elsewhere"), ("10.0.0.0/25", ""), ("x", "")]
)
def test_how_a_pool_is_to_the_one_before(new: str, row: str) -> None:
    assert pool_row({"spec": {"subnet": "10.0.0.0/24"}}, {"spec": {"subnet": new}}) == row


def test_an_older_chart_is_no_upgrade() -> None:
    rows = effects()
    assert rows.of_chart("network_operator", older=True).word == "by-hand"
    assert rows.of_chart("network_operator", older=False).word == "plugin"
    assert rows.chart_names == ("network_operator",)


def test_a_pf_that_keeps_its_mtu_has_an_owner() -> None:
    """The SR-IOV operator raises the MTU of a PF but never lowers it."""
    fewer, more = (("\n  mtu: 4200", f"\n  mtu: {mtu}") for mtu in (4000, 4400))
    hand = [row for row in said(changed(fewer, site="kitchen-sink")) if "SriovNetworkNodePolicy" in row]
    assert [row.partition(" ")[0] for row in hand] == ["drain", "by-hand"]
    rows = [row for row in said(changed(more, site="kitchen-sink")) if "SriovNetworkNodePolicy" in row]
    assert [row.partition(" ")[0] for row in rows] == ["drain"]


# effects.yaml


def test_the_rows_have_their_form() -> None:
    schema = json.loads((resources.schemas() / "effects.schema.json").read_text(encoding="utf-8"))
    data = yaml.safe_load(EFFECTS.read_text(encoding="utf-8"))
    jsonschema.Draft7Validator(schema).validate(data)
    words = schema["definitions"]["effect"]["properties"]["effect"]["enum"]
    assert words == list(WORDS) == list(get_args(Word))
    assert schema["definitions"]["effect"]["properties"]["status"]["enum"] == list(get_args(Status))


def rows(data: Any) -> list[dict[str, Any]]:
    if isinstance(data, list):
        return [row for each in data for row in rows(each)]
    if "effect" in data:
        return [data]
    return [row for each in data.values() for row in rows(each)]


def test_every_row_has_its_source_or_says_that_there_is_none() -> None:
    data = yaml.safe_load(EFFECTS.read_text(encoding="utf-8"))
    sources = data.pop("sources")
    every = rows(data)
    assert len(every) > 80
    for row in every:
        status = row.get("status", "unconfirmed")
        assert (status in ("read", "documented")) <= bool(row.get("source") and row.get("at")), row
        assert (status == "unconfirmed") == (row["effect"] == "unknown"), row
    assert {row["source"] for row in every if "source" in row} == sources.keys()


A = ReadSwitch(
    name="leaf-1",
    nos="sonic",
    ports={},
    vlans=frozenset({10, 11}),
    vlan_interfaces={},
    loopbacks=(),
    asn=65001,
    neighbours=(ReadNeighbour(IPAddress("10.0.0.1"), 65002), ReadNeighbour(IPAddress("10.0.0.3"), 65003)),
    networks=frozenset({IPNetwork("10.1.0.0/24")}),
    trust=None,
    queues={},
    ecn={},
    strict=frozenset(),
    arp_seconds=60,
    comments=frozenset(),
    files={},
)
GATEWAY = InterfaceAddress(IPAddress("10.1.0.1"), 24)
PORT = ReadPort(
    name="p1", tagged=frozenset({10, 11}), untagged=None, addresses=(), ip_mtu=9000, pfc=None, trust="dscp",
    ecn={3: (1000, 2000)}, headroom_m=5,
    qos=ReadQos(
        queues={26: frozenset({3})}, pfc=frozenset({3}), buffers=frozenset({3}), marking=frozenset({3}),
        watchdog=frozenset({3}), strict=frozenset({6}),
    ),
)  # fmt: skip


def with_port(**changes: Any) -> ReadSwitch:
    return replace(A, ports={"p1": replace(PORT, **changes)})


def with_qos(**changes: Any) -> ReadSwitch:
    return with_port(qos=replace(PORT.qos, **changes))


def with_gateway(*vlans: int) -> ReadSwitch:
    interfaces = {v: ReadVlanInterface(vlan=v, addresses=(GATEWAY,), ip_mtu=None) for v in vlans}
    return replace(A, vlan_interfaces=interfaces)


def widened(vlan: int) -> ReadSwitch:
    address = InterfaceAddress(GATEWAY.ip, 23)
    return replace(A, vlan_interfaces={vlan: ReadVlanInterface(vlan=vlan, addresses=(address,), ip_mtu=None)})


STEPS: Mapping[str, tuple[ReadSwitch | None, ReadSwitch | None, str]] = {
    "switch-added": (None, A, ""),
    "switch-gone": (A, None, ""),
    "nos": (A, replace(A, nos="arista-eos"), "sonic -> arista-eos"),
    "vlan-added": (A, replace(A, vlans=frozenset({10, 11, 12, 13})), "12-13"),
    "vlan-gone": (A, replace(A, vlans=frozenset({10})), "11"),
    "address-added": (A, with_gateway(10), "10.1.0.1/24 VLAN 10"),
    "address-gone": (with_gateway(10), A, "10.1.0.1/24 VLAN 10"),
    "address-moved": (with_gateway(10), with_gateway(11), "10.1.0.1/24 VLAN 10 -> VLAN 11"),
    "address-replaced": (with_gateway(10), widened(10), "10.1.0.1/24 -> 10.1.0.1/23 VLAN 10"),
    "port-added": (A, with_port(), ""),
    "port-gone": (with_port(), A, ""),
    "member-added": (with_port(), with_port(tagged=frozenset({10, 11, 12})), "12"),
    "member-gone": (with_port(), with_port(tagged=frozenset({10})), "11"),
    "untagged": (with_port(untagged=10), with_port(untagged=11), "10 -> 11"),
    "mtu": (with_port(), with_port(ip_mtu=1500), "9000 -> 1500"),
    "up": (with_port(up=False), with_port(), ""),
    "down": (with_port(), with_port(up=False), ""),
    "trust": (with_port(), with_port(trust="pcp"), "dscp -> pcp"),
    "headroom": (with_port(), with_port(headroom_m=40), "5 -> 40 m"),
    "pfc": (with_port(), with_qos(pfc=frozenset({3, 4})), "3 -> 3-4"),
    "queues": (with_port(), with_qos(queues={26: frozenset({4})}), "26: 3 -> 4"),
    "buffers": (
        with_port(),
        with_qos(buffers=frozenset()),
        "groups 3, queues not stated -> groups none, queues not stated",
    ),
    "ecn": (
        with_port(),
        with_port(ecn={3: (1000, 4000)}),
        "queue 3 1,000 to 2,000 bytes -> queue 3 1,000 to 4,000 bytes",
    ),
    "watchdog": (
        with_port(),
        with_qos(watchdog=frozenset(), detection_ms=frozenset({200})),
        "3 -> none, detection 200 ms",
    ),
    "scheduling": (
        with_port(),
        with_qos(strict=frozenset(), weights={3: frozenset({50})}),
        "strict 6 -> strict none, 3 has weight 50",
    ),
    "groups": (with_port(), with_qos(groups={26: frozenset({4})}), "26: not stated -> 4"),
    "idle-queues": (with_port(), with_qos(queues={26: frozenset({4})}), "26: 3 -> 4"),
    "idle-groups": (with_port(), with_qos(groups={26: frozenset({4})}), "26: not stated -> 4"),
    "paths": (A, replace(A, paths=4), "not stated -> 4"),
    "feature-added": (replace(A, lacking=frozenset({"bgp", "routing"})), A, "BGP, IP routing"),
    "feature-gone": (A, replace(A, lacking=frozenset({"vlan-routing"})), "routing between VLANs"),
    "asn": (A, replace(A, asn=65009), "65001 -> 65009"),
    "neighbour-added": (replace(A, neighbours=A.neighbours[:1]), A, "10.0.0.3"),
    "neighbour-gone": (A, replace(A, neighbours=A.neighbours[:1]), "10.0.0.3"),
    "neighbour-as": (
        A,
        replace(A, neighbours=(A.neighbours[0], ReadNeighbour(IPAddress("10.0.0.3"), 65009))),
        "10.0.0.3 65003 -> 65009",
    ),
    "announced": (replace(A, networks=frozenset()), A, "10.1.0.0/24"),
    "announced-gone": (A, replace(A, networks=frozenset()), "10.1.0.0/24"),
    "arp": (A, replace(A, arp_seconds=300), "60 -> 300 s"),
    "unread": (A, A, ""),
}
"""Kind of a step -> (switch before, switch after, message)."""


def test_every_kind_of_step_has_its_row_and_the_other_way_round() -> None:
    assert {*STEPS, ISOLATED} == effects().switches.keys()


@pytest.mark.parametrize("new", [None, replace(A, nos="arista-eos")], ids=["gone", "another NOS"])
def test_a_switch_that_goes_is_taken_out_by_the_nos_that_runs(new: ReadSwitch | None) -> None:
    rows = [each for each in switch_effects([("leaf-1", A, new)], effects()) if each.effect.word == "by-hand"]
    assert [(each.target, each.change) for each in rows] == [("leaf-1", "taken out of routing")]
    assert "sudo TSA" in rows[0].effect.what


@pytest.mark.parametrize("kind", STEPS)
def test_a_step_of_a_switch(kind: str) -> None:
    old, new, text = STEPS[kind]
    sending = () if kind.startswith("idle-") else (26,)
    assert [(step.kind, step.said) for step in steps(old, new, sending)] == [(kind, text)]


# the command


@pytest.fixture
def site(tmp_path: Path) -> Path:
    file = tmp_path / "site.yaml"
    file.write_text(inventory("minimal"), encoding="utf-8")
    return file


def test_the_command_compares_an_inventory_with_its_own_render(site: Path, tmp_path: Path) -> None:
    result = compile_texts({"site.yaml": inventory("minimal")})
    write(tmp_path / "out", result.artifacts, "minimal")
    status, out, _ = netplan("diff", str(tmp_path / "out"), str(site))
    assert status == 0
    assert out.startswith("nothing changes\n")
    (tmp_path / "out/switches").mkdir(exist_ok=True)
    assert netplan("diff", str(tmp_path / "out"), str(tmp_path / "out"), "--quiet")[:2] == (0, "")


def test_differences_are_exit_1_and_json_has_its_form(site: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.yaml"
    other.write_text(inventory("minimal", DSCP), encoding="utf-8")
    status, out, _ = netplan("diff", str(site), str(other), "--format", "json")
    report = json.loads(out)
    assert status == 1
    assert report["diff"]["same"] is False
    assert report["diff"]["intent"][0]["path"] == "fabric.qos.classes.roce.dscp"
    status, out, _ = netplan("diff", str(site), str(other), "--color", "always")
    assert status == 1
    assert "\x1b[" in out
    assert "\x1b[" not in netplan("diff", str(site), str(other))[1]


def test_an_inventory_with_errors_is_exit_2(site: Path, tmp_path: Path) -> None:
    bad = tmp_path / "bad.yaml"
    bad.write_text(inventory("minimal", ("dscp: 26", "dscp: none")), encoding="utf-8")
    status, out, err = netplan("diff", str(site), str(bad))
    assert (status, out) == (2, "")
    assert "bad.yaml" in err
    assert "nothing compared" in err
    assert netplan("diff", str(site), str(tmp_path / "absent.yaml"))[0] == 2
    status, out, _ = netplan("diff", str(bad), str(site), "--format", "json")
    assert status == 2
    assert json.loads(out)["diff"] is None


def test_a_manifest_that_leads_outside_is_refused(site: Path, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out/manifest.json").write_text('{"files": {"../../etc/passwd": {}}}')
    status, _, err = netplan("diff", str(tmp_path / "out"), str(site))
    assert status == 2
    assert "which is outside the directory" in err
    (tmp_path / "out/manifest.json").write_text("[")
    assert "is not a manifest of netplan" in netplan("diff", str(tmp_path / "out"), str(site))[2]


def test_names_of_an_inventory_are_no_markup() -> None:
    row = changed(DSCP).effects[0]
    hostile = replace(row, target="<img src=x>|`", change="a | b")
    table = [line for line in show.markdown(_only(hostile)) if "img" in line]
    assert table == [line.replace("<", "&lt;") for line in table]
    assert "\\|'" in table[0]


def test_cables_that_are_plugged_elsewhere_are_named() -> None:
    swapped = changed(
        ("hca: roce0", "hca: rocex"), ("hca: roce1", "hca: roce0"), ("hca: rocex", "hca: roce1")
    )
    cables = [line for line in said(swapped) if "cable" in line]
    assert cables == [
        "traffic leaf-1 Ethernet[0-4/4]: cable gpu-[01-02] roce0 -> gpu-[01-02] roce1",
        "traffic leaf-1 Ethernet[8-12/4]: cable gpu-[01-02] roce1 -> gpu-[01-02] roce0",
    ]


def test_a_nic_script_is_live_only_where_numbers_changed() -> None:
    old = side("minimal")
    path = next(path for path in old.texts if path.endswith("rdma-nic-qos.sh"))
    for added, word in (("", None), ("ip link set ens1f0np0 down\n", "link")):
        new = replace(old, texts={**old.texts, path: old.texts[path] + added})
        assert [each.effect.word for each in difference(ends_of(old, new)).effects] == (
            [word] if word else []
        )


def test_a_heading_has_no_effect_and_a_setting_has() -> None:
    """The site's name in a file's heading has no effect; settings and manual steps in the file do."""
    found = changed(("\nsite: minimal", "\nsite: other"))
    assert len(found.changed) > 20
    assert {each.target.split()[0] for each in found.effects} == {
        "IPPool",
        "ConfigMap",
        "NetworkAttachmentDefinition",
    }
    old = side("minimal")
    at = {path.rpartition("/")[2]: path for path in old.texts if path.startswith(("hosts/", "pods/"))}
    for name, added, differs in (
        ("rdma.conf", "; a comment\n", False),
        ("rdma.conf", "mlx5_ib\n", True),
        ("rdma-nic-qos.sh", "\n  # a comment\n", False),
        ("firmware-commands.txt", "\n# roce9: the inventory has no PCI address; run the same for it\n", True),
        ("routes.yaml", "# a comment\n", False),
        ("routes.yaml", "more: 1\n", True),
    ):
        new = replace(old, texts={**old.texts, at[name]: old.texts[at[name]] + added})
        assert bool(difference(ends_of(old, new)).effects) is differs, (name, added)


def test_nothing_moves_a_cursor() -> None:
    row = changed(DSCP).effects[0]
    hostile = _only(replace(row, target="a\x1b[2Jb", change="c\nd"))
    assert not [line for line in show.lines(hostile) if "\x1b" in line or "\n" in line]


def _only(row: Any) -> Difference:
    return Difference(intent=(), effects=(row,), added=("a",), removed=(), changed=(), untouched=(), notes=())


# git

needs_git = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """``site.yaml`` and ``sites/``, committed; hooks and configuration would leave a trace if they ran."""
    root = tmp_path / "repository"
    root.mkdir()
    monkeypatch.chdir(root)
    git("init", "-q")
    (root / "site.yaml").write_text(inventory("minimal"), encoding="utf-8")
    (root / "sites").mkdir()
    (root / "sites/a.yaml").write_text(inventory("minimal"), encoding="utf-8")
    (root / "sites/notes.txt").write_text("no inventory")
    (root / ".gitattributes").write_text("*.yaml filter=bad diff=bad\n")
    git("add", "-A")
    git("-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "-qm", "one")
    for key in ("filter.bad.smudge", "filter.bad.clean", "diff.bad.textconv", "core.fsmonitor", "core.pager"):
        git("config", key, f"touch {tmp_path}/ran; cat")
    return root


def git(*arguments: str) -> None:
    subprocess.run(["git", *arguments], check=True, env={**os.environ, "GIT_CONFIG_GLOBAL": os.devnull})


@needs_git
def test_a_revision_is_read_and_nothing_of_the_repository_runs(repository: Path) -> None:
    assert netplan("diff", "HEAD:site.yaml", "site.yaml")[0] == 0
    assert netplan("diff", "HEAD:sites", "HEAD:site.yaml")[0] == 0
    (repository / "site.yaml").write_text(inventory("minimal", DSCP), encoding="utf-8")
    status, out, _ = netplan("diff", "HEAD:site.yaml", "site.yaml")
    assert status == 1
    assert "fabric.qos.classes.roce.dscp  26 -> 28" in out
    assert not (repository.parent / "ran").exists()


@needs_git
def test_a_rendered_directory_of_a_revision(repository: Path) -> None:
    write(repository / "out", compile_texts({"s.yaml": inventory("minimal")}).artifacts, "minimal")
    git("add", "out")
    git("-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "-qm", "two")
    assert netplan("diff", "HEAD:out", "site.yaml")[0] == 0


@needs_git
@pytest.mark.parametrize(
    "given",
    ["HEAD:absent.yaml", "nowhere:site.yaml", "--help:x", "-x:site.yaml", "HEAD~9:sites", "HEAD:si\nte.yaml"],
)
def test_what_git_does_not_have(repository: Path, given: str) -> None:
    status, out, err = netplan("diff", "--", given, "site.yaml")
    assert (status, out) == (2, "")
    assert given.split(":")[-1].replace("\n", "\\n") in err


@needs_git
def test_an_object_that_is_not_there_is_named(repository: Path) -> None:
    """In a clone without all objects, nothing is fetched."""
    asked = ["git", "rev-parse", "HEAD:sites/notes.txt"]
    lost = subprocess.run(asked, check=True, capture_output=True, text=True).stdout.strip()
    (repository / ".git/objects" / lost[:2] / lost[2:]).unlink()
    status, out, err = netplan("diff", "HEAD:sites", "site.yaml")
    assert (status, out) == (2, "")
    assert "git does not have HEAD:sites/notes.txt" in err


# The running configuration.


def deep(*tables: Any) -> Any:
    """Maps, merged recursively."""
    laid: dict[str, Any] = {}
    for table in tables:
        for key, value in table.items():
            laid[key] = deep(laid.get(key, {}), value) if isinstance(value, dict) else value
    return laid


def patched(data: Any, operations: list[dict[str, Any]]) -> Any:
    """Apply a JSON patch (RFC 6902), with the operations that netplan writes."""
    for one in operations:
        *above, last = (part.replace("~1", "/").replace("~0", "~") for part in one["path"].split("/")[1:])
        at = data
        for part in above:
            at = at.setdefault(part, {})
        if one["op"] == "remove":
            at.pop(last, None)
        else:
            at[last] = one["value"]
    return data


def running(nos: str, files: Mapping[str, str]) -> str:
    """Running configuration of a switch that has loaded these files."""
    if nos == "sonic":
        tables = [json.loads(text) for file, text in files.items() if file.endswith(".json")]
        merged = deep(*(table for table in tables if isinstance(table, dict)))
        for operations in (table for table in tables if isinstance(table, list)):
            patched(merged, operations)
        return json.dumps(merged, indent=4)
    if nos == "cumulus-nvue":
        documents = [yaml.safe_load(text)[0]["set"] for file, text in files.items() if file.endswith(".yaml")]
        return yaml.safe_dump([{"set": deep(*documents)}])
    texts = [text for file, text in sorted(files.items()) if file.endswith((".txt", ".conf"))]
    return "\n".join(line for text in texts for line in text.splitlines())


@cache
def vendors() -> Side:
    return side("multi-vendor")


LEAVES = [f"leaf-{number}" for number in range(1, 10)]
"""Leaves, each with a different NOS."""


def ran(name: str, tmp_path: Path, *edits: tuple[str, str]) -> Drift:
    facts = facts_of(vendors())
    text = running(facts.switches[name].nos, files_of(vendors(), name))
    for old, new in edits:
        assert re.search(old, text), old
        text = re.sub(old, new, text, count=1)
    (tmp_path / name).write_text(text)
    return drift(vendors(), facts, running_files((f"{name}={tmp_path / name}",)), shipped())


@pytest.mark.parametrize("name", LEAVES)
def test_a_switch_that_took_its_files_has_no_drift(name: str, tmp_path: Path) -> None:
    found = ran(name, tmp_path)
    assert found.found == ()
    assert found.compared == (name,)


VLAN = {
    "leaf-1": (r"(?m)^vlan 100$", r"\g<0>\nvlan 999"),
    "leaf-2": (r"(?m)^( +)vlan:\n( +)'101': \{\}", r"\g<0>\n\2'999': {}"),
    "leaf-3": (r'"VLAN": \{', '"VLAN": {\n"Vlan999": {"vlanid": "999"},'),
    "leaf-4": (r"(?m)^vlan 10\d.*$", r"\g<0>\nvlan 999"),
    "leaf-5": (r"(?m)^vlan 104$", r"vlan 999\n\g<0>"),
    "leaf-6": (r"(?m)^set vlans v105 vlan-id 105$", r"\g<0>\nset vlans v999 vlan-id 999"),
    "leaf-7": (r"(?m)^interface vlan 106$", r"interface vlan 999\n\g<0>"),
    "leaf-8": (r"(?m)^vlan 107$", r"vlan 999\n\g<0>"),
    "leaf-9": (r"(?m)^vlan 107$", r"vlan 999\n\g<0>"),
}
"""Leaf -> edit that adds a VLAN."""
PFC = {
    "leaf-2": (r"(?m)^( +)'3': \{\}", r"\1'4': {}"),
    "leaf-3": (r'"pfc_enable": "3"', '"pfc_enable": ""'),
    "leaf-4": (r"(?m)^ *priority-flow-control priority 3 no-drop$", ""),
    "leaf-5": (r"(?m)^ *pause pfc-cos 3$", ""),
    "leaf-6": (r"(?m)^set class-of-service forwarding-classes class netplan-3 .*$", ""),
    "leaf-7": (r"(?m)^ *pfc-cos 3$", ""),
    "leaf-8": (r"(?m)^ priority-flow-control no-drop dot1p 3$", ""),
    "leaf-9": (r"(?m)^ priority 3.*$", ""),
}
"""Leaf -> edit that removes the lossless priority; not Onyx, where it is part of ``roce lossless``."""
ROW = {
    "leaf-2": (r"(?m)^( +)'26':\n +switch-priority: 3$", r"\1'26':\n\1  switch-priority: 0"),
    "leaf-3": (r'"26": "3"', '"26": "0"'),
    "leaf-4": (r"(?m)^qos map dscp 26 to traffic-class 3$", "qos map dscp 26 to traffic-class 1"),
    "leaf-5": (r"(?m)^ *match dscp 26$", "  match dscp 27"),
    "leaf-6": (r"code-points \[ 011010 \]", "code-points [ 011110 ]"),
    "leaf-7": (r"(?m)^ qos-group 3 dscp 26$", " qos-group 3 dscp 27"),
    "leaf-9": (r"(?m)^ ip-dscp-inbound 26 .*$", " ip-dscp-inbound 26 phb be green"),
}
"""Leaf -> DSCP 26 in another queue; Onyx and Comware have no rows of their own."""
SAID = {"VLAN": r"VLAN not planned: 999", "PFC": r"PFC \S+ -> 3", "ROW": r"queues of DSCP 26: .* -> 3"}
CASES = [(what, name) for what, rows in (("VLAN", VLAN), ("PFC", PFC), ("ROW", ROW)) for name in rows]


@pytest.mark.parametrize(("what", "name"), CASES)
def test_what_somebody_changed_on_a_switch_is_named_with_its_line(
    what: str, name: str, tmp_path: Path
) -> None:
    table = {"VLAN": VLAN, "PFC": PFC, "ROW": ROW}[what]
    found = ran(name, tmp_path, table[name])
    mine = [each for each in found.found if re.match(SAID[what], each.change)]
    assert len(mine) == 1, found
    assert re.search(rf"{name}:\d+$", mine[0].place) or what == "PFC", mine


def test_a_feature_that_is_off_is_named_and_one_that_is_on_beyond_the_plan_stays(tmp_path: Path) -> None:
    """NX-OS: ``feature`` lines. netplan removes none, so one that only runs is no difference."""
    found = ran("leaf-5", tmp_path, (r"(?m)^feature bgp$", ""))
    assert [each.change for each in found.found] == ["feature not enabled: BGP"]
    texts = {path: re.sub(r"(?m)^feature bgp$", "", text) for path, text in vendors().texts.items()}
    plan = Side("planned", texts, vendors().document)
    (tmp_path / "leaf-5").write_text(running("cisco-nxos", files_of(vendors(), "leaf-5")))
    files = running_files((f"leaf-5={tmp_path / 'leaf-5'}",))
    assert drift(plan, facts_of(plan), files, shipped()).found == ()


def test_the_command_reads_what_switches_run(tmp_path: Path) -> None:
    (tmp_path / "dumps").mkdir()
    files = files_of(side("minimal"), "leaf-1")
    (tmp_path / "dumps/leaf-1.json").write_text(running("sonic", files))
    minimal = str(FOLDER / "minimal.yaml")
    status, out, _ = netplan("diff", minimal, "--running", str(tmp_path / "dumps"))
    assert status == 0
    assert out.startswith("leaf-1: as planned, as far as netplan reads it\n")
    (tmp_path / "dumps/leaf-1.json").write_text(running("sonic", files).replace('"26": "3"', '"26": "1"'))
    given = ("diff", minimal, "--running", f"leaf-1={tmp_path}/dumps/leaf-1.json")
    status, out, _ = netplan(*given)
    assert status == 1
    assert "queues of DSCP 26: 1 -> 3 on all" in out
    assert out.startswith(
        "Differences between what runs and what the inventory renders, running -> planned\n  leaf-1\n"
    )
    data = json.loads(netplan(*given, "--format", "json")[1])["drift"]
    assert (data["direction"], data["compared"]) == ("running -> planned", ["leaf-1"])
    assert "| leaf-1 | queues of DSCP 26: 1 -&gt; 3" in netplan(*given, "--format", "markdown")[1].replace(
        "->", "-&gt;"
    )


def test_what_is_wrong_once_the_plan_is_loaded_is_told_with_its_place(tmp_path: Path) -> None:
    """A port outside the plan has an address in a planned subnet: neither is wrong alone, and no other
    comparison covers the port."""
    tables = json.loads(running("sonic", files_of(side("minimal"), "leaf-1")))
    for name in [name for name in tables["VLAN_INTERFACE"] if name.startswith("Vlan101")]:
        del tables["VLAN_INTERFACE"][name]
    tables["PORT"]["Ethernet124"] = {"lanes": "124,125,126,127", "speed": "100000"}
    tables["INTERFACE"] = {"Ethernet124": {}, "Ethernet124|172.16.4.9/24": {}}
    dump = tmp_path / "leaf-1.json"
    dump.write_text(json.dumps(tables, indent=2))
    status, out, _ = netplan("diff", str(FOLDER / "minimal.yaml"), "--running", f"leaf-1={dump}")
    assert status == 1
    told = [line for line in out.splitlines() if "with the plan loaded over it: error NP869" in line]
    assert len(told) == 1
    assert "Ethernet124" in told[0]
    assert re.search(r"(leaf-1\.json|switches/leaf-1/interfaces\.json):\d+$", told[0].strip()), told


def test_a_group_that_changed_is_named(tmp_path: Path) -> None:
    found = ran(
        "leaf-3", tmp_path, (r'("TC_TO_PRIORITY_GROUP_MAP": \{\s+"ROCE": \{[^}]*)"3": "3"', r'\1"3": "0"')
    )
    assert any(each.change.startswith("priority groups of DSCP") for each in found.found), found


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("leaf-9={file}", "leaf-9 is not a switch of the inventory; it has leaf-1"),
        ("leaf-1={folder}/absent", "cannot be read"),
        ("leaf-1", "expected SWITCH=FILE, or a folder"),
        ("leaf-1={file}", "none of its lines is typical of SONiC (config_db)"),
    ],
)
def test_what_is_no_running_configuration(given: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "notes").write_text('{"a": 1}')
    wanted = given.format(file=tmp_path / "notes", folder=tmp_path)
    status, _, err = netplan("diff", str(FOLDER / "minimal.yaml"), "--running", wanted)
    assert status == 2
    assert said in err
    assert netplan("diff", str(FOLDER / "minimal.yaml"))[0] == 2
