"""The manual: its console blocks show real output, its links are valid, every page is in the navigation."""

from __future__ import annotations

import re
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from netplan.cli import program
from netplan.load import load_texts
from netplan.model.inventory_schema import inventory_schema
from netplan.schema import validate
from tools import console, manual

ROOT = Path(__file__).resolve().parent.parent
SHOWN = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
FENCE = re.compile(r"^```(?P<language>\w+)(?: title=.*)?\n(?P<text>.*?)^```$", re.DOTALL | re.MULTILINE)
CALL = re.compile(r"(?:^|\| *)netplan (?P<rest>[a-z]+\b[^|>#;&`\n]*)", re.MULTILINE)


def name_of(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def blocks(*languages: str) -> Iterator[tuple[str, str]]:
    for page in SHOWN:
        for found in FENCE.finditer(page.read_text(encoding="utf-8")):
            part = found["text"].startswith(" ")  # an excerpt from the middle of a file
            if found["language"] in languages and not part:
                yield name_of(page), found["text"]


@pytest.mark.parametrize("page", console.pages(), ids=name_of)
def test_a_page_shows_what_is_printed(page):
    text = page.read_text(encoding="utf-8")
    assert console.renewed(text) == text, "run make docs and read git diff"


def test_other_output_is_noticed():
    commands = "$ netplan init > a.yaml\n$ netplan validate a.yaml | cat\nall is well\n$ echo $?\n1\n"
    new = console.renewed(f"```console\n{commands}```\n")
    assert "all is well" not in new
    assert new.endswith("$ echo $?\n0\n```\n")
    assert "0 errors, 0 warnings" in new
    assert console.renewed(new) == new


def test_a_file_of_a_page_is_there_for_its_commands():
    file, command = (
        'yaml title="a.yaml"\nversion: 2',
        "console\n$ netplan validate a.yaml 2>&1 | grep -c NP013",
    )
    page = f"```{file}\n```\n\n```{command}\n```\n"
    assert console.renewed(page).endswith("grep -c NP013\n1\n```\n")


@pytest.mark.parametrize(
    "command", ["true && netplan validate a.yaml", "ssh leaf-1 reboot", "cat a | kubectl apply -f -"]
)
def test_a_page_runs_netplan_and_looks_at_files_and_nothing_else(command):
    with pytest.raises(ValueError, match=r"a console block runs (netplan|ssh|kubectl):"):
        console.renewed(f"```console\n$ {command}\n```\n")


def test_the_commands_of_other_blocks_exist_with_their_options():
    seen = 0
    for page, text in blocks("sh", "bash"):
        for found in CALL.finditer(text.replace("\\\n", " ")):
            name, *arguments = shlex.split(found["rest"])
            command = program.commands[name]
            context = click.Context(command, info_name=name, **program.context_settings)
            try:
                command.make_parser(context).parse_args(arguments)
            except click.UsageError as error:
                pytest.fail(f"{page}: netplan {found['rest']}: {error.message}")
            seen += 1
    assert seen > 20


def test_parts_of_inventories_follow_the_schema():
    keys, seen = set(inventory_schema()["properties"]), 0
    for page, text in blocks("yaml"):
        document = load_texts({page: text})
        assert [d.message for d in document.problems if d.code != "NP007"] == [], page
        if isinstance(document.data, dict) and document.data and set(document.data) <= keys:
            removed = page == "docs/overlays.md"  # in an overlay, null removes a key
            wrong = [d.message for d in validate(document.data) if d.code != "NP012" and not removed]
            assert wrong == [], page
            seen += 1
    assert seen > 5


def test_every_page_is_in_the_navigation_and_no_link_is_dead():
    problems: list[str] = []
    files = manual.staged(ROOT, problems)
    assert problems == []
    assert {"README.md", "CONTRIBUTING.md", "docs/pictures/rails.svg", "schemas/report.schema.json"} <= files


@pytest.fixture
def small(tmp_path, monkeypatch) -> Path:
    configuration = (ROOT / "mkdocs.yml").read_text(encoding="utf-8").partition("nav:")[0]
    (tmp_path / "mkdocs.yml").write_text(f"{configuration}nav:\n  - README.md\n  - docs/a.md\n")
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "a.md").write_text("# A\n\n[home](../README.md)\n")
    (tmp_path / "README.md").write_text(
        "# Home\n\n[A](docs/a.md#a), `[no](link.md)`\n\n```text\n[no](link.md)\n```\n"
    )
    monkeypatch.setattr(sys, "argv", ["manual.py"])
    return tmp_path


def test_a_manual_is_built(small):
    assert manual.main(small) == 0
    assert "docs/a.html#a" in (small / "build" / "manual" / "index.html").read_text()


@pytest.mark.parametrize(
    ("file", "text", "said"),
    [
        ("docs/b.md", "# B", "docs/b.md: not in nav of mkdocs.yml"),
        ("docs/a.md", "[x](c.md)", "docs/a.md: c.md is not a file of the repository"),
        ("docs/a.md", "[x](../../etc/passwd)", "docs/a.md: ../../etc/passwd is not a file of the repository"),
        ("README.md", "[x](docs/a.md#nowhere)", "anchor does not exist"),
    ],
)
def test_what_is_wrong_with_pages_fails_the_build(small, capsys, file, text, said):
    (small / file).write_text(f"{text}\n")
    assert manual.main(small) == 1
    assert said in re.sub(r"\x1b\[[0-9;]*m", "", capsys.readouterr().out)
