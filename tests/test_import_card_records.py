"""``netplan import``: a table of cables and a host that name one interface at two PCI addresses."""

from __future__ import annotations

import re
from typing import Any

import pytest

from netplan.importing.run import Imported, import_texts
from tests.dumped_site import interface, listed, node, node_state
from tests.test_import import data, refused, todo_lines

HEAD = "switch,port,peer_kind,peer,peer_port,rail,pci,netdev"
PCI = ("0000:18:00.0", "0000:3b:00.0")
MOVED = "0000:19:00.0"


def site(pcis: dict[str, tuple[str, str]], table: tuple[str, str] = PCI) -> Imported:
    """Four hosts; ``pcis``: of single ones; ``table``: what the table has of all."""
    objects, rows = [], [HEAD]
    for number in range(1, 5):
        name = f"gpu-{number}"
        own = pcis.get(name, PCI)
        objects += [node(name, {"k": "a"}, 8)]
        objects += [node_state(name, [interface(pci, f"ens{n}", 100) for n, pci in enumerate(own)])]
        rows += [
            f"leaf-{n + 1},swp{number},host,{name},roce{n},{n},{pci},ens{n}" for n, pci in enumerate(table)
        ]
    return import_texts({"k.yaml": listed(objects), "cables.csv": "\n".join(rows) + "\n"}, "site")


def test_a_card_at_another_address_stays_on_its_rail_and_is_asked_for() -> None:
    result = site({"gpu-3": (MOVED, PCI[1])})
    (told,) = map(str, result.conflicts)
    assert told.startswith(f"card gpu-3 {MOVED}, pci: {PCI[0]} (cables.csv:6) or {MOVED} (k.yaml:")
    inventory = data(result)
    assert [*inventory["host_types"]] == ["a"]
    assert inventory["hosts"]["gpu-3"] == {"hcas": {"roce0": {"pci": "TODO: decide"}}}
    assert refused(result.text) >= set(todo_lines(result.text))


def test_a_table_that_has_all_cards_elsewhere_makes_the_type_s_address_a_question() -> None:
    result = site({}, (MOVED, PCI[1]))
    (kind,) = data(result)["host_types"].values()
    assert kind["hcas"]["roce0"]["pci"] == "TODO"
    assert f"pci: TODO: decide, sources disagree: {MOVED} (cables.csv:2) or {PCI[0]} (k.yaml:" in result.text


@pytest.mark.parametrize(
    ("table", "conflicts"),
    [(PCI, False), ((PCI[1], PCI[0]), True)],
)
def test_addresses_that_the_host_has_are_no_question_of_addresses(
    table: tuple[str, str], conflicts: bool
) -> None:
    """Two rows that are exchanged contradict the names of the cards."""
    found: Any = site({}, table)
    assert not [each for each in found.site.conflicts if each.field == "pci"]
    assert bool(found.conflicts) is conflicts


@pytest.mark.parametrize(
    ("node_domain", "table_domain", "joined"),
    [("", ".a.example", True), (".a.example", "", True), (".a.example", ".b.example", False)],
)
def test_a_table_may_have_hosts_with_their_domain_or_without(
    node_domain: str, table_domain: str, joined: bool
) -> None:
    texts = dict(site({}).texts)
    for file, domain in (("k.yaml", node_domain), ("cables.csv", table_domain)):
        texts[file] = re.sub(r"gpu-[0-9]", rf"\g<0>{domain}", texts[file])
    result = import_texts(texts, "site")
    ends = {link["hosts"] for link in data(result).get("links", ())}
    assert ends == ({f"gpu-[1-4]{node_domain}"} if joined else set())
