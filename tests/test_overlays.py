"""Overlays add, replace and remove values, and every value keeps its place in the files."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from netplan.load import load_texts
from netplan.model.document import Document
from netplan.model.inventory_schema import inventory_schema
from netplan.pipeline import compile_texts
from netplan.show.origin import origin_in
from tests.cli_runs import netplan
from tests.inventories import FOLDER

BASE, OVER = "base.yaml", "over.yaml"
ENVIRONMENTS = FOLDER / "overlays" / "iei-rocev2"


def laid(base: str, *overlays: str) -> Document:
    named = [{OVER if number == 0 else f"over-{number}.yaml": text} for number, text in enumerate(overlays)]
    return load_texts({BASE: base}, named)


def notes(document: Document) -> list[str]:
    return [f"{p.source} {p.code} {p.message}" for p in document.problems]


@pytest.mark.parametrize(
    ("over", "data"),
    [
        pytest.param("a: 2", {"a": 2, "b": {"c": [1, 2], "d": {"e": 1}}}, id="a value replaces"),
        pytest.param(
            "b: {d: {f: 2}}", {"a": 1, "b": {"c": [1, 2], "d": {"e": 1, "f": 2}}}, id="maps are merged"
        ),
        pytest.param("b: {c: [3]}", {"a": 1, "b": {"c": [3], "d": {"e": 1}}}, id="a list is replaced"),
        pytest.param("b: {d: null}", {"a": 1, "b": {"c": [1, 2]}}, id="null removes"),
        pytest.param("b: 7", {"a": 1, "b": 7}, id="a value in place of a map"),
        pytest.param(
            "a: {x: null, y: 1}",
            {"a": {"y": 1}, "b": {"c": [1, 2], "d": {"e": 1}}},
            id="a map in place of a value",
        ),
        pytest.param(
            "n: {o: {p: null}}", {"a": 1, "b": {"c": [1, 2], "d": {"e": 1}}, "n": {"o": {}}}, id="new maps"
        ),
    ],
)
def test_what_an_overlay_does(over: str, data: Any) -> None:
    assert laid("a: 1\nb:\n  c: [1, 2]\n  d: {e: 1}\n", over).data == data


def test_the_last_overlay_has_the_say() -> None:
    document = laid("a: 1\nb: 1\n", "a: 2\nb: null\n", "a: 3\nb: 4\n")
    assert document.data == {"a": 3, "b": 4}
    assert str(document.locate(("a",))) == "over-1.yaml:1:1"


@pytest.mark.parametrize("before", range(40))
def test_an_overlay_has_its_say_after_others_that_change_nothing(before: int) -> None:
    """Maps of an overlay are freed when the next one is read, and a later map may get the same identity."""
    document = laid("a: {b: 0}\n", *["a: {b: 0}\n"] * before, "a: {b: 1}\n")
    assert document.data == {"a": {"b": 1}}


def test_an_overlay_does_not_reach_through_an_alias() -> None:
    """Two values that share an alias in the base differ after the overlay."""
    document = laid("a: &x {m: 1}\nb: *x\n", "b: {m: 2}")
    assert document.data == {"a": {"m": 1}, "b": {"m": 2}}
    assert str(document.locate(("a", "m"))) == "base.yaml:1:8"


def test_entries_of_accept_are_told_apart_by_check_and_place() -> None:
    base = "accept:\n- {check: NP404, at: rails, reason: a}\n- {check: NP405, at: rails, reason: b}\n"
    document = laid(
        base,
        "accept:\n- {check: NP405, at: rails, until: '2027-01-01'}\n- {check: NP406, at: rails, reason: c}\n",
    )
    assert document.data["accept"] == [
        {"check": "NP404", "at": "rails", "reason": "a"},
        {"check": "NP405", "at": "rails", "reason": "b", "until": "2027-01-01"},
        {"check": "NP406", "at": "rails", "reason": "c"},
    ]
    files = [document.locate(("accept", place)).file for place in range(3)]  # type: ignore[union-attr]
    assert files == [BASE, BASE, OVER]
    assert str(document.locate(("accept", 1, "until"))) == "over.yaml:2:29"


@pytest.mark.parametrize(
    ("over", "said"),
    [
        ("a: 1", ["over.yaml:1:1 NP024 a changes nothing: base.yaml:1:1 has it already"]),
        ("b: {c: [1, 2], d: {}}", ["over.yaml:1:1 NP024 b changes nothing: base.yaml:2:1 has it already"]),
        (
            "a: 1\nb: {c: [1, 2]}",
            ["over.yaml:1:1 NP024 (top level) changes nothing: base.yaml:1:1 has it already"],
        ),
        ("a: 2\nb: {c: [1, 2]}", ["over.yaml:2:5 NP024 b.c changes nothing: base.yaml:3:3 has it already"]),
        ("b: {x: null}", ["over.yaml:1:5 NP024 null removes nothing: b.x does not exist"]),
        ("a: 1.0", []),
        ("a: true", []),
    ],
)
def test_what_changes_nothing_is_a_note(over: str, said: list[str]) -> None:
    assert notes(laid("a: 1\nb:\n  c: [1, 2]\n  d: {e: 1}\n", over)) == said


def test_an_overlay_that_is_no_map_or_no_yaml() -> None:
    assert [n.split(":", 3)[0:2] for n in notes(laid("a: 1", "- 1"))] == [[OVER, "1"]]
    assert [p.code for p in laid("a: 1", "- 1").problems] == ["NP007"]
    assert [p.code for p in laid("a: 1", "a: [1").problems] == ["NP001"]
    assert laid("a: 1", "").data == {"a": 1}


def test_what_aliases_expand_to_is_merged_once() -> None:
    """Each level has the one below twice: merging each place separately would take 2^15 maps."""
    levels = "".join(f"l{n}: &l{n} {{a: *l{n - 1}, b: *l{n - 1}}}\n" for n in range(1, 16))
    text = f"l0: &l0 {{x: 1}}\n{levels}"
    document = laid(text, text.replace("x: 1", "x: 2"))
    assert document.data["l15"]["a"]["b"]["a"]["b"]["a"] is not None
    assert len(document.problems) <= 1


KEYS = st.sampled_from("abcd")
TREES = st.recursive(
    st.one_of(st.integers(0, 3), st.booleans(), st.sampled_from(["x", "y"])),
    lambda inner: st.one_of(st.dictionaries(KEYS, inner, max_size=4), st.lists(inner, max_size=3)),
    max_leaves=12,
)
MAPS = st.dictionaries(KEYS, TREES, max_size=4)
OVERLAYS = st.dictionaries(
    KEYS, st.recursive(TREES | st.none(), lambda i: st.dictionaries(KEYS, i, max_size=3)), max_size=4
)


def merged(under: Any, over: Any) -> Any:
    """JSON merge patch, RFC 7396 section 2."""
    if not isinstance(over, dict):
        return over
    found = deepcopy(under) if isinstance(under, dict) else {}
    for key, value in over.items():
        if value is None:
            found.pop(key, None)
        else:
            found[key] = merged(found.get(key), value)
    return found


def leaves(value: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[tuple[str | int, ...], Any]]:
    if isinstance(value, dict | list) and value:
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from leaves(inner, (*path, key))
    else:
        yield path, value


@settings(max_examples=150, deadline=None)
@given(MAPS, OVERLAYS, OVERLAYS)
def test_it_is_a_merge_patch_and_each_value_stands_where_it_is_written(
    base: Any, one: Any, other: Any
) -> None:
    texts = [yaml.safe_dump(each, sort_keys=False) for each in (base, one, other)]
    document = laid(*texts)
    if not base:
        return
    assert document.data == merged(merged(base, one), other)
    written = dict(zip((BASE, OVER, "over-1.yaml"), texts, strict=True))
    for path, value in leaves(document.data):
        source = document.locate_value(path)
        assert source is not None
        text = written[source.file].splitlines()[source.line - 1][source.column - 1 :]
        if path and not isinstance(value, dict | list):
            assert yaml.safe_load(text.rstrip(",}]")) == value


def keys_of_the_schema() -> Iterator[tuple[str, ...]]:
    """Keys of the top two levels."""
    for name, section in inventory_schema()["properties"].items():
        yield (name,)
        yield from ((name, key) for key in section.get("properties", {}))
        if section.get("type") == "object" and not section.get("properties"):
            yield (name, "one")


@pytest.mark.parametrize("path", [*keys_of_the_schema()], ids=".".join)
def test_the_origin_of_what_an_overlay_states(path: tuple[str, ...]) -> None:
    """Every other value keeps the file of the base."""
    base: dict[str, Any] = {}
    for name, *rest in keys_of_the_schema():
        if rest:
            base.setdefault(name, {})[rest[0]] = "below"
        else:
            base.setdefault(name, {"one": "below"})
    over: Any = "above"
    for key in reversed(path):
        over = {key: over}
    document = laid(yaml.safe_dump(base), yaml.safe_dump(over))
    for other in keys_of_the_schema():
        source = document.locate_value(other)
        assert source is not None
        stated = other[: len(path)] == path or (len(other) == 1 and other == path)
        assert source.file == (OVER if stated else BASE), other


def states(overlay: Any, path: tuple[str | int, ...]) -> bool:
    """Whether an overlay states the value at a path, directly or within a list."""
    for part in path:
        if isinstance(overlay, list):
            return True
        if not isinstance(overlay, dict) or part not in overlay:
            return False
        overlay = overlay[part]
    return overlay is not None


@pytest.mark.parametrize("environment", ["dev", "stage", "prod"])
def test_environments_of_one_inventory(environment: str) -> None:
    """Each renders without a warning; its own values have their origin there, all others in the base."""
    base, over = FOLDER / "iei-rocev2.yaml", ENVIRONMENTS / f"{environment}.yaml"
    result = compile_texts({base.name: base.read_text()}, overlays=[{over.name: over.read_text()}])
    assert result.artifacts
    assert not [d for d in result.diagnostics if d.severity or d.code == "NP024"]
    assert result.document is not None
    origin = origin_in(result.document)
    stated = [
        path for path, value in leaves(yaml.safe_load(over.read_text())) if value is not None and value != {}
    ]
    assert stated
    for path in stated:
        if all(isinstance(part, str) for part in path):
            assert str(result.document.locate(path)).startswith(f"{over.name}:"), path
    names = {True: over.name, False: base.name}
    laid = yaml.safe_load(over.read_text())
    for path, _ in leaves(result.document.data):
        source = result.document.locate_value(path)
        assert source is not None
        assert source.file == names[states(laid, path)], path
    assert origin(("site",), f"iei-rocev2-{environment}").startswith(f"{over.name}:")
    assert origin(("fabric", "type"), "roce").startswith(f"{base.name}:")


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NETPLAN_CACHE_DIR", str(tmp_path / "cache"))
    (tmp_path / BASE).write_text((FOLDER / "minimal.yaml").read_text())
    for name, text in (("dev.yaml", "site: dev\n"), ("prod.yaml", "site: prod\nfabric: {mtu: 4200}\n")):
        (tmp_path / name).write_text(text)
    return tmp_path


def test_show_names_the_file_of_each_value(files: Path) -> None:
    status, out, _ = netplan("show", BASE, "fabric", "--overlay", "prod.yaml")
    assert status == 0
    assert re.search(r"mtu: +4200 +# prod.yaml:2", out), out
    assert re.search(r"type: +roce +# base.yaml:", out), out


def test_a_finding_points_into_the_overlay(files: Path) -> None:
    (files / "prod.yaml").write_text("fabric:\n  mtu: 99\n")
    status, _, err = netplan("validate", BASE, "--overlay", "prod.yaml")
    assert status == 1
    assert "\nprod.yaml:2:3: error NP015 fabric.mtu: 99 is outside" in err


def test_a_render_remembers_overlays_too(files: Path) -> None:
    render = ("render", BASE, "--overlay", "prod.yaml", "-o", "out")
    assert netplan(*render)[0] == 0
    assert "changed 0," in netplan(*render)[1]
    (files / "prod.yaml").write_text("site: prod\nfabric: {mtu: 4096}\n")
    assert "changed 0," not in netplan(*render)[1]
    assert (
        '"mtu": 4096'
        in (files / "out/kubernetes/30-networks/network-attachments/training/rail.yaml").read_text()
    )


@pytest.mark.parametrize(
    ("words", "changes"),
    [
        ((BASE, "--overlay", "dev.yaml", BASE, "--overlay=prod.yaml"), "dev -> prod"),
        ((BASE, BASE, "--overlay", "prod.yaml"), "minimal -> prod"),
        ((BASE, "--overlay", "prod.yaml", "--overlay", "dev.yaml", BASE), "dev -> minimal"),
        (("--overlay", "dev.yaml", BASE, BASE), "nothing changes"),
        (("--overlay", "dev.yaml", BASE, "--format", "text", BASE, "--overlay", "prod.yaml"), "dev -> prod"),
    ],
)
def test_diff_binds_each_overlay_to_the_inventory_before_it(
    files: Path, words: tuple[str, ...], changes: str
) -> None:
    assert changes in netplan("diff", *words)[1]


def test_diff_takes_overlays_of_a_revision(files: Path) -> None:
    for words in (
        ["init", "-q"],
        ["add", "."],
        ["-c", "user.name=n", "-c", "user.email=e", "commit", "-qm", "c"],
    ):
        subprocess.run(["git", *words], cwd=files, check=True)
    (files / "prod.yaml").write_text("site: next\n")
    new = (BASE, "--overlay", "prod.yaml")
    assert "prod -> next" in netplan("diff", "HEAD:base.yaml", "--overlay", "HEAD:prod.yaml", *new)[1]
    assert "dev -> next" in netplan("diff", "HEAD:base.yaml", "--overlay", "dev.yaml", *new)[1]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("trace", "--rendered", "out", "--matrix", "--overlay", "dev.yaml"), "requires an inventory"),
        (("validate", "--rendered", "out", "--overlay", "dev.yaml"), "requires an inventory"),
        (("diff", "out", "--overlay", "dev.yaml", BASE), "--overlay requires an inventory, out is rendered"),
        (("validate", BASE, "--overlay", "nowhere.yaml"), "'nowhere.yaml' does not exist"),
        (("validate", "-", "--overlay", "-"), "standard input can be read once"),
        (("validate", BASE, "--overlay", "-", "--overlay", "-"), "standard input can be read once"),
    ],
)
def test_what_an_overlay_needs(files: Path, words: tuple[str, ...], said: str) -> None:
    assert netplan("render", BASE, "-o", "out")[0] == 0
    status, _, err = netplan(*words)
    assert status == 2
    assert said in " ".join(err.split())
