"""What the programs of a host show of its cards.

Shapes: ``netplan/importing/bare``, which names the sources. A card is known by its PCI address; what a file
says of an interface or an RDMA device is said of the card that the files of the same folder give that name.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from pathlib import PurePath

from netplan.diagnostics import Diagnostic, Source
from netplan.importing.bare.printed_text import cells_of, lines
from netplan.importing.bare.read import read_hosts
from netplan.importing.bare.rows import address, host_of
from netplan.importing.facts import Fact, Of, Remark, Site, by_short_name
from netplan.live.cards import FIELDS, NAMES, pci_of, stated
from netplan.live.commands import own
from netplan.live.host_addresses import beside_cards, rails_of
from netplan.live.model import Reading
from netplan.live.names import named
from netplan.model.document import Places
from netplan.model.hardware import Hca, Host
from netplan.model.plan import Plan
from netplan.records import dataclass

Programs = Mapping[str, Mapping[str, str]]
"""Program -> file, or part of one -> output."""
Folder = dict[str, dict[str, str]]
"""The same, of the files of one folder."""
_OF_INFINIBAND = ("sysfs", "rdma")
"""Programs that show the state of an InfiniBand port: the others show that of its IPoIB interface."""

_NO_PCI = "no PCI address of a device: ask mlxconfig with -d 0000:18:00.0, not /dev/mst/..."
_PLAN = Source("", 1, 1)


@dataclass(slots=True)
class HostsRead:
    """``unread``: (file or host, why nothing was read from it)"""

    readings: list[Reading] = field(default_factory=list)
    unread: list[tuple[str, str]] = field(default_factory=list)
    problems: list[Diagnostic] = field(default_factory=list)


def part_of(file: str, line: int) -> str:
    """A name for what stands in a file from that line on."""
    return f"{file}\0{line}"


def _file(name: str) -> str:
    return name.partition("\0")[0]


def read_cards(programs: Programs, told: Mapping[str, str], plan: Plan, places: Places) -> HostsRead:
    """The files of a folder, as a tar is, are those of one moment: names of another are not taken for it.
    ``told``: file, or part of one -> the machine that a prompt in it names."""
    hosts = {host.name: host for host in plan.fabric.hosts if host.named}
    known = by_short_name(hosts)
    read, rails = HostsRead(), rails_of(plan)
    for folder in _folders(programs):
        every = {name: _file(name) for names in folder.values() for name in names}
        called = {name: told.get(name) or _host(file, known, hosts) for name, file in every.items()}
        mine = {name: hosts[host] for name, host in called.items() if host in hosts}
        read.unread += [(each, "no host of the inventory has this name") for each in _strangers(called, mine)]
        shown = _only(folder, mine)
        _read_folder(read, shown, mine, places)
        for name, text in shown.get("ip", {}).items():
            read.readings += beside_cards(mine[name], name, text, rails, places)
    return _of_files(read)


def _of_files(read: HostsRead) -> HostsRead:
    """With the names of files in place of those of their parts."""
    return HostsRead(
        [replace(one, at=_in_file(one.at)) for one in read.readings],
        [(_file(name), why) for name, why in read.unread],
        [replace(one, source=one.source and _in_file(one.source)) for one in read.problems],
    )


def _only(folder: Folder, names: Collection[str]) -> Folder:
    return {program: {name: of[name] for name in of if name in names} for program, of in folder.items()}


def _in_file(at: Source) -> Source:
    return replace(at, file=_file(at.file))


def _strangers(called: Mapping[str, str], mine: Collection[str]) -> list[str]:
    """What the files of no host of the inventory say that they are of."""
    names = (host_of(_file(name)) or called[name] or _file(name) for name in called if name not in mine)
    return list(dict.fromkeys(names))


def _read_folder(read: HostsRead, folder: Folder, hosts: Mapping[str, Host], places: Places) -> None:
    """``hosts``: file, or part of one -> its host."""
    cut = _cut_off(folder)
    read.unread += [(file, "it ends in the middle of a line, other functions may be missing") for file in cut]
    mine = {host.name: host for host in hosts.values()}
    names = {file: host.name for file, host in hosts.items()}
    found = read_hosts(folder, mine, places, _planned(mine.values()), states=True, meant=names)
    read.problems += found.problems
    read.unread += [(one.at.file, one.text) for one in found.found if isinstance(one, Remark)]
    facts = _by_host(found.found)
    program = {file: name for name, files in folder.items() for file in files}
    read.unread += [(file, _NO_PCI) for file in found.idle if program[file] == "mlxconfig"]
    for host in mine.values():
        read.readings += _shown(host, facts.get(host.name, []), program)
    without = (host.name for host in mine.values() if not _has_pci(host))
    read.unread += [(name, "the inventory has no PCI address of its cards") for name in without]
    for file, text in folder.get("sysfs", {}).items():
        _functions(read, hosts[file], list(lines(file, text, places)), file in cut)


def _has_pci(host: Host) -> bool:
    return any(pci_of(host, hca) for hca in host.type.hcas)


def _by_host(found: Iterable[Fact | Remark]) -> dict[str, list[Fact]]:
    """Facts about cards."""
    facts: dict[str, list[Fact]] = {}
    for one in found:
        if isinstance(one, Fact) and one.kind == "card":
            facts.setdefault(one.of[0], []).append(one)
    return facts


def _host(file: str, known: Mapping[str, str], hosts: Collection[str]) -> str:
    """As read_hosts has it, else by how the name begins; empty if that is no host of the inventory."""
    called = host_of(file)
    name = known.get(called) or known.get(called.partition(".")[0], called)
    return name if name in hosts else own(called, frozenset(hosts)) or named(file, hosts)


def _cut_off(folder: Folder) -> list[str]:
    """Lists of functions whose last line is cut off, which is then left out."""
    listed = folder.get("sysfs", {})
    cut = [file for file, text in listed.items() if not text.endswith("\n")]
    for file in cut:
        listed[file] = listed[file][: listed[file].rfind("\n") + 1]
    return cut


def _folders(programs: Programs) -> list[Folder]:
    found: dict[str, Folder] = {}
    for program, files in programs.items():
        for file, text in files.items():
            found.setdefault(str(PurePath(_file(file)).parent), {}).setdefault(program, {})[file] = text
    return list(found.values())


def _planned(hosts: Iterable[Host]) -> Site:
    """The planned cards as another source of the hosts' cards: a file without device IDs, such as ``ip -j
    link``, is about them too; without PCI addresses, about the interfaces of the planned names."""
    site = Site()
    for host in hosts:
        for hca in host.type.hcas:
            pci, values = pci_of(host, hca), stated(host, hca)
            names = [name for name in ("device", "netdev") if pci and values[name]]
            site.add(Fact("card", (host.name, pci), name, values[name], _PLAN) for name in names)
    return site


def _shown(host: Host, facts: Sequence[Fact], program: Mapping[str, str]) -> Iterator[Reading]:
    """Of all that the files say, what they say of the cards as they are now. ``program``: of a file."""
    by_pci = {pci_of(host, hca): hca for hca in host.type.hcas}
    better = _better(facts, program)
    for fact in facts:
        hca = by_pci.get(fact.of[1])
        if hca is None or fact.field not in FIELDS or (fact.of, fact.field, str(fact.value)) in better:
            continue
        if fact.field == "firmware_vfs":
            if int(str(fact.value)) < (hca.own_vfs or 0):
                yield _said(host, fact.of[1], fact.field, str(fact.value), fact.at)
        elif _is_of_now(fact, hca, program[fact.at.file]):
            yield _said(host, fact.of[1], fact.field, str(fact.value), fact.at)
    yield from _elsewhere(host, facts)


def _better(every: Iterable[Fact], program: Mapping[str, str]) -> set[tuple[Of, str, str]]:
    """(card, field, value) that another file is to be believed about: the address of a bond in place of the
    card's, and the part that ip prints of a long list of VFs where the kernel has their number."""
    found = {(fact.of, "mac", str(fact.value)) for fact in every if fact.field == "replaced_mac"}
    counts: dict[Of, dict[str, set[str]]] = {}
    for fact in every:
        if fact.field == "vfs":
            by_program = counts.setdefault(fact.of, {})
            by_program.setdefault(program[fact.at.file], set()).add(str(fact.value))
    for of, by_program in counts.items():
        if exact := by_program.get("sysfs"):
            found |= {(of, "vfs", value) for value in by_program.get("ip", set()) - exact}
    return found


def _is_of_now(fact: Fact, hca: Hca, shown_by: str) -> bool:
    """Neither the state of an IPoIB interface nor the link at the next start of the firmware is the port's,
    except that a firmware that will change the link is wrong today."""
    if fact.field == "oper" and hca.link == "infiniband":
        return shown_by in _OF_INFINIBAND
    return fact.field != "link" or shown_by != "mlxconfig" or fact.value != hca.link


def _elsewhere(host: Host, facts: Iterable[Fact]) -> Iterator[Reading]:
    """A planned name that another function has is not that of its card, even if no file shows the card."""
    cards = [(pci_of(host, hca), stated(host, hca)) for hca in host.type.hcas]
    owners = {(key, values[key]): pci for pci, values in cards for key in NAMES if pci and values[key]}
    for fact in facts:
        pci = owners.get((fact.field, str(fact.value)), fact.of[1])
        if pci != fact.of[1]:
            yield _said(host, pci, fact.field, f"{fact.value} at {fact.of[1]}", fact.at)


def _functions(read: HostsRead, host: Host, said: Sequence[tuple[str, Source]], cut: bool) -> None:
    """What the list of all network functions says by what is not in it, or is there with no value."""
    said = [(line, at) for line, at in said if line.strip()]
    rows = {address(cells.get("pci", "")): (cells, at) for line, at in said if (cells := cells_of(line))}
    rows.pop("", None)
    file = said[0][1].file
    if not rows:
        read.unread.append((file, f"the kernel of {host.name} shows no network function"))
        return
    for hca in host.type.hcas:
        pci = pci_of(host, hca)
        if pci in rows:
            cells, at = rows[pci]
            found = dict((*_unlike(cells), *_without_driver(cells, hca)))
            read.readings += [_said(host, pci, key, value, at) for key, value in found.items()]
        elif pci and not cut:
            read.readings.append(_said(host, pci, "device", "no function", said[0][1]))


def _unlike(cells: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """(field, what the line says), where an inventory would have none of it."""
    if cells.get("physfn"):
        ids = ":".join(cells.get(key, "").removeprefix("0x") for key in ("vendor", "device"))
        yield "device", f"{ids}, a virtual function"
    elif cells.get("vfs") == "":
        yield "vfs", "0"
    speed = cells.get("speed", "")
    if speed.isdecimal() and 0 < int(speed[:9]) < 1000:
        yield "speed_gbps", f"{int(speed) / 1000:g}"


def _without_driver(cells: Mapping[str, str], hca: Hca) -> Iterator[tuple[str, str]]:
    """A card whose VFs pods get stays on the host, with its RDMA device and its interface; only that of IPoIB
    may be missing."""
    if hca.own_vfs and "ib" not in cells:
        yield "rdma_device", "none"
    if "ib" not in cells and cells.get("net"):
        yield "rdma", "none"
    if hca.own_vfs and hca.link == "ethernet" and "net" not in cells:
        yield "netdev", "none"


def _said(host: Host, pci: str, key: str, found: str, at: Source) -> Reading:
    return Reading(where=host.name, kind="card", subject=pci, field=key, found=found, at=at)
