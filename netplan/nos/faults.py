"""Errors in a nos.yaml that its schema cannot catch, such as unknown names and invalid expressions."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from netplan.diagnostics import Path
from netplan.model.nos import FEATURES
from netplan.nos.profile import releases_of
from netplan.records import dataclass
from netplan.strict.expressions import not_expression

README = "README.md"
MAX_THRESHOLD = 8
"""Limit of dynamic_th, where alpha = 2**dynamic_th; sonic-buffer-profile.yang has -8 to 8."""
Fault = tuple[Path, str]


@dataclass(frozen=True, slots=True)
class Around:
    """Context of a site's nos.yaml. ``titles``: title -> name of every other NOS. ``files``: the file names
    among which its templates must be."""

    titles: Mapping[str, str]
    files: Collection[str]


def faults_of(data: Mapping[str, Any], around: Around | None) -> Iterator[Fault]:
    """Faults of a nos.yaml as (path, message). ``data``: with defaults filled in. ``around``: only for a
    site's own NOS; tests cover the built-in ones."""
    yield from releases_of(data).faults()
    yield from _outputs(data)
    if around is not None:
        yield from _around(data, around)
    yield from _expressions(data)
    yield from _features(data)
    for name, model in data["models"].items():
        if "stock" in model and model["stock"] not in data["stock_buffers"]:
            yield ("models", name, "stock"), f"{model['stock']} is not an entry of stock_buffers"
        for index, row in enumerate(model["headroom"]):
            if abs(row[5]) > MAX_THRESHOLD:
                place: Path = ("models", name, "headroom", index)
                yield place, f"dynamic threshold {row[5]} is outside -{MAX_THRESHOLD} to {MAX_THRESHOLD}"


def _around(data: Mapping[str, Any], around: Around) -> Iterator[Fault]:
    if data["title"] in around.titles:
        yield ("title",), f"{data['title']} is also the title of NOS {around.titles[data['title']]}"
    for index, output in enumerate(data["outputs"]):
        if output["template"] not in around.files:
            yield ("outputs", index, "template"), f"there is no template {output['template']}"
    if all(output["file"] != README for output in data["outputs"]):
        yield ("outputs",), f"no output writes {README}, which lists the steps left to do by hand"


def _outputs(data: Mapping[str, Any]) -> Iterator[Fault]:
    files = [output["file"] for output in data["outputs"]]
    for index, file in enumerate(files):
        if file in files[:index]:
            yield ("outputs", index, "file"), f"two outputs write {file}"


def _expressions(data: Mapping[str, Any]) -> Iterator[Fault]:
    yield from _expression(("port_name",), data["port_name"], ())
    yield from _expression(("port_numbers", "name"), data["port_numbers"]["name"], ({"port"}, {"lane"}))
    if "breakout" in data:
        groups = ({"part"},) if data["breakout"]["parts"] == "running" else ({"parent", "part"},)
        yield from _expression(("breakout", "name"), data["breakout"]["name"], groups)


def _expression(at: Path, text: str, groups: tuple[set[str], ...]) -> Iterator[Fault]:
    """Check a regular expression. ``groups``: alternative sets of named groups, one of which it must have."""
    wrong = not_expression(text)
    if wrong:
        yield at, wrong
        return
    known = set(re.compile(text).groupindex)
    if groups and not any(wanted <= known for wanted in groups):
        yield at, f"has no group {' or '.join(' and '.join(sorted(wanted)) for wanted in groups)}"


def _features(data: Mapping[str, Any]) -> Iterator[Fault]:
    for section in ("unconfirmed", "searched", "notes"):
        for name in data[section]:
            if name not in FEATURES:
                yield (section, name), f"{name} is not a feature of supports"
    for proof, names in data["confirmed_by"].items():
        yield from _unknown(("confirmed_by", proof), names)
    for asic, row in data["asics"].items():
        yield from _unknown(("asics", asic, "confirms"), row["confirms"])


def _unknown(at: Path, names: list[str]) -> Iterator[Fault]:
    for index, name in enumerate(names):
        if name not in FEATURES:
            yield (*at, index), f"{name} is not a feature of supports"
