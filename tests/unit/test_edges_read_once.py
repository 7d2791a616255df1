"""Edge cases, one fact per case: what the readers of switches count and where they stop, by direct calls."""

from __future__ import annotations

from typing import Any

import pytest

from netplan.graph.config_db.chains import is_remapped, is_remote, priorities, queues_known
from netplan.graph.config_db.links import DbTopology
from netplan.model.codes import Problems
from netplan.model.document import Places, SourceMap
from netplan.nos.library import NosLibrary, shipped
from netplan.reading.config_db.scan import MAX_DEPTH, scan
from netplan.reading.switches import lines
from netplan.reading.switches.files import _in_two_files as in_two_files
from netplan.reading.switches.lines import Node, Reader, TooMuchError
from netplan.reading.switches.settled import single_of
from netplan.reading.switches.switch import read_switch
from netplan.resolve.context import Context
from netplan.resolve.switches import build_switch_types, switch_model
from netplan.rules.config_db.identities import _identities as identities
from tests.unit.some import some
from tests.unit.test_edges_readers import switches, whole


@pytest.mark.parametrize(
    ("text", "refused"),
    [
        ("[" * MAX_DEPTH + "]" * MAX_DEPTH, False),
        ("[" * MAX_DEPTH + "1" + "]" * MAX_DEPTH, False),
        ("[" * (MAX_DEPTH + 1) + "]" * (MAX_DEPTH + 1), True),
        ('{"a":' * (MAX_DEPTH - 1) + "{}" + "}" * (MAX_DEPTH - 1), False),
        ('{"a":' * MAX_DEPTH + "1" + "}" * MAX_DEPTH, False),
        ('{"a":' * MAX_DEPTH + "{}" + "}" * MAX_DEPTH, True),
        ('{"a":[' * (MAX_DEPTH // 2) + "1" + "]}" * (MAX_DEPTH // 2), False),
        ('{"a":[' * (MAX_DEPTH // 2) + "{}" + "]}" * (MAX_DEPTH // 2), True),
        ('{"a":[' * (MAX_DEPTH // 2) + "[]" + "]}" * (MAX_DEPTH // 2), True),
    ],
)
def test_objects_and_lists_are_nested_up_to_a_depth(text: str, refused: bool) -> None:
    found = scan("leaf.json", text, Places(SourceMap()))
    said = [f"nested more than {MAX_DEPTH} deep"] if refused else []
    assert [problem.message for problem in found.problems] == said
    assert found.readable is not refused


@pytest.mark.parametrize(
    ("key", "remote"),
    [
        ("leaf|asic0|Ethernet0|3", False),
        ("leaf|ASIC0|Ethernet0|3", False),
        ("leaf|asic1|Ethernet0|3", True),
        ("card-2|asic0|Ethernet0|3", True),
        ("Ethernet0|3", False),
        ("card-2|Ethernet0|3", False),
        ("card-2|asic0|Ethernet0|3|x", False),
    ],
)
def test_a_queue_of_another_card(key: str, remote: bool) -> None:
    local = {"hostname": "leaf", "asic_name": "asic0"}
    (switch,) = switches(leaf=whole("leaf") | {"DEVICE_METADATA": {"localhost": local}}).values()
    assert is_remote(switch, key) is remote
    assert queues_known(switch, "QUEUE")


@pytest.mark.parametrize(
    ("text", "found"),
    [(None, ()), ("", ()), ("3", (3,)), ("4,3,3", (3, 4)), ("0,7,8", (0, 7)), ("x,-1,3 ", (3,))],
)
def test_priorities_of_a_port(text: str | None, found: tuple[int, ...]) -> None:
    assert priorities(text) == found


@pytest.mark.parametrize(
    ("pfc", "remapped"),
    [("2,3,4,6", True), ("6,4,3,2", True), ("3,4", False), ("2,4,6", False), ("2,3,4,5,6", False)],
)
def test_priorities_of_a_dual_tor_are_two_pairs(pfc: str, remapped: bool) -> None:
    """sonic-net/sonic-buildimage files/build_templates/qos_config.j2: dual ToR pauses 2 and 6 too."""
    maps = {"Ethernet0": {"pfc_enable": pfc}}
    (switch,) = switches(leaf=whole("leaf", PORT_QOS_MAP=maps)).values()
    assert is_remapped(switch) is remapped


@pytest.mark.parametrize(
    ("table", "remapped"),
    [({}, False), ({"MUX_CABLE": {"Ethernet0": {}}}, True), ({"TUNNEL": {"MuxTunnel0": {}}}, True)],
)
def test_tables_of_a_dual_tor(table: dict[str, Any], remapped: bool) -> None:
    (switch,) = switches(leaf=whole("leaf", **table)).values()
    assert is_remapped(switch) is remapped


@pytest.mark.parametrize(("names", "number"), [((), 0), (("a",), 0), (("a", "b"), 4), (("a", "b", "c"), 6)])
def test_identities_are_compared_from_two_switches_on(names: tuple[str, ...], number: int) -> None:
    def one(name: str) -> dict[str, Any]:
        local = {"hostname": name, "mac": "02:00:00:00:00:01", "bgp_router_id": "10.0.0.1"}
        return whole(name) | {"DEVICE_METADATA": {"localhost": local}}

    given = switches(**{name: one(name) for name in names})
    assert identities(DbTopology([*given.values()], SourceMap())) == number


SINGLE = {"lines": ["mtu <mtu>", "size <mtu>"], "by": [], "beside": False, "add": [], "remove": []}


@pytest.mark.parametrize(
    ("read", "said"),
    [
        ({"a": {"mtu <mtu>": [(1,)]}}, []),
        ({"a": {"mtu <mtu>": [(1,)]}, "b": {"mtu <mtu>": [(1,)]}}, []),
        ({"a": {"mtu <mtu>": [(1,)]}, "b": {"other": [(2,)]}}, []),
        (
            {"a": {"mtu <mtu>": [(1,)]}, "b": {"mtu <mtu>": [(2,)]}},
            ["b: mtu <mtu> is stated in a too, otherwise"],
        ),
        (
            {"a": {"size <mtu>": [(1,)]}, "x": {}, "b": {"mtu <mtu>": [(1,)]}},
            ["b: mtu <mtu> is stated in a too, otherwise"],
        ),
    ],
)
def test_a_statement_of_two_files(read: dict[str, Any], said: list[str]) -> None:
    rules: Any = some(singles=[single_of(SINGLE)])
    assert list(in_two_files(rules, read)) == said


def test_a_statement_of_two_files_names_what_it_is_about() -> None:
    by: Any = {**SINGLE, "lines": ["port <port> / mtu <mtu>"], "by": ["port"]}
    rules: Any = some(singles=[single_of(by)])
    pattern = "port <port> / mtu <mtu>"
    read = {"a": {pattern: [("p", 1), ("q", 1)]}, "b": {pattern: [("p", 2), ("r", 3)]}}
    assert list(in_two_files(rules, read)) == ["b: mtu <mtu> of p is stated in a too, otherwise"]


def reader(*patterns: str, numbered: bool = False) -> Reader:
    root = Node()
    for pattern in patterns:
        child = root.below(pattern, "", {})
        child.ends.append(pattern)
        child.known = True
        if numbered:
            child.numbered = True
    return Reader(root)


def test_a_node_keeps_lines_only_where_asked_to() -> None:
    assert (Node().numbered, Node().known) == (False, False)
    plain, numbered = reader("a <word>"), reader("a <word>", numbered=True)
    for each in (plain, numbered):
        each.text([(1, "a x"), (2, ""), (3, "a y")], ("#",), Node())
        assert each.rows == {"a <word>": [("x",), ("y",)]}
        assert each.unread == []
    assert plain.numbers == {}
    assert numbered.numbers == {"a <word>": [1, 3]}


def test_a_reader_begins_before_the_first_line() -> None:
    numbered = reader("a = <word>", numbered=True)
    assert (numbered.line, numbered.listed, numbered.rows, numbered.unread) == (0, 0, {}, [])
    numbered.tables({"a": "x", "b": {"c": "y"}})
    assert numbered.numbers == {"a = <word>": [0]}
    assert numbered.unread == [(0, ("b.c",))]


@pytest.mark.parametrize(("most", "refused"), [(4, False), (3, True)])
def test_lists_count_towards_a_bound(monkeypatch: pytest.MonkeyPatch, most: int, refused: bool) -> None:
    monkeypatch.setattr(lines, "MAX_LISTED", most)
    given = reader("vlan <vlan*>")
    below = given.root
    if refused:
        with pytest.raises(TooMuchError):
            given.step(below, "vlan 1-4")
        return
    given.step(below, "vlan 1-4")
    given.step(below, "vlan 7")
    assert given.listed == 4


@pytest.mark.parametrize("asked", [None, shipped()])
def test_a_switch_is_read_with_the_library_that_ships_unless_another_is_given(asked: Any) -> None:
    files = {"config.set": "set system host-name leaf\n"}
    found = read_switch("leaf", "juniper-junos", files, asked)
    assert (found.name, found.nos) == ("leaf", "juniper-junos")
    assert not any("cannot be read" in problem for problem in found.problems)
    unknown = read_switch("leaf", "none", {}, asked)
    assert [*unknown.problems] == ["the text of NOS none cannot be read"]
    empty = read_switch("leaf", "juniper-junos", files, NosLibrary(folders={}))
    assert [*empty.problems] == ["the text of NOS juniper-junos cannot be read"]


@pytest.mark.parametrize(("sizes", "bytes_"), [({}, 0), ({"queue_bytes": 5000}, 50), ({"asic": "none"}, 0)])
def test_percentages_are_of_a_queue_whose_size_is_stated(sizes: dict[str, Any], bytes_: float) -> None:
    """Junos states ECN thresholds in percent of the queue's memory."""
    assert read_switch("leaf", "juniper-junos", {}, **sizes).steps.ecn_bytes == bytes_


MODEL = {
    "asic": "chip", "ports": 32, "lanes": 4, "speeds_gbps": [100], "host_table": 1000, "source": "x",
}  # fmt: skip


@pytest.mark.parametrize(
    ("values", "stated", "table", "queue"),
    [
        ({}, False, 1000, 0),
        ({"host_table": 5}, True, 5, 0),
        ({"host_table": 1000, "queue_bytes": 7}, True, 1000, 7),
    ],
)
def test_a_type_takes_what_it_does_not_state_from_its_model(
    values: dict[str, Any], stated: bool, table: int, queue: int
) -> None:
    nothing: Any = {}
    given = Context(Problems(), nothing, nothing, ("nos",), nothing)
    own = {"nos": "nos", "model": "m", "buffer_model": "dynamic", "port_mtu": 9216, **values}
    (made,) = build_switch_types({"t": own}, {"switches": {"m": MODEL}}, given).values()
    assert (made.host_table_stated, made.host_table, made.queue_bytes) == (stated, table, queue)
    assert made.model == switch_model("m", MODEL)
    assert (made.nos_version, made.small_packet_percentage, made.frr_mode) == ("", None, None)
    assert given.problems.found == []
