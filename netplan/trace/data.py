"""Walks and matrices as data for ``--format json``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from netplan.trace.matrix import Cell, Matrix
from netplan.trace.model import Leg, Verdict, Walk, Walks


def trace_data(walks: Walks) -> Mapping[str, Any]:
    return {
        "delivered": walks.verdict is Verdict.DELIVERED,
        **_verdict(walks.verdict),
        "from": walks.start,
        "to": walks.end,
        "meant": walks.meant,
        "unbound_decides": walks.unbound,
        "families": [
            {"family": family, "flows": [_walk(walk) for walk in each]}
            for family, each in walks.families.items()
        ],
    }


def _verdict(verdict: Verdict) -> Mapping[str, str]:
    return {"proof": verdict.proof, "verdict": verdict.words}


def _walk(walk: Walk) -> Mapping[str, Any]:
    return {
        "flow": walk.flow.name,
        **_verdict(walk.verdict),
        "faults": [fault.text for fault in walk.faults],
        "unknown": list(walk.notes),
        "there": _leg(walk.there),
        "back": _leg(walk.back) if walk.back else None,
    }


def _leg(leg: Leg) -> Mapping[str, Any]:
    return {
        **_verdict(leg.verdict),
        "source": str(leg.source) if leg.source else None,
        "leaves": leg.leaves,
        "arrives": leg.arrives,
        "other_equal_paths": leg.others,
        "neighbours": list(leg.neighbours),
        "hops": [
            {
                "node": hop.node,
                "enter": hop.enter,
                "leave": hop.leave,
                "does": hop.does,
                "file": hop.file,
                "values": dict(hop.values),
            }
            for hop in leg.hops
        ],
    }


def matrix_data(matrix: Matrix) -> Mapping[str, Any]:
    return {
        "workload": matrix.workload,
        **_verdict(matrix.verdict),
        "missing": matrix.missing,
        "interfaces": list(matrix.interfaces),
        "hosts": matrix.hosts,
        "host_classes": list(matrix.classes),
        "class_pairs": matrix.pairs,
        "walks": matrix.walks,
        "cells": [_cell(cell) for cell in matrix.cells],
    }


def _cell(cell: Cell) -> Mapping[str, Any]:
    return {
        "relation": cell.relation,
        "flow": cell.flow.name,
        "from": cell.start,
        "to": cell.end,
        "meant": cell.meant,
        "decides": cell.decides,
        **_verdict(cell.verdict),
        "fails": cell.fails,
        "example": list(cell.example),
        "faults": [fault.text for fault in cell.faults],
        "unknown": list(cell.notes),
    }
