"""Who owns FRR's configuration on a switch, and where BGP is configured accordingly."""

from __future__ import annotations

from netaddr import IPNetwork

from netplan.records import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class NosFrr:
    """One possible owner of FRR's configuration: an entry of ``frr_modes`` in nos.yaml.

    ``routing_config``: values of docker_routing_config_mode that it works with. ``framework``:
    frr_mgmt_framework_config. ``bgp``: rows: it reads neighbours from config_db and announces loopback and
    VLAN interfaces by itself; globals: everything is a row of config_db; lines: FRR has its own file.
    """

    name: str
    routing_config: tuple[str, ...]
    framework: bool
    bgp: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SwitchFrr:
    """How a switch gets its BGP configuration. ``mode``: "" if the NOS has a single place for it.

    ``bgp`` as in NosFrr, "" without BGP. ``lost``: prefixes that only FRR lines announce, which the owner
    drops whenever FRR starts.
    """

    mode: str
    stated: bool
    routing_config: tuple[str, ...]
    framework: bool
    bgp: str
    lost: tuple[IPNetwork, ...]
