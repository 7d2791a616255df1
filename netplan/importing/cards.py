"""The cards of the nodes, assembled from everything said about them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from netplan.catalog import hca_rows
from netplan.importing.facts import Fact, Of, Remark, Said, Site, Value, not_taken
from netplan.importing.virtual import (
    address_of,
    efa_of_nodes,
    fabric_of,
    is_virtual,
    physical_models,
    possible_models,
    vf_model,
)
from netplan.model.ranges import gathered
from netplan.model.values import natural

NAMES = ("netdev", "rdma_device")
SHARED = ("speed_gbps", "link", "rail", "numa", "gpu")
"""Fields that a node takes over from others with the same card at the same address: a port without link
reports no speed."""


SELECTORS = ("pci", "netdevs", "pf_devices", "devices", "links", "vendors", "nodes")
"""Selectors of a policy or device plugin, the most specific first."""
_INFINIBAND = re.compile(r"ib(?:P[0-9]+)?[ps][0-9]+[a-z0-9]*")
"""systemd.net-naming-scheme(7): two letters for the kind of interface, domain, then bus or slot."""
MOST_SELECTORS = 256
"""Limit of selectors for one address, name or model: it bounds the work that a dump can cause."""


@dataclass(frozen=True, slots=True)
class Card:
    """One physical function, or one passed to a virtual machine. ``fields``: its values, by inventory key.
    ``resources``: of the device plugins and policies that select it; ``by_pci``: one of them selects it by
    PCI address. ``model``: empty if no source names it; ``models``: those it may then be."""

    node: str
    pci: str
    model: str
    fields: Mapping[str, Said]
    resources: tuple[str, ...] = ()
    rail: int | None = None
    rail_from: str = ""
    virtual: bool = False
    models: tuple[str, ...] = ()
    for_pods: bool = False
    by_pci: bool = False

    @property
    def of(self) -> Of:
        return (self.node, self.pci)

    @property
    def fabric(self) -> str:
        """``efa`` or ``pvrdma``, of functions that only such a fabric has."""
        return fabric_of(self.model) or ("efa" if "efa" in self.fields else "")

    @property
    def ids(self) -> tuple[str, str]:
        """PCI device IDs by which a device plugin selects it: as a physical function, and as what pods
        get."""
        own = self.text("device").rpartition(":")[2]
        if self.virtual:
            return own, own
        row = hca_rows()[self.model]
        return row["pf_id"], (row["vf_id"] or "") if self.number("vfs") else row["pf_id"]

    def text(self, name: str) -> str:
        said = self.fields.get(name)
        return str(said.value) if said else ""

    def number(self, name: str) -> int | None:
        said = self.fields.get(name)
        return said.value if said and isinstance(said.value, int) else None


def cards_of(site: Site) -> tuple[list[Card], list[Card]]:
    """(cards of catalog models or in virtual machines, other cards), by node and PCI address."""
    models = physical_models()
    usual = _usual(site)
    known: list[Card] = []
    strange: list[Card] = []
    for of in site.every("card"):
        device = site.text("card", of, "device")
        card = _card(site, of, models.get(device, ("",))[-1], usual)
        (known if card.model or card.virtual else strange).append(card)
    known += [Card(of[0], of[1], model, fields, virtual=True) for of, model, fields in efa_of_nodes(site)]
    selectors = Selectors(site)
    site.add([*_other_plans(known, selectors, site), *_other_kits(known, selectors, site)])
    site.add(_other_links(known, selectors, site))
    return [_taken(card, selectors.near(card), site) for card in known], strange


def _card(site: Site, of: Of, model: str, usual: Mapping[tuple[str, str, str], Said]) -> Card:
    """``model``: by its device ID, empty where that is of no physical function."""
    device, fields = site.text("card", of, "device"), dict(site.fields("card", of))
    common = {name: said for name in SHARED if (said := usual.get((of[1], device, name))) is not None}
    if (named := _link_of_name(fields)) is not None:
        common.setdefault("link", named)
    for name, said in common.items():
        if site.conflict("card", of, name) is None:
            fields.setdefault(name, said)
    model = model or vf_model(site, of, device, fields)
    speed = fields.get("speed_gbps")
    if model in BY_SPEED and (speed is None or speed.value != BY_SPEED[model]):
        model = ""
    virtual = is_virtual(device, model)
    if fabric_of(model) == "pvrdma" and (address := address_of(site, of)) is not None:
        fields["address"] = address
    possible = possible_models(device, fields) if virtual and not model else ()
    return Card(of[0], of[1], model, fields, virtual=virtual, models=possible)


BY_SPEED = {"pollara-400": 400}
"""Models whose device ID others have too, with the speed in Gb/s that they alone have: 1dd8:1002 is any
Ethernet port of Pensando, such as that of a DSC-25 or DSC-100 (ccdxc/sw, ionic_en/ionic_devices.py)."""


def why_strange(card: Card) -> str:
    """Why it has no model."""
    for model in physical_models().get(card.text("device"), ()):
        if model in BY_SPEED:
            return f"{model} or another card with that ID, as it shows no {BY_SPEED[model]} Gb/s"
    return "no HCA of the catalog"


def _link_of_name(fields: Mapping[str, Said]) -> Said | None:
    """``ibp24s0``: InfiniBand by the name that systemd gives."""
    netdev = fields.get("netdev")
    if netdev is None or not _INFINIBAND.fullmatch(str(netdev.value)):
        return None
    return Said("infiniband", netdev.at)


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
    creates, ``link``: the link type it sets; ``policy``: where a policy says its resource."""

    resource: str
    labels: Mapping[str, Said]
    wanted: Mapping[str, frozenset[str]]
    vfs: Said | None
    link: Said | None
    policy: Said | None


def slot_of(card: Card) -> str:
    """Its PCI address without the function: ports of one card share it."""
    return card.pci.rpartition(".")[0]


def label_of(site: Site, node: str, key: str) -> Value | None:
    """The value of a node's label, which may be empty; None without the label."""
    said = site.said("node", (node,), f"label/{key}")
    return said.value if said is not None else None


def has_labels(site: Site, node: str, labels: Mapping[str, Said]) -> bool:
    """Labels do not count for a node of which no dump has any."""
    known = site.said("node", (node,), "there") is not None
    return not known or all(label_of(site, node, key) == said.value for key, said in labels.items())


class Selectors:
    """All selectors, indexed by their most specific key, so that each card is compared with few."""

    def __init__(self, site: Site) -> None:
        self._by: dict[tuple[str, str], list[Selector]] = {}
        for of in site.every("resource"):
            stated = {name: frozenset(site.listed("resource", of, name)) for name in SELECTORS}
            wanted = {name: values for name, values in stated.items() if values}
            labels = dict(site.prefixed("resource", of, "label/"))
            vfs, link, policy = (site.said("resource", of, name) for name in ("vfs", "link", "policy"))
            selector = Selector(of[0], labels, wanted, vfs, link, policy)
            for name in list(wanted)[:1]:
                for value in wanted[name]:
                    self._by.setdefault((name, value), []).append(selector)

    def near(self, card: Card) -> list[Selector]:
        devices = {*card.ids, "" if card.virtual else hca_rows()[card.model]["vf_id"] or ""}
        keys = [("pci", card.pci), ("netdevs", card.text("netdev")), ("pf_devices", card.ids[0])]
        keys += [*(("devices", each) for each in sorted(devices)), ("links", card.text("link"))]
        keys.append(("vendors", card.text("device").partition(":")[0]))
        return [selector for key in keys for selector in self._by.get(key, ())[:MOST_SELECTORS]]


def _taken(card: Card, selectors: list[Selector], site: Site) -> Card:
    """The card with its resources, and with the VFs that a policy will create. What the operator made of its
    policies, the state of the node says; without one the policies themselves do."""
    mine = [selector for selector in selectors if selects(selector, card, site)]
    fields = dict(card.fields)
    if (planned := _planned(card, mine, site)) is not None and not site.conflict("card", card.of, "vfs"):
        fields["vfs"] = planned
    if (link := next((selector.link for selector in mine if selector.link), None)) is not None:
        fields.setdefault("link", link)
    stated = {name for name, _ in site.prefixed("card", card.of, "resource/")}
    others = {selector.resource for selector in mine if selector.policy is None or not stated}
    names = sorted(stated | others, key=natural)
    by_pci = any("pci" in selector.wanted for selector in mine)
    return replace(card, fields=fields, resources=tuple(names), by_pci=by_pci)


def _other_plans(cards: Iterable[Card], selectors: Selectors, site: Site) -> Iterator[Fact]:
    """VFs that a policy gives a card whose node's state has another number: either dump is old."""
    for card in cards:
        planned = card.fields.get("planned_vfs")
        mine = (each for each in selectors.near(card) if planned is not None and selects(each, card, site))
        stated = [each.vfs for each in mine if each.vfs is not None]
        if planned is not None and stated and planned.value not in {said.value for said in stated}:
            yield Fact("card", card.of, "planned_vfs", stated[0].value, stated[0].at)


def _other_kits(cards: Iterable[Card], selectors: Selectors, site: Site) -> Iterator[Fact]:
    """VFs of a launch kit that are not those of the cluster's policies: the largest number of several."""
    for card in cards:
        mine = [each for each in selectors.near(card) if each.vfs and selects(each, card, site)]
        policies = [each.vfs for each in mine if each.policy is not None and each.vfs is not None]
        made = max(
            policies, key=lambda said: int(said.value) if isinstance(said.value, int) else 0, default=None
        )
        made = card.fields.get("planned_vfs", made)
        for kit in (each.vfs for each in mine if each.policy is None):
            if made is not None and kit is not None and kit.value != made.value:
                yield Fact("card", card.of, "planned_vfs", made.value, made.at)
                yield Fact("card", card.of, "planned_vfs", kit.value, kit.at)


def _other_links(cards: Iterable[Card], selectors: Selectors, site: Site) -> Iterator[Fact]:
    """Link types of policies and of what the operator made of them that are not the card's: it sets them."""
    for card in cards:
        own, planned = card.fields.get("link"), site.said("card", card.of, "planned_link")
        mine = (each.link for each in selectors.near(card) if own and each.link and selects(each, card, site))
        for other in (planned, *mine):
            if own is not None and other is not None and other.value != own.value:
                yield Fact("card", card.of, "link", own.value, own.at)
                yield Fact("card", card.of, "link", other.value, other.at)


def _planned(card: Card, selectors: Iterable[Selector], site: Site) -> Said | None:
    """The VFs that the operator will create; VFs that something else makes may be more than a policy says."""
    stated = [selector.vfs for selector in selectors if selector.vfs is not None]
    found = card.fields.get("planned_vfs") or next(iter(stated), None)
    running = card.number("vfs")
    outside = site.said("cluster", (), "externally_managed")
    kept = (outside is not None and outside.value) or running in {said.value for said in stated}
    return None if running and kept else found


def selects(selector: Selector, card: Card, site: Site) -> bool:
    """Whether all stated selectors match, as device plugin and operator want it. The device plugin skips a
    physical function that has virtual ones (k8snetworkplumbingwg/sriov-network-device-plugin README.md)."""
    if not has_labels(site, card.node, selector.labels):
        return False
    own: Mapping[str, str] = {
        "pci": card.pci,
        "netdevs": card.text("netdev"),
        "pf_devices": card.ids[0],
        "devices": card.ids[1],
        "links": card.text("link"),
        "vendors": card.text("device").partition(":")[0],
        "nodes": card.node,
    }
    unknown = {name for name in ("links", "vendors") if not own[name]}
    return all(own[name] in values for name, values in selector.wanted.items() if name not in unknown)


def idle_resources(site: Site, cards: Iterable[Card], bonds: Container[Of]) -> Iterator[Remark]:
    """Resources that select no card, where there are cards. ``bonds``: those that are told elsewhere."""
    own = [*cards]
    taken = {name for card in own for name in card.resources}
    for of in site.every("resource") if own else ():
        said = next(iter(site.fields("resource", of).values()), None)
        if of[0] not in taken and of not in bonds and said is not None:
            yield not_taken(said.at, "resource", of[0], "it selects no card in the dumps")


def bare_names(site: Site, cards: Iterable[Card], strange: Iterable[Card]) -> list[str]:
    """Nodes of which no card is known, where others have some, but that have GPUs or are to have VFs: their
    operator has not finished yet."""
    used = {card.node for card in cards}
    wanted = {card.node for card in strange if "planned_vfs" in card.fields and "device" not in card.fields}
    wanted |= {of[0] for of in site.every("node") if any(site.prefixed("node", of, "gpus/"))}
    return sorted(wanted - used, key=natural) if used else []


def bare_nodes(site: Site, cards: Iterable[Card], strange: Sequence[Card]) -> Iterator[Remark]:
    if bare := bare_names(site, cards, strange):
        fields = site.fields("node", (bare[0],)) or next(c.fields for c in strange if c.node == bare[0])
        why = "their cards are not in the dumps, they are left out; read the state of their NICs again"
        yield Remark(next(iter(fields.values())).at, f"{gathered(bare)}: {why}")


def most_common(values: list[Said]) -> Said | None:
    """The most frequent value, the first one of a tie; None if there is no value."""
    if not values:
        return None
    winner, _ = Counter(said.value for said in values).most_common(1)[0]
    return next(said for said in values if said.value == winner)
