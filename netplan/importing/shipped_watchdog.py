"""PFC watchdogs that run with times as their NOS ships them, for which no source is cited: they are asked."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from netplan.diagnostics import Source
from netplan.importing.facts import Contradiction, Fact, Said, Site, first_faults, place, shown
from netplan.importing.text import Entry, todo
from netplan.model.readback import ReadQos

_SHIPPED = "watchdog_shipped/"
"""Of fields of the cluster: the key of a time that no line of a switch states."""
_TIMES: Mapping[str, tuple[str, ...]] = {
    "cisco-nxos": ("detection_ms", "restoration_ms"),
    "cumulus-nvue": ("detection_ms",),
}
"""NOS -> times that its lines can state. Those of EOS and Junos: eos_watchdog.py, junos_watchdog.py."""
_ASKED = "for all switches, in ms"


def shipped_times(nos: str, qos: ReadQos, at: Callable[[], Source]) -> Iterator[Fact]:
    """``at``: the place where the watchdog is turned on."""
    stated = {"detection_ms": qos.detection_ms, "restoration_ms": qos.restoration_ms}
    for name in _TIMES.get(nos, ()):
        if qos.watchdog and not stated[name]:
            yield Fact("cluster", (), f"{_SHIPPED}{name}", True, at())


def asked_watchdog(site: Site) -> Entry | None:
    """Where no switch states a time."""
    said = next((said for _, said in site.prefixed("cluster", (), _SHIPPED)), None)
    if said is None or any(site.prefixed("cluster", (), "watchdog/")):
        return None
    what = f"its times {_ASKED}, or remove the key: netplan writes no watchdog"
    return todo(what, f"the one that runs has the times as shipped ({place(said.at)})")


def asked_times(site: Site) -> Iterator[tuple[str, Entry]]:
    """Times that some switch leaves to its NOS."""
    for name, said in site.prefixed("cluster", (), _SHIPPED):
        stated = site.said("cluster", (), f"watchdog/{name}")
        seen = f"as shipped ({place(said.at)})" if stated is None else _both(stated, said)
        yield name, todo(f"time {_ASKED}", seen)


def unlike_times(site: Site) -> Iterator[Contradiction]:
    """Times that one switch states and another leaves to its NOS."""
    rows = [(said, name) for name, said in site.prefixed("cluster", (), _SHIPPED)]
    pairs = [(site.said("cluster", (), f"watchdog/{name}"), said, name) for said, name in rows]
    yield from first_faults(
        ("watchdog", f"{name} of pfc_watchdog: {_both(stated, said)}")
        for stated, said, name in pairs
        if stated is not None
    )


def _both(stated: Said, shipped: Said) -> str:
    return f"{shown(stated.value)} ({place(stated.at)}), as shipped ({place(shipped.at)})"
