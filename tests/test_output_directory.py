"""Output directories of ``render``: those that need --adopt, and read-only ones."""

from __future__ import annotations

import errno
import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli_runs import netplan, pipeline_gives, result

HINT = "; name a directory for the rendered files alone, or add --adopt to use this one\n"
NOT_EMPTY = "is not empty and has no manifest.json of netplan: it holds"


@pytest.fixture(autouse=True)
def _pipeline(monkeypatch: pytest.MonkeyPatch) -> None:
    pipeline_gives(monkeypatch, result())


@pytest.fixture
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working directory: empty, and not a home directory."""
    folder = tmp_path / "work"
    folder.mkdir()
    monkeypatch.chdir(folder)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    return folder


def refusal(*arguments: str) -> str:
    status, out, err = netplan("render", *arguments)
    assert (status, out) == (2, "")
    assert err.startswith("Error: ")
    assert err.endswith(HINT)
    return err.removeprefix("Error: ").removesuffix(HINT)


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.usefixtures("work")
def test_the_root_is_refused():
    assert refusal("site.yaml", "-o", "/", "--check") == "/ is the root of the file system"


@pytest.mark.parametrize("entries", [(), (".bashrc",)], ids=["empty", "used"])
def test_a_home_is_refused(work, monkeypatch, entries):
    monkeypatch.setenv("HOME", str(work))
    for name in entries:
        (work / name).touch()
    assert refusal("../site.yaml", "-o", ".") == f". is the home directory {work}"
    assert names(work) == [*entries]


@pytest.mark.parametrize("inventory", ["site.yaml", "./site.yaml", "../work/site.yaml", "."])
def test_the_directory_of_the_inventory_is_refused(work, inventory):
    (work / "site.yaml").touch()
    assert refusal(inventory, "-o", str(work)) == f"{work} is the directory of the inventory {inventory}"
    assert names(work) == ["site.yaml"]


def test_the_directory_of_a_later_input_is_refused(work):
    (work / "base").mkdir()
    assert (
        refusal("-", "base/rails.yaml", "-o", "base")
        == "base is the directory of the inventory base/rails.yaml"
    )


def test_standard_input_has_no_directory(work):
    assert netplan("render", "-", "-o", ".")[0] == 0
    assert "manifest.json" in names(work)


@pytest.mark.parametrize(
    ("entries", "held"),
    [(["b", "a"], "a, b"), ([".git"], ".git"), (["a", "b", "c", "d", ".netplan-tmp"], "a, b, c and 1 more")],
)
@pytest.mark.parametrize("check", [[], ["--check"]], ids=["write", "check"])
def test_a_directory_in_use_is_refused(work, entries, held, check):
    (work / "out").mkdir()
    for name in entries:
        (work / "out" / name).touch()
    assert refusal("site.yaml", "-o", "out", *check) == f"out {NOT_EMPTY} {held}"
    assert names(work / "out") == sorted(entries)


def test_a_refusal_as_json(work):
    (work / "mine").touch()
    status, out, err = netplan("render", "a/site.yaml", "-o", ".", "--format", "json")
    assert (status, err) == (2, "")
    assert json.loads(out)["error"] == f". {NOT_EMPTY} mine{HINT.rstrip()}"


def test_adopt_takes_the_directory_and_leaves_its_files(work, monkeypatch):
    monkeypatch.setenv("HOME", str(work))
    (work / "site.yaml").write_text("mine\n")
    assert netplan("render", "site.yaml", "-o", ".", "--adopt")[0] == 0
    assert names(work) == ["hosts", "manifest.json", "site.yaml", "switches"]
    assert (work / "site.yaml").read_text() == "mine\n"
    assert netplan("render", "site.yaml", "-o", ".")[0] == 0, "it is netplan's now"
    assert netplan("render", "site.yaml", "-o", ".", "--check")[0] == 0


def test_adopt_takes_no_file_of_others(work):
    path = work / "out/hosts/gpu-001/sysctl.conf"
    path.parent.mkdir(parents=True)
    path.write_text("mine\n")
    status, _, err = netplan("render", "site.yaml", "-o", "out", "--adopt")
    assert status == 2
    assert "holds files at rendered paths that netplan did not write: hosts/gpu-001/sysctl.conf" in err
    assert path.read_text() == "mine\n"


@pytest.mark.parametrize("left", [".netplan-journal.json", ".netplan-tmp"])
def test_a_first_run_that_was_killed_needs_no_adopt(work, left):
    (work / "out").mkdir()
    (work / "out" / left).write_text('{"format": 1, "site": "lab", "before": {}, "after": {}}')
    assert netplan("render", "site.yaml", "-o", "out")[0] == 0
    assert names(work / "out") == ["hosts", "manifest.json", "switches"]


@pytest.mark.parametrize("options", [[], ["--adopt"], ["--check"]], ids=" ".join)
def test_an_empty_name_is_wrong_usage(work, options):
    status, out, err = netplan("render", "site.yaml", "-o", "", *options)
    assert (status, out) == (2, "")
    assert err.endswith("Invalid value for '--output' / '-o': the name of the directory is empty\n")
    assert names(work) == []


# ------------------------------------------------------------------------------ read-only file systems


def test_an_unchanged_render_changes_nothing(work, monkeypatch):
    assert netplan("render", "site.yaml", "-o", "out")[0] == 0

    def refuse(*arguments: object, **options: object) -> None:
        raise OSError(errno.EROFS, "Read-only file system")

    for name in ("unlink", "replace", "rename", "rmdir", "fsync"):
        monkeypatch.setattr(os, name, refuse)
    status, out, err = netplan("render", "site.yaml", "-o", "out")
    assert (status, out) == (0, "wrote 0, changed 0, removed 0, unchanged 3 in out\n"), err


def read_only(folder: Path, command: list[str]) -> subprocess.CompletedProcess[str]:
    """Run a command with ``folder`` mounted read-only, in separate namespaces."""
    place = shlex.quote(str(folder))
    script = f"mount --bind {place} {place} && mount -o remount,bind,ro {place} && exec {shlex.join(command)}"
    return subprocess.run(
        ["unshare", "--user", "--map-root-user", "--mount", "sh", "-ec", script],
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_read_only_file_system(tmp_path):
    out = tmp_path / "out"
    root = Path(__file__).resolve().parent.parent
    command = [sys.executable, "-m", "netplan", "render", f"{root}/inventories/minimal.yaml", "-o", str(out)]
    subprocess.run(command, check=True, capture_output=True)
    try:
        trial = read_only(out, ["touch", f"{out}/x"])
    except FileNotFoundError:
        pytest.skip("unshare is not on the PATH")
    if "Read-only file system" not in trial.stderr:
        pytest.skip(f"no read-only mount can be made here: {trial.stderr.strip()}")
    done = read_only(out, command)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("wrote 0, changed 0, removed 0, unchanged ")
    (out / "manifest.json").unlink()
    done = read_only(out, [*command, "--adopt"])
    assert done.returncode == 2
    assert "Read-only file system" in done.stderr
