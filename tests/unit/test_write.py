"""`netplan.write` on an output directory that it may write."""

from __future__ import annotations

import json
import os
import stat
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from netplan.model.artifact import Artifact
from netplan.write import Changes, WriteError, apply, compare, manifest_text, write
from netplan.write.survey import survey

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


def test_first_render_creates_directory_and_files(out):
    changes = write(out / "deep", ALL, "ams1")
    assert changes == Changes(added=("hosts/gpu/10.link", "manifest.json", SCRIPT.path, SWITCH.path))
    assert tree_of(out / "deep") == {
        "hosts": None,
        "hosts/gpu": None,
        "hosts/gpu/10.link": "[Match]\n",
        "manifest.json": manifest_text(ALL, "ams1"),
        "pods": None,
        "pods/train": None,
        "pods/train/rail-routes.sh": "#!/bin/sh\n",
        "switches": None,
        "switches/leaf-1": None,
        "switches/leaf-1/roce.json": "{}\n",
    }


def test_manifest_text():
    digest = sha256(b"{}\n").hexdigest()
    assert manifest_text([SWITCH], "ams1") == (
        '{\n  "format": 1,\n  "site": "ams1",\n  "files": {\n    "switches/leaf-1/roce.json": {\n'
        f'      "kind": "switches",\n      "sha256": "{digest}",\n'
        '      "entities": [\n        "switches.leaf-1"\n      ]\n    }\n  }\n}\n'
    )


def test_manifest_is_laid_out_as_json_dumps_does():
    odd = Artifact('hosts/"é"\u2028', "", "hosts", ("hosts.a", 'hosts."b"\n'))
    for artifacts in ((), (odd,), (odd, *ALL)):
        text = manifest_text(artifacts, 'a"ü')
        assert text == json.dumps(json.loads(text), indent=2, ensure_ascii=False) + "\n"


def test_manifest_does_not_depend_on_the_order_of_artifacts():
    assert manifest_text(ALL, "ams1") == manifest_text(ALL[::-1], "ams1")


def test_no_artifacts_leave_only_a_manifest(rendered):
    write(rendered, [], "ams1")
    assert tree_of(rendered) == {"manifest.json": manifest_text([], "ams1")}


def test_second_render_touches_nothing(rendered):
    for path in rendered.rglob("*"):
        os.utime(path, ns=(1, 1))
    changes = write(rendered, ALL, "ams1")
    assert changes == Changes(unchanged=(HOST.path, "manifest.json", SCRIPT.path, SWITCH.path))
    assert {path.stat().st_mtime_ns for path in rendered.rglob("*")} == {1}


def test_changed_file_is_replaced_and_the_others_keep_their_inode(rendered):
    inode = (rendered / HOST.path).stat().st_ino
    changes = write(rendered, (CHANGED_SWITCH, SCRIPT, HOST), "ams1")
    assert changes == Changes(changed=("manifest.json", SWITCH.path), unchanged=(HOST.path, SCRIPT.path))
    assert (rendered / SWITCH.path).read_text() == '{"a": 1}\n'
    assert (rendered / HOST.path).stat().st_ino == inode


def test_stale_file_and_its_empty_folders_are_removed(rendered):
    changes = write(rendered, (SWITCH, HOST), "ams1")
    assert changes.removed == (SCRIPT.path,)
    assert not (rendered / "pods").exists()


def test_folder_of_a_stale_file_stays_when_somebody_uses_it(rendered):
    (rendered / "pods/train/notes.md").write_text("mine")
    write(rendered, (SWITCH, HOST), "ams1")
    assert sorted(path.name for path in (rendered / "pods/train").iterdir()) == ["notes.md"]


def test_foreign_files_elsewhere_are_left_alone(rendered):
    (rendered / ".git").mkdir()
    (rendered / ".git/config").write_text("x")
    write(rendered, [], "ams1")
    assert tree_of(rendered) == {".git": None, ".git/config": "x", "manifest.json": manifest_text([], "ams1")}


def test_foreign_file_with_the_right_content_is_taken_over(out):
    (out / "hosts/gpu").mkdir(parents=True)
    (out / HOST.path).write_text(HOST.text)
    assert write(out, ALL, "ams1").unchanged == (HOST.path,)
    assert write(out, (SWITCH, SCRIPT), "ams1").removed == (HOST.path,)


def test_file_edited_by_hand_is_overwritten_and_reported(rendered):
    (rendered / HOST.path).write_text("edited\n")
    manifest = (rendered / "manifest.json").stat().st_ino
    changes = write(rendered, ALL, "ams1")
    assert (changes.changed, changes.edited) == ((HOST.path,), (HOST.path,))
    assert (rendered / HOST.path).read_text() == "[Match]\n"
    assert (rendered / "manifest.json").stat().st_ino == manifest


def test_stale_file_edited_by_hand_is_removed_and_reported(rendered):
    (rendered / HOST.path).write_text("edited\n")
    changes = write(rendered, (SWITCH, SCRIPT), "ams1")
    assert (changes.removed, changes.edited) == ((HOST.path,), (HOST.path,))


def test_edit_that_matches_the_new_render_is_no_edit(rendered):
    (rendered / SWITCH.path).write_text(CHANGED_SWITCH.text)
    changes = write(rendered, (CHANGED_SWITCH, SCRIPT, HOST), "ams1")
    assert changes == Changes(changed=("manifest.json",), unchanged=(HOST.path, SCRIPT.path, SWITCH.path))


def test_owned_file_deleted_by_hand_comes_back(rendered):
    (rendered / HOST.path).unlink()
    assert write(rendered, ALL, "ams1").added == (HOST.path,)
    assert (rendered / HOST.path).read_text() == "[Match]\n"


@pytest.mark.parametrize(("umask", "script", "plain"), [(0o022, 0o755, 0o644), (0o027, 0o750, 0o640)])
def test_modes_follow_the_umask(out, umask, script, plain):
    previous = os.umask(umask)
    try:
        write(out, ALL, "ams1")
    finally:
        os.umask(previous)
    assert stat.S_IMODE((out / SCRIPT.path).stat().st_mode) == script
    assert stat.S_IMODE((out / HOST.path).stat().st_mode) == plain


@pytest.mark.parametrize(("artifact", "mode"), [(SCRIPT, 0o644), (HOST, 0o755)])
def test_wrong_executable_bit_alone_is_a_change(rendered, artifact, mode):
    (rendered / artifact.path).chmod(mode)
    assert write(rendered, ALL, "ams1").changed == (artifact.path,)
    assert bool((rendered / artifact.path).stat().st_mode & stat.S_IXUSR) == artifact.executable


def test_other_mode_bits_are_the_users(rendered):
    """A tree checked out with another umask is up to date: git keeps only the executable bit."""
    (rendered / HOST.path).chmod(0o600)
    assert compare(rendered, ALL, "ams1").pending == ()


def test_only_writes_its_kinds_and_keeps_the_rest(rendered):
    changes = write(
        rendered, (CHANGED_SWITCH, Artifact(HOST.path, "x\n", "hosts")), "ams1", frozenset({"switches"})
    )
    assert changes == Changes(changed=("manifest.json", SWITCH.path))
    assert (rendered / SCRIPT.path).read_text() == SCRIPT.text
    assert (rendered / "manifest.json").read_text() == manifest_text((CHANGED_SWITCH, SCRIPT, HOST), "ams1")


def test_only_removes_stale_files_of_its_kinds(rendered):
    changes = write(rendered, [], "ams1", frozenset({"hosts"}))
    assert changes.removed == (HOST.path,)
    assert (rendered / "manifest.json").read_text() == manifest_text((SWITCH, SCRIPT), "ams1")


def test_only_keeps_a_file_that_moved_to_another_kind(rendered):
    moved = Artifact(HOST.path, HOST.text, "network")
    assert write(rendered, (SWITCH, SCRIPT, moved), "ams1", frozenset({"hosts"})).removed == ()
    assert (rendered / HOST.path).exists()


def test_only_keeps_a_missing_file_of_another_kind_in_the_manifest(rendered):
    (rendered / HOST.path).unlink()
    write(rendered, ALL, "ams1", frozenset({"switches"}))
    assert (rendered / "manifest.json").read_text() == manifest_text(ALL, "ams1")


def test_compare_with_a_missing_directory_adds_everything_and_creates_nothing(out):
    assert compare(out, [HOST], "ams1") == Changes(added=(HOST.path, "manifest.json"))
    assert not out.exists()


def test_compare_says_what_write_does(rendered):
    (rendered / SCRIPT.path).write_text("edited\n")
    before = tree_of(rendered)
    artifacts = (CHANGED_SWITCH, SCRIPT, Artifact("hosts/new.link", "", "hosts"))
    found = compare(rendered, artifacts, "ams1")
    assert tree_of(rendered) == before
    assert found.pending == (HOST.path, "hosts/new.link", "manifest.json", SCRIPT.path, SWITCH.path)
    assert found == write(rendered, artifacts, "ams1")


def test_a_folder_made_a_link_after_the_survey_is_not_followed(rendered, tmp_path, monkeypatch):
    """A folder is replaced by a link between survey and writing: nothing is written to the link's target."""
    (tmp_path / "elsewhere").mkdir()
    (rendered / SWITCH.path).unlink()
    (rendered / "switches/leaf-1").rmdir()
    look = survey

    def survey_then_swap(*arguments: Any) -> Any:
        found = look(*arguments)
        (rendered / "switches/leaf-1").symlink_to(tmp_path / "elsewhere")
        return found

    monkeypatch.setattr(apply, "survey", survey_then_swap)
    with pytest.raises(WriteError, match="switches/leaf-1: "):
        write(rendered, ALL, "ams1")
    assert list((tmp_path / "elsewhere").iterdir()) == []
