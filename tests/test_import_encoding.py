"""Dumps that are not UTF-8: read by their mark, else one finding with its place; the other files are read."""

from __future__ import annotations

import codecs
import gzip
from collections.abc import Callable
from pathlib import Path

import pytest

from netplan.importing.run import import_texts
from netplan.importing.sources import Sources, sources
from netplan.reading.kubernetes.files import MAX_BYTES
from tests.cli_runs import netplan
from tests.dumped_site import interface, listed, node, node_state
from tests.test_import_hosts import lspci, member, tarred

CARDS = [interface("0000:18:00.0", "ens1", 100), interface("0000:29:00.0", "ens2", 100)]
NODES = listed([node("gpu-1", {"example.com/rack": "Büro"}, 8)])
STATES = listed([node_state("gpu-1", CARDS)])
TABLE = """LocalPort    RemoteDevice    RemotePortID    Capability    RemotePortDescr
-----------  --------------  --------------  ------------  -----------------
Ethernet0    gpu-1           ens1            O             ens1
Ethernet4    gpu-1           ens2            O             ens2
--------------------------------------------------
Total entries displayed:  2
"""


@pytest.mark.parametrize("code", ["utf-8-sig", "utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
def test_a_file_with_a_mark(code: str, tmp_path: Path) -> None:
    texts = {"a.yaml": NODES, "b.yaml": STATES, "leaf-1.txt": TABLE}
    marks = {"utf-8-sig": "", **dict.fromkeys(("utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"), "\ufeff")}
    for name, text in texts.items():
        (tmp_path / name).write_bytes(f"{marks[code]}{text}".encode(code))
    found = sources([str(tmp_path)])
    names = {str(tmp_path / name): text for name, text in texts.items()}
    assert import_texts(found.texts, "site").text == import_texts(names, "site").text
    assert found.broken == ()


BROKEN = (
    (
        codecs.BOM_UTF16_LE + "kind: Node".encode("utf-16-le") + b"\0",
        "not read: {}: byte 23 is not UTF-16, which",
    ),
    (codecs.BOM_UTF32_BE + b"\0\0\0k\0\0", "not read: {}: byte 9 is not UTF-32, which"),
    ("kind: Node".encode("utf-16-le"), "{}:1:2: error NP001"),
    ('{"PORT": {"Ethernet0": {"alias": "B\xfcro"}}}'.encode("latin-1"), "{}:1:36: error NP870"),
    ("# B\xfcro\napiVersion: v1\nkind: Node\n".encode("latin-1"), "{}:1:4: error NP001"),
)


@pytest.mark.parametrize(("body", "wanted"), BROKEN)
def test_a_file_that_is_not_utf_8(body: bytes, wanted: str, tmp_path: Path) -> None:
    (tmp_path / "dumps").mkdir()
    (tmp_path / "dumps" / "a.yaml").write_text(NODES)
    (tmp_path / "dumps" / "b.yaml").write_text(STATES)
    (tmp_path / "dumps" / "c.yaml").write_bytes(body)
    site = tmp_path / "site.yaml"
    status, _, err = netplan("import", str(tmp_path / "dumps"), "-o", str(site), "--site", "x")
    told = [line for line in err.splitlines() if "c.yaml" in line and "nothing to import" not in line]
    assert [line.startswith(wanted.format(tmp_path / "dumps" / "c.yaml")) for line in told] == [True]
    assert status == 1
    assert "netdev: ens2" in site.read_text()


@pytest.mark.parametrize(("count", "lines"), [(11, 11), (12, 2)])
def test_files_of_a_repository_with_nothing_to_import(count: int, lines: int, tmp_path: Path) -> None:
    """Many in a folder are one line; a file that was given by name is always told."""
    (tmp_path / "a.yaml").write_text(NODES)
    for number in range(count):
        (tmp_path / f"values-{number:02}.yaml").write_text("a: 1")
    first = str(tmp_path / "values-00.yaml")
    told = [line for line in netplan("import", str(tmp_path), first)[2].splitlines() if "nothing to" in line]
    assert (len(told), told[0]) == (lines, f"{first}: nothing to import")
    assert (f"nothing to import in 11 files: {tmp_path / 'values-01.yaml'}" in told[-1]) is (count == 12)


def test_neighbours_without_a_cluster_are_one_line() -> None:
    """The file of the cluster is the one that was not read."""
    found = import_texts({"leaf-1.txt": TABLE, "leaf-1.json": '{"PORT": {"Ethernet0": {}, "Ethernet4": {}}}'})
    (told,) = [str(remark) for remark in found.remarks if "Ethernet" in str(remark)]
    what = "neither a card nor a switch in the dumps (and 1 more, also 'leaf-1 Ethernet4')"
    assert told == f"leaf-1.txt:3: leaf-1 Ethernet0 has gpu-1 ens1, which is {what}"


RUNNING = "! Command: show running-config\nhostname leaf-9\ninterface Vlan9\n   ip address 10.9.0.1/24\n"


def test_files_of_a_folder_with_other_suffixes(tmp_path: Path) -> None:
    """What a reader knows is read, packed or not; the rest is named, and so is a packed file that is cut."""
    (tmp_path / "a.yaml").write_text(NODES)
    (tmp_path / "leaf-9.cfg").write_text(RUNNING)
    (tmp_path / "leaf-1").write_text(f"admin@leaf-1:~$ show lldp table\n{TABLE}")
    (tmp_path / "b.yaml.gz").write_bytes(gzip.compress(STATES.encode()))
    (tmp_path / "c.json.gz").write_bytes(gzip.compress(STATES.encode())[:40])
    (tmp_path / "old").mkdir()
    (tmp_path / "old" / "core.zip").write_bytes(b"PK\3\4\0\0")
    (tmp_path / "README.md").write_text("# Dumps\n\n```yaml\napiVersion: v1\nkind: Node\n```\n")
    (tmp_path / ".cache").write_text(RUNNING)
    found = sources([str(tmp_path)])
    assert sorted(Path(name).name for name in found.texts) == ["a.yaml", "b.yaml.gz", "leaf-1", "leaf-9.cfg"]
    assert found.skipped == (f"{tmp_path}: 2 files of no known kind not read: README.md, old/core.zip",)
    (cut,) = found.broken
    assert cut.startswith(f"{tmp_path}/c.json.gz cannot be read as a gzip file (")
    status, out, err = netplan("import", str(tmp_path), "--site", "x")
    assert status == 1
    assert all(part in out for part in ("netdev: ens2", "leaf-9: {type:", "leaf-1: {type:"))
    assert f"note: {found.skipped[0]}\n" in err
    assert "README.md" in out.partition("version: 1")[0]


@pytest.mark.parametrize("name", ["gpu-1", "gpu-1.log", "gpu-1.txt", "gpu-1.gz"])
@pytest.mark.parametrize("in_folder", [False, True])
@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_a_tar_is_known_by_its_content(
    name: str, in_folder: bool, pack: Callable[[bytes], bytes], tmp_path: Path
) -> None:
    (tmp_path / name).write_bytes(pack(tarred((member("gpu-1/lspci.txt"), lspci().encode()))))
    found = sources([str(tmp_path if in_folder else tmp_path / name)])
    assert found == Sources({f"{tmp_path}/{name}/gpu-1/lspci.txt": lspci()}, ())


def test_packed_files_that_are_hidden_are_not_read(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(NODES)
    (tmp_path / ".old.tar").write_bytes(tarred((member("gpu-1/lspci.txt"), lspci().encode())))
    assert list(sources([str(tmp_path)]).texts) == [str(tmp_path / "a.yaml")]


def test_a_packed_file_is_bounded(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(NODES)
    (tmp_path / "b.json.gz").write_bytes(gzip.compress(b" " * (MAX_BYTES + 1)))
    assert sources([str(tmp_path)]).broken == (f"{tmp_path}/b.json.gz unpacks to more than 32 MiB",)
    assert sources([str(tmp_path / "b.json.gz")]).texts == {}


def test_trees_that_netplan_rendered_beside_dumps_are_not_read(tmp_path: Path) -> None:
    """What is planned says nothing of what runs; the folder itself may be such a tree."""
    tree = tmp_path / "dumps" / "build"
    (tree / "switches").mkdir(parents=True)
    (tmp_path / "dumps" / "a.yaml").write_text(NODES)
    (tree / "switches" / "leaf.txt").write_text(RUNNING)
    (tree / "site.json").write_text("{}")
    (tree / "manifest.json").write_text('{\n  "format": 1,\n  "site": "prod",\n  "files": {}\n}\n')
    found = sources([str(tmp_path / "dumps")])
    assert [Path(name).name for name in found.texts] == ["a.yaml"]
    assert found.skipped == (f"{tree}: rendered by netplan, which says nothing of what runs; not read",)
    assert {Path(name).name for name in sources([str(tree)]).texts} >= {"leaf.txt"}
    (tree / "manifest.json").write_text('{"files": ["another tool"]}')
    assert {Path(name).name for name in sources([str(tmp_path / "dumps")]).texts} >= {"a.yaml", "leaf.txt"}
