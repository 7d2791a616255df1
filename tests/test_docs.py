"""The generated documentation: written, compared, in step with the code."""

from __future__ import annotations

import sys
from xml.etree import ElementTree

import pytest

from tools import docs

PAGES = ["checks.md", "cli.md", "coverage.md", "edits.md", "nos-support.md", "schema.md"]
FAMILIES = [f"checks/np{area}xx.md" for area in range(10)]
PICTURES = [f"pictures/{name}.svg" for name in ("addresses", "headroom", "lossless", "owners", "pod-routing")]
NAMES = [*PAGES, *FAMILIES, *PICTURES, "pictures/proof.svg", "pictures/rails.svg"]


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
    assert sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.*")) == sorted(NAMES)
    assert run(monkeypatch, "--check") == 0


@pytest.mark.parametrize("name", ["checks.md", "checks/np4xx.md", "pictures/rails.svg"])
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


def test_a_picture_is_xml_whose_text_is_inside_it():
    for name in PICTURES:
        root = ElementTree.fromstring(docs.page_text(name))
        texts = root.findall("{http://www.w3.org/2000/svg}text")
        assert len(texts) > 5, name
        assert all(0 <= float(text.attrib["x"]) < float(root.attrib["width"]) for text in texts), name
        assert all(0 < float(text.attrib["y"]) < float(root.attrib["height"]) for text in texts), name


def test_every_key_with_a_value_has_an_example():
    rows = [line.split(" | ") for line in docs.page_text("schema.md").splitlines() if line.startswith("| `")]
    assert len(rows) > 250
    without = [row[0] for row in rows if row[-1] == " |" and not row[1].startswith(("object", "array"))]
    assert without == []
