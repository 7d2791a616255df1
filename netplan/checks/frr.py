"""NP840: BGP announcements survive a reboot of the switch."""

from __future__ import annotations

from collections.abc import Iterator

from netplan.checks.registry import Finding, check
from netplan.model.plan import Plan
from netplan.model.switching import first_of_each_type


@check(
    "NP840",
    "routed host links announced until the next restart only",
    on=Plan,
    counts=lambda plan: sum(bool(switch.host_networks and switch.frr.bgp) for switch in plan.switches),
    about="switches",
)
def host_links_lost(plan: Plan) -> Iterator[Finding]:
    """With `rails.segment: host` a leaf announces a prefix for every NIC. bgpcfgd announces only
    Loopback0 and VLAN interfaces; anything else entered in vtysh is gone when the bgp container restarts.

    **Why.** After a restart of bgp, a config reload or a reboot the sessions are up and every NIC of the leaf
    is unreachable from the other leaves.
    **Fix.** Let frrcfgd or FRR itself own the configuration and state it: `frr_mode: frrcfgd` writes the
    prefixes to BGP_GLOBALS_AF_NETWORK, `frr_mode: split` to a file that FRR keeps. Or use `segment: leaf`.
    If another tool enters host-links.conf after every start, accept the finding.
    **Source.** sonic-net/sonic-buildimage 086b03bd dockers/docker-fpm-frr/docker_init.sh (what it writes at
    each start with separated and unified) and frr/bgpd/bgpd.main.conf.j2
    """
    for switch in first_of_each_type(s for s in plan.switches if s.frr.lost):
        what = (
            f"{switch.name} announces {len(switch.frr.lost)} host links by FRR commands, which "
            f"{switch.frr.mode} discards whenever bgp starts"
        )
        hint = "make frrcfgd or FRR itself the owner on the switch and state frr_mode: frrcfgd or split"
        yield Finding((*switch.type.at, "frr_mode"), what, hint)
