"""``render`` compiles nothing if nothing changed, and prints the same output."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from netplan import program
from netplan.model.artifact import Artifact
from tests.cli_runs import ARTIFACTS, ERROR, NOTE, SITE, WARNING, netplan, pipeline_gives, result

Calls = list[dict[str, Any]]
RENDER = ("render", "site.yaml", "-o", "out")


@pytest.fixture(autouse=True)
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("NETPLAN_CACHE_DIR", str(tmp_path / "cache"))
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    Path("site.yaml").write_text(SITE)
    Path("nos/own").mkdir(parents=True)
    Path("nos/own/nos.yaml").write_text("title: own\n")
    Path("releases.yaml").write_text("{}\n")
    Path("over.yaml").write_text("fabric: {mtu: 4000}\n")
    return tmp_path / "work"


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch) -> Calls:
    """Recorded arguments of each pipeline run; the runs find a warning and a note."""
    return pipeline_gives(monkeypatch, result(WARNING, NOTE))


FORMS = [
    (),
    ("--format", "json"),
    ("--format", "gitlab"),
    ("--quiet",),
    ("--color", "always"),
    ("--only", "hosts"),
]
FORMS += [("--check",), ("--check", "--format", "json"), ("--check", "--format", "sarif")]


@pytest.mark.parametrize("more", FORMS, ids=" ".join)
def test_an_answer_from_memory_is_that_of_a_run(compiled, more):
    netplan(*RENDER, *(word for word in more if word != "--check"))
    compiled.clear()
    answer = netplan(*RENDER, *more)
    assert compiled == []
    assert answer == netplan(*RENDER, *more, "--no-cache")
    assert len(compiled) == 1


def test_what_a_check_saw_is_remembered_too(compiled):
    netplan(*RENDER, "--no-cache")
    netplan(*RENDER, "--check")
    compiled.clear()
    assert netplan(*RENDER)[1] == "wrote 0, changed 0, removed 0, unchanged 3 in out\n"
    assert compiled == []


def _inventory() -> None:
    Path("site.yaml").write_text(SITE + "# a comment\n")


def _nos_folder() -> None:
    Path("nos/own/nos.yaml").write_text("title: another\n")


def _nos_folder_more() -> None:
    Path("nos/own/ports.j2").write_text("")


def _releases() -> None:
    Path("releases.yaml").write_text("[]\n")


def _overlay() -> None:
    Path("over.yaml").write_text("fabric: {mtu: 4100}\n")


def _edit() -> None:
    Path("out", ARTIFACTS[0].path).write_text("a = 2\n")


OPTIONS = ("--nos-dir", "nos", "--release-data", "releases.yaml", "--overlay", "over.yaml")


@pytest.mark.parametrize("change", [_inventory, _nos_folder, _nos_folder_more, _releases, _overlay, _edit])
def test_what_changed_is_compiled(compiled, change: Callable[[], None]):
    netplan(*RENDER, *OPTIONS)
    netplan(*RENDER, *OPTIONS)
    assert len(compiled) == 1
    change()
    netplan(*RENDER, *OPTIONS)
    assert len(compiled) == 2


@pytest.mark.parametrize(
    "more", [("--strict",), ("--ignore", "NP404"), ("--as-of", "2027-01-31"), ("--only", "hosts"), OPTIONS]
)
def test_other_options_are_another_question(compiled, more):
    netplan(*RENDER)
    netplan(*RENDER, *more)
    assert len(compiled) == 2


def test_another_netplan_compiles(compiled, monkeypatch):
    netplan(*RENDER)
    monkeypatch.setattr(program, "digest", lambda: "another")
    netplan(*RENDER)
    assert len(compiled) == 2


def test_the_program_is_its_code_its_data_and_its_libraries(monkeypatch):
    own = program.digest()
    program.digest.cache_clear()
    assert program.digest() == own
    for name, value in (("digest_of", lambda path: path.name), ("__version__", "0"), ("_LIBRARIES", ())):
        with monkeypatch.context() as patched:
            patched.setattr(program, name, value)
            program.digest.cache_clear()
            assert program.digest() != own
    program.digest.cache_clear()


@pytest.mark.parametrize("name", ["no-such-library", ""])
def test_a_library_without_a_version_is_no_question(compiled, monkeypatch, name):
    program.digest.cache_clear()
    monkeypatch.setattr(program, "_LIBRARIES", (name,))
    for _ in range(2):
        assert netplan(*RENDER)[0] == 0
    assert len(compiled) == 2
    program.digest.cache_clear()


def test_standard_input_is_read_each_time(compiled):
    for _ in range(2):
        netplan("render", "-", "-o", "out", input=SITE)
    assert len(compiled) == 2


def test_errors_are_found_each_time(monkeypatch):
    calls = pipeline_gives(monkeypatch, result(ERROR))
    assert [netplan(*RENDER)[0] for _ in range(2)] == [1, 1]
    assert len(calls) == 2


def test_a_check_that_finds_differences_is_made_each_time(compiled):
    assert [netplan(*RENDER, "--check")[0] for _ in range(2)] == [1, 1]
    assert len(compiled) == 2


def test_an_inventory_that_changed_while_it_was_compiled_is_not_remembered(monkeypatch):
    def run(*arguments: Any, **options: Any) -> Any:
        Path("site.yaml").write_text(SITE + "# edited\n")
        return result()

    monkeypatch.setattr("netplan.pipeline.run", run)
    netplan(*RENDER)
    Path("site.yaml").write_text(SITE)
    other = replace(result(), artifacts=(Artifact("hosts/new", "", "hosts"),))
    pipeline_gives(monkeypatch, other)
    assert netplan(*RENDER)[1].startswith("wrote 1, ")


def test_nothing_of_it_is_in_the_output_directory(compiled, work):
    netplan(*RENDER)
    found = sorted(
        path.relative_to(work / "out").as_posix() for path in (work / "out").rglob("*") if path.is_file()
    )
    assert found == ["hosts/gpu-001/sysctl.conf", "manifest.json", "switches/leaf-1/roce.txt"]
