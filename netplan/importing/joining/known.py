"""An inventory in the terms of dumps: cards of hosts, ports of switches."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

from netplan.diagnostics import Path
from netplan.importing.cards import Card
from netplan.importing.facts import place
from netplan.model.document import Document
from netplan.model.fabric import Fabric
from netplan.model.hardware import Hca, Host
from netplan.model.written import Written

Word = Literal["new", "differs", "gone"]
OWN = ("pci", "netdev", "rdma_device", "mac")
"""What a host states about an HCA itself; the first one that both have identifies the card."""


@dataclass(frozen=True, slots=True)
class Change:
    """``what``: with the place of each value. ``new``: the inventory lacks it; ``gone``: no dump shows it."""

    word: Word
    whom: str
    what: str

    def __str__(self) -> str:
        return f"{self.whom}: {self.what}" if self.what else self.whom


class Known:
    """``fabric``: resolved from ``document``, without errors."""

    def __init__(self, fabric: Fabric, document: Document) -> None:
        self.fabric = fabric
        self._document = document
        self._written = Written(document)
        self.hosts = {host.name: host for host in fabric.hosts if host.named and host.type.node}
        self.counted = [host.type for host in fabric.hosts if not host.named and host.type.node]
        self.switches = {switch.name: switch for switch in fabric.switches}

    @property
    def data(self) -> Mapping[str, Any]:
        return self._document.data if isinstance(self._document.data, dict) else {}

    def at(self, path: Path) -> str:
        """``site.yaml:12`` of the value or its nearest parent."""
        source = self._written.locate(path)
        return place(source) if source else "the inventory"

    def written_at(self, path: Path) -> str:
        """Place of an entity: its path is that of its key."""
        source = self._document.locate(path)
        return place(source) if source else "the inventory"

    def hca_at(self, host: Host, hca: Hca, field: str) -> str:
        """Place of a value that the host states, else its type."""
        own: Path = ("hosts", host.name, "hcas", hca.name, field)
        kind: Path = ("host_types", host.type.name, "hcas", hca.name, field)
        return self.at(own if self._written.find(own) else kind)

    @cached_property
    def ports(self) -> Mapping[tuple[str, str], tuple[tuple[str, str, str], Path, int]]:
        """(switch, port) -> far end, path of the link, cable length in m."""
        found: dict[tuple[str, str], tuple[tuple[str, str, str], Path, int]] = {}
        for link in self.fabric.host_links:
            far = ("card", link.host.name, link.hca.name)
            found[link.switch.name, link.port] = (far, link.at, link.cable_m)
        for trunk in self.fabric.switch_links:
            lower, upper = (trunk.lower.name, trunk.lower_port), (trunk.upper.name, trunk.upper_port)
            found[lower] = (("switch", *upper), trunk.at, trunk.cable_m)
            found[upper] = (("switch", *lower), trunk.at, trunk.cable_m)
        return found

    @cached_property
    def ends(self) -> Mapping[tuple[str, str, str], tuple[str, str]]:
        """Far end -> (switch, port)."""
        return {far: port for port, (far, *_) in self.ports.items()}

    def names(self, host: Host, cards: Sequence[Card]) -> dict[str, Card]:
        """HCA of the host -> its card."""
        return named_cards(host.type.hcas, cards, {hca.name: stated(host, hca) for hca in host.type.hcas})


def stated(host: Host | None, hca: Hca) -> dict[str, str]:
    """Addresses and names of an HCA; the host's own override its type's."""
    own = host.hcas.get(hca.name) if host else None
    values = {name: getattr(own, name, None) or getattr(hca, name, None) for name in OWN}
    return {name: str(value) for name, value in values.items() if value}


def named_cards(
    hcas: Iterable[Hca], cards: Sequence[Card], values: Mapping[str, Mapping[str, str]]
) -> dict[str, Card]:
    """HCA -> its card, by PCI address, else by a name that no other HCA has. ``values``: of each HCA."""
    found: dict[str, Card] = {}
    free = {card.pci: card for card in cards}
    for name in OWN:
        texts = ((card.pci if name == "pci" else card.text(name), card) for card in free.values())
        by_value = {text: card for text, card in texts if text}
        for hca in hcas:
            card = by_value.get(values[hca.name].get(name, ""))
            if hca.name not in found and card is not None and card.pci in free:
                found[hca.name] = free.pop(card.pci)
    return found
