"""Every excerpt in the README matches its file; tests/test_manual.py runs the commands."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.inventories import compiled, outputs

README = Path(__file__).resolve().parent.parent / "README.md"
SHOWN = re.findall(r"<!-- from (\S+) -->\n```\w+\n(.*?)```", README.read_text(), re.DOTALL)


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
