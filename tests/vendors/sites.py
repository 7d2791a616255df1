"""The fabrics whose switch files the grammars are held against."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from netplan.model.switch_ports import PortVlans
from tests.nos_site import ROUTED_HOSTS, STRETCHED, TWO_LOSSLESS, nos_site, with_vlans
from tests.switch_site import Site, profiles
from tests.vendors.grammar import NOSES, facts

PORTS: Mapping[str, tuple[str, str]] = {nos: (facts(nos).port, facts(nos).asic) for nos in NOSES}
"""NOS -> a port's name before its last number, and an ASIC it runs on."""

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
"""Variant -> the feature that a plan asks of the NOS for it."""


def unsupported(nos: str, variant: str) -> bool:
    """What a plan cannot ask of the NOS, by its nos.yaml."""
    return variant in NEEDS and profiles()[nos].supports[NEEDS[variant]] != ""


MIXED = PortVlans((100, 200), 300)
ACCESS = PortVlans((), 300)


@cache
def variant_site(nos: str, variant: str) -> Site:
    """The variant on ``nos``; where hosts have VLANs, the first port's are ``MIXED`` or only untagged."""
    port, asic = PORTS[nos]
    site = nos_site(nos, port, asic, **VARIANTS[variant])
    if variant == "routed hosts":
        return site
    return with_vlans(site, ACCESS if variant == "no watchdog" else MIXED)
