"""``netplan import --into``: what a new host has otherwise than the host type that it gets."""

from __future__ import annotations

import json
from typing import Any

import yaml

from netplan.pipeline import compile_texts
from tests.test_import_into import dumps, into, said, smaller


def changed(host: str, card: int, **fields: Any) -> dict[str, str]:
    """The dumps, a card of a host with other fields; ``extra``: with one card more."""
    states = json.loads(dumps()["states.json"])
    (state,) = [each for each in states["items"] if each["metadata"]["name"] == host]
    own = state["status"]["interfaces"]
    if fields.pop("extra", False):
        own.append({**own[card], **fields})
    else:
        own[card].update(fields)
    texts = {name: text for name, text in dumps().items() if name != "nicdevices.yaml"}
    return {**texts, "states.json": json.dumps(states, indent=1)}


def hosts(text: str) -> Any:
    return yaml.safe_load(text)["hosts"]


def test_another_name_of_an_interface_is_the_hosts_own() -> None:
    found = into(smaller(), changed("gpu-015", 0, name="renamed0"))
    own = hosts(found.text)
    assert own["gpu-[015-016]"] == {"type": "nf5468m5"}
    assert list(own["gpu-015"]["hcas"].values()) == [{"netdev": "renamed0"}]
    texts = {"site.yaml": smaller().replace("nodes: 14", "nodes: 16"), "z.yaml": found.text}
    errors = {d.code for d in compile_texts(texts).diagnostics if d.severity > 1}
    assert errors <= {"NP826"}  # LLDP has the old name, so that the cable is not known


def test_hosts_that_are_like_their_type_state_nothing() -> None:
    found = into(smaller(), {**dumps()})
    assert hosts(found.text) == {"gpu-[015-016]": {"type": "nf5468m5"}}


def test_a_card_that_the_type_lacks_is_told() -> None:
    found = into(smaller(), changed("gpu-015", 0, extra=True, pciAddress="0000:70:00.0", name="ens9"))
    rows = [row for row in said(found, "new") if "0000:70:00.0" in row]
    assert len(rows) == 1
    assert rows[0].startswith("gpu-015 0000:70:00.0: connectx-5 ens9 is not an HCA of nf5468m5 (states.json:")


def test_a_speed_that_the_type_does_not_have_is_a_difference() -> None:
    texts = changed("gpu-015", 0, linkSpeed="200000 Mb/s")
    rows = [row for row in said(into(smaller(), texts), "differs") if "gpu-015" in row]
    assert len(rows) == 1
    assert ": speed_gbps: 100 (site.yaml:" in rows[0]
    assert ") or 200 (states.json:" in rows[0]
