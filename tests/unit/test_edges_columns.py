"""Edge cases, one fact per case: columns of a switch's line, and their values."""

from __future__ import annotations

import re
from typing import Any

import pytest

from netplan.reading.switches.columns import (
    KINDS,
    MAX_LIST,
    address,
    columns_in,
    compiled,
    constants,
    refuse_misfits,
    spans,
)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("3", (3,)),
        ("1,3-5", (1, 3, 4, 5)),
        ("1 3 to 5", (1, 3, 4, 5)),
        ("3-3,2", (3, 2)),
        ("5-3", ()),
        (f"1-{MAX_LIST}", tuple(range(1, MAX_LIST + 1))),
        (f"0,2-{MAX_LIST}", (0, *range(2, MAX_LIST + 1))),
    ],
)
def test_numbers_of_a_list(text: str, found: tuple[int, ...]) -> None:
    assert spans(text) == found


@pytest.mark.parametrize(
    "text", [f"0-{MAX_LIST}", f"1,2-{MAX_LIST + 1}", f"1-{MAX_LIST},9", f"9,1-{MAX_LIST}"]
)
def test_a_list_has_so_many_numbers(text: str) -> None:
    with pytest.raises(ValueError, match=f"more than {MAX_LIST} numbers"):
        spans(text)


@pytest.mark.parametrize(
    ("kind", "low", "high"),
    [
        ("number", 0, 2**32 - 1),
        ("priority", 0, 7),
        ("queue", 0, 7),
        ("pg", 0, 7),
        ("dscp", 0, 63),
        ("vlan", 1, 4094),
        ("asn", 0, 2**32 - 1),
    ],
)
def test_a_number_is_within_its_bounds(kind: str, low: int, high: int) -> None:
    assert constants(kind, f"{low}") == (low,)
    assert constants(kind, f"{high}") == (high,)
    with pytest.raises(ValueError, match=f"{high + 1} is outside {low} to {high}"):
        constants(kind, f"{high},{high + 1}")
    if low:
        with pytest.raises(ValueError, match=f"{low - 1} is outside {low} to {high}"):
            constants(kind, f"{low - 1}")


@pytest.mark.parametrize(
    ("kind", "text", "value"),
    [
        ("seconds", "2", 2000),
        ("seconds", "0.2", 200),
        ("seconds", "1.005", 1005),
        ("tenths", "2", 200),
        ("mbps", "100000", 100),
        ("ip", "10.0.0.1", "10.0.0.1"),
        ("ip", "FD00::1", "fd00::1"),
        ("address", "10.0.0.1/24", "10.0.0.1/24"),
        ("address", "10.0.0.1 255.255.255.252", "10.0.0.1/30"),
        ("address", "10.0.0.1 24", "10.0.0.1/24"),
        ("address", "10.0.0.1/32", "10.0.0.1/32"),
        ("address", "10.0.0.0/0", "10.0.0.0/0"),
        ("address", "fd00::1/33", "fd00::1/33"),
        ("address", "fd00::1/128", "fd00::1/128"),
        ("text", "any", "any"),
    ],
)
def test_a_text_stands_for_a_value(kind: str, text: str, value: Any) -> None:
    (found,) = KINDS[kind].values(text)
    assert (found if isinstance(value, int) else str(found)) == value


def test_bits_and_what_is_in_a_column_of_another_name() -> None:
    assert KINDS["bits"].values("101, 011") == (5, 3)
    assert constants("comment", "x") == ("x",)
    assert address("10.0.0.1").version == 4
    assert address("::ffff:10.0.0.1").version == 6


@pytest.mark.parametrize(
    ("kind", "text", "said"),
    [
        ("address", "10.0.0.1/33", "10.0.0.1/33 is not a prefix"),
        ("address", "fd00::1/129", "fd00::1/129 is not a prefix"),
        ("address", "10.0.0.1 255.0.255.0", "255.0.255.0 is not a netmask"),
        ("ip", "10.0.0", "10.0.0 is not an address"),
        ("ip", "fd00:", "fd00: is not an address"),
        ("mbps", "100500", "100500 is not a multiple of 1000"),
    ],
)
def test_a_text_that_stands_for_none(kind: str, text: str, said: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(said)}$"):
        KINDS[kind].values(text)


WORDS: dict[str, dict[str, Any]] = {
    "state": {"on": "yes", "off": "no"},
    "queue": {"gold": 3},
    "polls": {"few": "x"},
}


@pytest.mark.parametrize(
    ("pattern", "line", "found"),
    [
        ("vlan <vlan>", "vlan 7", {"vlan": (7,)}),
        ("vlan <vlan*>", "vlan 7,9-10", {"vlan": (7, 9, 10)}),
        ("vlan <vlan>", "vlan 7,9", None),
        ("port <port>", "port eth1", {"port": ("eth1",)}),
        ("port <port>", "port x1", None),
        ("port <port:text>", "port x1", {"port": ("x1",)}),
        ("is <state>", "is off", {"state": ("no",)}),
        ("is <state>", "is other", None),
        ("in <queue>", "in gold", {"queue": (3,)}),
        ("in <queue>", "in 3", None),
        ("in <queue:number>", "in 3", {"queue": (3,)}),
        ("at <pg:queue>", "at gold", {"pg": (3,)}),
        ("a <ms> b <dscp*>", "a 5 b 1 to 3", {"ms": (5,), "dscp": (1, 2, 3)}),
        ("is <word>", "is any", {"word": ("any",)}),
    ],
)
def test_a_line_of_columns(pattern: str, line: str, found: dict[str, tuple[Any, ...]] | None) -> None:
    expression, columns = compiled(pattern, r"eth\d+", WORDS)
    match = expression.fullmatch(line)
    assert (match is None) is (found is None)
    if match is not None:
        assert {each.name: each.values(match[each.name]) for each in columns} == found


def test_columns_of_a_pattern() -> None:
    assert list(columns_in("a <vlan*> b <pg:queue> <port>")) == [
        ("vlan", True, ""),
        ("pg", False, "queue"),
        ("port", False, ""),
    ]


@pytest.mark.parametrize(
    ("pattern", "said"),
    [
        ("<queue>", ""),
        ("<vlan>", ""),
        ("<polls>", "<polls> has to be a number"),
        ("<ms:seconds>", ""),
        ("<ms:text>", "<ms> has to be a number"),
        ("<ms:state>", "<ms> has to be a number"),
        ("<ms:ip>", "<ms> has to be a number"),
        ("<vlan:queue>", ""),
        ("<ip:number>", "<ip> has to be an address"),
        ("<ip:ip6>", ""),
        ("<local:ip4>", ""),
        ("<local:address>", "<local> has to be an address"),
        ("<address:ip>", "<address> has to be an address with its length"),
        ("<word:number>", ""),
        ("<word:queue>", ""),
        ("<state>", ""),
        ("<ms:text> <other>", "<ms> has to be a number"),
        ("<other> <ms:text>", "<ms> has to be a number"),
    ],
)
def test_a_token_gives_what_its_column_holds(pattern: str, said: str) -> None:
    names = [name for name, _, _ in columns_in(pattern)]
    if not said:
        refuse_misfits(pattern, names, WORDS)
    else:
        with pytest.raises(ValueError, match=f"^{said}$"):
            refuse_misfits(pattern, names, WORDS)
    refuse_misfits(pattern, ["elsewhere"], WORDS)
    with pytest.raises(KeyError):
        refuse_misfits("<word:none>", ["word"], WORDS)
