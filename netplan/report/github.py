"""Workflow commands of GitHub Actions: each finding becomes an annotation of its line.

The commands and their properties:
https://docs.github.com/actions/reference/workflow-commands-for-github-actions; the escapes are those of
actions/toolkit, packages/core/src/command.ts. GitHub shows ten errors, ten warnings and ten notices per step;
the log has all. The last line is the summary.
"""

from __future__ import annotations

from netplan.diagnostics import Diagnostic, Severity
from netplan.report.outcome import Outcome, Report, ordered
from netplan.report.place import end_column, place, relative, sentence, words, working_directory
from netplan.report.text import summary_text

_COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "notice"}


def document(report: Report) -> str:
    outcome, root = report.outcome, working_directory()
    lines = [_annotation(diagnostic, report, root) for diagnostic in ordered(outcome.diagnostics)]
    lines.append(words(summary_text(outcome).rstrip("\n")))
    return "".join(f"{line}\n" for line in lines)


def failure(message: str) -> str:
    return f"::error title={_property('netplan could not run')}::{_data(words(message))}\n"


def _annotation(diagnostic: Diagnostic, report: Report, root: str) -> str:
    outcome = report.outcome
    properties = _where(diagnostic, outcome, root)
    properties["title"] = f"{diagnostic.code} {report.rules[diagnostic.code].title}"
    listed = ",".join(f"{key}={_property(value)}" for key, value in properties.items())
    return f"::{_COMMANDS[diagnostic.severity]} {listed}::{_data(sentence(diagnostic))}"


def _where(diagnostic: Diagnostic, outcome: Outcome, root: str) -> dict[str, str]:
    source = place(diagnostic, outcome)
    if source is None:
        return {}
    where = {"file": words(relative(source.file, root)), "line": str(source.line), "col": str(source.column)}
    end = end_column(diagnostic, outcome)
    return {**where, "endColumn": str(end)} if end else where


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
