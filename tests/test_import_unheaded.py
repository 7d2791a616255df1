"""``netplan import``: configurations without the head that names their NOS, and trees of NVUE that are no
list, are read by several signs of one NOS; what is too little or ambiguous is named."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest
import yaml

from netplan.importing.run import Imported, import_texts
from tests.dumped_site import listed, node

EOS = (
    "!\nno enable password\n!\nhostname leaf-1\n!\ninterface Ethernet1/1\n   mtu 9214\n   description x: y\n"
    "!\ninterface Management1\n   vrf MGMT\n   ip address 192.168.0.1/24\n"
)
"""The beginning of aristanetworks/avd 3cac535c, examples/single-dc-l3ls/intended/configs/dc1-leaf1a.cfg."""
CEOS = "hostname r1\n!\ninterface Ethernet1\n   no switchport\n   ip address 10.0.0.0/31\n!\nip routing\n"
"""batfish/lab-validation dbe21f08 snapshots/eos_ceos_ebgp/source/configs/r1.cfg, for containerlab."""
NXOS = "feature bgp\nhostname leaf-1\ninterface Ethernet1/1\n  mtu 9216\ninterface loopback0\n  shutdown\n"
IOS = (
    "hostname r1\ninterface Ethernet0\n mtu 1500\ninterface Loopback0\n ip address 1.1.1.1 255.255.255.255\n"
)
HEADER = {"model": "MSN3700", "nvue-api-version": "nvue_v1", "version": "Cumulus Linux 5.9.2"}
TREE: Mapping[str, Any] = {
    "bridge": {"domain": {"br_default": {"vlan": {"100,101": {}}}}},
    "interface": {
        "lo": {"ip": {"address": {"10.255.0.1/32": {}}}, "type": "loopback"},
        "swp1": {"link": {"mtu": 9216}, "type": "swp", "description": 'to "gpu-1"'},
        "vlan100": {"ip": {"address": {"10.1.0.2/24": {}}, "vrr": {"address": {"10.1.0.1/24": {}}}}},
    },
    "system": {"hostname": "leaf-1"},
    "vrf": {"default": {"router": {"bgp": {"autonomous-system": 65001}}}},
}
LIST = [{"header": HEADER}, {"set": TREE}]
FOLDED = {"header": HEADER, "set": TREE}
REST = {"bridge": TREE["bridge"], "header": HEADER, **TREE}
FORMS = {
    "list of JSON": json.dumps(LIST, indent=2),
    "one object with header among the keys": json.dumps(REST, indent=2),
    "the same in YAML": yaml.safe_dump(REST, sort_keys=False),
    "one object with header and set": json.dumps(FOLDED, indent=4),
    "that in YAML": f"---\n{yaml.safe_dump(FOLDED, sort_keys=False)}",
}


def said_of(text: str, file: str = "leaf-1.cfg") -> Imported:
    return import_texts({"k.yaml": listed([node("gpu-1", {}, 8)]), file: text}, "site")


def lines(result: Imported) -> list[str]:
    """Values, without their places."""
    return [line.partition(" # ")[0] for line in result.text.splitlines() if not line.startswith("#")]


@pytest.mark.parametrize(
    ("text", "port", "nos"),
    [
        (EOS, "Ethernet1/1", "arista-eos"),
        (CEOS, "Ethernet1", "arista-eos"),
        (NXOS, "Ethernet1/1", "cisco-nxos"),
    ],
)
def test_three_signs_of_one_nos_are_enough(text: str, port: str, nos: str) -> None:
    result = said_of(text)
    (name,) = (of[0] for of in result.site.every("switch"))
    assert (result.broken, result.site.text("switch", (name,), "nos")) == ((), nos)
    assert (name, port) in result.site.every("port")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (
            EOS.partition("!\ninterface M")[0],
            "a configuration of EOS or NX-OS without the line that says which; its signs (of EOS: blocks "
            "indented by three blanks, no aaa root) are too few or of both; put '! Command: show",
        ),
        (
            f"{EOS}feature bgp\n",
            "a configuration of EOS or NX-OS without the line that says which; its signs (of EOS: blocks "
            "indented by three blanks, interface Management, no aaa root; of NX-OS: feature) are too few",
        ),
        ("   interface ethernet 1/1 mtu 9216 force\n", "a configuration of Onyx without the lines from"),
        (
            "interface:\n  swp1:\n    mtu: 1\n",
            "a tree of NVUE that is no list of header and set; give nv config",
        ),
        (
            yaml.safe_dump({**TREE, "tasks": []}),
            "a tree of NVUE that is no list of header and set, with the key tasks, which NVUE does not have",
        ),
    ],
)
def test_what_it_looks_like_and_lacks_is_said(text: str, why: str) -> None:
    (broken,) = said_of(text).broken
    assert broken.startswith(f"leaf-1.cfg: {why}")


def test_with_its_first_line_it_is_read() -> None:
    short = EOS.partition("!\ninterface M")[0]
    result = import_texts({"leaf-1.cfg": f"! Command: show running-config\n{short}"}, "site")
    assert (result.broken, result.site.number("port", ("leaf-1", "Ethernet1/1"), "mtu")) == ((), 9214)


@pytest.mark.parametrize(
    "text", ["frr version 10\nhostname x\ninterface Loopback0\n", "interfaces: []\n", f"version 15.2\n{IOS}"]
)
def test_other_texts_are_none(text: str) -> None:
    result = said_of(text, "x.txt")
    assert not result.site.every("switch")
    assert not [each for each in result.broken if "configuration of" in each or "tree of" in each]


@pytest.mark.parametrize("form", FORMS)
def test_each_form_of_nvue_says_the_same(form: str) -> None:
    wanted, result = said_of(yaml.safe_dump(LIST, sort_keys=False)), said_of(FORMS[form])
    assert result.broken == ()
    assert lines(result) == lines(wanted)
    assert [each.text for each in result.remarks] == [each.text for each in wanted.remarks]


@pytest.mark.parametrize("form", FORMS)
def test_each_value_has_its_line(form: str) -> None:
    result, rows = said_of(FORMS[form]), FORMS[form].splitlines()
    for field, value in {"asn": "65001", "loopback": "10.255.0.1", "nos_version": "5.9.2"}.items():
        said = result.site.said("switch", ("leaf-1",), field)
        assert said is not None
        assert value in rows[said.at.line - 1]
    (shared,) = [each for each in result.remarks if "shared by several switches" in each.text]
    assert "10.1.0.1" in rows[shared.at.line - 1]


def test_of_json_in_one_line_the_file_is_named() -> None:
    result = said_of(json.dumps(REST))
    assert lines(result) == lines(said_of(FORMS["one object with header among the keys"]))
    said = result.site.said("switch", ("leaf-1",), "asn")
    assert said is not None
    assert said.at.line == 1


CONNECTED = {"ipv4-unicast": {"redistribute": {"connected": {"enable": "off"}}}}
OFF: Mapping[str, Any] = {
    "evpn": {"enable": "off"},
    "mlag": {"enable": "off"},
    "nve": {"vxlan": {"enable": "off"}},
    "vrf": {"default": {"router": {"bgp": {"address-family": CONNECTED}}}},
}


@pytest.mark.parametrize("state", ["off", "on"])
def test_what_a_filled_tree_has_switched_off_is_not_told(state: str) -> None:
    """``?rev=applied`` without ``filled=false`` has every default."""
    text = json.dumps({**REST, **OFF}, indent=2)
    result = said_of(text.replace('"off"', f'"{state}"'))
    told = [each.text for each in result.remarks]
    words = ("EVPN", "MLAG", "VXLAN", "redistribute connected")
    assert [any(word in each for each in told) for word in words] == [state == "on"] * 4


def test_the_hostname_of_a_fresh_install_names_no_switch() -> None:
    text = json.dumps({**REST, "system": {"hostname": "cumulus"}}, indent=2)
    result = said_of(text, "leaf-7.json")
    assert [of[0] for of in result.site.every("switch")] == ["leaf-7"]
    assert "leaf-7: hostname cumulus is the default of its NOS, the file's name is taken" in [
        each.text for each in result.remarks
    ]


@pytest.mark.parametrize("form", ["list", "tree"])
def test_nvue_of_a_switch_of_infiniband_is_no_switch_of_the_fabric(form: str) -> None:
    """NVOS: annetutil/annet, tests of nvos_yaml_to_dict."""
    header = {"model": "q3400", "nvue-api-version": "nvue_v1", "rev-id": 1.0, "version": "3.2.0.0"}
    tree = {"interface": {"eth0": {"ip": {"vrf": "mgmt"}}}, "system": {"hostname": "ib-1"}}
    body: Any = [{"header": header}, {"set": tree}] if form == "list" else {"header": header, **tree}
    result = said_of(yaml.safe_dump(body, sort_keys=False))
    assert result.site.every("switch") == []
    assert [each.text for each in result.remarks] == ["none of its lines is typical of cumulus-nvue"]


def test_vlans_of_switches_alone_are_told_with_their_addresses() -> None:
    result = import_texts({"leaf-1.json": FORMS["list of JSON"]}, "site")
    assert (
        "VLAN 100 of the switches (interfaces leaf-1 10.1.0.2/24): the dumps have no rail and no network, "
        in str([each.text for each in result.remarks])
    )
