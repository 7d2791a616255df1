"""Releases of the Network Operator: the data, and what the plan and charts write for each."""

from __future__ import annotations

import re

import pytest
import yaml

from netplan.catalog import operator_releases
from netplan.model.operator_releases import shown
from tests import upstream
from tools import release_fields

RELEASES = operator_releases()


@pytest.mark.crd
def test_fields_are_those_of_the_crds_and_charts() -> None:
    """The list in operator_releases.yaml is what tools/release_fields.py makes."""
    assert release_fields.text(upstream.root()) == release_fields.TARGET.read_text()


@pytest.mark.crd
@pytest.mark.parametrize("release", RELEASES.known, ids=lambda r: shown(r.release))
def test_chart_is_the_stated_one(release) -> None:
    folder = upstream.root() / "chart-values" / "network-operator" / shown(release.release)
    chart = yaml.safe_load((folder / "Chart.yaml").read_text())
    assert (chart["version"], chart["appVersion"]) == (release.chart, release.tag)
    assert re.fullmatch(rf">= {re.escape(shown(release.kubernetes))}\.0(-0)?", chart["kubeVersion"])


def test_known_cases() -> None:
    """Spot values of the CRDs, read by hand."""
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
