"""Overlays of a command with two inventories: each belongs to the inventory before it."""

from __future__ import annotations

from collections.abc import Iterator

import click

from netplan.records import dataclass

OPTION = "--overlay"


@dataclass(frozen=True, slots=True)
class Given:
    """An inventory, a rendered directory or a git revision of one, as named by the user, with its
    overlays."""

    name: str
    overlays: tuple[str, ...] = ()

    def __str__(self) -> str:
        return " ".join([self.name, *(f"{OPTION} {overlay}" for overlay in self.overlays)])


class Bound(click.Command):
    """Its arguments arrive as ``Given``, each with the overlays that follow it on the command line; overlays
    before the first one apply to all. The command has no ``overlays``."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        bound = tuple(self._places(args))
        rest = super().parse_args(ctx, args)
        ctx.params.pop("overlays", None)
        names = [param.name for param in self.params if isinstance(param, click.Argument) and param.name]
        for place, name in enumerate(names, 1):
            if ctx.params.get(name) is not None:
                own = tuple(overlay for at, overlay in bound if at in (0, place))
                ctx.params[name] = Given(ctx.params[name], own)
        return rest

    def _places(self, args: list[str]) -> Iterator[tuple[int, str]]:
        options = (param for param in self.params if isinstance(param, click.Option) and not param.is_flag)
        valued = {name for option in options for name in option.opts}
        count, rest = 0, iter(args)
        for word in rest:
            name, equals, stated = word.partition("=")
            if word == "--":
                return
            if name in valued:
                value = stated if equals else next(rest, "")
                if name == OPTION:
                    yield count, value
            elif not word.startswith("-") or word == "-":
                count += 1
