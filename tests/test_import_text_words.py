"""``netplan import`` of running configurations that state a planned value in other words."""

from __future__ import annotations

import re

import pytest

from netplan.importing.run import import_texts
from netplan.reading.switches import read_switch
from tests.test_import_text import running


def dotted(number: str) -> str:
    """RFC 5396: the high and the low 16 bits."""
    return f"{int(number) >> 16}.{int(number) & 0xFFFF}"


@pytest.mark.parametrize(
    ("switch", "asn"),
    [("leaf-2", 4200000101), ("leaf-4", 4200000103), ("leaf-5", 4200000104), ("leaf-6", 4200000105)],
)
def test_an_as_number_in_asdot_is_that_number(switch: str, asn: int) -> None:
    text = re.sub(r"\b42000001?[0-9]{2,3}\b", lambda found: dotted(found[0]), running(switch))
    assert dotted(str(asn)) in text
    result = import_texts({f"{switch}.cfg": text})
    plain = import_texts({f"{switch}.cfg": running(switch)})
    assert result.text == plain.text
    assert str(asn) in result.text


@pytest.mark.parametrize(("asn", "read"), [("1.65535", 131071), ("1.65536", None), ("65536.1", None)])
def test_no_half_of_an_as_number_in_asdot_is_above_16_bits(asn: str, read: int | None) -> None:
    text = re.sub(r"(?m)^router bgp [0-9]+$", f"router bgp {asn}", running("leaf-4"))
    assert read_switch("leaf-4", "arista-eos", {"interfaces.txt": text}).asn == read


@pytest.mark.parametrize(
    ("address", "about"),
    [("172.16.132.1/24", "Vlan104"), ("172.31.255.5/32", "loopback0"), ("172.31.1.0/31", "Ethernet1/17")],
)
def test_an_address_of_nxos_with_a_tag_is_read_and_the_tag_is_named(address: str, about: str) -> None:
    plain = running("leaf-5")
    tagged = plain.replace(f"ip address {address}", f"ip address {address} tag 12345")
    found, read = (read_switch("leaf-5", "cisco-nxos", {"interfaces.txt": text}) for text in (tagged, plain))
    assert found.ports == read.ports
    assert (found.vlan_interfaces, found.loopbacks) == (read.vlan_interfaces, read.loopbacks)
    untagged = read_switch(
        "leaf-5", "cisco-nxos", {"interfaces.txt": plain.replace(f"ip address {address}", "no shutdown")}
    )
    assert (untagged.ports, untagged.vlan_interfaces, untagged.loopbacks) != (
        read.ports,
        read.vlan_interfaces,
        read.loopbacks,
    )
    said = f"{about}: the tag of its address is not taken, the inventory has no key for it"
    result = import_texts({"leaf-5.cfg": tagged})
    assert [str(each) for each in result.remarks if said in str(each)]
