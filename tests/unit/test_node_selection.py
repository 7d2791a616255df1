"""Node selectors as the scheduler evaluates them: labels, and any one term with all its requirements."""

from __future__ import annotations

from typing import Any

import pytest

from netplan.graph.kubernetes.node_selection import of_pod, of_terms

GPU = {"type": "gpu", "rack": "r1", "generation": "9"}


def term(*requirements: tuple[str, str, list[str]]) -> dict[str, Any]:
    return {"matchExpressions": [{"key": k, "operator": o, "values": v} for k, o, v in requirements]}


@pytest.mark.parametrize(
    ("key", "operator", "values", "taken"),
    [
        ("type", "In", ["cpu", "gpu"], True),
        ("type", "In", ["cpu"], False),
        ("gone", "In", ["gpu"], False),
        ("type", "NotIn", ["gpu"], False),
        ("gone", "NotIn", ["gpu"], True),
        ("type", "Exists", [], True),
        ("gone", "Exists", [], False),
        ("type", "DoesNotExist", [], False),
        ("gone", "DoesNotExist", [], True),
        ("generation", "Gt", ["8"], True),
        ("generation", "Gt", ["9"], False),
        ("generation", "Lt", ["10"], True),
        ("generation", "Lt", ["9"], False),
        ("type", "Gt", ["8"], False),
        ("generation", "Gt", [], False),
        ("type", "Like", ["g"], False),
    ],
)
def test_operators(key: str, operator: str, values: list[str], taken: bool) -> None:
    assert of_terms({"nodeSelectorTerms": [term((key, operator, values))]}).takes(GPU) is taken


def test_one_term_is_enough_and_all_of_it() -> None:
    other = term(("type", "In", ["cpu"]))
    both = term(("type", "In", ["gpu"]), ("rack", "In", ["r2"]))
    assert not of_terms({"nodeSelectorTerms": [other, both]}).takes(GPU)
    assert of_terms({"nodeSelectorTerms": [other, term(("rack", "In", ["r1"]))]}).takes(GPU)
    assert of_terms({}).takes({})


def test_the_labels_of_a_pod_hold_beside_its_affinity() -> None:
    free = {"nodeSelectorTerms": [term(("burn-in", "DoesNotExist", []))]}
    spec = {
        "nodeSelector": {"type": "gpu"},
        "affinity": {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": free}},
    }
    assert of_pod(spec).takes(GPU)
    assert not of_pod(spec).takes({**GPU, "type": "cpu"})
    assert not of_pod(spec).takes({**GPU, "burn-in": "yes"})
    assert of_pod({}).takes({})
