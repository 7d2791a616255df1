"""Changes that people make, as pairs of inventories: name -> edits of a shipped one, old text to new text."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from netplan.changes.sides import Side
from netplan.pipeline import compile_texts
from tests.inventories import text_of

Edit = tuple[str, str]
Edits = tuple[Edit, ...]

STORAGE = """
      storage: {{dscp: 34, priority: 4, lossless: {}, bandwidth_percent: 10, ecn: {{kmin_bytes: 20000, kmax_bytes: 1500000, probability_percent: 100}}}}
      cnp:"""
_KMIN = {"iei-rocev2": ("kmin_bytes: 100000", "kmin_bytes: 20000"), "superpod-h100": ("\n", "\n")}


def _storage(name: str, lossless: str) -> Edits:
    """With a second class; each network then says which one its pods use."""
    return (
        ("\n      cnp:", STORAGE.format(lossless)),
        _KMIN[name],
        ("    for_each: rails\n", "    for_each: rails\n    traffic_class: roce\n"),
    )


PAIRS: Mapping[str, Mapping[str, tuple[Edits, Edits]]] = {
    "iei-rocev2": {
        "VLANs renumbered": ((), (("vlan_ids: 100-103", "vlan_ids: 300-303"),)),
        "VLANs and subnets renumbered": (
            (),
            (("vlan_ids: 100-103", "vlan_ids: 300-303"), ("[172.16.0.0/19]", "[172.20.0.0/19]")),
        ),
        "MTU up": ((("  mtu: 9000", "  mtu: 4200"),), ()),
        "MTU down": ((), (("  mtu: 9000", "  mtu: 4200"),)),
        "a class becomes lossless": (
            _storage("iei-rocev2", "false"),
            _storage("iei-rocev2", "true"),
        ),
        "a class is lossless no more": (
            _storage("iei-rocev2", "true"),
            _storage("iei-rocev2", "false"),
        ),
        "another DSCP": ((), (("dscp: 26", "dscp: 28"),)),
        "hosts removed": (
            (),
            (("gpu-[101-104]: {", "gpu-[101-103]: {"), ("gpu-[101-104]\"", "gpu-[101-103]\""), ("Ethernet[64-76/4]", "Ethernet[64-72/4]"), ("nodes: 4\n", "nodes: 3\n")),
        ),
        "hosts added": (
            (("gpu-[101-104]: {", "gpu-[101-103]: {"), ("gpu-[101-104]\"", "gpu-[101-103]\""), ("Ethernet[64-76/4]", "Ethernet[64-72/4]"), ("nodes: 4\n", "nodes: 3\n")),
            (),
        ),
        "hosts moved": ((), (("Ethernet[64-76/4]", "Ethernet[112-124/4]"),)),
        "VFs": ((), (("vfs: 8", "vfs: 4"),)),
    },
    "multi-vendor": {
        "VLANs renumbered": ((), (("vlan_ids: 100-107", "vlan_ids: 300-307"),)),
        "VLANs and subnets renumbered": (
            (),
            (("vlan_ids: 100-107", "vlan_ids: 300-307"), ("[172.16.0.0/16]", "[172.20.0.0/16]")),
        ),
        "MTU up": ((), (("\n  mtu: 4200", "\n  mtu: 9000"),)),
        "MTU down": ((), (("\n  mtu: 4200", "\n  mtu: 4000"),)),
        "MTU of SONiC ports up": ((), (("sonic, model: msn3700, port_mtu: 9100", "sonic, model: msn3700, port_mtu: 9216"),)),
        "another DSCP": ((), (("dscp: 26", "dscp: 28"),)),
        "VFs": ((), (("vfs: 4", "vfs: 2"),)),
        "a leaf of another NOS": (
            (),
            (
                ("leaf-3: {type: sonic", "leaf-3: {type: cumulus-nvue"),
                ('switch: leaf-3, ports: "Ethernet[0-12/4]"', 'switch: leaf-3, ports: "swp[1-4]"'),
                ('switches: leaf-3, ports: "Ethernet[64-68/4]"', 'switches: leaf-3, ports: "swp[17-18]"'),
                ('switches: leaf-3, ports: "Ethernet[72-76/4]"', 'switches: leaf-3, ports: "swp[19-20]"'),
            ),
        ),
    },
    "superpod-h100": {
        "subnets renumbered": ((), (("[172.16.0.0/16]", "[172.20.0.0/16]"),)),
        "MTU down": ((), (("  mtu: 9000", "  mtu: 4200"),)),
        "MTU up": ((("  mtu: 9000", "  mtu: 4200"),), ()),
        "another DSCP": ((), (("dscp: 26", "dscp: 27"),)),
        "a class becomes lossless": (
            _storage("superpod-h100", "false"),
            _storage("superpod-h100", "true"),
        ),
        "hosts removed": (
            (),
            (("gpu-[001-128]", "gpu-[001-127]"), ("gpu-[097-128]", "gpu-[097-127]"), ("nodes: 128", "nodes: 127")),
        ),
        "an AS number": ((), (("spine_asn: 4200000001", "spine_asn: 4200000002"),)),
    },
}  # fmt: skip


@cache
def side(name: str, edits: Edits = ()) -> Side:
    text = text_of(name)
    for old, new in edits:
        assert old in text, old
        text = text.replace(old, new)
    result = compile_texts({f"{name}.yaml": text})
    assert result.artifacts, [f"{d.code} {d.message}" for d in result.diagnostics]
    return Side(name, {a.path: a.text for a in result.artifacts}, result.document)


def pair(name: str, change: str) -> tuple[Side, Side]:
    old, new = PAIRS[name][change]
    return side(name, old), side(name, new)
