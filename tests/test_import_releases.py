"""``netplan import``: releases of the NOS, as the headers of running configurations state them."""

from __future__ import annotations

import json

import pytest

from netplan.importing.run import Imported, import_texts
from tests.inventories import text_of
from tests.test_import import data
from tests.test_import_eos_classes import comment, told
from tests.test_import_into import into
from tests.test_import_text import running

NVUE = [
    {"header": {"model": "MSN3700", "nvue-api-version": "nvue_v1", "version": "Cumulus Linux 5.15.0"}},
    {"set": {"interface": {"swp1": {"link": {"mtu": 9216}}}, "system": {"hostname": "leaf-2"}}},
]
RUNNING = {
    "leaf-2.json": json.dumps(NVUE, indent=2),
    "leaf-4.txt": running("leaf-4"),
    "leaf-5.txt": running("leaf-5"),
    "leaf-6.txt": running("leaf-6"),
}
RELEASES = {"leaf-2": "5.15.0", "leaf-4": "4.33.1F", "leaf-5": "10.4(3)", "leaf-6": "23.4R1.9-EVO"}


def releases(result: Imported) -> dict[str, str]:
    """Switch -> release of its type."""
    found = data(result)
    types = {name: kind.get("nos_version", "") for name, kind in found["switch_types"].items()}
    return {name: types[row["type"]] for name, row in found["switches"].items()}


@pytest.mark.parametrize("file", RUNNING)
def test_the_release_of_the_nos(file: str) -> None:
    switch, text = file.partition(".")[0], RUNNING[file]
    result = import_texts({file: text}, "site")
    assert releases(result) == {switch: RELEASES[switch]}
    number = int(comment(result, "nos_version:").rpartition(":")[2])
    assert RELEASES[switch] in text.splitlines()[number - 1]


def test_switches_of_two_releases_are_two_types() -> None:
    other = running("leaf-4").replace("leaf-4", "leaf-7").replace("4.33.1F", "4.34.2F")
    result = import_texts({"leaf-4.txt": running("leaf-4"), "leaf-7.txt": other}, "site")
    assert releases(result) == {"leaf-4": "4.33.1F", "leaf-7": "4.34.2F"}


def test_a_release_that_no_inventory_takes_is_told() -> None:
    text = running("leaf-6").replace("23.4R1.9-EVO", "23.4-20240601_dev.0")
    result = import_texts({"leaf-6.txt": text}, "site")
    assert releases(result) == {"leaf-6": ""}
    assert told(result, "switch nos_version '23.4-20240601_dev.0': not valid in an inventory")


CUMULUS = "{nos: cumulus-nvue, model: msn3700, port_mtu: 9100"


@pytest.mark.parametrize(
    ("stated", "said"),
    [
        (
            ', nos_version: "5.14"',
            ["differs switch leaf-2: nos_version: 5.14 (site.yaml:68) or 5.15.0 (leaf-2.json:6)"],
        ),
        (', nos_version: "5.15"', []),
        ("", ["new switch leaf-2: nos_version: 5.15.0 (leaf-2.json:6)"]),
    ],
)
def test_a_release_beside_that_of_the_inventory(stated: str, said: list[str]) -> None:
    text = text_of("multi-vendor").replace(CUMULUS, f"{CUMULUS}{stated}")
    changes = into(text, {"leaf-2.json": RUNNING["leaf-2.json"]}).changes
    assert [f"{each.word} {each}" for each in changes if "nos_version" in str(each)] == said


def test_a_new_switch_is_of_the_type_with_its_release() -> None:
    """Else of the first type of its model, with both releases in the comment."""
    other = f'  older: {CUMULUS}, nos_version: "5.14"}}\n  newer: {CUMULUS}, nos_version: "5.15"}}\n'
    head = "switch_types: # port_mtu: an IP packet of 9,100 bytes as each NOS counts it\n"
    text = text_of("multi-vendor").replace(head, head + other)
    text = text.replace("leaf-2: {type: cumulus-nvue,", "leaf-2: {type: older,")
    text = text.replace("spine-[1-2]: {type: sonic, id: 101", "spine-[1-2]: {type: newer, id: 101")
    added = RUNNING["leaf-2.json"].replace("leaf-2", "leaf-12")
    assert "leaf-12: {type: newer," in into(text, {"leaf-12.json": added}).text
    only = text_of("multi-vendor").replace(CUMULUS, f'{CUMULUS}, nos_version: "5.14"')
    line = next(each for each in into(only, {"leaf-12.json": added}).text.splitlines() if "leaf-12:" in each)
    assert "{type: cumulus-nvue," in line
    assert "runs 5.15.0 (leaf-12.json:6), its type has nos_version 5.14" in line
