"""The sections ``host_types`` and ``hosts``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from netplan.importing.bonds import LAG_DEVICE, bond_of
from netplan.importing.bystanders import NO_CABLE, OTHER_VLAN
from netplan.importing.cards import NAMES, Card, why_strange
from netplan.importing.facts import Conflict, Site, place
from netplan.importing.firmware import shown_firmware
from netplan.importing.gpu_counts import gpu_lines
from netplan.importing.host_addresses import ADDRESS
from netplan.importing.hosts import HostKind, is_stated
from netplan.importing.names import folded
from netplan.importing.node_labels import NO_INSTANCE_TYPE
from netplan.importing.own_addresses import address_asked
from netplan.importing.rails import FRONT_END
from netplan.importing.slow_links import speed_of_port
from netplan.importing.text import (
    TODO,
    UNSURE,
    Entry,
    block,
    clash,
    comment,
    line,
    listed,
    todo,
    told,
)
from netplan.importing.virtual import INSTANCE_TYPE
from netplan.importing.whole_hcas import idle_vfs
from netplan.model.folding import Folded
from netplan.model.inventory_text import flow, key, scalar
from netplan.model.ranges import trailing_number
from netplan.report import count

_BESIDE = "storage or front-end; netplan writes no PFC to its port"
Row = tuple[tuple[str, object], ...]


def host_type_lines(site: Site, kinds: Sequence[HostKind], strange: Sequence[Card]) -> list[str]:
    if not kinds:
        return [line(0, "host_types", todo("host types", "no card of the catalog is in the dumps"))]
    lines = ["host_types:"]
    for kind in kinds:
        lines += _kind(site, kind, strange)
    return lines


def _kind(site: Site, kind: HostKind, strange: Sequence[Card]) -> list[str]:
    first = kind.cards[0].node
    nodes = count(len(kind.nodes), "node")
    lines = [f"  {key(kind.name)}: {comment(f'{nodes}; values are those of {first}').strip()}"]
    for conflict in site.about("node", (first,), "gpus/"):
        lines.append(line(2, "gpus", clash(conflict)))
    lines += gpu_lines(site, kind)
    if (cloud := _instance_type(site, kind)) is not None:
        lines.append(line(2, "instance_type", cloud))
    lines.append(line(2, "node_selector", _selector(kind)))
    lines += block(2, "hcas", dict(_hcas(site, kind)))
    for card in strange:
        if card.node == first:
            device = card.text("device") or "an unknown device"
            what = f"{card.pci} {device} {card.text('netdev')} is left out: {why_strange(card)}"
            lines.append("    " + comment(what).strip())
    return lines


def _instance_type(site: Site, kind: HostKind) -> Entry | None:
    """Of virtual machines; K3s and RKE2 put their own name into the label."""
    if not any(card.virtual for card in kind.cards):
        return None
    found = [site.said("node", (node,), INSTANCE_TYPE) for node in kind.nodes]
    first = found[0]
    if first is not None and first.value not in NO_INSTANCE_TYPE and len({s and s.value for s in found}) == 1:
        return told(first)
    wanted = any(card.fabric == "efa" for card in kind.cards)
    return todo("instance type, such as p5.48xlarge", "aws ec2 describe-instances") if wanted else None


def _selector(kind: HostKind) -> Entry:
    if not kind.selector:
        return todo(
            "a label that all these nodes carry and no others", "kubectl label nodes, then {key: value}"
        )
    where = listed(dict.fromkeys(place(said.at) for _, said in kind.selector))
    return Entry(flow({name: said.value for name, said in kind.selector}), where)


def _hcas(site: Site, kind: HostKind) -> list[tuple[str, Entry]]:
    """One row for each card; what all rails share stands once, under their range."""
    names = kind.names
    rows = [_values(site, card) for card in kind.cards]
    on_rails = [number for number, card in enumerate(kind.cards) if card.rail is not None]
    entries: list[tuple[str, Entry]] = []
    series = _series(kind.cards, names, rows, on_rails)
    if series is not None:
        name, shared = series
        first = kind.cards[on_rails[0]]
        reasons = [first.rail_from and f"rails {first.rail_from}", *_open(site, first, shared)]
        entries.append((name, Entry(flow(shared), "; ".join(filter(None, reasons)))))
        for number in on_rails:
            rows[number] = {k: v for k, v in rows[number].items() if k not in shared}
    return entries + _single(site, kind, rows)


def _single(site: Site, kind: HostKind, rows: Sequence[Mapping[str, object]]) -> list[tuple[str, Entry]]:
    """One row for each card; functions of a virtual machine that are alike and count up are one."""
    known = {(name,): (card, row) for name, card, row in zip(kind.names, kind.cards, rows, strict=True)}
    columns = [
        (name, str(row["rdma_device"]) if card.virtual and "rdma_device" in row else "")
        for (name,), (card, row) in known.items()
    ]
    keys = [
        (
            name if not card.virtual else "",
            flow({k: v for k, v in row.items() if not d or k != "rdma_device"}),
        )
        for (name, d), (card, row) in zip(columns, known.values(), strict=True)
    ]
    entries: list[tuple[str, Entry]] = []
    at = 0
    for run in folded(zip(keys, columns, strict=True)):
        card, row = kind.cards[at], dict(rows[at])
        at += run.count
        if run.texts[1]:
            row["rdma_device"] = run.texts[1]
        entries.append((run.texts[0], Entry(flow(row), _origin(site, card, row))))
    return entries


def _series(
    cards: Sequence[Card], names: Sequence[str], rows: Sequence[Mapping[str, object]], on: Sequence[int]
) -> tuple[str, dict[str, object]] | None:
    """``roce[0-3]`` with the values all of them share, if rail n is the n-th card."""
    if len(on) < 2 or [cards[number].rail for number in on] != list(range(len(on))):
        return None
    first = rows[on[0]]
    shared = {k: v for k, v in first.items() if all(rows[n].get(k) == v for n in on)}
    shared.pop("numa", None)
    at = list(shared).index("model") + 1 if "model" in shared else 0
    ordered = list(shared.items())
    prefix = names[on[0]].rstrip("0123456789")
    return f"{prefix}[0-{len(on) - 1}]", dict([*ordered[:at], ("rail", 0), *ordered[at:]])


def _values(site: Site, card: Card) -> dict[str, object]:
    """Values by inventory key, in the order that inventories use."""
    row: dict[str, object] = {"model": card.model or TODO}
    if card.rail is not None:
        row["rail"] = card.rail
    speed = card.number("speed_gbps")
    if card.fabric != "pvrdma":  # it has that of the card below
        row["speed_gbps"] = TODO if speed is None else speed
    if (link := card.text("link")) and not card.fabric:
        row["link"] = link
    unsure = [conflict.field for conflict in site.about("card", card.of)]
    row |= {name: TODO for name in ("rail", "speed_gbps", "link") if name in unsure}
    row |= _use(card, "rail" in row, _vfs_clash(site, card) is not None)
    if card.virtual:
        row["virtual"] = True
    if is_stated(card):
        row["pci"] = card.pci if "pci" not in unsure else TODO
    row |= _names(card, unsure)
    numa = card.number("numa")
    if numa is not None:
        row["numa"] = numa
    return row


def _names(card: Card, unsure: Sequence[str]) -> dict[str, object]:
    found: dict[str, object] = {name: text for name in NAMES if (text := card.text(name))}
    if str(found.get("rdma_device", "")).startswith(LAG_DEVICE):
        del found["rdma_device"]  # it is of two ports
    return found | {name: UNSURE for name in NAMES if name in unsure}


def _use(card: Card, on_rail: bool, unsure: bool) -> dict[str, object]:
    vfs = card.number("vfs")
    if not on_rail and not card.for_pods:
        return {"use": TODO if card.rail_from in (NO_CABLE, OTHER_VLAN) else FRONT_END}
    if card.virtual:
        return {"use": "pf" if card.fabric else "vf"}
    if unsure:
        return {"use": "vf", "vfs": TODO}
    return {"use": "vf", "vfs": vfs} if vfs else {"use": "pf"}


def _clashes(site: Site, card: Card, *names: str) -> list[Conflict]:
    found = (site.conflict("card", card.of, name) for name in names)
    return [conflict for conflict in found if conflict is not None]


def _vfs_clash(site: Site, card: Card) -> Conflict | None:
    """About those that run, those of the node's state, or those of a policy where the state has none."""
    own = _clashes(site, card, "vfs", "planned_vfs")
    if own or "planned_vfs" in card.fields:
        return own[0] if own else None
    policies = [of for of in site.every("resource") if of[0] in card.resources]
    found = (site.conflict("resource", of, "vfs") for of in policies)
    return next((conflict for conflict in found if conflict is not None), None)


def _origin(site: Site, card: Card, row: Mapping[str, object]) -> str:
    parts = [f"rail {card.rail_from}"] if "rail" in row and card.rail_from else []
    parts += _open(site, card, row)
    parts += idle_vfs(card)
    if row.get("use") == FRONT_END and (rail := card.number("rail")) is not None:
        parts.append(f"a further PF of rail {rail}, on which an inventory has one HCA")
    elif row.get("use") == FRONT_END:
        parts.append(_left_over(card))
    elif row.get("use") == TODO and card.rail_from == OTHER_VLAN:
        parts.append(f"{TODO}: use: {_BESIDE}; {OTHER_VLAN}")
    elif row.get("use") == TODO:
        parts.append(f"{TODO}: use: front-end or storage; for a rail, dump its leaf; {NO_CABLE}")
    parts.append(shown_firmware(card))
    told = card.fields.get("netdev") or next(iter(card.fields.values()), None)
    parts.append(place(told.at) if told else "")
    return "; ".join(filter(None, parts))


def _left_over(card: Card) -> str:
    bond = bond_of(card)
    if bond is not None:
        return f"port of {bond.value} ({place(bond.at)}), and an inventory has no bond"
    if card.resources:
        return f"no network asks for its resource {', '.join(card.resources)}: front-end or storage"
    return "no policy, device plugin or rail takes it: front-end or storage"


def _open(site: Site, card: Card, row: Mapping[str, object]) -> list[str]:
    """What a person has to fill in or decide in a row, and a speed that no card states."""
    clashes = _clashes(site, card, "pci", *NAMES, "speed_gbps", "link", "rail")
    parts = [f"{c.field}: {clash(c).comment}" for c in clashes if c.field in row]
    if (vfs := _vfs_clash(site, card)) is not None and row.get("vfs") == TODO:
        parts.append(f"vfs: {clash(vfs).comment}")
    if row.get("model") == TODO:
        parts.append(f"{TODO}: model; {_asked(card)}")
    if row.get("speed_gbps") == TODO and not _clashes(site, card, "speed_gbps"):
        parts.append(f"{TODO}: speed_gbps; ethtool {card.text('netdev') or 'of the port'}, on {card.node}")
    elif "speed_gbps" in row and (said := speed_of_port(site, card)) is not None:
        parts.append(f"speed_gbps of its switch port, {place(said.at)}")
    return parts


def _asked(card: Card) -> str:
    if card.fabric == "efa":
        return "efa, efa-1, efa-2 or efa-3 by generation; lspci -n, on the node, shows 1d0f:efa0 to efa3"
    some = f"one of {', '.join(card.models)}" if card.models else "of the card that it is a function of"
    return f"{some}; cat /sys/class/infiniband/{card.text('rdma_device') or 'mlx5_0'}/fw_ver, on {card.node}"


def host_lines(
    site: Site,
    kinds: Sequence[HostKind],
    labels: Mapping[str, Entry],
    ids: Mapping[str, int] | None = None,
) -> list[str]:
    """``labels``: node -> its labels beside those of its type. ``ids``: those that differ from the number in
    the name are stated."""
    if not kinds:
        return [line(0, "hosts", todo("hosts", "no node with a card of the catalog is in the dumps"))]
    lines: list[str] = ["hosts:"]
    overrides: list[str] = []
    for kind in kinds:
        own = {node: _other(site, kind, cards) for node, cards in kind.own.items() if _differs(kind, node)}
        for name, row, note in _runs(site, kind, labels, ids or {}):
            if alone := own.pop(name, None):  # a key stands once
                lines += [f"  {key(name)}: {comment(note)}".rstrip()]
                lines += [f"    {part}: {scalar(value)}" for part, value in row]
                lines += ["    hcas:", *alone]
            else:
                lines.append(line(1, name, Entry(flow(dict(row)), note)))
        overrides += [
            text for node, mine in own.items() if mine for text in (f"  {key(node)}:", "    hcas:", *mine)
        ]
    return [*lines, *overrides]


def _host(kind: HostKind, labels: Entry | None) -> Row:
    return (("type", kind.name), *((("labels", labels.value),) if labels is not None else ()))


def _runs(
    site: Site, kind: HostKind, labels: Mapping[str, Entry], ids: Mapping[str, int]
) -> Iterator[tuple[str, Row, str]]:
    """Hosts with the same values as one name each, its values, and where they are stated."""
    rows = {node: (_host(kind, labels.get(node)), _offset(node, ids)) for node in kind.nodes}
    places = {row: labels[node].comment for node, (row, _) in reversed(rows.items()) if node in labels}
    at = 0
    for run in folded((row, (node,)) for node, row in rows.items()):
        first = kind.nodes[at]
        seen = next(iter(site.fields("node", (first,)).values()), None)
        where = places.get(run.key[0]) or (place(seen.at) if seen is not None else "")
        yield run.texts[0], _with_id(run, first, ids), where
        at += run.count


def _offset(node: str, ids: Mapping[str, int]) -> int:
    """What the id of a host is more than the number in its name; hosts of a range share it."""
    return ids[node] - (trailing_number(node) or 0) if node in ids else 0


def _with_id(run: Folded[tuple[Row, int]], first: str, ids: Mapping[str, int]) -> Row:
    row, offset = run.key
    return (*row[:1], ("id", ids[first]), *row[1:]) if offset else row


def _differs(kind: HostKind, node: str) -> bool:
    return node in kind.others or any({"address", ADDRESS} & card.fields.keys() for card in kind.own[node])


def _other(site: Site, kind: HostKind, cards: Sequence[Card]) -> list[str]:
    """Where this host differs from its type, and what sources contradict about it alone."""
    lines = []
    for name, usual, own in zip(kind.names, kind.cards, cards, strict=True):
        stated = own.fields.get("address") or own.fields.get(ADDRESS)
        clashes = _clashes(site, own, "pci", *NAMES) if own.of != usual.of else []
        row = {**_unlike(own, usual), **({"address": stated.value} if stated is not None else {})}
        row |= {each.field: UNSURE for each in clashes}
        if row:
            told = stated or own.fields.get("netdev") or next(iter(own.fields.values()))
            parts = [address_asked(own)] if row.get("address") == TODO else []
            why = "; ".join([*parts, *(f"{c.field}: {clash(c).comment}" for c in clashes), place(told.at)])
            lines.append(f"      {key(name)}: {scalar(flow(row))}{comment(why)}")
    return lines


def _unlike(own: Card, usual: Card) -> dict[str, object]:
    pci: dict[str, object] = {"pci": own.pci} if own.pci != usual.pci and is_stated(own) else {}
    names = {part: own.text(part) for part in NAMES if own.text(part) not in ("", usual.text(part))}
    return pci | names
