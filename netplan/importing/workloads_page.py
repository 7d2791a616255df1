"""The section ``workloads``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from netplan.importing.facts import Remark, place
from netplan.importing.kubernetes.workloads import GPU, SIZES, UNREAD
from netplan.importing.text import INEXPRESSIBLE, Entry, block, clash, comment, listed, todo, told
from netplan.importing.workloads import WorkloadRow
from netplan.model.inventory_text import flow_list
from netplan.report import count, few

_CALLED = "netplan calls interfaces on rails rail0, rail1 and so on; programs and variables may name them"
_SHOWN = 4
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
    entries["nodes"] = _nodes(row)
    if row.per_node > 1:
        entries["pods_per_node"] = Entry(row.per_node, "the most on one node")
    for name in SIZES:
        if (entry := _size(row, name)) is not None:
            entries[name] = entry
    return {**entries, **({} if row.no_gpus else row.asked)}


def _size(row: WorkloadRow, name: str) -> Entry | None:
    """Of one pod; a question where its pods disagree, or an inventory cannot have what they ask for."""
    asked = [name, f"{UNREAD}{name}", *([GPU] if name == "gpus" else [])]
    conflict = next((row.conflicts[each] for each in asked if each in row.conflicts), None)
    said, unread = row.fields.get(name), row.fields.get(f"{UNREAD}{name}")
    if conflict is not None:
        return clash(conflict)
    if unread is not None:
        return todo(f"pods ask for {unread.value}", place(unread.at))
    if name == "gpus" and row.no_gpus:
        way_out = (
            "an inventory has one GPU resource for a host type; remove the workload, or state its number"
        )
        return todo(row.no_gpus, way_out)
    return None if said is None else told(said)


def _jobs(row: WorkloadRow) -> str:
    names = [of[1] for of in row.jobs]
    return "" if names == [row.name] else listed(names)


def _nodes(row: WorkloadRow) -> Entry:
    if row.waiting or row.at is None:
        known = f"a node is known of {row.placed} of {count(row.pods, 'pod')}"
        return todo("pods of one job, one per node", f"{known}, {place((row.at or row.on).at)}")
    seen = f"{count(row.pods, 'pod')} of {count(len(row.jobs), 'job')} in the dumps"
    whose = "its" if len(row.jobs) == 1 else "the largest"
    return Entry(row.nodes, f"nodes of {whose} job, {seen}, {place(row.at.at)}")


def _hosts(row: WorkloadRow) -> Entry:
    what = "host types or hosts on which its pods run"
    if row.at is None:
        return todo(what, f"no node of its pods is known, {place(row.on.at)}")
    if row.strange:
        own = f"{listed(row.hosts)} and " if row.hosts else ""
        return todo(what, f"{own}{few(row.strange, _SHOWN)}, no host of the dumps, {place(row.at.at)}")
    group = f"those of leaf group {row.group}, whose networks its pods have" if row.group else ""
    return Entry(
        flow_list(row.hosts), f"{group or 'host types of the nodes of its pods'}, {place(row.at.at)}"
    )


def _networks(row: WorkloadRow) -> Entry:
    if row.unfit:
        return todo(f"{INEXPRESSIBLE}: {row.unfit}", place(row.on.at))
    if row.devices:
        own = f"{listed(row.networks)} and " if row.networks else ""
        return todo(
            "its networks", f"{own}that of {listed(row.devices)}, which its pods take, {place(row.on.at)}"
        )
    return Entry(flow_list(row.networks), place(row.on.at))


def name_remarks(rows: Iterable[WorkloadRow]) -> Iterator[Remark]:
    """Interfaces on rails that get another name."""
    for row in rows:
        if row.called and not row.unfit:
            what = f"workload {row.name} has {row.called[0]}"
            yield Remark(row.on.at, f"{what}: {_CALLED}", alike=_CALLED, value=row.name)
