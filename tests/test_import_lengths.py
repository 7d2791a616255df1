"""Lengths of cables: records, and the length that the headroom of a port is configured for."""

from __future__ import annotations

import pytest

from netplan.importing.run import Imported, import_texts
from tests.dumped_site import cluster_dumps, config_dbs
from tests.test_import import data
from tests.test_import_into import dumps, edited, into, said
from tests.test_import_record import CABLES, FILES, recorded
from tests.test_import_text import running


def site(length: float, unit: str = "m", **files: str) -> Imported:
    """SONiC switches with headroom for 5 m at the hosts and 40 m between switches. ``length``: of the hosts'
    cables in the record."""
    box = recorded()
    for cable in box.models["dcim/cables"]:
        if cable["length"] == 5:
            cable |= {"length": length, "length_unit": {"value": unit}}
    for interface in box.models["dcim/interfaces"]:
        interface.pop("tagged_vlans", None)
    return import_texts({**cluster_dumps(FILES), **config_dbs(FILES), **box.pages(), **files}, "site")


def lengths(result: Imported) -> set[int | str]:
    return {row["cable_m"] for row in data(result)["links"] if "hca" in row}


def told(result: Imported) -> list[str]:
    return [str(remark) for remark in result.remarks]


def test_a_cable_as_long_as_its_headroom_allows() -> None:
    result = site(5)
    assert (result.conflicts, result.remarks, lengths(result)) == ((), (), {5})


@pytest.mark.parametrize(("length", "unit", "metres"), [(3.5, "m", 4), (6.5, "ft", 2), (3, "m", 3)])
def test_the_length_of_record_is_written(length: float, unit: str, metres: int) -> None:
    """Headroom for a longer cable is no other length."""
    result = site(length, unit)
    assert (result.conflicts, lengths(result)) == ((), {metres})
    room = next(text for text in told(result) if "headroom" in text)
    assert (
        f"5 m is the length that its headroom is configured for; the recorded cable of {metres} m (" in room
    )
    rounded = [text for text in told(result) if "rounded" in text]
    assert len(rounded) == (length != metres)
    for text in rounded:
        assert (
            f"dcim/cables length '{length} {unit}': an inventory has whole metres; rounded up (and " in text
        )


def test_a_cable_longer_than_its_headroom_allows_is_one_fault() -> None:
    result = site(12)
    (fault,) = result.conflicts
    text = str(fault)
    assert text.startswith("leaf-1 Ethernet0: headroom for a cable of 5 m (leaf-1.json:")
    assert "the recorded cable has 12 m (dcim-interfaces.json:" in text
    assert lengths(result) == {12}


def test_without_a_record_the_length_of_headroom_is_written() -> None:
    assert lengths(import_texts(dumps(), "site")) == {5}


def test_records_that_disagree() -> None:
    result = site(5, **{"c.csv": CABLES.replace(",5,", ",3,")})
    shown = [str(conflict) for conflict in result.conflicts]
    for text, port in zip(shown, ("Ethernet0", "Ethernet4"), strict=True):
        assert text.startswith(f"port leaf-1 {port}, cable_m: 5 (dcim-interfaces.json:")
        assert " or 3 (c.csv:" in text
    assert lengths(result) == {5, "TODO"}


def test_a_switch_cable_may_have_its_record_at_the_upper_end() -> None:
    head = CABLES.splitlines()[0]
    row = "spine-1,Ethernet0,switch,leaf-1,Ethernet80,,100,4,,"
    result = import_texts({**dumps(), "c.csv": f"{head}\n{row}\n"}, "site")
    found = {(row["switches"], row["ports"]): row["cable_m"] for row in data(result)["links"] if "to" in row}
    assert found["leaf-1", "Ethernet80"] == 4


@pytest.mark.parametrize(("text", "metres"), [("3.5", 4), ("3.0", 3), ("3 m", 3), ("0.5m", 1)])
def test_lengths_of_a_table(text: str, metres: int) -> None:
    result = import_texts({"c.csv": CABLES.replace(",5,", f",{text},")})
    assert result.site.number("port", ("leaf-1", "Ethernet0"), "cable_m") == metres
    rounded = [remark for remark in told(result) if "rounded up" in remark]
    assert len(rounded) == (text in ("3.5", "0.5m"))


def test_into_an_inventory_with_the_lengths_of_record() -> None:
    """Switches whose headroom is for longer cables do not differ."""
    assert said(into(edited(("cable_m: 5, ", "cable_m: 3, "))), "differs") == []


@pytest.mark.parametrize(
    ("switch", "port", "length"),
    [
        ("leaf-5", "Ethernet1/1", "TODO"),  # NX-OS states none: its headroom as shipped is for 100 m
        ("leaf-6", "et-0/0/1", 5),
    ],
)
def test_a_length_of_headroom_is_one_that_a_line_states(switch: str, port: str, length: int | str) -> None:
    cables = f"switch,port,peer_kind,peer,peer_port\n{switch},{port},switch,spine-9,Ethernet0\n"
    text = running(switch)
    assert port in text
    result = import_texts({"running.txt": text, "cables.csv": cables}, "site")
    assert {row["cable_m"] for row in data(result)["links"]} == {length}
