"""NIC QoS settings of a NicConfigurationTemplate."""

from __future__ import annotations

from collections.abc import Iterator

from netplan.diagnostics import Path
from netplan.graph.kubernetes.cluster import NIC_CONFIGURATION, ObjectGraph
from netplan.reading.kubernetes.objects import Thing, inside, mapping
from netplan.records import dataclass

QOS: Path = ("spec", "template", "roceOptimized", "qos")


@dataclass(frozen=True, slots=True)
class TemplateQos:
    """``pfc``: lossless priorities, None if the text is not a valid list. ``tos``: traffic class byte of
    RDMA-CM connections, None if left unchanged."""

    thing: Thing
    trust: str | None
    pfc: frozenset[int] | None
    tos: int | None

    @property
    def priorities(self) -> dict[int, int]:
        """DSCP -> priority. The operator does not change the NIC's DSCP map
        (Mellanox/nic-configuration-operator 8bfbeb3, CRD: qos has no map), which is DSCP / 8
        (att/netarbiter nvmf/OUTPUTSAMPLE.setup-nic-lossless-layer3.sh.md)."""
        return {dscp: dscp >> 3 for dscp in range(64)}

    @property
    def lossless(self) -> frozenset[int]:
        """DSCPs with PFC."""
        return frozenset(dscp for dscp, priority in self.priorities.items() if priority in (self.pfc or ()))

    def at(self, key: str) -> str:
        """File and line of a setting, else of its nearest parent."""
        source = self.thing.source((*QOS, key))
        return f"{source.file}:{source.line}"


def template_qos(thing: Thing) -> TemplateQos | None:
    """None if the template sets no QoS."""
    qos = mapping(inside(thing.body, QOS))
    if not qos:
        return None
    bits = [bit.strip() for bit in str(qos.get("pfc")).split(",")]
    known = len(bits) == 8 and {*bits} <= {"0", "1"}
    trust, tos = qos.get("trust"), qos.get("tos")
    return TemplateQos(
        thing,
        trust if isinstance(trust, str) else None,
        frozenset(p for p, bit in enumerate(bits) if bit == "1") if known else None,
        tos if type(tos) is int else None,
    )


def templates(cluster: ObjectGraph) -> Iterator[TemplateQos]:
    """QoS of all templates that set some."""
    for thing in cluster.of(NIC_CONFIGURATION, "NicConfigurationTemplate"):
        found = template_qos(thing)
        if found is not None:
            yield found
