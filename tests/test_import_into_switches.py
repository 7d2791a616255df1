"""``netplan import --into``: switches, their cables and their addresses against an inventory."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.bare_site import Bare
from tests.cli_runs import netplan
from tests.dumped_site import cluster_dumps, config_dbs
from tests.test_import import FILES
from tests.test_import_fabrics_beside import with_front_end
from tests.test_import_into import SITE, dumps, into, line_of, said


@pytest.mark.parametrize(
    ("sku", "model"),
    [("ACS-MSN2700", ""), ("Mellanox-SN3420", "Mellanox-SN3420"), ("ACS-MSN3700", "msn3700")],
)
def test_a_switch_of_another_model_differs(sku: str, model: str) -> None:
    """Also where the catalog has no such model."""
    text = config_dbs(FILES, sku)["leaf-1.json"].replace("mlnx_msn2700-r0", "kvm_x86_64-r0")
    found = into(SITE, {**dumps(), "leaf-1.json": text})
    rows = [row for row in said(found, "differs") if " model: " in row]
    at = line_of(SITE, "model: msn2700")
    wanted = f"switch leaf-1: model: msn2700 (site.yaml:{at}) or {model} (leaf-1.json:"
    assert [row.startswith(wanted) for row in rows] == ([True] if model else [])


def test_a_moved_loopback_is_no_router_id() -> None:
    """The router ID is the one of the inventory, whose loopback is worked out from the id."""
    text = dumps()["leaf-1.json"]  # has bgp_router_id
    own = re.findall(r'"Loopback0\|([0-9.]+)/32"', text)[0]
    moved = text.replace(f'"Loopback0|{own}/32"', '"Loopback0|172.31.99.99/32"')
    (row,) = said(into(SITE, {**dumps(), "leaf-1.json": moved}), "differs")
    at = line_of(SITE, "loopbacks:")
    wanted = f"switch leaf-1: loopback: {own} (of its id in site.yaml:{at}) or 172.31.99.99 (leaf-1.json:"
    assert row.startswith(wanted)


def table() -> list[str]:
    """The table of all cables: a head and rows."""
    texts = [text.splitlines(keepends=True) for path, text in FILES.items() if path.endswith("cabling.csv")]
    return [texts[0][0], *(row for lines in texts for row in lines[1:])]


def recorded(*edits: tuple[str, str]) -> dict[str, str]:
    """The site without LLDP, with its table of cables; an edit of the table removes or replaces a text."""
    text = "".join(table())
    for old, new in edits:
        assert old in text
        text = text.replace(old, new)
    return {**cluster_dumps(FILES), **config_dbs(FILES), "cables.csv": text}


def of_fabric(texts: dict[str, str], word: str) -> list[str]:
    return [row for row in said(into(SITE, texts), word) if row.startswith(("cable", "host", "switch"))]


def test_a_record_of_cables_that_is_the_inventory() -> None:
    assert [of_fabric(recorded(), word) for word in ("new", "differs", "gone")] == [[], [], []]


def test_a_cable_that_the_record_has_no_more() -> None:
    row = next(row for row in table() if row.startswith("leaf-2,") and ",host," in row)
    port, texts = row.split(",")[1], recorded((row, ""))
    (gone,) = of_fabric(texts, "gone")
    assert gone.startswith(f"cable of leaf-2 {port}: no row of the record has it (site.yaml:")
    assert of_fabric(texts, "differs") == []


def test_a_recorded_port_that_the_other_switch_does_not_have() -> None:
    row = next(row for row in table() if row.startswith("leaf-2,") and ",switch,spine-1," in row)
    switch, port, _, spine, far, *_ = row.split(",")
    texts = recorded((row, row.replace(f",spine-1,{far},", ",spine-1,Ethernet500,")))
    (told,) = of_fabric(texts, "differs")
    assert told.startswith(f"cable of {switch} {port}: to {spine} {far} (site.yaml:")
    assert " or to spine-1 Ethernet500 (cables.csv:" in told


def test_a_host_that_only_the_record_of_cables_still_has() -> None:
    """Its cables are the inventory's."""
    texts = recorded()
    items = texts["nodes.yaml"].split("- apiVersion: v1\n")
    texts["nodes.yaml"] = "- apiVersion: v1\n".join(item for item in items if "name: gpu-016" not in item)
    for name in ("states.json", "nicdevices.yaml"):
        texts[name] = texts[name].replace("gpu-016", "gpu-015")
    assert of_fabric(texts, "differs") == []
    (row,) = of_fabric(texts, "gone")
    assert row.startswith("host gpu-016: no such node in the dumps (site.yaml:")


def test_a_renamed_switch_that_the_record_of_cables_calls_by_its_old_name() -> None:
    """The loopback is the same: no new switch, and none that is gone."""
    texts = recorded()
    texts["tor-2.json"] = texts.pop("leaf-2.json").replace('"leaf-2"', '"tor-2"')
    found = into(SITE, texts)
    (row,) = of_fabric(texts, "differs")
    at = line_of(SITE, "leaf-[1-4]")
    assert row.startswith(f"switch leaf-2: name: leaf-2 (site.yaml:{at}) or tor-2 (tor-2.json:")
    assert (of_fabric(texts, "new"), of_fabric(texts, "gone"), found.text) == ([], [], "")


def test_a_fabric_beside_is_compared_where_the_inventory_has_it(tmp_path: Path) -> None:
    front = with_front_end(Bare(rails=1)).texts()
    front = {name: text for name, text in front.items() if name.startswith("fe-")}
    for name, text in {**dumps(), **front}.items():
        (tmp_path / name).write_text(text)
    head = next(row for row in SITE.splitlines() if row.startswith("  spine-[1-2]: "))
    for more, known in (("", False), ("\n  fe-spine-1: {type: sn2700, id: 90, role: spine}", True)):
        (tmp_path / "site.txt").write_text(SITE.replace(head, head + more))
        files = (str(tmp_path / name) for name in (*dumps(), *front))
        _, out, err = netplan("import", *files, "--into", str(tmp_path / "site.txt"))
        assert ("switch fe-spine-1: loopback: " in out) is known
        assert ("switch fe-leaf-1: " in out) is known
        assert ("as a fabric of their own" in err) is not known
