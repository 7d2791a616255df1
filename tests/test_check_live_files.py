"""``check-live``: tars of a folder that cannot be read, and those that are more than one."""

from __future__ import annotations

import io
import tarfile
from pathlib import Path

import pytest

from tests import live_hosts
from tests.cli_runs import netplan
from tests.inventories import text_of
from tests.live_host_site import CARDS


def tar() -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as packed:
        for name, text in live_hosts.files("gpu-001", CARDS).items():
            member = tarfile.TarInfo(name.partition("/")[2])
            member.size = len(text.encode())
            packed.addfile(member, io.BytesIO(text.encode()))
    return buffer.getvalue()


BAD = [
    (b"", "empty file"),
    (tar()[:3000], "unexpected end of data"),
    (b"sudo: a password is required\n" * 40, "tar"),
]


@pytest.fixture
def site(tmp_path: Path) -> str:
    path = tmp_path / "site.yaml"
    path.write_text(text_of("iei-rocev2"))
    return str(path)


@pytest.mark.parametrize(("content", "why"), BAD, ids=[why for _, why in BAD])
def test_a_tar_of_a_folder_that_cannot_be_read_leaves_the_others(
    tmp_path: Path, site: str, content: bytes, why: str
) -> None:
    outputs = tmp_path / "outputs"
    outputs.mkdir()
    (outputs / "gpu-001.tar").write_bytes(tar())
    _, good, _ = netplan("check-live", site, str(outputs))
    (outputs / "gpu-002.tar").write_bytes(content)
    status, out, _ = netplan("check-live", site, f"{outputs}/")
    told = [line for line in out.splitlines() if line.startswith("not read") and "gpu-002.tar" in line]
    assert (status, good.splitlines()[-1]) == (0, out.splitlines()[-1])
    assert [why in line for line in told] == [True]
    status, out, err = netplan("check-live", site, str(outputs / "gpu-001.tar"), str(outputs / "gpu-002.tar"))
    assert (status, out, "gpu-002.tar cannot be read" in err) == (2, "", True)
    (outputs / "gpu-001.tar").unlink()
    status, _, err = netplan("check-live", site, str(outputs))
    assert (status, "gpu-002.tar cannot be read" in err) == (2, True)


def test_a_tar_behind_another_one_is_not_left_out_without_a_word(tmp_path: Path, site: str) -> None:
    path = tmp_path / "gpu-001.tar"
    path.write_bytes(tar() + tar())
    status, _, err = netplan("check-live", site, str(path))
    assert status == 2
    assert "gpu-001.tar is one tar behind another: save each in a file of its own" in err
    path.write_bytes(tar() + b"Connection to gpu-001 closed.\r\n")
    assert netplan("check-live", site, str(path))[0] == 0
