"""What the files of a host say about its ports: MTU of the PF, QoS of the NIC."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from netplan.catalog import nic_drivers
from netplan.model.nic_text import NicPort, read_nic_script
from netplan.model.site import HostHca, SiteHost
from netplan.reading.kubernetes.objects import Thing
from netplan.trace.model import NicQos
from netplan.trace.site import Site

_CNP = re.compile(r"\bCNP_DSCP_P1=(\d+)\b")
_MTU = re.compile(r"^MTUBytes=(\d+)$", re.MULTILINE)


def _text(site: Site, host: SiteHost, file: str) -> tuple[str, str] | None:
    """A file of the host itself replaces the one of its type."""
    for folder in (host.name, host.type):
        path = f"hosts/{folder}/{file}"
        if path in site.texts:
            return path, site.texts[path]
    return None


def own_scripts(site: Site, host: SiteHost) -> tuple[str, ...]:
    """Texts of NIC scripts that are the host's own, not its type's."""
    paths = (f"hosts/{host.name}/{driver.script}" for driver in nic_drivers() if driver.script)
    return tuple(site.texts[path] for path in paths if path in site.texts)


def port_mtu(site: Site, host: SiteHost, hca: HostHca) -> int | None:
    """MTU of the PF from its ``.link`` file, None where none states it."""
    found = _text(site, host, f"10-{hca.name}.link")
    match = _MTU.search(found[1]) if found else None
    return int(match[1]) if match else None


def nic_qos(site: Site, host: SiteHost, hca: HostHca) -> NicQos | None:
    """From the host's script, else the NicConfigurationTemplate that takes the port; None without both."""
    names = (d.script for d in nic_drivers() if d.script)
    scripts = [found for name in names if (found := _text(site, host, name))]
    for path, script in scripts:
        if _applied(script, hca):
            return _script_qos(path, script, hca, _firmware_cnp(site, host, hca))
    if scripts:
        return None
    for thing in site.of_kind.get("NicConfigurationTemplate", ()):
        if _takes(thing.spec, host, hca):
            qos = template_qos(thing)
            return None if qos is None else replace(qos, cnps=_firmware_cnp(site, host, hca))
    return None


def _firmware_cnp(site: Site, host: SiteHost, hca: HostHca) -> dict[int, str]:
    """What the firmware is set to, which holds until a script says otherwise."""
    path, text = _text(site, host, "firmware-commands.txt") or ("", "")
    lines = (line for line in text.splitlines() if hca.pci and f" -d {hca.pci} " in line)
    return {int(found[1]): path for line in lines if (found := _CNP.search(line))}


def template_qos(thing: Thing) -> NicQos | None:
    """Of a NicConfigurationTemplate."""
    qos = thing.spec["template"].get("roceOptimized", {}).get("qos")
    return _template_qos(thing.file, qos) if qos else None


def _applied(script: str, hca: HostHca) -> bool:
    """Whether the script reaches the port: it names its interface or its PCI address."""
    names = [re.escape(name) for name in (hca.netdev, hca.pci) if name]
    return not names or re.search(rf"(?:^apply |/)(?:{'|'.join(names)})\b", script, re.MULTILINE) is not None


def _script_qos(path: str, script: str, hca: HostHca, firmware: dict[int, str]) -> NicQos:
    said = read_nic_script(script)
    if said is None:
        return NicQos(file=path, judged=False, trust=None, priorities={}, pfc=frozenset())
    own = (said.ports[name] for name in (hca.netdev, hca.pci) if name and name in said.ports)
    return NicQos(
        file=path,
        judged=True,
        trust=said.trust,
        priorities=said.priorities,
        pfc=said.pfc,
        marks=said.marks,
        port=next(own, NicPort()),
        cnps=firmware | ({said.cnp_dscp: path} if said.cnp_dscp is not None else {}),
    )


def _takes(spec: Mapping[str, Any], host: SiteHost, hca: HostHca) -> bool:
    addresses = spec["nicSelector"].get("pciAddresses", ())
    return host.has(spec.get("nodeSelector", {})) and (
        not addresses or hca.pci is None or hca.pci in addresses
    )


def _template_qos(path: str, qos: Mapping[str, Any]) -> NicQos:
    """The operator leaves the NIC's DSCP map alone (Mellanox/nic-configuration-operator 8bfbeb3, CRD: qos has
    no map), which is DSCP / 8 (att/netarbiter nvmf/OUTPUTSAMPLE.setup-nic-lossless-layer3.sh.md)."""
    return NicQos(
        file=path,
        judged=True,
        trust=qos.get("trust"),
        priorities={dscp: dscp >> 3 for dscp in range(64)},
        pfc=_lossless(qos.get("pfc", "")),
    )


def _lossless(bits: str) -> frozenset[int]:
    return frozenset(priority for priority, bit in enumerate(bits.split(",")) if bit.strip() == "1")
