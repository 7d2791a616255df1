"""``render --shard`` and ``--join``: the parts of any number of machines give the whole tree, to the byte."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from pathlib import Path

import pytest

from netplan.model.shard import Shard, shard_of
from tests.cli_runs import netplan
from tests.inventories import FOLDER, text_of


def tree(folder: Path) -> dict[str, bytes]:
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "site.yaml").write_text(text_of("minimal"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.sample(2)
@pytest.mark.parametrize("name", ["iei-rocev2", "kitchen-sink", "superpod-h100", "l3-to-host", "eks-efa"])
def test_parts_one_after_the_other_are_the_whole(tmp_path: Path, name: str) -> None:
    """In any order; each part owns only its files."""
    inventory = str(FOLDER / f"{name}.yaml")
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    assert netplan("render", inventory, "-o", str(whole))[0] == 0
    for number in (3, 1, 2):
        status, _, error = netplan("render", inventory, "-o", str(parts), "--shard", f"{number}/3")
        assert status == 0, error
    assert tree(parts) == tree(whole)
    assert netplan("render", inventory, "-o", str(parts), "--check")[0] == 0
    assert netplan("render", inventory, "-o", str(whole), "--check", "--shard", "2/3")[0] == 0


def test_parts_of_several_machines_are_joined(site: Path) -> None:
    assert netplan("render", "site.yaml", "-o", "whole")[0] == 0
    for number in (1, 2, 3):
        assert netplan("render", "site.yaml", "-o", f"part-{number}", "--shard", f"{number}/3")[0] == 0
    sizes = [len(tree(site / f"part-{number}")) - 1 for number in (1, 2, 3)]
    assert sum(sizes) == len(tree(site / "whole")) - 1
    assert all(sizes)
    assert json.loads((site / "part-2" / "manifest.json").read_text())["shards"] == ["2/3"]
    status, _, error = netplan("render", "--join", "part-3", "part-1", "-o", "joined")
    assert (status, "1 of 3 parts are missing: 2/3" in error) == (2, True)
    assert not (site / "joined").exists()
    assert netplan("render", "--join", "part-3", "part-1", "part-2", "-o", "joined")[0] == 0
    assert tree(site / "joined") == tree(site / "whole")
    status, out, _ = netplan("render", "--join", "part-3", "part-1", "part-2", "-o", "joined", "--check")
    assert (status, "unchanged" in out) == (0, True)


def test_a_part_changes_its_files_in_a_whole_tree(site: Path) -> None:
    """As in a checkout: stale files of the part are removed, those of other parts always stay."""
    assert netplan("render", "site.yaml", "-o", "build")[0] == 0
    before = tree(site / "build")
    text = (site / "site.yaml").read_text()
    (site / "site.yaml").write_text(text.replace("dscp: 26", "dscp: 28"))
    assert netplan("render", "site.yaml", "-o", "whole")[0] == 0
    changed = {path for path, data in tree(site / "whole").items() if before.get(path) != data}
    mine = {path for path in changed if Shard(1, 2).has(path) and path != "manifest.json"}
    status, out, _ = netplan("render", "site.yaml", "-o", "build", "--shard", "1/2", "--check")
    assert status == 1
    assert {line.split()[-1] for line in out.splitlines() if line.startswith("would change")} == {
        *mine,
        "manifest.json",
    }
    assert netplan("render", "site.yaml", "-o", "build", "--shard", "1/2")[0] == 0
    after = tree(site / "build")
    assert {path for path, data in after.items() if before[path] != data} == {*mine, "manifest.json"}
    assert netplan("render", "site.yaml", "-o", "build", "--shard", "2/2")[0] == 0
    assert tree(site / "build") == tree(site / "whole")


def test_the_objects_of_all_parts_are_those_of_the_site(site: Path) -> None:
    """For programs that each apply one stream, such as several Argo CD Applications."""
    _, whole, _ = netplan("render", "site.yaml", "-o", "-")
    parts = [netplan("render", "site.yaml", "-o", "-", "--shard", f"{n}/2")[1] for n in (1, 2)]
    assert all(parts)
    documents = [document for part in parts for document in part.split("---\n")[1:]]
    assert sorted(documents) == sorted(whole.split("---\n")[1:])


def test_clusters_of_a_fabric_are_sharded_too(site: Path) -> None:
    shutil.copytree(FOLDER.parent / "examples" / "shared-fabric", site / "example")
    names = [f"example/clusters/{name}.yaml" for name in ("train", "infer")]
    arguments = ["render", "--fabric", "example/fabric", *names, "-o"]
    assert netplan(*arguments, "whole")[0] == 0
    for number in (1, 2):
        assert netplan(*arguments, f"part-{number}", "--shard", f"{number}/2")[0] == 0
    assert netplan("render", "--join", "part-1", "part-2", "-o", "joined")[0] == 0
    assert tree(site / "joined") == tree(site / "whole")


def test_the_place_of_a_file_follows_from_its_name(site: Path) -> None:
    paths = [f"hosts/gpu-{n:05}/10-roce0.link" for n in range(4000)]
    shares = Counter(next(i for i in range(1, 9) if Shard(i, 8).has(path)) for path in paths)
    assert len(shares) == 8
    assert min(shares.values()) > 400
    for path in paths[:50]:
        same = [Shard(i, 8).has(path) for i in range(1, 9)]
        assert same == [Shard(i, 8).has(path.replace("10-roce0.link", "sub/x.conf")) for i in range(1, 9)]
        assert same == [Shard(i, 8).has(path.rpartition("/")[0] + "/") for i in range(1, 9)]
    assert [Shard(1, 1).has(path) for path in paths[:3]] == [True] * 3


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("site.yaml", "-o", "a", "--shard", "0/3"), "'0/3' is not a part I/N such as 2/8"),
        (("site.yaml", "-o", "a", "--shard", "4/3"), "4/3: there are parts 1 to 3"),
        (("site.yaml", "-o", "a", "--shard", "1/1001"), "at most 1000"),
        (("site.yaml", "-o", "a", "--shard", "1/2", "--only", "hosts"), "exclude each other"),
        (("--join", "site.yaml", "-o", "-"), "--join requires a directory"),
        (("--join", "absent", "-o", "a"), "name directories that render --shard wrote"),
    ],
)
def test_what_no_part_is(site: Path, arguments: tuple[str, ...], said: str) -> None:
    status, _, error = netplan("render", *arguments)
    assert status == 2
    assert said in error
    with pytest.raises(ValueError, match="not a part"):
        shard_of("1/2/3")


def test_parts_that_do_not_go_together(site: Path) -> None:
    for folder, shard in (("a", "1/2"), ("b", "2/3")):
        assert netplan("render", "site.yaml", "-o", folder, "--shard", shard)[0] == 0
    assert "parts of 2 and of 3" in netplan("render", "--join", "a", "b", "-o", "c")[2]
    assert "holds parts of 2, not of 3" in netplan("render", "site.yaml", "-o", "a", "--shard", "1/3")[2]
    assert netplan("render", "site.yaml", "-o", "whole")[0] == 0
    assert "it holds a whole tree" in netplan("render", "--join", "whole", "-o", "c")[2]
    (edited,) = (
        (site / "a").glob("**/site.json")
        if (site / "a" / "site.json").is_file()
        else [next((site / "a").rglob("*.y*ml"))]
    )
    edited.write_text("edited\n")
    assert netplan("render", "site.yaml", "-o", "b2", "--shard", "2/2")[0] == 0
    assert "is not as netplan wrote it" in netplan("render", "--join", "a", "b2", "-o", "c")[2]
