"""``netplan import --into``: networks that the inventory calls otherwise than the dumps."""

from __future__ import annotations

import re

import pytest

from tests.test_import_into import dumps, edited, into, said

RAIL, CARD = (f"kubernetes_30-networks_network-attachments_training_{name}.yaml" for name in ("rail", "card"))
RENAMED = (("\n  rail: ", "\n  roce: "), ("networks: [rail]", "networks: [roce]"))
SAME = (*RENAMED, ("mode: sriov\n", "mode: sriov\n    resource_name: rail\n"))


def told(*edits: tuple[str, str], texts: dict[str, str] | None = None) -> list[str]:
    """What is said of networks, of dumps by their kind alone."""
    found = into(edited(*edits), texts)
    rows = [f"{word} {row}" for word in ("new", "differs", "gone") for row in said(found, word)]
    places = (re.sub(r"\(kubernetes[^)]*\)", "(dump)", row) for row in rows if " network " in row)
    return [re.sub(r"site.yaml:\d+", "site.yaml:N", row) for row in places]


def test_a_network_of_another_name_with_its_resources_is_that_network() -> None:
    assert told(*SAME) == []


def test_one_whose_resources_have_other_names_too_is_known_by_its_mode_and_subnets() -> None:
    names = "roce_0, roce_1, roce_2, roce_3 (site.yaml:N) or rail_0, rail_1, rail_2, rail_3 (dump)"
    assert told(*RENAMED) == [f"differs network roce: resource_name: {names}"]


@pytest.mark.parametrize(
    ("edit", "wanted"),
    [
        (("routing: sbr", "routing: script"), "routing: script (site.yaml:N) or sbr (dump)"),
        (("routing: sbr", 'routing: sbr\n    trust: "off"'), "trust: off (site.yaml:N) or on (dump)"),
        (
            ("    namespaces: [training]\n    resource: per-rail\n    routing: sbr",
             "    namespaces: [training, b]\n    resource: per-rail\n    routing: sbr"),
            "namespaces: b, training (site.yaml:N) or training (dump)",
        ),
    ],
)  # fmt: skip
def test_what_differs_of_it_has_both_places(edit: tuple[str, str], wanted: str) -> None:
    texts = dumps()
    if "trust" in wanted:
        trusted = texts[RAIL].replace('"type": "sriov"', '"type": "sriov", "trust": "on"')
        texts = {**texts, RAIL: trusted}
    assert told(edit, *SAME, texts=texts) == [f"differs network roce: {wanted}"]


def test_a_network_that_differs_in_mode_and_resources_is_another_one() -> None:
    """The host devices of the inventory are in no dump; the VFs of the dumps are in no inventory."""
    without = {file: text for file, text in dumps().items() if file != CARD}
    assert told(texts=without) == ["gone network card: site.yaml:N"]
    rows = told(("\n  card:", "\n  whole:"), ("[card]", "[whole]"), ("roce_card", "whole"), texts=without)
    assert rows == ["gone network whole: site.yaml:N"]
