"""Files of one form are parsed once; what is read of each is what a parser reads of it."""

from __future__ import annotations

from typing import Any

import pytest

from netplan.model.artifact import Artifact
from netplan.model.document import Places, SourceMap
from netplan.reading.kubernetes.kubeyaml import parse
from netplan.verify import forms, verify

POOL = """\
# addresses of {name}
apiVersion: nv-ipam.nvidia.com/v1alpha1
kind: IPPool
metadata: {{name: {name}, namespace: kube-system}}
spec:
  subnet: {net}/24
  perNodeBlockSize: 8
  gateway: {net}
"""


def _pools(count: int) -> list[str]:
    return [POOL.format(name=f"rail{n}-leaf-{n}", net=f"10.0.{n}.0") for n in range(count)]


@pytest.mark.parametrize(
    "texts",
    [
        _pools(4),
        ["a: e-1\n", "a: e-2\n", "a: e-3\n"],
        ["a: 1e-5\n", "a: 2e-5\n", "a: 1a-5\n", "a: 3e-5\n"],
        ["a: x1.5\n", "a: x2.5\n", "a: .5\n"],
        ["a-1: 1\nb-1: 2\n", "a-2: 1\nb-2: 2\n", "a-1: 1\na-1: 2\n"],
        ["a: zq0qz x-1\n", "a: zq0qz x-2\n", "a: zq0qz x-3\n"],
        ["a: 10.0.0.1\nb: [p1, 'p-2']\n", "a: 10.0.0.2\nb: [n1, 'y-2']\n", "a: 1.0.0.2\nb: [y1, 'n-2']\n"],
    ],
)
def test_what_is_read_is_what_a_parser_reads(texts: list[str]) -> None:
    reader = forms.Forms(Places(SourceMap()))
    for number, text in enumerate(texts):
        alone = parse("x", text, Places(SourceMap()))
        found = reader.parsed(str(number), text)
        assert [body for body, _ in found.documents] == [body for body, _ in alone.documents]
        assert [p.code for p in found.problems] == [p.code for p in alone.problems]


def test_a_form_is_parsed_twice_however_many_files_it_has(monkeypatch: pytest.MonkeyPatch) -> None:
    parsed: list[str] = []

    def counted(path: str, text: str, places: Any) -> Any:
        parsed.append(path)
        return parse(path, text, places)

    monkeypatch.setattr(forms, "parse", counted)
    reader = forms.Forms(Places(SourceMap()))
    for number, text in enumerate(_pools(20)):
        reader.parsed(str(number), text)
    assert parsed == ["0", "1"]


def test_what_is_found_is_told_of_its_own_file() -> None:
    folder = "kubernetes/30-networks/ipam"
    bodies = [text.replace("perNodeBlockSize: 8", "perNodeBlockSize: eight") for text in _pools(4)]
    paths = [f"{folder}/p{n}.yaml" for n in range(len(bodies))]
    found = verify([Artifact(path, text, "ipam") for path, text in zip(paths, bodies, strict=True)])
    assert [d.message.partition(":")[0] for d in found.diagnostics] == paths
