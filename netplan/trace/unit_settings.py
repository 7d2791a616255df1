"""Settings of a host's units that trace does not know: they may undo the others, so nothing is proved."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from netplan.reading.hosts import Unit
from netplan.trace.model import Fault, unproved

_KNOWN: Mapping[str, frozenset[tuple[str, str]]] = {
    "link": frozenset(
        {
            *(("Match", key) for key in ("Path", "PermanentMACAddress", "MACAddress", "OriginalName")),
            *(("Link", key) for key in ("Description", "Name", "MTUBytes", "SR-IOVVirtualFunctions")),
        }
    ),
    "network": frozenset(
        {
            ("Match", "Name"),
            *(("Link", key) for key in ("RequiredForOnline", "MTUBytes", "ActivationPolicy")),
            *(("Network", key) for key in ("Description", "LinkLocalAddressing", "IPv6AcceptRA", "Address")),
            *(("Network", key) for key in ("LLDP", "EmitLLDP", "IgnoreCarrierLoss")),
            ("Address", "Address"),
            *(("Route", k) for k in ("Destination", "Gateway", "Scope", "PreferredSource", "Table")),
            *(("RoutingPolicyRule", key) for key in ("From", "Table", "Priority")),
        }
    ),
    "service": frozenset(
        {
            *(
                ("Unit", key)
                for key in ("Description", "Documentation", "After", "Before", "Wants", "Requires")
            ),
            *(("Service", key) for key in ("Type", "RemainAfterExit", "ExecStart")),
            *(("Install", key) for key in ("WantedBy", "RequiredBy")),
        }
    ),
}
"""Settings that trace follows, or that have no effect on a port's packets (systemd.link(5),
systemd.network(5), systemd.unit(5), systemd.service(5))."""


def unread(unit: Unit, kind: str) -> Iterator[Fault]:
    for each in unit.settings:
        if (each.section, each.key) not in _KNOWN[kind]:
            section = f"[{each.section}] " if each.section else ""
            yield unproved(f"{unit.at(each)} is not read: {section}{each.key}={each.value}")
    for line in unit.strange:
        yield unproved(f"{unit.path}:{line} is not read")
