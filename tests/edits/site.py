"""A small site on one NOS: two rails on one leaf each, a spine, two hosts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import yaml

from netplan.diagnostics import Severity
from netplan.pipeline import compile_texts
from tests.inventories import FOLDER, compiled, outputs


@dataclass(frozen=True)
class Box:
    """``ports``: to hosts, uplinks, and from the spine down. ``more``: keys of the switch type; ``enabled``:
    keys of every link, if ports are down without them."""

    asic: str
    hosts: str
    up: str
    down: tuple[str, str]
    more: tuple[tuple[str, Any], ...] = ()
    enabled: tuple[tuple[str, Any], ...] = ()


BOXES: Mapping[str, Box] = {
    "sonic": Box(
        "spectrum-2",
        "Ethernet[0-4/4]",
        "Ethernet[64-68/4]",
        ("Ethernet[0-4/4]", "Ethernet[8-12/4]"),
        enabled=(("admin_status", "up"),),
    ),
    "arista-eos": Box(
        "tomahawk4", "Ethernet[1-2]/1", "Ethernet[9-10]/1", ("Ethernet[1-2]/1", "Ethernet[3-4]/1")
    ),
    "cisco-nxos": Box(
        "cloud-scale", "Ethernet1/[1-2]", "Ethernet1/[9-10]", ("Ethernet1/[1-2]", "Ethernet1/[3-4]")
    ),
    "juniper-junos": Box(
        "tomahawk5",
        "et-0/0/[1-2]",
        "et-0/0/[9-10]",
        ("et-0/0/[1-2]", "et-0/0/[3-4]"),
        (("queue_bytes", 3000000),),
    ),
    "cumulus-nvue": Box("spectrum-2", "swp[1-2]", "swp[9-10]", ("swp[1-2]", "swp[3-4]")),
}
_BOX = {"ports": 64, "speeds_gbps": [100], "host_table": 16384, "source": "https://example.com/box"}


def inventory(nos: str) -> str:
    box = BOXES[nos]
    data = yaml.safe_load((FOLDER / "minimal.yaml").read_text(encoding="utf-8"))
    data["site"] = "edits"
    del data["rails"]["numbering"]  # the edits name subnets by the leaf's id
    data["fabric"] |= {"arp": {"timeout_seconds": 60}, "cross_rail": "any"}
    data["underlay"] = {
        "leaf_asn": "4200000100+",
        "spine_asn": 4200000001,
        "loopbacks": "172.31.255.0/24",
        "uplinks": "172.31.0.0/22",
    }
    model = "msn3700" if nos == "sonic" else "box"
    data["switch_types"] = {"leaf": {"nos": nos, "model": model, "port_mtu": 9214, **dict(box.more)}}
    if model == "box":
        data["catalog"] = {"switches": {"box": {**_BOX, "asic": box.asic}}}
    data["switches"] = {
        "leaf-[1-2]": {"type": "leaf", "id": 1, "role": "leaf"},
        "spine-1": {"type": "leaf", "id": 101, "role": "spine"},
    }
    data["links"] = []
    for leaf in (1, 2):
        host = {"hosts": "gpu-[01-02]", "hca": f"roce{leaf - 1}", "switch": f"leaf-{leaf}"}
        up = {"switches": f"leaf-{leaf}", "ports": box.up, "to": "spine-1", "to_ports": box.down[leaf - 1]}
        data["links"] += [
            host | dict(box.enabled) | {"ports": box.hosts, "cable_m": 3},
            up | dict(box.enabled) | {"cable_m": 40},
        ]
    return yaml.safe_dump(data, sort_keys=False)


@cache
def rendered(nos: str) -> Mapping[str, str]:
    """Path -> text of the small site on a NOS, or of a shipped inventory."""
    if nos not in BOXES:
        return outputs(compiled(nos))
    result = compile_texts({"edits.yaml": inventory(nos)})
    errors = [d for d in result.diagnostics if d.severity is Severity.ERROR]
    assert not errors, errors
    return outputs(result)
