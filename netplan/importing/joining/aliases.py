"""Switch ports known only from neighbours, by their names in the inventory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from netplan.importing.cabling import CARD, Cable, is_listed
from netplan.importing.facts import Of, Site
from netplan.importing.joining.known import Known

_ALIASES = "sonic"
"""SONiC's LLDP port ID is the port's alias; its port description is the configured one, else the port's name
(sonic-net/sonic-buildimage dockers/docker-lldp/lldpmgrd)."""
_OWN = "Ethernet"


def as_known(known: Known, site: Site, cables: Sequence[Cable], names: Mapping[Of, str]) -> list[Cable]:
    """``names``: card -> HCA. An alias that no dump resolves stands for the port of the inventory's cable to
    the same end: nothing contradicts that."""
    renamed: dict[Of, Of] = {}
    for cable in cables:
        own = (cable.switch, cable.port)
        if cable.switch in known.switches and own not in known.ports and not is_listed(site, own):
            renamed[own] = (cable.switch, _port(known, site, cable, names))
    return [_with(cable, renamed) for cable in cables]


def _port(known: Known, site: Site, cable: Cable, names: Mapping[Of, str]) -> str:
    own = (cable.switch, cable.port)
    called = [
        name for name, _ in site.prefixed("port", own, "called/") if (cable.switch, name) in known.ports
    ]
    if len(called) == 1:
        return called[0]
    nos = known.switches[cable.switch].type.nos
    if not nos.startswith(_ALIASES) or cable.port.startswith(_OWN):
        return cable.port
    if cable.kind == CARD:
        switch, port = known.ends.get((CARD, cable.far[0], names.get(cable.far, "")), ("", ""))
    else:
        end = known.ports.get((cable.far[0], cable.far[1]))
        _, switch, port = end[0] if end else ("", "", "")
    return port if switch == cable.switch else cable.port


def _with(cable: Cable, renamed: Mapping[Of, Of]) -> Cable:
    switch, port = renamed.get((cable.switch, cable.port), (cable.switch, cable.port))
    far = cable.far if cable.kind == CARD else renamed.get(cable.far, cable.far)
    return replace(cable, switch=switch, port=port, far=far)
