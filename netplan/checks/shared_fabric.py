"""NP135: switches shared by several clusters but planned for only one."""

from __future__ import annotations

from collections.abc import Iterator

from netplan.checks.registry import Finding, check
from netplan.diagnostics import Severity
from netplan.model.fabric import Fabric


@check(
    "NP135",
    "switches of a shared fabric with one cluster alone",
    on=Fabric,
    counts=lambda fabric: len(fabric.switches),
    severity=Severity.WARNING,
)
def rendered_alone(fabric: Fabric) -> Iterator[Finding]:
    """`fabric.name` says that other clusters have links on these switches too.

    **Why.** The switch files lack the ports, VLANs and routes of the other clusters, and buffers and tables
    are counted without them.
    **Fix.** Name all clusters: `netplan render --fabric FABRIC CLUSTER...`; or remove `fabric.name` where
    this is the only cluster.
    **Source.** netplan's own rule: a switch is rendered once, from the links of all clusters on it.
    """
    if fabric.name is None or not fabric.switches:
        return
    what = f"fabric {fabric.name} is shared, and its switch files hold the hosts of {fabric.site} alone"
    hint = "render it with --fabric and all its clusters, or remove fabric.name"
    yield Finding(("fabric", "name"), what, hint)
