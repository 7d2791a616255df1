"""``netplan validate --config-db``: accepted files, exit codes, formats and selections."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from netplan.cli import program
from tests.sonic_corpus import small, texts

LEAF = "leaf-1.json"


def run(*arguments: str, stdin: str | None = None) -> tuple[int, str, str]:
    result = CliRunner().invoke(program, ["validate", *arguments], input=stdin)
    return result.exit_code, result.stdout, result.stderr


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in texts(small()).items():
        (tmp_path / name).write_text(text)
    return tmp_path


def test_command(folder: Path) -> None:
    files = [str(folder / name) for name in small()]
    assert run("--config-db", *files)[0] == 0
    assert run("--config-db", files[0], "--config-db", *files[1:])[0] == 0
    assert run(*files, "--config-db")[0] == 0
    code, out, err = run("--config-db", str(folder))
    assert (code, out) == (0, "")
    assert err.startswith("0 errors, 0 warnings; 44 checks looked at")
    leaf = json.loads((folder / LEAF).read_text())
    leaf["PORT_QOS_MAP"]["Ethernet20"]["pfc_enable"] = "3"
    leaf["SWITCH_HASH"]["GLOBAL"]["ecmp_hash"] = ["DST_MAC"]
    (folder / LEAF).write_text(json.dumps(leaf, indent=4, sort_keys=True))
    code, _, err = run("--config-db", str(folder))
    assert code == 1
    assert "error NP896" in err
    assert "warning NP895" in err
    code, out, _ = run("--config-db", "--format", "json", str(folder))
    report = json.loads(out)
    assert code == 1
    assert {d["code"] for d in report["diagnostics"]} == {"NP896", "NP895"}
    assert all(Path(d["file"]).name == LEAF and d["line"] for d in report["diagnostics"])


@pytest.mark.parametrize("form", ["json", "sarif", "junit", "github", "gitlab"])
def test_every_format_has_the_finding(folder: Path, form: str) -> None:
    leaf = (folder / LEAF).read_text()
    (folder / LEAF).write_text(leaf.replace('"alias": "etp1"', '"alias": "etp1", "mtu": "9300"', 1))
    code, out, _ = run("--config-db", "--format", form, str(folder))
    assert code == 1
    assert "NP871" in out
    assert LEAF in out


def test_findings_can_be_selected(folder: Path) -> None:
    leaf = (folder / LEAF).read_text()
    (folder / LEAF).write_text(leaf.replace('"scheduler": "scheduler.1"', '"scheduler": "nope"'))
    assert run("--config-db", str(folder))[0] == 1
    code, _, err = run("--config-db", "--ignore", "NP874", str(folder))
    assert code == 0
    assert "NP874" not in err
    (folder / LEAF).write_text("{")
    assert run("--config-db", "--select", "NP896", str(folder))[0] == 1, "what cannot be read always counts"


def test_command_on_standard_input_and_on_nothing(folder: Path, tmp_path: Path) -> None:
    text = (folder / LEAF).read_text()
    assert run("--config-db", "-", stdin=text)[0] == 0
    assert run("--config-db", "-", stdin=text.replace('"9216"', '"9300"'))[0] == 1
    assert run("--config-db", str(folder / "absent.json"))[0] == 2
    (tmp_path / "empty").mkdir()
    code, _, err = run("--config-db", str(tmp_path / "empty"))
    assert code == 2
    assert "no *.json file" in err
