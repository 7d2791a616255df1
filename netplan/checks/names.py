"""NP318 and NP516: names of interfaces."""

from __future__ import annotations

import re
from collections.abc import Iterator

from netplan.checks.registry import Finding, check
from netplan.diagnostics import Path, Severity
from netplan.model.fabric import Fabric
from netplan.model.plan import Plan

_KERNEL_NAME = re.compile(r"(eth|ib)[0-9]+\Z")
"""Names that the kernel numbers: alloc_netdev with eth%d (net/ethernet/eth.c) and ib%d
(drivers/infiniband/ulp/ipoib)."""


_VLAN_NAME = re.compile(r".+\.[0-9]{1,4}\Z")


def _stated(fabric: Fabric) -> Iterator[tuple[str, str, str, Path]]:
    """(place of its host type or host, HCA, name, place) of each interface name."""
    for kind in fabric.host_types:
        for hca in kind.hcas:
            if hca.netdev is not None:
                yield f"host_types.{kind.name}", hca.name, hca.netdev, (*hca.at, "netdev")
    for host in fabric.hosts:
        for name, own in host.hcas.items():
            if own.netdev is not None:
                yield f"hosts.{host.name}", name, own.netdev, (*own.at, "netdev")


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
    places = {(entity, hca): at for entity, hca, _, at in _stated(plan.fabric)}
    for planned in plan.hosts:
        for link in planned.links:
            at = places.get((planned.entity, link.hca))
            if at is not None and link.netdev in kernel:
                what = (
                    f"{link.hca} of {planned.name} would be named {link.netdev}, a name that the kernel "
                    "assigns"
                )
                yield Finding(at, what, "set netdev to a name such as rail0")


@check(
    "NP516", "HCA named by a VLAN interface", on=Fabric, counts=lambda fabric: sum(1 for _ in _stated(fabric))
)
def vlan_name(fabric: Fabric) -> Iterator[Finding]:
    """`netdev` is the interface of the physical function; ens1f0.200 is by its name VLAN 200 on ens1f0.

    **Why.** A VLAN interface is no device of the PCI address: policies, device plugins and `.link` files do
    not find it. Where it is the master of a macvlan network, frames get a tag that the switch port does not
    expect.
    **Fix.** State the name of the physical function; for a tagged network use `tagging: vf`.
    **Source.** ip-link(8), type vlan (NAME.ID); docs.kernel.org networking/ip-sysctl: a dot in a name is a
    separator of sysctl keys.
    """
    for entity, hca, name, at in _stated(fabric):
        if _VLAN_NAME.match(name):
            what = f"{hca} of {entity.partition('.')[2]} has netdev {name}, the name of a VLAN interface"
            hint = f"state {name.rpartition('.')[0]}, the interface of the physical function"
            yield Finding(at, what, hint)
