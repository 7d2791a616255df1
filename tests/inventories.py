"""The shipped inventories, compiled once per process."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from netplan.pipeline import Result, compile_texts

FOLDER = Path(__file__).resolve().parent.parent / "inventories"
REFERENCES = ("iei-rocev2", "crusoe-k3s-infiniband", "vsphere-pvrdma", "dgx1-multirail", "eks-efa")
SHIPPED = (*REFERENCES, "minimal", "kitchen-sink", "multi-vendor", "l3-to-host", "dgx-h100-dra")


def text_of(name: str) -> str:
    return (FOLDER / f"{name}.yaml").read_text(encoding="utf-8")


@cache
def compiled(name: str) -> Result:
    """The whole pipeline on a shipped inventory."""
    return compile_texts({f"{name}.yaml": text_of(name)})


def outputs(result: Result) -> dict[str, str]:
    """Path -> text of every artifact."""
    return {a.path: a.text for a in result.artifacts}
