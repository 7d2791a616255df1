"""show, explain, schema and init."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

import pytest
from netaddr import IPAddress

from netplan import resources
from netplan.diagnostics import Path
from netplan.explain import entries
from netplan.model.inventory_schema import inventory_schema
from tests.cli_runs import ERROR, WARNING, netplan, pipeline_gives, result

HOST = """\
type: node  # site.yaml:13
id: 2  # site.yaml:13
named: true  # computed
count: 1  # computed
runs_on: null  # not set
labels: [[zone, b]]  # site.yaml:14
hcas: {}  # not set
"""


@dataclass(frozen=True, kw_only=True)
class SwitchPlan:
    """Stands for planned data about an entity of the inventory."""

    name: str
    loopback: IPAddress
    at: Path = field(compare=False)


@dataclass(frozen=True, kw_only=True)
class Plan:
    hosts: tuple[Any, ...]
    switches: tuple[SwitchPlan, ...]
    ports: MappingProxyType[tuple[str, str], str]


def plan() -> Plan:
    fabric = result().fabric
    assert fabric is not None
    leaf = SwitchPlan(name="leaf.a", loopback=IPAddress("10.0.0.1"), at=("host_types", "node"))
    ports = MappingProxyType({("leaf.a", "Ethernet0"): "yes"})
    return Plan(hosts=fabric.hosts, switches=(leaf,), ports=ports)


@pytest.mark.parametrize(
    ("path", "shown"),
    [
        ("hosts.gpu-002", HOST),
        ("fabric.mtu", "4200  # site.yaml:5\n"),
        ("fabric.cross_rail", "any  # default\n"),
        ("rails.supernets", "[172.16.0.0/20]  # site.yaml:6\n"),
        ("rails.rail_networks", "[[172.16.0.0/20]]  # computed\n"),
        ("host_types.node.hcas.roce0.pci", '"0000:18:00.0"  # site.yaml:11\n'),
        ("host_types.node.hcas.roce0.speed_gbps", "100  # computed\n"),
        ("switches", "[]  # not set\n"),
    ],
)
def test_show(monkeypatch, path, shown):
    calls = pipeline_gives(monkeypatch, result())
    assert netplan("show", "site.yaml", path) == (0, shown, "")
    assert calls[0]["upto"] == "resolve"


def test_show_all_uses_the_words_of_the_inventory(monkeypatch):
    pipeline_gives(monkeypatch, result())
    _, out, _ = netplan("show", "site.yaml")
    keys = [line.split(":")[0] for line in out.splitlines() if not line.startswith(" ")]
    assert keys == [
        "site", "cluster", "fabric", "underlay", "rails", "vlans", "subnets", "host_types", "hosts",
        "switches", "host_links", "switch_links", "networks", "workloads", "accept",
    ]  # fmt: skip


def test_show_plan(monkeypatch):
    calls = pipeline_gives(monkeypatch, result(plan=plan()))
    assert netplan("show", "site.yaml", "plan") == (
        0,
        "hosts: [gpu-001, gpu-002, gpu-003]\n"
        "switches:\n"
        "  leaf.a:  # site.yaml:8\n"
        "    loopback: 10.0.0.1\n"
        "ports:\n"
        '  leaf.a/Ethernet0: "yes"\n',
        "",
    )
    assert calls[0]["upto"] == "plan"


@pytest.mark.parametrize("path", ["plan.switches.leaf.a.loopback", "plan.switches.leaf.a"])
def test_a_name_may_hold_dots(monkeypatch, path):
    pipeline_gives(monkeypatch, result(plan=plan()))
    status, out, _ = netplan("show", "site.yaml", path)
    assert (status, "10.0.0.1" in out) == (0, True)


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("hosts.gpu-02", "hosts has no gpu-02; did you mean gpu-002 or gpu-003 or gpu-001?"),
        ("host", "the top level has no host; did you mean hosts?"),
        ("accept[3]", "accept has no 3; it has no parts"),
        ("rails.\x1b", "rails has no \\x1b; it has count, segment, numbering, first_subnet, vlan_ids, "
         "supernets, prefixes, rail_prefixes_stated, rail_networks, gateway, external, reserved"),
    ],
)  # fmt: skip
def test_show_of_an_unknown_path(monkeypatch, path, message):
    pipeline_gives(monkeypatch, result())
    assert netplan("show", "site.yaml", path) == (2, "", f"Error: {message}\n")


def test_show_of_a_plan_that_errors_kept_from_being_made(monkeypatch):
    pipeline_gives(monkeypatch, result(ERROR, skipped=("the plan was not made: the inventory has errors",)))
    status, out, err = netplan("show", "site.yaml", "plan.switches")
    assert (status, out) == (1, "")
    assert err.endswith("; the plan was not made: the inventory has errors; nothing shown\n")


@pytest.mark.parametrize(("options", "status"), [([], 0), (["--strict"], 1)])
def test_show_with_a_warning(monkeypatch, options, status):
    pipeline_gives(monkeypatch, result(WARNING))
    got, out, err = netplan("show", "site.yaml", "fabric.mtu", *options)
    assert (got, out) == (status, "4200  # site.yaml:5\n")
    assert err.startswith("site.yaml:5:22: warning NP404 fabric.mtu: mtu 4200 is unusual\n")


def test_show_as_json(monkeypatch):
    pipeline_gives(monkeypatch, result())
    status, out, err = netplan("show", "site.yaml", "rails", "--format", "json")
    assert (status, err) == (0, "")
    assert json.loads(out)["shown"] == {
        "path": "rails",
        "value": {
            "count": 1,
            "segment": "leaf",
            "numbering": "id",
            "first_subnet": 0,
            "vlan_ids": [100],
            "supernets": ["172.16.0.0/20"],
            "prefixes": [24],
            "rail_prefixes_stated": False,
            "rail_networks": [["172.16.0.0/20"]],
            "gateway": "first",
            "external": False,
            "reserved": [],
        },
        "origins": {
            "count": "site.yaml:6",
            "segment": "default",
            "numbering": "default",
            "first_subnet": "default",
            "vlan_ids": "site.yaml:6",
            "supernets": "site.yaml:6",
            "prefixes": "site.yaml:6",
            "rail_prefixes_stated": "computed",
            "rail_networks": "computed",
            "gateway": "default",
            "external": "computed",
            "reserved": "not set",
        },
    }


def test_show_nothing_as_json(monkeypatch):
    pipeline_gives(monkeypatch, result(ERROR, fabric=None))
    status, out, _ = netplan("show", "site.yaml", "--format", "json")
    assert (status, json.loads(out)["shown"]) == (1, None)


@pytest.mark.parametrize("code", ["NP203", "np203"])
def test_explain(code):
    assert netplan("explain", code) == (
        0,
        "NP203 (error, stage): address space too small for its subnets\n"
        "\n"
        "The formula that numbers subnets (docs/addresses.md) runs past the end.\n"
        "\n"
        "Fix. Enlarge the space or lengthen the prefixes as the message says.\n",
        "",
    )


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("NP0203", "there is no code NP0203; did you mean "),
        ("x\x1b", "there is no code x\\x1b; `netplan explain` lists them all\n"),
    ],
)
def test_explain_an_unknown_code(code, message):
    status, out, err = netplan("explain", code)
    assert (status, out) == (2, "")
    assert err.startswith(f"Error: {message}")


def test_explain_lists_all_codes():
    status, out, err = netplan("explain")
    assert (status, err) == (0, "")
    assert [line.split()[0] for line in out.splitlines()] == list(entries())
    assert "NP001  error    invalid YAML\n" in out
    assert "NP113  warning  accepted finding does not occur\n" in out


@pytest.mark.parametrize("beginning", ["NP5", "np5", "NP50"])
def test_explain_lists_a_family(beginning):
    status, out, err = netplan("explain", beginning)
    assert (status, err) == (0, "")
    wanted = [entry for code, entry in entries().items() if code.startswith(beginning.upper())]
    assert len(wanted) > 1
    assert out.splitlines() == [f"{e.code}  {e.severity.name.lower():7}  {e.title}" for e in wanted]


@pytest.mark.parametrize("code", ["NP99", "5", "NP5011"])
def test_explain_an_unknown_family(code):
    status, out, err = netplan("explain", code)
    assert (status, out) == (2, "")
    assert f"there is no code {code}; " in err


def test_explain_models():
    status, out, err = netplan("explain", "models")
    assert (status, err) == (0, "")
    rows = [line.split() for line in out.splitlines()]
    assert ["msn2700", "spectrum-1", "32", "10,25,40,50,100", "32768"] in [row[:5] for row in rows]
    assert ["connectx-5", "15b3:1017", "15b3:1018"] in [
        [*row[:2], f"15b3:{row[2]}"] for row in rows if len(row) > 2
    ]


def test_schema():
    status, out, err = netplan("schema")
    assert (status, err) == (0, "")
    assert json.loads(out) == inventory_schema()
    assert "$ref" not in out


@pytest.fixture
def shipped(monkeypatch, tmp_path):
    folder = tmp_path / "inventories"
    folder.mkdir()
    (folder / "minimal.yaml").write_text("version: 1  # 名\n", encoding="utf-8")
    (folder / "reference.yaml").write_text("version: 2\n")
    monkeypatch.setattr(resources, "inventories", lambda: folder)


@pytest.mark.usefixtures("shipped")
@pytest.mark.parametrize(
    ("arguments", "text"),
    [([], "version: 1  # 名\n"), (["--from", "reference"], "version: 2\n"), (["-"], "version: 1  # 名\n")],
)
def test_init_prints(arguments, text):
    assert netplan("init", *arguments) == (0, text, "")


def test_init_names_a_schema_that_the_user_can_make():
    """The shipped files name the schema by its path in the repository."""
    status, out, _ = netplan("init")
    modeline, advice, *_ = out.splitlines()
    assert (status, modeline) == (0, "# yaml-language-server: $schema=inventory.schema.json")
    assert "netplan schema > inventory.schema.json" in advice


@pytest.mark.usefixtures("shipped")
def test_init_writes_a_file_once(tmp_path):
    target = tmp_path / "site.yaml"
    assert netplan("init", str(target)) == (0, f"wrote {target}\n", "")
    target.write_text("mine\n")
    assert netplan("init", str(target)) == (2, "", f"Error: {target} exists; it was not overwritten\n")
    assert target.read_text() == "mine\n"


@pytest.mark.usefixtures("shipped")
def test_init_into_a_missing_directory(tmp_path):
    target = tmp_path / "none" / "site.yaml"
    assert netplan("init", str(target)) == (
        2,
        "",
        f"Error: {target} cannot be written: No such file or directory\n",
    )


@pytest.mark.usefixtures("shipped")
@pytest.mark.parametrize(
    ("name", "near"), [("referense", "did you mean reference?"), ("x", "there are minimal, reference")]
)
def test_init_from_an_unknown_name(name, near):
    assert netplan("init", "--from", name) == (
        2,
        "",
        f"Error: no inventory {name} comes with netplan; {near}\n",
    )
