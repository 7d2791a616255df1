"""QoS of a host's NIC ports, from the host's files."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from netplan.catalog import nic_drivers
from netplan.graph.hosts import file_of
from netplan.graph.kubernetes.cluster import NIC_CONFIGURATION
from netplan.graph.kubernetes.nic_templates import TemplateQos, template_qos
from netplan.model.nic_text import NicPort, NicText, one_blank, read_nic_script
from netplan.model.site import SiteHca, SiteHost
from netplan.reading.nic_scripts import odd_lines
from netplan.trace.model import ReadNicQos
from netplan.trace.site import TracedSite

_CNP = re.compile(r"\bCNP_DSCP_P1=(\d+)\b")


def own_scripts(site: TracedSite, host: SiteHost) -> tuple[str, ...]:
    """NIC scripts of the host itself, not of its type."""
    paths = (f"hosts/{host.name}/{driver.script}" for driver in nic_drivers() if driver.script)
    return tuple(site.texts[path] for path in paths if path in site.texts)


def nic_qos(site: TracedSite, host: SiteHost, hca: SiteHca | None) -> ReadNicQos | None:
    """From the host's script, else from the NicConfigurationTemplate that matches the port; None without
    both."""
    if hca is None:
        return None
    names = (d.script for d in nic_drivers() if d.script)
    scripts = [found for name in names if (found := file_of(site.texts, host, name))]
    for path, script in scripts:
        if _applied(one_blank(script), hca):
            return _script_qos(path, script, hca, _firmware_cnp(site, host, hca))
    if scripts:
        return None
    for thing in site.cluster.of(NIC_CONFIGURATION, "NicConfigurationTemplate"):
        if _takes(thing.spec, host, hca):
            qos = template_qos(thing)
            return None if qos is None else replace(_of_template(qos), cnps=_firmware_cnp(site, host, hca))
    return None


def _firmware_cnp(site: TracedSite, host: SiteHost, hca: SiteHca) -> dict[int, str]:
    """What the firmware is set to; holds until a script overrides it."""
    path, text = file_of(site.texts, host, "firmware-commands.txt") or ("", "")
    lines = (line for line in text.splitlines() if hca.pci and f" -d {hca.pci} " in line)
    return {int(found[1]): path for line in lines if (found := _CNP.search(line))}


def _applied(script: str, hca: SiteHca) -> bool:
    """Whether the script configures the port: it names its interface or PCI address."""
    names = [re.escape(name) for name in (hca.netdev, hca.pci) if name]
    return not names or re.search(rf"(?:^apply |/)(?:{'|'.join(names)})\b", script, re.MULTILINE) is not None


def _script_qos(path: str, script: str, hca: SiteHca, firmware: dict[int, str]) -> ReadNicQos:
    said = read_nic_script(script)
    if said is None:
        return ReadNicQos(file=path, judged=False, trust=None, priorities={}, pfc=frozenset())
    own = (said.ports[name] for name in (hca.netdev, hca.pci) if name and name in said.ports)
    return ReadNicQos(
        file=path,
        judged=True,
        trust=said.trust,
        priorities=said.priorities,
        pfc=said.pfc,
        marks=said.marks,
        port=next(own, NicPort()),
        cnps=firmware | _cnp(said, path),
        odd=tuple(_odd(path, script)),
        ets=said.ets,
        cnp_priority=said.cnp_priority,
        lines=said.lines,
    )


def _cnp(said: NicText, path: str) -> dict[int, str]:
    return {} if said.cnp_dscp is None else {said.cnp_dscp: path}


def _odd(path: str, script: str) -> Iterator[str]:
    for line, text in odd_lines(path.rpartition("/")[2], script):
        yield f"{path}{f':{line}' if line else ''} {text}"


def _takes(spec: Mapping[str, Any], host: SiteHost, hca: SiteHca) -> bool:
    addresses = spec["nicSelector"].get("pciAddresses", ())
    return host.has(spec.get("nodeSelector", {})) and (
        not addresses or hca.pci is None or hca.pci in addresses
    )


def _of_template(qos: TemplateQos) -> ReadNicQos:
    return ReadNicQos(
        file=qos.thing.file,
        judged=True,
        trust=qos.trust,
        priorities=qos.priorities,
        pfc=qos.pfc or frozenset(),
    )
