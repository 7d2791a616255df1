"""``check-live`` of hosts: iei-rocev2 with more values of its cards, and what its hosts print."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

from netplan.live.judge import Live, judged
from netplan.live.read import read_outputs
from netplan.model.plan import Plan
from netplan.pipeline import compile_texts
from tests import live_hosts
from tests.inventories import text_of
from tests.live_hosts import Card

PCIS = ("0000:18:00.0", "0000:3b:00.0", "0000:86:00.0", "0000:af:00.0")
CARDS = tuple(
    Card(pci=pci, netdev=f"ens{n + 1}f0", rdma=f"mlx5_{n}", mac=f"b8:59:9f:00:00:0{n}", numa=n // 2)
    for n, pci in enumerate(PCIS)
)
WHOLE = tuple(replace(card, vfs=0) for card in CARDS)
"""Of gpu-101, whose cards pods get as they are."""


@cache
def plan() -> Plan:
    """iei-rocev2 with RDMA devices, and with MAC addresses for gpu-001."""
    macs = ", ".join(f'roce{n}: {{mac: "{card.mac}"}}' for n, card in enumerate(CARDS))
    text = text_of("iei-rocev2").replace(
        "model: connectx-5,", 'model: connectx-5, rdma_device: "mlx5_[0-3]",'
    )
    return planned(text.replace("  gpu-007:", f"  gpu-001: {{hcas: {{{macs}}}}}\n  gpu-007:"))


def planned(text: str) -> Plan:
    result = compile_texts({"site.yaml": text}, upto="plan")
    assert result.plan is not None, result.diagnostics
    return result.plan


def live(texts: dict[str, str], own: Plan | None = None) -> Live:
    own = own or plan()
    return judged(own, read_outputs(texts, own))


def told(found: Live) -> list[str]:
    return [f"{w.claim.subject} {w.claim.field}: {w.claim.expected}, {w.found}" for w in found.wrong]


def not_seen(found: Live) -> set[str]:
    return {one.claim.field for one in found.not_seen}


def of_gpu_001(**changed: Any) -> dict[str, str]:
    """Its files, with one card changed."""
    return live_hosts.files("gpu-001", [CARDS[0], replace(CARDS[1], **changed), *CARDS[2:]])
