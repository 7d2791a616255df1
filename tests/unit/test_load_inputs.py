"""Files, directories and standard input; inputs that cannot be opened or hold no inventory."""

from __future__ import annotations

import errno
import io
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from netplan import load as load_module
from netplan.load import InputError, load, load_texts

SITE = "version: 1\nhosts:\n  gpu-1: {}\n  gpu-2: {}\n"
FABRIC = "rails: {count: 4}\nhosts: {gpu-3: {}}\n"


@pytest.fixture
def inventory(tmp_path, monkeypatch):
    """A working directory with ``inv/``, which has two files to read and four entries to ignore."""
    folder = tmp_path / "inv"
    folder.mkdir()
    (folder / "site.yaml").write_text(SITE)
    (folder / "fabric.yml").write_text(FABRIC)
    (folder / ".hidden.yaml").write_text("{")
    (folder / "README.md").write_text("{")
    (folder / "more.yaml").mkdir()
    (folder / "more.yaml" / "deep.yaml").write_text("{")
    monkeypatch.chdir(tmp_path)
    return folder


def test_directory(inventory):
    document = load(["inv"])
    assert (document.problems, document.files) == ((), ("inv/fabric.yml", "inv/site.yaml"))
    assert document.data == load_texts({"f": FABRIC, "s": SITE}).data
    assert str(document.locate(("hosts", "gpu-2"))) == "inv/site.yaml:4:3"


def test_file_given_twice_is_read_once(inventory):
    document = load(["inv/site.yaml", "inv", f"{inventory}/site.yaml", "./inv/site.yaml"])
    assert (document.problems, document.files) == ((), ("inv/fabric.yml", "inv/site.yaml"))


def test_standard_input_joins_a_file(inventory, monkeypatch):
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(b"rails: {count: 2}\n")))
    document = load(["-", "inv/site.yaml", "-"])
    assert document.files == ("<stdin>", "inv/site.yaml")
    assert str(document.locate(("rails", "count"))) == "<stdin>:1:9"


@pytest.mark.parametrize(
    ("raw", "at", "message"),
    [
        (b"a: 1\nb: x\xc3\xa9\xff\n", "f.yaml:2:6", "byte 0xff is not UTF-8"),
        ("a: 1".encode("utf-16"), "f.yaml:1:1", "byte 0xff is not UTF-8"),
        (b"a: \xed\xa0\x80", "f.yaml:1:4", "byte 0xed is not UTF-8"),
    ],
)
def test_bytes_that_are_not_utf8(raw, at, message, tmp_path, monkeypatch):
    (tmp_path / "f.yaml").write_bytes(raw)
    monkeypatch.chdir(tmp_path)
    [problem] = load(["f.yaml"]).problems
    assert (problem.code, str(problem.source), problem.message) == ("NP001", at, message)


@pytest.mark.parametrize(
    ("inputs", "message"),
    [
        ([], "no input: no inventory in it; `netplan init` writes one to start from"),
        (["gone.yaml"], "'gone.yaml' does not exist; name a file, a directory or - for standard input"),
        ([""], "'' does not exist; name a file, a directory or - for standard input"),
        (["empty"], "empty contains no *.yaml or *.yml file; name the directory with the inventory files"),
        (["a.yaml", "b.yaml"], "a.yaml, b.yaml: no inventory in it; `netplan init` writes one to start from"),
        (["x" * 300], f"'{'x' * 300}' cannot be opened (File name too long); check path and permissions"),
        (["dangling"], "dangling/x.yaml cannot be read (No such file or directory); check its permissions"),
    ],
    ids=["none", "missing", "no-name", "empty-directory", "empty-files", "too-long", "dangling-link"],
)
def test_input_that_is_no_inventory(inputs, message, tmp_path, monkeypatch):
    (tmp_path / "empty").mkdir()
    (tmp_path / "a.yaml").write_text("")
    (tmp_path / "b.yaml").write_text("# later\n---\n")
    (tmp_path / "dangling").mkdir()
    (tmp_path / "dangling" / "x.yaml").symlink_to("nowhere")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError) as error:
        load(inputs)
    assert str(error.value) == message


def test_name_with_a_nul_is_an_input_error():
    with pytest.raises(InputError):
        load(["a\0b"])


def test_unreadable_file(inventory, monkeypatch):
    def refused(*_args: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(Path, "open", refused)
    with pytest.raises(InputError) as error:
        load(["inv/site.yaml"])
    assert str(error.value) == "inv/site.yaml cannot be read (Permission denied); check its permissions"


def test_file_over_the_limit(tmp_path, monkeypatch):
    monkeypatch.setattr(load_module, "MAX_BYTES", 2**20)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "f.yaml").write_bytes(b"#" * 2**20)
    with pytest.raises(InputError, match="no inventory in it"):
        load(["f.yaml"])
    (tmp_path / "f.yaml").write_bytes(b"#" * (2**20 + 1))
    with pytest.raises(InputError, match=r"^f\.yaml is larger than 1 MiB; write hosts as ranges"):
        load(["f.yaml"])


def test_closed_standard_input(monkeypatch):
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(InputError, match="standard input cannot be read"):
        load(["-"])
