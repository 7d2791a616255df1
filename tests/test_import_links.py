"""``netplan import`` of hosts whose links have networks of their own: ids from the networks."""

from __future__ import annotations

import json
from typing import Any

import pytest

from netplan.importing.run import Imported, import_texts
from tests.test_import import data, refused, todo_lines
from tests.test_import_fabric import stretched_dumps

Pairs = tuple[tuple[str, str], tuple[str, str]]


def routed(names: tuple[str, str], *families: Pairs) -> Imported:
    """Two hosts with two rails, each on a leaf. ``families``: addresses of the leaves' ports, for each
    IP version."""
    texts = {}
    for file, text in stretched_dumps().items():
        for number, name in ((2, names[1]), (1, names[0])):
            file, text = (each.replace(f"gpu-{number}", f"HOST{number}") for each in (file, text))
            file, text = (each.replace(f"HOST{number}", name) for each in (file, text))
        texts[file] = text
    for number in (1, 2):
        tables: dict[str, Any] = json.loads(texts[f"leaf-{number}.json"])
        del tables["VLAN_MEMBER"]
        tables["INTERFACE"] = {
            f"{port}|{address}": {}
            for networks in families
            for port, address in zip(tables["PORT"], networks[number - 1], strict=True)
        }
        texts[f"leaf-{number}.json"] = json.dumps(tables, indent=1)
    return import_texts(texts, "site")


@pytest.mark.parametrize(
    ("names", "second", "hosts"),
    [
        (("gpu-01", "gpu-02"), 2, {"gpu-[01-02]": {"type": "a"}}),
        (("gpu-01", "gpu-21"), 24, {"gpu-01": {"type": "a"}, "gpu-21": {"type": "a", "id": 13}}),
        (("gpu-00", "gpu-01"), 2, {"gpu-[00-01]": {"type": "a", "id": 1}}),
        (("gpu-a", "gpu-b"), 2, {"gpu-a": {"type": "a", "id": 1}, "gpu-b": {"type": "a", "id": 2}}),
    ],
)
def test_ids_of_hosts_from_their_links(names: tuple[str, str], second: int, hosts: dict[str, Any]) -> None:
    """``second``: how far the links of the second host are behind those of the first."""
    result = routed(
        names, (("10.100.0.0/31", "10.101.0.0/31"), (f"10.100.0.{second}/31", f"10.101.0.{second}/31"))
    )
    found = data(result)
    rails = {"count": 2, "segment": "host", "supernets": ["10.100.0.0/15"], "rail_prefixes": [16]}
    assert found["rails"] == {**rails, "prefixes": [31], "gateway": "first"}
    assert found["hosts"] == hosts


IPV4 = (("10.100.0.0/31", "10.101.0.0/31"), ("10.100.0.2/31", "10.101.0.2/31"))
IPV6 = (("fd00:0::/127", "fd00:1::/127"), ("fd00:0::2/127", "fd00:1::2/127"))


@pytest.mark.parametrize("families", [(IPV4, IPV6), (IPV6, IPV4)])
def test_links_of_two_families_keep_both(families: tuple[Pairs, Pairs]) -> None:
    found = data(routed(("gpu-01", "gpu-02"), *families))["rails"]
    assert found["segment"] == "host"
    assert (found["supernets"], found["prefixes"]) == (["10.100.0.0/15", "fd00::/31"], [31, 127])
    assert found["rail_prefixes"] == [16, 32]
    assert found["gateway"] == "first"


def test_the_odd_address_of_one_family_is_enough_to_ask() -> None:
    odd = (("fd00:0::1/127", "fd00:1::1/127"), IPV6[1])
    result = routed(("gpu-01", "gpu-02"), IPV4, odd)
    assert data(result)["rails"]["gateway"] == "TODO"
    assert "leaf-1 Ethernet0 fd00:0::1/127 (leaf-1.json:" in result.text


def test_networks_in_another_order_on_each_rail() -> None:
    result = routed(
        ("gpu-01", "gpu-21"), (("10.100.0.0/31", "10.101.0.24/31"), ("10.100.0.24/31", "10.101.0.0/31"))
    )
    found = data(result)
    assert found["rails"] == {"count": 2, "segment": "TODO"}
    assert found["hosts"] == {"gpu-[01-21/20]": {"type": "a"}}
    assert "rail 1 gpu-01 10.101.0.24/31 (gpu-01.json:1)" in result.text
    assert set(todo_lines(result.text)) == refused(result.text)


def test_a_switch_with_the_odd_address() -> None:
    result = routed(
        ("gpu-01", "gpu-02"), (("10.100.0.1/31", "10.101.0.1/31"), ("10.100.0.3/31", "10.101.0.3/31"))
    )
    assert data(result)["rails"]["gateway"] == "TODO"
    (line,) = [text for text in result.text.splitlines() if text.startswith("  gateway:")]
    assert "an inventory cannot express this: switches with the odd address of a link" in line
    assert "leaf-1 Ethernet0 10.100.0.1/31 (leaf-1.json:" in line
    assert set(todo_lines(result.text)) == refused(result.text)
