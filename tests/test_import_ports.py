"""Ports in the dumps: LAGs, tables of config_db that are not taken, contradictions."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import pytest
import yaml

from netplan.importing.run import Imported, import_texts
from tests.dumped_site import interface, listed, node, node_state
from tests.test_import import data
from tests.test_import_fabric import dumps
from tests.test_import_hosts import SLOTS, ip_link, rdma_link


@cache
def leaf() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(dumps()["leaf-1.json"])
    return found


def with_leaf(**tables: Any) -> Imported:
    return import_texts({**dumps(), "leaf-1.json": json.dumps({**leaf(), **tables}, indent=1)})


LEFT: tuple[tuple[str, dict[str, Any]], ...] = (
    ("PORTCHANNEL_MEMBER", {"PortChannel1|Ethernet100": {}, "PortChannel1|Ethernet104": {}}),
    ("MCLAG_DOMAIN", {"1": {"peer_ip": "10.0.0.2"}}),
    ("VRF", {"VrfRDMA": {}}),
    ("STATIC_ROUTE", {"default|0.0.0.0/0": {"nexthop": "10.0.0.1"}}),
    ("ACL_TABLE", {"DATA": {"type": "L3", "ports": ["Ethernet0"]}}),
    ("DHCP_RELAY", {"Vlan100": {"dhcpv6_servers": ["fd00::9"]}}),
    ("PORT_STORM_CONTROL", {"Ethernet0|broadcast": {"kbps": "1000"}}),
    ("SWITCH_HASH", {"GLOBAL": {"ecmp_hash": ["DST_IP"]}}),
    ("NEIGH", {"Vlan100|172.16.0.9": {"neigh": "02:00:00:00:00:09", "family": "IPv4"}}),
)


@pytest.mark.parametrize(("table", "rows"), LEFT)
def test_tables_of_config_db_that_are_not_taken(table: str, rows: dict[str, Any]) -> None:
    """Once, with the place of the first row and the number of the others."""
    (remark,) = with_leaf(**{table: rows}).remarks
    first, more = next(iter(rows)), f" (and {len(rows) - 1} more of it)" * (len(rows) > 1)
    text = json.dumps({**leaf(), table: rows}, indent=1)
    line = text[: text.index(f'"{first}": {{', text.index(f'"{table}"'))].count("\n") + 1
    assert str(remark).startswith(f"leaf-1.json:{line}: leaf-1: {table} {first}{more}: ")


@pytest.mark.parametrize(
    ("table", "key", "field", "value", "idle"),
    [
        ("VLAN", "Vlan100", "dhcp_servers", ["10.9.9.9"], ""),
        ("VLAN_INTERFACE", "Vlan100", "proxy_arp", "enabled", "disabled"),
        ("PORT", "Ethernet0", "pfc_asym", "on", "off"),
        ("DEVICE_METADATA", "localhost", "default_pfcwd_status", "enable", "disable"),
    ],
)
def test_fields_that_no_key_has_are_told(table: str, key: str, field: str, value: Any, idle: str) -> None:
    rows = {**leaf()[table], key: {**leaf()[table].get(key, {}), field: value}}
    (remark,) = with_leaf(**{table: rows}).remarks
    shown = value if isinstance(value, str) else value[0]
    assert remark.text == f"leaf-1: {table} {key} {field} {shown}: the inventory has no key for it"
    rows[key] = {**rows[key], field: idle}
    assert with_leaf(**{table: rows}).remarks == ()


def test_acls_of_the_switch_itself_say_nothing() -> None:
    assert with_leaf(ACL_TABLE={"SSH": {"type": "CTRLPLANE", "services": ["SSH"]}}).remarks == ()


NVUE = """\
- header:
    model: MSN2700
    version: Cumulus Linux 5.9.1
- set:
    interface:
      bond1:
        bond:
          member:
            swp1: {}
          mode: lacp
        type: bond
      swp1:
        link:
          mtu: 9216
        type: swp
      vlan300:
        ip:
          address:
            10.30.0.2/24: {}
        type: svi
        vlan: 300
    system:
      hostname: sw-1
"""


@pytest.mark.parametrize("form", ["yaml", "json"])
def test_a_lag_of_nvue(form: str) -> None:
    text = NVUE if form == "yaml" else json.dumps(yaml.safe_load(NVUE), indent=2)
    (told,) = [str(remark) for remark in import_texts({"sw-1.txt": text}).remarks if "LAG" in str(remark)]
    assert "sw-1: swp1 is in a LAG: VLANs and addresses of the LAG are not taken" in told


def rails(**extra: str) -> dict[str, str]:
    cards = [interface("0000:18:00.0", "ens1", 100), interface("0000:29:00.0", "ens2", 100)]
    states = [node_state(name, cards) for name in ("gpu-1", "gpu-2")]
    nodes = [node(name, {"example.com/pool": "a"}, 8) for name in ("gpu-1", "gpu-2")]
    return {"cluster.yaml": listed([*nodes, *states]), **extra}


MACVLAN = """apiVersion: mellanox.com/v1alpha1
kind: MacvlanNetwork
metadata: {name: storage}
spec:
  master: bond0.300
  networkNamespace: a
  ipam: '{"type": "whereabouts", "range": "10.3.0.0/24"}'
"""


@pytest.mark.parametrize("master", ["bond0.300", "bond0", "ens1"])
def test_a_master_that_no_card_has(master: str) -> None:
    found = import_texts(rails(network=MACVLAN.replace("bond0.300", master))).remarks
    told = [str(remark) for remark in found if "master" in str(remark)]
    assert [f"network storage master '{master}'" in each for each in told] == [True] * (master != "ens1")


def test_subnets_of_vlan_interfaces_that_no_port_of_a_rail_is_in() -> None:
    """The interfaces are in the dump: the question says so."""
    bare = json.dumps({**leaf(), "VLAN_MEMBER": {}})
    kept = {name: dumps()[name] for name in ("nodes.yaml", "states.json", "leaf-1.txt")}
    text = import_texts({**kept, "leaf-1.json": bare}).text
    (line,) = [each for each in text.splitlines() if each.startswith("  supernets:")]
    assert (
        "no pool of a rail is in the dumps, and no port of a rail is in the VLAN of leaf-1 VLAN 100 " in line
    )


def test_programs_of_a_host_whose_cards_the_cluster_shows() -> None:
    """``rdma link`` and ``ip link`` give no device ID; the cards are those of the node."""
    cards = [interface(pci, name, 100) for pci, (name, _) in SLOTS.items()]
    cluster = listed([node("gpu-1", {"example.com/pool": "a"}, 8), node_state("gpu-1", cards)])
    texts = {"cluster.yaml": cluster, "gpu-1.rdma-link.json": json.dumps(rdma_link())}
    result = import_texts(texts)
    assert [result.text.count(f"rdma_device: mlx5_{n}") for n in range(len(SLOTS))] == [1] * len(SLOTS)
    assert result.unread == ()
    both = import_texts({**texts, "gpu-1.ip-link.json": json.dumps(ip_link())})
    assert both.unread == ()
    mtus = [str(each) for each in both.conflicts if "mtu" in str(each)]
    assert len(mtus) == 1
    assert mtus[0].endswith("mtu: 9000 (cluster.yaml:33) or 9216 (gpu-1.ip-link.json:1) (and 2 more)")


def test_a_file_that_repeats_another_is_read() -> None:
    for old in (dumps()["leaf-1.json"], json.dumps({**leaf(), "VLAN": {}})):
        assert "old/leaf-1.json" not in import_texts({**dumps(), "old/leaf-1.json": old}).unread


def test_a_card_that_runs_at_another_speed_than_its_port() -> None:
    ports = {name: {**row, "speed": "40000"} for name, row in leaf()["PORT"].items()}
    (why,) = [str(each) for each in with_leaf(PORT=ports).conflicts if "its port" in str(each)]
    assert why.startswith("gpu-001 ens1f0 runs at 100 Gbit/s (states.json:")
    assert "; leaf-1 Ethernet0, its port, is set to 40 Gbit/s (leaf-1.json:" in why


def test_a_vlan_that_two_files_tag_otherwise() -> None:
    tagged = {k: row for k, row in leaf()["VLAN_MEMBER"].items() if row["tagging_mode"] == "tagged"}
    members = {key: {"tagging_mode": "untagged"} for key in tagged}
    old = json.dumps({**leaf(), "VLAN_MEMBER": members})
    found = [str(each) for each in import_texts({**dumps(), "old/leaf-1.json": old}).conflicts]
    (why,) = [each for each in found if each.startswith("leaf-1 Ethernet")]
    assert why.startswith("leaf-1 Ethernet0 has VLAN 100 untagged (")
    assert why.endswith(f"(and {len(members) - 1} more)")


@pytest.mark.parametrize(
    ("kinds", "fabric"),
    [
        (("MacvlanNetwork",), "roce"),
        (("IPoIBNetwork",), "infiniband"),
        (("HostDeviceNetwork",), "TODO"),
        (("MacvlanNetwork", "HostDeviceNetwork"), "TODO"),
        (("MacvlanNetwork", "IPoIBNetwork"), "TODO"),
    ],
)
def test_networks_say_the_fabric_where_no_card_does(kinds: tuple[str, ...], fabric: str) -> None:
    """A macvlan interface needs Ethernet, an IPoIB one InfiniBand; all networks have to agree."""
    form = "apiVersion: mellanox.com/v1alpha1\nkind: {0}\nmetadata: {{name: {1}}}\nspec: {{master: eth{1}}}\n"
    text = "---\n".join(form.format(kind, f"n{number}") for number, kind in enumerate(kinds))
    result = import_texts({"x.yaml": text})
    assert data(result)["fabric"]["type"] == fabric
    assert fabric == "TODO" or "needs" in result.text
