"""Readers of the report formats: each validates its format and returns the findings."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ElementTree
from functools import cache
from pathlib import PurePosixPath
from typing import Any, NamedTuple

import jsonschema

from netplan.explain import entries
from netplan.pipeline import Result
from netplan.report import DOCUMENTS, Report
from tests import upstream
from tests.cli_runs import json_report


class Found(NamedTuple):
    """``severity``: error, warning or info."""

    code: str
    severity: str
    line: int


def document(form: str, result: Result, *, strict: bool = False) -> str:
    return DOCUMENTS[form](Report(result, entries(), strict))


def read(form: str, text: str) -> list[Found]:
    """The findings of a document in order; fails if the document is not valid."""
    return READERS[form](text)


def _json(text: str) -> list[Found]:
    assert text.isascii()
    return [Found(d["code"], d["severity"], d["line"] or 1) for d in json_report(text)["diagnostics"]]


def _sarif(text: str) -> list[Found]:
    assert text.isascii()
    return [
        Found(r["ruleId"], SARIF_LEVELS[r["level"]], region(r)["startLine"])
        for r in sarif_run(text)["results"]
        if not r["suppressions"]
    ]


SARIF_LEVELS = {"error": "error", "warning": "warning", "note": "info"}


def sarif_run(text: str) -> Any:
    """The only run of a log, validated also for what GitHub requires beyond the schema."""
    (run,) = json.loads(text)["runs"]
    rules = run["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == sorted({result["ruleId"] for result in run["results"]})
    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        where = region(result)
        assert 1 <= where["startColumn"] < where.get("endColumn", where["startColumn"] + 1)
        artifact = result["locations"][0]["physicalLocation"]["artifactLocation"]
        assert artifact["uriBaseId"] in run["originalUriBaseIds"]
        assert not PurePosixPath(artifact["uri"]).is_absolute()
    prints = [tuple(result["partialFingerprints"].items()) for result in run["results"]]
    assert len(set(prints)) == len(prints)
    return run


def region(result: Any) -> Any:
    return result["locations"][0]["physicalLocation"]["region"]


@cache
def sarif_schema() -> Any:
    text = (upstream.folder("formats") / "sarif-schema-2.1.0.json").read_text()
    return jsonschema.Draft4Validator(json.loads(text))


@cache
def junit_schema() -> Any:
    import xmlschema

    return xmlschema.XMLSchema(str(upstream.folder("formats") / "junit-10.xsd"))


_HEAD = re.compile(
    r"^(?P<place>\S*?:(?P<line>\d+):\d+|netplan): (?P<word>error|warning|note) (?P<code>NP\d{3})"
)


def _junit(text: str) -> list[Found]:
    found = []
    for case in junit_cases(text):
        shown = "".join((case.findtext("failure") or "", case.findtext("system-out") or ""))
        for head in filter(None, map(_HEAD.match, shown.split("\n"))):
            assert (case.get("name") or "").startswith(head["code"])
            found.append(
                Found(head["code"], {"note": "info"}.get(head["word"], head["word"]), int(head["line"] or 1))
            )
    return found


def junit_cases(text: str) -> list[ElementTree.Element]:
    """The test cases of the only suite, whose counts must be right."""
    assert text.isascii()
    (suite,) = ElementTree.fromstring(text)
    cases = suite.findall("testcase")
    for attribute, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
        assert suite.get(attribute) == str(len(suite.findall(f"testcase/{tag}")))
    assert suite.get("tests") == str(len(cases))
    assert len({case.get("name") for case in cases}) == len(cases)
    return cases


_COMMAND = re.compile(r"::(?P<command>\w+) (?P<properties>[^:\r\n]*)::(?P<message>.*)")


def _github(text: str) -> list[Found]:
    *annotations, summary, end = text.split("\n")
    assert end == ""
    assert not summary.startswith("::")
    found = []
    for line in annotations:
        command, properties, message = github_command(line)
        code = properties["title"].partition(" ")[0]
        assert set(properties) >= {"file", "line", "col", "title"}
        assert message.isprintable() or "\n" in message
        found.append(Found(code, {"notice": "info"}.get(command, command), int(properties["line"])))
    return found


def github_command(line: str) -> tuple[str, dict[str, str], str]:
    """Command, properties and message of a line, parsed like the runner does (ActionCommand.TryParseV2)."""
    match = _COMMAND.fullmatch(line)
    assert match, line
    pairs = dict(pair.split("=", 1) for pair in match["properties"].split(",") if pair)
    return (
        match["command"],
        {key: _unescaped(value) for key, value in pairs.items()},
        _unescaped(match["message"]),
    )


def _unescaped(text: str) -> str:
    for escape, plain in (("%0D", "\r"), ("%0A", "\n"), ("%3A", ":"), ("%2C", ","), ("%25", "%")):
        text = text.replace(escape, plain)
    return text


GITLAB_SEVERITIES = {"critical": "error", "minor": "warning", "info": "info"}


def _gitlab(text: str) -> list[Found]:
    found, prints = [], set()
    for entry in gitlab_entries(text):
        found.append(
            Found(
                entry["check_name"], GITLAB_SEVERITIES[entry["severity"]], entry["location"]["lines"]["begin"]
            )
        )
        prints.add(entry["fingerprint"])
    assert len(prints) == len(found)
    return found


def gitlab_entries(text: str) -> Any:
    """The entries, each with all keys that GitLab's documentation requires."""
    entries = json.loads(text)
    for entry in entries:
        assert set(entry) == {"description", "check_name", "fingerprint", "severity", "location"}
        assert entry["severity"] in ("info", "minor", "major", "critical", "blocker")
        assert not entry["location"]["path"].startswith(("./", "/"))
    return entries


READERS = {"json": _json, "sarif": _sarif, "junit": _junit, "github": _github, "gitlab": _gitlab}
