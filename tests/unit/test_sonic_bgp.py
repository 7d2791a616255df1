"""SONiC's BGP by owner of FRR: the routed hosts of l3-to-host, on SONiC, traced from pod to pod."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from netplan.config_db import judge_texts
from netplan.diagnostics import Severity
from netplan.pipeline import Result, compile_texts
from netplan.reading.switches import read_switch
from netplan.trace import Matrix, Tabulator, TracedSite
from tests.inventories import text_of
from tests.sonic_yang import base_config, merged

INTERFACES = "switches/leaf-1/interfaces.json"


def on_sonic(mode: str, accept: bool = False) -> Result:
    """The shipped inventory with SONiC switches; ``mode``: frr_mode, or "" if not stated."""
    stated = f", frr_mode: {mode}" if mode else ""
    kind = f"nos: sonic, model: sn5600, buffer_model: dynamic{stated}"
    text = text_of("l3-to-host").replace("nos: cumulus-nvue, model: sn5600", kind)
    text = re.sub(r'"swp\[(\d+)-(\d+)\]"', _lanes, text)
    if accept:
        reason = "another tool enters the lines after each start"
        text += f"\naccept:\n  - {{check: NP840, at: switch_types.sn5600.frr_mode, reason: {reason}}}\n"
    return compile_texts({"x.yaml": text})


def _lanes(found: re.Match[str]) -> str:
    """SONiC port name: by its first lane, with eight lanes per port."""
    first, last = (8 * (int(number) - 1) for number in found.groups())
    return f'"Ethernet[{first}-{last}/8]"'


@cache
def rendered(mode: str) -> Result:
    return on_sonic(mode, accept=mode == "bgpcfgd")


def errors(result: Result) -> list[str]:
    return [d.code for d in result.diagnostics if d.severity is Severity.ERROR]


def matrix(mode: str, edits: Mapping[str, tuple[str, str]]) -> Matrix:
    artifacts = []
    for artifact in rendered(mode).artifacts:
        if artifact.path in edits:
            text = re.sub(*edits[artifact.path], artifact.text)
            assert text != artifact.text
            artifact = replace(artifact, text=text)
        artifacts.append(artifact)
    site = TracedSite(artifacts)
    return Tabulator(site).matrix(site.workloads["training"])


def test_host_links_that_a_restart_loses_are_an_error() -> None:
    for mode in ("", "bgpcfgd"):
        result = on_sonic(mode)
        assert errors(result) == ["NP840"]
        (found,) = [d for d in result.diagnostics if d.code == "NP840"]
        assert found.path == ("switch_types", "sn5600", "frr_mode")


@pytest.mark.parametrize("mode", ["bgpcfgd", "frrcfgd", "split"])
def test_every_pod_is_reached(mode: str) -> None:
    assert errors(rendered(mode)) == []
    found = matrix(mode, {})
    assert found.cells
    assert not any(cell.fails for cell in found.cells)


LOST: dict[str, tuple[str, str, tuple[str, str]]] = {
    "prefixes": ("frrcfgd", INTERFACES, (r'    "default\|ipv4_unicast\|172\.16.*\n', "")),
    "globals": ("frrcfgd", INTERFACES, (r'"local_asn": "\d+", ', "")),
    "neighbours": ("frrcfgd", INTERFACES, (r'    "default\|172\.31\.[\d.]+": {"asn".*\n', "")),
    "policy of eBGP": ("frrcfgd", INTERFACES, (r'"route_map_out": \["ALL"\]', '"route_map_out": ["NONE"]')),
    "map of the policy": (
        "frrcfgd",
        INTERFACES,
        (r'"route_operation": "permit"', '"route_operation": "deny"'),
    ),
    "lines of prefixes": ("split", "switches/leaf-1/bgp.conf", (r"  network 172\.16.*\n", "")),
    "lines of activation": ("split", "switches/leaf-1/bgp.conf", (r"  neighbor \S+ activate\n", "")),
    "lines of host links": ("bgpcfgd", "switches/leaf-1/host-links.conf", (r"  network .*\n", "")),
}


@pytest.mark.parametrize("lost", LOST)
def test_what_is_lost_is_missed(lost: str) -> None:
    mode, path, edit = LOST[lost]
    found = matrix(mode, {path: edit})
    assert any(cell.fails for cell in found.cells)


def whole(mode: str, owner: Mapping[str, str]) -> dict[str, Any]:
    """CONFIG_DB of a switch with this owner, with the rendered interfaces loaded over it."""
    files = {a.path: a.text for a in rendered(mode).artifacts}
    rows = json.loads(files[INTERFACES])
    box = base_config(rows["PORT"], 400_000)
    box["DEVICE_METADATA"]["localhost"].update(owner)
    return merged(box, rows)


@pytest.mark.parametrize(
    ("mode", "owner", "codes"),
    [
        ("bgpcfgd", {}, set()),
        ("bgpcfgd", {"frr_mgmt_framework_config": "true"}, {"NP841"}),
        ("frrcfgd", {}, {"NP841"}),
        ("frrcfgd", {"frr_mgmt_framework_config": "true"}, set()),
        ("split", {"docker_routing_config_mode": "split-unified"}, set()),
    ],
)
def test_rows_for_another_owner_are_found_on_the_switch(
    mode: str, owner: dict[str, str], codes: set[str]
) -> None:
    judged = judge_texts({"leaf-1.json": json.dumps(whole(mode, owner))})
    assert {d.code for d in judged.diagnostics} & {"NP841"} == codes


def test_the_page_says_what_to_look_for_first() -> None:
    pages = {
        mode: next(a.text for a in rendered(mode).artifacts if a.path == "switches/leaf-1/README.md")
        for mode in ("bgpcfgd", "frrcfgd", "split")
    }
    assert "docker_routing_config_mode`: separated or unified, or nothing" in pages["bgpcfgd"]
    assert "frr_mgmt_framework_config`: true" in pages["frrcfgd"]
    assert "docker_routing_config_mode`: split-unified or split" in pages["split"]
    assert "- **announcement of routed host links**: enter host-links.conf" in pages["bgpcfgd"]
    assert "announce_host_links" not in pages["frrcfgd"] + pages["split"]
    for page in (pages["bgpcfgd"], pages["frrcfgd"]):
        assert "`sudo systemctl restart bgp`" in page
        assert "drops the 8 BGP sessions" in page


GROUP_AF = {"route_map_in": ["ALL"], "route_map_out": ["ALL"]}


@pytest.mark.parametrize("table", ["BGP_NEIGHBOR_AF", "BGP_PEER_GROUP_AF"])
@pytest.mark.parametrize(("state", "up"), [("", True), ("true", True), ("false", False)])
def test_a_session_of_frrcfgd_reads_back_with_its_peer_group(table: str, state: str, up: bool) -> None:
    """``table``: which has the policies."""
    of = "10.0.0.1" if table == "BGP_NEIGHBOR_AF" else "SPINES"
    rows = {
        "DEVICE_METADATA": {"localhost": {"frr_mgmt_framework_config": "true"}},
        "BGP_GLOBALS": {"default": {"local_asn": "65101"}},
        "BGP_NEIGHBOR": {"default|10.0.0.1": {"peer_group_name": "SPINES", "admin_status": state or "up"}},
        "BGP_PEER_GROUP": {"default|SPINES": {"asn": "65000"}},
        table: {f"default|{of}|ipv4_unicast": GROUP_AF},
        "ROUTE_MAP": {"ALL|10": {"route_operation": "permit"}},
    }
    read = read_switch("leaf-1", "sonic", {"interfaces.json": json.dumps(rows, indent=1)})
    found = [(str(each.address), each.remote_as) for each in read.neighbours]
    assert found == ([("10.0.0.1", 65000)] if up else [])
