"""``netplan import``: rails and speeds of a table of cables that other sources contradict."""

from __future__ import annotations

import pytest

from netplan.importing.run import Imported, import_texts
from tests.bare_site import Bare
from tests.dumped_site import interface, listed, node, node_state
from tests.test_import import data
from tests.test_import_disagree import policy

PCI = ("0000:18:00.0", "0000:3b:00.0")


def site(rails: dict[str, tuple[int, int]]) -> Imported:
    """Four hosts, whose policies give each card a resource of its own. ``rails``: of single hosts."""
    objects, rows = [policy(0, "ens0", "rail_0"), policy(1, "ens1", "rail_1")], []
    for number in range(1, 5):
        name = f"gpu-{number}"
        objects += [node(name, {"kind": "a"}, 8)]
        objects += [node_state(name, [interface(pci, f"ens{n}", 100) for n, pci in enumerate(PCI)])]
        stated = rails.get(name, (0, 1))
        rows += [f"leaf-{n},swp{number},host,{name},x,{stated[n]},ens{n}" for n in range(2)]
    table = "\n".join(["switch,port,peer_kind,peer,peer_port,rail,netdev", *rows, ""])
    return import_texts({"k.yaml": listed(objects), "cables.csv": table}, "site")


def test_a_resource_on_two_rails_is_a_contradiction() -> None:
    told = [str(each) for each in site({"gpu-3": (1, 0)}).conflicts if "resource" in str(each)]
    both = "rail 0 on gpu-1 (cables.csv:2) and of rail 1 on gpu-3 (cables.csv:6)"
    assert told == [f"resource rail_0 is of {both} (and 1 more)"]


@pytest.mark.parametrize("rails", [(0, 1), (1, 0)])
def test_rails_may_be_in_another_order_than_the_names_of_resources(rails: tuple[int, int]) -> None:
    assert site({f"gpu-{number}": rails for number in range(1, 5)}).conflicts == ()


@pytest.mark.parametrize(("port", "table", "asked"), [(200, 0, 1), (400, 200, 1), (400, 400, 0), (400, 0, 0)])
def test_a_speed_that_sources_contradict_is_todo_at_the_link(port: int, table: int, asked: int) -> None:
    """``port``: as the leaf is set, for a card at 400 Gbit/s; ``table``: as a table of cables has it."""
    bare = Bare(rails=2)
    bare.leaves["leaf-1"]["PORT"]["Ethernet0"]["speed"] = f"{port}000"
    row = f"leaf-1,Ethernet0,host,gpu-1,x,ens18np0,{table or ''}"
    texts = bare.texts() | {"c.csv": f"switch,port,peer_kind,peer,peer_port,netdev,speed_gbps\n{row}\n"}
    result = import_texts(texts, "site")
    links = [each for each in data(result)["links"] if each.get("speed_gbps") == "TODO"]
    assert [(each["switch"], each["ports"]) for each in links] == [("leaf-1", "Ethernet0")] * asked
    assert bool(result.conflicts) is bool(asked)
