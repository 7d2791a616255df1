"""Diagnostics and summaries for people and for programs; prints nothing itself.

A format is one module: ``document`` turns a `Report` into text, ``failure`` does so for a run that could not
be. Reading order: ``outcome``, ``text``, ``json``, then ``place`` and the formats of CI systems.
"""

from collections.abc import Callable, Mapping

from netplan.report import github, gitlab, json, junit, sarif
from netplan.report.outcome import Outcome, Report, count, failing, ordered
from netplan.report.text import LineOf, finding_text, summary_text

__all__ = [
    "DOCUMENTS",
    "FAILURES",
    "LineOf",
    "Outcome",
    "Report",
    "count",
    "failing",
    "finding_text",
    "ordered",
    "summary_text",
]

DOCUMENTS: Mapping[str, Callable[[Report], str]] = {
    "json": json.document,
    "sarif": sarif.document,
    "junit": junit.document,
    "github": github.document,
    "gitlab": gitlab.document,
}
FAILURES: Mapping[str, Callable[[str], str]] = {
    "json": json.failure,
    "sarif": sarif.failure,
    "junit": junit.failure,
    "github": github.failure,
    "gitlab": gitlab.failure,
}
"""Every format but text: name -> the function that makes its document."""
