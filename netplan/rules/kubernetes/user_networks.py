"""Subnets of UserDefinedNetworks, for NP752."""

from __future__ import annotations

from collections.abc import Iterator

from netplan.diagnostics import Path, dotted
from netplan.graph.kubernetes.addresses import around
from netplan.reading.kubernetes.fields import FieldFault
from netplan.reading.kubernetes.objects import Thing, inside, listing, templated

_AT: dict[str, Path] = {"UserDefinedNetwork": ("spec",), "ClusterUserDefinedNetwork": ("spec", "network")}
_TOPOLOGIES = ("layer2", "layer3", "localnet")


def wrong_subnets(thing: Thing) -> Iterator[FieldFault]:
    """Those that the CRD refuses (ovn-org/ovn-kubernetes 6c366bb4
    go-controller/pkg/crd/userdefinednetwork/v1/shared.go, isCIDR)."""
    own = _AT.get(thing.kind) if thing.group == "k8s.ovn.org" else None
    for topology in _TOPOLOGIES if own is not None else ():
        at: Path = (*(own or ()), topology, "subnets")
        for index, row in enumerate(listing(inside(thing.body, at))):
            place, text = (
                ((*at, index, "cidr"), row.get("cidr")) if isinstance(row, dict) else ((*at, index), row)
            )
            if isinstance(text, str) and not templated(text) and not _is_cidr(text):
                yield FieldFault(place, f"{dotted(place)} is {text!r}, no address with prefix length", _HINT)


_HINT = "write it as 10.0.0.0/16"


def _is_cidr(text: str) -> bool:
    try:
        around(text)
    except ValueError:
        return False
    return "/" in text
