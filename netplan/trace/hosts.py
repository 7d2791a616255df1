"""What the files of a host say about its ports: MTU of the PF, QoS of the NIC."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from netplan.trace.model import HostHca, NicQos, TraceHost
from netplan.trace.site import Site

_MTU = re.compile(r"^MTUBytes=(\d+)$", re.MULTILINE)
_PFC = re.compile(r"--pfc ([01](?:,[01]){7})\b")
_DSCP = re.compile(r"--dscp2prio set,(\d+),(\d+)")
_TRUST = re.compile(r"--trust=(\w+)")
_SCRIPT = "rdma-nic-qos.sh"


def _text(site: Site, host: TraceHost, file: str) -> tuple[str, str] | None:
    """A file of the host itself replaces the one of its type."""
    for folder in (host.name, host.type):
        path = f"hosts/{folder}/{file}"
        if path in site.texts:
            return path, site.texts[path]
    return None


def port_mtu(site: Site, host: TraceHost, hca: HostHca) -> int | None:
    """MTU of the PF from its ``.link`` file, None where none states it."""
    found = _text(site, host, f"10-{hca.name}.link")
    match = _MTU.search(found[1]) if found else None
    return int(match[1]) if match else None


def nic_qos(site: Site, host: TraceHost, hca: HostHca) -> NicQos | None:
    """From the host's script, else the NicConfigurationTemplate that takes the port; None without both."""
    found = _text(site, host, _SCRIPT)
    if found:
        path, script = found
        return _script_qos(path, script) if _applied(script, hca) else None
    for thing in site.of_kind.get("NicConfigurationTemplate", ()):
        if _takes(thing.spec, host, hca):
            qos = thing.spec["template"].get("roceOptimized", {}).get("qos")
            return _template_qos(thing.artifact.path, qos) if qos else None
    return None


def _applied(script: str, hca: HostHca) -> bool:
    """Whether the script reaches the port: it names its interface or its PCI address."""
    names = [re.escape(name) for name in (hca.netdev, hca.pci) if name]
    return not names or re.search(rf"(?:^apply |/)(?:{'|'.join(names)})\b", script, re.MULTILINE) is not None


def _script_qos(path: str, script: str) -> NicQos:
    pfc, trust = _PFC.search(script), _TRUST.search(script)
    return NicQos(
        file=path,
        trust=trust[1] if trust else None,
        priorities={int(dscp): int(priority) for dscp, priority in _DSCP.findall(script)},
        pfc=_lossless(pfc[1] if pfc else ""),
    )


def _takes(spec: Mapping[str, Any], host: TraceHost, hca: HostHca) -> bool:
    addresses = spec["nicSelector"].get("pciAddresses", ())
    return host.has(spec.get("nodeSelector", {})) and (
        not addresses or hca.pci is None or hca.pci in addresses
    )


def _template_qos(path: str, qos: Mapping[str, Any]) -> NicQos:
    """The operator leaves the NIC's DSCP map alone, which is DSCP / 8 (facts, pod-routing 2)."""
    return NicQos(
        file=path,
        trust=qos.get("trust"),
        priorities={dscp: dscp >> 3 for dscp in range(64)},
        pfc=_lossless(qos.get("pfc", "")),
    )


def _lossless(bits: str) -> frozenset[int]:
    return frozenset(priority for priority, bit in enumerate(bits.split(",")) if bit.strip() == "1")
