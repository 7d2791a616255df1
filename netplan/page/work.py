"""Findings, and the manual work: beside the files, on hosts, on switches and in the cluster."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from netplan.diagnostics import Diagnostic, dotted
from netplan.model.hosts import HostPlan
from netplan.model.overview import ChartStep, Overview
from netplan.model.plan import Plan
from netplan.page.places import Lines
from netplan.report import ordered
from netplan.result import Result


def findings(result: Result, lines: Lines) -> list[list[Any]]:
    """Severity, code, path, message, hint, line, and whether the inventory accepts it."""
    found = [(each, False) for each in ordered(result.diagnostics)]
    found += [(each, True) for each in ordered(result.accepted)]
    return [_finding(each, accepted, lines) for each, accepted in found]


def _finding(each: Diagnostic, accepted: bool, lines: Lines) -> list[Any]:
    name = each.severity.name.lower()
    severity = "note" if name == "info" else name
    line = lines.of_source(each.source)
    return [severity, each.code, dotted(each.path), each.message, each.hint, line, int(accepted)]


def tasks(plan: Plan) -> list[list[str]]:
    """Who or where, what to do, why, and the file that says how; work on switches is in their sheets."""
    return [list(row) for row in (*_of_cluster(plan.overview), *_of_hosts(plan.hosts))]


def _of_cluster(overview: Overview) -> Iterator[tuple[str, ...]]:
    page = "kubernetes/README.md"
    for each in overview.prerequisites:
        if not each.stated:
            yield "cluster", f"needs {each.name}", "; ".join(filter(None, (each.why, each.settings))), page
    for number, chart in enumerate(overview.charts, 1):
        yield (
            "cluster",
            f"{number}. install chart {_named(chart)}",
            chart.reason,
            f"kubernetes/{chart.values}",
        )
        if chart.then:
            yield "cluster", chart.then, chart.because, page
    for surplus in overview.surplus:
        yield "cluster", surplus.hint, surplus.why, page
    for security in overview.security:
        what = f"let namespace {security.namespace} run {security.level} pods"
        yield "cluster", what, security.why, page


def _named(chart: ChartStep) -> str:
    version = f" {chart.version}" if chart.version else ""
    return f"{chart.chart}{version} into {chart.namespace}"


def _of_hosts(hosts: tuple[HostPlan, ...]) -> Iterator[tuple[str, ...]]:
    for host in hosts:
        page = f"hosts/{host.name}/README.md"
        for card in host.firmware.cards if host.firmware else ():
            what = f"firmware of {card.pci}: {', '.join(card.settings)}"
            why = f"for {', '.join(card.hcas)}; a setting takes effect at the next reset or boot"
            yield f"hosts {host.name}", what, why, f"hosts/{host.name}/firmware-commands.txt"
        for hca in host.firmware.unplaced if host.firmware else ():
            yield f"hosts {host.name}", f"firmware of {hca}", "the inventory has no PCI address of it", page
        for stated in host.stated:
            values = ", ".join(f"{name} {value}" for name, value in stated.values)
            yield f"host {host.name}", f"check {stated.hca}: {values}", "stated for this host alone", page
        for name, why in host.readme.without_qos if host.readme else ():
            yield f"hosts {host.name}", f"set QoS of {name}", why, page


def cluster_facts(overview: Overview) -> dict[str, Any]:
    """What the cluster is, what a change does to nodes, and the resources that pods request."""
    return {
        "facts": [list(row) for row in overview.facts],
        "changes": [[c.what, c.effect, c.at_once] for c in overview.changes],
        "resources": [[r.name, r.plugin, r.owner, r.per_node] for r in overview.resources],
    }
