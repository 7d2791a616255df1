"""The fabrics whose switch files are checked against the grammars."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from netplan.model.switch_ports import PortVlans
from tests.nos_site import ROUTED_HOSTS, STRETCHED, TWO_LOSSLESS, nos_site, with_vlans
from tests.switch_site import Site, profiles
from tests.vendors.grammar import NOSES, facts

PORTS: Mapping[str, tuple[str, str]] = {nos: (facts(nos).port, facts(nos).asic) for nos in NOSES}
"""NOS -> (port name before its last number, an ASIC it runs on)."""

VARIANTS: Mapping[str, Mapping[str, Any]] = {
    "watchdog": {},
    "two lossless": TWO_LOSSLESS,
    "pcp": {"fabric__qos__trust": "pcp"},
    "no watchdog": {"fabric__qos__pfc_watchdog": None},
    "no QoS": {"fabric__qos": None},
    "routed hosts": ROUTED_HOSTS,
    "stretched": STRETCHED,
    "mac age": {"fabric__arp": {"timeout_seconds": 60, "mac_timeout_seconds": 300}},
}
NEEDS = {"pcp": "pcp_trust", "two lossless": "qos_map"}
"""Variant -> NOS feature that its plan requires."""


def unsupported(nos: str, variant: str) -> bool:
    """Whether a variant needs a feature that the NOS lacks, by its nos.yaml."""
    return variant in NEEDS and profiles()[nos].supports[NEEDS[variant]] != ""


MIXED = PortVlans((100, 200), 300)
ACCESS = PortVlans((), 300)


@cache
def variant_site(nos: str, variant: str) -> Site:
    """The variant on ``nos``; if hosts have VLANs, those of the first port are ``MIXED`` or only untagged."""
    port, asic = PORTS[nos]
    site = nos_site(nos, port, asic, **VARIANTS[variant])
    if variant == "routed hosts":
        return site
    return with_vlans(site, ACCESS if variant == "no watchdog" else MIXED)
