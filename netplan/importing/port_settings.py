"""FEC, auto-negotiation and admin status of the ports of a cable, which ``links`` state for both ends.

SONiC states them in PORT (sonic-net/sonic-buildimage 086b03bd src/sonic-yang-models/yang-models/
sonic-port.yang); of other NOSes netplan writes neither, so that their ports keep what they have.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from netplan.importing.cabling import SWITCH, Cable
from netplan.importing.facts import Contradiction, Remark, Said, Site, first_faults, not_taken, place
from netplan.importing.switches import recorded_nos
from netplan.nos import shipped
from netplan.reading.switches.rules import Rules, rules_of

_FEC = frozenset({"rs", "fc", "none", "auto"})
_KEYS = ("fec", "autoneg", "admin_status")
_ON = {"on": True, "off": False}


def settings_of(site: Site, cable: Cable) -> tuple[str, bool | None]:
    """FEC, empty if none is stated, and auto-negotiation; nothing where the ends differ, or where netplan
    writes neither at one of them. FEC ``auto`` is negotiated, else the default of the port."""
    if _unwritten(site, cable):
        return "", None
    fec, negotiating = (_common(site, cable, name) for name in ("fec", "autoneg"))
    on = _ON.get(negotiating)
    return (fec if fec in _FEC and (fec != "auto" or on) else "", on)


def is_enabled(site: Site, cable: Cable) -> bool:
    """As stated, where netplan writes it at both ends."""
    up = site.text("port", (cable.switch, cable.port), "admin_status") == "up"
    return up and not _unwritten(site, cable)


def _unwritten(site: Site, cable: Cable) -> str:
    """The NOS of an end at which netplan writes none of them; empty if there is none, or it is not known."""
    for name in (cable.switch, *(cable.far[:1] if cable.kind == SWITCH else ())):
        rules = _rules(site, name)
        if rules is not None and not rules.nos.writes("port_settings"):
            return rules.nos.name
    return ""


def unwritten_settings(site: Site, cables: Iterable[Cable]) -> Iterator[Remark]:
    """Of links between a switch whose settings netplan writes and one where it does not."""
    for cable in cables:
        nos = _unwritten(site, cable) if cable.kind == SWITCH else ""
        for name in _KEYS if nos else ():
            said = site.said("port", (cable.switch, cable.port), name)
            if said is not None and said.value != "down":
                why = (
                    f"links state it for both ends, and netplan writes none for {nos}; both ports keep theirs"
                )
                what = f"{name} of {cable.switch} {cable.port}"
                yield replace(not_taken(said.at, what, said.value, why), alike=f"{name}: {why}")


def _common(site: Site, cable: Cable, name: str) -> str:
    """What both ends state, or the one whose configuration is known."""
    ends = _ends(site, cable, name)
    both = cable.kind == SWITCH and site.said("port", cable.far, "speed") is not None
    alike = len({said.value for said in ends}) == 1 and len(ends) == 1 + both
    return str(ends[0].value) if alike else ""


def _ends(site: Site, cable: Cable, name: str) -> list[Said]:
    ports = [(cable.switch, cable.port), *([cable.far] if cable.kind == SWITCH else [])]
    return [said for of in ports if (said := site.said("port", of, name)) is not None]


def unlike_ends(site: Site, cables: Iterable[Cable]) -> Iterator[Contradiction]:
    """Cables between switches whose ends have another FEC, or of which one negotiates: the link is down, or
    the dumps are of different times. Those with the same values are one."""
    yield from first_faults(_unlike(site, cables))


def _unlike(site: Site, cables: Iterable[Cable]) -> Iterator[tuple[object, str]]:
    for cable in cables:
        if cable.kind != SWITCH or cable.doubt is not None or (cable.switch, cable.port) > cable.far:
            continue
        for name in ("fec", "autoneg"):
            ends = _ends(site, cable, name)
            if len({said.value for said in ends}) > 1:
                values = " or ".join(f"{said.value} ({place(said.at)})" for said in ends)
                what = f"{cable.switch} {cable.port} to {' '.join(cable.far)}, {name}: {values}"
                yield (name, *(said.value for said in ends)), what


def disabled_ports(site: Site, cables: Iterable[Cable]) -> Iterator[Remark]:
    """Cabled ports that are set down: no key of an inventory keeps that."""
    kept = "netplan leaves such a port as it is, links can only enable it"
    lost = "the first render enables it, as every port with a link: remove the link to keep it down"
    for cable in cables:
        said = site.said("port", (cable.switch, cable.port), "admin_status")
        if said is not None and said.value == "down":
            why = lost if _enables(site, cable.switch) else kept
            yield Remark(said.at, f"{cable.switch} {cable.port} is disabled: {why}", alike=f"disabled: {why}")


def _enables(site: Site, switch: str) -> bool:
    """Whether its files enable each port: so those of a NOS can whose ``links`` state nothing of it."""
    rules = _rules(site, switch)
    return rules is not None and "port-up" in rules.facts and not rules.nos.writes("port_settings")


def _rules(site: Site, switch: str) -> Rules | None:
    fields = site.fields("switch", (switch,))
    nos = fields.get("nos") or recorded_nos(fields)
    return rules_of(str(nos.value), shipped()) if nos is not None else None
