"""Ports of which a record has the cable to a card, and which hear something that no dump has."""

from __future__ import annotations

from collections.abc import Iterator

from netplan.importing.cabling import CARD
from netplan.importing.facts import Fact, Of, Said, Site


def heard_otherwise(site: Site) -> Iterator[Fact]:
    """The other end as heard, which contradicts the record. Only on switches that hear other cards: the
    agent of a DPU has a name of its own on every port."""
    ports = [of for of in site.every("port") if len(of) == 2]
    hearing = {
        of[0] for of in ports if (said := _card(site, of)) is not None and not _is_record(site, of, said)
    }
    for of in ports:
        heard, peer = site.said("port", of, "hears"), _card(site, of)
        if heard is None or peer is None or of[0] not in hearing or not isinstance(heard.value, tuple):
            continue
        if _is_record(site, of, peer) and not _is_record(site, of, heard):
            yield Fact("port", of, "peer", (CARD, *heard.value[:2]), heard.at)


def _card(site: Site, of: Of) -> Said | None:
    said = site.said("port", of, "peer")
    value = said.value if said is not None and isinstance(said.value, tuple) else ()
    return said if value[:1] == (CARD,) else None


def _is_record(site: Site, of: Of, said: Said) -> bool:
    """Whether no neighbour says so: what is heard comes first."""
    return any(each.at == said.at for _, each in site.prefixed("port", of, "record"))
