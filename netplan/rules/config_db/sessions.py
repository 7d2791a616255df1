"""Rules about who configures BGP sessions, and sessions that are off or that one end cannot open."""

from __future__ import annotations

from collections.abc import Iterator

from netplan.diagnostics import Severity
from netplan.graph.config_db.links import DbTopology
from netplan.graph.config_db.sessions import between
from netplan.reading.config_db.switch import DbSwitch, having, listed, with_others
from netplan.rules.config_db.neighbours import OF_FRRCFGD, foreign_sources, of_other_ports
from netplan.rules.config_db.registry import RowFinding, rule


def _neighbours(fabric: DbTopology) -> int:
    return sum(len(switch.rows("BGP_NEIGHBOR")) for switch in fabric.switches if switch.whole)


@rule("NP819", "BGP session that is off", on=DbTopology, counts=_neighbours, severity=Severity.WARNING)
def off(fabric: DbTopology) -> Iterator[RowFinding]:
    """`default_bgp_status` is down, and neighbours state no `admin_status`; the session between two of the
    switches given is administratively down (a note if both ends say so); or, with frrcfgd, `local_addr` is on
    no interface, or on another port than the one with the neighbour's subnet.

    **Why.** bgpcfgd shuts every session down that does not state otherwise, after every restart, until
    somebody runs `config bgp startup`. frrcfgd makes `local_addr` the source of the session: this end
    cannot bind to it, or the other end refuses it as unknown, so the session comes up only if the other end
    opens it.

    **Fix.** Set `default_bgp_status` or `admin_status` to up; write the address of the interface as
    `local_addr`. Ignore this warning if the switch is out of service.

    **Source.** sonic-net/sonic-buildimage 086b03bd
    dockers/docker-fpm-frr/frr/bgpd/templates/general/instance.conf.j2 (`shutdown`),
    src/sonic-frr-mgmt-framework/frrcfgd/frrcfgd.py (`update-source`).
    """
    for switch in fabric.switches:
        yield from _by_default(switch)
        yield from _without_source(switch)
        yield from of_other_ports(switch, unsure=False) if switch.frrcfgd else ()
    found: dict[tuple[DbSwitch, DbSwitch], list[str]] = {}
    for switch, key, _, owner in between(fabric):
        if switch.text("BGP_NEIGHBOR", key, "admin_status") in {"down", "false"}:
            found.setdefault((switch, owner), []).append(key)
    for (switch, owner), keys in found.items():
        rest = with_others(len(keys) - 1, "session of these two is", "sessions of these two are")
        message = f"the session of {switch.name} with {owner.name} at {keys[0]} is down{rest}"
        at, meant = switch.spot("BGP_NEIGHBOR", keys[0], "admin_status"), (owner, switch) in found
        yield RowFinding(at, message, "set admin_status to up", meant)


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


def _bgp_rows(switch: DbSwitch) -> int:
    """Number of BGP rows; 0 in a partial file, since only a whole config_db says who configures FRR."""
    tables = ("BGP_NEIGHBOR", *OF_FRRCFGD) if switch.whole else ()
    return sum(len(switch.rows(table)) for table in tables)


@rule("NP841", "BGP rows that the owner of FRR does not read", on=DbSwitch, counts=_bgp_rows)
def bgp_owner(switch: DbSwitch) -> Iterator[RowFinding]:
    """With `frr_mgmt_framework_config` true, frrcfgd configures FRR and ignores `BGP_NEIGHBOR` rows
    without a VRF; otherwise bgpcfgd does, which ignores BGP_GLOBALS and its related tables.

    **Why.** The rows are accepted but have no effect: no session comes up, no prefix is announced. Where
    `docker_routing_config_mode` leaves both to the files of FRR it is a note.

    **Fix.** Change `frr_mgmt_framework_config` and restart bgp, or remove the rows. In a tree that netplan
    rendered, state the actual owner as `frr_mode` of the switch type and render again.

    **Source.** sonic-net/sonic-buildimage 086b03bd: frrcfgd.py (rows of BGP_NEIGHBOR with one key are
    skipped), src/sonic-bgpcfgd/bgpcfgd/main.py (its tables), supervisord.conf.common.j2 (one of them runs).
    """
    if not switch.whole:
        return
    unsure = not switch.sessions_by_rows
    if switch.frrcfgd:
        own = {key.rpartition("|")[2] for key in switch.rows("BGP_NEIGHBOR") if "|" in key}
        plain = [key for key in switch.keys("BGP_NEIGHBOR") if "|" not in key and key not in own]
        if plain:
            message = f"frrcfgd owns FRR and ignores BGP_NEIGHBOR {listed(plain)}"
            at, hint = switch.spot("BGP_NEIGHBOR", plain[0]), "write them as default|<address>"
            yield RowFinding(at, message, hint, unsure)
        return
    found = [table for table in OF_FRRCFGD if switch.rows(table)]
    if found:
        message = f"bgpcfgd owns FRR and does not read {', '.join(found)}"
        hint = 'set frr_mgmt_framework_config to "true" and restart bgp, or remove the rows'
        yield RowFinding(switch.spot(found[0], switch.keys(found[0])[0]), message, hint, unsure)
