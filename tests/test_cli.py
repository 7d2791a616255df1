"""validate, render, and what holds for every command: exit status, streams, crashes."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from netplan.load import InputError
from netplan.pipeline import KINDS
from tests.cli_runs import ERROR, NOTE, WARNING, netplan, pipeline_gives, result

SUMMARY = (
    "1 check looked at 3 things, 1 not applicable "
    "(no qos, subnets other than the rails', switches, networks, workloads)"
)
ERROR_TEXT = (
    "site.yaml:6:62: error NP203 rails.prefixes: rail 0 is full\n"
    "    6 | rails: {count: 1, vlan_ids: 100, supernets: [172.16.0.0/20], prefixes: [24]}\n"
    "      |                                                              ^\n"
    "  hint: lengthen prefixes\n"
)
WARNING_TEXT = (
    "site.yaml:5:22: warning NP404 fabric.mtu: mtu 4200 is unusual\n"
    "    5 | fabric: {type: roce, mtu: 4200}\n"
    "      |                      ^\n"
)
NOTE_TEXT = (
    "site.yaml:5:1: note NP801 fabric: no watchdog on leaf-1\n"
    "    5 | fabric: {type: roce, mtu: 4200}\n"
    "      | ^\n"
)


def test_validate_reports_to_standard_error(monkeypatch):
    calls = pipeline_gives(monkeypatch, result(WARNING, NOTE, ERROR))
    assert netplan("validate", "site.yaml", "fabric/") == (
        1,
        "",
        f"{NOTE_TEXT}{WARNING_TEXT}{ERROR_TEXT}1 error, 1 warning, 1 note; {SUMMARY}\n",
    )
    assert [(call["inputs"], call["upto"]) for call in calls] == [(["site.yaml", "fabric/"], "verify")]


def test_validate_of_a_clean_inventory(monkeypatch):
    pipeline_gives(monkeypatch, result())
    assert netplan("validate", "-") == (0, "", f"0 errors, 0 warnings; {SUMMARY}\n")


@pytest.mark.parametrize(
    ("findings", "options", "expected"),
    [
        ((WARNING,), [], (0, "", f"{WARNING_TEXT}0 errors, 1 warning; {SUMMARY}\n")),
        ((WARNING,), ["--strict"], (1, "", f"{WARNING_TEXT}0 errors, 1 warning; {SUMMARY}\n")),
        ((NOTE,), ["--strict"], (0, "", f"{NOTE_TEXT}0 errors, 0 warnings, 1 note; {SUMMARY}\n")),
        ((WARNING, NOTE), ["--quiet"], (0, "", "")),
        (
            (WARNING, NOTE),
            ["-q", "--strict"],
            (1, "", f"{WARNING_TEXT}0 errors, 1 warning, 1 note; {SUMMARY}\n"),
        ),
        ((WARNING, ERROR), ["--quiet"], (1, "", f"{ERROR_TEXT}1 error, 1 warning; {SUMMARY}\n")),
    ],
    ids=["warning", "strict", "strict-note", "quiet-clean", "quiet-strict", "quiet-error"],
)
def test_strict_and_quiet(monkeypatch, findings, options, expected):
    pipeline_gives(monkeypatch, result(*findings))
    assert netplan("validate", "site.yaml", *options) == expected


def test_validate_as_json(monkeypatch):
    pipeline_gives(monkeypatch, result(ERROR))
    status, out, err = netplan("validate", "site.yaml", "--format", "json")
    assert (status, err) == (1, "")
    report = json.loads(out)
    assert list(report) == ["version", "diagnostics", "accepted", "summary"]
    assert [(d["code"], d["line"], d["column"]) for d in report["diagnostics"]] == [("NP203", 6, 62)]


@pytest.mark.parametrize(
    ("mode", "environment", "colored"),
    [
        ("always", {}, True),
        ("always", {"NO_COLOR": "1"}, True),
        ("never", {}, False),
        ("auto", {}, False),
    ],
)
def test_color(monkeypatch, mode, environment, colored):
    pipeline_gives(monkeypatch, result(ERROR))
    _, _, err = netplan("validate", "site.yaml", "--color", mode, env=environment)
    assert ("\x1b[1;31merror NP203\x1b[m" in err) is colored


def test_an_input_that_cannot_be_read(monkeypatch):
    pipeline_gives(monkeypatch, InputError("'no\x1bwhere' does not exist"))
    assert netplan("validate", "no\x1bwhere") == (2, "", "Error: 'no\\x1bwhere' does not exist\n")


def test_an_input_that_cannot_be_read_as_json(monkeypatch):
    pipeline_gives(monkeypatch, InputError("x.yaml does not exist"))
    assert netplan("validate", "--format=json", "x.yaml") == (
        2,
        '{\n  "version": 1,\n  "error": "x.yaml does not exist"\n}\n',
        "",
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["validate"], "Missing argument 'INVENTORY...'."),
        (["render", "site.yaml"], "Missing option '--output' / '-o'."),
        (
            ["validate", "a.yaml", "--format", "yaml"],
            "'yaml' is not one of 'text', 'json', 'sarif', 'junit', 'github', 'gitlab'.",
        ),
        (["render", "a.yaml", "-o", "x", "--only", "nads"], f"nads is not one of {', '.join(KINDS)}"),
    ],
    ids=["no-inventory", "no-output", "no-format", "no-kind"],
)
def test_wrong_usage(arguments, message):
    status, out, err = netplan(*arguments)
    assert (status, out) == (2, "")
    assert err.startswith(f"Usage: netplan {arguments[0]} ")
    assert err.splitlines()[-1].endswith(message)


def test_wrong_usage_as_json():
    status, out, err = netplan("render", "site.yaml", "--format", "json")
    assert (status, err) == (2, "")
    assert json.loads(out) == {"version": 1, "error": "Missing option '--output' / '-o'."}


def test_render_writes_and_counts(monkeypatch, tmp_path):
    pipeline_gives(monkeypatch, result(NOTE))
    out = tmp_path / "out"
    assert netplan("render", "site.yaml", "-o", str(out)) == (
        0,
        f"wrote 3, changed 0, removed 0, unchanged 0 in {out}\n",
        f"{NOTE_TEXT}0 errors, 0 warnings, 1 note; {SUMMARY}\n",
    )
    assert (out / "switches/leaf-1/roce.txt").read_text() == "mtu 4200\n"


@pytest.mark.parametrize(("findings", "options"), [((ERROR,), []), ((WARNING,), ["--strict"])], ids=str)
def test_render_writes_nothing_when_something_failed(monkeypatch, tmp_path, findings, options):
    pipeline_gives(monkeypatch, result(*findings))
    status, out, err = netplan("render", "site.yaml", "-o", str(tmp_path / "out"), *options)
    assert (status, out) == (1, "")
    assert err.splitlines()[-1].endswith("; nothing written")
    assert not (tmp_path / "out").exists()


def test_render_only_one_kind(monkeypatch, tmp_path):
    monkeypatch.setattr("netplan.pipeline.KINDS", ("hosts", "switches"))
    pipeline_gives(monkeypatch, result())
    status, _, err = netplan("render", "site.yaml", "-o", str(tmp_path), "--only", "hosts", "--only", "hosts")
    assert (status, err) == (0, f"0 errors, 0 warnings; {SUMMARY}; only hosts written\n")
    assert [path.name for path in sorted(tmp_path.iterdir())] == ["hosts", "manifest.json"]


def test_render_check_of_an_up_to_date_directory(monkeypatch, tmp_path):
    pipeline_gives(monkeypatch, result())
    netplan("render", "site.yaml", "-o", str(tmp_path))
    assert netplan("render", "site.yaml", "-o", str(tmp_path), "--check") == (
        0,
        f"would write 0, change 0, remove 0, unchanged 3 in {tmp_path}\n",
        f"0 errors, 0 warnings; {SUMMARY}; nothing written\n",
    )


def test_render_check_shows_the_difference(monkeypatch, tmp_path):
    pipeline_gives(monkeypatch, result())
    netplan("render", "site.yaml", "-o", str(tmp_path))
    edited = tmp_path / "hosts/gpu-001/sysctl.conf"
    edited.write_text("a = 2\n")
    assert netplan("render", "site.yaml", "-o", str(tmp_path), "--check") == (
        1,
        "would change hosts/gpu-001/sysctl.conf\n"
        "--- a/hosts/gpu-001/sysctl.conf\n"
        "+++ b/hosts/gpu-001/sysctl.conf\n"
        "@@ -1 +1 @@\n"
        "-a = 2\n"
        "+a = 1\n"
        f"would write 0, change 1, remove 0, unchanged 2 in {tmp_path}\n",
        f"{edited}: edited since netplan wrote it; these edits would be lost\n"
        f"0 errors, 0 warnings; {SUMMARY}; nothing written\n",
    )
    assert edited.read_text() == "a = 2\n"


def test_render_as_json(monkeypatch, tmp_path):
    pipeline_gives(monkeypatch, result())
    status, out, err = netplan("render", "site.yaml", "-o", str(tmp_path), "--check", "--format", "json")
    assert (status, err) == (1, "")
    assert json.loads(out)["files"] == {
        "directory": str(tmp_path),
        "written": False,
        "added": ["hosts/gpu-001/sysctl.conf", "manifest.json", "switches/leaf-1/roce.txt"],
        "changed": [],
        "removed": [],
        "edited": [],
        "unchanged": [],
    }


def test_render_refused_as_json(monkeypatch, tmp_path):
    pipeline_gives(monkeypatch, result(ERROR))
    status, out, _ = netplan("render", "site.yaml", "-o", str(tmp_path / "out"), "--format", "json")
    assert (status, json.loads(out)["files"]) == (1, None)


def test_render_into_a_file(monkeypatch, tmp_path):
    pipeline_gives(monkeypatch, result())
    (tmp_path / "out").write_text("")
    assert netplan("render", "site.yaml", "-o", str(tmp_path / "out")) == (
        2,
        "",
        f"Error: {tmp_path / 'out'} is not a directory\n",
    )


def test_a_bug_is_reported_without_the_inventory(monkeypatch):
    pipeline_gives(monkeypatch, KeyError("secret-host"))
    status, out, err = netplan("validate", "site.yaml", env={"NETPLAN_DEBUG": None})
    assert (status, out) == (3, "")
    lines = err.splitlines()
    assert lines[0] == "netplan: this is a bug in netplan, not in the inventory"
    assert lines[1] == "  command:   netplan validate"
    assert lines[3].startswith("  exception: KeyError in tests.cli_runs, line ")
    assert "secret-host" not in err


def test_a_bug_with_traceback(monkeypatch):
    pipeline_gives(monkeypatch, KeyError("secret-host"))
    _, _, err = netplan("validate", "site.yaml", env={"NETPLAN_DEBUG": "1"})
    assert err.endswith("KeyError: 'secret-host'\n")


def test_a_bug_as_json(monkeypatch):
    pipeline_gives(monkeypatch, KeyError("secret-host"))
    status, out, _ = netplan("validate", "site.yaml", "--format", "json")
    assert status == 3
    assert json.loads(out) == {"version": 1, "error": "KeyError: a bug in netplan, see standard error"}


def test_an_interrupt(monkeypatch):
    pipeline_gives(monkeypatch, KeyboardInterrupt())
    assert netplan("validate", "site.yaml") == (130, "", "\nnetplan: interrupted\n")


def test_a_reader_that_leaves(monkeypatch):
    pipeline_gives(monkeypatch, BrokenPipeError())
    assert netplan("validate", "site.yaml") == (141, "", "")


@pytest.mark.parametrize("verb", ["apply", "try", "generate", "get", "set", "info", "ip", "status", "rebind"])
def test_verbs_of_the_other_netplan(monkeypatch, verb):
    monkeypatch.setattr("netplan.cli.otherwise.OTHER_PLACE", "/nonexistent")
    assert netplan(verb, "--debug", "x", "--help", env={"PATH": "/nonexistent"}) == (
        2,
        "",
        f"Error: {verb} is a command of Canonical's Netplan, which configures this machine's interfaces; "
        "this is rdma-netplan, and nothing was changed; the other one is not installed here\n",
    )


def test_where_the_other_netplan_is(monkeypatch, tmp_path):
    other: Path = tmp_path / "netplan"
    other.write_text("#!/bin/sh\n")
    other.chmod(0o755)
    monkeypatch.setattr("netplan.cli.otherwise.OTHER_PLACE", str(tmp_path))
    _, _, err = netplan("apply")
    assert err.endswith(f"nothing was changed; the other one is {other}\n")


def test_help_lists_our_commands_only():
    status, out, _ = netplan("--help")
    listed = out.split("Commands:\n")[1].split("\n\n")[0]
    assert status == 0
    assert [line.split()[0] for line in listed.splitlines()] == [
        "validate", "render", "diff", "trace", "report", "graph", "check-live", "krm", "show", "explain",
        "schema", "init", "import",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "command",
    ["validate", "render", "diff", "trace", "check-live", "krm", "show", "explain", "schema", "init"],
)
def test_help_has_examples(command):
    status, out, _ = netplan(command, "--help")
    assert status == 0
    assert f"Examples:\n    netplan {command}" in out


def test_the_version_needs_none_of_the_commands() -> None:
    """Loading their modules takes longer than printing the version."""
    code = (
        "import sys; from netplan.cli import program; print(sorted(m for m in sys.modules if 'netplan' in m))"
    )
    loaded = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout
    assert "netplan.cli.group" in loaded
    commands = ("build", "diff", "trace", "live", "krm", "look", "starting")
    assert not [name for name in commands if f"netplan.cli.{name}'" in loaded]
    assert "netplan.pipeline" not in loaded
