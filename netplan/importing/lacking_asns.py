"""Leaves whose AS number no dump has, beside others that have one, or that have BGP neighbours. SONiC keeps
it in DEVICE_METADATA (``bgp_asn``), with the management framework in BGP_GLOBALS (``local_asn``), in split
mode in FRR's own files alone."""

from __future__ import annotations

from collections.abc import Iterable

from netplan.importing.facts import Said, Site, place
from netplan.importing.switches import SwitchRow
from netplan.importing.text import listed
from netplan.model.ranges import gathered

_WHERE = "vtysh -c 'show running-config' on SONiC"
NO_BGP = f"no dump has BGP; {_WHERE}"


def without_asn(site: Site, leaves: Iterable[SwitchRow]) -> str:
    """Empty where none has any BGP, and where all have a number."""
    every = [*leaves]
    lacking = [row for row in every if "asn" not in row.fields]
    peers = {row.name: said for row in lacking if (said := _peer(site, row.name)) is not None}
    if not lacking or not (peers or len(lacking) < len(every)):
        return ""
    seen = listed(f"{name} has BGP neighbours ({place(said.at)})" for name, said in peers.items())
    own = f"no dump has the AS number of {gathered(row.name for row in lacking)}; {_WHERE}"
    return f"{seen}; {own}" if seen else own


def _peer(site: Site, switch: str) -> Said | None:
    found = (
        said for kind in ("neighbour/", "unnumbered/") for _, said in site.prefixed("switch", (switch,), kind)
    )
    return next(found, None)
