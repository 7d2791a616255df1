"""The choices of a preset as options: ``netplan init --preset NAME --hosts 128 ...``."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import click

from netplan.printable import printable
from netplan.records import dataclass

_MOST_HOSTS, _MOST_RAILS = 20_000, 64
_SITE = re.compile(r"[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?")
_PCI = re.compile(r"[0-9a-f]{4}:[0-9a-f]{2}:[0-9a-f]{2}\.[0-7]")
_SPEEDS = ("100", "200", "400", "800")


@dataclass(frozen=True, slots=True, kw_only=True)
class Questions:
    """The options and their values; ``given``: those set by the user that are valid only with a preset;
    ``started``: whether an inventory to start from is named."""

    preset: str
    listed: bool
    started: bool
    catalog: str | None
    given: tuple[str, ...]
    values: dict[str, Any]


def _ratio(ctx: click.Context, param: click.Parameter, given: str) -> Fraction:
    """``1``, ``1.5``, ``3:1`` or ``3/2``."""
    found = re.fullmatch(r"([0-9]{1,3}(?:\.[0-9]{1,3})?)(?:[:/]([1-9][0-9]{0,2}))?", given)
    value = Fraction(found[1]) / Fraction(found[2] or 1) if found else Fraction(0)
    if not 1 <= value <= 100:
        raise click.BadParameter(
            f"{printable(given)} is not a ratio from 1 to 100, such as 1, 1.5 or 3:1", ctx, param
        )
    return value


def _addresses(ctx: click.Context, param: click.Parameter, given: str) -> tuple[str, ...]:
    found = tuple(part.strip().lower() for part in given.split(",")) if given else ()
    for part in found:
        if not _PCI.fullmatch(part):
            text = f"{printable(part)} is not a PCI address such as 0000:18:00.0"
            raise click.BadParameter(text, ctx, param)
    if len(set(found)) < len(found):
        raise click.BadParameter("duplicate PCI address", ctx, param)
    return found


def _site(ctx: click.Context, param: click.Parameter, given: str) -> str:
    if given and not _SITE.fullmatch(given):
        text = f"{printable(given)} is not a site name: lower-case letters, digits and hyphens, at most 63"
        raise click.BadParameter(text, ctx, param)
    return given


def _supernet(ctx: click.Context, param: click.Parameter, given: str) -> str:
    from netaddr import AddrFormatError, IPNetwork

    try:
        network = IPNetwork(given, version=4) if given else None
    except (AddrFormatError, ValueError) as error:
        text = f"{printable(given)} is not an IPv4 range such as 172.16.0.0/12"
        raise click.BadParameter(text, ctx, param) from error
    return "" if network is None else str(network.cidr)


def _complete_preset(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    from netplan.presets.systems import known

    return [name for name, row in known().hosts.items() if name.startswith(incomplete) and not row.lacks]


_OPTIONS = (
    click.option(
        "--preset",
        metavar="NAME",
        default="",
        shell_complete=_complete_preset,
        help="Write an inventory for this system; --list-presets lists the names.",
    ),
    click.option(
        "--list-presets",
        "listed",
        is_flag=True,
        help="List systems with a preset, and those without one yet.",
    ),
    click.option("--catalog", metavar="FILE", help="More systems, of the site itself (systems.schema.json)."),
    click.option(
        "--site", metavar="NAME", default="", callback=_site, help="Name of the site. [the preset's]"
    ),
    click.option("--hosts", type=click.IntRange(1, _MOST_HOSTS), help="Number of hosts."),
    click.option("--rails", type=click.IntRange(1, _MOST_RAILS), help="Number of HCAs used per host. [all]"),
    click.option("--fabric", type=click.Choice(["roce", "infiniband", "efa"]), help="Kind of fabric."),
    click.option("--hca", metavar="MODEL", default="", help="Model of the HCAs. [the system's usual one]"),
    click.option("--leaf", metavar="MODEL", default="", help="Model of the leaves; netplan explain models."),
    click.option("--spine", metavar="MODEL", default="", help="Model of the spines, or none. [as --leaf]"),
    click.option("--spines", type=click.IntRange(1, 1000), help="Number of spines. [the fewest, from 2]"),
    click.option("--nos", metavar="NOS", default="", help="NOS of the switches. [by the leaf's ASIC]"),
    click.option(
        "--oversubscription",
        metavar="RATIO",
        default="1",
        callback=_ratio,
        help="Maximum ratio of host to uplink bandwidth of a leaf: 1, 1.5, 3:1. [1]",
    ),
    click.option("--uplink-gbps", type=click.Choice(_SPEEDS), help="Speed of uplinks. [that of the HCAs]"),
    click.option(
        "--hosts-per-leaf", type=click.IntRange(1, 1000), help="Maximum hosts per leaf. [what fits]"
    ),
    click.option(
        "--rails-per-leaf",
        type=click.IntRange(1, _MOST_RAILS),
        default=1,
        help="Number of rails per leaf. [1: rail-optimized]",
    ),
    click.option(
        "--segment",
        type=click.Choice(["leaf", "host"]),
        help="leaf: a VLAN and subnet per rail and leaf; host: a routed link per HCA. [leaf if there is one "
        "leaf group, else host]",
    ),
    click.option(
        "--vfs", type=click.IntRange(0, 127), default=0, help="VFs per HCA for pods. [0: whole HCAs]"
    ),
    click.option(
        "--pci",
        metavar="A,B,...",
        default="",
        callback=_addresses,
        help="PCI addresses of the HCAs in rail order.",
    ),
    click.option(
        "--netdev", metavar="RANGE", default="", help="Interface names of the rails, such as 'ens[1-8]np0'."
    ),
    click.option(
        "--supernet",
        metavar="CIDR",
        default="",
        callback=_supernet,
        help="Address range of the rails. [172.16.0.0/13]",
    ),
    click.option(
        "--host-table",
        type=click.IntRange(256, 1_000_000),
        help="Size of a switch's neighbour table, in entries.",
    ),
    click.option(
        "--queue-bytes",
        type=click.IntRange(10_000, 1_000_000_000),
        help="Buffer of a lossless queue, for a NOS whose ECN thresholds are a percentage of it.",
    ),
)
_ALWAYS = frozenset({"preset", "listed", "catalog"})


def asking(command: Callable[..., int]) -> Callable[..., int]:
    """Add these options to ``init``, which receives them as ``asked``."""

    @functools.wraps(command)
    def with_questions(
        preset: str, listed: bool, catalog: str | None, name: str, file: str, **values: Any
    ) -> int:
        given = tuple(key for key in values if _is_given(key))
        asked = Questions(
            preset=preset,
            listed=listed,
            started=_is_given("name"),
            catalog=catalog,
            given=given,
            values=values,
        )
        return command(asked=asked, name=name, file=file)

    wrapped: Callable[..., int] = with_questions
    for option in reversed(_OPTIONS):
        wrapped = option(wrapped)
    return wrapped


def _is_given(key: str) -> bool:
    source = click.get_current_context().get_parameter_source(key)
    return source not in (None, click.core.ParameterSource.DEFAULT, click.core.ParameterSource.DEFAULT_MAP)
