"""The formats for CI systems: each is valid for its consumers, and all have the same content."""

from __future__ import annotations

import json
from collections import Counter
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from netplan.cli.terminal import FORMATS
from netplan.diagnostics import Diagnostic, Severity, dotted
from netplan.explain import entries
from netplan.pipeline import Result, compile_texts
from netplan.report import DOCUMENTS, FAILURES, ordered
from tests import formats
from tests.cli_runs import ERROR, NOTE, WARNING, netplan, pipeline_gives, result
from tests.formats import Found
from tests.inventories import text_of
from tests.overlay import case_texts

EVERY_AREA = Path(__file__).parent / "every_area.yaml"
CI_FORMATS = ("sarif", "junit", "github", "gitlab")
NOISE = "a:b,c%0A::error::x\n]](http://example.com) <b>&\"']]>\x1b[2J\x00\ufffe \u202e名 \ud800 ##[add-mask]"


def every_area() -> Result:
    return compile_texts(case_texts(EVERY_AREA))


def expected(found: Result) -> list[Found]:
    return [
        Found(d.code, d.severity.name.lower(), d.source.line if d.source else 1)
        for d in ordered(found.diagnostics)
    ]


def shipped(name: str, **options: Any) -> Result:
    return compile_texts({f"inventories/{name}.yaml": text_of(name)}, **options)


def noisy() -> Result:
    """Findings with hostile texts: a duplicate, and one without a place."""
    evil = Diagnostic("NP404", Severity.ERROR, ("fabric", NOISE), NOISE, NOISE)
    return result(evil, ERROR, WARNING, NOTE, skipped=(NOISE,))


def test_every_format_is_offered_and_made():
    assert FORMATS == ("text", *DOCUMENTS) == ("text", *FAILURES)
    assert set(formats.READERS) == set(DOCUMENTS)


def test_one_mistake_of_each_area_is_reported_once_each():
    errors = [d for d in every_area().diagnostics if d.severity is Severity.ERROR]
    assert Counter(d.code[2] for d in errors) == Counter("012345678")


@pytest.mark.parametrize("form", DOCUMENTS)
def test_every_format_has_every_finding_in_its_place(form: str):
    found = every_area()
    reported = formats.read(form, formats.document(form, found))
    assert len(expected(found)) >= 9
    by_code = sorted(expected(found)) if form == "junit" else expected(found)
    assert (sorted(reported) if form == "junit" else reported) == by_code


@pytest.mark.parametrize("form", DOCUMENTS)
@pytest.mark.parametrize("name", ["minimal", "kitchen-sink", "multi-vendor"])
def test_formats_of_shipped_inventories(form: str, name: str):
    found = shipped(name)
    reported = formats.read(form, formats.document(form, found))
    assert Counter(reported) == Counter(expected(found))


@pytest.mark.parametrize("form", DOCUMENTS)
def test_the_same_input_gives_the_same_bytes(form: str):
    assert formats.document(form, every_area()) == formats.document(form, every_area())


@pytest.mark.parametrize("form", DOCUMENTS)
def test_hostile_text_breaks_no_format(form: str):
    text = formats.document(form, noisy())
    assert [found.code for found in formats.read(form, text)].count("NP404") == 2
    assert not any(mark in text for mark in ("\x1b", "\x00", "\ufffe", "\u202e"))
    if form not in ("json", "junit"):  # which are not shown as Markdown
        assert "](http" not in text


@pytest.mark.parametrize("form", DOCUMENTS)
def test_a_report_of_nothing(form: str):
    assert formats.read(form, formats.document(form, result())) == []


CASES = {
    "every-area": every_area,
    "noisy": noisy,
    "clean": result,
    "notes": lambda: shipped("multi-vendor"),
    "accepted": lambda: shipped("kitchen-sink"),
    "expired": lambda: shipped("kitchen-sink", today=date(2100, 1, 1)),
    "not-yaml": lambda: compile_texts({"x.yaml": "a: [1\n"}),
}


@pytest.mark.formats
@pytest.mark.parametrize("case", CASES)
def test_sarif_is_valid(case: str):
    formats.sarif_schema().validate(json.loads(formats.document("sarif", CASES[case]())))


@pytest.mark.formats
@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("strict", [False, True], ids=["", "strict"])
def test_junit_is_valid(case: str, strict: bool):
    formats.junit_schema().validate(formats.document("junit", CASES[case](), strict=strict))


@pytest.mark.formats
def test_the_schemas_can_refuse():
    log = json.loads(formats.document("sarif", every_area()))
    log["runs"][0]["results"][0]["level"] = "fatal"
    assert not formats.sarif_schema().is_valid(log)
    text = formats.document("junit", every_area())
    assert not formats.junit_schema().is_valid(text.replace("<testcase ", "<testcase seconds='1' ", 1))


@pytest.mark.formats
@pytest.mark.parametrize("message", ["x.yaml does not exist", NOISE], ids=["plain", "noise"])
def test_failures_are_valid(message: str):
    run = json.loads(FAILURES["sarif"](message))
    formats.sarif_schema().validate(run)
    assert run["runs"][0]["invocations"][0]["executionSuccessful"] is False
    formats.junit_schema().validate(FAILURES["junit"](message))


@pytest.mark.parametrize("form", CI_FORMATS)
@pytest.mark.parametrize(
    "arguments",
    [["validate", "no\x1bwhere.yaml"], ["render", "x.yaml"], ["validate", "--ignore", "NP4xx", "x"]],
)
def test_what_could_not_run_is_a_document_too(form: str, arguments: list[str]):
    status, out, err = netplan(*arguments, "--format", form)
    assert (status, err) == (2, "")
    if form == "sarif":
        (told,) = formats.sarif_run(out)["invocations"][0]["toolExecutionNotifications"]
        message = told["message"]["text"]
    elif form == "junit":
        (case,) = formats.junit_cases(out)
        message = case.findtext("error") or ""
    elif form == "github":
        (line,) = out.splitlines()
        command, _, message = formats.github_command(line)
        assert command == "error"
    else:
        (entry,) = formats.gitlab_entries(out)
        assert entry["severity"] == "blocker"
        message = entry["description"]
    assert any(part in message for part in ("does not exist", "Missing option", "there is no code NP4xx"))
    assert "\x1b" not in message


@pytest.mark.parametrize("form", CI_FORMATS)
def test_a_bug_is_a_document_too(monkeypatch: pytest.MonkeyPatch, form: str):
    pipeline_gives(monkeypatch, KeyError("secret-host"))
    status, out, _ = netplan("validate", "site.yaml", "--format", form)
    assert status == 3
    assert "KeyError" in out
    assert "secret-host" not in out


@pytest.mark.parametrize("form", CI_FORMATS)
def test_show_has_no_words_for_the_formats_of_ci(form: str):
    status, out, err = netplan("show", "site.yaml", "--format", form)
    assert (status, out) == (2, "")
    assert err.endswith(f"'{form}' is not one of 'text', 'json'.\n")


@pytest.mark.parametrize("form", CI_FORMATS)
@pytest.mark.parametrize(
    ("findings", "status"), [((ERROR,), 1), ((WARNING, NOTE), 0)], ids=["error", "warning"]
)
def test_the_exit_status_is_that_of_the_text_report(monkeypatch, form: str, findings: Any, status: int):
    pipeline_gives(monkeypatch, result(*findings))
    done, out, err = netplan("validate", "site.yaml", "--format", form)
    assert (done, err) == (status, "")
    assert len(formats.read(form, out)) == len(findings)


@pytest.mark.parametrize("form", CI_FORMATS)
def test_files_that_are_out_of_date_are_a_finding(monkeypatch, tmp_path: Path, form: str):
    pipeline_gives(monkeypatch, result())
    arguments = ("render", "site.yaml", "-o", str(tmp_path / "out"), "--format", form)
    assert netplan(*arguments, "--check")[0] == 1
    assert [f[:2] for f in formats.read(form, netplan(*arguments, "--check")[1])] == [("NP019", "error")]
    assert formats.read(form, netplan(*arguments)[1]) == []
    assert netplan(*arguments, "--check")[0] == 0


@pytest.mark.parametrize("form", ["sarif", "gitlab"])
def test_fingerprints_survive_lines_that_move(form: str):
    (name, text), *_ = case_texts(EVERY_AREA).items()
    moved = compile_texts({name: f"# a comment\n\n{text}"})
    before, after = _prints(form, every_area()), _prints(form, moved)
    assert [line + 2 for line, _ in before] == [line for line, _ in after]
    assert [fingerprint for _, fingerprint in before] == [fingerprint for _, fingerprint in after]


def test_a_fingerprint_does_not_hold_the_position_in_a_message():
    twice = "a: 1\na: 2\n"
    here, there = (compile_texts({"x.yaml": f"{before}{twice}"}) for before in ("", "b: 1\n"))
    assert "x.yaml:1:1" in here.diagnostics[0].message
    of = [next(p for _, p in _prints("gitlab", found)) for found in (here, there)]
    assert of[0] == of[1]


def _prints(form: str, found: Result) -> list[tuple[int, str]]:
    text = formats.document(form, found)
    if form == "gitlab":
        return [(e["location"]["lines"]["begin"], e["fingerprint"]) for e in formats.gitlab_entries(text)]
    return [
        (formats.region(r)["startLine"], next(iter(r["partialFingerprints"].values())))
        for r in formats.sarif_run(text)["results"]
    ]


@pytest.mark.parametrize(
    ("line", "mark", "text"),
    [
        ("cluster: 1", "cluster", "cluster"),
        ("  gpu-[001-016]: {", "gpu", "gpu-[001-016]"),
        ("a: {b: 172.16.0.0/20, c: 1}", "172", "172.16.0.0/20"),
        ("a: [x, y]", "y", "y"),
        ("a: [gpu-[1-2]]", "gpu", "gpu-[1-2]"),
        ('a: "b: \\" c"', '"b', '"b: \\" c"'),
        ("a: 'it''s'", "'it", "'it''s'"),
        ("mac: b8:59:9f:00:00:07 # x", "b8", "b8:59:9f:00:00:07"),
        ("a: {}", "{", "{"),
        ("名: 1", "名", "名"),
    ],
)
def test_a_region_ends_with_the_key_or_value(line: str, mark: str, text: str):
    from types import SimpleNamespace

    from netplan.diagnostics import Source
    from netplan.report.place import end_column

    column = line.index(mark) + 1
    at = Diagnostic("NP404", Severity.ERROR, (), "", "", Source("x.yaml", 1, column))
    sources = SimpleNamespace(line=lambda source: line)
    end = end_column(at, SimpleNamespace(document=SimpleNamespace(places=SimpleNamespace(sources=sources))))
    assert end is not None
    assert line[column - 1 : end - 1] == text


def test_sarif_has_the_rules_with_their_help():
    run = formats.sarif_run(formats.document("sarif", every_area()))
    known = entries()
    for rule in run["tool"]["driver"]["rules"]:
        assert rule["shortDescription"]["text"] == known[rule["id"]].title
        assert rule["help"]["markdown"].endswith(known[rule["id"]].explanation)
        assert "**" not in rule["help"]["text"]
        assert rule["fullDescription"]["text"]
    assert run["columnKind"] == "unicodeCodePoints"
    assert "informationUri" not in run["tool"]["driver"]  # there is no page to link to
    paths = [r["locations"][0]["logicalLocations"][0]["fullyQualifiedName"] for r in run["results"]]
    assert paths == [dotted(d.path) for d in ordered(every_area().diagnostics)]


def test_sarif_suppresses_what_is_accepted():
    run = formats.sarif_run(formats.document("sarif", shipped("kitchen-sink")))
    accepted = {r["ruleId"]: r["suppressions"] for r in run["results"] if r["suppressions"]}
    assert len(accepted) > 1
    assert accepted["NP506"] == [
        {"kind": "inSource", "status": "accepted", "justification": "the InfiniBand side of a mixed host"}
    ]


def test_paths_are_relative_to_the_working_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "a b").mkdir()
    (tmp_path / "a b" / "x.yaml").write_text("a: 1\n")
    monkeypatch.chdir(tmp_path)
    for given in ("a b/x.yaml", "./a b/x.yaml", str(tmp_path / "a b" / "x.yaml")):
        _, log, _ = netplan("validate", given, "--format", "sarif")
        places = [r["locations"][0]["physicalLocation"] for r in formats.sarif_run(log)["results"]]
        assert {p["artifactLocation"]["uri"] for p in places} == {"a%20b/x.yaml"}
        entries = formats.gitlab_entries(netplan("validate", given, "--format", "gitlab")[1])
        assert {entry["location"]["path"] for entry in entries} == {"a b/x.yaml"}


def test_junit_has_a_case_for_every_check():
    found = shipped("minimal")
    cases = {
        str(case.get("name"))[:5]: case for case in formats.junit_cases(formats.document("junit", found))
    }
    assert set(cases) == set(found.checked)
    skipped = {code for code, case in cases.items() if case.find("skipped") is not None}
    assert skipped == set(found.not_applicable) != set()


def test_junit_says_which_checks_were_not_reached():
    cases = formats.junit_cases(formats.document("junit", every_area()))
    reasons = {str(case.get("name"))[:5]: case.find("skipped") for case in cases}
    assert reasons["NP911"] is not None
    assert reasons["NP911"].get("message") == "artifacts were not rendered: the inventory has errors"


@pytest.mark.parametrize(("strict", "failed"), [(False, 0), (True, 1)])
def test_junit_fails_what_fails_the_run(strict: bool, failed: int):
    cases = formats.junit_cases(formats.document("junit", result(WARNING, NOTE), strict=strict))
    assert sum(case.find("failure") is not None for case in cases) == failed
