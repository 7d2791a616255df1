"""Edge cases, one fact per case: what ``trace`` follows in files that anybody wrote, and says of the rest."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from netplan.trace.chains.tree import _part as part
from netplan.trace.chains.tree import read_chains
from netplan.trace.model import TraceError
from tests.unit.test_edges_chains import nad, pod


def write(folder: Path, **objects: Any) -> str:
    for name, body in objects.items():
        text = body if isinstance(body, str) else yaml.safe_dump(body)
        (folder / f"{name}.yaml").write_text(text)
    return str(folder)


def plain(kind: str, name: str = "a") -> dict[str, Any]:
    return {"apiVersion": "v1", "kind": kind, "metadata": {"name": name, "namespace": "a"}}


NO_SITE = "no site.json: hosts, cabling and switches are unknown, so no path is proved"


@pytest.mark.parametrize("end", ["", "/"])
def test_files_are_named_from_the_directory(tmp_path: Path, end: str) -> None:
    chains = read_chains(write(tmp_path, job=pod(networks="rail"), rail=nad()) + end)
    assert [found.place for found in chains.pods] == ["job.yaml:1"]
    assert (chains.objects, chains.unseen) == (2, (NO_SITE,))


def test_a_file_given_by_name_keeps_its_name(tmp_path: Path) -> None:
    name = str(Path(write(tmp_path, job=pod(networks="rail"))) / "job.yaml")
    assert [found.place for found in read_chains(name).pods] == [f"{name}:1"]


@pytest.mark.parametrize(
    ("objects", "said"),
    [
        ({"a": plain("ConfigMap")}, "1 object read (1 ConfigMap), no pod"),
        (
            {"a": plain("ConfigMap"), "b": plain("ConfigMap", "b"), "c": plain("Secret")},
            "3 objects read (2 ConfigMap, 1 Secret), no pod",
        ),
        (
            {"a": pod()},
            "1 object read (1 Pod), 1 pod, none with a network or a device of theirs",
        ),
        (
            {f"a{n}": plain(f"Kind{n}") for n in range(9)},
            "9 objects read (" + ", ".join(f"1 Kind{n}" for n in range(8)) + " and 1 more kinds), no pod",
        ),
        (
            {"a": plain("ConfigMap"), "b": "apiVersion: v1\nkind: [\n"},
            "1 object read (1 ConfigMap), no pod; 1 problem of reading, first b.yaml:",
        ),
    ],
)
def test_where_there_is_nothing_to_follow_it_says_what_was_read(
    tmp_path: Path, objects: dict[str, Any], said: str
) -> None:
    with pytest.raises(TraceError) as raised:
        read_chains(write(tmp_path, **objects))
    text = str(raised.value)
    assert text.startswith(f"no pod with an attachment found: {said}")
    assert NO_SITE not in text


def test_problems_of_reading_are_counted_with_the_first(tmp_path: Path) -> None:
    broken = "apiVersion: v1\nkind: [\n"
    chains = read_chains(write(tmp_path, a=pod(networks="rail"), b=nad(), x=broken, y=broken))
    assert chains.unseen[0] == NO_SITE
    assert chains.unseen[1].startswith("2 problems of reading, first x.yaml:")


@pytest.mark.parametrize(
    ("path", "others", "name"),
    [
        (("spec", "Worker", "template"), [("spec", "Launcher", "template")], "Worker"),
        (("spec", 1, "template"), [("spec", 0, "template")], "1"),
        (("spec", "a", "b"), [("spec", "a", "c"), ("spec", "d", "b")], "spec.a.b"),
        (("spec", "a", "b"), [("spec", "a", "c"), ("spec", "a", "d")], "b"),
        (("spec", "a", "b"), [("spec", "a")], "b"),
    ],
)
def test_a_template_is_named_by_the_first_part_that_is_its_own(
    path: tuple[str | int, ...], others: list[tuple[str | int, ...]], name: str
) -> None:
    assert part(path, others) == name
