"""``netplan import``: ports whose VLAN no line states that is read, where the leaf routes the rail's pool."""

from __future__ import annotations

from netplan.importing.run import Imported, import_texts
from tests.test_import import refused, todo_lines
from tests.test_import_leaves import PAIRS, site

WHERE = "leaf-1 has 10.1.0.1/24 on VLAN 100 (leaf-1.db.json:"
WHY = "and no line that is read states a VLAN of its ports"


def line_of(result: Imported, key: str) -> str:
    (line,) = [line.strip() for line in result.text.splitlines() if line.strip().startswith(f"{key}:")]
    return line


def of_vfs() -> Imported:
    """The same with VFs, which can tag."""
    texts = dict(site(PAIRS, members=[]).texts)
    texts["k.yaml"] = texts["k.yaml"].replace('"type": "host-device"', '"type": "sriov"')
    return import_texts(texts, "site")


def test_the_vlan_is_asked_with_that_of_the_interface() -> None:
    result = site(PAIRS, members=[])
    line = line_of(result, "vlan_ids")
    assert line.startswith("vlan_ids: TODO # TODO: a VLAN of its own for each rail; seen rail 0: ")
    assert WHERE in line
    assert WHY in line
    assert refused(result.text) >= set(todo_lines(result.text))


def test_who_tags_is_asked_where_the_network_sends_untagged() -> None:
    line = line_of(of_vfs(), "tagging")
    assert line.startswith("tagging: TODO # TODO: vf or port, which is that of ports with an untagged VLAN;")
    assert WHERE in line
    assert "tagging" not in site(PAIRS, members=[]).text


def test_ports_with_vlans_are_not_asked_about() -> None:
    assert WHY not in site(PAIRS).text
