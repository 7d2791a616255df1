"""Ports whose classes are not those of the other ports of their switch: an inventory has one set for all
ports that carry RDMA, which is that of most of them, and netplan writes it to each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from netplan.diagnostics import Source
from netplan.importing.cabling import Cable
from netplan.importing.facts import Fact, Remark, Said, Site
from netplan.model.ranges import gathered
from netplan.model.readback import ReadPort, ReadSwitch

ODD = "odd_qos"
"""Field of a port: what of its classes differs."""
_WORDS: Mapping[str, str] = {
    "pfc": "PFC",
    "queues": "queues of DSCP",
    "groups": "priority groups",
    "pfc_queues": "queues of PFC",
    "strict": "scheduling",
    "weights": "scheduling",
    "shares": "scheduling",
    "ecn_percent": "ECN",
    "marking": "ECN",
    "watchdog": "PFC watchdog",
    "detection_ms": "PFC watchdog",
    "restoration_ms": "PFC watchdog",
}
"""Field of what a port's lines state -> its name."""


def odd_facts(read: ReadSwitch, text: str, file: str) -> Iterator[Fact]:
    """Against most of the ports that have classes at all."""
    ports = [port for port in read.ports.values() if port.qos.pfc or port.qos.queues]
    counts = Counter(id(port.qos) for port in ports)
    if not counts:
        return
    most = counts.most_common(1)[0][0]
    usual = next(port for port in ports if id(port.qos) == most)
    for port in read.ports.values():
        if words := _unlike(port, usual):
            line = read.line(text, "pfc", port.name) or read.line(text, "port", port.name)
            yield Fact("port", (read.name, port.name), ODD, ", ".join(words), Source(file, line or 1, 1))


def _unlike(port: ReadPort, usual: ReadPort) -> list[str]:
    found = [word for name, word in _WORDS.items() if getattr(port.qos, name) != getattr(usual.qos, name)]
    found += ["ECN"] if port.ecn != usual.ecn else []
    found += ["trust"] if port.trust != usual.trust else []
    return list(dict.fromkeys(found))


def odd_ports(site: Site, cables: Iterable[Cable]) -> Iterator[Remark]:
    """Cabled ones; those of a switch that differ alike are one line."""
    found: dict[tuple[str, object], list[tuple[str, Said]]] = {}
    for cable in cables:
        said = site.said("port", (cable.switch, cable.port), ODD)
        if said is not None:
            found.setdefault((cable.switch, said.value), []).append((cable.port, said))
    for (switch, words), mine in found.items():
        why = "differs from most ports with classes; netplan writes one setting for all RDMA ports"
        whom = f"{switch} {gathered(port for port, _ in mine)}"
        yield Remark(mine[0][1].at, f"{words} of {whom} {why}", alike=f"{words} {why}")
