"""One JSON object on standard output, whatever happens. It holds only ASCII characters.

- `version`: 1. It goes up when a key goes away or changes its meaning; new keys may come at any time.
- `diagnostics`: the findings, in the order of the text report.
- `accepted`: the findings that entries of the inventory's `accept` cover, each with the entry's `reason`
  and `until` (a date, or null).
- `summary`: `errors`, `warnings` and `infos` are numbers of findings, `checks` the number of checks that ran,
  `subjects` the number of things they looked at, `not_applicable` the codes of the checks without a subject,
  `left_out` the number of findings outside `--select` and `--ignore`, `skipped` sentences that say what was
  not done.
- `files` (from `render`): null when errors kept it from looking at the directory. Otherwise `directory`,
  `written` (false with `--check`) and lists of paths: `added`, `changed`, `removed`, `edited`, `unchanged`.
  `edited` are those of `changed` and `removed` that somebody had edited since netplan wrote them.
- `trace` (from `trace`): null when errors kept it from tracing. Otherwise `delivered`
  (true only where it is proved), `proof`, `verdict`, `from`, `to`, `meant` and `families`: of each address
  family its `flows`, `there` and `back` hop by hop, with `faults` and what the files leave `unknown`.
- `matrix` (from `trace --matrix`): `delivered`, `proof` and `workloads`, each with its `cells`: a pair of
  interfaces, a relation of hosts and a kind of flow, whether it is `meant` to be delivered, and what came of
  it.
  Both have `edited`, the files that are not as netplan wrote them, where there are some.
- `shown` (from `show`): null when errors kept it from showing. Otherwise `path`, `value`, and `origins`: for
  each dotted path below `value`, where the value comes from.

A finding has `code`, `severity` (`error`, `warning` or `info`), `path` (dotted; `(top level)` is the whole
inventory), `message`, `hint` (may be empty), `file`, `line` and `column` (from 1). The last three are null
together when the finding has no place in a file.

When netplan could not run (exit 2), has a bug (3) or was interrupted (130), the object has `version` and
`error`, a sentence, and nothing else. The schema of all this is schemas/report.schema.json.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from netplan.diagnostics import Diagnostic, Severity, dotted
from netplan.report.outcome import Outcome, Report, accepted_by, by_severity, ordered, ran

VERSION = 1


def failure(message: str) -> str:
    """The document of a run that could not start."""
    return _dump({"version": VERSION, "error": message})


def document(report: Report) -> str:
    outcome = report.outcome
    return _dump(
        {
            "version": VERSION,
            "diagnostics": [_finding(diagnostic) for diagnostic in ordered(outcome.diagnostics)],
            "accepted": [
                {**_finding(d), "reason": entry.reason, "until": entry.until}
                for d, entry in accepted_by(outcome)
            ],
            "summary": _summary(outcome),
            **report.more,
        }
    )


def _summary(outcome: Outcome) -> Mapping[str, Any]:
    counts = by_severity(outcome.diagnostics)
    subjects = ran(outcome)
    return {
        "errors": counts[Severity.ERROR],
        "warnings": counts[Severity.WARNING],
        "infos": counts[Severity.INFO],
        "checks": len(subjects),
        "subjects": sum(subjects.values()),
        "not_applicable": list(outcome.not_applicable),
        "left_out": len(ordered(outcome.left_out)),
        "skipped": list(outcome.skipped),
    }


def _finding(diagnostic: Diagnostic) -> Mapping[str, Any]:
    source = diagnostic.source
    return {
        "code": diagnostic.code,
        "severity": diagnostic.severity.name.lower(),
        "path": dotted(diagnostic.path),
        "message": diagnostic.message,
        "hint": diagnostic.hint,
        "file": source.file if source else None,
        "line": source.line if source else None,
        "column": source.column if source else None,
    }


def _dump(data: Mapping[str, Any]) -> str:
    """ASCII only: independent of the locale, and nothing in it moves a cursor."""
    return json.dumps(data, indent=2) + "\n"
