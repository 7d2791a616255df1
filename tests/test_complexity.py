"""No function has more than fifteen branches, counted as radon does: with ``and`` and ``or``, conditional
expressions and the filters of comprehensions."""

from __future__ import annotations

from pathlib import Path

from radon.complexity import cc_visit

ROOT = Path(__file__).resolve().parent.parent
MOST = 15

ABOVE = {
    "reading/kubernetes/files.py _files",
    "graph/kubernetes/needs.py may_land",
    "rules/kubernetes/claims.py pod_claims",
    "rules/kubernetes/names.py listed",
    "rules/kubernetes/operators.py pool_config",
    "rules/kubernetes/policies.py one_resource",
    "reading/switches/facts.py source_of",
    "rules/config_db/buffers.py _too_small",
    "rules/config_db/ports.py _odd",
    "reading/config_db/read.py switches_of",
    "trace/devices.py device_of",
    "trace/draw.py _reasons",
    "trace/draw.py _table",
    "trace/pods.py _Builder._nic",
    "verify/addressing.py chains",
    "verify/addressing.py cidr_pool_problems",
    "verify/cluster.py cluster_of",
    "verify/pods.py tables",
}
"""Of the packages that read files back. The list only gets shorter: take out what is mended, add nothing."""


def above(most: int) -> set[str]:
    found = set()
    for folder in ("netplan", "tools", "benchmarks"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            name = path.relative_to(ROOT).as_posix().removeprefix("netplan/")
            for block in cc_visit(path.read_text(encoding="utf-8")):
                if block.letter != "C" and block.complexity > most:
                    found.add(f"{name} {block.fullname}")
    return found


def test_no_function_has_more_branches() -> None:
    assert above(MOST) == ABOVE


def test_what_counts() -> None:
    """A plain function is 1; every way through it that can be taken or not is one more."""
    text = """
def branches(a, b, xs):
    found = [x for x in xs if x]
    if a and b or not xs:
        return found if a else b
    return found
"""
    (block,) = cc_visit(text)
    assert block.complexity == 1 + len(("for", "if x", "if a", "and", "or", "if a else"))
