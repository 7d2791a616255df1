"""``netplan import``: rails by the VLANs of switch ports, where no dump has a cable, a leaf or a near GPU."""

from __future__ import annotations

from typing import Any

import pytest

from netplan.importing.run import Imported, import_texts
from tests.bare_site import BUSES, Bare
from tests.test_import import data


def rails(result: Imported) -> dict[str, Any]:
    """Host type -> its HCAs."""
    return {name: [*kind["hcas"]] for name, kind in data(result)["host_types"].items()}


def notes(result: Imported) -> list[str]:
    return [note for note in result.notes if "no dump has the cables" in note]


ALL = {"type-1": ["roce[0-3]", "roce0", "roce1", "roce2", "roce3"]}


def test_a_site_with_all_cables_has_its_rails_and_no_note() -> None:
    result = Bare().imported()
    assert (rails(result), notes(result), result.conflicts) == (ALL, [], ())
    assert data(result)["rails"]["vlan_ids"] == "100-103"


@pytest.mark.parametrize(
    ("missing", "told"),
    [
        ({2: (1,)}, "1 HCA of gpu-2"),
        ({2: (1,), 3: (0,), 4: (3,)}, "3 HCAs of gpu-[2-4]"),
        ({1: (2,)}, "1 HCA of gpu-1"),
        ({3: (0, 1, 2, 3)}, "4 HCAs of gpu-3"),
        ({1: (3,), 2: (3,), 3: (3,)}, "3 HCAs of gpu-[1-3]"),
    ],
)
def test_a_port_without_a_neighbour_keeps_the_rail_of_the_other_hosts(
    missing: dict[int, tuple[int, ...]], told: str
) -> None:
    site = Bare()
    for host, own in missing.items():
        site.without_neighbours(host, *own)
    result = site.imported()
    assert rails(result) == ALL
    assert data(result)["rails"]["vlan_ids"] == "100-103"
    assert [told in note for note in notes(result)] == [True]
    assert result.remarks == ()  # the port of the switch is the one that the note asks for
    rows = [row for row in data(result)["links"] if row["switch"] == "TODO"]
    assert rows != []


def test_a_host_without_any_neighbour_has_the_rails_of_the_others_not_those_of_its_addresses() -> None:
    site = Bare(vlans=(103, 102, 101, 100))
    site.without_neighbours(3, 0, 1, 2, 3)
    result = site.imported()
    (kind,) = data(result)["host_types"].values()
    assert [kind["hcas"][f"roce{n}"]["pci"][5:7] for n in range(4)] == ["48", "38", "28", "18"]


def test_a_card_whose_cable_sources_state_differently_keeps_its_rail() -> None:
    """The answer to the TODO of its port is an HCA that its host type has."""
    site = Bare()
    table = "switch,port,peer_kind,peer,peer_port\nleaf-1,Ethernet8,host,gpu-1,ens18np0\n"
    result = import_texts({**site.texts(), "cables.csv": table}, "site")
    assert len(result.conflicts) > 0
    assert rails(result) == ALL


@pytest.mark.parametrize("head", ["peer_kind,peer,peer_port", "peer_kind,peer,nic", "x,host,host_interface"])
def test_the_rail_of_a_table_of_cables_is_that_of_the_interface(head: str) -> None:
    """Whatever VLANs and addresses say."""
    site = Bare()
    rows = (
        f"leaf-{rail + 1},Ethernet{8 * host},host,gpu-{host + 1},ens{BUSES[rail]}np0,{3 - rail}\n"
        for rail in range(4)
        for host in range(4)
    )
    table = f"switch,port,{head},rail\n{''.join(rows)}"
    result = import_texts({**site.texts(), "cables.csv": table}, "site")
    (kind,) = data(result)["host_types"].values()
    assert [kind["hcas"][f"roce{n}"]["pci"][5:7] for n in range(4)] == ["48", "38", "28", "18"]
    assert data(result)["rails"]["vlan_ids"] == [103, 102, 101, 100]


def groups(*vlans: range) -> Bare:
    """Leaves of four rails for each of the groups, with two hosts each."""
    site = Bare(hosts=2 * len(vlans))
    for number, own in enumerate(vlans):
        for rail in range(4):
            leaf = site.leaf(f"leaf-{4 * number + rail + 1}", own[rail], rail)
            hosts = range(2 * number, 2 * number + 2)
            ports = {f"Ethernet{8 * host}" for host in hosts}
            for table in ("PORT", "DEVICE_NEIGHBOR"):
                leaf[table] = {port: row for port, row in leaf[table].items() if port in ports}
            member = leaf["VLAN_MEMBER"]
            leaf["VLAN_MEMBER"] = {key: row for key, row in member.items() if key.split("|")[1] in ports}
            leaf["VLAN_INTERFACE"] = {f"Vlan{own[rail]}|172.16.{16 * rail + number}.1/24": {}}
            site.leaves[f"leaf-{4 * number + rail + 1}"] = leaf
    return site


@pytest.mark.parametrize("second", [range(200, 204), range(104, 108)])
def test_groups_of_leaves_with_vlans_of_their_own_have_the_same_rails(second: range) -> None:
    result = groups(range(100, 104), second).imported()
    assert data(result)["rails"]["count"] == 4
    assert rails(result) == ALL
    line = next(line for line in result.text.splitlines() if "vlan_ids:" in line)
    assert "an inventory cannot express this: a rail with another VLAN on each leaf" in line
    assert "rail 0 leaf-1: 100 (leaf-1.json:" in line


def test_groups_of_leaves_with_the_same_vlans_have_them_for_each_rail() -> None:
    assert data(groups(range(100, 104), range(100, 104)).imported())["rails"]["vlan_ids"] == "100-103"


def test_the_rail_of_a_leaf_that_no_dump_has_is_asked_for() -> None:
    site = Bare()
    del site.leaves["leaf-3"]
    result = site.imported()
    assert rails(result) == ALL
    line = next(line for line in result.text.splitlines() if "vlan_ids:" in line)
    assert "rail 1: 101, rail 2: no dump has the cables of its cards, rail 3: 103" in line
    assert ["4 HCAs of gpu-[1-4]" in note for note in notes(result)] == [True]


def test_a_card_without_a_cable_and_a_near_gpu_is_front_end() -> None:
    """The same where its link is down on every host: nothing says that it is of the fabric."""
    one, other = Bare(near=("PIX", "PIX", "PIX", "SYS")), Bare(speeds={(n, 3): -1 for n in range(1, 5)})
    for site in (one, other):
        del site.leaves["leaf-4"]
        result = site.imported()
        assert (data(result)["rails"]["count"], notes(result)) == (3, [])
        assert "front-end3" in str(rails(result))


def test_vlans_in_one_step_count_before_near_gpus() -> None:
    result = Bare(near=("PIX", "PIX", "NODE", "NODE")).imported()
    assert (rails(result), data(result)["rails"]["vlan_ids"]) == (ALL, "100-103")


def _moved(site: Bare, leaf: str, vlan: int) -> None:
    tables = site.leaves[leaf]
    for table in ("VLAN", "VLAN_MEMBER", "VLAN_INTERFACE"):
        tables[table] = {key.replace("Vlan103", f"Vlan{vlan}"): row for key, row in tables[table].items()}
    tables["VLAN"] = {f"Vlan{vlan}": {"vlanid": str(vlan)}}


def test_a_vlan_of_front_end_cards_is_told_with_the_place_of_its_interface() -> None:
    """Its number is not in the row of the rails, and the card is near to no GPU."""
    site = Bare(near=("PIX", "PIX", "PIX", "SYS"))
    _moved(site, "leaf-4", 200)
    result = site.imported()
    assert data(result)["rails"]["count"] == 3
    (remark,) = [each for each in result.remarks if "VLAN 200" in each.text]
    why = "it is of no rail and no network; vlans and subnets can have it"
    assert remark.text == f"VLAN 200 of the switches: {why}"
    lines = site.texts()["leaf-4.json"].splitlines()
    assert '"Vlan200|172.16.3.1/24"' in lines[remark.at.line - 1]


def test_a_vlan_that_only_ports_of_front_end_cards_have_is_told_too() -> None:
    site = Bare(near=("PIX", "PIX", "PIX", "SYS"))
    _moved(site, "leaf-4", 200)
    del site.leaves["leaf-4"]["VLAN_INTERFACE"]
    assert ["VLAN 200" in each.text for each in site.imported().remarks].count(True) == 1


@pytest.mark.parametrize(
    ("links", "rails_of", "front"),
    [
        (("infiniband",) * 3 + ("ethernet",), ("ib", 3), 1),
        (("infiniband", "ethernet", "ethernet", "ethernet"), ("roce", 3), 1),
        (("ethernet",) * 4, ("roce", 4), 0),
    ],
)
def test_cards_that_nothing_tells_apart_are_on_rails_of_one_link_type(
    links: tuple[str, ...], rails_of: tuple[str, int], front: int
) -> None:
    """Without switches, GPUs and resources; the others are the front end."""
    result = import_texts({f"gpu-{n}.sysfs.txt": Bare(links=links).host(n) for n in (1, 2)}, "site")
    assert data(result)["rails"]["count"] == rails_of[1]
    assert data(result)["fabric"]["type"] == ("infiniband" if rails_of[0] == "ib" else "roce")
    (hcas,) = rails(result).values()
    assert sum(name.startswith("front-end") for name in hcas if "[" not in name) == front
