"""Names of networks that pods ask for: kept, or told with the name that netplan renders."""

from __future__ import annotations

import pytest

from netplan.importing.run import Imported, import_texts
from tests.dumped_site import cluster_dumps, fabric_dumps
from tests.test_import import FILES, operated
from tests.test_import_into import dumps, into, said
from tests.test_import_launch_kit import POOLS, config
from tests.test_import_operator_namespaces import KIT, RELEASED, finished


def told(result: Imported) -> list[str]:
    return [str(each) for each in result.remarks if "name of a network" in str(each)]


def test_the_names_that_netplan_renders_give_no_line() -> None:
    """Those of a site with a leaf for each rail, which are part of the names."""
    assert told(import_texts({**cluster_dumps(FILES), **fabric_dumps(FILES)}, "iei")) == []


def test_the_names_of_a_launch_kit_change() -> None:
    (line,) = told(config(POOLS.replace("RESERVED", "")))
    assert line == (
        "cluster-config.yaml:3: name of a network 'default/net-rail-0-dgx': rendered as net-rail-0;"
        " pods that ask for the name of today have to change"
        " (and 2 more, also 'default/net-rail-1-dgx', 'default/net-rail-2-dgx')"
    )


def test_networks_of_one_name_in_two_namespaces_change_in_one() -> None:
    (line,) = told(operated())
    assert "'training/rail-1': rendered as rail-training-1; pods that ask" in line


def renamed(name: str) -> dict[str, str]:
    """The dumps of a site whose networks have other names than netplan's."""
    return {file: text.replace("name: rail-0-leaf-1", f"name: {name}") for file, text in dumps().items()}


@pytest.mark.parametrize("name", ["rail-0", "rail-0-leaf-9", "rail-0-h200"])
def test_a_name_without_the_leaf_or_with_another_end_is_told(name: str) -> None:
    (line,) = told(import_texts(renamed(name), "iei"))
    assert f"/{name}': rendered as rail-0-leaf-1; pods" in line


@pytest.mark.parametrize("identifier", ["", "h200"])
def test_the_comparison_names_networks_of_a_launch_kit_that_are_called_otherwise(identifier: str) -> None:
    text = KIT.format(operator=RELEASED, enable="true").replace(
        "- worker", f"- identifier: {identifier}\n  worker"
    )
    rows = said(into(finished(), {"cluster-config.yaml": text}), "differs")
    named = [row for row in rows if ": name:" in row]
    assert len(named) == bool(identifier)
    assert all("name: net-rail-0 (site.yaml:" in row for row in named)
    assert all("or net-rail-0-h200 (cluster-config.yaml:" in row for row in named)
