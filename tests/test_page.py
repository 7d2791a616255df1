"""The data of the page compared with its plan, and the HTML file that contains it."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from functools import cache
from hashlib import sha256
from html.parser import HTMLParser
from typing import Any

import pytest
from click.testing import CliRunner

from netplan.changes.sides import Side
from netplan.cli import program
from netplan.model.plan import Plan
from netplan.model.ranges import expand
from netplan.page.content import content
from netplan.page.html import page
from netplan.pipeline import Result, compile_texts
from tests.inventories import compiled, text_of

DRAWN = ("iei-rocev2", "multi-vendor", "crusoe-k3s-infiniband", "eks-efa", "vsphere-pvrdma", "l3-to-host")
OTHER_MTU = text_of("iei-rocev2").replace("  mtu: 9000", "  mtu: 4200")


def side(result: Result, name: str) -> Side:
    return Side(name, {a.path: a.text for a in result.artifacts}, result.document)


@cache
def data_of(name: str) -> dict[str, Any]:
    return content(compiled(name))


def plan_of(name: str) -> Plan:
    plan = compiled(name).plan
    assert plan is not None
    return plan


@cache
def changed() -> dict[str, Any]:
    new = compile_texts({"site.yaml": OTHER_MTU})
    return content(new, side(compiled("iei-rocev2"), "old.yaml"))


def ports(data: dict[str, Any]) -> dict[tuple[str, str], dict[str, Any]]:
    """(switch, port) -> row, with ranges expanded as in the page's script."""
    found = {}
    texts = data["fields"][:6]
    for switch in data["switches"]:
        for row in switch[8]:
            named = dict(zip(data["fields"], row, strict=True))
            names = expand(named["ports"])
            columns = {name: expand(named[name]) for name in texts}
            for index, port in enumerate(names):
                own = {n: (c[index] if len(c) == len(names) else named[n]) for n, c in columns.items()}
                found[switch[0], port] = {**named, **own, "kind": data["kinds"][named["kind"]]}
    return found


@pytest.mark.parametrize("name", DRAWN)
def test_every_cable_is_in_the_data(name):
    plan, found = plan_of(name), ports(data_of(name))
    assert found.keys() == {(s.name, p.name) for s in plan.switches for p in s.ports}
    for link in plan.fabric.host_links:
        row = found[link.switch.name, link.port]
        assert (row["peers"], row["peer_ports"]) == (link.host.name, link.hca.name)
        assert (row["gbps"], row["metres"]) == (link.hca.speed_gbps, link.cable_m)
    for cable in plan.fabric.switch_links:
        row = found[cable.lower.name, cable.lower_port]
        assert (row["peers"], row["peer_ports"]) == (cable.upper.name, cable.upper_port)
    for switch in plan.switches:
        for port in switch.ports:
            row = found[switch.name, port.name]
            assert (row["kind"], row["mtu"]) == (port.kind, port.mtu)
            assert row["headroom"] == (port.headroom.xoff if port.headroom else 0)


@pytest.mark.parametrize("name", DRAWN)
def test_every_host_is_in_a_pod_with_its_leaves(name):
    plan, data = plan_of(name), data_of(name)
    pod_of = {n: row[4] for row in data["hosts"] for n in expand(row[0])}
    assert pod_of.keys() == {host.name for host in plan.fabric.hosts}
    pods = {row[0]: row[2] for row in data["switches"]}
    assert all(pod_of[link.host.name] == pods[link.switch.name] for link in plan.fabric.host_links)


@pytest.mark.parametrize("name", ["iei-rocev2", "multi-vendor"])
def test_buffers_and_neighbours_are_the_plans(name):
    data = data_of(name)
    sheets = {row[0]: data["sheets"][row[7]] for row in data["switches"]}
    for switch in plan_of(name).switches:
        buffers, demand = switch.buffers, switch.demand
        said = sheets[switch.name]
        assert said["buffers"]["reserved"] == buffers.reserved
        assert said["buffers"]["room"] == (buffers.room if buffers.total else 0)
        assert said["neighbours"][3:] == [demand.total, demand.host_table]
        assert {e[0]: (e[2], e[3]) for e in said["ecn"]} == {
            queue.number: (each.kmin_bytes, each.kmax_bytes)
            for queue in switch.qos.marking
            for each in queue.ecn
        }
        numbers = [data["numbers"][number][:2] for number in said["numbers"]]
        assert numbers == [[n.name, n.value] for n in (*switch.computed, *switch.totals)]


def test_lines_are_those_of_the_inventory():
    data, text = data_of("iei-rocev2"), text_of("iei-rocev2").splitlines()
    assert data["lines"]
    assert all(text[line - 1].strip() == said for _, line, said in data["lines"])
    (row,) = (row for row in data["switches"] if row[0] == "leaf-4")
    assert data["lines"][row[10]][2].startswith("leaf-[1-4]:")


def test_the_chain_is_what_the_files_say():
    chains = {each["name"]: each["hops"] for each in data_of("iei-rocev2")["chains"]}
    assert {hop[0] for hop in chains["roce"]} == {
        "application", "NIC", "leaf, ports to hosts", "leaf, ports to spines", "spine, ports to leaves",
    }  # fmt: skip
    assert all(hop[4] == "proved" for hops in chains.values() for hop in hops)
    assert all("DSCP 48 to queue 6, strict" in hop[2] for hop in chains["cnp"][1:])
    texts = {a.path for a in compiled("iei-rocev2").artifacts}
    assert {hop[3].partition(":")[0] for hops in chains.values() for hop in hops} <= texts


def test_what_is_not_proved_has_every_switchs_reason():
    (roce,) = (each for each in data_of("multi-vendor")["chains"] if each["name"] == "roce")
    (hop,) = (h for h in roce["hops"] if h[1] == "leaf-1, leaf-7" and h[0] == "leaf, ports to hosts")
    assert hop[4] == "not proved"
    assert {name for name in ("leaf-1", "leaf-7") if any(f" of {name} " in why for why in hop[5])} == {
        "leaf-1",
        "leaf-7",
    }


def test_a_chain_that_no_file_ends_is_not_proved():
    absent = {
        name: [len(each["open"]) for each in data_of(name)["chains"]]
        for name in ("multi-vendor", "vsphere-pvrdma", "dgx-h100-dra")
    }
    assert absent == {"multi-vendor": [0, 0], "vsphere-pvrdma": [1, 1], "dgx-h100-dra": [1, 1]}


def test_a_way_leads_through_the_switches():
    data = data_of("iei-rocev2")
    (each,) = (w for w in data["reach"] if w["name"] == "training")
    grid = next(g for g in each["grids"] if (g["relation"], g["flow"]) == ("other node", "device-bound"))
    there, back = grid["ways"]["3"]
    nodes = [data["hops"][hop][0].partition("@")[0] for hop in there[2]]
    assert nodes == ["training", "leaf-1", "spine-1", "leaf-4", "training"]
    assert [data["hops"][hop][0].partition("@")[0] for hop in back[2]] == nodes[::-1]


def test_a_change_marks_what_it_touches():
    change = changed()["change"]
    assert [row["path"] for row in change["intent"]] == ["fabric.mtu"]
    restarted = next(wave for wave in change["waves"] if wave["kind"] == "pods")
    assert restarted["targets"] == ["large-model", "training"]
    assert set(change["marks"]["changed"]["hosts"]) == {"gpu-007", "nf5468m5", "nf5468m5-whole"}
    assert "switches" not in change["marks"]["changed"]


def test_hosts_and_switches_that_come_and_go_are_marked():
    text = text_of("multi-vendor")
    fewer = text.replace("gpu-[5-6]:", "gpu-5:").replace(
        '  - {hosts: gpu-6, hca: "roce[0-7]", switch: leaf-9, ports: "100GE1/0/[9-16]", cable_m: 5}\n', ""
    )
    old = compile_texts({"multi-vendor.yaml": fewer})
    whole = compiled("multi-vendor")
    marks = content(whole, side(old, "fewer.yaml"))["change"]["marks"]
    assert marks == {"changed": {"hosts": ["gpu-6"], "switches": ["leaf-9"]}, "gone": {}}
    marks = content(old, side(whole, "all.yaml"))["change"]["marks"]
    assert marks == {"changed": {"switches": ["leaf-9"]}, "gone": {"hosts": ["gpu-6"]}}


def test_an_inventory_against_itself_is_the_same():
    result = compiled("iei-rocev2")
    change = content(result, side(result, "old.yaml"))["change"]
    assert change["same"]
    assert change["marks"] == {"changed": {}, "gone": {}}


class _Tags(HTMLParser):
    """Attributes of every tag."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[dict[str, str | None]] = []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.found.append(dict(attrs))


def test_only_the_script_and_style_of_the_page_may_run():
    text = page(data_of("iei-rocev2"))
    tags = _Tags(text).found
    policy = next(a["content"] or "" for a in tags if a.get("http-equiv"))
    inside = [re.findall(f"<{tag}>(.*?)</{tag}>", text, re.DOTALL) for tag in ("script", "style")]
    assert list(map(len, inside)) == [1, 1]
    hashes = [b64encode(sha256(found.encode()).digest()).decode() for (found,) in inside]
    assert policy.split("; ") == [
        "default-src 'none'",
        f"script-src 'sha256-{hashes[0]}'",
        f"style-src 'sha256-{hashes[1]}'",
        "base-uri 'none'",
        "form-action 'none'",
    ]
    assert not any({"src", "srcset", "style", "onclick"} & a.keys() for a in tags)
    assert [a["href"] for a in tags if "href" in a] == ["#main"]


def test_the_data_is_the_json_in_the_page():
    data = data_of("multi-vendor")
    text = page(data)
    (inside,) = re.findall(r'<script type="application/json" id="data">(.*?)</script>', text, re.DOTALL)
    assert json.loads(inside) == json.loads(json.dumps(data))
    assert not set("<>&") & set(inside)
    assert page(content(compiled("multi-vendor"))) == text


def run(*arguments: str):
    return CliRunner().invoke(program, list(arguments))


def test_a_report_is_written_and_written_over(tmp_path):
    site, out = tmp_path / "site.yaml", tmp_path / "site.html"
    site.write_text(text_of("minimal"))
    for _ in range(2):
        done = run("report", str(site), "-o", str(out))
        assert (done.exit_code, done.stdout) == (0, "")
        assert f"wrote {out}" in done.stderr
    assert out.read_text() == run("report", str(site), "-o", "-").stdout
    assert {path.name for path in tmp_path.iterdir()} == {"site.html", "site.yaml"}
    refused = run("report", str(site), "-o", str(site))
    assert (refused.exit_code, site.read_text()) == (2, text_of("minimal"))
    assert "is not a page of netplan report; it was not overwritten" in refused.stderr


def test_errors_leave_nothing(tmp_path):
    site, out = tmp_path / "site.yaml", tmp_path / "site.html"
    site.write_text(text_of("minimal").replace("vfs: 4", "vfs: 400"))
    for command in ("report", "graph"):
        done = run(command, str(site), "-o", str(out))
        assert (done.exit_code, out.exists()) == (1, False)
        assert "nothing written" in done.stderr


def test_a_base_with_errors_is_told(tmp_path):
    old, new = tmp_path / "old.yaml", tmp_path / "new.yaml"
    old.write_text(text_of("minimal").replace("vfs: 4", "vfs: 400"))
    new.write_text(text_of("minimal"))
    done = run("report", str(new), "--base", str(old), "-o", str(tmp_path / "site.html"))
    assert done.exit_code == 2
    assert not (tmp_path / "site.html").exists()
    assert f"{old} has errors" in done.stderr
