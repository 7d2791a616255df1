"""Finds the files, and groups those that belong to one switch.

- Files with the same ``DEVICE_METADATA.localhost.hostname`` (and ``asic_name``) are one switch, in the
  order given; but two complete configurations are two switches, even with the same name, and so are files in
  folders of their own that state another SKU, platform or AS number.
- Files without a hostname join the only switch with one in their folder. If the folder has none, they
  are one switch, named like the folder (as `netplan render` writes ``roce.json`` and ``interfaces.json``);
  but if two of them state the same row, or addresses or BGP neighbours of their own, each is a switch of its
  own, named like the file.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import PurePath

from netplan.load import STDIN, InputError, may_be_read
from netplan.model.document import Places
from netplan.model.values import natural
from netplan.reading.config_db.forms import parts_of
from netplan.reading.config_db.scan import Scanned, scan
from netplan.reading.config_db.switch import DbSwitch, is_whole

MAX_BYTES = 64 * 2**20
"""Per file; a full config_db of 512 ports is some 3 MiB."""
MAX_ALL_BYTES = 1024 * 2**20
MAX_FILES = 20_000


def texts_of(inputs: Sequence[str]) -> dict[str, str]:
    """Name -> text of every file. A folder stands for all ``*.json`` files below it.

    Raises InputError if there are none, or they exceed a limit.
    """
    names = dict.fromkeys(name for given in inputs for name in _names(given))
    if not names:
        raise InputError(f"{', '.join(inputs)}: no *.json file; name config_db files or their folder")
    if len(names) > MAX_FILES:
        raise InputError(f"{len(names):,} files are more than {MAX_FILES:,}; check them in several runs")
    texts: dict[str, str] = {}
    room = MAX_ALL_BYTES
    for name in names:
        raw = _bytes(name)
        room -= len(raw)
        if len(raw) > MAX_BYTES or room < 0:
            limit = (MAX_BYTES if len(raw) > MAX_BYTES else MAX_ALL_BYTES) // 2**20
            raise InputError(f"{name}: more than {limit} MiB; is it a config_db?")
        texts[STDIN if name == "-" else name] = raw.decode("utf-8", "surrogateescape")
    return texts


def _names(given: str) -> list[str]:
    if given == "-" or not os.path.isdir(given):  # noqa: PTH112  Path() refuses what the user typed
        return [given]
    found: list[str] = []
    for folder, below, files in os.walk(given):
        below[:] = sorted((name for name in below if not name.startswith(".")), key=natural)
        wanted = (name for name in files if name.endswith(".json") and not name.startswith("."))
        # As the shell lists *.json and conf.d folders are read: 00-running.json before config_db.json.
        paths = (os.path.join(folder, name) for name in sorted(wanted))  # noqa: PTH118
        found += [path for path in paths if may_be_read(path)]
        if len(found) > MAX_FILES:
            break
    return found


def _bytes(name: str) -> bytes:
    try:
        if name == "-":
            return sys.stdin.buffer.read(MAX_BYTES + 1)
        with open(name, "rb") as file:  # noqa: PTH123
            return file.read(MAX_BYTES + 1)
    except (AttributeError, OSError, ValueError) as error:
        reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
        raise InputError(f"{name!r} cannot be read ({reason}); check path and permissions") from error


def switches_of(
    texts: Mapping[str, str], places: Places, mends: bool = False
) -> tuple[list[Scanned], list[str], list[DbSwitch]]:
    """Every file meant as a config_db; the names of those that are not, such as netplan's manifest.json;
    the switches of the readable ones, by name. ``mends``: as for DbSwitch."""
    files = [part for name, text in texts.items() for part in parts_of(scan(name, text, places), places)]
    others = [file.name for file in files if _is_other(file)]
    if len(others) < len(files):  # if there are no other files, it was meant as one
        files = [file for file in files if not _is_other(file)]
    else:
        others = []
    groups = _groups([file for file in files if isinstance(file.data, dict)])
    switches = [DbSwitch(name, groups[name], places, mends) for name in sorted(groups, key=natural)]
    return files, others, switches


def _groups(files: Sequence[Scanned]) -> dict[str, list[Scanned]]:
    """Name of a switch -> its files, in the order given."""
    named: dict[str, list[Scanned]] = {}
    homes: dict[PurePath, list[str]] = {}
    nameless: dict[PurePath, list[Scanned]] = {}
    for file in files:
        name, folder = _name(file), PurePath(file.name).parent
        if name:
            named.setdefault(name, []).append(file)
            homes.setdefault(folder, []).append(name)
        else:
            nameless.setdefault(folder, []).append(file)
    order = {id(file): number for number, file in enumerate(files)}
    for folder, group in nameless.items():
        owners = list(dict.fromkeys(homes.get(folder, ())))
        if len(owners) == 1:
            named[owners[0]] = sorted([*named[owners[0]], *group], key=lambda file: order[id(file)])
        else:
            for name, mine in _apart(folder, group, joined=not owners):
                named.setdefault(_unused(name, named), mine)
    return _split(named)


def _split(named: Mapping[str, list[Scanned]]) -> dict[str, list[Scanned]]:
    """Splits several complete configurations with one name into as many switches; a partial file goes to
    the one in its folder, else to the first. An identical copy is not merged twice."""
    groups: dict[str, list[Scanned]] = {}
    for name, files in _states(named):
        owners = _owners(files)
        left = {id(owner) for owner in owners}
        kept = [file for file in files if id(file) in left or not is_whole(file.data)]
        if len(owners) < 2:
            groups[name] = kept
            continue
        for number, owner in enumerate(owners, 1):
            own = name if number == 1 else _unused(f"{name}#{number}", named)
            groups[own] = [file for file in kept if file is owner or _part_of(file, owner, owners)]
    return groups


_OF_STATE = ("hwsku", "platform", "bgp_asn")


def _states(named: Mapping[str, list[Scanned]]) -> Iterator[tuple[str, list[Scanned]]]:
    """Files of one name in several folders are alternatives if they state different switches."""
    for name, files in named.items():
        folders: dict[PurePath, list[Scanned]] = {}
        for file in files:
            folders.setdefault(PurePath(file.name).parent, []).append(file)
        stated = ({(one, _local(file, one)) for file in files if _local(file, one)} for one in _OF_STATE)
        if len(folders) == 1 or not any(len(values) > 1 for values in stated):
            yield name, files
            continue
        for number, own in enumerate(folders.values(), 1):
            yield (name if number == 1 else _unused(f"{name}#{number}", named)), own


def _owners(files: Sequence[Scanned]) -> list[Scanned]:
    """The complete configurations that differ; identical ones are noted as copies."""
    wholes = [file for file in files if is_whole(file.data)]
    if not wholes:
        return []
    first, *others = wholes
    for file in others:
        if file.data == first.data:
            file.note = f"a copy of {first.name}, left out"
    return [first, *(file for file in others if file.data != first.data)]


def _part_of(file: Scanned, owner: Scanned, owners: Sequence[Scanned]) -> bool:
    return not is_whole(file.data) and _owner(file, owners) is owner


def _owner(part: Scanned, owners: Sequence[Scanned]) -> Scanned:
    folder = PurePath(part.name).parent
    return next((owner for owner in owners if PurePath(owner.name).parent == folder), owners[0])


def _name(file: Scanned) -> str:
    """The hostname, plus the ASIC on a switch with several, since each has its own configuration."""
    asic = _local(file, "asic_name") or file.namespace.removeprefix("localhost")
    return " ".join(filter(None, (_local(file, "hostname"), asic)))


def _is_other(file: Scanned) -> bool:
    """Whether the file is JSON but not a config_db: an RFC 6902 patch, or an object without any key in
    capitals, which every table of SONiC's YANG models has."""
    if isinstance(file.data, list) and file.data and not file.problems:
        return all(isinstance(entry, dict) and {"op", "path"} <= entry.keys() for entry in file.data)
    if not isinstance(file.data, dict) or not file.data or file.problems:
        return False
    return not any(key[:1].isupper() for key in file.data)


def _local(file: Scanned, field: str) -> str:
    here = file.data
    for key in ("DEVICE_METADATA", "localhost", field):
        here = here.get(key) if isinstance(here, dict) else None
    return here.strip() if isinstance(here, str) else ""


def _apart(folder: PurePath, group: list[Scanned], joined: bool) -> Iterator[tuple[str, list[Scanned]]]:
    rows = [row for file in group for row in (*_rows(file), *_claims(file))]
    if joined and folder.name and len(set(rows)) == len(rows):
        yield folder.name, group
        return
    for file in group:
        yield PurePath(file.name).stem, [file]


def _rows(file: Scanned) -> Iterator[tuple[str, str]]:
    """Rows that a file states; except DEVICE_METADATA, whose fields may be spread over files."""
    for table, rows in file.data.items():
        if isinstance(rows, dict) and table != "DEVICE_METADATA":
            yield from ((table, key) for key in rows)


_OF_ONE = ("INTERFACE", "PORTCHANNEL_INTERFACE", "VLAN_INTERFACE", "LOOPBACK_INTERFACE", "BGP_NEIGHBOR")


def _claims(file: Scanned) -> Iterator[tuple[str, str]]:
    """What one file of a switch states: its addresses, its BGP neighbours, its AS number."""
    for table in _OF_ONE:
        rows = file.data.get(table)
        if isinstance(rows, dict) and any("|" in key or "." in key for key in rows):
            yield table, ""
    if _local(file, "bgp_asn"):
        yield "DEVICE_METADATA", "bgp_asn"


def _unused(name: str, taken: Collection[str]) -> str:
    number, free = 1, name
    while free in taken:
        number += 1
        free = f"{name}#{number}"
    return free
