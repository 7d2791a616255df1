"""``netplan import``: neighbours without a dump that say that they forward, as hosts with ip_forward do."""

from __future__ import annotations

import json

import pytest

from netplan.importing.run import Imported, import_texts
from tests.bare_site import Bare
from tests.test_import import data

HEAD = """LocalPort    RemoteDevice    RemotePortID       Capability    RemotePortDescr
-----------  --------------  -----------------  ------------  -----------------
"""
FOOT = "--------------------------------------------------\nTotal entries displayed:  5\n"
MAC = "02:00:00:77:00:01"


def row(port: str, device: str, ident: str, can: str, text: str) -> str:
    return f"{port:<11}  {device:<14}  {ident:<17}  {can:<12}  {text}\n"


def heard(
    device: str, ident: str, text: str, hosts: str = "BR", members: dict[str, str] | None = None
) -> Imported:
    """leaf-1 hears its hosts, with capabilities ``hosts``, and on Ethernet32 a device that forwards.
    ``members``: VLAN -> tagging of that port."""
    site = Bare()
    leaf = site.leaves["leaf-1"]
    leaf["PORT"]["Ethernet32"] = {"speed": "400000", "mtu": "9216"}
    for vlan, mode in (members or {}).items():
        leaf["VLAN_MEMBER"][f"{vlan}|Ethernet32"] = {"tagging_mode": mode}
    del leaf["DEVICE_NEIGHBOR"]
    own = [
        row(f"Ethernet{8 * n}", f"gpu-{n + 1}", f"b8:ce:f6:00:{n + 1:02x}:00", hosts, "ens18np0")
        for n in range(4)
    ]
    table = HEAD + "".join([*own, row("Ethernet32", device, ident, "BR", text)]) + FOOT
    return import_texts({**site.texts(), "leaf-1.txt": table}, "site")


CASES: dict[str, tuple[tuple[str, str, str], bool]] = {
    "the name of an interface": ((MAC, "enp129s0f0np0", "O"), False),
    "a name that cards of other hosts have": ((MAC, "ens28np0", "O"), False),
    "the kernel's name": ((MAC, "eth2", "O"), False),
    "a MAC address beside hosts that forward": ((MAC, "", "BR"), False),
    "a MAC address beside hosts that do not": ((MAC, "", "O"), True),
    "a port of a NOS": (("Ethernet1/1", "", "BR"), True),
    "an alias of SONiC": (("etp9", "Ethernet64", "BR"), True),
    "a port that is described by the host behind it": (("swp9", "ens28np0", "BR"), True),
}


@pytest.mark.parametrize("case", CASES)
def test_a_neighbour_that_forwards_is_a_switch_unless_its_port_is_that_of_a_host(case: str) -> None:
    (ident, text, hosts), is_switch = CASES[case]
    result = heard("nas-1", ident, text, hosts)
    assert ("nas-1" in str(data(result).get("switches"))) == is_switch
    told = [remark.text for remark in result.remarks if "neither a card nor a switch" in remark.text]
    assert [each.startswith("leaf-1 Ethernet32 has nas-1 ") for each in told] == [True] * (not is_switch)


@pytest.mark.parametrize(("mode", "is_switch"), [("untagged", False), ("tagged", True)])
def test_behind_an_access_port_no_device_is_a_switch_of_the_fabric(mode: str, is_switch: bool) -> None:
    """Also where it is in the VLAN of the hosts: a trunk with that VLAN would lead to a spine."""
    result = heard("box-1", "e0a", "", "O", {"Vlan100": mode})
    assert ("box-1" in str(data(result)["switches"])) == is_switch


@pytest.mark.parametrize("can", ["O", "OR", "BR"])
def test_a_host_under_another_name_is_a_contradiction_whatever_it_says_of_itself(can: str) -> None:
    site = Bare()
    table = HEAD + row("Ethernet8", "gpu-99", "b8:ce:f6:00:02:00", can, "ens18np0") + FOOT
    result = import_texts({**site.texts(), "leaf-1.txt": table}, "site")
    assert "node gpu-2, name: gpu-2 (" in "".join(map(str, result.conflicts))
    assert "gpu-99" not in json.dumps(data(result))
