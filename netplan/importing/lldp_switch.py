"""Neighbours that switches show as JSON, known by the key that each of them begins with.

EOS, ``show lldp neighbors | json`` (a list of rows) and ``detail`` (an object by port):
napalm-automation/napalm ee70e63 test/eos/mocked_data/test_get_lldp_neighbors and
test_get_lldp_neighbors_detail; aristanetworks/anta 68667e0 tests/units/anta_tests/test_connectivity.py
(``interfaceId_v2``).
NX-OS, ``show lldp neighbors | json`` and ``detail``: ansible-collections/cisco.nxos 154aa54
plugins/module_utils/network/nxos/facts/legacy/base.py (TABLE_nbor: ROW_nbor is an object where there is one
neighbour; chassis_id is the system's name); opennetworkinglab/onos 275de30 drivers/cisco/rest,
LinkDiscoveryCiscoImpl.java (TABLE_nbor_detail; Eth1/1 is Ethernet1/1).
NVUE, ``nv show interface --view=lldp -o json``, ``lldp``, ``lldp-detail``: CumulusNetworks/docs 9fdbe12
static/cumulus-linux-53/api/openapi.json (``view:lldp`` of ``/interface``:
``*/lldp/neighbor/*/chassis/system-name`` and ``port/name``), NVUE reference, Show Commands, LLDP, at
afeda17; david-pili/napalm-cumulus 02ad70a napalm_cumulus/cumulus.py (``chassis``, ``port``; ``is-bridge``,
whose value is not confirmed: present and not off is taken as on).
Junos, ``show lldp neighbors | display json`` and ``detail``: netenglabs/suzieq 584b22a
suzieq/config/lldp.yml; sonic-net/sonic-mgmt b4ba9de tests/common/devices/juniper.py. What is in the elements
(an index in place of the local port, the unit, capabilities): napalm
test/junos/junos/mock_data/get-lldp-interface-neighbors-information.txt.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from typing import Any, NamedTuple

from netplan.diagnostics import Source
from netplan.importing.lldp import MAC, MOST, Heard, Neighbour, called, far_names, listed
from netplan.model.document import Places
from netplan.reading.config_db.scan import scan

_SCALARS = r'(?:\s*"[A-Za-z_]+"\s*:\s*(?:"[^"]*"|[0-9.eE+-]+)\s*,)*'
_KEYS = ("lldpNeighbors", "TABLE_nbor", "TABLE_nbor_detail", "lldp-neighbors-information")
_KEYED = re.compile(rf'\A\s*\{{{_SCALARS}\s*"(?:{"|".join(_KEYS)})"\s*:\s*[\[{{]')
_BY_INTERFACE = re.compile(r'\A\s*\{\s*"[A-Za-z][A-Za-z0-9._/-]*"\s*:\s*\{')
_LLDP = re.compile(r'"lldp"\s*:\s*\{')
_NEIGHBOR = re.compile(r'"neighbor"\s*:\s*\{\s*"[^"]*"\s*:\s*\{')
_ETH = re.compile(r"Eth(?=[0-9])")
_UNIT = re.compile(r"\.[0-9]+$")
_UNSAID = frozenset({"null", "not advertised"})
_OFF = ("off", "no", False, None)


class _Said(NamedTuple):
    """``interface``: the far port's ID is an interface name, as far as the switch tells; ``named``: it says
    so."""

    port: str
    system: str
    ident: str
    description: str
    interface: bool
    switching: bool
    named: bool = False


def is_switch_json(text: str) -> bool:
    if _KEYED.match(text):
        return True
    return bool(_BY_INTERFACE.match(text) and _LLDP.search(text) and _NEIGHBOR.search(text))


def read_switch_json(name: str, text: str, places: Places) -> Heard:
    scanned = scan(name, text, places)
    return replace(heard(name, scanned.data, places), problems=tuple(scanned.problems))


def has_neighbours(data: Any) -> bool:
    """Whether an object begins as a list of neighbours of EOS, NX-OS or Junos does."""
    return any(key in _map(data) for key in _KEYS)


def heard(name: str, data: Any, places: Places) -> Heard:
    return Heard(called(name), tuple(islice(_neighbours(_map(data), places), MOST)), True, ())


def _neighbours(data: dict[str, Any], places: Places) -> Iterator[Neighbour]:
    for said, at in _all(data, places):
        names = far_names(said.ident, said.description, said.interface)
        beside = "" if said.named or said.description in names else said.description
        yield Neighbour(
            said.port, said.system, names, said.switching, at, named=said.named, description=beside
        )


def _all(data: dict[str, Any], places: Places) -> Iterator[tuple[_Said, Source]]:
    if "lldpNeighbors" in data:
        yield from _eos(data["lldpNeighbors"], places)
        return
    nxos = [key for key in ("TABLE_nbor", "TABLE_nbor_detail") if key in data]
    for key in nxos:
        for table in listed(data[key]):
            for row in listed(table.get(key.replace("TABLE", "ROW"))):
                yield _nxos(row), places.source_of(row, "l_port_id")
    if "lldp-neighbors-information" in data:
        for table in listed(data["lldp-neighbors-information"]):
            for row in listed(table.get("lldp-neighbor-information")):
                yield _junos(row), places.source_of(row, next(iter(row), ""))
    elif not nxos:
        yield from _nvue(data, places)


def _eos(neighbours: Any, places: Places) -> Iterator[tuple[_Said, Source]]:
    if isinstance(neighbours, list):
        for row in listed(neighbours):
            port, system, ident = (_text(row.get(key)) for key in ("port", "neighborDevice", "neighborPort"))
            yield _Said(port, system, ident, "", True, False), places.source_of(row, "port")
        return
    for port, body in (neighbours if isinstance(neighbours, dict) else {}).items():
        for one in listed(_map(body).get("lldpNeighborInfo")):
            far = _map(one.get("neighborInterfaceInfo"))
            ident = _text(far.get("interfaceId_v2")) or _text(far.get("interfaceId")).strip('"')
            can = _map(one.get("systemCapabilities"))
            said = _Said(
                port,
                _text(one.get("systemName")),
                ident,
                _text(far.get("interfaceDescription")),
                far.get("interfaceIdType") in (None, "interfaceName"),
                can.get("bridge") is True or can.get("router") is True,
                far.get("interfaceIdType") == "interfaceName",
            )
            yield said, places.source_of(neighbours, port)


def _nxos(row: dict[str, Any]) -> _Said:
    system = _text(row.get("sys_name") or row.get("chassis_id"))
    return _Said(
        _ETH.sub("Ethernet", _text(row.get("l_port_id"))),
        "" if MAC.fullmatch(system) else system,
        _text(row.get("port_id")),
        _text(row.get("port_desc")),
        True,
        bool({"B", "R"} & set(_text(row.get("enabled_capability")))),
    )


def _junos(row: dict[str, Any]) -> _Said:
    local = (_leaf(row, key) for key in ("lldp-local-interface", "lldp-local-port-id"))
    enabled = _leaf(row, "lldp-remote-system-capabilities-enabled").split()
    named = _leaf(row, "lldp-remote-port-id-subtype") == "Interface name"
    return _Said(
        _UNIT.sub("", next((name for name in local if name and not name.isdigit()), "")),
        _leaf(row, "lldp-remote-system-name"),
        _leaf(row, "lldp-remote-port-id"),
        _leaf(row, "lldp-remote-port-description"),
        named,
        bool({"Bridge", "Router"} & set(enabled)),
        named,
    )


def _nvue(interfaces: dict[str, Any], places: Places) -> Iterator[tuple[_Said, Source]]:
    for name, body in interfaces.items():
        neighbours = _map(_map(_map(body).get("lldp")).get("neighbor"))
        for key, one in neighbours.items():
            chassis, port = (_map(_map(one).get(part)) for part in ("chassis", "port"))
            can = _map(chassis.get("capability"))
            said = _Said(
                name,
                _text(chassis.get("system-name")),
                _text(port.get("name")),
                _text(port.get("description")),
                port.get("type") in (None, "ifname"),
                any(key in can and can[key] not in _OFF for key in ("is-bridge", "is-router")),
            )
            yield said, places.source_of(neighbours, key)


def _map(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _leaf(row: dict[str, Any], key: str) -> str:
    """Junos wraps every element as ``[{"data": "..."}]``."""
    return _text(next(iter(listed(row.get(key))), {}).get("data"))


def _text(value: Any) -> str:
    text = value.strip() if isinstance(value, str) else ""
    return "" if text in _UNSAID else text
