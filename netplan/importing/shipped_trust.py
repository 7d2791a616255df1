"""Ports with PFC that do not state what they classify by, on a NOS that ships with another word than dscp.

Arista EOS user manual, Quality of Service, Trust Mode: as shipped a switched port trusts CoS, a routed port
DSCP.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from netplan.diagnostics import Source
from netplan.importing.facts import Fact, Site, place
from netplan.importing.text import Entry, todo
from netplan.model.readback import ReadSwitch

_WORDS: Mapping[str, str] = {"arista-eos": "CoS"}
"""NOS -> what its switched ports trust as shipped."""
_UNTRUSTED = "untrusted"


def shipped_trust(nos: str, read: ReadSwitch, text: str, file: str) -> Iterator[Fact]:
    word = _WORDS.get(nos)
    for port in read.ports.values() if word else ():
        if port.qos.pfc and not port.trust and not port.addresses:
            said = f"{read.name} {port.name} states none and trusts {word} as shipped"
            at = Source(file, read.line(text, "port", port.name) or 1, 1)
            yield Fact("port", (read.name, port.name), _UNTRUSTED, said, at)


def untrusted(site: Site) -> Entry | None:
    """The question, where no port of any switch states it."""
    said = next((said for of in site.every("port") if (said := site.said("port", of, _UNTRUSTED))), None)
    return None if said is None else todo("dscp or pcp", f"{said.value}, {place(said.at)}")
