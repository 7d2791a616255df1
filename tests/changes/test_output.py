"""The files that ``diff -o`` writes, compared with goldens for review."""

from __future__ import annotations

import json
from typing import Any

from netplan.changes.output import wave_files
from netplan.changes.wave import Wave
from tests.changes.pairs import course_of, ends


def test_files_of_a_change_of_nine_noses_read_well(golden_tree: Any) -> None:
    """A changed DSCP: both values after the leaves' first wave, the old one removed in the last wave. Without
    the NIC scripts, which are in the goldens of the inventory."""
    both, found = ends("multi-vendor", "another DSCP"), course_of("multi-vendor", "another DSCP")
    files = {artifact.path: artifact.text for artifact in wave_files(found, both)}
    first = _number(found.waves, "switches-set", "leaf-4")
    last = _number(found.waves, "switches-remove", "leaf-4")
    wanted = ("README.md", f"wave-{first}/switches/leaf-", f"wave-{last}/switches/leaf-3/")
    shown = {path: text for path, text in files.items() if path.startswith(wanted)}
    pages = {path for path in shown if path.endswith("/README.md") and "leaf-3" not in path}
    golden_tree("changes/output", {path: text for path, text in shown.items() if path not in pages})


def _number(waves: tuple[Wave, ...], kind: str, name: str) -> int:
    return next(n for n, wave in enumerate(waves, 1) if wave.kind == kind and name in wave.targets)


def test_patches_of_sonic_go_both_ways() -> None:
    both, found = ends("multi-vendor", "another DSCP"), course_of("multi-vendor", "another DSCP")
    files = {artifact.path: artifact.text for artifact in wave_files(found, both)}
    number = _number(found.waves, "switches-set", "leaf-3")
    change, back = (
        json.loads(files[f"wave-{number}/switches/leaf-3/{word}.json"]) for word in ("change", "rollback")
    )
    assert [(op["path"], op["value"]) for op in change] == [("/DSCP_TO_TC_MAP/ROCE/28", "3")]
    assert [(op["path"], op["value"]) for op in back] == [("/DSCP_TO_TC_MAP/ROCE/28", "0")]


def test_pods_that_are_made_anew_have_their_manifests() -> None:
    both, found = ends("multi-vendor", "another DSCP"), course_of("multi-vendor", "another DSCP")
    files = {artifact.path: artifact.text for artifact in wave_files(found, both)}
    number, wave = next((n, wave) for n, wave in enumerate(found.waves, 1) if wave.kind == "pods")
    for name in wave.targets:
        path = f"pods/{name}/pod.yaml"
        assert files[f"wave-{number}/{path}"] == both.new.texts[path]
        assert files[f"wave-{number}/rollback/{path}"] == both.old.texts[path]
        assert both.old.texts[path] != both.new.texts[path]


def test_a_wave_of_hosts_says_what_takes_each_file_into_use() -> None:
    both, found = ends("iei-rocev2", "MTU down"), course_of("iei-rocev2", "MTU down")
    files = {artifact.path: artifact.text for artifact in wave_files(found, both)}
    number, wave = next((n, wave) for n, wave in enumerate(found.waves, 1) if wave.of_hosts)
    page = files[f"wave-{number}/hosts/README.md"]
    for each in wave.effects:
        assert f"- `{each.target}`, {each.change}" in page
        assert each.effect.what in page
    named = {path.rpartition("/")[2] for path in files if path.startswith(f"wave-{number}/hosts/")}
    assert named - {"README.md"}
