"""Whether a path is there: what the system does not tell is an error, on every Python."""

from __future__ import annotations

import pytest

from netplan.paths import exists


def test_what_is_there_and_what_is_not(tmp_path):
    (tmp_path / "file").touch()
    (tmp_path / "dangling").symlink_to("nowhere")
    (tmp_path / "loop").symlink_to("loop")
    names = (".", "file", "dangling", "loop", "file/below", "absent", "null\0byte")
    assert [name for name in names if exists(tmp_path / name)] == [".", "file"]


def test_a_name_that_the_system_does_not_take_is_an_error(tmp_path):
    with pytest.raises(OSError, match="File name too long"):
        exists(tmp_path / ("x" * 300))
