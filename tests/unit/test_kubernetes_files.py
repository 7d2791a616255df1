"""Limits when reading a directory: the last file and byte within them, and the first beyond."""

from __future__ import annotations

import io
from pathlib import Path
from types import SimpleNamespace

import pytest

from netplan.load import InputError
from netplan.reading.kubernetes import files


@pytest.mark.parametrize(("size", "fits"), [(10, True), (11, False)])
def test_bytes_of_one_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: int, fits: bool):
    """A file that is too large is reported and not read: half an object would be judged as a whole one."""
    monkeypatch.setattr(files, "MAX_BYTES", 10)
    path = tmp_path / "a.yaml"
    path.write_text("x" * size)
    found = files.read_input(str(tmp_path))
    assert (list(found.texts.values()), found.large) == ((["x" * 10], ()) if fits else ([], (str(path),)))


@pytest.mark.parametrize(("size", "fits"), [(10, True), (11, False)])
def test_bytes_of_standard_input(monkeypatch: pytest.MonkeyPatch, size: int, fits: bool):
    monkeypatch.setattr(files, "MAX_BYTES", 10)
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(b"x" * size)))
    found = files.read_input("-")
    assert ([*found.texts.values()], len(found.large)) == ((["x" * 10], 0) if fits else ([], 1))


@pytest.mark.parametrize(
    ("bound", "value", "fits"),
    [("MAX_FILES", 3, True), ("MAX_FILES", 2, False), ("MAX_TOTAL", 6, True), ("MAX_TOTAL", 5, False)],
)
def test_files_and_bytes_of_a_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, bound: str, value: int, fits: bool
):
    """Three files of two bytes."""
    monkeypatch.setattr(files, bound, value)
    for name in "abc":
        (tmp_path / f"{name}.yaml").write_text("x\n")
    if fits:
        assert len(files.read_input(str(tmp_path)).texts) == 3
    else:
        with pytest.raises(InputError, match="holds more than"):
            files.read_input(str(tmp_path))
