"""Edits of the shipped inventories: switches of every NOS."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, partial

import pytest

from netplan.changes.commands import Files
from netplan.changes.compare import facts_of
from netplan.changes.sides import Side
from netplan.changes.switches import files_of
from netplan.pipeline import compile_texts
from tests.changes import test_blocks, test_config_db, test_nvue, test_set_lines
from tests.inventories import FOLDER

PROOFS: Mapping[str, Callable[[Files, Files], object]] = {
    "sonic": lambda old, new: test_config_db.proved(old, new, planted=True),
    "cumulus-nvue": test_nvue.proved,
    "juniper-junos": test_set_lines.proved,
    **{nos: partial(test_blocks.proved, nos) for nos in test_blocks.MODELS},
}
Edit = tuple[tuple[str, str], ...]
EDITS: Mapping[str, tuple[str, Edit]] = {
    "iei-vlan": ("iei-rocev2", (("vlan_ids: 100-103", "vlan_ids: 300-303"),)),
    "iei-asn": ("iei-rocev2", (("leaf_asn: 4200000100+", "leaf_asn: 4200000300+"),)),
    "vendors-dscp": ("multi-vendor", (("        dscp: 26\n", "        dscp: 27\n"),)),
    "vendors-vlan": (
        "multi-vendor",
        (("vlan_ids: 100-107", "vlan_ids: 300-307"), ("172.16.0.0/16", "172.20.0.0/16")),
    ),
    "superpod-dscp": ("superpod-h100", (("        dscp: 26\n", "        dscp: 27\n"),)),
    "minimal-host": (
        "minimal",
        (("gpu-[01-02]", "gpu-[01-03]"), ("[0-4/4]", "[0-8/4]"), ("[8-12/4]", "[12-20/4]")),
    ),
}
OF_A_KIND = 3
"""Number of switches tested per NOS and role; the others have the same kind of files."""


@cache
def side(name: str, edit: Edit) -> Side:
    text = (FOLDER / f"{name}.yaml").read_text(encoding="utf-8")
    for old, new in edit:
        assert old in text, old
        text = text.replace(old, new)
    result = compile_texts({f"{name}.yaml": text})
    assert result.artifacts, [d.message for d in result.diagnostics]
    return Side(name, {a.path: a.text for a in result.artifacts}, result.document)


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=[pytest.mark.full] * n.startswith("superpod")) for n in EDITS]
)
def test_switches_of_an_inventory_there_and_back(name: str) -> None:
    inventory, edit = EDITS[name]
    old, new = side(inventory, ()), side(inventory, edit)
    tried: dict[tuple[str, str], int] = {}
    for switch, fact in facts_of(new).switches.items():
        kind = (fact.nos, switch.rstrip("0123456789"))
        before, after = files_of(old, switch), files_of(new, switch)
        if fact.nos not in PROOFS or before == after or tried.get(kind, 0) == OF_A_KIND:
            continue
        tried[kind] = tried.get(kind, 0) + 1
        PROOFS[fact.nos](before, after)
        PROOFS[fact.nos](after, before)
    assert tried
