"""For tests of the command line: a small inventory, fabricated results, and a way to run a command."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import fields
from functools import cache
from typing import Any

import click.testing
import jsonschema
import pytest

from netplan import resources
from netplan.catalog import operator_releases
from netplan.cli import program
from netplan.diagnostics import Diagnostic, Severity
from netplan.load import load_texts
from netplan.model.artifact import Artifact
from netplan.model.shard import WHOLE, Shard
from netplan.pipeline import Options, Result
from netplan.resolve import resolve

SITE = """\
version: 1
site: lab
cluster:
  primary_network: {cni: calico}
fabric: {type: roce, mtu: 4200}
rails: {count: 1, vlan_ids: 100, supernets: [172.16.0.0/20], prefixes: [24]}
host_types:
  node:
    gpus: 8
    hcas:
      roce0: {model: cx, pci: "0000:18:00.0", netdev: ens1f0, rail: 0}
hosts:
  gpu-[001-003]: {type: node, id: 1}
  gpu-002: {labels: {zone: b}}
catalog:
  hcas:
    cx: {pf_id: "1017", max_vfs: 8, speeds_gbps: [100], links: [ethernet], source: "https://example.com/cx"}
"""

ERROR = Diagnostic("NP203", Severity.ERROR, ("rails", "prefixes"), "rail 0 is full", "lengthen prefixes")
WARNING = Diagnostic("NP404", Severity.WARNING, ("fabric", "mtu"), "mtu 4200 is unusual")
NOTE = Diagnostic("NP801", Severity.INFO, ("fabric",), "no watchdog on leaf-1")
ARTIFACTS = (
    Artifact("hosts/gpu-001/sysctl.conf", "a = 1\n", "hosts", ("hosts.gpu-001",)),
    Artifact("switches/leaf-1/roce.txt", "mtu 4200\n", "switches", ("switches.leaf-1",)),
)


def result(*diagnostics: Diagnostic, **changes: Any) -> Result:
    """What the pipeline returns for SITE, with these findings at their places."""
    document = load_texts({"site.yaml": SITE})
    resolved = resolve(document.data, {}, {}, (), operator_releases())
    assert resolved.problems == []
    placed = (
        Diagnostic(d.code, d.severity, d.path, d.message, d.hint, document.locate(d.path))
        for d in diagnostics
    )
    values: dict[str, Any] = {
        "diagnostics": tuple(placed),
        "document": document,
        "fabric": resolved.fabric,
        "plan": None,
        "artifacts": ARTIFACTS,
        "checked": {"NP301": 3, "NP302": 0},
        "not_applicable": ("NP302",),
        "accepted": (),
        "skipped": (),
    }
    return Result(**values | changes)


def pipeline_gives(monkeypatch: pytest.MonkeyPatch, outcome: Result | BaseException) -> list[dict[str, Any]]:
    """Replace the pipeline; returns a list that receives the arguments of its calls."""
    calls: list[dict[str, Any]] = []

    def run(
        inputs: Any,
        options: Options,
        *,
        progress: Callable[[str], None],
        upto: str = "verify",
        shard: Shard = WHOLE,
        keep_plan: bool = True,
    ) -> Result:
        assert shard == WHOLE
        own = {field.name: getattr(options, field.name) for field in fields(options)}
        calls.append({"inputs": list(inputs), "upto": upto, **own})
        progress("planning 3 hosts")
        if isinstance(outcome, BaseException):
            raise outcome
        return outcome

    monkeypatch.setattr("netplan.pipeline.run", run)
    return calls


def netplan(*arguments: str, **options: Any) -> tuple[int, str, str]:
    """Exit status, standard output and standard error of a command."""
    runner = click.testing.CliRunner(catch_exceptions=False)
    done = runner.invoke(program, list(arguments), prog_name="netplan", **options)
    if done.stdout and ("json" in arguments or "--format=json" in arguments):
        json_report(done.stdout)
    return done.exit_code, done.stdout, done.stderr


def json_report(text: str) -> Any:
    """A parsed JSON report, validated against schemas/report.schema.json."""
    report = json.loads(text)
    _report_schema().validate(report)
    return report


@cache
def _report_schema() -> Any:
    schema = json.loads((resources.schemas() / "report.schema.json").read_text())
    return jsonschema.Draft7Validator(schema)
