"""Who owns the configuration of FRR on a switch, and where its BGP has to be written for it."""

from __future__ import annotations

from netaddr import IPNetwork

from netplan.records import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class NosFrr:
    """One owner that a NOS may give FRR: an entry of ``frr_modes`` in its nos.yaml.

    ``routing_config``: values of docker_routing_config_mode it works with. ``framework``:
    frr_mgmt_framework_config. ``bgp``: rows, the owner reads neighbours from config_db and announces loopback
    and VLAN interfaces by itself; globals, everything is a row of config_db; lines, FRR keeps its own file.
    """

    name: str
    routing_config: tuple[str, ...]
    framework: bool
    bgp: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SwitchFrr:
    """What a switch is told of BGP, and where: ``mode`` is "" where the NOS has one place for it only.

    ``bgp`` as in NosFrr, "" without BGP. ``lost``: prefixes that only FRR lines announce, which the owner
    drops whenever FRR starts.
    """

    mode: str
    stated: bool
    routing_config: tuple[str, ...]
    framework: bool
    bgp: str
    lost: tuple[IPNetwork, ...]
