"""NP819: BGP sessions that are off, or that one end cannot open."""

from __future__ import annotations

from collections.abc import Iterator

from netplan.diagnostics import Severity
from netplan.graph.config_db.links import Topology
from netplan.graph.config_db.sessions import between
from netplan.reading.config_db.switch import DbSwitch, having, with_others
from netplan.rules.config_db.neighbours import foreign_sources
from netplan.rules.config_db.registry import RowFinding, rule


def _neighbours(fabric: Topology) -> int:
    return sum(len(switch.rows("BGP_NEIGHBOR")) for switch in fabric.switches if switch.whole)


@rule("NP819", "BGP session that is off", on=Topology, counts=_neighbours, severity=Severity.WARNING)
def off(fabric: Topology) -> Iterator[RowFinding]:
    """`default_bgp_status` is down, and neighbours state no `admin_status`; the session between two of the
    switches given is administratively down; or, with frrcfgd, `local_addr` is on no interface.

    **Why.** bgpcfgd shuts every session down that does not state otherwise, after every restart, until
    somebody runs `config bgp startup`. frrcfgd makes `local_addr` the source of the session: this end cannot bind
    to it, so the session comes up only if the other end opens it.

    **Fix.** Set `default_bgp_status` or `admin_status` to up; write the address of the interface as
    `local_addr`. Ignore this warning if the switch is out of service.

    **Source.** sonic-net/sonic-buildimage 086b03bd
    dockers/docker-fpm-frr/frr/bgpd/templates/general/instance.conf.j2 (`shutdown`),
    src/sonic-frr-mgmt-framework/frrcfgd/frrcfgd.py (`update-source`).
    """
    for switch in fabric.switches:
        yield from _by_default(switch)
        yield from _without_source(switch)
    found: dict[tuple[DbSwitch, DbSwitch], list[str]] = {}
    for switch, key, _, owner in between(fabric):
        if switch.text("BGP_NEIGHBOR", key, "admin_status") in {"down", "false"}:
            found.setdefault((switch, owner), []).append(key)
    for (switch, owner), keys in found.items():
        rest = with_others(len(keys) - 1, "session of these two is", "sessions of these two are")
        message = f"the session of {switch.name} with {owner.name} at {keys[0]} is down{rest}"
        at = switch.spot("BGP_NEIGHBOR", keys[0], "admin_status")
        yield RowFinding(at, message, "set admin_status to up")


def _by_default(switch: DbSwitch) -> Iterator[RowFinding]:
    rows = [
        key for key in switch.keys("BGP_NEIGHBOR") if not switch.text("BGP_NEIGHBOR", key, "admin_status")
    ]
    down = switch.local.get("default_bgp_status") == "down"
    if rows and down and switch.sessions_by_rows and not switch.frrcfgd:
        message = f"default_bgp_status is down, and BGP_NEIGHBOR {having(rows)} no admin_status"
        at = switch.spot("DEVICE_METADATA", "localhost", "default_bgp_status")
        yield RowFinding(at, message, "set default_bgp_status to up, or admin_status of the neighbours")


def _without_source(switch: DbSwitch) -> Iterator[RowFinding]:
    for text, keys in foreign_sources(switch).items() if switch.frrcfgd else ():
        more = with_others(len(keys) - 1, "neighbour has such an address", "neighbours have such an address")
        message = f"local_addr {text} of BGP_NEIGHBOR {keys[0]} is on no interface of {switch.name}{more}"
        at = switch.spot("BGP_NEIGHBOR", keys[0], "local_addr")
        yield RowFinding(at, message, "write the address of the interface towards the neighbour")
