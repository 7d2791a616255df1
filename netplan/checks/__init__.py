"""Rules about intent (Fabric) and about the result (Plan); importing an area registers its checks."""

from __future__ import annotations

from netplan.checks.registry import REGISTRY, Finding, Outcome, check, run_checks

__all__ = ["REGISTRY", "Finding", "Outcome", "check", "run_checks"]
