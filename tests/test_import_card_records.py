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


def test_a_table_may_have_hosts_without_the_domain_and_in_other_letters() -> None:
    texts = dict(site({}).texts)
    texts["k.yaml"] = re.sub(r"gpu-([0-9])", r"GPU-\1.a.example", texts["k.yaml"])
    assert {link["hosts"] for link in data(import_texts(texts, "site"))["links"]} == {"gpu-[1-4].a.example"}


@pytest.mark.parametrize(("own", "table"), [("leaf-1.a.example", "leaf-1"), ("leaf-1", "leaf-1.a.example")])
def test_a_table_may_have_switches_with_their_domain_or_without(own: str, table: str) -> None:
    """In the columns switch and peer."""
    texts = dict(site({}).texts)
    rows = texts["cables.csv"].replace("leaf-1,", f"{table},").splitlines()
    rows += [f"spine-1,swp1,switch,{table},swp60{',' * (rows[0].count(',') - 4)}"]
    config = "nv set system hostname {}\n" + "".join(
        f"nv set interface swp{n} link mtu 9216\n" for n in (1, 2, 3, 4, 60)
    )
    result = import_texts(
        {**texts, "cables.csv": "\n".join(rows) + "\n", "l.txt": config.format(own)}, "site"
    )
    assert [*data(result)["switches"]] == [own, "leaf-2", "spine-1"]
    assert [each["switches"] for each in data(result)["links"] if "to" in each] == [own]


def test_switches_of_two_domains_stay_apart() -> None:
    texts = dict(site({}).texts)
    for domain in "ab":
        texts[f"{domain}.txt"] = (
            f"nv set system hostname leaf-1.{domain}\nnv set interface swp1 link mtu 9216\n"
        )
    assert {"leaf-1", "leaf-1.a", "leaf-1.b"} <= data(import_texts(texts, "site"))["switches"].keys()


@pytest.mark.parametrize(
    ("own", "joined"), [("GPU-1.a.example", True), ("gpu-1.a.example", True), ("gpu-9.a.example", False)]
)
def test_a_tar_may_have_its_host_with_a_domain_and_in_other_letters(own: str, joined: bool) -> None:
    card = f"pci={PCI[0]} vendor=0x15b3 device=0x1021 numa=1 vfs=0 net=ens0 mtu=9000 type=1 speed=100000"
    texts = {**site({}).texts, f"{own}/sysfs.txt": f"# netplan collect 1: pci\n{card}\n"}
    hosts = data(import_texts(texts, "site"))["hosts"]
    assert any("a.example" in name for name in hosts) is not joined
