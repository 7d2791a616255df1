"""The cards of the nodes, assembled from everything said about them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace

from netplan.catalog import hca_rows
from netplan.importing.facts import Of, Said, Site
from netplan.model.values import natural

NAMES = ("netdev", "rdma_device")
SHARED = ("speed_gbps", "link", "rail", "numa", "gpu")
"""Fields that a node takes over from others with the same card at the same address: a port without link
reports no speed."""


SELECTORS = ("pci", "netdevs", "pf_devices", "devices")
"""Selectors of a policy or device plugin, the most specific first."""
MOST_SELECTORS = 256
"""Limit of selectors for one address, name or model: it bounds the work that a dump can cause."""


@dataclass(frozen=True, slots=True)
class Card:
    """One physical function. ``fields``: its values, by inventory key. ``resources``: of the device plugins
    and policies that select it."""

    node: str
    pci: str
    model: str
    fields: Mapping[str, Said]
    resources: tuple[str, ...] = ()
    rail: int | None = None
    rail_from: str = ""

    @property
    def of(self) -> Of:
        return (self.node, self.pci)

    def text(self, name: str) -> str:
        said = self.fields.get(name)
        return str(said.value) if said else ""

    def number(self, name: str) -> int | None:
        said = self.fields.get(name)
        return said.value if said and isinstance(said.value, int) else None


def cards_of(site: Site) -> tuple[list[Card], list[Card]]:
    """(cards of models in the catalog, other cards), by node and PCI address."""
    models = {f"{row['vendor']}:{row['pf_id']}": name for name, row in hca_rows().items()}
    usual = _usual(site)
    known: list[Card] = []
    strange: list[Card] = []
    for of in site.every("card"):
        fields = dict(site.fields("card", of))
        device = site.text("card", of, "device")
        for name in SHARED:
            common = usual.get((of[1], device, name))
            if common is not None and site.conflict("card", of, name) is None:
                fields.setdefault(name, common)
        card = Card(of[0], of[1], models.get(device, ""), fields)
        (known if card.model else strange).append(card)
    selectors = Selectors(site)
    return [_taken(card, selectors.near(card), site) for card in known], strange


def _usual(site: Site) -> dict[tuple[str, str, str], Said]:
    """(PCI address, device, field) -> the value, if all nodes that state one agree."""
    found: dict[tuple[str, str, str], dict[object, Said]] = {}
    for of in site.every("card"):
        for name in SHARED:
            said = site.said("card", of, name)
            if said is not None:
                key = (of[1], site.text("card", of, "device"), name)
                found.setdefault(key, {}).setdefault(said.value, said)
    return {key: next(iter(values.values())) for key, values in found.items() if len(values) == 1}


@dataclass(frozen=True, slots=True)
class Selector:
    """What a policy or device plugin selects on nodes with the labels. ``vfs``: how many VFs a policy
    creates."""

    resource: str
    labels: Mapping[str, Said]
    wanted: Mapping[str, frozenset[str]]
    vfs: Said | None


class Selectors:
    """All selectors, indexed by their most specific key, so that each card is compared with few."""

    def __init__(self, site: Site) -> None:
        self._by: dict[tuple[str, str], list[Selector]] = {}
        for of in site.every("resource"):
            stated = {name: frozenset(site.listed("resource", of, name)) for name in SELECTORS}
            wanted = {name: values for name, values in stated.items() if values}
            labels = dict(site.prefixed("resource", of, "label/"))
            selector = Selector(of[0], labels, wanted, site.said("resource", of, "vfs"))
            for name in list(wanted)[:1]:
                for value in wanted[name]:
                    self._by.setdefault((name, value), []).append(selector)

    def near(self, card: Card) -> list[Selector]:
        row = hca_rows()[card.model]
        keys = [("pci", card.pci), ("netdevs", card.text("netdev")), ("pf_devices", row["pf_id"])]
        keys += [("devices", row["pf_id"]), ("devices", row["vf_id"] or "")]
        return [selector for key in keys for selector in self._by.get(key, ())[:MOST_SELECTORS]]


def _taken(card: Card, selectors: list[Selector], site: Site) -> Card:
    """The card with its resources, and with the VFs that a policy will create."""
    mine = [selector for selector in selectors if _selects(selector, card, site)]
    fields = dict(card.fields)
    planned = next((selector.vfs for selector in mine if selector.vfs), None)
    if planned is not None and not card.number("vfs"):
        fields["vfs"] = planned
    names = sorted({selector.resource for selector in mine}, key=natural)
    return replace(card, fields=fields, resources=tuple(names))


def _selects(selector: Selector, card: Card, site: Site) -> bool:
    """Whether all stated selectors match, as device plugin and operator want it. The device plugin skips a
    physical function that has virtual ones (k8snetworkplumbingwg/sriov-network-device-plugin README.md)."""
    of = (card.node,)
    if any(site.text("node", of, f"label/{key}") != said.value for key, said in selector.labels.items()):
        return False
    row = hca_rows()[card.model]
    own: Mapping[str, str] = {
        "pci": card.pci,
        "netdevs": card.text("netdev"),
        "pf_devices": row["pf_id"],
        "devices": (row["vf_id"] if card.number("vfs") else row["pf_id"]) or "",
    }
    return all(own[name] in values for name, values in selector.wanted.items())


def most_common(values: list[Said]) -> Said | None:
    """The most frequent value, the first one of a tie; None if there is no value."""
    if not values:
        return None
    winner, _ = Counter(said.value for said in values).most_common(1)[0]
    return next(said for said in values if said.value == winner)
