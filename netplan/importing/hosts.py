"""Folds nodes with the same cards into host types, and keeps the differences of single nodes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from netplan.importing.cards import NAMES, Card, label_of
from netplan.importing.facts import Said, Site, Value
from netplan.importing.rails import FRONT_END
from netplan.model.values import natural

Layout = tuple[tuple[str, ...], ...]
_DEVICE = re.compile(r"mlx5_([0-9]{1,3})")
_PASSED = (
    "kubernetes.io/",
    "beta.kubernetes.io/",
    "node.kubernetes.io/",
    "topology.kubernetes.io/",
    "failure-domain.beta.kubernetes.io/",
    "node-role.kubernetes.io/",
    "feature.node.kubernetes.io/",
    "nvidia.com/",
    "sriovnetwork.openshift.io/",
    "network.nvidia.com/",
)
"""Labels that Kubernetes, operators and feature discovery set themselves."""
_SECOND = (
    "node.kubernetes.io/instance-type",
    "nvidia.com/gpu.machine",
    "nvidia.com/gpu.product",
    "nvidia.kubernetes-launch-kit.machine",
    "nvidia.kubernetes-launch-kit.gpu",
    "nvidia.com/gpu.present",
)
"""Those of them that distinguish kinds of machines, best first."""
_ROLE = "node-role.kubernetes.io/"
"""Roles that people give to nodes, mostly with an empty value; selectors of policies use them."""
_CONTROL = frozenset(f"{_ROLE}{name}" for name in ("control-plane", "controlplane", "master", "etcd"))
NO_INSTANCE_TYPE = frozenset({"k3s", "rke2"})
"""Names that these distributions report as the instance type: that of their own program (k3s-io/k3s 17f1aa36
pkg/cloudprovider/instances.go, InstanceType; rancher/rke2 0239a8a0 scripts/build-binary, version.Program)."""


@dataclass(frozen=True, slots=True)
class HostKind:
    """Nodes of one kind. ``cards``: of the representative node, by rail, front end last; ``names``: their
    names in the inventory. ``own``: node -> its cards, for ``others``: nodes with a different name or
    address. ``selector``: the label that all of them have and no other node has, or None."""

    name: str
    nodes: tuple[str, ...]
    cards: tuple[Card, ...]
    names: tuple[str, ...]
    others: Mapping[str, tuple[Card, ...]]
    selector: tuple[str, Said] | None
    gpus: tuple[str, Said] | None
    own: Mapping[str, tuple[Card, ...]]

    @property
    def named(self) -> list[tuple[str, Card]]:
        return [*zip(self.names, self.cards, strict=True)]


def names_of(cards: Iterable[Card]) -> list[str]:
    """Names for the cards of a node in the inventory: by rail, in a virtual machine by the number of the RDMA
    device, else by position."""
    cards = list(cards)
    infiniband = any(card.text("link") == "infiniband" for card in cards)
    numbers = _numbers(cards)
    return [_name(card, number, infiniband) for card, number in zip(cards, numbers, strict=True)]


def _numbers(cards: list[Card]) -> list[int]:
    rails = [card.rail for card in cards if card.rail is not None]
    if rails:
        by_rail, above = len(set(rails)) == len(rails), max(rails) + 1 - len(rails)
        numbers = [n + above if card.for_pods else n for n, card in enumerate(cards)]
        return [n if c.rail is None or not by_rail else c.rail for n, c in zip(numbers, cards, strict=True)]
    devices = [_DEVICE.fullmatch(card.text("rdma_device")) for card in cards]
    found = [int(device[1]) for device in devices if device]
    return found if len(set(found)) == len(cards) else list(range(len(cards)))


def _name(card: Card, number: int, infiniband: bool) -> str:
    if card.fabric:
        return f"{card.fabric}{number}"
    if card.rail is None and not card.for_pods:
        return f"{FRONT_END}{number}"
    return f"{'ib' if infiniband else 'roce'}{number}"


def host_kinds(site: Site, cards: Iterable[Card]) -> list[HostKind]:
    """Kinds in the order of their first node, without nodes that have no known card."""
    by_node: dict[str, list[Card]] = {}
    for card in cards:
        by_node.setdefault(card.node, []).append(card)
    ordered = {node: tuple(sorted(mine, key=_order)) for node, mine in by_node.items()}
    holders, taken = holders_of(site), set[str]()
    parts = _parts(site, ordered, holders)
    kinds: list[HostKind] = []
    for nodes, others in sorted(parts, key=lambda part: natural(part[0][0])):
        everyone = sorted((*nodes, *others), key=natural)
        control = all(card.rail is None and not card.for_pods for card in ordered[nodes[0]])
        selector = selector_of(site, everyone, holders, control)
        name = unused(_kind_name(selector, len(kinds)), taken)
        odd = {node: ordered[node] for node in others}
        kinds.append(
            HostKind(
                name=name,
                nodes=tuple(everyone),
                cards=ordered[nodes[0]],
                names=tuple(names_of(ordered[nodes[0]])),
                others=odd,
                selector=selector,
                gpus=next(filter(None, (gpu_said(site, node) for node in everyone)), None),
                own={node: ordered[node] for node in everyone},
            )
        )
    return kinds


def _order(card: Card) -> tuple[bool, bool, int, str]:
    device = _DEVICE.fullmatch(card.text("rdma_device")) if card.virtual else None
    number = card.rail or (int(device[1]) if device else 0)
    return (card.rail is None and not card.for_pods, card.rail is None, number, card.pci)


def _shape(card: Card) -> tuple[object, ...]:
    """What distinguishes kinds of hosts; an unknown value counts as one of its own."""
    stated = [card.text(name) for name in ("speed_gbps", "link", "vfs", "numa")]
    return (card.model, card.models, card.rail, card.for_pods, *stated)


def _layout(cards: Iterable[Card]) -> Layout:
    """What a single host may have differently within its type."""
    return tuple(
        (card.pci if is_stated(card) else "", *(card.text(name) for name in NAMES)) for card in cards
    )


def is_stated(card: Card) -> bool:
    """Whether the inventory states the PCI address of a card; for a function in a virtual machine only if a
    device plugin selects by it."""
    return not card.virtual or card.by_pci


Part = tuple[list[str], list[str]]
"""Nodes of a layout, and single nodes with another one."""


def _parted(layouts: Mapping[Layout, list[str]]) -> Iterator[Part]:
    """A layout of one node does not make a type."""
    shared = [nodes for nodes in layouts.values() if len(nodes) > 1]
    single = [nodes[0] for nodes in layouts.values() if len(nodes) == 1]
    if not shared:
        yield single[:1], single[1:]
        return
    shared.sort(key=len, reverse=True)
    yield shared[0], single
    for nodes in shared[1:]:
        yield nodes, []


def _parts(
    site: Site, cards: Mapping[str, tuple[Card, ...]], holders: Counter[tuple[str, Value]]
) -> list[Part]:
    """The nodes of each kind. ``cards``: node -> its cards in order."""
    shapes = {node: tuple(map(_shape, cards[node])) for node in sorted(cards, key=natural)}
    gpus, groups = _gpus_by_node(site, shapes), dict[tuple[object, ...], dict[Layout, list[str]]]()
    for node, shape in shapes.items():
        layouts = groups.setdefault((gpus[node], *shape), {})
        layouts.setdefault(_layout(cards[node]), []).append(node)
    alike = (part for layouts in groups.values() for part in _parted(layouts))
    return [own for part in alike for own in _by_resources(site, part, cards, holders)]


def _by_resources(
    site: Site, part: Part, cards: Mapping[str, Sequence[Card]], holders: Counter[tuple[str, Value]]
) -> Iterator[Part]:
    """Nodes of one kind of which some have other resources, such as those of two tenants, are several types
    if a label selects each of them; else pods of a network would get nodes that lack its resource. Resources
    with a name for each node part nothing."""
    found = _of_resources((*part[0], *part[1]), cards)
    several = len(found) > 1 and any(len(own) > 1 for own in found)
    if not several or not all(selector_of(site, [*own], holders) for own in found):
        yield part
        return
    for own in found:
        nodes, others = ([node for node in nodes if node in own] for nodes in part)
        yield (nodes, others) if nodes else (others[:1], others[1:])


def _of_resources(nodes: Iterable[str], cards: Mapping[str, Sequence[Card]]) -> list[dict[str, None]]:
    """The nodes whose cards have the same resources."""
    found: dict[tuple[object, ...], dict[str, None]] = {}
    for node in nodes:
        found.setdefault(tuple(card.resources for card in cards[node]), {})[node] = None
    return [*found.values()]


def _gpus_by_node(site: Site, shapes: Mapping[str, tuple[object, ...]]) -> dict[str, tuple[object, ...]]:
    """A host outside Kubernetes whose GPUs no dump has is as the others with such cards, if those agree."""
    found = {node: gpus_of(site, node) for node in shapes}
    known: dict[tuple[object, ...], set[tuple[object, ...]]] = {}
    for node, gpus in found.items():
        known.setdefault(shapes[node], set()).update({gpus} if gpus else ())
    for node, gpus in found.items():
        if not gpus and site.said("node", (node,), "there") is None and len(known[shapes[node]]) == 1:
            found[node] = next(iter(known[shapes[node]]))
    return found


def gpus_of(site: Site, node: str) -> tuple[object, ...]:
    said = gpu_said(site, node)
    return (said[0], said[1].value) if said else ()


def gpu_said(site: Site, node: str) -> tuple[str, Said] | None:
    """The GPU resource; of several, the one with the largest count."""
    found = sorted(site.prefixed("node", (node,), "gpus/"), key=lambda entry: (-_count(entry[1]), entry[0]))
    return found[0] if found else None


def _count(said: Said) -> int:
    return said.value if isinstance(said.value, int) else 0


def holders_of(site: Site) -> Counter[tuple[str, Value]]:
    """Number of nodes with each label."""
    return Counter(
        (key, said.value) for of in site.every("node") for key, said in site.prefixed("node", of, "label/")
    )


def selector_of(
    site: Site, nodes: list[str], holders: Counter[tuple[str, Value]], control: bool = False
) -> tuple[str, Said] | None:
    """A label that exactly these nodes have; preferably one that people set. ``control``: or, at last, a role
    of the control plane."""
    first = dict(site.prefixed("node", (nodes[0],), "label/"))
    fitting = [
        key
        for key, said in first.items()
        if said.value not in NO_INSTANCE_TYPE
        and holders[key, said.value] == len(nodes)
        and all(label_of(site, node, key) == said.value for node in nodes)
    ]
    ranked = sorted((rank, key) for key in fitting if (rank := _rank(key)) is not None)
    ranked += sorted((len(_SECOND), key) for key in fitting if control and key in _CONTROL)
    return (ranked[0][1], first[ranked[0][1]]) if ranked else None


def _rank(key: str) -> int | None:
    """None for a label that does not describe the kind of machine."""
    if key in _SECOND:
        return 2 + _SECOND.index(key)
    if key.startswith(_ROLE) and key not in _CONTROL:
        return 1
    return 0 if is_set_by_people(key) and "topology" not in key else None


def is_set_by_people(key: str) -> bool:
    """Whether neither Kubernetes nor an operator sets the label."""
    return not key.startswith(_PASSED)


def _kind_name(selector: tuple[str, Said] | None, number: int) -> str:
    text = str(selector[1].value or selector[0].rpartition("/")[2]).lower() if selector else ""
    clean = "".join(c if c.isascii() and c.isalnum() else "-" for c in text).strip("-")[:40].strip("-")
    return clean if clean and clean not in ("true", "yes", "1") else f"type-{number + 1}"


def unused(name: str, taken: set[str]) -> str:
    """The name, with a number added if it is taken; marks it as taken."""
    free = name if name not in taken else f"{name}-{len(taken) + 1}"
    while free in taken:
        free += "x"
    taken.add(free)
    return free
