"""``netplan render --staged``, and the pre-commit hook based on it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from tests.cli_runs import netplan
from tests.inventories import text_of

ROOT = Path(__file__).resolve().parent.parent
RENDER = ("render", "site.yaml", "-o", "out", "--staged")


def git(*arguments: str) -> str:
    who = ["-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false"]
    done = subprocess.run(["git", *who, *arguments], capture_output=True, text=True, check=True)
    return done.stdout


@pytest.fixture(autouse=True)
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("NETPLAN_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    folder = tmp_path / "repository"
    folder.mkdir()
    monkeypatch.chdir(folder)
    git("init", "--quiet")
    (folder / "site.yaml").write_text(text_of("minimal"))
    (folder / ".gitignore").write_text("*.csv\n")
    return folder


def test_every_file_has_to_be_staged(repository: Path):
    status, _, err = netplan(*RENDER)
    assert status == 1
    assert "git add -A -f out" in err
    assert netplan(*RENDER)[0] == 1  # from memory this time
    git("add", "out")
    status, _, err = netplan(*RENDER)
    ignored = [line for line in err.splitlines() if line.startswith("not staged: ")]
    assert (status, ignored) == (1, ["not staged: out/switches/leaf-1/cabling.csv"])
    git("add", "-A", "-f", "out")
    assert netplan(*RENDER)[0] == 0
    git("commit", "--quiet", "-m", "a")
    assert netplan(*RENDER)[0] == 0
    (repository / "out" / "mine.txt").write_text("of nobody\n")
    assert netplan(*RENDER)[0] == 0


@pytest.mark.full
def test_a_changed_inventory(repository: Path):
    netplan(*RENDER)
    git("add", "-A", "-f", ".")
    text = text_of("minimal")
    (repository / "site.yaml").write_text(text.replace("dscp: 26", "dscp: 28"))
    status, _, err = netplan(*RENDER)
    assert status == 1
    assert "not staged: out/switches/leaf-1/roce.json" in err
    git("add", "-A", ".")
    assert netplan(*RENDER)[0] == 0
    (repository / "site.yaml").write_text(text.replace("training:", "other:"))
    gone = "out/pods/training/pod.yaml"
    status, _, err = netplan(*RENDER)
    assert status == 1
    assert gone not in git("ls-files", "--others")
    assert gone in git("ls-files", "--deleted")
    git("add", "-A", ".")
    assert netplan(*RENDER)[0] == 0
    (repository / "out" / "site.json").unlink()
    assert netplan(*RENDER)[0] == 0  # written again, as staged


def test_an_inventory_with_errors_fails_before_git_is_asked(repository: Path):
    (repository / "site.yaml").write_text("version: 1\n")
    status, _, err = netplan(*RENDER)
    assert status == 1
    assert "not staged" not in err


def test_outside_of_a_repository(repository: Path, tmp_path: Path):
    status, _, err = netplan("render", "site.yaml", "-o", str(tmp_path / "elsewhere"), "--staged")
    assert status == 2
    assert "outside repository" in err


@pytest.mark.parametrize("more", [["-o", "out", "--check"], ["-o", "-"]])
def test_what_writes_nothing_has_nothing_to_stage(more: list[str]):
    status, _, err = netplan("render", "site.yaml", "--staged", *more)
    assert status == 2
    assert "--staged requires files to be written" in err


@pytest.mark.full
def test_the_hook_in_a_commit(repository: Path):
    """The hook's entry with its arguments, run by git with its own index, as for any hook."""
    hooks = {hook["id"]: hook for hook in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())}
    command = hooks["netplan-render"]["entry"].replace("netplan", f"{sys.executable} -m netplan", 1)
    script = repository / ".git" / "hooks" / "pre-commit"
    script.parent.mkdir(exist_ok=True)
    script.write_text(f"#!/bin/sh\nPYTHONPATH={ROOT} exec {command} site.yaml -o out\n")
    script.chmod(0o755)
    git("add", "site.yaml", ".gitignore")
    with pytest.raises(subprocess.CalledProcessError) as failed:
        git("commit", "-m", "the inventory alone")
    assert "not staged: out/" in failed.value.stderr
    git("add", "-A", "-f", "out")
    git("commit", "--quiet", "-m", "both")
    assert "out/manifest.json" in git("ls-tree", "-r", "--name-only", "HEAD")
    text = (repository / "site.yaml").read_text()
    (repository / "site.yaml").write_text(text.replace("dscp: 26", "dscp: 28"))
    with pytest.raises(subprocess.CalledProcessError):
        git("commit", "-a", "-m", "the inventory alone")
    git("commit", "--quiet", "-a", "-m", "both")
    assert git("status", "--short") == ""
