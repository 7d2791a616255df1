"""Diagnostics and summaries for people and for programs; prints nothing itself.

A format is one module: ``document`` turns a `Report` into text, ``failure`` does so for a run that could not
start. Reading order: ``outcome``, ``text``, ``json``, then ``place`` and the formats of CI systems.
"""

from collections.abc import Callable, Mapping
from functools import partial
from importlib import import_module

from netplan.report.outcome import Outcome, Report, and_more, count, failing, few, ordered
from netplan.report.text import LineOf, finding_text, summary_text

__all__ = [
    "DOCUMENTS",
    "FAILURES",
    "LineOf",
    "Outcome",
    "Report",
    "and_more",
    "count",
    "failing",
    "few",
    "finding_text",
    "ordered",
    "summary_text",
]

_FORMATS = ("json", "sarif", "junit", "github", "gitlab")


def _document(form: str, report: Report) -> str:
    text: str = import_module(f"netplan.report.{form}").document(report)
    return text


def _failure(form: str, message: str) -> str:
    text: str = import_module(f"netplan.report.{form}").failure(message)
    return text


DOCUMENTS: Mapping[str, Callable[[Report], str]] = {form: partial(_document, form) for form in _FORMATS}
FAILURES: Mapping[str, Callable[[str], str]] = {form: partial(_failure, form) for form in _FORMATS}
"""Every format except text -> the function that makes its document. Its module is loaded on demand: XML alone
takes as long to load as all of text."""
