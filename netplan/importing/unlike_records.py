"""Ports with the cable to a card, as a record or the card's host has it, that hear something no dump has."""

from __future__ import annotations

from collections.abc import Iterator

from netplan.importing.cabling import CARD, CONFIRMED
from netplan.importing.facts import Fact, Of, Said, Site


def heard_otherwise(site: Site) -> Iterator[Fact]:
    """The other end as heard, which contradicts the record or the host. Only on switches that hear other
    cards: the agent of a DPU has a name of its own on every port."""
    ports: dict[str, list[Of]] = {}
    for of in site.every("port"):
        if len(of) == 2 and _card(site, of) is not None:
            ports.setdefault(of[0], []).append(of)
    for own in ports.values():
        live = [of for of in own if not _is_record(site, of, _card(site, of))]
        odd = [of for of in own if _hears(site, of) is not None]
        of_hosts = [of for of in odd if of in live]
        told = live and (any(_confirmed(site, of) for of in own) or 3 * len(of_hosts) <= len(live))
        for of in odd if told else ():
            heard = _hears(site, of)
            if heard is not None and isinstance(heard.value, tuple):
                yield Fact("port", of, "peer", (CARD, *heard.value[:2]), heard.at)


def _hears(site: Site, of: Of) -> Said | None:
    """What the switch hears on the port and no dump has, unless it hears the card too."""
    heard = site.said("port", of, "hears")
    return None if heard is None or _confirmed(site, of) or _is_record(site, of, heard) else heard


def _confirmed(site: Site, of: Of) -> bool:
    return site.said("port", of, CONFIRMED) is not None


def _card(site: Site, of: Of) -> Said | None:
    said = site.said("port", of, "peer")
    value = said.value if said is not None and isinstance(said.value, tuple) else ()
    return said if value[:1] == (CARD,) else None


def _is_record(site: Site, of: Of, said: Said | None) -> bool:
    """Whether no neighbour says so: what is heard comes first."""
    return said is not None and any(each.at == said.at for _, each in site.prefixed("port", of, "record"))
