"""How a pod gets its device: one row for each value of ``networks.X.mode``.

A row says what the mode is; code that depends on the mode asks the row.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, cast

from netplan.records import dataclass

RdmaMode = Literal["shared", "exclusive"]
"""Which network namespaces of a node see an RDMA device: all, or only the one it is in (rdma-system(8))."""

ModeName = Literal[
    "sriov", "host-device", "macvlan", "ipvlan", "ib-sriov", "ipoib", "device-only", "host-path"
]

Takes = Literal["vf", "hca", "function", "any", "mount"]
"""What a pod gets of an HCA: a VF created by the node; the whole HCA; the whole HCA, or the function given to
a virtual machine; any of these; or no device: /dev/infiniband of the host is mounted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mode:
    """``link``: link layer the HCA must have, None for any. ``sharing``: whether pods of a node share an HCA:
    always, never, or if ``share_max`` is stated.

    ``attached``: a CNI plugin gives the pod an interface. ``program``: what installs that plugin, by its name
    in ``cluster.present``; empty if an operator brings it. ``operator_kind``: the kind that generates the NAD
    if operators own NADs; None: netplan writes it all the same. ``spiderpool``: a SpiderMultusConfig can
    describe it. ``keys``: link settings of a network that the plugin supports. ``mtu``: what sets the
    interface's MTU: the plugin itself, the VF policy if the SR-IOV operator owns VFs, else the tuning plugin;
    port: nothing. ``rdma``: how the RDMA device follows the interface in exclusive mode. ``gids``: whose GID
    table has the pod's addresses. ``announced_by``: what announces a new address to neighbours, None:
    nothing. ``table_programs``: keys of ``cluster.cni_plugins`` whose release decides whether a route can
    name a table; None if none can. ``mtu_max``: of its interface, in bytes; None: the cable's.
    ``capabilities``: arguments that Multus may pass to the plugin, besides addresses. ``component``: of a
    NicClusterPolicy, that installs the plugin.
    """

    takes: Takes
    link: Literal["ethernet", "infiniband"] | None = None
    sharing: Literal["always", "stated", "never"] = "never"
    attached: bool = True
    program: str = ""
    operator_kind: str | None = None
    spiderpool: bool = False
    keys: tuple[str, ...] = ()
    mtu: Literal["plugin", "policy", "tuning", "port"] = "tuning"
    rdma: Literal["chain", "isolation", "none"] = "none"
    gids: Literal["pod", "pf", "host"] = "pod"
    announced_by: str | None = None
    table_programs: tuple[str, ...] | None = None
    mtu_max: int | None = None
    capabilities: tuple[str, ...] = ()
    component: str = ""

    @property
    def tags(self) -> bool:
        """Whether its device can send VLAN-tagged frames."""
        return "vlan_qos" in self.keys

    @property
    def moves(self) -> bool:
        """Whether the HCA itself moves into the pod, so that the host loses it and its addresses."""
        return self.attached and self.takes == "function"

    @property
    def verbs_only(self) -> bool:
        """Whether a pod gets devices and no interface."""
        return not self.attached and self.takes != "mount"


REFERENCE_PLUGINS = "cni-plugins"
"""containernetworking/plugins, by its name in ``cluster.present``."""

LINK_KEYS = (
    *("vlan_qos", "trust", "spoofchk", "link_state"),
    *("min_tx_rate_mbps", "max_tx_rate_mbps", "pkey"),
)
"""Network settings that only plugins of certain modes support."""

MODES: Mapping[ModeName, Mode] = {
    "sriov": Mode(
        takes="vf",
        link="ethernet",
        program="sriov-cni",
        operator_kind="SriovNetwork",
        spiderpool=True,
        # k8snetworkplumbingwg/sriov-cni docs/configuration-reference.md
        keys=tuple(key for key in LINK_KEYS if key != "pkey"),
        mtu="policy",
        rdma="chain",
        announced_by="sriov-cni 2.7.0 or newer",
        table_programs=("plugins", "sriov_cni"),
    ),
    "host-device": Mode(
        takes="function",
        program=REFERENCE_PLUGINS,
        operator_kind="HostDeviceNetwork",
        rdma="chain",
        table_programs=("plugins",),
    ),
    "macvlan": Mode(
        takes="hca",
        link="ethernet",
        sharing="always",
        program=REFERENCE_PLUGINS,
        operator_kind="MacvlanNetwork",
        spiderpool=True,
        mtu="plugin",
        gids="pf",
        announced_by="the macvlan plugin",
        table_programs=("plugins",),
    ),
    "ipvlan": Mode(
        takes="hca",
        link="ethernet",
        sharing="always",
        program=REFERENCE_PLUGINS,
        spiderpool=True,
        mtu="plugin",
        gids="pf",
        table_programs=("plugins",),
    ),
    "ib-sriov": Mode(
        takes="vf",
        link="infiniband",
        program="ib-sriov-cni",
        operator_kind="SriovIBNetwork",
        keys=("link_state", "pkey"),  # k8snetworkplumbingwg/ib-sriov-cni README.md
        capabilities=("infinibandGUID",),
        mtu="port",
        rdma="isolation",
    ),
    "ipoib": Mode(
        takes="hca",
        link="infiniband",
        sharing="always",
        operator_kind="IPoIBNetwork",
        mtu="plugin",
        mtu_max=4092,  # InfiniBand MTU 4096 minus the 4-byte header of datagram mode (RFC 4391)
        component="secondaryNetwork.ipoib",
    ),
    "device-only": Mode(takes="any", sharing="stated", attached=False, gids="host"),
    "host-path": Mode(takes="mount", attached=False, gids="host"),
}
"""Announcing: k8snetworkplumbingwg/sriov-cni v2.7.0 cmd/sriov/main.go, AnnounceIPs;
containernetworking/plugins v1.9.1 plugins/main/macvlan/macvlan.go, arp_notify."""


def mode_of(name: str) -> Mode | None:
    """The mode of a name that may be none of them."""
    return MODES.get(cast(ModeName, name))


_CHAINED = frozenset({"the rdma plugin", "sysctls", "an MTU", "sbr"})
LACKS: Mapping[str, frozenset[str]] = {
    "SriovNetwork": frozenset(),
    "SriovIBNetwork": frozenset({"pkey", "rdmaIsolation"}),
    "HostDeviceNetwork": _CHAINED,
    "MacvlanNetwork": _CHAINED,
    "IPoIBNetwork": _CHAINED,
}
"""``operator_kind`` -> what a network may need that the kind has no field for: CRDs of
Mellanox/network-operator v26.4.1 and k8snetworkplumbingwg/sriov-network-operator v1.6.0."""
