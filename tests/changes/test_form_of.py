"""change.yaml: schema, sources, and rejected files of a site."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import jsonschema
import pytest

from netplan.changes.commands import data, form_of
from netplan.changes.commands.data import Rules, rules_of
from netplan.load import InputError
from netplan.model.document import SourceMap
from netplan.model.inventory_schema import packaged_schema
from netplan.nos import NosLibrary, available
from netplan.nos.own import with_own

STEP = "{suffix: txt, apply: 'load {file}', source: book, status: documented}"
GOOD = f"""syntax: blocks
sources: {{book: "Acme OS guide, chapter 3"}}
apply: {{lines: {STEP}}}
blocks:
  leave: exit
  "negate": "no"
  order: [one]
  unknown: {{source: book, status: unconfirmed}}
  lines: [{{line: x, source: book, status: documented}}]
"""


def library(folder: Path, text: str) -> NosLibrary:
    (folder / "acme").mkdir()
    (folder / "acme" / "change.yaml").write_text(text)
    return with_own(str(folder), SourceMap())[0]


def test_a_nos_without_the_file_has_no_form(tmp_path: Path) -> None:
    (tmp_path / "acme").mkdir()
    own = with_own(str(tmp_path), SourceMap())[0]
    assert form_of("acme", own) is None
    assert form_of("no-such-nos") is None


def test_a_site_has_rules_of_its_own(tmp_path: Path) -> None:
    rules = rules_of("acme", library(tmp_path, GOOD))
    assert rules is not None
    part = rules.part("lines", "x\n")
    assert (part.apply, part.before, part.source) == ("load {file}", (), "Acme OS guide, chapter 3")


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("syntax: blocks", "syntax: lines", '"lines" is not one of config_db, nvue, set, blocks'),
        ("syntax: blocks", "syntax: set", "there is no section set"),
        ("source: book", "source: page", "page is not among sources"),
        ("status: documented", "status: sure", '"sure" is not one of read, documented, unconfirmed'),
        ("suffix: txt", "sufix: txt", 'unknown key "sufix"'),
        ("syntax: blocks", "syntax: [", "change.yaml:"),
    ],
)
def test_what_cannot_be_used_is_said_with_its_place(tmp_path: Path, old: str, new: str, said: str) -> None:
    with pytest.raises(InputError, match=r"acme/change\.yaml:\d+: ") as error:
        rules_of("acme", library(tmp_path, GOOD.replace(old, new)))
    assert said in str(error.value)


def shipped_rules() -> dict[str, Rules]:
    from netplan.nos import shipped

    found = {nos: rules_of(nos, shipped()) for nos in available()}
    return {nos: rules for nos, rules in found.items() if rules is not None}


def test_the_schema_is_closed() -> None:
    schema = packaged_schema(data.SCHEMA)
    jsonschema.Draft202012Validator.check_schema(schema)
    assert open_mappings(schema, "") == []


def open_mappings(schema: Any, at: str) -> list[str]:
    """Mappings that accept any key."""
    if not isinstance(schema, dict):
        return []
    found = [at] if schema.get("type") == "object" and "additionalProperties" not in schema else []
    for key, each in schema.get("properties", {}).items():
        found += open_mappings(each, f"{at}/{key}")
    for key in ("additionalProperties", "items"):
        found += open_mappings(schema.get(key), f"{at}/{key}")
    return found


def test_rows_that_no_source_confirms_are_a_sentence(tmp_path: Path) -> None:
    rules = rules_of("acme", library(tmp_path, GOOD))
    assert rules is not None
    assert rules.doubt({"status": "unconfirmed"}, "undo x") == ("confirm on the switch: undo x",)
    assert rules.doubt({"status": "documented"}, "undo x") == ()


@pytest.mark.parametrize("nos", available())
def test_what_ships_can_be_used(nos: str) -> None:
    rules = shipped_rules().get(nos)
    assert (rules is None) == (form_of(nos) is None)
