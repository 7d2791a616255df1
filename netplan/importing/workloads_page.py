"""The section ``workloads``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from netplan.importing.facts import Remark, place
from netplan.importing.kubernetes.workloads import SIZES
from netplan.importing.networks import NetworkRow
from netplan.importing.text import INEXPRESSIBLE, Entry, block, clash, comment, listed, todo, told
from netplan.importing.workloads import WorkloadRow, reordered
from netplan.model.inventory_text import flow_list
from netplan.report import count

_ORDER = "netplan lists rails by their numbers, its pods in another order: net1, net2 and so on change rails"
_HEAD = "of pods in the dumps, without their environment, commands and other fields"


def workload_lines(rows: Sequence[WorkloadRow]) -> list[str]:
    lines = [each for row in rows for each in block(1, row.name, entries_of(row), _jobs(row))]
    return [f"workloads:{comment(_HEAD)}", *lines] if lines else []


def entries_of(row: WorkloadRow) -> Mapping[str, Entry]:
    at = place(row.on.at)
    entries = {
        "namespace": Entry(row.namespace, at),
        "hosts": _hosts(row),
        "networks": _networks(row),
    }
    if row.per_node:
        seen = f"{count(row.pods, 'pod')} of {count(len(row.jobs), 'job')} in the dumps"
        entries["nodes"] = Entry(
            row.nodes, f"nodes of {'its' if len(row.jobs) == 1 else 'the largest'} job, {seen}"
        )
        if row.per_node > 1:
            entries["pods_per_node"] = Entry(row.per_node, "the most on one node")
    else:
        entries["nodes"] = todo("pods of one job, one per node", f"its pods have no node yet, {at}")
    for name in SIZES:
        if name in row.conflicts:
            entries[name] = clash(row.conflicts[name])
        elif name in row.fields:
            entries[name] = told(row.fields[name])
    return entries


def _jobs(row: WorkloadRow) -> str:
    return "" if row.jobs == ((row.namespace, row.name),) else listed(name for _, name in row.jobs)


def _hosts(row: WorkloadRow) -> Entry:
    if not row.hosts:
        return todo(
            "host types or hosts on which its pods run", f"no node of its pods is known, {place(row.on.at)}"
        )
    return Entry(flow_list(row.hosts), "host types of the nodes of its pods")


def _networks(row: WorkloadRow) -> Entry:
    if row.unfit:
        return todo(f"{INEXPRESSIBLE}: {row.unfit}", place(row.on.at))
    return Entry(flow_list(row.networks), place(row.on.at))


def order_remarks(rows: Iterable[WorkloadRow], networks: Iterable[NetworkRow]) -> Iterator[Remark]:
    """Rails that pods list in another order: interfaces change their names."""
    rails = {"/".join(part.of): part.rail for row in networks for part in row.parts}
    for row in rows:
        if not row.unfit and reordered(row, rails):
            yield Remark(row.on.at, f"workload {row.name}: {_ORDER}", alike=_ORDER)
