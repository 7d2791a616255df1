"""SARIF 2.1.0 (OASIS), as GitHub code scanning and editors read it. ASCII characters only.

Accepted findings are results with a suppression; what was not done, and why a run could not start, are
notifications of the invocation. Fingerprints survive moved lines.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import PurePath
from typing import Any
from urllib.parse import quote

from netplan import __version__
from netplan.diagnostics import Diagnostic, Source, dotted
from netplan.model.rulebook import Code
from netplan.report.outcome import Outcome, Report, accepted_by, left_out_text, ordered
from netplan.report.place import (
    LEVELS,
    end_column,
    fingerprints,
    place,
    relative,
    sentence,
    words,
    working_directory,
)

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
ROOT = "%SRCROOT%"
"""The name GitHub knows for the top of the repository."""
FINGERPRINT = "netplanFinding/v1"


def document(report: Report) -> str:
    outcome = report.outcome
    reasons = [None] * len(ordered(outcome.diagnostics)) + [entry.reason for _, entry in accepted_by(outcome)]
    found = [*ordered(outcome.diagnostics), *ordered(outcome.accepted)]
    codes = {code: index for index, code in enumerate(sorted({d.code for d in found}))}
    results = [
        _result(d, codes[d.code], fingerprint, reason, outcome)
        for d, fingerprint, reason in zip(found, fingerprints(found, outcome), reasons, strict=True)
    ]
    rules = [_rule(report.rules[code]) for code in codes]
    left_out = ordered(outcome.left_out)
    undone = [*outcome.skipped, *([left_out_text(left_out)] if left_out else [])]
    return _log(rules, results, _notes(undone), successful=True)


def failure(message: str) -> str:
    told = [{"level": "error", "message": {"text": words(message)}}]
    return _log([], [], told, successful=False)


def _log(
    rules: list[dict[str, Any]],
    results: list[dict[str, Any]],
    notifications: list[dict[str, Any]],
    *,
    successful: bool,
) -> str:
    driver = {"name": "netplan", "version": __version__, "rules": rules}
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": {ROOT: {"description": {"text": "the directory netplan was started in"}}},
        "invocations": [{"executionSuccessful": successful, "toolExecutionNotifications": notifications}],
        "results": results,
    }
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2) + "\n"


def _notes(skipped: Sequence[str]) -> list[dict[str, Any]]:
    return [{"level": "note", "message": {"text": words(sentence)}} for sentence in skipped]


def _rule(rule: Code) -> dict[str, Any]:
    level = LEVELS[rule.severity]
    plain = rule.explanation.replace("**", "").replace("``", "`")
    return {
        "id": rule.code,
        "shortDescription": {"text": rule.title},
        "fullDescription": {"text": " ".join(plain.split("\n\n")[0].split())},
        "help": {"text": plain, "markdown": f"# {rule.code}: {rule.title}\n\n{rule.explanation}"},
        "defaultConfiguration": {"level": level},
        "properties": {"tags": [f"NP{rule.code[2]}xx", rule.kind]},
    }


def _result(
    diagnostic: Diagnostic, index: int, fingerprint: str, reason: str | None, outcome: Outcome
) -> dict[str, Any]:
    suppression = {"kind": "inSource", "status": "accepted", "justification": reason}
    return {
        "ruleId": diagnostic.code,
        "ruleIndex": index,
        "level": LEVELS[diagnostic.severity],
        "message": {"text": sentence(diagnostic)},
        "locations": [_location(diagnostic, outcome)],
        "partialFingerprints": {FINGERPRINT: fingerprint},
        "suppressions": [suppression] if reason is not None else [],
    }


def _location(diagnostic: Diagnostic, outcome: Outcome) -> dict[str, Any]:
    location: dict[str, Any] = {
        "logicalLocations": [{"fullyQualifiedName": words(dotted(diagnostic.path)), "kind": "member"}]
    }
    source = place(diagnostic, outcome)
    if source is not None:
        location["physicalLocation"] = {
            "artifactLocation": _artifact(source.file),
            "region": _region(source, end_column(diagnostic, outcome)),
        }
    return location


def _artifact(file: str) -> dict[str, str]:
    """Relative if the file is below the working directory or was given by a relative name."""
    path = relative(file, working_directory())
    if PurePath(path).is_absolute():
        return {"uri": f"file://{_uri(path)}"}
    return {"uri": _uri(path), "uriBaseId": ROOT}


def _uri(path: str) -> str:
    return quote(path.encode(errors="surrogateescape"))


def _region(source: Source, end: int | None) -> dict[str, int]:
    region = {"startLine": source.line, "startColumn": source.column}
    return {**region, "endLine": source.line, "endColumn": end} if end else region
