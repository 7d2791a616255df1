"""Releases of the Network Operator: the data, and the planned objects and chart values for each."""

from __future__ import annotations

import re
from pathlib import Path

import click.testing
import pytest
import yaml

from netplan.catalog import operator_releases
from netplan.cli import program
from netplan.model.operator_releases import shown
from netplan.release_data import extended
from tests import upstream
from tests.overlay import CHECKS
from tools import release_fields

RELEASES = operator_releases()


@pytest.mark.crd
def test_fields_are_those_of_the_crds_and_charts() -> None:
    """The list in operator_releases.yaml equals the output of tools/release_fields.py."""
    assert release_fields.text(upstream.root()) == release_fields.TARGET.read_text()


@pytest.mark.crd
@pytest.mark.parametrize("release", RELEASES.known, ids=lambda r: shown(r.release))
def test_chart_is_the_stated_one(release) -> None:
    folder = upstream.root() / "chart-values" / "network-operator" / shown(release.release)
    chart = yaml.safe_load((folder / "Chart.yaml").read_text())
    assert (chart["version"], chart["appVersion"]) == (release.chart, release.tag)
    assert re.fullmatch(rf">= {re.escape(shown(release.kubernetes))}\.0(-0)?", chart["kubeVersion"])


def test_known_cases() -> None:
    """Sample values, read from the CRDs by hand."""
    cases = {
        ("IPPool", "spec.routes"): (25, 4),
        ("NicClusterPolicy", "spec.nicConfigurationOperator.operator"): (25, 4),
        ("NicConfigurationTemplate", "spec.template.roceOptimized.qos.ecn.priority"): (26, 7),
        ("NicConfigurationTemplate", "spec.template.rawNvConfig"): (25, 10),
    }
    for (kind, field), since in cases.items():
        have = [r.release for r in RELEASES.known if RELEASES.lacks(r.release, kind, field) is None]
        expected = [r.release for r in RELEASES.known if r.release >= since]
        assert have == expected
    assert RELEASES.lacks((25, 10), "NicClusterPolicy", "spec.secondaryNetwork.ipamPlugin") is not None
    assert RELEASES.lacks((25, 7), "NicClusterPolicy", "spec.secondaryNetwork.ipamPlugin") is None
    assert RELEASES.lacks((24, 10), "IPPool", "spec.routesOther") is None


def test_release_outside_is_taken_for_the_nearest() -> None:
    assert RELEASES.nearest((99, 9)).release == RELEASES.known[-1].release
    assert RELEASES.nearest((25, 8)).release == (25, 7)
    assert RELEASES.nearest((23, 1)).release == RELEASES.known[0].release


MORE = """
releases:
  "26.10":
    tag: v26.10.0
    chart: "26.10.0"
    kubernetes: "1.34"
    images:
      nvIpam: {repository: nvcr.io/nvidia/mellanox, version: network-operator-v26.10.0}
fields:
  - {object: IPPool, field: spec.routes, since: "25.4", until: "26.7", source: a test}
"""


def test_a_site_adds_a_release() -> None:
    releases, problems = extended("more.yaml", MORE)
    assert problems == []
    assert [r.release for r in releases.known][-2:] == [(26, 7), (26, 10)]
    assert len(releases.spans) == len(RELEASES.spans)
    span = releases.lacks((26, 10), "IPPool", "spec.routes")
    assert span is not None
    assert span.text == "in 25.4 to 26.7"


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("releases: [1]", "releases"),
        ('releases: {"26.10": {tag: a}}', "releases.26.10"),
        ("- 1", "the file"),
        ("", "the file"),
        ("a: [", "while parsing"),
        (MORE.replace("tag:", "ofed_version: '('\n    tag:"), "regular expression"),
    ],
)
def test_a_wrong_file_is_named(text: str, part: str) -> None:
    releases, problems = extended("more.yaml", text)
    assert releases == RELEASES
    assert any(part in problem for problem in problems), problems


def test_the_shipped_data_fits_the_schema() -> None:
    releases, problems = extended("own.yaml", release_fields.TARGET.read_text())
    assert problems == []
    assert releases == RELEASES


@pytest.mark.parametrize(
    ("over", "version", "code"),
    [("26.10", "1.34", 0), ("26.10", "1.33", 1), ("26.11", "1.34", 1)],
)
def test_release_data_lifts_the_finding(tmp_path: Path, over: str, version: str, code: int) -> None:
    text = (CHECKS / "bases" / "shared.yaml").read_text()
    text = text.replace('release: "26.4"', f'release: "{over}"').replace("v26.4.1", "v26.10.0")
    text = text.replace(
        "distribution: kubernetes", f'distribution: kubernetes\n  kubernetes_version: "{version}"'
    )
    (tmp_path / "site.yaml").write_text(text)
    (tmp_path / "more.yaml").write_text(MORE)
    runner = click.testing.CliRunner()
    arguments = ["validate", "--release-data", str(tmp_path / "more.yaml"), str(tmp_path / "site.yaml")]
    result = runner.invoke(program, arguments)
    assert result.exit_code == code, result.output
    assert ("NP703" in result.output) == bool(code)


def test_a_wrong_release_file_ends_the_run(tmp_path: Path) -> None:
    (tmp_path / "more.yaml").write_text("releases: 1")
    site = str(CHECKS / "bases" / "shared.yaml")
    result = click.testing.CliRunner().invoke(
        program, ["validate", "--release-data", str(tmp_path / "more.yaml"), site]
    )
    assert result.exit_code == 2
    assert "more.yaml" in result.output
