"""What git leaves out, and names of one file: which files of a directory are there."""

from __future__ import annotations

from pathlib import Path

import pytest

from netplan import rendered
from netplan.reading.kubernetes.files import read_directory
from netplan.reading.kubernetes.ignored import Ignore, is_ignored

NETWORK = "apiVersion: k8s.cni.cncf.io/v1\nkind: NetworkAttachmentDefinition\nmetadata: {name: a}\n"


@pytest.mark.parametrize(
    ("patterns", "path", "ignored"),
    [
        ("certs.yaml", "d/tls/certs.yaml", True),
        ("certs.yaml", "d/tls/certs.yaml.txt", False),
        ("*-data.yaml", "d/tls/cert-data.yaml", True),
        ("/certs.yaml", "d/tls/certs.yaml", False),
        ("/certs.yaml", "d/certs.yaml", True),
        ("tls/certs.yaml", "d/tls/certs.yaml", True),
        ("tls/certs.yaml", "d/x/tls/certs.yaml", False),
        ("**/tls/certs.yaml", "d/x/y/tls/certs.yaml", True),
        ("tls/**/certs.yaml", "d/tls/a/b/certs.yaml", True),
        ("tls/**", "d/tls/a/b.yaml", True),
        ("tls/*.yaml", "d/tls/a/b.yaml", False),
        ("generated/", "d/x/generated/a.yaml", True),
        ("*.yaml\n!keep.yaml", "d/keep.yaml", False),
        ("!keep.yaml\n*.yaml", "d/keep.yaml", True),
        ("# certs.yaml\n\n", "d/certs.yaml", False),
        ("certs.yaml", "other/certs.yaml", False),
        ("[ab].yaml", "d/b.yaml", True),
    ],
)
def test_the_patterns_of_a_gitignore(patterns: str, path: str, ignored: bool) -> None:
    assert is_ignored(path, [Ignore("d", patterns)]) is ignored


def test_the_lower_file_decides() -> None:
    above, below = Ignore("d", "*.yaml"), Ignore("d/e", "!a.yaml")
    assert is_ignored("d/e/a.yaml", [above, below]) is False
    assert is_ignored("d/e/b.yaml", [above, below]) is True


def codes(folder: Path) -> list[str]:
    return [d.code for d in rendered.check_input(str(folder)).diagnostics if d.code in ("NP796", "NP686")]


def site(folder: Path, listed: str) -> Path:
    folder.mkdir(parents=True)
    (folder / "kustomization.yaml").write_text(f"resources: [network.yaml, {listed}]\n")
    (folder / "network.yaml").write_text(NETWORK)
    return folder


def test_a_missing_file_that_git_leaves_out_is_a_note(tmp_path: Path) -> None:
    folder = site(tmp_path / "repository/deploy", "certs.yaml")
    assert codes(folder) == ["NP796"]
    (tmp_path / "repository/.gitignore").write_text("deploy/certs.yaml\n")
    assert codes(folder) == ["NP796"]  # no git repository: what is above is not looked at
    (tmp_path / "repository/.git").mkdir()
    assert codes(folder) == ["NP686"]
    (tmp_path / "repository/.gitignore").unlink()
    (folder / ".gitignore").write_text("certs.yaml\n")
    assert codes(folder) == ["NP686"]


def test_a_gitignore_that_is_a_link_is_not_read(tmp_path: Path) -> None:
    folder = site(tmp_path / "deploy", "certs.yaml")
    (tmp_path / "patterns").write_text("certs.yaml\n")
    (folder / ".gitignore").symlink_to(tmp_path / "patterns")
    assert codes(folder) == ["NP796"]


@pytest.mark.parametrize("listed", [".hidden.yaml", "vendor/a.yaml", "vendor", "notes.txt", "./linked.yaml"])
def test_what_is_there_and_not_read_is_not_missing(listed: str, tmp_path: Path) -> None:
    folder = site(tmp_path / "deploy", listed)
    (folder / "vendor").mkdir()
    for name in (".hidden.yaml", "vendor/a.yaml", "notes.txt"):
        (folder / name).write_text("a: 1\n")
    (folder / "linked.yaml").symlink_to(tmp_path / "elsewhere.yaml")
    assert codes(folder) == []


def test_a_file_that_a_link_leads_to_has_its_own_name(tmp_path: Path) -> None:
    folder = site(tmp_path / "deploy/base", "other.yaml")
    (folder / "other.yaml").write_text(NETWORK.replace("a}", "b}"))
    (tmp_path / "deploy/a-link.yaml").symlink_to(folder / "other.yaml")
    found = read_directory(str(tmp_path / "deploy"))
    assert sorted(Path(name).name for name in found.texts) == [
        "kustomization.yaml",
        "network.yaml",
        "other.yaml",
    ]
    assert codes(tmp_path / "deploy") == []


def test_two_links_to_one_file_are_read_once(tmp_path: Path) -> None:
    (tmp_path / "d").mkdir()
    (tmp_path / "d/.real.yaml").write_text(NETWORK)
    for name in ("a.yaml", "b.yaml"):
        (tmp_path / "d" / name).symlink_to(tmp_path / "d/.real.yaml")
    assert [Path(name).name for name in read_directory(str(tmp_path / "d")).texts] == ["a.yaml"]
