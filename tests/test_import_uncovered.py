"""A network that some leaves of a rail have and others have not: an inventory has it on all of them."""

from __future__ import annotations

import json
from typing import Any

from netplan.importing.run import Imported, import_texts
from tests.dumped_site import interface, listed, node, node_state
from tests.test_import_beside import PORTS, network, of_operator, policy

RAILS = dict(enumerate(list(PORTS.items())[:2]))


def subnet(rail: int, leaf: int) -> str:
    return f"172.16.{4 * rail + leaf - 1}"


def switch(leaf: int) -> str:
    """One host on each leaf, its two rails untagged in VLANs 100 and 101."""
    ports = {rail: f"Ethernet{4 * rail}" for rail in RAILS}
    tables: dict[str, Any] = {
        "DEVICE_METADATA": {"localhost": {"hostname": f"leaf-{leaf}", "hwsku": "ACS-MSN2700"}},
        "PORT": {port: {"lanes": str(rail), "speed": "100000"} for rail, port in ports.items()},
        "VLAN": {f"Vlan{100 + rail}": {"vlanid": str(100 + rail)} for rail in RAILS},
        "VLAN_MEMBER": {
            f"Vlan{100 + rail}|{port}": {"tagging_mode": "untagged"} for rail, port in ports.items()
        },
        "VLAN_INTERFACE": {f"Vlan{100 + rail}|{subnet(rail, leaf)}.1/24": {} for rail in RAILS},
    }
    return json.dumps(tables, indent=1)


def imported(*without: str) -> Imported:
    """Two leaves with a network and a pool for each rail and leaf, ``without`` some of the names."""
    objects: list[dict[str, Any]] = []
    for leaf in (1, 2):
        rows = [interface(pci, port, 100, 8) for pci, port in PORTS.items()][:2]
        objects += [node(f"gpu-{leaf}", {"pool": "gpu"}, 8), node_state(f"gpu-{leaf}", rows)]
    for rail, (pci, _) in RAILS.items():
        objects.append(policy(f"rail_{rail}", pci))
        for leaf in (1, 2):
            name, base = f"rail-{rail}-leaf-{leaf}", subnet(rail, leaf)
            spec = {"subnet": f"{base}.0/24", "gateway": f"{base}.1", "perNodeBlockSize": 8}
            ipam = {"type": "nv-ipam", "poolName": name}
            objects += [of_operator("IPPool", name, spec), network(name, f"rail_{rail}", 0, ipam)]
    kept = [each for each in objects if each["metadata"]["name"] not in without]
    cables = [
        f"leaf-{leaf},Ethernet{4 * rail},host,gpu-{leaf},{port}"
        for leaf in (1, 2)
        for rail, (_, port) in RAILS.items()
    ]
    texts = {f"leaf-{leaf}.json": switch(leaf) for leaf in (1, 2)}
    table = "\n".join(["switch,port,peer_kind,peer,peer_port", *cables, ""])
    return import_texts({**texts, "cables.csv": table, "dump.yaml": listed(kept)}, "site")


def test_a_leaf_without_the_network_is_told() -> None:
    result = imported("rail-1-leaf-2")
    (note,) = result.notes
    line = next(n for n, text in enumerate(switch(2).splitlines(), 1) if "172.16.5.1/24" in text)
    what = f"network rail has no pool for rail 1 on leaf-2 (172.16.5.0/24, leaf-2.json:{line})"
    assert note == f"{what}; for_each: rails adds pool and network there"
    assert f"# {note}" in result.text


def test_a_network_on_all_leaves_is_not_told() -> None:
    assert imported().notes == ()


def test_a_rail_without_the_network_is_not_added() -> None:
    result = imported("rail-1-leaf-1", "rail-1-leaf-2")
    assert result.notes == ()
    assert "hcas: [roce0] # those of its rails" in result.text
