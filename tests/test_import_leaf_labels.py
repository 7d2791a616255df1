"""``netplan import``: labels of hosts by which pools of leaves select them, where single hosts have no cable,
crossed cables or another label."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from netplan.importing.run import Imported, import_texts
from tests.dumped_site import interface, listed, node, node_state
from tests.test_import import data
from tests.test_import_leaves import PAIRS, PCI, nad, pool

HOSTS = range(1, 9)


def plugin() -> dict[str, Any]:
    rows = [
        f'{{"resourceName": "rail_{n}", "selectors": {{"pciAddresses": ["{p}"]}}}}' for n, p in enumerate(PCI)
    ]
    text = f'{{"resourceList": [{", ".join(rows)}]}}'
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "c"}, "data": {"c": text}}


def selecting(rail: int, group: int) -> dict[str, Any]:
    term = {"matchExpressions": [{"key": "su", "operator": "In", "values": [f"su{group}"]}]}
    found = pool(rail, group)
    found["spec"]["nodeSelector"] = {"nodeSelectorTerms": [term]}
    return found


def site(labels: Mapping[str, str], crossed: str = "", uncabled: str = "", selects: bool = True) -> Imported:
    return import_texts(site_texts(labels, crossed, uncabled, selects), "site")


def site_texts(
    labels: Mapping[str, str], crossed: str = "", uncabled: str = "", selects: bool = True
) -> dict[str, str]:
    """Two rails, two groups of four hosts, a leaf for each rail of a group. ``labels``: of hosts with another
    one than their group."""
    objects, rows = [plugin()], ["switch,port,peer_kind,peer,peer_port,netdev"]
    for number in HOSTS:
        name, group = f"gpu-{number}", 1 + (number > 4)
        objects += [node(name, {"k": "a", "su": labels.get(name, f"su{group}")}, 8)]
        objects += [node_state(name, [interface(pci, f"ens{n}", 100) for n, pci in enumerate(PCI)])]
        for rail in range(2) if name != uncabled else ():
            side = 1 - rail if name == crossed else rail
            rows.append(f"leaf-{group}{side},Ethernet{number},host,{name},x,ens{rail}")
    objects += [nad(*pair) for pair in PAIRS]
    objects += [(selecting if selects else pool)(*pair) for pair in PAIRS]
    return {"k.yaml": listed(objects), "c.csv": "\n".join(rows) + "\n"}


def groups(result: Imported) -> set[tuple[str, str]]:
    return {(name, str(row.get("labels"))) for name, row in data(result)["hosts"].items()}


BOTH = {("gpu-[1-4]", "{'su': 'su1'}"), ("gpu-[5-8]", "{'su': 'su2'}")}


def test_the_label_by_which_pools_select_is_that_of_all_hosts() -> None:
    assert groups(site({})) == BOTH


def test_a_host_without_cables_has_its_own_label() -> None:
    assert groups(site({}, uncabled="gpu-3")) == BOTH


def test_a_host_with_crossed_cables_changes_no_label() -> None:
    assert groups(site({}, crossed="gpu-3")) == BOTH


def test_a_host_with_the_label_of_another_leaf_is_asked_about() -> None:
    result = site({"gpu-3": "su2"})
    assert groups(result) == {
        ("gpu-[1-2]", "{'su': 'su1'}"),
        ("gpu-3", "TODO"),
        ("gpu-4", "{'su': 'su1'}"),
        ("gpu-[5-8]", "{'su': 'su2'}"),
    }
    (line,) = [line for line in result.text.splitlines() if line.startswith("  gpu-3:")]
    assert "gpu-3 has su: su2 (k.yaml:" in line
    assert "gpu-1 on leaf-10 su1 (k.yaml:" in line


def test_without_pools_that_select_by_it_a_label_has_to_fit_all() -> None:
    assert groups(site({}, selects=False)) == BOTH
    assert groups(site({"gpu-3": "su2"}, selects=False)) == {("gpu-[1-8]", "TODO")}


def test_a_label_that_does_not_tell_the_leaves_apart_is_none() -> None:
    assert groups(site({f"gpu-{n}": "su1" for n in HOSTS})) == {("gpu-[1-8]", "TODO")}
