"""GitLab's Code Quality report: https://docs.gitlab.com/ci/testing/code_quality, a subset of Code Climate's.

An array of findings. A run that could not start is one finding of severity blocker at the top of the
repository.
"""

from __future__ import annotations

import hashlib
import json
from typing import Any

from netplan.diagnostics import Severity
from netplan.report.outcome import Report, ordered
from netplan.report.place import fingerprints, place, relative, sentence, words, working_directory

_SEVERITIES = {Severity.ERROR: "critical", Severity.WARNING: "minor", Severity.INFO: "info"}


def document(report: Report) -> str:
    outcome, root = report.outcome, working_directory()
    found, entries = ordered(outcome.diagnostics), []
    for diagnostic, fingerprint in zip(found, fingerprints(found, outcome), strict=True):
        source = place(diagnostic, outcome)
        entries.append(
            _entry(
                f"{diagnostic.code}: {sentence(diagnostic)}",
                diagnostic.code,
                fingerprint,
                _SEVERITIES[diagnostic.severity],
                (relative(source.file, root), source.line) if source else (".", 1),
            )
        )
    return _dump(entries)


def failure(message: str) -> str:
    fingerprint = hashlib.sha256(message.encode(errors="surrogatepass")).hexdigest()[:32]
    text = f"netplan could not run: {words(message)}"
    return _dump([_entry(text, "netplan", fingerprint, "blocker", (".", 1))])


def _entry(
    description: str, name: str, fingerprint: str, severity: str, at: tuple[str, int]
) -> dict[str, Any]:
    return {
        "description": description,
        "check_name": name,
        "fingerprint": fingerprint,
        "severity": severity,
        "location": {"path": words(at[0]), "lines": {"begin": at[1]}},
    }


def _dump(entries: list[dict[str, Any]]) -> str:
    return json.dumps(entries, indent=2) + "\n"
