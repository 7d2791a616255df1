"""``netplan import``: configurations without the lines by which their NOS is known are named."""

from __future__ import annotations

import json

import pytest

from netplan.importing.run import import_texts
from tests.dumped_site import listed, node

EOS = (
    "!\nno enable password\n!\nhostname leaf-1\n!\ninterface Ethernet1/1\n   mtu 9214\n   description x: y\n"
)
TREE = {"interface": {"swp1": {"link": {"mtu": 9216}}}, "system": {"hostname": "leaf-1"}}
YAML = "interface:\n  swp1:\n    link:\n      mtu: 9216\nsystem:\n  hostname: leaf-1\n"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (EOS, "a configuration of EOS or NX-OS without the line that says which; put '! Command: show"),
        ("   interface ethernet 1/1 mtu 9216 force\n", "a configuration of Onyx without the lines from"),
        (YAML, "a tree of NVUE that is no list of header and set; give nv config show -o yaml"),
        (f"header:\n  model: SN5600\n{YAML}", "a tree of NVUE that is no list of header and set"),
        (json.dumps({"set": TREE}, indent=1), "a tree of NVUE that is no list of header and set"),
    ],
)
def test_what_it_looks_like_and_lacks_is_said(text: str, why: str) -> None:
    result = import_texts({"k.yaml": listed([node("gpu-1", {}, 8)]), "leaf-1.cfg": text}, "site")
    (broken,) = result.broken
    assert broken.startswith(f"leaf-1.cfg: {why}")


def test_with_its_first_line_it_is_read() -> None:
    result = import_texts({"leaf-1.cfg": f"! Command: show running-config\n{EOS}"}, "site")
    assert (result.broken, result.site.number("port", ("leaf-1", "Ethernet1/1"), "mtu")) == ((), 9214)


@pytest.mark.parametrize("text", ["frr version 10\nhostname x\ninterface Loopback0\n", "interfaces: []\n"])
def test_other_texts_are_none(text: str) -> None:
    result = import_texts({"k.yaml": listed([node("gpu-1", {}, 8)]), "x.txt": text}, "site")
    assert not [each for each in result.broken if "configuration of" in each or "tree of" in each]
