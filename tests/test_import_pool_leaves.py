"""Rails by kubectl and cables alone: the leaf of a pool follows from the nodes that it selects, and the
gateway is that of the pools, whatever is asked about the ranges."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from netplan.importing.run import Imported, import_texts
from tests.dumped_site import listed
from tests.test_import import data
from tests.test_import_leaf_labels import site_texts


def imported(last: bool = True, blocks: bool = False, selects: bool = True, drop: str = "") -> Imported:
    """``last``: pools have the last address as gateway; ``blocks``: nodes have blocks of them (status);
    ``drop``: kind of objects that are in no dump."""
    texts = site_texts({}, selects=selects)
    objects: list[Any] = [each for each in yaml.safe_load(texts["k.yaml"])["items"] if each["kind"] != drop]
    for each in objects:
        if each["kind"] != "IPPool":
            continue
        subnet, group = each["spec"]["subnet"].removesuffix(".0/24"), int(each["metadata"]["name"][-1])
        each["spec"]["gateway"] = f"{subnet}.{254 if last else 7}"
        nodes = [f"gpu-{n}" for n in range(4 * group - 3, 4 * group + 1)] if blocks else []
        rows = [{"nodeName": n, "startIP": f"{subnet}.1", "endIP": f"{subnet}.4"} for n in nodes]
        each["status"] = {"allocations": rows}
    return import_texts({**texts, "k.yaml": listed(objects)}, "site")


@pytest.mark.parametrize(("selects", "blocks"), [(True, False), (False, True)])
def test_the_nodes_of_a_pool_show_its_leaf(selects: bool, blocks: bool) -> None:
    rails = data(imported(selects=selects, blocks=blocks))["rails"]
    found = [rails[key] for key in ("supernets", "numbering", "rail_prefixes", "prefixes", "gateway")]
    assert found == [["10.1.0.0/21"], "position", [22], [24], "last"]


def test_pools_of_unknown_leaves_are_asked_and_keep_their_gateway() -> None:
    result = imported(selects=False)
    rails = data(result)["rails"]
    assert (rails["supernets"], rails["gateway"]) == ("TODO", "last")
    assert "on which leaf each of these subnets is" in result.text


def test_a_gateway_that_no_word_names_is_asked_beside_the_range() -> None:
    rails = data(imported(selects=False, last=False))["rails"]
    assert (rails["supernets"], rails["gateway"]) == ("TODO", "TODO")


def test_without_the_pools_the_gateway_is_asked() -> None:
    result = imported(drop="IPPool")
    assert data(result)["rails"]["gateway"] == "TODO"
    assert "are in no dump, k.yaml:" in result.text
