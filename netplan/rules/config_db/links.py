"""Rules about links and names between switches: a port that is down, a hostname used twice."""

from __future__ import annotations

from collections.abc import Iterator

from netplan.diagnostics import Severity
from netplan.graph.config_db.links import DbTopology, End, Link
from netplan.reading.config_db.switch import DbSwitch, listed, with_others
from netplan.rules.config_db.registry import RowFinding, rule


def _stated(fabric: DbTopology) -> int:
    return sum(link.a.up is not None and link.b.up is not None for link in fabric.links)


@rule("NP868", "link over a port that is down", on=DbTopology, counts=_stated, severity=Severity.WARNING)
def down(fabric: DbTopology) -> Iterator[RowFinding]:
    """Both ends of a link are in the files, and one or both ports are administratively down. In a
    complete configuration a port without `admin_status` is down. Where both ends state it, it is a note.

    **Why.** The link carries nothing, whatever is configured on it, and the fabric has less capacity than
    planned. A copied or reset port stays down until it is brought up.

    **Fix.** Set `"admin_status": "up"`; ignore this warning if the link is out of service.

    **Source.** sonic-net/sonic-swss e6b0c5b cfgmgr/portmgr.h (DEFAULT_ADMIN_STATUS_STR is down).
    """
    groups: dict[tuple[DbSwitch, DbSwitch, bool | None, bool | None], list[Link]] = {}
    for link in fabric.links:
        if link.a.up is False or link.b.up is False:
            groups.setdefault((link.a.switch, link.b.switch, link.a.up, link.b.up), []).append(link)
    for links in groups.values():
        ends = [end for end in (links[0].a, links[0].b) if end.up is False]
        rest = with_others(len(links) - 1, "link of these two is", "links of these two are")
        message = f"{' and '.join(map(_down, ends))}, on the link {links[0].a} to {links[0].b}{rest}"
        meant = len(ends) == 2 and all(map(_states, ends))
        yield RowFinding(ends[0].spot("PORT", "admin_status"), message, "set admin_status to up", meant)


def _states(end: End) -> bool:
    return bool(end.switch.text("PORT", end.port, "admin_status"))


def _down(end: End) -> str:
    return f"{end} is down" if _states(end) else f"{end} has no admin_status, which means down"


def _named(fabric: DbTopology) -> int:
    return sum(bool(switch.hostname) for switch in fabric.switches) if len(fabric.switches) > 1 else 0


@rule("NP861", "configurations share a hostname", on=DbTopology, counts=_named)
def hostnames(fabric: DbTopology) -> Iterator[RowFinding]:
    """Two whole configurations state the same hostname (and, of a switch with several ASICs, the same ASIC).

    **Why.** They are two switches with the same name, often after copying a configuration, or two states
    of one switch. Neighbours are matched by name, so LLDP, DEVICE_NEIGHBOR and the queues of a chassis
    point to either of them. The rules treat them as two switches.

    **Fix.** Correct the hostname of the copy; if it is one switch, pass only one state. With the same MAC
    address it is a note: they are two states; so it is with a hostname that images come with.

    **Source.** sonic-net/sonic-buildimage 086b03bd src/sonic-yang-models, sonic-device_neighbor_metadata.yang
    and sonic-system-port.yang (neighbours and system ports are listed by hostname).
    """
    for (name, _), switches in fabric.namesakes.items():
        others = [one.where(one.spot("DEVICE_METADATA", "localhost", "hostname")) for one in switches]
        message = f"hostname {name} is also that of {listed(others[:-1])}"
        at = switches[-1].spot("DEVICE_METADATA", "localhost", "hostname")
        macs = {one.text("DEVICE_METADATA", "localhost", "mac") for one in switches}
        one_switch, stock = len(macs) == 1 and None not in macs, switches[-1].is_unnamed
        message += (
            ": two states of one switch" if one_switch else ": two switches, or two states of one switch"
        )
        hint = "pass only one state" if one_switch else "correct the hostname, or pass only one state"
        yield RowFinding(at, message, hint, one_switch or stock)
