"""Files of the hosts of a small site with one line changed: the faults of a host and its NIC settings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields
from functools import cache
from types import SimpleNamespace
from typing import Any

from netplan.graph.hosts import link_mtus, port_mtu
from netplan.trace import TracedSite
from netplan.trace.hosts import nic_qos
from netplan.trace.units import Use, host_faults
from tests.edits.judges import site_of
from tests.edits.site import rendered
from tests.said import Row, values

WORLD = "sonic"


def said(row: Row) -> tuple[str, ...]:
    """Verdict and values of each fault; MTUs and NIC settings of the first port that differ from those of the
    unchanged files."""
    texts = rendered(WORLD)
    told = _told({**texts, row.about: row.edited(texts[row.about])})
    return tuple(line for line in told if line not in _usual())


@cache
def _usual() -> frozenset[str]:
    return frozenset(_told(rendered(WORLD)))


@cache
def _site() -> TracedSite:
    return site_of(rendered(WORLD))


def _told(texts: Mapping[str, str]) -> tuple[str, ...]:
    host = _site().facts.hosts[0]
    site: Any = SimpleNamespace(texts=texts, cluster=_site().cluster)
    uses = tuple(Use(hca, 4, made=True) for hca in host.hcas)
    faults = (f"{each.verdict.name} {values(each.text)}".rstrip() for each in host_faults(texts, host, uses))
    mtus = [f"MTU {port_mtu(texts, host, hca)}" for hca in host.hcas]
    links = [f"link {each}" for each in link_mtus(texts)]
    return (*faults, *mtus, *links, *_set(nic_qos(site, host, host.hcas[0])))


def _set(qos: Any) -> Iterator[str]:
    """Without the lines, which every line more or less shifts."""
    for each in fields(qos) if qos is not None else ():
        if each.name == "lines":
            continue
        value = getattr(qos, each.name)
        if isinstance(value, Mapping):
            yield from (f"{each.name} {key}: {_shown(item)}" for key, item in value.items())
        else:
            yield f"{each.name}: {_shown(value)}"


def _shown(value: Any) -> str:
    return str(sorted(value)) if isinstance(value, frozenset) else str(value)
