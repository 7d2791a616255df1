"""An inventory is untrusted: no value adds a line, a command or a token to what netplan writes or prints.

Names have restricted alphabets, so most hostile text is rejected; the few free texts (variables, annotations,
arguments, reasons) are rendered as the same text, whatever it means elsewhere.
"""

from __future__ import annotations

import copy
import json
import re
import shlex
from collections import Counter
from functools import cache
from typing import Any

import pytest
import yaml

from netplan.diagnostics import Severity
from netplan.load import load_texts
from netplan.pipeline import Result, compile_texts
from netplan.report import DOCUMENTS, finding_text
from tests import formats
from tests.inventories import outputs, text_of
from tests.leaves import Path, changed
from tests.mutations import nodes

REFUSED = {
    "newline": "\n",
    "carriage return": "\r\n",
    "second line": "\nrm -rf /",
    "document": "\n---\na: b",
    "tab": "\t",
    "double quote": '"',
    "single quote": "'",
    "backslash": "\\",
    "backtick": "`id`",
    "substitution": "$(id)",
    "variable": "${IFS}",
    "expression": "{{ 7*7 }}",
    "statement": "{% raw %}",
    "pipe": "|",
    "redirection": "<x>",
    "escape sequence": "\x1b[31m",
    "right to left": "\u202e",
    "null": "\0",
    "next line": "\x85",
    "line separator": "\u2028",
    "letter": "\u00e9",
    "very long": "x" * 100_000,
}

SPELLINGS = (
    "", "null", "yes", "true", "on", "1e3", "0x1F", "010", "12:30:45", "2020-01-01", "=", "-", "---",
    "...", "- a", "a: b", "a:", ": ", "%YAML 1.1", "@x", "../../etc/passwd", "; reboot", "a;b", "(x)", "^a",
    "%n", "--hostfile=/x", "-x", " ", " lead", "trail ", "a,b", ".inf", "1_000", "0o17", "+1",
)  # fmt: skip
"""Texts in the free alphabet with a special meaning for a YAML reader, a shell or mpirun."""


@cache
def data() -> Any:
    return load_texts({"kitchen-sink.yaml": text_of("kitchen-sink")}).data


def compiled_data(inventory: Any) -> tuple[str, Result]:
    text = json.dumps(inventory, indent=1)
    return text, compile_texts({"inventory.yaml": text})


def texts() -> list[Path]:
    return [path for path, value in nodes(data()) if isinstance(value, str)]


def names() -> list[Path]:
    """Paths of entries whose key is a name chosen in the inventory."""
    parents = ("classes", "vlans", "subnets", "host_types", "hcas", "hosts", "switch_types", "switches",
               "networks", "workloads", "node_selector", "labels", "annotations", "env")  # fmt: skip
    return [
        path
        for path, _ in nodes(data())
        if len(path) > 1 and path[-2] in parents and isinstance(path[-1], str)
    ]


def with_text(hostile: str, *, after: bool) -> Any:
    """The inventory with every text replaced by a hostile one, or with a hostile suffix."""
    out = data()
    for path in texts():
        here = data()
        for part in path:
            here = here[part]
        out = changed(out, path, here + hostile if after else hostile)
    return out


def with_names(hostile: str) -> Any:
    """The inventory with a hostile suffix on every name, the innermost first."""
    out = copy.deepcopy(data())
    for path in sorted(names(), key=len, reverse=True):
        here = out
        for part in path[:-1]:
            here = here[part]
        here[f"{path[-1]}{hostile}"] = here.pop(path[-1])
    return out


def assert_reported(text: str, result: Result) -> None:
    """Every finding has its place, and is one short printable block for a terminal."""
    lines = text.split("\n")
    told = Counter(
        formats.Found(d.code, d.severity.name.lower(), d.source.line) for d in result.diagnostics if d.source
    )
    for found in result.diagnostics:
        assert found.source is not None, found
        assert 1 <= found.source.line <= len(lines), found
        assert 1 <= found.source.column <= len(lines[found.source.line - 1]) + 1, found
        shown = finding_text(found, lambda source: lines[source.line - 1]).split("\n")
        assert len(shown) == 5, shown
        assert all(line.isprintable() and len(line) < 2000 for line in shown), shown
    for form in DOCUMENTS:
        assert Counter(formats.read(form, formats.document(form, result))) == told


@pytest.mark.parametrize("after", [False, True], ids=["alone", "at the end"])
@pytest.mark.parametrize("hostile", REFUSED.values(), ids=REFUSED)
def test_hostile_text_is_refused_everywhere(hostile: str, after: bool):
    text, result = compiled_data(with_text(hostile, after=after))
    refused = {d.path for d in result.diagnostics if d.severity is Severity.ERROR}
    assert_reported(text, result)
    assert set(texts()) - refused == set()


def test_half_a_character_is_not_yaml():
    text, result = compiled_data(with_text("\ud800", after=True))
    assert_reported(text, result)
    assert {d.code for d in result.diagnostics} == {"NP001"}


TOO_LONG = "x" * 300  # a key of more than 1024 characters is not even YAML


@pytest.mark.parametrize(
    "hostile", [*list(REFUSED.values())[:-1], TOO_LONG, "#", ": ", "../", " ", ";", "&", "(", "*"], ids=repr
)
def test_hostile_names_are_refused_everywhere(hostile: str):
    text, result = compiled_data(with_names(hostile))
    refused = {d.path[-1] for d in result.diagnostics if d.severity is Severity.ERROR}
    assert_reported(text, result)
    assert {f"{path[-1]}{hostile}" for path in names()} - refused == set()


FREE = ("env", "annotations", "args", "mpirun_args")


def with_free(place: str, values: tuple[str, ...]) -> Any:
    out = copy.deepcopy(data())
    workload = out["workloads"]["training"]
    if place in ("env", "annotations"):
        kept = {name: text for name, text in workload.get(place, {}).items() if name.startswith("UCX_")}
        workload[place] = kept | {f"V{index}": value for index, value in enumerate(values)}
    else:
        workload["test"][place] = list(values)
    return out


def trees(result: Result) -> dict[str, Any]:
    """Path -> each artifact as read by a YAML 1.1 reader, which has the most surprises; else its lines."""
    return {
        path: list(yaml.safe_load_all(text)) if path.endswith((".yaml", ".json")) else text.splitlines()
        for path, text in outputs(result).items()
    }


def plain(tree: Any, of: dict[str, str]) -> Any:
    """A tree with every hostile spelling replaced by the harmless text at the same place."""
    if isinstance(tree, dict):
        return {key: plain(value, of) for key, value in tree.items()}
    if isinstance(tree, list):
        return [plain(item, of) for item in tree]
    if not isinstance(tree, str):
        return tree
    variable = re.fullmatch(r"(V\d+=)(.*)", tree)
    cell = re.fullmatch(r"(\| `V\d+` \| `)(.*)(` \| stated by .*)", tree)
    export = re.fullmatch(r"( *-x )(.*?)( \\)?", tree)
    if export and (words := shlex.split(export[2])) and "=" in words[0]:
        name, _, value = words[0].partition("=")
        return f"{export[1]}{name}={of.get(value, value)}{export[3] or ''}"
    if variable and variable[2] in of:
        return variable[1] + of[variable[2]]
    if cell:
        return cell[1] + of.get(cell[2], cell[2]) + cell[3]
    return of.get(tree, tree)


@pytest.mark.parametrize("place", FREE)
def test_free_text_comes_out_as_text(place: str):
    spelt = with_free(place, SPELLINGS)
    harmless = tuple(f"harmless{index}x" for index in range(len(SPELLINGS)))
    _, hostile = compiled_data(spelt)
    _, tame = compiled_data(with_free(place, harmless))
    assert [d for d in hostile.diagnostics if d.severity is Severity.ERROR] == []
    of = dict(zip(SPELLINGS, harmless, strict=True))
    before, after = trees(hostile), trees(tame)
    assert before.keys() == after.keys()
    assert [path for path in before if plain(before[path], of) != plain(after[path], of)] == []


def test_a_reason_for_accepting_reaches_no_artifact():
    def with_reason(reason: str) -> dict[str, str]:
        return outputs(compiled_data(changed(data(), ("accept", 0, "reason"), reason))[1])

    assert with_reason("; reboot %n (x) a: b") == with_reason("plain")


@pytest.mark.parametrize("program", ["-x", "--allow-run-as-root", "", "a b", "a;b"])
def test_a_program_is_no_option_and_no_command_line(program: str):
    path = ("workloads", "training", "test", "program")
    _, result = compiled_data(changed(data(), path, program))
    errors = [d for d in result.diagnostics if d.severity is Severity.ERROR]
    assert [(d.code, d.path) for d in errors] == [("NP014", path)]


def test_the_annotation_netplan_writes_itself_is_refused():
    path = ("workloads", "training", "annotations")
    _, result = compiled_data(changed(data(), path, {"k8s.v1.cni.cncf.io/networks": "other"}))
    errors = [d for d in result.diagnostics if d.severity is Severity.ERROR]
    assert [(d.code, d.path) for d in errors] == [("NP606", (*path, "k8s.v1.cni.cncf.io/networks"))]
