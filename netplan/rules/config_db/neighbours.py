"""NP880: rows of BGP neighbours that bgpcfgd does not configure."""

from __future__ import annotations

from collections.abc import Iterator

from netplan.model.values import parse_address, parse_network
from netplan.reading.config_db.switch import DbSwitch, with_others
from netplan.rules.config_db.interfaces import ROUTED
from netplan.rules.config_db.registry import RowFinding, rule

_WITH_ADDRESSES = (*ROUTED, "LOOPBACK_INTERFACE", "VOQ_INBAND_INTERFACE")
"""Tables of which bgpcfgd knows the addresses (src/sonic-bgpcfgd/bgpcfgd/main.py, InterfaceMgr)."""
_MANY = 4
"""More addresses than this count as one mistake: their interfaces are left out."""


def _neighbours(switch: DbSwitch) -> int:
    return len(switch.rows("BGP_NEIGHBOR"))


@rule("NP880", "BGP neighbour that never comes up", on=DbSwitch, counts=_neighbours)
def bgp_forms(switch: DbSwitch) -> Iterator[RowFinding]:
    """A row of `BGP_NEIGHBOR` names a port instead of an address (BGP unnumbered), or has a `local_addr` that
    no interface of the switch has.

    **Why.** bgpcfgd takes only addresses and ignores or rejects the rest, so the session never comes up.
    Only frrcfgd accepts a port as neighbour, as `VRF|PORT`, when `frr_mgmt_framework_config` is true. For an
    interface with the `local_addr` bgpcfgd waits without end, and logs it at level debug only.

    **Fix.** Give the link a /31; or set `docker_routing_config_mode` to split-unified and configure the
    neighbour in frr.conf. Write the address of the interface as `local_addr`.

    **Source.** sonic-bgp-neighbor.yang; sonic-net/sonic-buildimage issue 26960;
    sonic-net/sonic-buildimage 00060c1 src/sonic-bgpcfgd/bgpcfgd/managers_bgp.py (add_peer: "wait for the
    corresponding interface to be set"), 011adf8 src/sonic-bgpcfgd/bgpcfgd/main.py (InterfaceMgr).
    """
    managed = not switch.whole or switch.frrcfgd
    for key in switch.keys("BGP_NEIGHBOR"):
        vrf, _, name = key.rpartition("|")
        if parse_address(name) is not None or (vrf and managed):
            continue
        message = f"BGP_NEIGHBOR {key} is not an address; bgpcfgd does not support unnumbered neighbours"
        hint = "give the link a /31, or configure the neighbour in frr.conf"
        yield RowFinding(switch.spot("BGP_NEIGHBOR", key), message, hint)
    yield from _without_interface(switch)


def _without_interface(switch: DbSwitch) -> Iterator[RowFinding]:
    """One finding for each address, however many neighbours have it; one for all if they are many. Only of a
    whole configuration with addresses, whose neighbours bgpcfgd configures."""
    own = _addresses(switch)
    if not own or not switch.whole or switch.frrcfgd:
        return
    missing: dict[str, list[str]] = {}
    for key in switch.keys("BGP_NEIGHBOR"):
        text = (switch.text("BGP_NEIGHBOR", key, "local_addr") or "").partition("/")[0]
        address = parse_address(text)
        if address is not None and int(address) and str(address) not in own:
            missing.setdefault(text, []).append(key)
    if len(missing) > _MANY:
        missing = {next(iter(missing)): [key for keys in missing.values() for key in keys]}
    for text, keys in missing.items():
        more = with_others(len(keys) - 1, "neighbour has such an address", "neighbours have such an address")
        message = f"local_addr {text} of BGP_NEIGHBOR {keys[0]} is on no interface{more}"
        at = switch.spot("BGP_NEIGHBOR", keys[0], "local_addr")
        yield RowFinding(at, message, "write the address of the interface towards the neighbour")


def _addresses(switch: DbSwitch) -> set[str]:
    prefixes = (
        key.rpartition("|")[2] for table in _WITH_ADDRESSES for key in switch.rows(table) if "|" in key
    )
    networks = (parse_network(prefix) for prefix in prefixes)
    return {str(network.ip) for network in networks if network is not None}
