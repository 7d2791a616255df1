"""Entries that are kept from run to run: whatever the edit, the result is that of parsing the whole file."""

from __future__ import annotations

import json
from typing import Any

import pytest
import yaml
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from netplan import pipeline, program, schema, user_cache
from netplan.diagnostics import Path
from netplan.load import kept, load, load_texts, stubs
from netplan.model.document import Document, KeptEntries
from netplan.model.inventory_schema import inventory_schema
from netplan.yaml12 import parse as whole
from tests.inventories import text_of
from tests.mutations import KINDS, mutated

HOST = '  gpu-{n}:\n    type: gpu\n    hcas:\n      roce0: {{pci: "0000:{n:02x}:00.0"}}  # slot {n}\n'
LINK = "  - host: gpu-{n}\n    ports: [Ethernet{n}]\n"
HOSTS = [HOST.format(n=n) for n in range(1, 5)]
LINKS = [LINK.format(n=n) for n in range(1, 5)]


def text(hosts: list[str] = HOSTS, links: list[str] = LINKS) -> str:
    return "".join(["version: 1\nhosts:\n", *hosts, "# cables\nlinks:\n", *links, "site: lab\n"])


TEXT = text()
EDITS = {
    "a value": TEXT.replace("0000:02", "0000:42"),
    "a host less": text(hosts=HOSTS[1:]),
    "a host more, in between": text(hosts=[*HOSTS[:2], HOST.format(n=9), *HOSTS[2:]]),
    "another order": text(hosts=HOSTS[::-1], links=LINKS[::-1]),
    "a comment before": "# of today\n" + TEXT,
    "the same name twice": text(hosts=[*HOSTS, HOSTS[0]]),
    "the same cable twice": text(links=[*LINKS, LINKS[0]]),
    "the same entry in another map": TEXT + "others:\n" + HOSTS[0],
    "hosts in flow style": TEXT.replace("hosts:\n", "hosts: {\n").replace("# cables", "}"),
    "all in flow style": "{" + TEXT.replace("\n", ",\n") + "}",
    "an open quote": TEXT.replace("type: gpu", 'type: "gpu', 1),
    "a quote over entries": text(hosts=['  a: "x\n', *(h.replace('"', "") for h in HOSTS[1:]), '    "\n']),
    "an open bracket": TEXT.replace("[Ethernet1]", "[Ethernet1"),
    "a block text over entries": text(hosts=[HOSTS[0], "  b: |\n", HOSTS[1].replace("  ", "    ")]),
    "an anchor": TEXT.replace("type: gpu", "type: &t gpu", 1),
    "a name twice": text(hosts=[*HOSTS, HOSTS[0].replace("gpu\n", "cpu\n")]),
    "a name twice, in between": text(hosts=[*HOSTS[:2], HOSTS[3].replace("gpu\n", "cpu\n"), *HOSTS[2:]]),
    "hosts and cables in turn": text(hosts=[*HOSTS[:2], "others:\n", *LINKS[:2], "more:\n", *HOSTS[2:]]),
    "cables at two indentations": text(links=[*LINKS[:2], *(x.replace("\n  ", "\n")[2:] for x in LINKS[2:])]),
    "cables among hosts": text(hosts=[*HOSTS[:2], *LINKS[:2], *HOSTS[2:]]),
    "another name of the map": TEXT.replace("hosts:\n", "nodes:\n"),
    "another line break": TEXT.replace("type: gpu", "type: gpu\u2028  gpu-7:", 1),
    "a second document": TEXT.replace("links:", "---\nlinks:"),
    "a wrong indentation": TEXT.replace("    hcas:", "   hcas:", 1),
    "no hosts": "version: 1\nsite: lab\n",
    "a tab": TEXT.replace("    type", "\ttype", 1),
    "a byte order mark": "\ufeff" + TEXT,
    "line ends of Windows": TEXT.replace("\n", "\r\n"),
    "items at the margin": text(links=[link.replace("\n  ", "\n")[2:] for link in LINKS]),
    "empty": "",
}  # fmt: skip


@pytest.fixture(autouse=True)
def small(tmp_path, monkeypatch):
    """Files of tests are large enough."""
    monkeypatch.setenv("NETPLAN_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr(kept, "LARGE", 1)
    monkeypatch.setattr(kept, "_SMALLEST", 8)
    monkeypatch.setattr(kept, "_ITEMS", 2)


def paths(data: Any, path: Path = ()) -> list[Path]:
    parts: list[tuple[str | int, Any]] = []
    if isinstance(data, dict):
        parts = list(data.items())
    elif isinstance(data, list):
        parts = list(enumerate(data))
    return [path, *(below for part, value in parts for below in paths(value, (*path, part)))]


def seen(document: Document) -> tuple[Any, ...]:
    """All that a document says, each place of it included."""
    places = [(path, document.locate(path), document.locate_value(path)) for path in paths(document.data)]
    return json.dumps(document.data), document.problems, document.files, places


def assert_alike(file, changed: str) -> Document:
    file.write_text(changed, encoding="utf-8", newline="")
    try:
        document = load([str(file)])
    except Exception as error:  # no inventory in it
        with pytest.raises(type(error)):
            load([str(file)])
        return load_texts({})
    assert seen(document) == seen(load_texts({str(file): changed}))
    entries_of(document).settle(accepted=True)
    return document


def entries_of(document: Document | None) -> KeptEntries:
    assert document is not None
    assert document.entries is not None
    return document.entries


@pytest.mark.parametrize("edit", EDITS)
@pytest.mark.parametrize("back", [False, True], ids=["to", "back"])
def test_edit(tmp_path, edit, back):
    file = tmp_path / "site.yaml"
    for changed in (EDITS[edit], TEXT, EDITS[edit]) if back else (TEXT, EDITS[edit], EDITS[edit], TEXT):
        assert_alike(file, changed)


def test_only_what_changed_is_parsed(tmp_path, monkeypatch):
    read = []

    def parse(name, text, places):
        read.append(text)
        return whole(name, text, places)

    monkeypatch.setattr(kept, "parse", parse)
    monkeypatch.setattr(stubs, "parse", parse)
    file = tmp_path / "site.yaml"
    assert_alike(file, TEXT)
    assert read[0] == TEXT
    del read[:]
    file.write_text(TEXT.replace("0000:02", "0000:42"), encoding="utf-8")
    document = load([str(file)])
    assert document.data["hosts"]["gpu-2"]["hcas"] == {"roce0": {"pci": "0000:42:00.0"}}
    (skeleton,) = read
    assert [line for line in skeleton.splitlines() if line.endswith(" 0")] == [
        "  gpu-1: 0", "  gpu-3: 0", "  - 0"
    ]  # fmt: skip
    assert str(document.locate(("links", 3, "ports", 0))).endswith("site.yaml:28:13")
    assert len(read) == 2  # the one cable that somebody asked about


def test_a_cable_more_or_less_leaves_the_entries_behind_it(tmp_path, monkeypatch):
    """Where one entry of a list ends does not depend on how many items are before it."""
    skeletons = []

    def parse(name, text, places):
        skeletons.append(text)
        return whole(name, text, places)

    file = tmp_path / "site.yaml"
    cables = [LINK.format(n=n) for n in range(200)]
    assert_alike(file, text(links=cables))
    monkeypatch.setattr(stubs, "parse", parse)
    for links in (cables[:3] + cables[4:], [*cables[:3], LINK.format(n=777), *cables[3:]]):
        file.write_text(text(links=links), encoding="utf-8")
        assert load([str(file)]).data["links"] == yaml.safe_load(text(links=links))["links"]
    for skeleton in skeletons:
        assert skeleton.count("ports:") < 100, "half of the cables were parsed again"
        assert skeleton.count("- 0\n") in (1, 2), "a stub stands for each stretch before and behind"


@pytest.mark.parametrize("items", [1, 2, 5, 1_000])
def test_any_number_of_items_makes_an_entry(tmp_path, monkeypatch, items):
    monkeypatch.setattr(kept, "_ITEMS", items)
    file = tmp_path / "site.yaml"
    for cables in (LINKS, [*LINKS[:2], LINKS[1], *LINKS[2:]], LINKS[::-1], ["  - 1\n  - x\n  - [a, b]\n"]):
        assert_alike(file, text(links=cables))
        assert_alike(file, text(links=cables).replace("Ethernet2", "Ethernet9"))


def test_nothing_is_kept_of_a_small_file(tmp_path, monkeypatch):
    monkeypatch.setattr(kept, "LARGE", len(TEXT) + 1)
    assert_alike(tmp_path / "site.yaml", TEXT)
    assert not (tmp_path / "cache").exists()


def test_an_edit_of_one_host_stores_nothing(tmp_path):
    file = tmp_path / "site.yaml"
    many = text(hosts=[HOST.format(n=n) for n in range(1, 40)])
    assert_alike(file, many)
    (place,) = (tmp_path / "cache" / "inventories").iterdir()
    before = place.stat().st_mtime_ns
    assert_alike(file, many.replace("0000:02", "0000:42"))
    assert place.stat().st_mtime_ns == before
    assert_alike(file, TEXT.replace("gpu", "cpu"))
    assert place.stat().st_mtime_ns != before


DAMAGE: dict[str, Any] = {
    "empty": b"",
    "not-its-digest": b"x" * 40,
    "of-others": None,
    "of-another-netplan": ("1 0.1.0 3.11", {}),
}


@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE)
def test_damage_costs_time_only(tmp_path, damage):
    file = tmp_path / "site.yaml"
    assert_alike(file, TEXT)
    (place,) = (tmp_path / "cache" / "inventories").iterdir()
    if damage is None:
        place.parent.chmod(0o777)
    elif isinstance(damage, tuple):
        user_cache.store_object(place, damage, 1 << 20, 1)
    else:
        place.write_bytes(damage)
    assert_alike(file, TEXT)


def test_an_accepted_entry_is_accepted_in_its_section_only(tmp_path):
    file = tmp_path / "site.yaml"
    assert entries_of(assert_alike(file, TEXT)).accepted == {}
    document = assert_alike(file, EDITS["the same entry in another map"].replace("0000:02", "0000:42"))
    hosts, links = document.data["hosts"], document.data["links"]
    assert list(entries_of(document).accepted.values()) == [
        hosts["gpu-1"],
        hosts["gpu-3"],
        hosts["gpu-4"],
        *links,
    ]
    document = assert_alike(file, TEXT.replace("hosts:", "nodes:"))
    assert list(entries_of(document).accepted.values()) == document.data["links"]


def test_what_the_schema_rejected_is_accepted_nowhere(tmp_path):
    file = tmp_path / "site.yaml"
    file.write_text(TEXT)
    entries_of(load([str(file)])).settle(accepted=False)
    again = entries_of(load([str(file)]))
    assert again.accepted == {}
    again.settle(accepted=True)
    assert len(entries_of(load([str(file)])).accepted) == len(HOSTS + LINKS)


def test_with_an_overlay_nothing_is_accepted_and_the_file_is_kept_as_it_stands(tmp_path):
    file, over = tmp_path / "site.yaml", tmp_path / "over.yaml"
    file.write_text(TEXT)
    over.write_text("hosts: {gpu-1: {type: 7}}\n")
    for _ in range(2):
        document = load([str(file)], [str(over)])
        entries_of(document).settle(accepted=True)
        assert entries_of(document).accepted == {}
        assert document.data["hosts"]["gpu-1"]["type"] == 7
    assert load([str(file)]).data["hosts"]["gpu-1"]["type"] == "gpu"


def test_another_program_takes_nothing(tmp_path, monkeypatch):
    file = tmp_path / "site.yaml"
    assert_alike(file, TEXT)
    monkeypatch.setattr(program, "digest", lambda: "another")
    monkeypatch.setattr(kept, "filled", lambda name, text, entries, *more: assert_none(entries))
    assert_alike(file, TEXT)


def assert_none(entries):
    assert entries == []


SITE = "l3-to-host"
"""An inventory whose entries the schema judges in each section."""


@pytest.mark.sample(6)
@pytest.mark.parametrize("kind", KINDS)
def test_the_schema_finds_what_it_finds_in_a_whole_document(tmp_path, kind):
    data = load_texts({"": text_of(SITE)}).data
    file = tmp_path / "site.yaml"
    every = list(KINDS[kind](data))
    for mutation in every[:: max(1, len(every) // 20)]:
        for text in (block(data), block(json.loads(mutated(data, mutation)))):
            file.write_text(text)
            found = pipeline.run([str(file)], upto="schema")
            assert found.diagnostics == pipeline.compile_texts({str(file): text}, upto="schema").diagnostics
        assert entries_of(found.document).accepted


def block(data: Any) -> str:
    return yaml.safe_dump(data, sort_keys=False)


def test_sections_whose_entries_are_not_judged_again():
    sections = inventory_schema()["properties"]
    assert {name for name, one in sections.items() if one.keys() <= schema._BY_ENTRY} == {
        "subnets", "hosts", "switch_types", "switches", "links", "networks", "workloads"
    }  # fmt: skip


PIECES = st.sampled_from(
    [*HOSTS, *LINKS, "hosts:\n", "links:\n", "site: lab\n", "  a: 1\n", "  - 1\n", "- 1\n", "    x\n",
     "  x\n", "\n", "  # c\n", '"', "'", "[", "]", "{", "}", ",", "|\n", ">\n", "---\n", "...\n", "\u2028",
     "\x85", "\t", ": ", "- ", "? ", "*a", "!t ", "0", " "]
)  # fmt: skip
CHANGES = st.tuples(st.floats(0, 1), st.integers(0, 40), st.lists(PIECES, max_size=3).map("".join))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@example(base="", changes=[(0.5, 3, "  - 1\n")])
@given(base=st.lists(PIECES, max_size=8).map("".join), changes=st.lists(CHANGES, min_size=1, max_size=3))
def test_any_edit(tmp_path, base, changes):
    """Also for text that is not YAML."""
    file, now = tmp_path / "site.yaml", base or TEXT
    assert_alike(file, now)
    for where, removed, put in changes:
        at = int(where * len(now))
        now = now[:at] + put + now[at + removed :]
        assert_alike(file, now)
