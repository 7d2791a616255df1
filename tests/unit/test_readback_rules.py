"""The rules of ``templates/switch/*/readback.yaml``: their form, and that none is unused."""

from __future__ import annotations

import json
from typing import Any

import pytest
import yaml

from netplan import resources
from netplan.model.nos import FEATURES
from netplan.nos import available, shipped, switch_folder
from netplan.reading.switches import read_switch
from netplan.reading.switches.columns import compiled, spans
from netplan.reading.switches.facts import FACTS, Table, source_of
from netplan.reading.switches.files import tables_of
from netplan.reading.switches.lines import Node, Reader
from netplan.reading.switches.rules import COMMENT, rules_of
from netplan.strict import validator
from tests.vendors.test_readback import every, percent

EOS_ECN = "interface <port> / (uc-)?tx-queue <queue> / random-detect ecn minimum-threshold "
NOT_RENDERED = {
    ("arista-eos", "router bgp [0-9]+ / network <address>"),
    ("arista-eos", "interface <port> / speed (forced )?<gbps>g(full|-[0-9]+)?"),
    ("arista-eos", "router bgp [0-9]+ / neighbor <ip:ip4> peer[ -]group <group>"),
    ("arista-eos", "interface <interface> / arp aging timeout <age>"),
    ("arista-eos", "interface Vlan<vlan> / ip address virtual <address>"),
    ("arista-eos", "interface Vlan<vlan> / ipv6 address virtual <address>"),
    ("arista-eos", "interface <port> / qos trust <trust>"),
    ("arista-eos", "interface <port> / priority-flow-control (mode )?on"),
    ("arista-eos", "interface <port> / priority-flow-control priority <priority> no-drop"),
    ("arista-eos", "interface <port> / priority-flow-control pause watchdog"),
    (
        "arista-eos",
        f"{EOS_ECN}<min> bytes maximum-threshold <max> bytes .+",
    ),
    (
        "arista-eos",
        f"{EOS_ECN}[0-9]+ bytes maximum-threshold [0-9]+ bytes max-mark-probability <percent>",
    ),
    ("arista-eos", "interface <port> / (uc-)?tx-queue <queue> / no priority"),
    ("arista-eos", "interface <port> / (uc-)?tx-queue <queue> / bandwidth percent <percent>"),
    ("arista-eos", "interface <port> / (uc-)?tx-queue <queue> / priority strict"),
    ("cisco-nxos", "interface <port> / speed <gbps:mbps>"),
    ("cisco-nxos", "router bgp [0-9]+ / neighbor <ip> / remote-as <asn>"),
    ("cisco-nxos", "router bgp [0-9]+ / neighbor <ip> / address-family ipv[46] unicast"),
    ("cisco-nxos", "router bgp [0-9]+ / neighbor <ip> / inherit peer <group>"),
    ("cisco-nxos", "router bgp [0-9]+ / template peer <group> / remote-as <asn>"),
    ("cisco-nxos", "router bgp [0-9]+ / template peer <group> / address-family ipv[46] unicast"),
    ("juniper-junos", "set interfaces <port> unit 0 family ethernet-switching vlan members <vlan>"),
    ("juniper-junos", "set interfaces <port> unit 0 family ethernet-switching vlan members <vlan*>"),
    ("juniper-junos", "set protocols bgp group <group> peer-as <asn>"),
    ("arista-eos", "interface <port> / switchport trunk allowed vlan none"),
    ("arista-eos", "interface <port> / switchport trunk allowed vlan remove <vlan*>"),
    ("cisco-nxos", "interface <port> / switchport trunk allowed vlan none"),
    ("cisco-nxos", "interface <port> / switchport trunk allowed vlan remove <vlan*>"),
    ("cumulus-nvue", "nv set vrf default router bgp neighbor <ip> remote-as (external|internal)"),
    ("cumulus-nvue", "nv set vrf default router bgp neighbor <ip> peer-group <group>"),
    ("cumulus-nvue", "nv set vrf default router bgp peer-group <group> remote-as <asn>"),
    ("cumulus-nvue", "nv set vrf default router bgp peer-group <group> remote-as (external|internal)"),
    ("cumulus-nvue", "nv set vrf default router bgp autonomous-system <asn>"),
    ("cumulus-nvue", "nv set vrf default router bgp router-id <ip>"),
    ("cumulus-nvue", "nv set interface <port> bridge domain br_default vlan all"),
    ("cumulus-nvue", "nv set qos congestion-control default-global traffic-class <queue*> ecn disable"),
    ("cumulus-nvue", "nv set qos roce mode lossy"),
    ("cumulus-nvue", "nv set interface vlan<vlan> link mtu <mtu>"),
    ("cumulus-nvue", "nv set interface <port> link auto-negotiate <autoneg>"),
    ("cumulus-nvue", "nv set interface <port> link fec <fec>"),
    ("cumulus-nvue", "nv set interface <port> link speed <gbps>G"),
    ("juniper-junos", "set interfaces <port> speed <gbps>g"),
    ("juniper-junos", "set policy-options policy-statement <policy> term <term> then reject"),
    ("sonic", "DEVICE_METADATA / localhost / frr_mgmt_framework_config = false"),
    ("sonic", "DEVICE_METADATA / localhost / frr_mgmt_framework_config = true"),
    ("huawei-vrp", "dcb pfc deadlock-detect timer [0-9]+"),
    ("sonic", r"BUFFER_PG / <port>\|<pg*> / profile = \S*lossy\S*"),
    ("sonic", "BUFFER_PROFILE / <profile> / xoff = 0"),
    ("sonic", "BUFFER_PROFILE / <profile> / xoff = [1-9][0-9]*"),
    ("sonic", r"BUFFER_QUEUE / <port>\|<queue*> / profile = \S*lossless\S*"),
    ("sonic", r"BUFFER_QUEUE / <port>\|<queue*> / profile = \S*(lossy|_zero_)\S*"),
    ("sonic", "PFC_WD / <port> / action = alert"),
    ("sonic", r"patched BUFFER_PG / <port>\|<pg*> / profile = NULL"),
    ("sonic", "WRED_PROFILE / <profile> / ecn = ecn_(none|yellow|red|yellow_red)"),
    ("onyx", "interface ethernet <port> speed <gbps>G( force)?"),
    ("juniper-junos", "set interfaces <port> unit 0 family ethernet-switching vlan members all"),
    ("cisco-nxos", "system qos / service-policy type qos input <policy>"),
    ("huawei-vrp", "vlan batch <vlan*>"),
    ("onyx", "router bgp [0-9]+ vrf default neighbor <ip> peer-group <group>"),
    ("huawei-vrp", "interface <port> / port trunk allow-pass vlan all"),
    ("h3c-comware", "interface <port> / port trunk permit vlan all"),
    ("onyx", "interface ethernet <port> switchport (trunk|hybrid) allowed-vlan all"),
    ("huawei-vrp", "bgp [0-9]+ / peer <ip> group <group>"),
    ("h3c-comware", "bgp [0-9]+ / peer <ip> group <group>"),
    ("dell-os10", "router bgp [0-9]+ / template <group> / remote-as <asn>"),
    ("dell-os10", "router bgp [0-9]+ / template <group> / address-family ipv4 unicast / activate"),
    ("dell-os10", "router bgp [0-9]+ / neighbor <ip> / inherit template <group>"),
}
"""Lines that netplan does not render but users write."""


def schema() -> Any:
    return json.loads((resources.schemas() / "readback.schema.json").read_text(encoding="utf-8"))


def data(nos: str) -> Any:
    return yaml.safe_load((switch_folder() / nos / "readback.yaml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("nos", available())
def test_rules_have_the_form_of_the_schema(nos: str) -> None:
    assert [error.message for error in validator(schema()).iter_errors(data(nos))] == []
    assert rules_of(nos, shipped()) is not None


@pytest.mark.parametrize(
    "change",
    [
        {"comment": "#"},
        {"facts": {"port": ["interface <port>"]}},
        {"comments": {"arp_age": []}},
        {"files": {"ports": "../x"}},
        {"extra": 1},
    ],
)
def test_the_schema_refuses(change: dict[str, Any]) -> None:
    assert list(validator(schema()).iter_errors(data("onyx") | change))


def test_the_schema_has_every_fact() -> None:
    properties = schema()["properties"]
    assert list(properties["facts"]["properties"]) == list(FACTS)


CHAIN = {
    "trust",
    "dscp",
    "group",
    "pfc",
    "pfc-queue",
    "pfc-group",
    "buffer",
    "headroom",
    "queue-buffer",
    "ecn",
}
NEEDED = {"port-up", "vlan-up", "routing", "vlan-routing", "bgp", "paths", "pfc-again", "watchdog"}
"""Facts that a proof requires if the NOS can state them."""


@pytest.mark.parametrize("nos", available())
def test_what_a_proof_asks_for_has_a_place(nos: str) -> None:
    stated, implied = data(nos)["facts"].keys(), data(nos).get("implied", {}).keys()
    assert CHAIN - stated - implied == set(), "neither a line states it nor does the NOS without one"
    assert (CHAIN | NEEDED) & stated <= data(nos)["stands"].keys()


@pytest.mark.parametrize("nos", available())
def test_comments_are_of_features(nos: str) -> None:
    assert data(nos).get("comments", {}).keys() <= FEATURES.keys()


@pytest.mark.parametrize("nos", available())
def test_files_are_outputs_of_the_nos(nos: str) -> None:
    rules = rules_of(nos, shipped())
    assert rules is not None
    outputs = {output.file for output in rules.nos.outputs}
    assert {*rules.files.values(), *rules.twins, *rules.twins.values()} <= outputs


def test_every_rule_is_stated_by_some_switch() -> None:
    seen: dict[str, set[str]] = {nos: set() for nos in available()}
    folders = [(case.plan.nos, case.files) for case in every().values()]
    for nos, files in [*folders, ("juniper-junos", percent())]:
        rules = rules_of(nos, shipped())
        assert rules is not None
        for file, text in files.items():
            seen[nos] |= tables_of(rules, file, text).tables.keys()
    dead = set()
    down = {"port-down", "vlan-down", "neighbour-down", "redistributed"}  # netplan never renders these
    for nos in available():
        rules = rules_of(nos, shipped())
        assert rules is not None
        patterns = {
            pattern
            for fact, sources in rules.facts.items()
            for source in sources
            for pattern in source.patterns
            if fact not in down
            and "PEER_GROUP" not in pattern.upper()  # tests/unit/test_sonic_bgp.py has them
        }
        dead |= {(nos, pattern) for pattern in patterns - seen[nos]}
        dead |= {
            (nos, feature) for feature in data(nos).get("comments", {}) if COMMENT + feature not in seen[nos]
        }
    assert dead == NOT_RENDERED


def rows(pattern: str, text: str) -> list[Any]:
    root = Node()
    node = root
    for level in pattern.split(" / "):
        node = node.below(level, "swp[0-9]+", {"colour": {"red": 1}})
    node.ends.append("it")
    reader = Reader(root)
    reader.text(enumerate(text.split("\n"), start=1), ("#",), Node())
    return reader.rows.get("it", []) + reader.rows.get("!", [])


@pytest.mark.parametrize(
    ("nos", "lines", "ip_mtu"),
    [
        ("dell-os10", "interface ethernet1/1/1\n mtu 9000\n mtu 1600\n", 1600 - 18),
        ("onyx", "interface ethernet 1/1 mtu 9000 force\ninterface ethernet 1/1 mtu 1600 force\n", 1600),
        ("huawei-vrp", "interface 100GE1/0/1\n mtu 9000\n mtu 1600\n", 1600),
    ],
)
def test_a_later_mtu_holds(nos: str, lines: str, ip_mtu: int) -> None:
    read = read_switch("leaf", nos, {"interfaces.txt": lines})
    (port,) = read.ports.values()
    assert port.ip_mtu is not None
    assert port.ip_mtu <= ip_mtu
    assert not [text for text in read.problems if "MTU" in text]


@pytest.mark.parametrize(
    ("nos", "line"),
    [
        ("onyx", "interface ethernet 1/1 strange"),
        ("cumulus-nvue", "nv set interface swp1 bridge domain br_default strange"),
        ("arista-eos", "interface Ethernet1/1\n   strange"),
    ],
)
def test_what_follows_the_name_of_a_port_counts_as_unread(nos: str, line: str) -> None:
    """Such a line shows that the port is there; what it sets is not known."""
    rules = rules_of(nos, shipped())
    assert rules is not None
    read = tables_of(rules, "interfaces.txt", line + "\n", None)
    assert [each.split()[-1] for each in read.unread] == ["strange"], read.unread
    assert any(read.tables.get(pattern) for pattern in read.tables), "the port is there"


def test_a_word_that_ends_a_block_counts_whatever_the_indent() -> None:
    """Lines below ``a``, below ``a / b`` and at the top level; the word is indented as the NOSes do it."""
    root = Node()
    root.below("a", "", {}).below("b", "", {}).below("x <t:text>", "", {}).ends.append("in b")
    root.below("a", "", {}).below("x <t:text>", "", {}).ends.append("in a")
    root.below("x <t:text>", "", {}).ends.append("top")
    for text, wanted in (
        ("a\n b\n  x 1\n  exit\n  x 2\n exit\n x 3\n", {"in b": [("1",)], "in a": [("2",)], "top": [("3",)]}),
        ("a\n b\n  x 1\n exit\n x 2\nexit\nx 3\n", {"in b": [("1",)], "in a": [("2",)], "top": [("3",)]}),
        ("a\n x 1\n strange\n  deeper\n  exit\n x 2\n", {"in a": [("1",), ("2",)]}),
        ("a\n x 1\n strange\n  deeper\n exit\n x 2\n", {"in a": [("1",), ("2",)]}),
        ("x 1\nexit\n x 2\n", {"top": [("1",), ("2",)]}),
        ("a\n exit\n x 1\n exit\n x 2\na\n x 3\n", {"top": [("1",), ("2",)], "in a": [("3",)]}),
    ):
        reader = Reader(root)
        reader.text(enumerate(text.split("\n"), start=1), ("#",), Node(), frozenset({"exit"}))
        assert reader.rows == wanted, text


@pytest.mark.parametrize(
    ("pattern", "text", "wanted"),
    [
        ("port <port>", "port swp1\nport swp\n#port swp2\n", [("swp1",)]),
        ("a <x> / b <y>", "a 1\n b 2\n\n  b 3\na 4\nb 5\n b 6\n", [("1", "2")]),
        ("a <x> / b <y>", "a 1\n\tb 2\n b 3\n", [("1", "2"), ("1", "3")]),
        ("a   <x>".replace("   ", " "), "  a    1  \r", [("1",)]),
        ("v <vlan*>", "v 1,3-4\nv 7 9 to 10\nv 1,\nv x\n", [(1,), (3,), (4,), (7,), (9,), (10,)]),
        ("v <vlan>", "v 1-2\nv 4095", [("'v 4095': 4095 is outside 1 to 4094",)]),
        (
            "v <n:number*>".replace(":number*", "*:number"),
            "v 0-4294967295",
            [("'v 0-4294967295': more than 4096 numbers",)],
        ),
        ("c <colour>", "c red\nc blue", [(1,)]),
        ("d <dscp*:bits>", "d 000001 111111", [(1,), (63,)]),
    ],
)
def test_a_pattern_on_text(pattern: str, text: str, wanted: list[Any]) -> None:
    assert rows(pattern, text) == wanted


@pytest.mark.parametrize("text", ["10.0.0.1/24", "10.0.0.1 24", "10.0.0.1 /24", "10.0.0.1 255.255.255.0"])
def test_an_address_in_any_form(text: str) -> None:
    [(address,)] = rows("ip <address>", f"ip {text}")
    assert str(address) == "10.0.0.1/24"


@pytest.mark.parametrize(
    "text", ["10.0.0.1/33", "10.0.0/24", "10.0.0.1 255.0.255.0", "10.0.0.256/24", "fe80::1/129"]
)
def test_an_address_that_is_none(text: str) -> None:
    [row] = rows("ip <address>", f"ip {text}")
    assert row[0].startswith(f"'ip {text}': ")


def test_numbers_of_a_list() -> None:
    assert spans("1,3-5 7 to 8") == (1, 3, 4, 5, 7, 8)
    assert spans("5-3") == ()


def test_lines_are_joined_on_the_columns_they_share() -> None:
    lines = ["use <port> <policy>", "<policy> marks <class>", "<class> is <queue>"]
    source = source_of("strict", lines, {})
    tables = {
        lines[0]: Table([("swp1", "p"), ("swp2", "q"), ("swp3", "p")]),
        lines[1]: Table([("p", "a"), ("p", "b"), ("r", "a")]),
        lines[2]: Table([("a", 3), ("c", 4)]),
    }
    assert source.rows(tables) == (("swp1", 3), ("swp3", 3))
    assert source.rows({name: table for name, table in tables.items() if name != lines[2]}) == ()


def test_given_values_take_part_in_the_join() -> None:
    line = "<class> has <dscp>"
    source = source_of("dscp", [line], {"class": "be", "queue": "0"})
    assert source.rows({line: Table([("be", 1), ("x", 2), ("be", 5)])}) == (("", 1, 0), ("", 5, 0))


def test_a_column_that_stands_twice_has_one_value() -> None:
    line = "class <priority> / pause <priority>"
    source = source_of("pfc", [line, "on <port>"], {})
    assert source.rows({line: Table([(3, 3), (4, 5)]), "on <port>": Table([("swp1",)])}) == (("swp1", 3),)


def test_rules_that_cannot_be_used() -> None:
    with pytest.raises(ValueError, match="port-mtu: no mtu in interface <port>"):
        source_of("port-mtu", ["interface <port>"], {})
    with pytest.raises(KeyError):
        compiled("a <b:furlongs>", "x", {})
