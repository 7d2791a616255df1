"""Attachment -> CNI configuration.

Key names, each from the plugin's own source: k8snetworkplumbingwg/sriov-cni v2.10.0 pkg/types/types.go,
ib-sriov-cni v1.3.0 pkg/types/types.go, rdma-cni 449bfbc pkg/types/types.go; Mellanox/ipoib-cni v1.2.2
README.md; containernetworking/plugins v1.9.1 plugins/main (host-device, macvlan, ipvlan), plugins/meta
(tuning, sbr) and plugins/ipam (host-local, static); k8snetworkplumbingwg/whereabouts v0.9.4
pkg/types/types.go; Mellanox/nvidia-k8s-ipam v0.4.0 pkg/cni/types/types.go.
"""

from __future__ import annotations

from typing import Any, assert_never

from netaddr import iprange_to_cidrs

from netplan.model.kubernetes import Attachment, Ipam, IpamRange
from netplan.model.routes import IpamRoute
from netplan.model.values import free_spans
from netplan.render.dump import written

CNI_VERSION = "1.0.0"
"""Supported by every plugin netplan configures: their go.mod has containernetworking/cni v1.3.0, which knows
0.1.0 to 1.1.0 (pkg/version/version.go). sriov-network-operator writes it too
(bindata/manifests/cni-config/sriov)."""

SCOPE_LINK = 253
"""RT_SCOPE_LINK, include/uapi/linux/rtnetlink.h."""


def conflist(attachment: Attachment) -> dict[str, Any]:
    """The whole chain: main plugin, then rdma, tuning and sbr as planned."""
    return {
        "cniVersion": CNI_VERSION,
        "name": attachment.name,
        "plugins": [main_plugin(attachment), *meta_plugins(attachment)],
    }


def meta_plugins(attachment: Attachment) -> list[dict[str, Any]]:
    """The chained plugins. sbr is last because it moves the routes that exist by then."""
    out: list[dict[str, Any]] = []
    if attachment.rdma == "chain":
        out.append({"type": "rdma"})
    if attachment.sysctls or attachment.tuning_mtu is not None:
        out.append(
            written({"type": "tuning", "mtu": attachment.tuning_mtu, "sysctl": dict(attachment.sysctls)})
        )
    if attachment.sbr:
        out.append(written({"type": "sbr", "table": attachment.sbr_table}))
    return out


def capabilities(attachment: Attachment) -> dict[str, bool]:
    """Capabilities through which Multus may pass arguments to the main plugin: an address the pod names, a
    GUID."""
    ips = ("ips",) if attachment.ipam is not None and attachment.ipam.type == "static" else ()
    return dict.fromkeys((*ips, *attachment.network.by_mode.capabilities), True)


def main_plugin(attachment: Attachment) -> dict[str, Any]:
    mode = attachment.network.mode
    plugin = written({"type": mode, **_own_keys(attachment), "capabilities": capabilities(attachment)})
    if attachment.ipam is not None:
        plugin["ipam"] = ipam(attachment.ipam)
    elif mode == "ipoib":
        plugin["ipam"] = {}  # ipoib-cni wants the key even without addresses (pkg/config/config.go)
    return plugin


def _own_keys(attachment: Attachment) -> dict[str, Any]:
    """Keys specific to the plugin of the mode."""
    mode = attachment.network.mode
    match mode:
        case "sriov":
            return _sriov(attachment)
        case "ib-sriov":
            return _ib_sriov(attachment)
        case "macvlan":
            return {"master": attachment.master, "mode": "bridge", "mtu": attachment.mtu}
        case "ipvlan":
            return {"master": attachment.master, "mode": "l2", "mtu": attachment.mtu}
        case "ipoib":
            return {"master": attachment.master, "mtu": attachment.mtu}
        case "host-device" | "device-only" | "host-path":
            return {}
        case _:
            assert_never(mode)


def _sriov(attachment: Attachment) -> dict[str, Any]:
    network = attachment.network
    return {
        "vlan": attachment.vlan,
        "vlanQoS": network.vlan_qos,
        "spoofchk": network.spoofchk,
        "trust": network.trust,
        "link_state": network.link_state,
        "min_tx_rate": network.min_tx_rate_mbps,
        "max_tx_rate": network.max_tx_rate_mbps,
    }


def _ib_sriov(attachment: Attachment) -> dict[str, Any]:
    return {
        "pkey": f"0x{attachment.pkey:04x}" if attachment.pkey is not None else None,
        "link_state": attachment.network.link_state,
        "rdmaIsolation": True if attachment.rdma == "isolation" else None,
    }


def ipam(plan: Ipam) -> dict[str, Any]:
    """The ``ipam`` object of a plugin."""
    routes = [_route(r) for r in plan.routes]
    return written({"type": plan.type, **_ipam_keys(plan), "routes": routes})


def _ipam_keys(plan: Ipam) -> dict[str, Any]:
    """Keys specific to the IPAM program."""
    match plan.type:
        case "nv-ipam":
            return {"poolName": ",".join(plan.pools), "poolType": plan.pool_kind}
        case "whereabouts":
            return _whereabouts_ranges(plan)
        case "host-local":
            return {"dataDir": plan.data_dir, "ranges": [_host_local(r) for r in plan.ranges]}
        case "static" | "spiderpool" | "none":
            return {}
        case _:
            assert_never(plan.type)


def _route(route: IpamRoute) -> dict[str, Any]:
    """One route. An on-link route states the gateway 0.0.0.0: without one the main plugin would insert the
    address's gateway (containernetworking/plugins v1.9.1 pkg/ipam/ipam_linux.go;
    tests/netns/test_table_nads.py tries the form)."""
    on_link = route.gateway is None
    return written(
        {
            "dst": str(route.to),
            "gw": "0.0.0.0" if on_link else str(route.gateway),
            "table": route.table,
            "scope": SCOPE_LINK if on_link else None,
        }
    )


def _whereabouts_ranges(plan: Ipam) -> dict[str, Any]:
    """A single range is at the top level, several are in ``ipRanges``. The gateway is always at the top
    level, so there can be only one."""
    ranges = [_whereabouts(entry) for entry in plan.ranges]
    gateway = next((str(entry.gateway) for entry in plan.ranges if entry.gateway is not None), None)
    return written({**(ranges[0] if len(ranges) == 1 else {"ipRanges": ranges}), "gateway": gateway})


def _whereabouts(entry: IpamRange) -> dict[str, Any]:
    """One range. Prefixes that several overlapping spans have in common are listed once."""
    prefixes = (str(c) for first, last in entry.exclude for c in iprange_to_cidrs(first, last))
    return written({"range": str(entry.network), "exclude": list(dict.fromkeys(prefixes))})


def _host_local(entry: IpamRange) -> list[dict[str, Any]]:
    """host-local has no exclusions, so the ranges are the gaps between them."""
    gateway = str(entry.gateway) if entry.gateway is not None else None
    out = []
    for start, end in free_spans(entry.network, entry.exclude):
        out.append(
            written(
                {
                    "subnet": str(entry.network),
                    "rangeStart": str(start),
                    "rangeEnd": str(end),
                    "gateway": gateway,
                }
            )
        )
    return out
