"""A run killed after any file system operation is completed by the next run, whatever that run renders."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from netplan.model.artifact import Artifact
from netplan.write import WriteError, compare, manifest_text, write

NONE: tuple[Artifact, ...] = ()
OLD = (
    Artifact("hosts/gpu/10.link", "old\n", "hosts"),
    Artifact("hosts/gpu/20.link", "same\n", "hosts"),
    Artifact("pods/train/routes/check.sh", "old\n", "pods", executable=True),
)
NEW = (
    Artifact("hosts/gpu/10.link", "new\n", "hosts"),
    Artifact("hosts/gpu/20.link", "same\n", "hosts"),
    Artifact("switches/leaf-1/roce.json", "new\n", "switches", ("switches.leaf-1",), executable=True),
)
OTHER = (
    Artifact("hosts/gpu/10.link", "other\n", "hosts"),
    Artifact("switches/leaf-1/roce.json", "other\n", "switches"),
    Artifact("switches/leaf-2/roce.json", "other\n", "switches"),
)
LATER = (OTHER[0], OTHER[2])
RENDERS = {"none": NONE, "old": OLD, "new": NEW, "other": OTHER}
STEPS = 19
"""File system operations of the step from OLD to NEW, counted by `test_every_step_is_covered`."""


READ_OR_CREATE = os.open


class Killed(BaseException):
    """Stands for SIGKILL: no error handler of the program may catch it."""


class Machine:
    """Counts the operations that change the file system; from number ``limit`` on, none is carried out."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.done = 0
        self.limit: int | None = None
        monkeypatch.setattr(os, "fsync", lambda descriptor: None)
        for name in ("open", "replace", "unlink", "mkdir", "rmdir", "fsync"):
            monkeypatch.setattr(os, name, self._counted(getattr(os, name)))

    def _counted(self, operation: Callable) -> Callable:
        def call(*args, **kwargs):
            if operation is READ_OR_CREATE and not args[1] & os.O_CREAT:
                return operation(*args, **kwargs)
            if self.done == self.limit:
                raise Killed
            self.done += 1
            return operation(*args, **kwargs)

        return call

    def run_cut_off(self, limit: int, directory: Path, artifacts: tuple[Artifact, ...]) -> None:
        self.done, self.limit = 0, limit
        try:
            write(directory, artifacts, "ams1")
        except Killed:
            return
        finally:
            self.limit = None


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> Machine:
    return Machine(monkeypatch)


def tree_of(directory: Path) -> dict[str, tuple[str | None, bool]]:
    """Every path below ``directory`` with its text (None for a folder) and whether it can be executed."""
    return {
        path.relative_to(directory).as_posix(): (
            None if path.is_dir() else path.read_text(),
            bool(path.stat().st_mode & stat.S_IXUSR),
        )
        for path in sorted(directory.rglob("*"))
    }


def clean(directory: Path, artifacts: tuple[Artifact, ...]) -> dict[str, tuple[str | None, bool]]:
    write(directory, artifacts, "ams1")
    return tree_of(directory)


def test_every_step_is_covered(machine, tmp_path):
    write(tmp_path, OLD, "ams1")
    machine.done = 0
    write(tmp_path, NEW, "ams1")
    assert machine.done == STEPS


class Interrupts:
    """Interrupts the program once, before or after operation number ``step``; it may then clean up."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, step: int, *, before: bool) -> None:
        self.done, self.step, self.before = 0, step, before
        for name in ("open", "replace", "unlink", "mkdir", "rmdir", "fsync"):
            monkeypatch.setattr(os, name, self._counted(getattr(os, name)))

    def _counted(self, operation: Callable) -> Callable:
        def call(*args, **kwargs):
            if operation is READ_OR_CREATE and not args[1] & os.O_CREAT:
                return operation(*args, **kwargs)
            self.done += 1
            interrupted = self.done == self.step
            if interrupted and self.before:
                raise KeyboardInterrupt
            try:
                return operation(*args, **kwargs)
            finally:
                if interrupted:
                    raise KeyboardInterrupt

        return call


@pytest.mark.parametrize("before", [True, False], ids=["before", "after"])
@pytest.mark.parametrize("step", range(1, STEPS + 1))
def test_an_interrupt_leaves_a_journal_only_where_a_run_is_to_be_completed(
    monkeypatch, tmp_path, step, before
):
    out = tmp_path / "out"
    states = [clean(tmp_path / "old", OLD), clean(tmp_path / "new", NEW)]
    write(out, OLD, "ams1")
    with monkeypatch.context() as patched:
        Interrupts(patched, step, before=before)
        with pytest.raises(KeyboardInterrupt):
            write(out, NEW, "ams1")
    left = tree_of(out)
    if ".netplan-journal.json" not in left:
        left.pop(".netplan-tmp", None)
        assert left in states
    write(out, NEW, "ams1")
    assert tree_of(out) == states[1]


@pytest.mark.parametrize("step", range(1, 6))
def test_an_interrupt_before_the_first_file_leaves_no_journal(monkeypatch, tmp_path, step):
    """Five operations: the directory, a stale temporary file; journal created, synced, renamed."""
    write(tmp_path, OLD, "ams1")
    with monkeypatch.context() as patched:
        Interrupts(patched, step, before=False)
        with pytest.raises(KeyboardInterrupt):
            write(tmp_path, NEW, "ams1")
    assert not (tmp_path / ".netplan-journal.json").exists()


@pytest.mark.parametrize("after", RENDERS)
@pytest.mark.parametrize("limit", range(STEPS + 1))
def test_next_run_completes_a_cut_off_one(machine, tmp_path, limit, after):
    out = tmp_path / "out"
    write(out, OLD, "ams1")
    machine.run_cut_off(limit, out, NEW)
    write(out, RENDERS[after], "ams1")
    assert tree_of(out) == clean(tmp_path / "clean", RENDERS[after])


@pytest.mark.parametrize("after", RENDERS)
@pytest.mark.parametrize("limit", range(STEPS + 1))
def test_next_run_completes_a_cut_off_first_one(machine, tmp_path, limit, after):
    out = tmp_path / "out"
    machine.run_cut_off(limit, out, NEW)
    write(out, RENDERS[after], "ams1")
    assert tree_of(out) == clean(tmp_path / "clean", RENDERS[after])


@pytest.mark.parametrize("second", range(0, STEPS + 8, 3))
@pytest.mark.parametrize("limit", range(STEPS + 1))
def test_a_completing_run_may_be_cut_off_too(machine, tmp_path, limit, second):
    out = tmp_path / "out"
    write(out, OLD, "ams1")
    machine.run_cut_off(limit, out, NEW)
    machine.run_cut_off(second, out, LATER)
    write(out, OLD, "ams1")
    assert tree_of(out) == clean(tmp_path / "clean", OLD)


@pytest.mark.parametrize("limit", range(STEPS + 1))
def test_every_file_is_whole_and_tracked_after_a_cut(machine, tmp_path, limit):
    """A file in both renders is always either the old or the new one, never missing or half-written."""
    write(tmp_path, OLD, "ams1")
    machine.run_cut_off(limit, tmp_path, NEW)
    assert (tmp_path / "hosts/gpu/10.link").read_text() in ("old\n", "new\n")
    assert (tmp_path / "hosts/gpu/20.link").read_text() == "same\n"
    assert (tmp_path / "manifest.json").read_text() in (
        manifest_text(OLD, "ams1"),
        manifest_text(NEW, "ams1"),
    )


@pytest.mark.parametrize("limit", range(STEPS + 1))
def test_partial_run_after_a_cut_keeps_every_file_tracked(machine, tmp_path, limit):
    out = tmp_path / "out"
    write(out, OLD, "ams1")
    machine.run_cut_off(limit, out, NEW)
    write(out, NEW, "ams1", frozenset({"hosts"}))
    write(out, NONE, "ams1")
    assert tree_of(out) == {"manifest.json": (manifest_text(NONE, "ams1"), False)}


@pytest.mark.parametrize("limit", range(STEPS + 1))
def test_compare_after_a_cut_says_what_write_does(machine, tmp_path, limit):
    write(tmp_path, OLD, "ams1")
    machine.run_cut_off(limit, tmp_path, NEW)
    assert compare(tmp_path, OTHER, "ams1") == write(tmp_path, OTHER, "ams1")


@pytest.mark.parametrize("limit", range(STEPS + 1))
def test_nothing_is_called_edited_because_of_a_cut(machine, tmp_path, limit):
    write(tmp_path, OLD, "ams1")
    machine.run_cut_off(limit, tmp_path, NEW)
    assert write(tmp_path, OTHER, "ams1").edited == ()


def cut_before_the_new_switch_file(machine: Machine, out: Path) -> None:
    """Leave the journal, which plans the switch's file, but not the file."""
    write(out, OLD, "ams1")
    machine.run_cut_off(5, out, NEW)
    assert (out / ".netplan-journal.json").exists()
    assert not (out / "switches").exists()


def test_foreign_file_made_after_the_cut_is_not_overwritten(machine, tmp_path):
    cut_before_the_new_switch_file(machine, tmp_path)
    (tmp_path / "switches/leaf-1").mkdir(parents=True)
    (tmp_path / "switches/leaf-1/roce.json").write_text("mine\n")
    with pytest.raises(WriteError) as refusal:
        write(tmp_path, NEW, "ams1")
    assert refusal.value.paths == ("switches/leaf-1/roce.json",)


def test_foreign_file_made_after_the_cut_is_not_removed(machine, tmp_path):
    cut_before_the_new_switch_file(machine, tmp_path)
    (tmp_path / "switches/leaf-1").mkdir(parents=True)
    (tmp_path / "switches/leaf-1/roce.json").write_text("mine\n")
    write(tmp_path, NONE, "ams1")
    assert (tmp_path / "switches/leaf-1/roce.json").read_text() == "mine\n"


def test_directory_of_another_site_is_refused_by_its_journal(machine, tmp_path):
    machine.run_cut_off(6, tmp_path, NEW)
    assert not (tmp_path / "manifest.json").exists()
    with pytest.raises(WriteError, match="belongs to site ams1, not fra2; use another directory"):
        write(tmp_path, NEW, "fra2")


def test_failure_of_the_system_is_completed_by_the_next_run(tmp_path, monkeypatch):
    out = tmp_path / "out"
    write(out, OLD, "ams1")
    with monkeypatch.context() as patched:
        patched.setattr(
            os, "rmdir", lambda path: (_ for _ in ()).throw(PermissionError(13, "Permission denied"))
        )
        with pytest.raises(WriteError) as failure:
            write(out, NEW, "ams1")
    assert failure.value.message == (
        f"{out}/pods/train/routes: Permission denied; "
        "the files not reached are as they were, the next render completes the run"
    )
    write(out, NEW, "ams1")
    assert tree_of(out) == clean(tmp_path / "clean", NEW)
