"""Chains as text: a tree for each pod, or a table with a row for each interface."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from netplan.graph.qos import Proof
from netplan.printable import printable
from netplan.report import count, few
from netplan.trace.chains.compare import Compared, Comparison
from netplan.trace.chains.model import OF_INTERFACE, WORDS, Chain, Chains, Doubt, PodChain, Step

_COLORS = {Proof.PROVED: "32", Proof.OPEN: "36", Proof.REFUTED: "31"}
_MARKS = {Proof.PROVED: "+", Proof.OPEN: "~", Proof.REFUTED: "X"}
_ABSENT = "."
_NUMBER = re.compile(r"\d+")
_NAME = max(map(len, (*OF_INTERFACE, "environment")))


def _paint(text: str, proof: Proof, color: bool) -> str:
    return f"\x1b[{_COLORS[proof]}m{text}\x1b[m" if color else text


def lines_of(
    chains: Chains,
    pods: Sequence[PodChain],
    comparison: Comparison | None = None,
    *,
    matrix: bool = False,
    color: bool = False,
) -> Iterator[str]:
    """Lines for some pods, or for two side by side; with ``matrix`` a table of all pods."""
    if comparison is not None:
        return _comparison_lines(chains, comparison, color)
    return _table_lines(chains, color) if matrix else _chain_lines(chains, pods, color)


def _chain_lines(chains: Chains, pods: Sequence[PodChain], color: bool) -> Iterator[str]:
    """The chains of some pods; identical ones are drawn once."""
    drawn: dict[object, list[PodChain]] = {}
    for pod in pods:
        drawn.setdefault(_likeness(pod), []).append(pod)
    for first, *others in drawn.values():
        yield from _head(first, color)
        if others:
            yield printable(f"  the same for {_names(others)}")
        yield from _body(first, color)
        yield ""
    yield from _footer(chains)


_OF_POD = frozenset({"pod", "claims", "environment", "attachment"})
"""Steps that stand in the pod's own object."""


def _likeness(pod: PodChain) -> object:
    """All that is drawn of a pod except its name and file positions; equal for pods drawn as one."""
    steps = [
        (
            step.name,
            [line.text if step.name in _OF_POD else line for line in step.lines],
            [(doubt.proof, doubt.text) for doubt in step.doubts],
        )
        for step in pod.every_step()
    ]
    return repr((steps, [chain.interface for chain in pod.chains]))


def _names(pods: Sequence[PodChain]) -> str:
    return few([f"{pod.name} ({pod.place})" for pod in pods], 3)


def _head(pod: PodChain, color: bool) -> Iterator[str]:
    yield printable(f"{pod.name} ({pod.place}): ") + _paint(WORDS[pod.proof], pod.proof, color)


def _body(pod: PodChain, color: bool) -> Iterator[str]:
    for step in pod.steps:
        if step.lines or step.doubts:
            yield from _step(step, "  ", color)
    groups: dict[str, list[Chain]] = {}
    for chain in pod.chains:
        groups.setdefault(repr([_shape(step) for step in chain.steps]), []).append(chain)
    for alike in groups.values():
        first = alike[0]
        yield "  " + printable(", ".join(chain.interface for chain in alike))
        for step in first.steps:
            same = [each for chain in alike if (each := chain.step(step.name)) is not None]
            lines = dict.fromkeys(line for each in same for line in each.lines)
            yield from _step(replace(step, lines=tuple(lines)), "    ", color)


def _shape(step: Step) -> object:
    """All of a step except what it attaches; equal for steps drawn once."""
    lines = () if step.name == "attachment" else step.lines
    return step.name, lines, [(doubt.proof, doubt.text) for doubt in step.doubts]


def _step(step: Step, indent: str, color: bool) -> Iterator[str]:
    mark = _paint(_MARKS[step.proof], step.proof, color)
    head = f"{indent}{mark} {step.name:<{_NAME}}  "
    rest = f"{indent}{'':<{_NAME + 4}}"
    lines = [printable(f"{line.text} ({line.place})" if line.place else line.text) for line in step.lines]
    lines += [_paint(text, proof, color) for text, proof in _alike(step.doubts)]
    for index, line in enumerate(lines):
        yield f"{rest if index else head}{line}"


def _alike(doubts: Iterable[Doubt]) -> Iterator[tuple[str, Proof]]:
    """One of the doubts that differ in numbers only, with how many there are."""
    groups: dict[tuple[Proof, str, str], list[Doubt]] = {}
    for doubt in doubts:
        groups.setdefault((doubt.proof, doubt.code, _NUMBER.sub("", doubt.text)), []).append(doubt)
    for first, *others in groups.values():
        yield _said(first) + (f" (and {len(others)} like it)" if others else ""), first.proof


def _said(doubt: Doubt) -> str:
    place = f" ({doubt.place})" if doubt.place else ""
    code = f" {doubt.code}" if doubt.code else ""
    hint = f"; {doubt.hint}" if doubt.hint else ""
    return printable(f"{WORDS[doubt.proof]}{code}: {doubt.text}{place}{hint}")


def _footer(chains: Chains) -> Iterator[str]:
    for text in chains.unseen:
        yield printable(f"not seen: {text}")


def _comparison_lines(chains: Chains, comparison: Comparison, color: bool) -> Iterator[str]:
    """Both chains, then the interfaces side by side."""
    for pod in dict.fromkeys((comparison.start.place, comparison.end.place)):
        each = comparison.start if pod == comparison.start.place else comparison.end
        yield from _head(each, color)
        yield from _body(each, color)
        yield ""
    said = _paint(WORDS[comparison.proof], comparison.proof, color)
    yield printable(f"{comparison.start.name} -> {comparison.end.name}: ") + said
    for pair in comparison.pairs:
        yield printable(f"  {pair.start} -> {pair.end}" if pair.end else f"  {pair.start}")
        yield from _rows(pair.rows, "    ", color)
    yield from _rows(comparison.rows, "  ", color)
    yield ""
    yield from _footer(chains)


def _rows(rows: Iterable[Compared], indent: str, color: bool) -> Iterator[str]:
    for row in rows:
        mark = _paint(_MARKS[row.proof], row.proof, color)
        said = printable(row.said)
        yield f"{indent}{mark} {row.name:<13}  {_paint(said, row.proof, color) if row.proof else said}"


def _table_lines(chains: Chains, color: bool) -> Iterator[str]:
    """A row for each interface, a column for each step; below the table, what is refuted."""
    rows = [(pod, chain) for pod in chains.pods for chain in (pod.chains or (None,))]
    worst = max(pod.proof for pod in chains.pods)
    yield f"{count(len(chains.pods), 'pod')}: {_paint(WORDS[worst], worst, color)}"
    left = max(len(printable(_row_name(pod, chain))) for pod, chain in rows)
    yield f"  {'':<{left}}  {'pod'}  {'  '.join(OF_INTERFACE)}"
    for pod, chain in rows:
        marks = [_mark(max((s.proof for s in pod.steps), default=None), 3, color)]
        marks += [_mark(_proof(chain, name), len(name), color) for name in OF_INTERFACE]
        yield f"  {printable(_row_name(pod, chain)):<{left}}  {'  '.join(marks)}".rstrip()
    used = [f"{mark} {WORDS[proof]}" for proof, mark in _MARKS.items()]
    yield f"  {', '.join((*used, f'{_ABSENT} no such step'))}"
    for text, proof in _reasons(chains):
        yield "  " + _paint(text, proof, color)
    yield from _footer(chains)


def _row_name(pod: PodChain, chain: Chain | None) -> str:
    return f"{pod.name} {chain.interface}" if chain else pod.name


def _proof(chain: Chain | None, name: str) -> Proof | None:
    found = [step.proof for step in chain.steps if step.name == name] if chain else []
    return found[0] if found else None


def _mark(proof: Proof | None, width: int, color: bool) -> str:
    mark = _ABSENT if proof is None else _paint(_MARKS[proof], proof, color)
    return mark + " " * (width - 1)


_LISTED = 12


def _reasons(chains: Chains) -> Iterator[tuple[str, Proof]]:
    """Refutations first; each sentence once, and only the first few."""
    found = [doubt for pod in chains.pods for doubt in pod.doubts]
    for proof in (Proof.REFUTED, Proof.OPEN):
        said = list(_alike(dict.fromkeys(doubt for doubt in found if doubt.proof is proof)))
        yield from said[:_LISTED]
        if len(said) > _LISTED:
            yield f"and {len(said) - _LISTED} more (--format json lists all)", proof
