"""Text values stay text for Kubernetes clients, which have their own YAML rules."""

from __future__ import annotations

import pytest

from netplan.model.document import Places, SourceMap
from netplan.reading.kubernetes.kubeyaml import parse
from netplan.render import dump
from netplan.render.dump import Json, dump_json, dump_yaml

NUMBERS = (
    "1e3", "1E05", "-2e-3", ".5e3", "0o17", "1_0", "017", "0x1f", "0b11", "1.5", "1.", "12:30:45", "+7",
)  # fmt: skip
WORDS = (
    "", "on", "Yes", "null", "~", "true", "2001-01-01", ".inf", ".NaN", "=", "<<", "1e36", "0000:3b:00.0",
)  # fmt: skip


@pytest.mark.parametrize("text", [*NUMBERS, *WORDS])
def test_a_text_is_read_as_that_text(text: str) -> None:
    parsed = parse("x.yaml", dump_yaml([{"value": text, "list": [text]}], ""), Places(SourceMap()))
    assert not parsed.problems
    assert parsed.documents[0][0] == {"value": text, "list": [text]}


def test_plain_text_is_not_quoted() -> None:
    assert dump_yaml([{"a": "1e3d", "b": "10.0.0.1", "c": "e3"}], "") == "a: 1e3d\nb: 10.0.0.1\nc: e3\n"


@pytest.mark.parametrize("text", ["a\n", "a\n\n", "\n", "two\nlines", "", "a-1", "1e3"])
def test_documents_are_laid_out_as_they_are_together(text: str) -> None:
    objects = [{"a-1": {"config": text}}, {"list": [text, {"name": "rail-0"}]}, [text], {"name": text}]
    for those in (objects, objects[:2], objects[1:], objects[::3], ["x", {"y": text}]):
        assert dump_yaml(those, "") == dump._dumped(those)


def test_data_in_a_document_is_its_json_text() -> None:
    data = {"name": "rail-0", "plugins": [{"mtu": 9000, "text": 'a"b', "address": "10.0.0.1/24"}]}
    assert dump_yaml([{"config": Json(data)}], "") == dump_yaml([{"config": dump_json(data) + "\n"}], "")
