"""``netplan import``: aliases of SONiC's ports that are names of other ports of the switch."""

from __future__ import annotations

import json

import pytest

from netplan.importing.run import Imported, import_texts
from tests.dumped_site import interface, listed, node, node_state

ALIASES = {"Ethernet0": "Ethernet1", "Ethernet8": "Ethernet2", "Ethernet1": "Ethernet8"}
PORTS = {port: {"alias": alias, "lanes": "0,1", "speed": "100000"} for port, alias in ALIASES.items()}
LEAF = {"DEVICE_METADATA": {"localhost": {"hostname": "leaf-1", "hwsku": "ACS-MSN3700"}}, "PORT": PORTS}
PCI = "0000:18:00.0"


def heard(kind: str, ident: str, description: str) -> Imported:
    """A card that hears this port of the leaf."""
    port = {"id": {"type": kind, "value": ident}, "descr": description}
    chassis = {"leaf-1": {"id": {"type": "mac", "value": "02:00:00:00:00:01"}}}
    lldp = {"lldp": {"interface": {"ens1": {"chassis": chassis, "port": port}}}}
    objects = [node("gpu-1", {"k": "a"}, 8), node_state("gpu-1", [interface(PCI, "ens1", 100)])]
    texts = {"k.yaml": listed(objects), "leaf-1.json": json.dumps(LEAF)}
    return import_texts({**texts, "gpu-1.lldp.json": json.dumps(lldp)}, "site")


@pytest.mark.parametrize(
    ("kind", "ident", "description", "port"),
    [
        ("local", "Ethernet8", "Ethernet1", "Ethernet1"),
        ("local", "Ethernet8", "to rack 4", "Ethernet1"),
        ("local", "Ethernet1", "Ethernet0", "Ethernet0"),
        ("local", "Ethernet0", "to rack 4", "Ethernet0"),
        ("ifname", "Ethernet8", "Ethernet8", "Ethernet8"),
    ],
)
def test_the_port_id_is_the_alias_unless_it_says_that_it_is_a_name(
    kind: str, ident: str, description: str, port: str
) -> None:
    result = heard(kind, ident, description)
    assert (result.conflicts, result.site.listed("card", ("gpu-1", PCI), "port")) == ((), ("leaf-1", port))


def test_a_description_that_names_another_port_contradicts_the_alias() -> None:
    (first, *_) = map(str, heard("local", "Ethernet8", "Ethernet8").conflicts)
    assert first.startswith(
        "card gpu-1 0000:18:00.0, port: leaf-1, Ethernet1 (gpu-1.lldp.json:1) or leaf-1, Ethernet8"
    )
