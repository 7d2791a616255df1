"""Every block of the README that shows a file or a report shows what netplan really prints."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from netplan.pipeline import compile_texts
from netplan.report import finding_text, ordered, summary_text
from tests.inventories import compiled, outputs, text_of

README = Path(__file__).resolve().parent.parent / "README.md"
SHOWN = re.findall(r"<!-- from (\S+) -->\n```\w+\n(.*?)```", README.read_text(), re.DOTALL)
MISTAKES = re.search(r"<!-- output of netplan validate.*?-->\n```\n(.*?)\n```", README.read_text(), re.DOTALL)


@pytest.mark.parametrize(("path", "block"), SHOWN, ids=[path for path, _ in SHOWN])
def test_block_stands_in_its_file(path, block):
    if path.startswith("build/minimal/"):
        text = outputs(compiled("minimal"))[path.removeprefix("build/minimal/")]
    else:
        text = (README.parent / path).read_text()
    assert block in text


def test_the_readme_shows_files_of_every_part():
    assert {path.split("/")[2] for path, _ in SHOWN if path.startswith("build/")} == {
        "kubernetes",
        "hosts",
        "pods",
        "switches",
    }


def test_the_report_is_what_is_printed():
    text = (
        text_of("minimal").replace("vfs: 4", "vfs: 400").replace("        dscp: 26\n", "        dscp: 48\n")
    )
    result = compile_texts({"site.yaml": text})
    assert result.document is not None
    line_of = result.document.places.sources.line
    printed = [finding_text(d, line_of, False) for d in ordered(result.diagnostics)]
    assert MISTAKES is not None
    assert MISTAKES[1] == "\n".join([*printed, summary_text(result)])
