"""The generated documentation: written, compared, in step with the code."""

from __future__ import annotations

import sys

import pytest

from tools import docs

NAMES = ["checks.md", "cli.md", "coverage.md", "edits.md", "nos-support.md", "schema.md"]


@pytest.fixture
def folder(monkeypatch, tmp_path):
    monkeypatch.setattr(docs, "DOCS", tmp_path / "docs")
    return tmp_path / "docs"


def run(monkeypatch, *arguments: str) -> int:
    monkeypatch.setattr(sys, "argv", ["docs.py", *arguments])
    return docs.main()


def test_check_writes_nothing(monkeypatch, folder):
    assert run(monkeypatch, "--check") == 1
    assert not folder.exists()


def test_written_pages_are_in_step(monkeypatch, folder):
    assert run(monkeypatch) == 0
    assert sorted(path.name for path in folder.iterdir()) == NAMES
    assert run(monkeypatch, "--check") == 0


@pytest.mark.parametrize("name", NAMES)
def test_an_edited_page_is_out_of_date(monkeypatch, folder, capsys, name):
    run(monkeypatch)
    capsys.readouterr()
    with (folder / name).open("a") as page:
        page.write("more\n")
    assert run(monkeypatch, "--check") == 1
    assert capsys.readouterr().out == f"docs/{name}: out of date, run python tools/docs.py\n"


@pytest.mark.parametrize("name", NAMES)
def test_the_repository_is_in_step(name):
    text = (docs.DOCS / name).read_text(encoding="utf-8")
    assert text == docs.page_text(name)
