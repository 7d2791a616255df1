"""Turns the files of all hosts into facts about cards."""

from __future__ import annotations

import re
from collections.abc import Collection, Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice

from netplan.diagnostics import Diagnostic, Source
from netplan.importing.bare import printed_json, printed_text
from netplan.importing.bare.lshw_lists import one_list
from netplan.importing.bare.macs import Placed, all_macs, with_own_macs
from netplan.importing.bare.rows import MOST_ROWS, PORT_OF, STATES, Found, Row, Same, host_of
from netplan.importing.domain_names import DomainNames
from netplan.importing.facts import Fact, Remark, Said, Site, Value, by_short_name, not_taken
from netplan.importing.sonic.read import diagnostics
from netplan.importing.virtual import physical_models, vf_models
from netplan.model.document import Places
from netplan.reading.config_db.scan import scan

_FIELDS = {"netdev": "netdev", "rdma": "rdma_device"}
Fields = dict[str, Mapping[str, Said]]
"""PCI address -> fields of the card, as other sources show them."""
_GPUS = "gpus/nvidia.com/gpu"
_EMPTY = re.compile(r"\s*(?:\[[\s{},]*\]|\{\s*\})\s*")


@dataclass(slots=True)
class _Host:
    """``again``: names that another file, or another row, gives to another function."""

    states: bool
    rows: list[Row] = field(default_factory=list)
    names: dict[tuple[str, str], Same] = field(default_factory=dict)
    again: list[Same] = field(default_factory=list)
    virtual: set[str] = field(default_factory=set)
    kernel: bool = False
    gpus: list[tuple[int, Source]] = field(default_factory=list)
    idle: list[str] = field(default_factory=list)

    @property
    def size(self) -> int:
        return len(self.rows) + len(self.names) + len(self.gpus)

    def add(self, found: Iterable[Found]) -> list[Remark]:
        """Returns remarks about what was not taken."""
        remarks: list[Remark] = []
        for one in islice(found, MOST_ROWS):
            if isinstance(one, Remark):
                remarks.append(one)
            elif isinstance(one, Row):
                self.rows += [one] if self.states or one.field not in STATES else []
            elif isinstance(one, Same):
                first = self.names.setdefault((one.kind, one.name), one)
                self.again += [one] if self.states and one.pci != first.pci else []
            else:
                self.virtual.add(one.pci)
        return remarks


@dataclass(slots=True)
class ReadHosts:
    """``used``: files with anything of use. ``idle``: those of a host with others of use, such as what
    ``devlink -j dev`` prints: read, and nothing in them that the others lack."""

    found: list[Fact | Remark] = field(default_factory=list)
    problems: list[Diagnostic] = field(default_factory=list)
    used: list[str] = field(default_factory=list)
    idle: list[str] = field(default_factory=list)


def read_hosts(
    texts: Mapping[str, Mapping[str, str]],
    nodes: Iterable[str],
    places: Places,
    site: Site | None = None,
    states: bool = False,
    meant: Mapping[str, str] = {},
) -> ReadHosts:
    """``texts``: program -> file -> output. Files of one host are joined. ``nodes``: of the cluster; a host
    is the node with the same name, or with the same name up to the first dot. ``site``: other sources, whose
    cards of a node are those of the host too. ``states``: with what changes by itself, and with every name
    that any function has anywhere. ``meant``: file -> its host, in place of what its name says."""
    nodes = [*nodes]
    read, known, domains = ReadHosts(), by_short_name(nodes), DomainNames(nodes)
    shown = _shown(site) if site is not None and texts else {}
    hosts: dict[str, _Host] = {}
    for program, files in texts.items():
        for file, text in files.items():
            called = meant.get(file) or host_of(file)
            name = known.get(called) or known.get(called.partition(".")[0]) or domains.of(called)
            if not name:
                at = places.sources.source(places.sources.add(file, ""))
                read.found.append(
                    Remark(
                        at,
                        f"the file does not say which host's {program} this is; name it after the host",
                    )
                )
                continue
            _read(hosts.setdefault(name, _Host(states)), program, file, text, places, read)
    for name, host in hosts.items():
        read.found += _facts(name, host, shown.get(name, {}))
        read.idle += host.idle if host.size else []
    return read


def empty_files(texts: Mapping[str, str], used: Iterable[str]) -> list[str]:
    """Empty lists beside files of use of the same host: ``rdma -j link`` of one without RDMA devices."""
    hosts = {host_of(file) for file in used}
    return [file for file, text in texts.items() if _EMPTY.fullmatch(text) and host_of(file) in hosts]


def _shown(site: Site) -> dict[str, Fields]:
    found: dict[str, Fields] = {}
    for of in site.every("card"):
        found.setdefault(of[0], {})[of[1]] = site.fields("card", of)
    return found


def _read(host: _Host, program: str, file: str, text: str, places: Places, read: ReadHosts) -> None:
    before, problems = host.size, len(read.problems)
    if program in printed_json.READERS:
        scanned = scan(file, one_list(text) if program == "lshw" else text, places)
        read.problems += diagnostics(scanned.problems, places)
        read.found += host.add(printed_json.READERS[program](scanned.data, places))
    elif program == "topology":
        rows, gpus = printed_text.topology(printed_text.lines(file, text, places))
        read.found += host.add(rows)
        host.gpus += [gpus] if gpus else []
    else:
        reader = printed_text.lspci if program == "lspci" else printed_text.sysfs
        read.found += host.add(reader(printed_text.lines(file, text, places)))
        host.kernel |= program == "sysfs"
    if host.size > before:
        read.used.append(file)
    elif len(read.problems) == problems:
        host.idle.append(file)


def _facts(name: str, host: _Host, known: Fields) -> Iterator[Fact | Remark]:
    """Facts about functions whose PCI address any of the files gives."""
    cards = _cards(host)
    for at in cards.values():
        yield Fact("node", (name,), "seen", True, at)
    for row in host.rows:
        if row.field == "device" and str(row.value) in vf_models() and row.name not in cards:
            yield Fact("node", (name,), "virtual", True, row.at)
    for count, at in host.gpus:
        if 0 < count <= 64:
            yield Fact("node", (name,), _GPUS, count, at)
        else:
            yield not_taken(at, "GPUs", count, "the inventory allows 1 to 64")
    yield from _card_facts(name, host, cards, known)


def _card_facts(name: str, host: _Host, own: Collection[str], shown: Fields) -> Iterator[Fact | Remark]:
    """``own``: cards that the host's files show; ``shown``: cards that other sources show."""
    known = {pci: row for pci, row in shown.items() if pci not in own}
    there = {*own, *known}
    for same in (*host.names.values(), *host.again):
        if same.pci in there or host.states:
            yield Fact("card", (name, same.pci), _FIELDS[same.kind], same.name, same.at)
    rows = _placed(host, there, known)
    macs = {pci: fields["mac"].value for pci, fields in shown.items() if "mac" in fields}
    for pci, row in all_macs(rows) if host.states else with_own_macs(rows, macs):
        if row.field != "mac" or pci in own or pci not in macs:
            yield Fact("card", (name, pci), row.field, row.value, row.at)
    yield from _bond_addresses(host, {row.value for _, row in rows if row.field == "bond"})


def _placed(host: _Host, there: Container[str], known: Fields) -> list[Placed]:
    """The rows of cards, each with the PCI address of its card."""
    by_name = _by_name(host, known)
    placed = ((by_name.get((row.kind, row.name), row.name), row) for row in host.rows)
    found = [(pci, row) for pci, row in placed if pci in there]
    rows = [(pci, row) for pci, row in found if row.field != PORT_OF]
    return [*rows, *_bridge_addresses(host, found)]


def _bond_addresses(host: _Host, bonds: Container[Value]) -> Iterator[Remark]:
    for row in host.rows:
        if row.name in bonds and row.field.startswith("address/"):
            ip = f"{row.field.partition('/')[2]}/{row.value}"
            yield not_taken(row.at, "address of a bond", ip, "an inventory has no bond")


def _bridge_addresses(host: _Host, rows: Iterable[Placed]) -> Iterator[Placed]:
    """Addresses of a bridge are those of the first card that is a port of it."""
    ports: dict[Value, str] = {}
    for pci, row in rows:
        if row.field == PORT_OF:
            ports.setdefault(row.value, pci)
    for row in host.rows:
        if row.name in ports and row.field.startswith("address/"):
            yield ports[row.name], row


def _by_name(host: _Host, known: Fields) -> dict[tuple[str, str], str]:
    """Kind of name and name -> PCI address."""
    found: dict[tuple[str, str], str] = {
        ("netdev", str(row["netdev"].value)): pci for pci, row in known.items() if "netdev" in row
    }
    found |= {key: same.pci for key, same in host.names.items()}
    rdma = {(row.kind, row.name): str(row.value) for row in host.rows if row.field == "rdma_device"}
    return found | {("rdma", device): found[key] for key, device in rdma.items() if key in found}


def _cards(host: _Host) -> dict[str, Source]:
    """Functions whose device ID is known; the others are bridges, not cards, or virtual functions of a card
    of this host. The kernel says which those are (``physfn``); without it, a function that no card of this
    host can have made was passed to this machine."""
    stated = {row.name: row for row in host.rows if row.field == "device"}
    makers = {model for row in stated.values() for model in physical_models().get(str(row.value), ())}

    def of_this_host(device: str) -> bool:
        return device in vf_models() and not host.kernel and not makers.isdisjoint(vf_models()[device])

    return {
        pci: row.at
        for pci, row in stated.items()
        if pci not in host.virtual and not of_this_host(str(row.value))
    }
