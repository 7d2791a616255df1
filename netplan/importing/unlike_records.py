"""Ports with the cable to a card, as a record or the card's host has it, that hear something no dump has."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from netplan.importing.cabling import CARD, CONFIRMED
from netplan.importing.facts import Fact, Of, Said, Site


def heard_otherwise(site: Site) -> Iterator[Fact]:
    """The other end as heard, which contradicts the record or the host. Only on switches that hear other
    cards: the agent of a DPU has a name of its own on every port."""
    ports: dict[str, list[Of]] = {}
    for of in site.every("port"):
        if len(of) == 2 and _card(site, of) is not None:
            ports.setdefault(of[0], []).append(of)
    for of in (of for own in ports.values() for of in _odd(site, own)):
        heard = _hears(site, of)
        if heard is not None and isinstance(heard.value, tuple):
            yield Fact("port", of, "peer", (CARD, *heard.value[:2]), heard.at)


def _odd(site: Site, ports: Sequence[Of]) -> list[Of]:
    """Of one switch, those that hear something else; none where that may be agents of DPUs."""
    live = [of for of in ports if not _is_record(site, of, _card(site, of))]
    odd = [of for of in ports if _hears(site, of) is not None]
    few = 3 * len({*odd} & {*live}) <= len(live)
    return odd if live and (few or any(_confirmed(site, of) for of in ports)) else []


def _hears(site: Site, of: Of) -> Said | None:
    """What the switch hears on the port and no dump has, unless it hears the card too."""
    heard = site.said("port", of, "hears")
    return None if heard is None or _confirmed(site, of) or _is_record(site, of, heard) else heard


def _confirmed(site: Site, of: Of) -> bool:
    return site.said("port", of, CONFIRMED) is not None


def _card(site: Site, of: Of) -> Said | None:
    said = site.said("port", of, "peer")
    return said if site.listed("port", of, "peer")[:1] == (CARD,) else None


def _is_record(site: Site, of: Of, said: Said | None) -> bool:
    """Whether no neighbour says so: what is heard comes first."""
    return said is not None and any(each.at == said.at for _, each in site.prefixed("port", of, "record"))
