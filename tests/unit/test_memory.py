"""The cached state of an output directory, and what invalidates it."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path
from typing import Any

import pytest

from netplan.model.artifact import Artifact
from netplan.write import Memory, Said, compare, remembered, write
from netplan.write import memory as module
from netplan.write.tree import Tree

ALL = (
    Artifact("hosts/gpu/10.link", "[Match]\n", "hosts"),
    Artifact("pods/train/rail-routes.sh", "#!/bin/sh\n", "pods", executable=True),
    Artifact("switches/leaf-1/roce.json", "{}\n", "switches", ("switches.leaf-1",)),
)
SAID: tuple[Said, ...] = (("out", "unchanged 3\n"), ("err", "0 errors\n"))


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.delenv("NETPLAN_CACHE_DIR")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache" / "netplan" / "trees"


def recalled(directory: Path) -> Memory:
    memory = remembered(directory)
    assert memory is not None
    return memory


def tick() -> None:
    """Wait for more than a tick of the kernel's clock: at most 10 ms (time(7), "The software clock")."""
    time.sleep(0.02)


@pytest.fixture
def out(tmp_path: Path) -> Path:
    """A rendered directory with a cached answer for request ``q``; the manifest is the newest file."""
    directory = tmp_path / "out"
    write(directory, ALL, "ams1")
    tick()
    manifest = directory / "manifest.json"
    manifest.write_bytes(manifest.read_bytes())
    keep(directory)
    return directory


def keep(directory: Path) -> None:
    memory = recalled(directory)
    compare(directory, ALL, "ams1", memory=memory)
    memory.keep({"q": SAID})


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Paths whose content is read."""
    found: list[str] = []
    read = Tree._read

    def counted(tree: Tree, path: str) -> Any:
        found.append(path)
        return read(tree, path)

    monkeypatch.setattr(Tree, "_read", counted)
    return found


def test_an_unchanged_directory_is_answered_and_only_its_manifest_read(out, reads):
    assert recalled(out).answer("q") == SAID
    assert reads == ["manifest.json"]


def test_another_question_has_no_answer(out):
    assert recalled(out).answer("another") is None


def test_a_first_render_is_remembered_as_written(tmp_path):
    memory = recalled(tmp_path / "new")
    write(tmp_path / "new", ALL, "ams1", memory=memory)
    memory.keep({"q": SAID})
    assert recalled(tmp_path / "new").answer("q") == SAID


@pytest.mark.parametrize("path", [a.path for a in ALL] + ["manifest.json"])
def test_an_edit_of_the_same_length_with_the_old_time_is_found(out, path):
    info = (out / path).stat()
    (out / path).write_bytes((out / path).read_bytes()[:-1] + b" ")
    os.utime(out / path, ns=(info.st_atime_ns, info.st_mtime_ns))
    assert recalled(out).answer("q") is None


def _delete(out: Path) -> None:
    (out / ALL[0].path).unlink()


def _mode(out: Path) -> None:
    (out / ALL[0].path).chmod(0o755)


def _link(out: Path) -> None:
    (out / "hosts").rename(out.parent / "hosts")
    (out / "hosts").symlink_to(out.parent / "hosts")


def _fifo(out: Path) -> None:
    (out / ALL[0].path).unlink()
    os.mkfifo(out / ALL[0].path)


def _journal(out: Path) -> None:
    (out / ".netplan-journal.json").write_text("{}")


def _left(out: Path) -> None:
    (out / ".netplan-tmp").write_text("")


@pytest.mark.parametrize("change", [_delete, _mode, _link, _fifo, _journal, _left])
def test_what_is_no_longer_so_has_no_answer(out, change):
    change(out)
    assert recalled(out).answer("q") is None


def test_a_touched_file_is_read_and_remembered_again(out, reads):
    tick()
    for path in [a.path for a in ALL] + ["manifest.json"]:
        (out / path).touch()
        tick()
    assert recalled(out).answer("q") == SAID
    assert sorted(reads) == sorted([a.path for a in ALL] + ["manifest.json"])
    reads.clear()
    assert recalled(out).answer("q") == SAID
    assert reads == ["manifest.json"]


def test_a_file_as_young_as_the_manifest_is_read_each_time(out, reads):
    """It might change again within the same clock tick."""
    tick()
    (out / ALL[0].path).touch()
    for _ in range(2):
        reads.clear()
        assert recalled(out).answer("q") == SAID
        assert reads == [ALL[0].path, "manifest.json"]


def test_a_copy_at_another_place_is_another_directory(out, tmp_path):
    out.rename(tmp_path / "moved")
    assert recalled(tmp_path / "moved").answer("q") is None


def test_another_render_forgets_what_was_printed_before(out):
    memory = recalled(out)
    write(out, ALL[:2], "ams1", memory=memory)
    memory.keep({"other": SAID})
    assert list(recalled(out).answers) == ["other"]


def test_the_same_content_keeps_other_answers(out):
    memory = recalled(out)
    write(out, ALL, "ams1", memory=memory)
    memory.keep({"other": SAID})
    assert list(recalled(out).answers) == ["q", "other"]


def test_a_render_reads_only_what_was_touched(out, reads):
    write(out, (*ALL[:2], Artifact(ALL[2].path, "[]\n", "switches")), "ams1", memory=recalled(out))
    assert not {a.path for a in ALL} & set(reads)


def test_an_edit_by_hand_is_called_one_with_a_memory_too(out):
    (out / ALL[0].path).write_text("edited\n")
    changes = write(out, ALL, "ams1", memory=recalled(out))
    assert (changes.changed, changes.edited) == ((ALL[0].path,), (ALL[0].path,))


def place(cache: Path) -> Path:
    (found,) = cache.iterdir()
    return found


@pytest.mark.parametrize(
    "text",
    ["", "[]", "[" * 100_000, "{}", '{"format": 1, "directory": 1}', "\0", '{"format": 2}'],
    ids=["empty", "list", "deep", "nothing", "fields", "binary", "newer"],
)
def test_a_damaged_memory_is_none(out, cache, text):
    place(cache).write_text(text)
    assert recalled(out).answer("q") is None


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("files", {"../x": ["", False, 0, 0, 0]}),
        ("files", {"a": ["", False, 0, 0]}),
        ("files", {"a": ["", 0, 0, 0, 0]}),
        ("files", []),
        ("answers", {"q": [["both", "x"]]}),
        ("answers", {"q": "out"}),
        ("answers", {"q": [["out", 1]]}),
    ],
)
def test_a_memory_with_other_values_is_none(out, cache, key, value):
    document = json.loads(place(cache).read_text())
    place(cache).write_text(json.dumps(document | {key: value}))
    memory = recalled(out)
    assert (memory.files, memory.answers) == ({}, {})


def test_what_others_can_write_is_not_believed(out, cache):
    place(cache).chmod(0o620)
    assert recalled(out).answer("q") is None
    place(cache).chmod(0o600)
    cache.chmod(0o777)
    assert recalled(out).answer("q") is None


def test_a_link_in_the_cache_is_not_followed(out, cache, tmp_path):
    place(cache).rename(tmp_path / "elsewhere")
    (cache / remembered_name(out)).symlink_to(tmp_path / "elsewhere")
    assert recalled(out).answer("q") is None


def remembered_name(out: Path) -> str:
    return recalled(out).place.name


def test_nobody_else_can_read_it(out, cache):
    assert (cache.stat().st_mode & 0o777, place(cache).stat().st_mode & 0o777) == (0o700, 0o600)


def test_the_oldest_are_forgotten(out, cache, monkeypatch):
    monkeypatch.setattr(module, "MOST", 2)
    for number in range(3):
        (cache / f"{number}.json").write_text("{}")
        os.utime(cache / f"{number}.json", ns=(number, number))
    keep(out)
    assert len(list(cache.iterdir())) == 2
    assert recalled(out).answer("q") == SAID


def test_one_that_is_too_large_is_not_kept(tmp_path, monkeypatch, cache):
    monkeypatch.setattr(module, "MAX_BYTES", 100)
    memory = recalled(tmp_path / "new")
    write(tmp_path / "new", ALL, "ams1", memory=memory)
    memory.keep({"q": SAID})
    assert not cache.exists()


@pytest.mark.parametrize("given", ["/dev/null", "/proc/nowhere"])
def test_a_cache_that_cannot_be_written_fails_nothing(tmp_path, monkeypatch, given):
    monkeypatch.setenv("XDG_CACHE_HOME", given)
    memory = recalled(tmp_path / "new")
    write(tmp_path / "new", ALL, "ams1", memory=memory)
    memory.keep({"q": SAID})
    assert recalled(tmp_path / "new").answer("q") is None


def test_a_relative_place_is_ignored(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", "here")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert recalled(tmp_path).place.is_relative_to(tmp_path / ".cache" / "netplan")


def test_a_place_of_its_own(tmp_path, monkeypatch):
    monkeypatch.setenv("NETPLAN_CACHE_DIR", str(tmp_path / "own"))
    assert recalled(tmp_path).place.parent == tmp_path / "own" / "trees"


def test_no_place_is_no_memory(tmp_path, monkeypatch):
    monkeypatch.setenv("NETPLAN_CACHE_DIR", "")
    assert remembered(tmp_path) is None
