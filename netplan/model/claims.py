"""Dynamic Resource Allocation: what pods claim, and what a DRA driver advertises (resource.k8s.io/v1)."""

from __future__ import annotations

from typing import Final

from netaddr import IPNetwork

from netplan.model.hardware import Labels
from netplan.model.routes import IpamRoute
from netplan.records import dataclass

DRANET: Final = "dranet"
SRIOV_DRIVER: Final = "dra-driver-sriov"
DRA_OWNERS = (DRANET, SRIOV_DRIVER)
"""Values of ``owners.device_plugin`` that are DRA drivers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class InterfaceConfig:
    """What DRANET does to the interface in the pod.

    ``source``: packets from this prefix look up ``table``, by a rule of the same priority; None without
    rules. ``arp``: set the ARP sysctls that several interfaces in one pod need.
    """

    interface: str
    mtu: int | None
    arp: bool
    routes: tuple[IpamRoute, ...]
    sources: tuple[IPNetwork, ...]
    table: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimRequest:
    """One or more devices of a claim. ``selector``: CEL expression that selects them.

    ``ambiguous``: names that mean this rail on one host type and another rail on the next.
    """

    name: str
    device_class: str
    selector: str
    count: int
    config: InterfaceConfig | None
    ambiguous: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PodClaim:
    """A ResourceClaimTemplate and the name under which pods refer to it."""

    name: str
    template: str
    namespace: str
    driver: str
    requests: tuple[ClaimRequest, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceFilter:
    """Devices of one resource on one host type; empty tuples are not written."""

    resource: str
    vendors: tuple[str, ...]
    devices: tuple[str, ...]
    pf_names: tuple[str, ...]
    pf_pci_addresses: tuple[str, ...]
    pci_addresses: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ResourcePolicy:
    """A SriovResourcePolicy: what the SR-IOV DRA driver advertises on the nodes of a host type."""

    host_type: str
    node_selector: Labels
    filters: tuple[DeviceFilter, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class DraPlan:
    """``device_class``: the DeviceClass that netplan writes, None if the driver's chart brings it.

    ``resources``: names that DeviceAttributes give to devices.
    """

    driver: str
    device_class: str | None
    resources: tuple[str, ...]
    policies: tuple[ResourcePolicy, ...]
