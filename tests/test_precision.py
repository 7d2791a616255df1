"""Rules about files written by others: their measured precision limits their severity."""

from __future__ import annotations

import re

import pytest

from netplan.diagnostics import Severity
from netplan.explain import entries
from tools import precision

LISTS = {judged.name: judged for judged in precision.lists()}
CODES = [(name, code) for name, judged in LISTS.items() for code in judged.by_code()]
BOUNDS = {Severity.ERROR: 0.95, Severity.WARNING: 0.80}
CITED = re.compile(
    r"\.yang|\.cpp|\.cc?\b|\.lua|\.h\b|\.py\b|\.j2|\.ini|\.go\b|_types|/main\.py|sonic-cfggen|RFC|IEEE"
    r"|SAI inc/|CustomResourceDefinition|\bCRD|openapi|swagger|specification|Chart\.yaml"
)
"""Pattern for a Source that cites a schema, a specification or code."""


def test_the_page_is_in_step_with_the_lists() -> None:
    text = precision.PAGE.read_text(encoding="utf-8")
    assert precision.page_text(text) == text, "python tools/precision.py"


@pytest.mark.parametrize("name", sorted(LISTS))
def test_entries_are_whole(name: str) -> None:
    rows = precision.rows_of(precision.LISTS / f"{name}.yaml")
    known, places = entries(), {"repository", "commit", "path"}
    for row in rows:
        assert places <= row.keys() <= places | {"code", "line", "finding", "verdict", "reason", "held"}, row
        assert re.fullmatch(r"[0-9a-f]{40}", row["commit"]), row
        if "code" in row:
            assert row["code"] in known
            assert row["verdict"] in precision.VERDICTS
            assert row["finding"]
            assert row["reason"]


def test_first_looks_are_whole() -> None:
    rows = precision.rows_of(precision.LOOKS)
    known, names = entries(), {severity.name.lower() for severity in precision.JUDGED}
    keys = {"sample", "list", "date", "commit", "files", "repositories", "rules"}
    assert len({row["sample"] for row in rows}) == len(rows)
    for row in rows:
        assert keys <= row.keys() <= keys | {"note"}, row
        assert row["list"] in LISTS
        assert re.fullmatch(r"[0-9a-f]{40}", row["commit"]), row
        assert row["files"] >= row["repositories"] > 0
        assert len({(one["code"], one["severity"]) for one in row["rules"]}) == len(row["rules"]), row[
            "sample"
        ]
        for one in row["rules"]:
            assert one.keys() == {"code", "severity", *precision.VERDICTS}, one
            assert one["code"] in known
            assert one["severity"] in names
            assert min(one[verdict] for verdict in precision.VERDICTS) >= 0
            assert any(one[verdict] for verdict in precision.VERDICTS)


def test_the_page_gives_the_errors_of_each_first_look() -> None:
    text = precision.PAGE.read_text(encoding="utf-8")
    for row in precision.rows_of(precision.LOOKS):
        errors = [one for one in row["rules"] if one["severity"] == "error"]
        right = sum(one["right"] for one in errors)
        decided = sum(one[verdict] for one in errors for verdict in precision.VERDICTS)
        assert re.search(rf"^\| {row['sample']}, .*\| {right} of {decided}\b", text, re.MULTILINE), row[
            "sample"
        ]


@pytest.mark.parametrize(("name", "files", "repositories"), [("config_db", 60, 10), ("kubernetes", 100, 40)])
def test_there_are_enough_files(name: str, files: int, repositories: int) -> None:
    assert LISTS[name].files >= files
    assert LISTS[name].repositories >= repositories


@pytest.mark.parametrize(("name", "code"), CODES)
def test_a_rule_is_as_sure_as_it_says(name: str, code: str) -> None:
    """Error: right in 95 % of the decided findings, arguable ones count as wrong; warning: 80 %."""
    severity, verdicts = entries()[code].elsewhere, LISTS[name].by_code()[code]
    if severity in BOUNDS:
        assert precision.share(verdicts, severity) >= BOUNDS[severity]


def _few() -> list[str]:
    from netplan.config_db import RULES as OF_CONFIG_DB
    from netplan.rendered import RULES as OF_KUBERNETES

    rules = {
        code: rule.elsewhere for registry in (OF_CONFIG_DB, OF_KUBERNETES) for code, rule in registry.items()
    }
    decided = {
        code: len(verdicts) for judged in LISTS.values() for code, verdicts in judged.by_code().items()
    }
    return [
        code
        for code, severity in rules.items()
        if severity in BOUNDS and decided.get(code, 0) < precision.LEAST
    ]


@pytest.mark.parametrize("code", _few())
def test_a_rule_seldom_seen_follows_from_a_schema_or_code(code: str) -> None:
    source = entries()[code].explanation.partition("**Source.**")[2]
    assert CITED.search(source), f"{code} is to be a note, or to cite what it follows from"
