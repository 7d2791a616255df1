"""Options of ``init --preset`` that have no effect beside another one: refused, so that nobody relies on
them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from netplan.presets.answer import PresetAnswer
from netplan.presets.ask import NO_SPINE, Ask
from netplan.presets.systems import System

_OF_SWITCHES = (
    "leaf",
    "spine",
    "spines",
    "nos",
    "oversubscription",
    "uplink_gbps",
    "hosts_per_leaf",
    "rails_per_leaf",
    "segment",
    "vfs",
    "supernet",
    "host_table",
    "queue_bytes",
)
_OF_UPLINKS = ("spines", "oversubscription", "uplink_gbps")


def idle_by_fabric(given: Collection[str], ask: Ask, system: System) -> Iterator[str]:
    """``given``: keys of the options on the command line. Each text names both options."""
    fabric = ask.fabric or system.fabrics[0]
    beside = f"--fabric {fabric}" if ask.fabric else f"--preset {system.name}, of fabric {fabric}"
    if fabric != "roce":
        for option in _shown(given, _OF_SWITCHES):
            yield f"{option} goes with --fabric roce, not with {beside}: leave {option} out"
    elif ask.spine == NO_SPINE:
        for option in _shown(given, _OF_UPLINKS):
            yield f"{option} has no effect with --spine {NO_SPINE}: leave one of the two out"
    if "netdev" in given and (system.virtual or fabric == "efa"):
        yield f"--netdev has no effect with {beside}: its HCAs are not known by name; leave --netdev out"


def idle_by_design(given: Collection[str], answer: PresetAnswer) -> Iterator[str]:
    """What is about spines, where one leaf takes every link."""
    switches = answer.switches
    if switches is None or switches.design.spines or answer.ask.spine == NO_SPINE:
        return
    ask = answer.ask
    for option in _shown(given, ("spine", *_OF_UPLINKS)):
        why = f"--rails-per-leaf {ask.rails_per_leaf} and --hosts {ask.hosts}"
        hint = f"leave {option} out, or give --spines"
        yield f"{option} has no effect with {why}: one leaf takes every link; {hint}"


def _shown(given: Collection[str], options: Iterable[str]) -> Iterator[str]:
    return (f"--{option.replace('_', '-')}" for option in options if option in given)
