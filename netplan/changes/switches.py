"""What the steps from one render's switches to the other's, and moved cables, do to traffic: rows of a diff.

Loading the new files adds and replaces. What only the old files state stays on the switch until somebody
removes it, and so does an address that moves to another interface.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

from netplan.changes.drift_text import in_ranges
from netplan.changes.effects import Effects
from netplan.changes.model import Effect, Touched
from netplan.changes.sides import Side
from netplan.changes.steps import NAMED, Step, steps
from netplan.model.ranges import gathered
from netplan.model.readback import ReadSwitch
from netplan.model.site import SiteFacts
from netplan.model.values import natural
from netplan.report import few

_PAGES = ("README.md", "cabling.csv")

SwitchRead = tuple[str, ReadSwitch | None, ReadSwitch | None]
"""(name, before, after); None if the switch does not exist then."""


def switch_effects(
    switches: Iterable[SwitchRead],
    effects: Effects,
    sending: Collection[int] = range(64),
    alike: Callable[[str], bool] = lambda name: False,
) -> Iterator[Touched]:
    """One row for switches with the same changes. ``sending``: DSCPs in use. ``alike``: whether two versions
    of a switch whose read facts are equal set the same."""
    groups: dict[tuple[str, str, Effect], list[str]] = {}
    for name, before, after in switches:
        read = after or before
        if read is None:
            continue
        found = steps(before, after, sending)
        if [step.kind for step in found] == ["unread"] and alike(name):
            continue
        for step, said in listed_ports(found, len(read.ports)):
            effect = effects.of_switch(step.kind, read.nos)
            groups.setdefault((step.kind, said, effect), []).append(name)
        if before is not None and any(step.kind in _TAKEN_OUT for step in found):
            groups.setdefault((ISOLATED, "", effects.of_switch(ISOLATED, before.nos)), []).append(name)
    for (kind, said, effect), names in groups.items():
        yield Touched("switches", gathered(names), f"{WORDS[kind]} {said}".strip(), effect)


def plugged(site: SiteFacts) -> dict[tuple[str, str], str]:
    """Port of a switch -> the other end of its cable."""
    return {(cable.switch, cable.port): f"{cable.peer} {cable.peer_port}" for cable in site.cables}


def cable_effects(sites: tuple[SiteFacts, SiteFacts], effects: Effects) -> Iterator[Touched]:
    """Ports that get a cable from another peer."""
    before, after = map(plugged, sites)
    both = set(before.values()) & set(after.values())
    of_hosts = {
        (cable.switch, cable.port) for site in sites for cable in site.cables if cable.peer_kind == "host"
    }
    for place in sorted({*before, *after}, key=lambda place: tuple(map(natural, place))):
        was, now = before.get(place, ""), after.get(place, "")
        if was != now:
            kind = "moved" if (was and now) or both & {was, now} else "new" if now else "gone"
            if kind != "new" and place not in of_hosts:
                kind = f"{kind} {BETWEEN}"
            change = f"cable {was or 'none'} -> {now or 'none'}"
            yield Touched("switches", " ".join(place), change, effects.cables[kind])


BETWEEN = "between switches"
ISOLATED = "isolated"
"""What precedes a step of ``_TAKEN_OUT``, by the NOS that runs until then."""
_TAKEN_OUT = ("switch-gone", "nos")
WORDS: Mapping[str, str] = {
    "switch-added": "new",
    "switch-gone": "gone",
    "nos": "NOS",
    ISOLATED: "taken out of routing",
    "vlan-added": "VLAN new:",
    "vlan-gone": "VLAN gone:",
    "member-added": "VLANs of ports, new:",
    "member-gone": "VLANs of ports, gone:",
    "untagged": "untagged VLAN",
    "address-added": "address new:",
    "address-gone": "address gone:",
    "address-moved": "address moved:",
    "address-replaced": "address replaced:",
    "mtu": "IP MTU",
    "up": "enabled:",
    "down": "shut down:",
    "port-added": "ports new:",
    "port-gone": "ports gone:",
    "asn": "AS number",
    "neighbour-added": "BGP neighbour new:",
    "neighbour-gone": "BGP neighbour gone:",
    "neighbour-as": "AS of BGP neighbour",
    "announced": "announced:",
    "announced-gone": "no longer announced:",
    "trust": "trust",
    "pfc": "PFC",
    "queues": "queues of DSCP",
    "groups": "priority groups of DSCP",
    "idle-queues": "queues of DSCP",
    "idle-groups": "priority groups of DSCP",
    "buffers": "lossless buffers",
    "headroom": "cable length of the headroom",
    "ecn": "ECN",
    "watchdog": "PFC watchdog",
    "scheduling": "scheduling",
    "arp": "ARP ageing",
    "feature-added": "feature enabled:",
    "feature-gone": "feature no longer needed:",
    "paths": "equal paths of BGP",
    "unread": "lines",
}


def files_of(side: Side, name: str) -> Mapping[str, str]:
    found = side.part("switches").get(name, {})
    return {file: text for file, text in found.items() if file and file not in _PAGES}


def listed_ports(found: list[Step], ports: int) -> Iterator[tuple[Step, str]]:
    """Ports with the same change together, as (first step, text for all); changes without a port in runs.
    ``ports``: number of all ports."""
    groups: dict[tuple[str, str], list[Step]] = {}
    for step in found:
        groups.setdefault((step.kind, step.said if step.at else ""), []).append(step)
    for (_, said), alike in groups.items():
        names = [step.at or step.said for step in alike]
        runs = [*in_ranges(names)]
        listed = f"all {ports} ports" if said and len(names) == ports else few(runs, NAMED)
        yield alike[0], f"{said} on {listed}" if said else listed
