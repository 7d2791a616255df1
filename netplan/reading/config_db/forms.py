"""The forms in which a configuration comes: tables, a dump of redis, one object for each ASIC.

All become tables of rows of fields, with the places they stand at:

- ``{"PORT": {"Ethernet0": {...}}}``: as `config save` writes it;
- ``{"PORT|Ethernet0": {"type": "hash", "value": {...}}}``: redis-dump and sonic-db-dump (without
  ``type`` in the test data of SONiC's own tools), also below the name of the database, ``db4`` or
  ``CONFIG_DB``;
- ``{"localhost": {...}, "asic0": {...}}``: `show runningconfiguration all` of a switch with several ASICs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from netplan.model.document import Places
from netplan.reading.config_db.scan import Scanned

_DATABASE = re.compile(r"(db|DB)?[0-9]{1,2}|[A-Z_]+_DB")
_OF_MODEL = re.compile(r"[a-z][\w.-]*:[a-zA-Z][\w.-]*")
"""A name of a module and of a node."""
_OURS = ("db4", "DB4", "4", "CONFIG_DB")
"""Names of CONFIG_DB, which is database 4 (sonic-net/sonic-swss-common common/database_config.json)."""
_NAMESPACE = re.compile(r"localhost|asic[0-9]+")
_OTHER_DATABASE = re.compile(r"[A-Z_]+:.+")
"""Keys of APPL_DB and COUNTERS_DB contain a colon."""
REDIS = "a dump of redis, read as tables"
NOT_OURS = "a dump of redis, but not of CONFIG_DB: no key TABLE|ROW in it"


def parts_of(file: Scanned, places: Places) -> list[Scanned]:
    """The configurations in a file: usually one; with several namespaces, one for each."""
    data = file.data
    if not isinstance(data, dict) or not file.readable:
        return [file]
    data, note = _database(data, places)
    if _is_redis(data):
        tables = _tables(data, places)
        return [_part(file, tables, note or (REDIS if tables else NOT_OURS))]
    if note:
        return [_part(file, data, note)]
    spaces = {name: rows for name, rows in data.items() if _NAMESPACE.fullmatch(name) and _has_tables(rows)}
    if not spaces or any(_is_table(name) for name in data):
        return [file]
    parts = [_part(file, rows, f"{name} read as a switch of its own", name) for name, rows in spaces.items()]
    for part in parts[1:]:
        part.problems = []
    return parts


def _part(file: Scanned, data: Any, note: str, namespace: str = "") -> Scanned:
    return Scanned(file.name, file.base, data, file.readable, file.problems, note, namespace)


def _is_table(name: str) -> bool:
    """Whether sonic-cfggen writes the key to the database (sonic-net/sonic-buildimage 086b03bd
    src/sonic-config-engine/sonic-cfggen, output_to_db)."""
    return name[:1].isupper()


def _model_data(data: dict[str, Any], places: Places) -> tuple[dict[str, Any], str]:
    """Nothing of data of YANG models (RFC 7951: names module:container), which stands at the top, or below
    names of cases as in the tests of sonic-net/sonic-buildimage 086b03bd
    src/sonic-yang-models/tests/yang_model_tests."""
    for tops in ([data], [rows for rows in data.values() if isinstance(rows, dict)]):
        names = [name for rows in tops for name in rows]
        models = [name for name in names if _OF_MODEL.fullmatch(name)]
        if len(models) > len(names) / 2:
            return _nothing(places), f"data of a YANG model ({models[0]}), not of CONFIG_DB"
    return data, ""


def _has_tables(rows: Any) -> bool:
    return isinstance(rows, dict) and any(_is_table(name) and isinstance(rows[name], dict) for name in rows)


def _nothing(places: Places) -> dict[str, Any]:
    empty: dict[str, Any] = {}
    places.put(empty, ())
    return empty


def _database(data: dict[str, Any], places: Places) -> tuple[dict[str, Any], str]:
    """The content of CONFIG_DB in a dump that names databases; empty if that one is not in it."""
    named = [name for name, rows in data.items() if _DATABASE.fullmatch(name) and isinstance(rows, dict)]
    if not named or len(named) < len(data):
        return _model_data(data, places)
    ours = next((name for name in (*_OURS, *named) if _is_ours(name, data)), None)
    if ours is None:
        return _nothing(
            places
        ), f"a dump of redis without CONFIG_DB (database 4): it has {', '.join(named[:4])}"
    rest = [name for name in named if name != ours]
    more = f"; {', '.join(rest[:4])} left out" if rest else ""
    return data[ours], f"a dump of redis, {ours} read as tables{more}"


def _is_ours(name: str, data: dict[str, Any]) -> bool:
    return name in data and (name in _OURS or any("|" in key for key in data[name]))


def _is_redis(data: dict[str, Any]) -> bool:
    keys = [name for name, row in data.items() if isinstance(row, dict) or _OTHER_DATABASE.fullmatch(name)]
    return bool(keys) and 2 * sum("|" in name or ":" in name for name in keys) > len(keys)


def _tables(data: dict[str, Any], places: Places) -> dict[str, Any]:
    """Rows by table, in the order of the dump; leaves out keys of other databases (with a colon) and of
    no table."""
    rows: dict[str, list[tuple[str, Any, int, int]]] = {}
    for name, row, at, value_at in places.entries(data):
        table, bar, key = name.partition("|")
        if bar and _is_table(table) and isinstance(row, dict):
            rows.setdefault(table, []).append((key, _fields(row, places), at, value_at))
    tables: dict[str, Any] = {}
    offsets: list[int] = []
    for table, entries in rows.items():
        tables[table] = _built(entries, places)
        offsets += entries[0][2:]
    places.put(tables, offsets)
    return tables


def _fields(row: dict[str, Any], places: Places) -> dict[str, Any]:
    """Fields of a hash; ``ports@`` is a list of texts, as ConfigDBConnector writes it."""
    value = row.get("value")
    if isinstance(row.get("type"), str) and isinstance(value, dict):
        row = value
    if not any(name.endswith("@") for name in row):
        return row
    return _built(_lists(row, places), places)


def _lists(row: dict[str, Any], places: Places) -> Iterator[tuple[str, Any, int, int]]:
    for name, value, at, value_at in places.entries(row):
        if name.endswith("@") and isinstance(value, str):
            items = value.split(",")
            places.put(items, [value_at] * len(items))
            yield name[:-1], items, at, value_at
        else:
            yield name, value, at, value_at


def _built(entries: Any, places: Places) -> dict[str, Any]:
    built: dict[str, Any] = {}
    offsets: list[int] = []
    for key, value, at, value_at in entries:
        if key not in built:
            offsets += (at, value_at)
        built[key] = value
    places.put(built, offsets)
    return built
