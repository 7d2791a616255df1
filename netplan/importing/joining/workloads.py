"""Pods of the dumps against the workloads of the inventory: by their namespace and networks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from netplan.importing.facts import Site, place
from netplan.importing.folded import Folded
from netplan.importing.joining.known import Change, Known
from netplan.importing.joining.renamed_networks import stated_names
from netplan.importing.kubernetes.workloads import GPU
from netplan.importing.text import listed
from netplan.importing.workloads import WorkloadRow
from netplan.model.fabric import Workload
from netplan.model.plan import Plan
from netplan.report import count


def stated_workloads(known: Known, site: Site, folded: Folded, plan: Plan) -> list[WorkloadRow]:
    """With the names that networks and host types have in the inventory, and a name that none there has."""
    stated = {network.name: network for network in known.fabric.networks}
    names = {row.name: name for name, row in stated_names(site, folded.rows, stated, plan)}
    taken = {each.name for each in known.fabric.workloads}
    devices = {each.name: each.network for each in plan.kubernetes.resources}
    return [_stated(known, row, names, devices, taken) for row in folded.workloads]


def _stated(
    known: Known,
    row: WorkloadRow,
    names: Mapping[str, str],
    devices: Mapping[str, str],
    taken: Iterable[str],
) -> WorkloadRow:
    """``devices``: resource -> its network."""
    hosts = {known.hosts[node].type.name if node in known.hosts else "" for node in row.on_nodes}
    own = [names[name] for name in row.networks]
    own += [devices[name] for name in row.devices if name in devices]
    return replace(
        row,
        unfit=row.unfit or _taken_alone(known, row, devices),
        name=f"{row.name}-new" if row.name in taken else row.name,
        networks=tuple(dict.fromkeys(own)),
        devices=tuple(name for name in row.devices if name not in devices),
        hosts=row.hosts if "" in hosts or not hosts or row.group else tuple(sorted(hosts)),
    )


def _taken_alone(known: Known, row: WorkloadRow, devices: Mapping[str, str]) -> str:
    modes = {network.name: network.mode for network in known.fabric.networks}
    bare = [name for name in row.devices if modes.get(devices.get(name, ""), "device-only") != "device-only"]
    return f"its pods take {listed(bare)} without a network of it" if bare else ""


def new_workloads(known: Known, rows: Iterable[WorkloadRow]) -> list[WorkloadRow]:
    rows = [*rows]
    return [row for row in rows if not _fitting(known, row, rows)]


def workload_changes(known: Known, rows: Sequence[WorkloadRow]) -> Iterator[Change]:
    for row in rows:
        at, fitting = place(row.on.at), _fitting(known, row, rows)
        pods = f"{count(row.pods, 'pod')} on {listed(row.networks)}" if row.pods else listed(row.networks)
        if not fitting:
            yield Change("new", f"workload {row.name}", f"{pods}, namespace {row.namespace} ({at})")
        elif row.unfit:
            yield Change("differs", f"pods of {row.jobs[0][1]}", f"{row.unfit} ({at})")
        elif "gpus" not in row.conflicts and not any(each.gpus == _gpus(row) for each in fitting):
            own = listed(f"{each.name} {each.gpus}" for each in fitting)
            yield Change("differs", f"pods of {row.jobs[0][1]}", f"gpus: {own} or {_gpus(row)} ({at})")
        elif (other := _other_gpus(row, fitting)) is not None:
            yield Change("differs", f"pods of {row.jobs[0][1]}", f"gpu_resource: {other} ({at})")
        elif row.per_node > (most := sum(each.pods_per_node for each in fitting)):
            where = known.at((*fitting[0].at, "pods_per_node"))
            what = f"pods_per_node: {most} ({where}) or {row.per_node} on one node ({at})"
            yield Change("differs", f"pods of {row.jobs[0][1]}", what)


def _fitting(known: Known, row: WorkloadRow, rows: Sequence[WorkloadRow]) -> list[Workload]:
    """Those of its networks with as many GPUs, else those that no other pods have as they are."""
    own = _alike(known, row)
    if "gpus" in row.conflicts or any(each.gpus == _gpus(row) for each in own):
        return own
    others = [each for each in rows if each is not row]
    had = {each.name for other in others for each in _alike(known, other) if each.gpus == _gpus(other)}
    return [each for each in own if each.name not in had]


def _alike(known: Known, row: WorkloadRow) -> list[Workload]:
    """Of the same namespace and networks, whatever their order."""
    wanted = {*row.networks}
    mine = (each for each in known.fabric.workloads if each.namespace == row.namespace)
    return [each for each in mine if {network.name for network in each.networks} == wanted]


def _gpus(row: WorkloadRow) -> object:
    said = row.fields.get("gpus")
    return said.value if said is not None else 0


def _other_gpus(row: WorkloadRow, fitting: Iterable[Workload]) -> str | None:
    """The resource of the hosts' GPUs and that of the pods, where they differ."""
    said = row.fields.get(GPU)
    own = dict.fromkeys(kind.gpu_resource for each in fitting for kind in each.host_types)
    return None if said is None or said.value in own or not own else f"{listed(own)} or {said.value}"
