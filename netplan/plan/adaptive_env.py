"""The NCCL variable for fabrics whose switches spread packets over paths."""

from __future__ import annotations

from netplan.model.workloads import EnvVar, OmittedEnv

NAME = "NCCL_IB_ADAPTIVE_ROUTING"
FIRST = (2, 16)
"""First NCCL with the variable (docs.nvidia.com, NCCL user guide, environment variables)."""


def adaptive_routing(version: tuple[int, ...] | None) -> EnvVar | OmittedEnv:
    """``version``: the workload's NCCL, None if the inventory does not state it."""
    if version is None:
        return OmittedEnv(NAME, "nccl_version is not stated; NCCL 2.16 and newer wants it to be 1 here")
    if version < FIRST:
        return OmittedEnv(NAME, "needs NCCL 2.16 or newer")
    return EnvVar(
        name=NAME,
        value="1",
        reason="fabric.adaptive_routing: packets come in any order; on RoCE NCCL's default is 0",
        source="docs.nvidia.com, NCCL user guide, environment variables",
    )
