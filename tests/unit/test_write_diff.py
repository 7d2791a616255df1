"""The unified diff that ``render --check`` prints."""

from __future__ import annotations

from pathlib import Path

import pytest

from netplan.model.artifact import Artifact
from netplan.write import compare, unified_diff, write

SWITCH = Artifact("switches/leaf-1/roce.json", "{}\n", "switches")
SCRIPT = Artifact("pods/train/rail-routes.sh", "#!/bin/sh\n", "pods", executable=True)
HOST = Artifact("hosts/gpu/10.link", "[Match]\n", "hosts")
ALL = (SWITCH, SCRIPT, HOST)
CHANGED_SWITCH = Artifact(SWITCH.path, '{"a": 1}\n', "switches")


@pytest.fixture
def rendered(tmp_path: Path) -> Path:
    write(tmp_path, ALL, "ams1")
    return tmp_path


def diff_of(directory: Path, *artifacts: Artifact, color: bool = False) -> list[str]:
    return list(unified_diff(directory, artifacts, compare(directory, artifacts, "ams1"), color))


def test_diff_of_an_up_to_date_directory_is_empty(rendered):
    assert diff_of(rendered, *ALL) == []


def test_diff_shows_added_changed_and_removed_files_in_order(rendered):
    assert diff_of(rendered, CHANGED_SWITCH, SCRIPT, Artifact("pods/a", "1\n2\n", "pods")) == [
        "--- a/hosts/gpu/10.link",
        "+++ /dev/null",
        "@@ -1 +0,0 @@",
        "-[Match]",
        "--- /dev/null",
        "+++ b/pods/a",
        "@@ -0,0 +1,2 @@",
        "+1",
        "+2",
        "--- a/switches/leaf-1/roce.json",
        "+++ b/switches/leaf-1/roce.json",
        "@@ -1 +1 @@",
        "-{}",
        '+{"a": 1}',
    ]


def test_diff_marks_a_missing_last_line_feed(rendered):
    (rendered / HOST.path).write_text("[Match]")
    assert diff_of(rendered, *ALL)[2:] == [
        "@@ -1 +1 @@",
        "-[Match]",
        "\\ No newline at end of file",
        "+[Match]",
    ]


def test_diff_splits_at_line_feeds_only(rendered):
    (rendered / HOST.path).write_bytes(b"a\x0cb\r\n")
    assert diff_of(rendered, *ALL)[2:] == ["@@ -1 +1 @@", "-a\x0cb\r", "+[Match]"]


def test_diff_of_a_file_that_is_not_text(rendered):
    (rendered / HOST.path).write_bytes(b"\xff\xfe")
    assert diff_of(rendered, *ALL) == ["Binary files a/hosts/gpu/10.link and b/hosts/gpu/10.link differ"]


def test_diff_of_an_executable_bit(rendered):
    (rendered / SCRIPT.path).chmod(0o644)
    assert diff_of(rendered, *ALL) == [
        "diff --git a/pods/train/rail-routes.sh b/pods/train/rail-routes.sh",
        "old mode 100644",
        "new mode 100755",
    ]


def test_diff_in_color(rendered):
    (rendered / SWITCH.path).write_text("-- a\n")
    assert diff_of(rendered, *ALL, color=True) == [
        "\x1b[1m--- a/switches/leaf-1/roce.json\x1b[m",
        "\x1b[1m+++ b/switches/leaf-1/roce.json\x1b[m",
        "\x1b[36m@@ -1 +1 @@\x1b[m",
        "\x1b[31m--- a\x1b[m",
        "\x1b[32m+{}\x1b[m",
    ]


def test_a_file_cannot_rewrite_the_terminal(rendered):
    (rendered / HOST.path).write_text("\x1b[2J\x1b[31mfine\n")
    assert "\x1b[31m-\\x1b[2J\\x1b[31mfine\x1b[m" in diff_of(rendered, *ALL, color=True)
    assert "-\x1b[2J\x1b[31mfine" in diff_of(rendered, *ALL)
