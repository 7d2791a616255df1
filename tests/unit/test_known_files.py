"""Files of switches that an earlier run rendered: the tree is always that of a run without a cache."""

from __future__ import annotations

import re
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

import pytest

from netplan import pipeline, program, user_cache
from netplan.load import load_texts
from netplan.model.alike import own_values, shape_of
from netplan.model.artifact import Artifact, KnownArtifact
from netplan.model.options import DEFAULTS, Options
from netplan.pipeline import Result, compile_texts
from netplan.render import known, switches
from tests import own_nos
from tests.cli_runs import netplan
from tests.inventories import compiled, text_of
from tests.mutations import KINDS, mutated

NAMES = ["iei-rocev2", "l3-to-host"]
LINK = '{switches: leaf-1, ports: "swp[33-36]", to: spine-1, to_ports: "swp[1-4]", cable_m: 30}'
FEW = 3
"""Mutations of one kind."""


@pytest.fixture(autouse=True)
def small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Sites of tests are large enough."""
    monkeypatch.setenv("NETPLAN_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr(known, "LARGE", 1)
    monkeypatch.chdir(tmp_path)


def run(text: str, options: Options = DEFAULTS) -> Result:
    Path("site.yaml").write_text(text, encoding="utf-8")
    return pipeline.run(["site.yaml"], options)


def known_paths(result: Result) -> list[str]:
    return [a.path for a in result.artifacts if isinstance(a, KnownArtifact)]


def rows(result: Result) -> list[tuple[object, ...]]:
    return [(a.path, a.text, a.sha256, a.kind, a.entities, a.executable) for a in result.artifacts]


def alone(text: str) -> list[tuple[object, ...]]:
    """What a run without a cache gives, with digests of the texts themselves."""
    made = compile_texts({"site.yaml": text}).artifacts
    return [
        (a.path, a.text, Artifact(a.path, a.text, a.kind).sha256, a.kind, a.entities, a.executable)
        for a in made
    ]


@pytest.mark.parametrize("name", NAMES)
def test_a_second_run_knows_each_switch_and_says_the_same(name: str) -> None:
    first, again = run(text_of(name)), run(text_of(name))
    files = [a.path for a in first.artifacts if a.kind == "switches"]
    assert known_paths(first) == []
    assert [*known_paths(again)] == [
        path for path in files if not path.endswith("/cabling.csv") and path != "switches/README.md"
    ]
    assert rows(again) == rows(first) == alone(text_of(name))
    assert again.checked == first.checked
    assert again.diagnostics == first.diagnostics


@pytest.mark.sample(6)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", NAMES)
def test_any_edit_gives_what_a_run_without_a_cache_gives(name: str, kind: str) -> None:
    data = load_texts({"": text_of(name)}).data
    every = list(KINDS[kind](data))
    run(text_of(name))
    for mutation in every[:: max(1, len(every) // FEW)]:
        text = mutated(data, mutation)
        assert rows(run(text)) == alone(text), mutation.id


@pytest.mark.parametrize(
    ("old", "new", "rendered"),
    [
        ("hosts:\n", "hosts:\n  gpu-01: {hcas: {roce0: {netdev: other0}}}\n", set()),
        (LINK, LINK.replace("30", "40"), {"leaf-1", "spine-1"}),
    ],
    ids=["a host's interface", "a cable"],
)
def test_only_switches_whose_plan_changed_are_rendered(old: str, new: str, rendered: set[str]) -> None:
    text = text_of("l3-to-host")
    run(text)
    assert old in text
    changed = run(text.replace(old, new, 1))
    of_nos = [a for a in changed.artifacts if re.fullmatch("switches/.+/README.md", a.path)]
    assert {a.path.split("/")[1] for a in of_nos if not isinstance(a, KnownArtifact)} == rendered
    assert any(isinstance(a, KnownArtifact) for a in of_nos)


def test_a_text_is_rendered_where_the_directory_lacks_it() -> None:
    Path("site.yaml").write_text(text_of("iei-rocev2"), encoding="utf-8")
    netplan("render", "site.yaml", "-o", "out", "--no-cache")
    before = {path: path.read_bytes() for path in Path("out").rglob("*") if path.is_file()}
    lost = next(path for path in before if path.name == "README.md" and path.parent.parent.name == "switches")
    lost.unlink()
    edited = next(path for path in before if path.suffix == ".json" and "switches" in path.parts)
    edited.write_text("{}")
    status, out, _ = netplan("render", "site.yaml", "-o", "out", "--check", "--no-cache")
    assert status == 1
    assert str(lost.relative_to("out")) in out
    assert netplan("render", "site.yaml", "-o", "out", "--no-cache")[0] == 0
    assert {path: path.read_bytes() for path in before} == before


DAMAGE: dict[str, Any] = {
    "empty": b"",
    "not-its-digest": b"x" * 40,
    "of-others": None,
    "of-another": ("1", {}, 2),
}


@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE)
def test_damage_costs_time_only(tmp_path: Path, damage: bytes | tuple[object, ...] | None) -> None:
    text = text_of("iei-rocev2")
    first = rows(run(text))
    (place,) = (tmp_path / "cache" / "switches").iterdir()
    if damage is None:
        place.parent.chmod(0o777)
    elif isinstance(damage, tuple):
        user_cache.store_object(place, damage, 1 << 20, 1)
    else:
        place.write_bytes(damage)
    again = run(text)
    assert known_paths(again) == []
    assert rows(again) == first


def test_another_program_another_site_and_templates_of_a_site_know_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    text = text_of("iei-rocev2")
    site = compiled("iei-rocev2").fabric.site  # type: ignore[union-attr]
    run(text)
    assert known_paths(run(text))
    assert known_paths(run(text, Options(nos_dir=str(own_nos.written(Path("nos").absolute()))))) == []
    assert known_paths(run(text.replace(f"site: {site}", "site: elsewhere"))) == []
    monkeypatch.setattr(program, "digest", lambda: "another")
    assert known_paths(run(text)) == []


def test_files_with_something_wrong_are_not_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(switches._LAYOUTS, "json", lambda text: "{")
    assert {d.code for d in run(text_of("iei-rocev2")).diagnostics} >= {"NP901"}
    assert not (tmp_path / "cache" / "switches").exists()


def _dataclasses(value: Any) -> list[Any]:
    below: list[Any] = []
    if is_dataclass(value):
        below = [
            value,
            *(part for f in fields(value) if f.name != "at" for part in _dataclasses(getattr(value, f.name))),
        ]
    elif isinstance(value, tuple | list):
        below = [part for each in value for part in _dataclasses(each)]
    return below


@pytest.mark.parametrize("name", ["multi-vendor", "l3-to-host", "kitchen-sink"])
def test_the_digest_is_of_all_that_is_compared(name: str) -> None:
    """It is made of the ``repr`` of a shape: each field that is compared stands there, and no address of an
    object."""
    plan = compiled(name).plan
    assert plan is not None
    for switch in plan.switches:
        shape = shape_of(switch, own_values(switch))
        assert " at 0x" not in repr(shape)
        for each in _dataclasses(shape):
            assert [f.name for f in fields(each) if f.compare] == [f.name for f in fields(each) if f.repr]
