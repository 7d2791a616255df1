from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.golden_tree import DIGESTS, condensed, differences, read_tree, write_tree

STORED = {"a.txt": "one\ntwo\n", "sub/b.txt": ""}


def test_equal_trees_have_no_differences():
    assert list(differences(STORED, dict(STORED))) == []


@pytest.mark.parametrize(
    ("produced", "expected"),
    [
        pytest.param({"a.txt": "one\nTWO\n", "sub/b.txt": ""}, ["-two\n", "+TWO\n"], id="changed line"),
        pytest.param(
            {"a.txt": "one\ntwo", "sub/b.txt": ""},
            ["-two\n", "+two\n\\ No newline at end of file\n"],
            id="last newline",
        ),
        pytest.param(
            {"a.txt": "one\r\ntwo\n", "sub/b.txt": ""}, ["-one\n", "+one\r\n", " two\n"], id="carriage return"
        ),
        pytest.param({"a.txt": STORED["a.txt"]}, ["not produced: sub/b.txt\n"], id="missing, though empty"),
        pytest.param({**STORED, "c": ""}, ["not in golden: c\n"], id="extra, though empty"),
    ],
)
def test_differences(produced: dict[str, str], expected: list[str]):
    assert list(differences(STORED, produced))[-len(expected) :] == expected


def test_a_folder_that_is_not_there_reads_as_empty(tmp_path: Path):
    assert read_tree(tmp_path / "nowhere") == {}


def test_writing_keeps_the_bytes(tmp_path: Path):
    write_tree(tmp_path, {"a": "x\r\ny"})
    assert (tmp_path / "a").read_bytes() == b"x\r\ny"


def test_writing_removes_other_files_and_empty_folders(tmp_path: Path):
    write_tree(tmp_path, {"old/deep/a": "1", "kept/b": "2"})
    write_tree(tmp_path, {"kept/b": "3"})
    assert sorted(path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*")) == ["kept", "kept/b"]


@pytest.mark.parametrize(("before", "after"), [("a", "a/b"), ("a/b", "a")])
def test_a_file_may_become_a_folder_and_back(tmp_path: Path, before: str, after: str):
    write_tree(tmp_path, {before: "1"})
    write_tree(tmp_path, {after: "2"})
    assert read_tree(tmp_path) == {after: "2"}


def test_what_another_file_shows_is_a_digest_that_still_tells_a_change() -> None:
    row = {"nos": "sonic", "role": "leaf"}
    site = json.dumps({"switches": {"a": row, "b": row, "c": {**row, "role": "spine"}}})
    tree = {"site.json": site, "pods/x/run.sh": "1\n"} | {f"switches/{name}/x.txt": "1\n" for name in "abc"}
    frozen = condensed("other", tree)
    assert frozen.keys() == {"site.json", "switches/a/x.txt", "switches/c/x.txt", DIGESTS}
    assert [line.split()[1] for line in frozen[DIGESTS].splitlines()] == ["pods/x/run.sh", "switches/b/x.txt"]
    assert "pods/x/run.sh" in condensed("iei-rocev2", tree)
    for path in tree.keys() - {"site.json"}:
        changed = condensed("other", {**tree, path: "2\n"})
        assert list(differences(frozen, changed)), path
    assert list(differences(frozen, condensed("other", {**tree, "switches/b/y.txt": ""})))
    alone = {"site.json": json.dumps({"switches": {}}), "hosts/x": ""}
    assert condensed("other", alone) == alone
