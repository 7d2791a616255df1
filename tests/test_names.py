"""One name, one concept: each of these names once stood for two to five classes."""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent / "netplan"
WORDS = (
    *("Answer", "Attachment", "Cluster", "Difference", "Fabric", "Fault", "Finding", "Hop", "Network"),
    *("Placement", "Plan", "Pod", "Route", "Rule", "Site", "Subject", "Subnet", "Switch"),
    *("Topology", "Tree", "Verdict"),
)


def classes() -> Counter[str]:
    texts = (path.read_text(encoding="utf-8") for path in ROOT.rglob("*.py"))
    nodes = (node for text in texts for node in ast.walk(ast.parse(text)))
    return Counter(node.name for node in nodes if isinstance(node, ast.ClassDef))


CLASSES = classes()


@pytest.mark.parametrize("word", WORDS)
def test_a_word_is_one_class(word: str) -> None:
    assert CLASSES[word] == 1
