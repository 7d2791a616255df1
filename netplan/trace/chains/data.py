"""Chains as data for ``--format json``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from netplan.graph.qos import Proof
from netplan.trace.chains.compare import Compared, Comparison
from netplan.trace.chains.model import WORDS, Chains, Doubt, PodChain, Step


def chains_data(
    chains: Chains, pods: Sequence[PodChain], comparison: Comparison | None = None
) -> Mapping[str, Any]:
    proofs = [pod.proof for pod in pods]
    worst = max((*proofs, *([comparison.proof] if comparison else [])), default=Proof.OPEN)
    return {
        "proof": WORDS[worst],
        "unseen": list(chains.unseen),
        "pods": [_pod(pod) for pod in pods],
        "compared": None if comparison is None else _comparison(comparison),
    }


def _pod(pod: PodChain) -> Mapping[str, Any]:
    return {
        "name": pod.name,
        "place": pod.place,
        "proof": WORDS[pod.proof],
        "traffic_class": pod.traffic_class,
        "steps": [_step(step) for step in pod.steps],
        "interfaces": [
            {
                "name": chain.interface,
                "network": chain.network,
                "proof": WORDS[chain.proof],
                "vlan": chain.meets.vlan,
                "mtu": chain.meets.mtu,
                "subnets": [str(subnet) for subnet in chain.meets.subnets],
                "steps": [_step(step) for step in chain.steps],
            }
            for chain in pod.chains
        ],
    }


def _step(step: Step) -> Mapping[str, Any]:
    return {
        "step": step.name,
        "proof": WORDS[step.proof],
        "states": [{"text": line.text, "place": line.place} for line in step.lines],
        "doubts": [_doubt(doubt) for doubt in step.doubts],
    }


def _doubt(doubt: Doubt) -> Mapping[str, Any]:
    return {
        "proof": WORDS[doubt.proof],
        "code": doubt.code,
        "text": doubt.text,
        "hint": doubt.hint,
        "place": doubt.place,
    }


def _comparison(comparison: Comparison) -> Mapping[str, Any]:
    return {
        "from": comparison.start.name,
        "to": comparison.end.name,
        "proof": WORDS[comparison.proof],
        "interfaces": [
            {"from": pair.start, "to": pair.end, "rows": [_row(row) for row in pair.rows]}
            for pair in comparison.pairs
        ],
        "rows": [_row(row) for row in comparison.rows],
    }


def _row(row: Compared) -> Mapping[str, Any]:
    return {"name": row.name, "proof": WORDS[row.proof], "says": row.said}
