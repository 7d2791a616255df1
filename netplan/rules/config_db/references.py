"""NP874: names that refer to a row."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from netplan.reading.config_db.switch import VOQ_PARTS, DbSwitch, listed, plain_name, with_others
from netplan.rules.config_db.absent import is_made, is_missing, is_misspelt, may_be_there
from netplan.rules.config_db.lists_of_names import lists_of_names, namings
from netplan.rules.config_db.registry import RowFinding, rule

FIELDS: Mapping[str, Mapping[str, str]] = {
    "PORT_QOS_MAP": {
        "dscp_to_tc_map": "DSCP_TO_TC_MAP",
        "dot1p_to_tc_map": "DOT1P_TO_TC_MAP",
        "tc_to_queue_map": "TC_TO_QUEUE_MAP",
        "tc_to_pg_map": "TC_TO_PRIORITY_GROUP_MAP",
        "pfc_to_queue_map": "MAP_PFC_PRIORITY_TO_QUEUE",
        "pfc_to_pg_map": "PFC_PRIORITY_TO_PRIORITY_GROUP_MAP",
        "tc_to_dscp_map": "TC_TO_DSCP_MAP",
        "scheduler": "SCHEDULER",
    },
    "QUEUE": {"scheduler": "SCHEDULER", "wred_profile": "WRED_PROFILE"},
    "BUFFER_PG": {"profile": "BUFFER_PROFILE"},
    "BUFFER_QUEUE": {"profile": "BUFFER_PROFILE"},
    "BUFFER_PROFILE": {"pool": "BUFFER_POOL"},
    "BUFFER_PORT_INGRESS_PROFILE_LIST": {"profile_list": "BUFFER_PROFILE"},
    "BUFFER_PORT_EGRESS_PROFILE_LIST": {"profile_list": "BUFFER_PROFILE"},
    "DEVICE_NEIGHBOR": {"local_port": "PORT"},
    "VXLAN_TUNNEL_MAP": {"vlan": "VLAN"},
    "VXLAN_EVPN_NVO": {"source_vtep": "VXLAN_TUNNEL"},
}
"""Table -> field -> table whose row it names (the leafrefs of sonic-*.yang; of VXLAN, what vxlanmgrd waits
for)."""

_VRFS = {"vrf_name": "VRF", "vnet_name": "VNET"}
_IN_VRFS = (
    "INTERFACE",
    "VLAN_INTERFACE",
    "PORTCHANNEL_INTERFACE",
    "LOOPBACK_INTERFACE",
    "VLAN_SUB_INTERFACE",
)
_ALWAYS = ("default", "mgmt")
"""VRFs that need no row."""
_BARE_SINCE = (3, 0, 3)
"""Database version since which references have no brackets."""
_NEVER_BRACKETED = ("DEVICE_NEIGHBOR", "VXLAN_TUNNEL_MAP", "VXLAN_EVPN_NVO")
NOT_NAMES = {"BUFFER_PG": ("NULL",)}
KEYS: Mapping[str, tuple[tuple[str, ...], ...]] = {
    "PORT_QOS_MAP": (("PORT", "=global"),),
    "QUEUE": (("PORT", "=CPU"),),
    "BUFFER_PG": (("PORT",),),
    "BUFFER_QUEUE": (("PORT",),),
    "BUFFER_PORT_INGRESS_PROFILE_LIST": (("PORT",),),
    "BUFFER_PORT_EGRESS_PROFILE_LIST": (("PORT",),),
    "PFC_WD": (("PORT", "=GLOBAL"),),
    "VLAN_MEMBER": (("VLAN",), ("PORT", "PORTCHANNEL")),
    "PORTCHANNEL_MEMBER": (("PORTCHANNEL",), ("PORT",)),
    "INTERFACE": (("PORT",),),
    "VLAN_INTERFACE": (("VLAN",),),
    "PORTCHANNEL_INTERFACE": (("PORTCHANNEL",),),
    "VXLAN_TUNNEL_MAP": (("VXLAN_TUNNEL",),),
}
"""Table -> for each part of a key, the tables whose row it may name; ``=`` marks a literal."""


def _counts(switch: DbSwitch) -> int:
    others = [table for each in namings(switch) for table in each.tables]
    return sum(len(switch.rows(table)) for table in {*FIELDS, *KEYS, *_IN_VRFS, "CABLE_LENGTH", *others})


@rule("NP874", "reference to a missing row", on=DbSwitch, counts=_counts)
def dangling(switch: DbSwitch) -> Iterator[RowFinding]:
    """A field names a map, scheduler, WRED or buffer profile, pool, port, VLAN, VXLAN tunnel, VRF, VNET or,
    where frrcfgd configures FRR, peer group or route map that no row defines; or a file of a newer image uses
    the bracketed names of old images.

    **Why.** orchagent retries an unresolved reference forever and applies nothing of the row: a port
    whose `dscp_to_tc_map` is misspelt has no QoS at all, and only the log shows it. vxlanmgrd does the same,
    and intfmgrd: an interface whose VRF is missing has no address; a port that an ACL table names and that
    is not there keeps aclorch waiting. FRR passes no route through a route map that it does not know.
    Images with YANG validation reject `config reload`. `[WRED_PROFILE|AZURE]` is a malformed reference since
    database version 3.0.3; in a file with an older version, or none, db_migrator removes the brackets.

    **Fix.** Correct the name, or add the row; write the bare name without brackets. In a partial file,
    references to tables that it does not contain are not checked, nor to maps, pools and profiles that every
    image has; a VLAN or port channel that a part without ports names beside those that it adds is a note, and
    so is a profile of a priority group that buffermgrd makes.

    **Source.** leafref statements of sonic-net/sonic-buildimage 086b03bd src/sonic-yang-models; sonic-net/
    sonic-swss e6b0c5b orchagent/orch.cpp (`parseReference`); sonic-net/sonic-utilities 691b1bb
    scripts/db_migrator.py (`version_3_0_2`); sonic-net/sonic-swss e6b0c5b cfgmgr/intfmgr.cpp
    (doIntfGeneralTask: "VRF is not ready, skipping"), orchagent/aclorch.cpp (processAclTablePorts).
    """
    if not (switch.older_than(*_BARE_SINCE) or switch.of_broadcom):
        yield from _bracketed(switch)
    for table, fields in FIELDS.items():
        for name, target in fields.items():
            yield from _fields(switch, table, name, target)
    yield from _vrfs(switch)
    yield from _keys(switch)
    yield from lists_of_names(switch)
    yield from _cables(switch)


def _vrfs(switch: DbSwitch) -> Iterator[RowFinding]:
    """intfmgrd looks up both fields in one table of states, so each may name a VRF or a VNET; it reads
    them in rows without an address only. One finding per missing name."""
    missing: dict[tuple[str, str], list[tuple[str, str]]] = {}
    for table in _IN_VRFS:
        for key in switch.keys(table):
            for name in _VRFS:
                one = switch.text(table, key, name) or "" if "|" not in key else ""
                lacking = all(is_missing(switch, target, one) for target in _VRFS.values())
                lacking = lacking or is_misspelt(switch, _VRFS[name], one)
                if one and one not in _ALWAYS and lacking:
                    missing.setdefault((one, name), []).append((table, key))
    for (one, name), ((table, key), *others) in missing.items():
        more = with_others(len(others), "interface names it", "interfaces name it")
        message = f"{name} of {table} {key} is {one}, but {_VRFS[name]} has no such row{more}"
        yield RowFinding(switch.spot(table, key, name), message, _known(switch, _VRFS[name]))


def _fields(switch: DbSwitch, table: str, name: str, target: str) -> Iterator[RowFinding]:
    """One finding per missing name, however many rows use it."""
    missing: dict[str, list[str]] = {}
    for key in switch.keys(table):
        text = switch.text(table, key, name) or ""
        for one in (part.strip() for part in (text.split(",") if name == "profile_list" else [text])):
            plain = plain_name(one)
            if plain and one not in NOT_NAMES.get(table, ()) and is_missing(switch, target, plain):
                missing.setdefault(plain, []).append(key)
    for one, keys in missing.items():
        message = f"{name} of {table} {listed(keys)} is {one}, but {target} has no such row"
        at, hint, made = switch.spot(table, keys[0], name), _known(switch, target), is_made(switch, one)
        if made:
            message += "; buffermgrd makes it for ports of that speed and cable"
            hint = "add the row, or remove those of the groups: buffermgrd makes both"
        yield RowFinding(at, message, hint, made or may_be_there(switch, one, target))


Reference = tuple[str, str, str, str]
"""Table, key and field, and its text."""


def _bracketed(switch: DbSwitch) -> Iterator[RowFinding]:
    """One finding per switch. A file without a version is of an old image if all its references have
    brackets; if most have, the others are named."""
    found = [one for one in _references(switch) if one[3].startswith("[")]
    bare = [one for one in _references(switch) if not one[3].startswith("[") and _may_have_brackets(one)]
    if not found or not (bare or switch.versioned):
        return
    odd = bare if len(bare) < len(found) and not switch.versioned else found
    (table, key, name, text), count = odd[0], with_others(len(odd) - 1, "reference is", "references are")
    form, hint = "in the bracketed form of images before 202111", f'write "{plain_name(text)}"'
    if odd is bare:
        form, hint = f"without the brackets that {len(found)} others have", "write all of them in one form"
    message = f"{name} of {table} {key} is {text}, {form}{count}"
    yield RowFinding(switch.spot(table, key, name), message, hint)


def _references(switch: DbSwitch) -> Iterator[Reference]:
    for table, fields in FIELDS.items():
        for key in switch.keys(table):
            for name in (name for name in switch.rows(table)[key].fields if name in fields):
                yield table, key, name, switch.text(table, key, name) or ""


def _may_have_brackets(one: Reference) -> bool:
    table, _, _, text = one
    return text not in {"", *NOT_NAMES.get(table, ())} and table not in _NEVER_BRACKETED


def _known(switch: DbSwitch, table: str) -> str:
    rows = switch.keys(table)
    return f"correct the name; {table} has {listed(rows, 6)}" if rows else f"add the row to {table}"


Keys = dict[str, list[str]]
"""Table -> its keys that name a missing row."""
_MANY = 3
"""So many missing rows that the same tables name are one finding."""


def _keys(switch: DbSwitch) -> Iterator[RowFinding]:
    """One finding per missing port or VLAN, however many keys of however many tables name it, and one for
    all if they are many."""
    missing: dict[tuple[str, str], tuple[tuple[str, ...], Keys]] = {}
    for table, parts in KEYS.items():
        for (name, tables), keys in _missing_of(switch, table, parts).items():
            if "," in name:
                message = f"key {keys[0]} of {table} names several ports, the form of old images"
                at, hint = switch.spot(table, keys[0]), "write one row for each port"
                yield RowFinding(at, message, hint, unsure=switch.laid_over)
                continue
            missing.setdefault((name, _own_table(table, name)), (tables, {}))[1][table] = keys
    alike: dict[tuple[tuple[str, ...], tuple[str, ...], str], list[tuple[str, Keys]]] = {}
    for (name, own), (tables, found) in missing.items():
        alike.setdefault((tables, tuple(found), own), []).append((name, found))
    for (tables, _, own), absent in alike.items():
        for one in [absent] if len(absent) >= _MANY else [[each] for each in absent]:
            yield _absent(switch, tables, own, one)


def _absent(
    switch: DbSwitch, tables: tuple[str, ...], own: str, absent: list[tuple[str, Keys]]
) -> RowFinding:
    names = [name for name, _ in absent]
    found = {
        table: [key for _, one in absent for key in one.get(table, ())]
        for table in dict.fromkeys(table for _, one in absent for table in one)
    }
    table, keys = next(iter(found.items()))
    count = sum(map(len, found.values()))
    which = f"key {keys[0]} of {table} names"
    if len(found) > 1:
        which = f"{count} keys of {' and '.join(found)}, the first {table} {keys[0]}, name"
    elif count > 1:
        which = f"{count} keys, the first {keys[0]}, of {table} name"
    rows = "row" if len(names) == 1 else "rows"
    message = f"{which} {listed(names)}, but {' or '.join(tables)} has no such {rows}"
    unsure = all(may_be_there(switch, name, *tables) for name in names)
    target = next((each for each in tables if names[0].upper().startswith(each)), tables[0])
    hint = f"remove the {rows}, or add {listed(names)} to {target}"
    if own:
        hint = f"move the rows of {listed(names)} to {own}"
    if unsure:
        hint = f"check that the switch has {listed(names)}"
    return RowFinding(switch.spot(table, keys[0]), message, hint, unsure)


def _missing_of(
    switch: DbSwitch, table: str, parts: tuple[tuple[str, ...], ...]
) -> dict[tuple[str, tuple[str, ...]], list[str]]:
    """(name, tables that lack it) -> keys of a table."""
    missing: dict[tuple[str, tuple[str, ...]], list[str]] = {}
    for key in switch.keys(table):
        names = key.split("|")
        if len(names) == VOQ_PARTS:  # HOST|ASIC|PORT|QUEUE of a chassis names ports of other line cards
            continue
        for name, targets in zip(names, parts, strict=False):
            tables = tuple(target for target in targets if not target.startswith("="))
            of_cpu = switch.of_broadcom and name == "CPU"
            if of_cpu or f"={name}" in targets or not all(is_missing(switch, one, name) for one in tables):
                continue
            if "," in name and not _several(switch, name, tables):
                continue
            missing.setdefault((name, tables), []).append(key)
    return missing


_OWN_TABLES = {
    "Vlan": "VLAN_INTERFACE",
    "PortChannel": "PORTCHANNEL_INTERFACE",
    "Loopback": "LOOPBACK_INTERFACE",
}


def _own_table(table: str, name: str) -> str:
    """The table that rows of an interface belong to, if not the one that has them."""
    own = next((rows for kind, rows in _OWN_TABLES.items() if name.startswith(kind)), "")
    return own if table == "INTERFACE" else ""


def _several(switch: DbSwitch, names: str, tables: tuple[str, ...]) -> bool:
    """Whether a key with several ports is wrong; in a file of an old image it is not, if all the ports
    exist."""
    if switch.versioned and not switch.older_than(*_BARE_SINCE):
        return True
    return any(all(is_missing(switch, table, name.strip()) for table in tables) for name in names.split(","))


def _cables(switch: DbSwitch) -> Iterator[RowFinding]:
    for key in switch.keys("CABLE_LENGTH"):
        for port in switch.rows("CABLE_LENGTH")[key].fields:
            if not is_missing(switch, "PORT", port):
                continue
            message = f"CABLE_LENGTH {key} has a length for {port}, but PORT has no such row"
            yield RowFinding(switch.spot("CABLE_LENGTH", key, port), message, "remove the entry")
