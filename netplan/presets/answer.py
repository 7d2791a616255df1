"""From questions to a design: the catalog rows that are meant, and everything that does not fit."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Mapping
from typing import Any

from netaddr import IPNetwork

from netplan.model.nos import NosProfile
from netplan.model.ranges import RangeError, expand
from netplan.nos import available, load_nos
from netplan.plan.ecn import RULES
from netplan.presets.addresses import FabricAddresses, plan, pod_cidr
from netplan.presets.ask import NO_SPINE, Ask, Segment
from netplan.presets.fabric import Design, Misfit, Numbers, design
from netplan.presets.ports import split
from netplan.presets.systems import System, Systems
from netplan.records import dataclass

_NETDEV = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,14}")
_PF_BLOCK = 2
"""Addresses per node in a rail's pool if one pod takes the card: nv-ipam's smallest block."""
ECN_RULE = "nvidia"
"""Rule of plan.ecn for the lossless class."""
Kind = tuple[NosProfile, str, str]
_NOS_OF_ASIC = {"spectrum": "cumulus-nvue", "tomahawk5": "sonic"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Switches:
    """What a fabric with switches (``fabric.type: roce``) needs."""

    nos: NosProfile
    leaf: str
    spine: str
    design: Design
    plan: FabricAddresses
    segment: Segment
    host_table: int
    queue_bytes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PresetAnswer:
    """Everything in a preset's inventory. ``switches``: None if the fabric has no switches of its own."""

    ask: Ask
    system: System
    systems: Systems
    fabric: str
    hca: str
    rails: int
    pci: tuple[str, ...]
    switches: Switches | None


def answer(ask: Ask, systems: Systems) -> PresetAnswer | tuple[Misfit, ...]:
    system = systems.hosts.get(ask.preset)
    if system is None:
        return (_unknown("preset", ask.preset, systems.hosts, "--list-presets lists them"),)
    if system.lacks:
        return (Misfit(f"{system.name} cannot be written yet: {system.lacks}", system.instead),)
    faults = [*_host_faults(ask, system, systems)]
    if faults:
        return tuple(faults)
    fabric, rails = ask.fabric or system.fabrics[0], ask.rails or system.count
    switches = None
    if fabric == "roce":
        found = _switches(ask, system, systems, rails)
        if isinstance(found, tuple):
            return found
        switches = found
    pci = ask.pci or system.pci[:rails]
    hca = ask.hca or system.hcas[0]
    return PresetAnswer(
        ask=ask,
        system=system,
        systems=systems,
        fabric=fabric,
        hca=hca,
        rails=rails,
        pci=pci,
        switches=switches,
    )


def _host_faults(ask: Ask, system: System, systems: Systems) -> Iterable[Misfit]:
    fabric, rails = ask.fabric or system.fabrics[0], ask.rails or system.count
    hca = ask.hca or system.hcas[0]
    if fabric not in system.fabrics:
        yield Misfit(f"{system.name} has no fabric {fabric}", f"give one of {', '.join(system.fabrics)}")
    if not 1 <= rails <= system.count:
        yield Misfit(
            f"{rails} rails: {system.name} has {system.count} HCAs, one to a rail", "give fewer --rails"
        )
    if hca not in systems.hcas:
        yield _unknown("HCA model", hca, systems.hcas, "netplan explain models lists them")
    elif hca not in system.hcas:
        text = f"{system.name} has {' or '.join(system.hcas)}, not {hca}"
        yield Misfit(text, "give one of these, or a row of hosts of your own in a file for --catalog")
    else:
        yield from _hca_faults(ask, system, hca, systems.hcas[hca])
    yield from _netdev_faults(ask.netdev, rails)
    yield from _pci_faults(ask, system, rails)


def _netdev_faults(netdev: str, rails: int) -> Iterable[Misfit]:
    if not netdev:
        return
    hint = f"give {rails} names as a range, such as ens[1-{rails}]np0"
    try:
        names = expand(netdev)
    except RangeError as error:
        yield Misfit(f"--netdev: {error}", hint)
        return
    if len(names) != rails:
        yield Misfit(f"--netdev {netdev} has {len(names)} names for {rails} rails", hint)
    if wrong := [name for name in names if not _NETDEV.fullmatch(name)]:
        yield Misfit(
            f"--netdev: {wrong[0]} is not an interface name",
            "take letters, digits, . _ and -, at most 15 in all",
        )


def _pci_faults(ask: Ask, system: System, rails: int) -> Iterable[Misfit]:
    if ask.vfs and not (system.virtual or ask.pci or system.pci):
        text = f"VFs need the PCI addresses of the cards, and no source states those of {system.name}"
        yield Misfit(text, f"give --pci, {rails} addresses in the order of the rails, or leave --vfs out")
    if ask.pci and len(ask.pci) != rails:
        yield Misfit(
            f"{len(ask.pci)} PCI addresses for {rails} rails", "give one for each rail, in their order"
        )


def _hca_faults(ask: Ask, system: System, hca: str, row: Mapping[str, Any]) -> Iterable[Misfit]:
    if system.speed_gbps not in row["speeds_gbps"]:
        yield Misfit(
            f"{hca} has no port of {system.speed_gbps} Gb/s, which {system.name} has", "give another --hca"
        )
    if ask.vfs > row["max_vfs"]:
        text = f"{ask.vfs} VFs: {hca} has at most {row['max_vfs']} by the catalog"
        yield Misfit(text, "give fewer --vfs, or a row of models.hcas in a file for --catalog")


def _switches(ask: Ask, system: System, systems: Systems, rails: int) -> Switches | tuple[Misfit, ...]:
    kind = _kind(ask, systems)
    if isinstance(kind[0], Misfit):
        return kind
    numbers = _numbers(ask, system, systems, rails, kind)
    if isinstance(numbers, tuple):
        return numbers
    found = design(numbers)
    return (found,) if isinstance(found, Misfit) else _addressed(ask, kind, found)


def _kind(ask: Ask, systems: Systems) -> Kind | tuple[Misfit, ...]:
    """NOS, leaf model and spine model, or what is wrong with the names."""
    leaf = _model(ask.leaf, "--leaf", systems)
    spine = _model(ask.spine, "--spine", systems) if ask.spine not in ("", NO_SPINE) else ask.spine or leaf
    if isinstance(leaf, Misfit) or isinstance(spine, Misfit):
        return tuple(dict.fromkeys(m for m in (leaf, spine) if isinstance(m, Misfit)))
    nos = _nos(ask.nos or _usual_nos(systems.switches[leaf]["asic"]))
    return (nos,) if isinstance(nos, Misfit) else (nos, leaf, spine)


def _addressed(ask: Ask, kind: Kind, found: Design) -> Switches | tuple[Misfit, ...]:
    nos, leaf, spine = kind
    segment: Segment = ask.segment or ("leaf" if found.groups == 1 else "host")
    addresses = plan(found, segment, ask.vfs or _PF_BLOCK, IPNetwork(ask.supernet) if ask.supernet else None)
    faults = (*_segment_faults(ask, segment, nos), *_queue_faults(ask, nos, found.numbers.down.speed_gbps))
    wrong = (*faults, *_address_faults(ask, addresses))
    if wrong:
        return wrong
    return Switches(
        nos=nos,
        leaf=leaf,
        spine=spine,
        design=found,
        plan=addresses,
        segment=segment,
        host_table=ask.host_table,
        queue_bytes=ask.queue_bytes,
    )


def _model(name: str, option: str, systems: Systems) -> str | Misfit:
    """A switch model by name, also without its variant (7060x6) or first letter (sn4700)."""
    if not name:
        return Misfit(f"{option} is not given", "name a switch model; netplan explain models lists them")
    name, rows = name.lower(), systems.switches
    if name in rows:
        return name
    near = [row for row in rows if row.startswith(f"{name}-") or row == f"m{name}"]
    if len(near) == 1:
        return near[0]
    unsupported = [row for row in systems.unsupported.values() if row.name.startswith(name)]
    if unsupported:
        row = unsupported[0]
        return Misfit(f"{option} {name}: {row.title}: {row.reason}", row.instead)
    return _unknown("switch model", name, rows, "netplan explain models lists them")


def _usual_nos(asic: str) -> str:
    return next((nos for start, nos in _NOS_OF_ASIC.items() if asic.startswith(start)), "sonic")


def _nos(name: str) -> NosProfile | Misfit:
    if name not in available():
        return _unknown("NOS", name, available(), f"there are {', '.join(available())}")
    return load_nos({name: ("switch_types",)})[0][name]


def _numbers(
    ask: Ask, system: System, systems: Systems, rails: int, kind: Kind
) -> Numbers | tuple[Misfit, ...]:
    nos, leaf, spine = kind
    rows, up_speed = systems.switches, ask.uplink_gbps or system.speed_gbps
    down = split(leaf, rows[leaf], nos, system.speed_gbps)
    up = split(leaf, rows[leaf], nos, up_speed) if spine != NO_SPINE else None
    top = split(spine, rows[spine], nos, up_speed) if spine != NO_SPINE else None
    texts = dict.fromkeys(part for part in (down, up, top) if isinstance(part, str))
    if isinstance(down, str) or isinstance(up, str) or isinstance(top, str):
        return tuple(Misfit(text, "give another model, --uplink-gbps or --nos") for text in texts)
    return Numbers(
        hosts=ask.hosts,
        rails=rails,
        rails_per_leaf=ask.rails_per_leaf,
        oversubscription=ask.oversubscription,
        down=down,
        up=up,
        spine=top,
        most=ask.hosts_per_leaf,
        spines=ask.spines,
    )


def _segment_faults(ask: Ask, segment: Segment, nos: NosProfile) -> tuple[Misfit, ...]:
    if segment == "host" and ask.vfs:
        text = "VFs need --segment leaf: with host, the link of a card has one address for one pod"
        return (Misfit(text, "give --segment leaf, or leave --vfs out"),)
    if segment == "host" and not nos.writes("announce_host_links"):
        return (Misfit(f"{nos.name} does not announce the links of hosts", "give --segment leaf"),)
    return ()


def _queue_faults(ask: Ask, nos: NosProfile, speed_gbps: int) -> Iterable[Misfit]:
    """For a NOS with ECN thresholds in percent: Kmax, rounded up, must be less than the whole queue."""
    if nos.units.ecn != "percent":
        if ask.queue_bytes:
            yield Misfit(
                f"{nos.name} takes no ECN threshold in percent of a queue", "leave --queue-bytes out"
            )
        return
    kmax = RULES[ECN_RULE].thresholds(speed_gbps).kmax_bytes
    if not ask.queue_bytes:
        text = f"{nos.name} takes ECN thresholds in percent of a queue, and no source has the queue's size"
        yield Misfit(text, "read the memory of the lossless queue on the switch and give --queue-bytes")
    elif kmax * 100 > ask.queue_bytes * 99:
        text = (
            f"--queue-bytes {ask.queue_bytes}: Kmax of ECN is {kmax:,} bytes, which is over 99 % of the queue"
        )
        yield Misfit(text, f"give at least {-(-kmax * 100 // 99)}, if the switch has it, or take another NOS")


def _address_faults(ask: Ask, addresses: FabricAddresses) -> tuple[Misfit, ...]:
    faults = [
        Misfit(
            f"{space.name} need a /{32 - space.bits}, {space.within} is smaller", "give a larger --supernet"
        )
        for space in addresses.too_small
    ]
    if ask.supernet and not faults:
        mine = IPNetwork(addresses.supernet.network)
        taken = (addresses.uplinks, addresses.loopbacks, pod_cidr(ask.hosts))
        for space in taken:
            if mine in IPNetwork(space.network) or IPNetwork(space.network) in mine:
                text = f"--supernet {ask.supernet}: {mine} has addresses of {space.name}, {space.network}"
                faults.append(Misfit(text, "give another range"))
    return tuple(faults)


def _unknown(kind: str, name: str, there: Iterable[str], otherwise: str) -> Misfit:
    close = difflib.get_close_matches(name, list(there), n=1)
    return Misfit(f"no {kind} {name}", f"did you mean {close[0]}?" if close else otherwise)
