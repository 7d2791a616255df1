"""Which files of a directory are there, and which name a kustomization meant."""

from __future__ import annotations

from pathlib import Path

import pytest

from netplan import rendered
from netplan.reading.kubernetes.files import read_directory

NETWORK = "apiVersion: k8s.cni.cncf.io/v1\nkind: NetworkAttachmentDefinition\nmetadata: {name: a}\n"


def said(folder: Path) -> list[str]:
    found = rendered.check_input(str(folder)).diagnostics
    return [f"{d.code} {d.hint}" for d in found if d.code in ("NP796", "NP688")]


def site(folder: Path, listed: str, *there: str) -> Path:
    for name in there:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("a: 1\n")
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "kustomization.yaml").write_text(f"resources: [network.yaml, {listed}]\n")
    (folder / "network.yaml").write_text(NETWORK)
    return folder


@pytest.mark.parametrize(
    ("listed", "there", "meant"),
    [
        ("polciy.yaml", "policy.yaml", "policy.yaml"),
        ("network/rail0.yaml", "networks/rail0.yaml", "networks"),
        ("./overlay/prod", "overlays/prod/a.yaml", "overlays"),
        ("Policy.yaml", "policy.yaml", "policy.yaml"),
    ],
)
def test_a_similar_name_beside_it_is_a_mistake(listed: str, there: str, meant: str, tmp_path: Path) -> None:
    assert said(site(tmp_path / "deploy", listed, there)) == [f"NP796 did you mean {meant}?"]


@pytest.mark.parametrize(
    ("listed", "there"),
    [
        ("certs.yaml", "policy.yaml"),
        ("images.yaml", "images-aarch64.yaml"),
        ("config.yaml", "config.yaml.in"),
        ("policy1.yaml", "policy2.yaml"),
        ("policy.yaml", "policy.json"),
        ("manifests.yaml", "tests/manifest.yaml"),
    ],
)
def test_others_are_a_note(listed: str, there: str, tmp_path: Path) -> None:
    hint = "add it, or have it written before the build"
    assert said(site(tmp_path / "deploy", listed, there)) == [f"NP688 {hint}"]


@pytest.mark.parametrize("listed", [".hidden.yaml", "vendor/a.yaml", "vendor", "notes.yaml", "./linked.yaml"])
def test_what_is_there_and_not_read_is_not_missing(listed: str, tmp_path: Path) -> None:
    folder = site(tmp_path / "deploy", listed, ".hidden.yaml", "vendor/a.yaml", "notes.yaml")
    (folder / "linked.yaml").symlink_to(tmp_path / "elsewhere.yaml")
    assert said(folder) == []


def test_a_file_that_a_link_leads_to_has_its_own_name(tmp_path: Path) -> None:
    folder = site(tmp_path / "deploy/base", "other.yaml", "other.yaml")
    (tmp_path / "deploy/a-link.yaml").symlink_to(folder / "other.yaml")
    found = sorted(Path(name).name for name in read_directory(str(tmp_path / "deploy")).texts)
    assert found == ["kustomization.yaml", "network.yaml", "other.yaml"]
    assert said(tmp_path / "deploy") == []


def test_two_links_to_one_file_are_read_once(tmp_path: Path) -> None:
    (tmp_path / "d").mkdir()
    (tmp_path / "d/.real.yaml").write_text(NETWORK)
    for name in ("a.yaml", "b.yaml"):
        (tmp_path / "d" / name).symlink_to(tmp_path / "d/.real.yaml")
    assert [Path(name).name for name in read_directory(str(tmp_path / "d")).texts] == ["a.yaml"]
