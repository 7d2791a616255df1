"""What `netplan.write` rejects, and that nothing is then written or lost."""

from __future__ import annotations

import errno
import fcntl
import json
import os
from pathlib import Path

import pytest

from netplan.model.artifact import Artifact
from netplan.write import WriteError, compare, write

SWITCH = Artifact("switches/leaf-1/roce.json", "{}\n", "switches", ("switches.leaf-1",))
SCRIPT = Artifact("pods/train/rail-routes.sh", "#!/bin/sh\n", "pods", ("workloads.train",), executable=True)
HOST = Artifact("hosts/gpu/10.link", "[Match]\n", "hosts")
ALL = (SWITCH, SCRIPT, HOST)
CHANGED_SWITCH = Artifact(SWITCH.path, '{"a": 1}\n', "switches")


def tree_of(directory: Path) -> dict[str, str | None]:
    """Every path below ``directory`` with its text; None for a folder."""
    return {
        path.relative_to(directory).as_posix(): None if path.is_dir() else path.read_text()
        for path in sorted(directory.rglob("*"))
    }


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "out"


@pytest.fixture
def rendered(out: Path) -> Path:
    write(out, ALL, "ams1")
    return out


def test_foreign_files_at_our_paths_refuse_the_whole_run(out):
    (out / "hosts/gpu").mkdir(parents=True)
    (out / HOST.path).write_text("mine")
    (out / "switches/leaf-1").mkdir(parents=True)
    (out / SWITCH.path).write_text("mine too")
    before = tree_of(out)
    with pytest.raises(WriteError) as refusal:
        write(out, ALL, "ams1")
    assert refusal.value.paths == (HOST.path, SWITCH.path)
    assert refusal.value.message == (
        f"{out} holds files at rendered paths that netplan did not write: {HOST.path}, {SWITCH.path}; "
        "move or delete them, or use another directory"
    )
    assert tree_of(out) == before


def test_directory_of_another_site_is_refused(rendered):
    with pytest.raises(WriteError) as refusal:
        write(rendered, ALL, "fra2")
    assert refusal.value.message == f"{rendered} belongs to site ams1, not fra2; use another directory"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "not json",
        "[]",
        "[" * 100_000,
        '{"name": "a web application"}',
        '{"format": 1, "site": "ams1", "files": []}',
        '{"format": 1, "site": "ams1", "files": {"a": {}}}',
        '{"format": 1, "site": "ams1", "files": {"../a": {"kind": "a", "sha256": "b", "entities": []}}}',
        '{"format": 1, "site": "ams1", "files": {"a//b": {"kind": "a", "sha256": "b", "entities": []}}}',
    ],
    ids=["empty", "text", "list", "deep", "foreign", "files", "entry", "outside", "improper"],
)
@pytest.mark.parametrize("name", ["manifest.json", ".netplan-journal.json"])
def test_damaged_listing_is_refused_and_nothing_deleted(rendered, name, text):
    (rendered / name).write_text(text)
    before = tree_of(rendered)
    with pytest.raises(WriteError) as refusal:
        write(rendered, [], "ams1")
    assert refusal.value.paths == (name,)
    assert refusal.value.message == (
        f"{rendered / name} is damaged or not written by netplan; restore it from git, render into another "
        f"directory, or, when {rendered} holds rendered files only, delete it and render again"
    )
    assert tree_of(rendered) == before


def test_manifest_of_a_newer_format_is_refused(rendered):
    (rendered / "manifest.json").write_text(json.dumps({"format": 2, "site": "ams1", "files": {}}))
    with pytest.raises(
        WriteError, match=r"manifest\.json has format 2, this netplan reads 1; use the netplan that"
    ):
        write(rendered, ALL, "ams1")


@pytest.mark.parametrize(
    "path",
    ["", "/etc/passwd", "../a", "a/../b", "a//b", "a/", "./a", "a\\b", "a\nb", "a\x7f", "manifest.json",
     ".netplan-journal.json", "a/.netplan-tmp"],
)  # fmt: skip
def test_artifact_path_no_plan_may_make_is_a_bug(out, path):
    with pytest.raises(ValueError, match="is not a plain relative path"):
        compare(out, [Artifact(path, "", "a")], "ams1")


def test_two_artifacts_with_one_path_are_a_bug(out):
    with pytest.raises(ValueError, match="two artifacts have the same path"):
        compare(out, [HOST, HOST], "ams1")


def test_artifact_at_the_folder_of_another_is_a_bug(out):
    with pytest.raises(ValueError, match=r"'hosts' is also the directory of 'hosts/gpu/10\.link'"):
        compare(out, [HOST, Artifact("hosts", "", "hosts")], "ams1")


@pytest.mark.parametrize("link", ["hosts", "hosts/gpu", "hosts/gpu/10.link", "manifest.json"])
@pytest.mark.parametrize("artifacts", [ALL, ()], ids=["write", "remove"])
def test_symbolic_link_below_the_directory_is_refused(rendered, tmp_path, link, artifacts):
    moved = tmp_path / "elsewhere"
    (rendered / link).rename(moved)
    (rendered / link).symlink_to(moved)
    before = tree_of(tmp_path)
    with pytest.raises(WriteError) as refusal:
        write(rendered, artifacts, "ams1")
    assert refusal.value.paths == (link,)
    assert refusal.value.message == (
        f"{rendered / link} is a symbolic link; move it away or delete it, then render again"
    )
    assert tree_of(tmp_path) == before


def test_directory_itself_may_be_a_symbolic_link(out, tmp_path):
    (tmp_path / "real").mkdir()
    out.symlink_to("real")
    write(out, [HOST], "ams1")
    assert (tmp_path / "real" / HOST.path).read_text() == "[Match]\n"


def test_folder_at_the_place_of_a_file_is_refused(out):
    (out / HOST.path).mkdir(parents=True)
    with pytest.raises(WriteError, match=r"10\.link is a directory or a special file; move it away"):
        write(out, ALL, "ams1")


def test_fifo_at_the_place_of_a_file_is_refused_without_waiting(out):
    (out / "hosts/gpu").mkdir(parents=True)
    os.mkfifo(out / HOST.path)
    with pytest.raises(WriteError, match=r"10\.link is a directory or a special file; move it away"):
        write(out, ALL, "ams1")


def test_file_at_the_place_of_a_folder_is_refused(out):
    out.mkdir()
    (out / "hosts").write_text("mine")
    with pytest.raises(WriteError, match=r"hosts is not a directory; move it away"):
        write(out, ALL, "ams1")


@pytest.mark.parametrize("act", [compare, write])
def test_output_directory_that_is_a_file_is_refused(out, act):
    out.write_text("mine")
    with pytest.raises(WriteError) as refusal:
        act(out, ALL, "ams1")
    assert refusal.value.message == f"{out} is not a directory"


def test_second_writer_is_refused(rendered):
    descriptor = os.open(rendered, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        with pytest.raises(WriteError) as refusal:
            write(rendered, [], "ams1")
    finally:
        os.close(descriptor)
    assert refusal.value.message == f"another netplan is writing to {rendered}"
    assert (rendered / HOST.path).exists()


def test_file_system_without_directory_locks_is_still_written(out, monkeypatch):
    def refuse(descriptor: int, operation: int) -> None:
        raise OSError(errno.EBADF, "Bad file descriptor")

    monkeypatch.setattr(fcntl, "flock", refuse)
    assert write(out, [HOST], "ams1").added == (HOST.path, "manifest.json")


def test_full_disk_is_reported_and_loses_nothing(rendered, monkeypatch):
    def fail(descriptor: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    before = tree_of(rendered)
    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(WriteError) as failure:
        write(rendered, [CHANGED_SWITCH], "ams1")
    assert failure.value.message == (
        f"{rendered}/.netplan-journal.json: No space left on device; "
        "the files not reached are as they were, the next render completes the run"
    )
    assert tree_of(rendered) == before


def test_unreadable_path_is_reported(out):
    out.mkdir()
    long = "x" * 300
    with pytest.raises(WriteError) as failure:
        compare(out, [Artifact(long, "", "hosts")], "ams1")
    assert (failure.value.message, failure.value.paths) == (f"{out / long}: File name too long", (long,))
