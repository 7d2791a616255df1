"""Kernel settings that trace does not follow. Those known to be harmless are data: catalog/sysctls.yaml."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from netplan.catalog import sysctl_rows
from netplan.graph.hosts import file_of
from netplan.graph.kubernetes.cluster import Nad
from netplan.model.site import SiteHost
from netplan.reading.hosts import read_unit
from netplan.reading.kubernetes.objects import mapping
from netplan.trace.model import Fault, Verdict

_FILE = "sysctl.d/90-rdma.conf"
_OTHERS = ("vm.", "kernel.", "fs.", "user.", "dev.")
"""Parts of the sysctl tree without network settings (docs.kernel.org, admin-guide/sysctl)."""
_NEIGHBOURS = ("gc_thresh1", "gc_thresh2", "gc_thresh3")


def tuned(network: Nad) -> Iterator[Fault]:
    """Settings of a network's tuning plugins."""
    for path, plugin in network.plugins:
        for name, value in mapping(plugin.get("sysctl")).items() if plugin.get("type") == "tuning" else ():
            if not known(str(name), str(value)):
                source = network.thing.source((*path, "sysctl", name))
                where = f"{network.name} ({source.file}:{source.line})"
                yield _open(f"{name}={value} of {where}")


def of_host(texts: Mapping[str, str], host: SiteHost) -> Iterator[Fault]:
    found = file_of(texts, host, _FILE)
    if found is None:
        return
    unit = read_unit(*found)
    for each in unit.settings:
        name = each.key.replace("/", ".").lstrip("-")
        neighbours = name.startswith("net.ipv") and name.endswith(_NEIGHBOURS)
        if not neighbours and not known(name, each.value):
            yield _open(f"{each.key}={each.value} of {host.name} ({unit.at(each)})")


def known(name: str, value: str) -> bool:
    """Whether a setting is followed elsewhere or has no effect on packets."""
    rows = sysctl_rows()
    last = name.rpartition(".")[2]
    return (
        name.startswith(_OTHERS)
        or last in rows["followed"]
        or last in rows["harmless"]
        or last.startswith(tuple(rows["families"]))
        or value in rows["values"].get(last, ())
    )


def _open(said: str) -> Fault:
    return Fault(Verdict.UNPROVED, f"{said}: what it does to packets is not followed")
