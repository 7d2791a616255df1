"""NP318: interface names that the kernel assigns itself."""

from __future__ import annotations

import re
from collections.abc import Iterator

from netplan.checks.registry import Finding, check
from netplan.diagnostics import Path, Severity
from netplan.model.plan import Plan

_KERNEL_NAME = re.compile(r"(eth|ib)[0-9]+\Z")
"""Names that the kernel numbers: alloc_netdev with eth%d (net/ethernet/eth.c) and ib%d
(drivers/infiniband/ulp/ipoib)."""


def _link_count(plan: Plan) -> int:
    return sum(len(host.links) for host in plan.hosts)


@check(
    "NP318",
    ".link file with a name that the kernel assigns",
    on=Plan,
    counts=_link_count,
    severity=Severity.WARNING,
)
def kernel_name(plan: Plan) -> Iterator[Finding]:
    """Where the PCI or MAC address of an HCA is stated, a `.link` file gives its interface the stated name.

    **Why.** The kernel may give eth0 or ib0 to another interface first; the rename then fails, and after
    some boots the name belongs to another card.
    **Fix.** Use a name the kernel does not assign, such as rail0 or the one `udevadm` prints (ens1f0np0).
    **Source.** systemd.link(5), Name=
    """
    names = {link.netdev for planned in plan.hosts for link in planned.links}
    kernel = {name for name in names if _KERNEL_NAME.match(name)}
    if not kernel:
        return
    places: dict[tuple[str, str], Path] = {}
    for kind in plan.fabric.host_types:
        for hca in kind.hcas:
            places[f"host_types.{kind.name}", hca.name] = (*hca.at, "netdev")
    for host in plan.fabric.hosts:
        for name, own in host.hcas.items():
            if own.netdev is not None:
                places[f"hosts.{host.name}", name] = (*own.at, "netdev")
    for planned in plan.hosts:
        for link in planned.links:
            at = places.get((planned.entity, link.hca))
            if at is not None and link.netdev in kernel:
                what = (
                    f"{link.hca} of {planned.name} would be named {link.netdev}, a name that the kernel "
                    "assigns"
                )
                yield Finding(at, what, "set netdev to a name such as rail0")
