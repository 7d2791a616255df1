"""Rules of SONiC's models between rows of one switch: roles of a port, rows that require another one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from netplan.diagnostics import Severity
from netplan.model.values import parse_address, parse_network
from netplan.reading.config_db.switch import DbSwitch, Value, having, listed
from netplan.rules.config_db.absent import OF_IMAGES
from netplan.rules.config_db.registry import RowFinding, rule

INTERFACES = ("INTERFACE", "VLAN_INTERFACE", "PORTCHANNEL_INTERFACE", "LOOPBACK_INTERFACE")
_OTHERS = re.compile("Vlan|PortChannel|Loopback")
"""Interfaces that have a table of their own."""
_BARE_ROWS_SINCE = (1, 0, 2)
"""db_migrator adds the bare rows to the file of an older database (scripts/db_migrator.py of sonic-utilities,
migrate_interface_table)."""
_COLOURS = ("green", "yellow", "red")
_NEEDED: dict[str, tuple[str, ...]] = {
    "BUFFER_PROFILE": ("size", "pool"),
    "BUFFER_POOL": ("type", "mode"),
    "VLAN_MEMBER": ("tagging_mode",),
}
"""Table -> fields that each of its rows must have."""


def _needing(switch: DbSwitch) -> int:
    tables = (
        *INTERFACES,
        "MGMT_INTERFACE",
        "BUFFER_POOL",
        "BUFFER_PROFILE",
        "VLAN_MEMBER",
        "PORT",
        "VLAN",
        "WRED_PROFILE",
    )
    return sum(len(switch.rows(table)) for table in tables)


@rule("NP878", "required row or field missing", on=DbSwitch, counts=_needing)
def missing(switch: DbSwitch) -> Iterator[RowFinding]:
    """An interface with an address lacks its row without one (in a file without a version: NP818); a buffer
    profile lacks size or pool, a pool type or mode, a VLAN member its tagging mode, a WRED maximum its
    minimum, a port of a complete configuration its lanes or speed; or `vlanid` differs from the number of
    its VLAN. Pools and profiles that every image has may lack fields in a partial file, ports their speed in
    a file older than 202211, or without a version and with no interface that has a row without an address. A
    field that a part without ports lacks beside others is a note: the row of the switch may have it.

    **Why.** intfmgrd configures no address on an interface that has no row without one; without YANG
    validation the row is dropped and only logged. A VLAN member is untagged then, so in a file older than
    202505, whose `config reload` validates nothing, it is a note.

    **Fix.** Add what the message names: `"Vlan100": {}` beside `"Vlan100|10.0.0.1/24": {}`.

    **Source.** `mandatory` and leafref statements of sonic-interface, sonic-vlan, sonic-buffer-profile and
    sonic-port.yang (sonic-net/sonic-buildimage 086b03bd); sonic-net/sonic-swss e6b0c5b cfgmgr/intfmgr.cpp and
    orchagent/port/porthlpr.cpp (validatePortConfig: lanes and speed), cfgmgr/vlanmgr.cpp (doVlanMemberTask).
    """
    yield from _prefixes(switch, "MGMT_INTERFACE")
    for table in INTERFACES:
        yield from _prefixes(switch, table)
        if switch.versioned and not switch.older_than(*_BARE_ROWS_SINCE):
            yield from _addresses(switch, table, "")
    yield from _lacking(switch)
    yield from _half_profiles(switch)
    for key in switch.keys("VLAN"):
        number = switch.number("VLAN", key, "vlanid")
        if number is not None and key != f"Vlan{number}":
            message = f"vlanid of VLAN {key} is {number}"
            hint = "use the number of the name"
            if not switch.row("VLAN", f"Vlan{number}"):
                hint += f", or name it Vlan{number}"
            yield RowFinding(switch.spot("VLAN", key, "vlanid"), message, hint)


def _lacking(switch: DbSwitch) -> Iterator[RowFinding]:
    """Fields that rows must have; a part may leave them to the switch, of what every image has."""
    port = ("lanes",) if _takes_no_speed(switch) else ("lanes", "speed")
    needed = _NEEDED | ({"PORT": port} if switch.whole else {})
    for table, names in needed.items():
        rows = [key for key in switch.keys(table) if switch.whole or not OF_IMAGES.fullmatch(key)]
        for name in names:
            lacking = [key for key in rows if not _has(switch.rows(table)[key].fields, name)]
            if lacking:
                yield _without(switch, table, name, lacking)


def _without(switch: DbSwitch, table: str, name: str, lacking: list[str]) -> RowFinding:
    message, hint = f"{table} {having(lacking)} no {name}", f"add {name}"
    at = switch.spot(table, lacking[0])
    if name == "tagging_mode" and switch.older_than(*_VALIDATED_SINCE):
        return RowFinding(at, f"{message}; images before 202505 take it as untagged", hint, unsure=True)
    if switch.laid_over and all(switch.rows(table)[key].fields for key in lacking):
        return RowFinding(at, message, f"{hint}, if the switch has none", unsure=True)
    return RowFinding(at, message, hint)


def _has(fields: Mapping[str, Value], name: str) -> bool:
    """Whether a field is there, or not needed: buffermgrd computes the size of a dynamic profile
    (sonic-net/sonic-swss e6b0c5b cfgmgr/buffermgrdyn.cpp, handleBufferProfileTable)."""
    return name in fields or (name == "size" and fields.get("headroom_type") == "dynamic")


def _half_profiles(switch: DbSwitch) -> Iterator[RowFinding]:
    for key in switch.keys("WRED_PROFILE"):
        fields = switch.rows("WRED_PROFILE")[key].fields
        for colour in _COLOURS:
            low, high = f"{colour}_min_threshold", f"{colour}_max_threshold"
            if high in fields and low not in fields:
                message = f"WRED_PROFILE {key} has {high}, but no {low}"
                at = switch.spot("WRED_PROFILE", key, high)
                yield RowFinding(at, message, f"add {low}", switch.laid_over)


def _prefixes(switch: DbSwitch, table: str) -> Iterator[RowFinding]:
    for key in switch.keys(table):
        _, bar, prefix = key.partition("|")
        of_host = table == "LOOPBACK_INTERFACE" and parse_address(prefix) is not None  # NP818
        if bar and not of_host and parse_network(prefix) is None:
            message = f"key {key} of {table} has no address with a prefix length"
            hint = "write fd00::1/64" if prefix.count(":") > 1 else "write 10.0.0.1/24"
            yield RowFinding(switch.spot(table, key), message, hint)


def _addresses(switch: DbSwitch, table: str, why: str) -> Iterator[RowFinding]:
    """Interfaces that have a row with an address and none without."""
    lacking: dict[str, str] = {}
    for key in switch.keys(table):
        name, bar, _ = key.partition("|")
        elsewhere = table == "INTERFACE" and _OTHERS.match(name)  # NP874
        if bar and not elsewhere and not switch.row(table, name):
            lacking.setdefault(name, key)
    if not lacking:
        return
    names, first = list(lacking), next(iter(lacking.values()))
    if len(names) == 1:
        message = f"{table} {first} has an address, but there is no row {table} {names[0]}{why}"
    else:
        message = f"{table} has addresses of {listed(names)}, but no row for them without one{why}"
    yield RowFinding(switch.spot(table, first), message, f'add "{names[0]}": {{}}')


_LOADED = "; at boot db_migrator adds it, config reload of 202505 and later refuses the file"
_OVERLAID = "; config load adds none, so the switch has to have it"


def _interfaces(switch: DbSwitch) -> int:
    return sum(len(switch.rows(table)) for table in INTERFACES if switch.whole or _bare(switch, table))


def _bare(switch: DbSwitch, table: str) -> bool:
    """Whether a table has rows without an address."""
    return any("|" not in key for key in switch.rows(table))


_VALIDATED_SINCE = (202505,)
"""`config reload` refuses a file that the models refuse (sonic-utilities config_file_yang_validation)."""
_SPEED_SINCE = (4, 0, 0)
"""The first database version of 202211, whose orchagent refuses a port without speed."""


def _takes_no_speed(switch: DbSwitch) -> bool:
    """Whether its orchagent leaves a port without speed as the ASIC made it (sonic-net/sonic-swss, branches
    201911 to 202205, orchagent/portsorch.cpp, doPortTask)."""
    return switch.older_than(*_SPEED_SINCE) or has_old_rows(switch)


def has_old_rows(switch: DbSwitch) -> bool:
    """Whether it states no version, and interfaces have addresses as images before version_1_0_2 had them."""
    addressed = any("|" in key for table in INTERFACES for key in switch.rows(table))
    return addressed and not switch.versioned and _of_old(switch)


def _of_old(switch: DbSwitch) -> bool:
    """Whether the contents are those of an image from before the bare rows: none at all, and no table
    FEATURE, which was introduced later."""
    return not any(_bare(switch, table) for table in INTERFACES) and not switch.has("FEATURE")


@rule(
    "NP818",
    "interface row that config reload refuses",
    on=DbSwitch,
    counts=_interfaces,
    severity=Severity.WARNING,
)
def unversioned(switch: DbSwitch) -> Iterator[RowFinding]:
    """A complete configuration without `VERSIONS` has an interface with an address and no row without one
    (with a version from version_1_0_2 on this is the error NP878); or a part of one has such rows for some
    interfaces of a table and not for others; or the address of a loopback has no prefix length.

    **Why.** It depends on how the file is loaded. At boot, db_migrator takes a file without a version for
    one of the oldest images and adds the row. `config reload FILE` of 202505 and later validates the file
    before that, and refuses it. `config load` and docker-sonic-vs run no db_migrator: intfmgrd waits for the
    row, and the interface gets no address. An address without its length is a host address to intfmgrd.

    **Fix.** Add the row: `"Loopback0": {}` beside `"Loopback0|10.0.0.1/32": {}`; state `VERSIONS` as `config
    save` writes it.

    **Source.** sonic-net/sonic-utilities 691b1bb scripts/db_migrator.py (get_version, version_unknown,
    migrate_interface_table), config/main.py (reload: config_file_yang_validation, of files named golden only
    in 202405 and 202411; load); sonic-net/sonic-buildimage 086b03bd docker_image_ctl.j2 in
    files/build_templates, sonic-loopback-interface.yang and its siblings; sonic-net/sonic-swss e6b0c5b
    cfgmgr/intfmgr.cpp.
    """
    for table in INTERFACES if not switch.versioned else ():
        if switch.whole and not _of_old(switch):
            yield from _addresses(switch, table, _LOADED)
        elif not switch.whole and _bare(switch, table):
            yield from _addresses(switch, table, _OVERLAID)
    for key in switch.keys("LOOPBACK_INTERFACE"):
        if parse_address(key.partition("|")[2]) is not None:
            message = f"the address of LOOPBACK_INTERFACE {key} has no prefix length; config reload of 202505"
            hint = f"write {key}/{'128' if ':' in key else '32'}"
            at = switch.spot("LOOPBACK_INTERFACE", key)
            yield RowFinding(at, f"{message} and later refuses the file", hint)


def _ordered(switch: DbSwitch) -> int:
    return len(switch.rows("WRED_PROFILE")) + len(switch.rows("PFC_WD"))


@rule("NP879", "values in the wrong order", on=DbSwitch, counts=_ordered)
def order(switch: DbSwitch) -> Iterator[RowFinding]:
    """A WRED profile has a maximum below its minimum, or the watchdog detects or restores faster than it
    polls.

    **Why.** The ASIC rejects the profile, and the queue does not mark. A watchdog cannot see a storm
    shorter than its polling interval.

    **Fix.** Raise the maximum, or lower `POLL_INTERVAL`.

    **Source.** `must` statements of sonic-wred-profile.yang and sonic-pfcwd.yang (sonic-net/sonic-buildimage
    086b03bd).
    """
    for key in switch.keys("WRED_PROFILE"):
        for colour in _COLOURS:
            low, high = f"{colour}_min_threshold", f"{colour}_max_threshold"
            least, most = switch.number("WRED_PROFILE", key, low), switch.number("WRED_PROFILE", key, high)
            if least is not None and most is not None and most < least:
                at = switch.spot("WRED_PROFILE", key, high)
                other = switch.where(switch.spot("WRED_PROFILE", key, low))
                message = f"{high} of WRED_PROFILE {key} is {most}, below {low}, {least} at {other}"
                yield RowFinding(at, message, "raise the maximum above the minimum")
    poll = switch.number("PFC_WD", "GLOBAL", "POLL_INTERVAL")
    for key in switch.keys("PFC_WD") if poll is not None else ():
        for name in ("detection_time", "restoration_time"):
            time = switch.number("PFC_WD", key, name)
            if time is not None and poll is not None and time < poll:
                at = switch.spot("PFC_WD", key, name)
                other = switch.where(switch.spot("PFC_WD", "GLOBAL", "POLL_INTERVAL"))
                message = (
                    f"{name} of PFC_WD {key} is {time:,} ms, below POLL_INTERVAL, {poll:,} ms at {other}"
                )
                yield RowFinding(at, message, "lower POLL_INTERVAL or raise the time")
