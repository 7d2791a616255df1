"""Check cases: the text a case file stands for, and what netplan prints about it.

A case is an overlay, a JSON merge patch (null deletes) on ``tests/checks/base.yaml`` or, with a first line
``# base: NAME``, on ``tests/checks/bases/NAME.yaml``; positions are those of the merged text. A switch type
with another NOS than the base's does not inherit its nos_version. With a first line ``# raw`` the file is
itself the inventory; a line ``# file: NAME`` begins another file of it. A line ``# as of: DATE`` sets the
date against which acceptances expire.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date
from functools import cache, reduce
from pathlib import Path
from typing import Any

import yaml

from netplan.diagnostics import Source
from netplan.load import load_texts
from netplan.pipeline import Result, compile_texts
from netplan.report import finding_text
from tests.factories import merged

CHECKS = Path(__file__).parent / "checks"
FILE = "case.yaml"
_AS_OF = re.compile(r"^# as of: (\S+)$", re.MULTILINE)
FOREIGN_MARK = "# kubernetes\n"
"""First line of a case in Kubernetes YAML; those are for test_foreign.py."""
_NEXT_FILE = re.compile(r"^# file: (\S+)\n", re.MULTILINE)


class _Dumper(getattr(yaml, "CSafeDumper", yaml.SafeDumper)):  # type: ignore[misc]
    """libyaml's, in a quarter of the time. Quotes text such as 14e4, a number in YAML 1.2 but not in YAML
    1.1."""


_Dumper.add_implicit_resolver("tag:yaml.org,2002:float", re.compile(r"[0-9]+e[0-9]+\Z"), list("0123456789"))


@cache
def base_data(name: str) -> dict[str, Any]:
    """``tests/checks/base.yaml``, or one of ``tests/checks/bases``; must not be changed."""
    path = CHECKS / "bases" / f"{name}.yaml" if name else CHECKS / "base.yaml"
    return _data(path.read_text(), path.name)


def _data(text: str, name: str) -> dict[str, Any]:
    document = load_texts({name: text})
    assert not document.problems, document.problems
    return document.data or {}


def inventory_cases(pattern: str) -> list[Path]:
    """Case files with inventories, without those about Kubernetes objects."""
    return [path for path in sorted(CHECKS.glob(pattern)) if not path.read_text().startswith(FOREIGN_MARK)]


def case_texts(case: Path) -> dict[str, str]:
    """File name -> text of the inventory that a case file stands for."""
    text = case.read_text()
    head = text.split("\n", 1)[0]
    if head == "# raw":
        first, *rest = _NEXT_FILE.split(text.removeprefix("# raw\n"))
        return {FILE: first} | dict(zip(rest[::2], rest[1::2], strict=True))
    return {FILE: dumped(case_data(case))}


def case_data(case: Path) -> dict[str, Any]:
    """The inventory that a case of one file stands for."""
    text = case.read_text()
    head = text.split("\n", 1)[0]
    if head == "# raw":
        return _data(text, case.name)
    name = head.removeprefix("# base: ") if head.startswith("# base: ") else ""
    return merged(base_data(name), _overlay(_data(text, case.name)))


def dumped(data: Any) -> str:
    text: str = yaml.dump(data, Dumper=_Dumper, sort_keys=False, default_flow_style=None, width=1000)
    return text


def several(cases: Iterable[Path]) -> dict[str, str]:
    """An inventory with the mistakes of several cases on ``tests/checks/base.yaml``."""
    overlays = (_overlay(_data(case.read_text(), case.name)) for case in cases)
    return {FILE: dumped(reduce(merged, overlays, base_data("")))}


def _overlay(data: dict[str, Any]) -> dict[str, Any]:
    kinds = data.get("switch_types") or {}
    other = {name: {"nos_version": None} | kind for name, kind in kinds.items() if kind and "nos" in kind}
    return data | {"switch_types": kinds | other} if other else data


def compiled(texts: dict[str, str], case: Path | None = None) -> Result:
    day = _AS_OF.search(case.read_text()) if case else None
    return compile_texts(texts, today=date.fromisoformat(day[1]) if day else None)


def printed(texts: dict[str, str], result: Result) -> str:
    """What ``netplan validate`` prints about each finding, without colour."""

    def line_of(source: Source) -> str:
        return texts[source.file].split("\n")[source.line - 1]

    return "".join(finding_text(d, line_of) for d in result.diagnostics)
