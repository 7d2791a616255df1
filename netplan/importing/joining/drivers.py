"""The driver container of the Network Operator: planned, and switched off in the dumps."""

from __future__ import annotations

from collections.abc import Iterator

from netplan.importing.facts import Site, place
from netplan.importing.joining.known import Change, Known
from netplan.importing.launch_kit_operator import DRIVER_OFF


def driver_changes(known: Known, site: Site) -> Iterator[Change]:
    operator, off = known.fabric.cluster.network_operator, site.said("cluster", (), DRIVER_OFF)
    if operator is not None and operator.ofed_version is not None and off is not None:
        path = ("cluster", "network_operator", "ofed_version")
        what = f"{operator.ofed_version} ({known.at(path)}) or no driver ({place(off.at)})"
        yield Change("differs", ".".join(path), what)
