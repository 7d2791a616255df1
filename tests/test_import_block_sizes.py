"""Block sizes of IPPools that netplan did not create: an import keeps them or asks."""

from __future__ import annotations

import re

import pytest

from tests.test_import import OPERATED, data, operated

ONE_POOL = OPERATED.replace('"poolName": "p1"', '"poolName": "p0"')


def line_of(text: str) -> list[str]:
    return re.findall(r"block_size: .*", text)


@pytest.mark.parametrize(("size", "parts"), [(8, [4, 4]), (9, [5, 4]), (2, [1, 1])])
def test_networks_of_one_pool_have_a_part_each(size: int, parts: list[int]) -> None:
    text = re.sub(r"perNodeBlockSize: \d+", f"perNodeBlockSize: {size}", ONE_POOL)
    result = operated(text)
    assert [row["block_size"] for row in data(result)["networks"].values()] == parts
    assert all(f"part of {size}, shared by" in line for line in line_of(result.text))


def test_a_block_too_small_for_its_networks_is_asked() -> None:
    result = operated(re.sub(r"perNodeBlockSize: \d+", "perNodeBlockSize: 1", ONE_POOL))
    assert len(line_of(result.text)) == 2
    assert all("TODO" in line and "the parts add up to 1" in line for line in line_of(result.text))


def test_dumps_that_disagree_leave_a_question() -> None:
    other = OPERATED.replace("perNodeBlockSize: 8", "perNodeBlockSize: 16")
    pool = other[other.index("apiVersion: nv-ipam") :]
    lines = line_of(operated(OPERATED + "---\n" + pool).text)
    asked = [line for line in lines if line.startswith("block_size: TODO")]
    assert len(asked) == 2
    assert all(re.search(r"sources disagree: 8 \(.*\) or 16 \(", line) for line in asked)


def test_pools_of_several_sizes_are_asked_in_the_order_of_the_rails() -> None:
    several = OPERATED.replace("10.1.1.1, perNodeBlockSize: 8", "10.1.1.1, perNodeBlockSize: 16")
    same = several.replace("networkNamespace: training", "networkNamespace: a").replace(
        '  metaPlugins: \'{"type": "sbr"}\'\n', ""
    )
    (line,) = line_of(operated(same).text)
    assert "TODO: an inventory cannot express this" in line
    assert re.search(r"p0 8 \(.*, p1 16 \(", line)


def test_the_blocks_of_pools_that_netplan_made_are_kept() -> None:
    """The inventory that they were rendered from may have stated the size."""
    label = "labels: {app.kubernetes.io/managed-by: netplan}"
    text = re.sub(r"(kind: IPPool\nmetadata: \{)", rf"\1{label}, ", OPERATED)
    assert label in text
    sizes = [row["block_size"] for row in data(operated(text))["networks"].values()]
    assert sizes == [row["block_size"] for row in data(operated(OPERATED))["networks"].values()]
