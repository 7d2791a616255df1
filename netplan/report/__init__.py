"""Diagnostics and summaries for people and for programs; prints nothing itself.

A format is one module that turns an `Outcome` into text. Reading order: ``outcome``, ``text``, ``json``.
"""

from netplan.report.json import error_json, report_json
from netplan.report.outcome import Outcome, count, failing, ordered
from netplan.report.text import LineOf, finding_text, summary_text

__all__ = [
    "LineOf",
    "Outcome",
    "count",
    "error_json",
    "failing",
    "finding_text",
    "ordered",
    "report_json",
    "summary_text",
]
