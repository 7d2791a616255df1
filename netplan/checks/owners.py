"""NP511, NP514: who creates virtual functions."""

from __future__ import annotations

from collections.abc import Iterator

from netplan.checks.registry import Finding, check
from netplan.model.fabric import Fabric
from netplan.model.hardware import Hca, HostType


def _hcas(fabric: Fabric) -> Iterator[tuple[HostType, Hca]]:
    return ((t, h) for t in fabric.host_types for h in t.hcas)


def _hca_count(fabric: Fabric) -> int:
    return sum(len(t.hcas) for t in fabric.host_types)


@check("NP511", "incompatible owners", on=Fabric, counts=lambda fabric: 1)
def owners(fabric: Fabric) -> Iterator[Finding]:
    """The component that creates VFs and the one that advertises them must work together.

    **Why.** The SR-IOV operator configures its own device plugin, so a second one would advertise the
    same VFs again; and some component must create the VFs.
    **Fix.** Set both owners to sriov-network-operator, or give `vfs` another owner.
    **Source.** k8snetworkplumbingwg/sriov-network-operator renders the plugin's ConfigMap itself.
    """
    own = fabric.cluster.owners
    if own.of_vfs.policies and not own.of_devices.node_policies:
        what = f"owners.vfs is sriov-network-operator and owners.device_plugin is {own.device_plugin}"
        at = (*fabric.cluster.at, "owners", "device_plugin")
        yield Finding(at, what, "set device_plugin: sriov-network-operator")
    metal = [f"{h.name} of {t.name}" for t, h in _hcas(fabric) if h.use == "vf" and not h.virtual and t.node]
    if not (own.of_vfs.policies or own.of_vfs.files) and metal:
        what = f"owners.vfs is {own.vfs}, but {metal[0]} is bare metal with use vf ({len(metal)} such HCAs)"
        at = (*fabric.cluster.at, "owners", "vfs")
        yield Finding(at, what, "set vfs: sriov-network-operator or host, or virtual: true on the HCAs")


@check("NP514", "host cannot create the virtual functions", on=Fabric, counts=_hca_count)
def vfs_without_link(fabric: Fabric) -> Iterator[Finding]:
    """With `owners.vfs: host`, a systemd .link file creates the VFs; it matches the port and names it.

    **Why.** Without the file nothing creates the VFs, and pods that request them stay Pending.
    **Fix.** State `netdev` and `pci` of the HCA in its host type, or give `cluster.owners.vfs` another owner.
    **Source.** systemd.link(5) SR-IOVVirtualFunctions=.
    """
    if not fabric.cluster.owners.of_vfs.files:
        return
    for host_type, hca in _hcas(fabric):
        missing = [key for key in ("netdev", "pci") if getattr(hca, key) is None]
        if hca.use == "vf" and host_type.node and not hca.virtual and missing:
            what = f"owners.vfs is host, but {hca.name} of {host_type.name} has no {' and no '.join(missing)}"
            yield Finding(hca.at, what, f"state {' and '.join(missing)}, or change cluster.owners.vfs")
