"""NP877: ports with two roles."""

from __future__ import annotations

from collections.abc import Iterator

from netplan.reading.config_db.switch import DbSwitch, with_others
from netplan.rules.config_db.registry import RowFinding, rule

_MANY = 4
"""So many ports that are untagged in two VLANs are one finding."""
_PAIR = 2


def _members(switch: DbSwitch) -> int:
    return len(switch.rows("VLAN_MEMBER")) + len(switch.rows("PORTCHANNEL_MEMBER"))


@rule("NP877", "port with two roles", on=DbSwitch, counts=_members)
def roles(switch: DbSwitch) -> Iterator[RowFinding]:
    """A member of a VLAN is also a routed port or in a port channel, or untagged in two VLANs; a member of a
    port channel is also routed, or in another port channel.

    **Why.** A port is bridged, routed or bundled; orchagent applies whichever row comes first, so it may
    change its role at a reboot, and it asserts that a port is in one port channel. An untagged frame
    belongs to one VLAN: that of the row which came last. A chain of ports in VLANs of two, as for test
    traffic through all ports, is a note.

    **Fix.** Remove one of the two rows named.

    **Source.** `must` statements of sonic-vlan.yang (sonic-net/sonic-buildimage 086b03bd);
    sonic-net/sonic-utilities.msft 3fb3258 config/main.py (`add_portchannel_member` refuses both);
    sonic-net/sonic-swss e6b0c5b orchagent/portsorch.cpp (doLagMemberTask; addVlanMember: each
    untagged row sets the PVID).
    """
    yield from _bundled(switch)
    yield from _untagged_twice(switch)
    for key in switch.keys("VLAN_MEMBER"):
        port = key.partition("|")[2]
        at = switch.spot("VLAN_MEMBER", key)
        if switch.row("INTERFACE", port):
            other = switch.where(switch.spot("INTERFACE", port))
            message = f"{port} is in VLAN_MEMBER {key} and routed by INTERFACE {port} at {other}"
            yield RowFinding(at, message, "remove one of the two rows")
        if lag := switch.lag_of.get(port):
            other = switch.where(switch.spot("PORTCHANNEL_MEMBER", f"{lag}|{port}"))
            message = f"{port} is in VLAN_MEMBER {key} and a member of {lag} at {other}"
            yield RowFinding(at, message, f"make {lag} the member of the VLAN")


def _untagged_twice(switch: DbSwitch) -> Iterator[RowFinding]:
    """Ports that are untagged in two VLANs; one finding if they are many. Pairs of ports in a VLAN each, and
    each port in two of these, lead test traffic through all ports: the second row is the PVID."""
    keys: dict[str, list[str]] = {}
    ports: dict[str, list[str]] = {}
    for key in switch.keys("VLAN_MEMBER"):
        if switch.text("VLAN_MEMBER", key, "tagging_mode") == "untagged":
            vlan, _, port = key.partition("|")
            keys.setdefault(port, []).append(key)
            ports.setdefault(vlan, []).append(port)
    twice = {port: rows for port, rows in keys.items() if len(rows) > 1}
    many = len(twice) >= _MANY
    snake = many and all(
        len(rows) == _PAIR and all(len(ports[row.partition("|")[0]]) == _PAIR for row in rows)
        for rows in twice.values()
    )
    shown = list(twice.items())[: 1 if many else None]
    more = with_others(len(twice) - len(shown), "port is untagged in two", "ports are untagged in two")
    hint = "tag one row of each port" if many else "tag one of them"
    for port, (first, *rest) in shown:
        for key in rest:
            other = switch.where(switch.spot("VLAN_MEMBER", first))
            message = f"{port} is untagged in VLAN_MEMBER {key} and in {first} at {other}{more}"
            yield RowFinding(switch.spot("VLAN_MEMBER", key), message, hint, unsure=snake)


def _bundled(switch: DbSwitch) -> Iterator[RowFinding]:
    """Ports in a port channel that are routed, or in another port channel."""
    routed: dict[str, str] = {}
    for key in switch.keys("INTERFACE"):
        routed.setdefault(key.partition("|")[0], key)
    bundled: dict[str, str] = {}
    for key in switch.keys("PORTCHANNEL_MEMBER"):
        lag, bar, port = key.partition("|")
        at = switch.spot("PORTCHANNEL_MEMBER", key)
        if bar and (row := routed.get(port)):
            other = switch.where(switch.spot("INTERFACE", row))
            message = f"{port} is in PORTCHANNEL_MEMBER {key} and routed by INTERFACE {row} at {other}"
            yield RowFinding(at, message, f"route {lag} in PORTCHANNEL_INTERFACE, or remove the member")
        if bar and (first := bundled.setdefault(port, key)) != key:
            other = switch.where(switch.spot("PORTCHANNEL_MEMBER", first))
            message = f"{port} is in PORTCHANNEL_MEMBER {key} and in {first} at {other}"
            yield RowFinding(at, message, "remove one of the two rows")
