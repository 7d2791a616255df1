"""``netplan import`` of running configurations of EOS, NX-OS, Junos and NVUE.

The lines are those that netplan renders for the switches of ``inventories/multi-vendor.yaml``, below the
headers that these systems print; the meaning of each line is tested against the vendors' models elsewhere
(``tests/vendors``).
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from netplan.importing.recognise import recognised
from netplan.importing.run import import_texts
from netplan.importing.switch_forms import form_of
from tests.cli_runs import netplan
from tests.inventories import compiled, outputs, text_of
from tests.test_import import refused, todo_lines

EOS = "! Command: show running-config\n! device: leaf-4 (DCS-7060X6-64PE, EOS-4.33.1F)\n!\n"
NXOS = "\n!Command: show running-config\n!Time: Mon Nov 23 05:00:00 2026\n\nversion 10.4(3)\n"
HEADS = {
    "leaf-4": f"{EOS}hostname leaf-4\n!\n",
    "leaf-5": f"{NXOS}hostname leaf-5\n",
    "leaf-6": "set version 23.4R1.9-EVO\nset system host-name leaf-6\n",
}


@cache
def files() -> dict[str, str]:
    return dict(outputs(compiled("multi-vendor")))


def running(switch: str) -> str:
    """Running configuration of a switch: its rendered files below the header of its NOS."""
    if switch != "leaf-2":
        parts = (files()[f"switches/{switch}/{name}.txt"] for name in ("interfaces", "roce", "arp"))
        return HEADS[switch] + "".join(parts)
    merged: dict[str, Any] = {"system": {"hostname": "leaf-2"}}
    for name in ("interfaces", "roce"):
        for part in yaml.safe_load(files()[f"switches/leaf-2/{name}.yaml"]):
            join(merged, part.get("set", {}))
    return json.dumps(
        [{"header": {"model": "MSN3700", "nvue-api-version": "nvue_v1"}}, {"set": merged}], indent=2
    )


def join(into: dict[str, Any], other: dict[str, Any]) -> None:
    for key, value in other.items():
        if isinstance(value, dict) and isinstance(into.get(key), dict):
            join(into[key], value)
        else:
            into[key] = value


SWITCHES = ("leaf-2", "leaf-4", "leaf-5", "leaf-6")


@cache
def imported() -> Any:
    return import_texts({f"{name}.txt": running(name) for name in SWITCHES}, "site")


def test_switches_of_four_systems() -> None:
    """NOS, AS number, loopback, gateways, port VLANs and uplinks equal those of the inventory."""
    site, switches = imported().site, json.loads(files()["site.json"])["switches"]
    assert (imported().conflicts, imported().unread) == ((), ())
    (remark,) = imported().remarks
    assert remark.text.startswith("VLAN 101,103-105 of the switches (interfaces leaf-2 172.16.33.1/24, ")
    for name in SWITCHES:
        number = int(name[-1])
        assert site.text("switch", (name,), "nos") == switches[name]["nos"]
        assert site.number("switch", (name,), "asn") == 4200000099 + number
        assert site.text("switch", (name,), "loopback") == f"172.31.255.{number}"
        (address,) = site.prefixed("svi", (name, str(99 + number)), "address/")
        assert address[0].startswith("172.16.")
        ports = [of for of in site.every("port") if of[0] == name]
        tagged = [of for of in ports if site.listed("port", of, "tagged") == (str(99 + number),)]
        routed = [of for of in ports if list(site.prefixed("port", of, "address/"))]
        assert len(tagged) == 4
        assert len(routed) >= 4
    found = yaml.safe_load(imported().text)
    stated = yaml.safe_load(text_of("multi-vendor"))["fabric"]["qos"]["classes"]
    for key in ("dscp", "priority", "lossless", "bandwidth_percent"):
        assert found["fabric"]["qos"]["classes"]["roce"][key] == stated["roce"][key]
    assert found["fabric"]["qos"]["classes"]["cnp"] == {"dscp": 48, "priority": 6, "scheduling": "strict"}
    assert found["switch_types"]["7060x6-64pe"]["nos"] == "arista-eos"
    sizes = {row["nos"]: row["port_mtu"] for row in found["switch_types"].values()}
    assert sizes == {"cumulus-nvue": 9100, "arista-eos": 9100, "cisco-nxos": 9100, "juniper-junos": 9118}
    assert set(todo_lines(imported().text)) <= refused(imported().text)


def test_each_value_has_its_line() -> None:
    lines = running("leaf-4").splitlines()
    said = imported().site.said("switch", ("leaf-4",), "asn")
    assert lines[said.at.line - 1] == "router bgp 4200000103"
    said = imported().site.said("port", ("leaf-4", "Ethernet2/1"), "tagged")
    start = lines.index("interface Ethernet2/1")
    assert start < said.at.line - 1 < start + 7
    assert "switchport" in lines[said.at.line - 1]


@pytest.mark.sample(1)
@pytest.mark.parametrize("name", SWITCHES)
def test_running_against_an_inventory(name: str, tmp_path: Path) -> None:
    """Nothing would change on a switch that runs the rendered configuration."""
    (tmp_path / "site.yaml").write_text(text_of("multi-vendor"))
    (tmp_path / "x.txt").write_text(running(name))
    _, out, _ = netplan("import", str(tmp_path / "x.txt"), "--into", str(tmp_path / "site.yaml"))
    assert f"{name}: as planned, as far as netplan reads it" in out.splitlines()
    model = [f"  switch {name}: model:"] if name == "leaf-4" else []
    assert [line[: len(model[0])] for line in out.splitlines() if ": model:" in line] == model


@pytest.mark.parametrize("name", SWITCHES)
def test_forms(name: str) -> None:
    text = running(name)
    assert recognised(text) == "switch_text"
    form = form_of(text)
    assert form is not None
    assert form.nos == json.loads(files()["site.json"])["switches"][name]["nos"]


def test_a_switch_without_a_name_is_called_as_its_file() -> None:
    text = running("leaf-6").replace("set system host-name leaf-6\n", "")
    assert import_texts({"d/leaf-9.running.txt": text}).configs == {"leaf-9": ("d/leaf-9.running.txt",)}


@pytest.mark.sample(1)
@pytest.mark.parametrize("name", SWITCHES)
def test_broken_configurations_are_no_crash(name: str) -> None:
    text = running(name)
    for at in range(40, len(text), len(text) // 12):
        for broken in (text[:at], text[:at] + "\x00\udcff \n{[" + text[at + 3 :]):
            assert yaml.safe_load(import_texts({"x.txt": broken}).text)["version"] == 1


def test_a_configuration_that_is_no_yaml_is_not_read() -> None:
    """Classes and ECN were taken from it, and the switch was without ports."""
    text = "- header:\n    model: SN5600\n- set:\n    system:\n      hostname: leaf-9\n    router: 1: 2\n"
    result = import_texts({"leaf-9.yaml": text}, "site")
    assert result.broken == ("leaf-9.yaml:6: not YAML: mapping values are not allowed in this context",)
    assert result.unread == ()
    assert result.site.every("switch") == []


LINES = {
    "leaf-4": (
        ("interface Ethernet2/1\n", "   ip access-group X in\n", "Ethernet2/1 has an ACL"),
        ("ip routing\n", "ip route 0.0.0.0/0 10.1.1.1\n", "ip route 0.0.0.0/0 10.1.1.1: static routes"),
        ("ip routing\n", "load-balance cluster\n", "load-balance cluster is not taken"),
        ("ip routing\n", "ip route vrf MGMT 0.0.0.0/0 10.1.1.1\n", ""),
        ("ip routing\n", "router bgp 1\n   redistribute connected\n", "redistribute connected of BGP"),
        (
            "ip routing\n",
            "qos profile X\n   tx-queue 3\n      shape rate 5 percent\n",
            "shape rate 5 percent: shaping",
        ),
    ),
    "leaf-6": (
        (
            "",
            "set routing-options static route 0.0.0.0/0 next-hop 10.1.1.1\n",
            "routing-options static route 0.0.0.0/0",
        ),
        ("", "set interfaces et-0/0/0 unit 0 family inet filter input X\n", "et-0/0/0 unit 0 has an ACL"),
    ),
}


@pytest.mark.parametrize(
    ("name", "after", "line", "told"), [(name, *row) for name, rows in LINES.items() for row in rows]
)
def test_lines_that_no_key_has_are_named(name: str, after: str, line: str, told: str) -> None:
    text = running(name)
    assert after in text
    before = {remark.text for remark in import_texts({"x.txt": text}, "site").remarks}
    changed = text.replace(after, f"{after}{line}", 1) if after else f"{text}{line}"
    found = [r.text for r in import_texts({"x.txt": changed}, "site").remarks if r.text not in before]
    assert [each.startswith(f"{name}: {told}") for each in found] == [True] * bool(told), found


def test_ports_that_classify_by_different_fields_are_asked_about() -> None:
    text = running("leaf-4")
    other = text.replace("leaf-4", "leaf-9").replace("qos trust dscp", "qos trust cos")
    result = import_texts({"x.txt": text, "y.txt": other}, "site")
    (told,) = [str(conflict) for conflict in result.conflicts if "trust" in str(conflict)]
    assert told.startswith("the cluster, trust: dscp (x.txt:")
    assert "or pcp (y.txt:" in told


@pytest.mark.parametrize("form", ["yaml", "json"])
def test_what_nvue_redistributes_is_named(form: str) -> None:
    """netplan announces each prefix by a network statement, so that the line goes with the rollout."""
    connected = {"redistribute": {"connected": {"enable": "on"}}}
    bgp = {"bgp": {"address-family": {"ipv4-unicast": {"enable": "on", **connected}}}}
    system = {"hostname": "leaf-9"}
    body = [{"header": {"model": "SN5600"}}, {"set": {"system": system, "vrf": {"default": {"router": bgp}}}}]
    text = yaml.safe_dump(body, sort_keys=False) if form == "yaml" else json.dumps(body, indent=2)
    (told,) = [str(r) for r in import_texts({"x.txt": text}, "site").remarks if "redistribute" in str(r)]
    number = next(n for n, line in enumerate(text.splitlines(), 1) if "connected" in line) + 1
    assert told.startswith(f"x.txt:{number}: leaf-9: redistribute connected of BGP is not taken: ")
