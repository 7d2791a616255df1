"""Directories with hostile content: each mode ends with a report, in every format."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from netplan.cli import program
from netplan.model.values import natural
from netplan.write import tree as output_tree
from tests.inventories import text_of

SECONDS = 60
FORMATS = ("text", "json", "sarif", "junit", "github", "gitlab")
ESCAPE = "\x1b[31m\n::error::planted"
POLICY = f"""apiVersion: sriovnetwork.openshift.io/v1
kind: SriovNetwork
metadata: {{name: {json.dumps(ESCAPE)}, namespace: "\\u202eabc"}}
spec: {{resourceName: rail0, vlan: 5000, networkNamespace: ml}}
"""


@pytest.fixture(autouse=True)
def _deadline() -> Iterator[None]:
    """Wall-clock limit: opening a pipe waits forever without using processor time."""

    def late(*_: object) -> None:
        raise AssertionError(f"still waiting after {SECONDS} s")

    before = signal.signal(signal.SIGALRM, late)
    signal.alarm(SECONDS)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


def run(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(program, list(arguments))
    return result.exit_code, result.stdout + result.stderr


def fill(folder: Path, suffix: str) -> None:
    """Create endless files, link loops, binary files, and names that rewrite a screen or a log."""
    os.mkfifo(folder / f"pipe{suffix}")
    (folder / f"device{suffix}").symlink_to("/dev/zero")
    (folder / "circle").symlink_to(".")
    os.close(os.open(os.fsencode(folder) + b"/\xff\xfe" + suffix.encode(), os.O_CREAT | os.O_WRONLY))
    (folder / f"deep{suffix}").write_text("[" * 100_000)
    (folder / f"zeros{suffix}").write_bytes(bytes(1000))


@pytest.mark.parametrize("form", FORMATS)
def test_rendered(tmp_path: Path, form: str) -> None:
    fill(tmp_path, ".yaml")
    with (tmp_path / "large.yaml").open("wb") as file:
        file.truncate(2**30)  # uses no disk space
    (tmp_path / f"{ESCAPE}.yaml").write_text(POLICY)
    code, out = run("validate", "--rendered", str(tmp_path), "--format", form)
    assert code == 1
    assert "NP752" in out
    assert "NP004" in out, "the file that is too large"
    assert "\x1b" not in out
    assert "\n::error::planted" not in out


@pytest.mark.parametrize("form", FORMATS)
def test_config_db(tmp_path: Path, form: str) -> None:
    fill(tmp_path, ".json")
    value = {"mtu": ESCAPE, "alias": "9" * 50_000}
    (tmp_path / f"{ESCAPE}.json").write_text(
        json.dumps({"PORT": {ESCAPE: value}, "VLAN": {"9" * 50_000: {}}})
    )
    code, out = run("validate", "--config-db", str(tmp_path), "--format", form)
    assert code == 1
    assert "NP876" in out
    assert "\x1b" not in out
    assert "\n::error::planted" not in out
    if form not in ("json", "sarif"):  # which state the whole path
        assert "9" * 2_000 not in out, "a value of any length is quoted in part"


def test_names_sort_by_their_numbers() -> None:
    names = ["Ethernet100", "Ethernet8", "a²", f"Vlan{'9' * 5_000}", "Ethernet08", "Ethernet64"]
    ordered = ["Ethernet8", "Ethernet08", "Ethernet64", "Ethernet100", f"Vlan{'9' * 5_000}", "a²"]
    assert sorted(names, key=natural) == ordered


def test_a_folder_of_an_inventory(tmp_path: Path) -> None:
    (tmp_path / "site.yaml").write_text(text_of("minimal"))
    os.mkfifo(tmp_path / "pipe.yaml")
    assert run("validate", str(tmp_path))[0] == 0


def test_trace_refuses_a_file_that_netplan_cannot_have_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = tmp_path / "site.yaml"
    site.write_text(text_of("minimal"))
    rendered = tmp_path / "rendered"
    assert run("render", str(site), "-o", str(rendered))[0] == 0
    assert run("trace", "--rendered", str(rendered), "--matrix")[0] == 0
    monkeypatch.setattr(output_tree, "MAX_BYTES", 2**20)
    with (rendered / "switches/leaf-1/roce.json").open("wb") as file:
        file.truncate(2**20 + 1)
    code, out = run("trace", "--rendered", str(rendered), "--matrix")
    assert (code, "roce.json is larger than 1 MiB" in out) == (2, True)


def test_only_the_cause_is_told() -> None:
    """A switch type with an invalid model is still defined: its switches and their links are valid."""
    text = text_of("minimal").replace("model: msn3700", "model: msn3701")
    result = CliRunner().invoke(program, ["validate", "--format", "json", "-"], input=text)
    found = json.loads(result.stdout)["diagnostics"]
    assert [d["path"] for d in found] == ["switch_types.leaf.model"]


def test_json_beside_config_dbs_is_left_out_and_named(tmp_path: Path) -> None:
    (tmp_path / "manifest.json").write_text('{"format": 1, "files": {"a": {}}}')
    assert run("validate", "--config-db", str(tmp_path))[0] == 1, "alone, it is what was meant"
    (tmp_path / "leaf-1.json").write_text('{"PORT": {"Ethernet0": {"mtu": "9100"}}}')
    code, out = run("validate", "--config-db", str(tmp_path))
    assert code == 0
    assert "manifest.json skipped: no config_db table in it" in out
