"""``trace`` of objects only: the chains of the pods of a case, and a comparison of the first two."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from netplan.reading.kubernetes.files import Found
from netplan.rendered import gathered
from netplan.trace.chains import chains_data, chains_of, compared
from tests.checks.test_foreign import texts_of
from tests.overlay import CHECKS
from tests.said import Row, values

_MARKS = {"proved": "+", "not proved": "~", "refuted": "X"}


def said(row: Row) -> tuple[str, ...]:
    """One line per pod, interface, step and row of the comparison, if it states anything."""
    cluster, problems = gathered(Found(texts_of(CHECKS / f"{row.about}.yaml"), (), ()), "")
    chains = chains_of(cluster, problems)
    pods = chains.pods
    data = chains_data(chains, pods, compared(*pods[:2]) if len(pods) > 1 else None)
    return tuple(line.rstrip() for line in (*_lines(data), *(f"unseen {values(t)}" for t in data["unseen"])))


def _lines(data: Mapping[str, Any]) -> Iterator[str]:
    for pod in data["pods"]:
        yield f"{_MARKS[pod['proof']]} {pod['name']} {pod['place']} {pod['traffic_class'] or ''}"
        for step in pod["steps"]:
            yield from _step(step)
        for chain in pod["interfaces"]:
            meets = f"{chain['vlan']} {chain['mtu']} {' '.join(chain['subnets'])}"
            yield f"{_MARKS[chain['proof']]} {chain['name']} {chain['network']} {meets}"
            for step in chain["steps"]:
                yield from _step(step)
    if data["compared"]:
        yield f"{_MARKS[data['compared']['proof']]} {data['compared']['from']} -> {data['compared']['to']}"
        for pair in data["compared"]["interfaces"]:
            yield f"{pair['from']} -> {pair['to']}{''.join(map(_row, pair['rows']))}"
        yield f"both{''.join(map(_row, data['compared']['rows']))}"


def _row(row: Mapping[str, str]) -> str:
    return f", {_MARKS[row['proof']]} {row['name']} {values(row['says'])}".rstrip()


def _step(step: Mapping[str, Any]) -> Iterator[str]:
    """Statements of a step with their places, and its doubts."""
    stated = [f"{values(line['text'])} ({line['place']})" for line in step["states"]]
    doubts = [f"{_MARKS[d['proof']]} {d['code']} {values(d['text'])} ({d['place']})" for d in step["doubts"]]
    if stated or doubts:
        yield f"  {_MARKS[step['proof']]} {step['step']}: {'; '.join((*stated, *doubts))}"
