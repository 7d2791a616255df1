"""Everything the page shows as data: one JSON object that its script reads."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from netplan.changes.sides import Side
from netplan.model.document import Document
from netplan.model.folding import folded
from netplan.model.hardware import Hca, HostType
from netplan.model.plan import Plan
from netplan.page import buffers, capacity, chain, work
from netplan.page.cables import FIELDS, KINDS, Cables
from netplan.page.changed import change_data
from netplan.page.places import Lines, Marks, Once
from netplan.page.reach import SIGNS, Reach
from netplan.page.topology import Topology, rails_of
from netplan.result import Result
from netplan.trace import TracedSite


def content(result: Result, base: Side | None = None) -> dict[str, Any]:
    """``result``: of an inventory without errors. ``base``: what to compare it with."""
    if result.plan is None or result.document is None:
        raise ValueError("an inventory with errors has no plan to show")
    return _Content(result, result.plan, result.document).data(base)


class _Content:
    def __init__(self, result: Result, plan: Plan, document: Document) -> None:
        self._result, self._plan = result, plan
        self._lines = Lines(document)
        self._marks = Marks(result.diagnostics)
        self._sheets = buffers.Sheets()
        self._topology = Topology(plan)
        self._site = TracedSite(result.artifacts, result.library)

    def data(self, base: Side | None) -> dict[str, Any]:
        plan, fabric = self._plan, self._plan.fabric
        files: Once[list[str]] = Once()
        switches = self._switches(files)
        reach = Reach(self._site)
        found = {
            "site": fabric.site,
            "facts": self._facts(),
            "kinds": KINDS,
            "fields": FIELDS,
            "pods": [pod.name for pod in self._topology.pods],
            "types": [self._host_type(each) for each in fabric.host_types],
            "hosts": self._hosts(),
            "switches": switches,
            "files": files.rows,
            "sheets": self._sheets.rows,
            "numbers": self._sheets.numbers,
            "classes": buffers.class_rows(plan),
            "best_effort": plan.qos.best_effort_percent if plan.qos else 0,
            "chains": chain.chains(plan, self._site),
            "pools": capacity.pools(plan),
            "ranges": capacity.ranges(plan),
            "host_tables": capacity.host_tables(plan),
            "segments": capacity.segments(plan, self._lines),
            "space": capacity.address_space(plan),
            "vlans": capacity.vlans(plan),
            "signs": {sign: [verdict.words, verdict.proof] for verdict, sign in SIGNS.items()},
            "reach": reach.workloads,
            "hops": reach.hops,
            "reasons": reach.texts,
            "workloads": self._workloads(),
            "findings": work.findings(self._result, self._lines),
            "skipped": list(self._result.skipped),
            "tasks": work.tasks(plan),
            "cluster": work.cluster_facts(plan.overview),
            "change": self._change(base),
        }
        return {**found, "lines": self._lines.rows}

    def _change(self, base: Side | None) -> Mapping[str, Any] | None:
        if base is None:
            return None
        texts = {artifact.path: artifact.text for artifact in self._result.artifacts}
        new = Side("the inventory", texts, self._result.document)
        return {"old": base.name, **change_data(base, new, self._result.library)}

    def _facts(self) -> dict[str, Any]:
        fabric = self._plan.fabric
        rails = fabric.rails
        return {
            "fabric": fabric.type,
            "mtu": fabric.mtu,
            "cross_rail": fabric.cross_rail,
            "rails": rails.count if rails else 0,
            "segment": rails.segment if rails else "",
            "hosts": sum(host.count for host in fabric.hosts),
            "gpus": sum(host.count * host.type.gpus for host in fabric.hosts),
            "switches": len(fabric.switches),
            "leaves": sum(len(pod.leaves) for pod in self._topology.pods),
            "cables": len(fabric.host_links) + len(fabric.switch_links),
            "files": len(self._result.artifacts),
            "checks": sum(1 for count in self._result.checked.values() if count),
        }

    def _switches(self, files: Once[list[str]]) -> list[list[Any]]:
        """Name, role, pod (-1 above all pods), id, AS number, loopback, rails, sheet, ports, files, line,
        line of the type, worst finding."""
        cables = Cables(self._plan, self._lines, self._marks)
        rails = rails_of(self._plan.fabric.host_links)
        own = self._files()
        return [
            [
                switch.name,
                switch.role,
                self._topology.pod_of.get(("switch", switch.name), -1),
                switch.id,
                switch.asn,
                " ".join(map(str, switch.loopbacks)),
                rails.get(switch.name, ()),
                self._sheets.of(switch),
                cables.rows(switch),
                files.number(own.get(switch.name, ()), list(own.get(switch.name, ()))),
                self._lines.of_path(switch.at),
                self._lines.of_path(switch.type.at),
                self._marks.at(switch.at, ("switches", switch.name)),
            ]
            for switch in self._plan.switches
        ]

    def _files(self) -> dict[str, tuple[str, ...]]:
        """Switch -> its files."""
        found: dict[str, tuple[str, ...]] = {}
        for artifact in self._result.artifacts:
            part, _, rest = artifact.path.partition("/")
            name, below, file = rest.partition("/")
            if part == "switches" and below:
                found[name] = (*found.get(name, ()), file)
        return found

    def _host_type(self, kind: HostType) -> dict[str, Any]:
        path = f"hosts/{kind.name}/"
        files = [a.path.removeprefix(path) for a in self._result.artifacts if a.path.startswith(path)]
        return {
            "name": kind.name,
            "gpus": kind.gpus,
            "instance": kind.instance_type or "",
            "labels": [f"{name}={value}" for name, value in kind.node_selector],
            "hcas": [_hca(hca) for hca in kind.hcas],
            "files": files,
            "line": self._lines.of_path(kind.at),
        }

    def _hosts(self) -> list[list[Any]]:
        """Names as ranges, ids, number of names, type, pod, nodes of each, line, finding."""
        numbers = {kind.name: index for index, kind in enumerate(self._plan.fabric.host_types)}
        rows = (
            (
                (
                    numbers[host.type.name],
                    self._topology.pod_of[("host", host.name)],
                    host.count,
                    self._lines.of_path(host.at),
                    self._marks.at(host.at, ("hosts", host.name)),
                ),
                (host.name, str(host.id)),
            )
            for host in self._plan.fabric.hosts
        )
        return [[*run.texts, run.count, *run.key] for run in folded(rows)]

    def _workloads(self) -> list[dict[str, Any]]:
        return [
            {
                "name": each.name,
                "namespace": each.workload.namespace,
                "nodes": each.placement.nodes,
                "group": each.placement.group or "",
                "gpus": each.workload.gpus,
                "image": each.workload.image or "",
                "networks": [[nic.interface, nic.reference] for nic in each.nics],
                "limits": [list(row) for row in each.limits],
                "env": [[e.name, e.value, e.reason] for e in each.env],
                "jobs": [job.file for job in each.jobs],
                "line": self._lines.of_path(each.workload.at),
            }
            for each in self._plan.workloads
        ]


def _hca(hca: Hca) -> list[Any]:
    rail = -1 if hca.rail is None else hca.rail
    more = (hca.pci or "", hca.netdev or "", hca.link)
    return [hca.name, rail, hca.model.name, hca.speed_gbps, hca.use, hca.vfs, *more]
