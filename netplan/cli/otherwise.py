"""Subcommands of Canonical's Netplan, which has the same command name: say so, and change nothing."""

from __future__ import annotations

import os
import sys
from typing import NoReturn

import click

OTHER_VERBS = frozenset({"apply", "try", "generate", "get", "set", "info", "ip", "status", "rebind"})
"""Commands of netplan.io: https://netplan.readthedocs.io/en/stable/cli/"""
OTHER_PLACE = "/usr/sbin"
"""Where Ubuntu's package netplan.io installs it; not on every user's PATH."""


def other_verb(verb: str) -> click.Command:
    """A hidden command that accepts anything and ends with exit 2."""

    @click.command(
        verb,
        add_help_option=False,
        context_settings={"ignore_unknown_options": True, "allow_extra_args": True},
    )
    def refuse() -> NoReturn:
        found = _other_program()
        where = f"the other one is {found}" if found else "the other one is not installed here"
        raise click.ClickException(
            f"{verb} is a command of Canonical's Netplan, which configures this machine's interfaces; "
            f"this is rdma-netplan, and nothing was changed; {where}"
        )

    return refuse


def _other_program() -> str | None:
    """Path of a ``netplan`` that is not this program."""
    import shutil  # none of netplan's own commands needs it
    import sysconfig
    from pathlib import Path

    ours = {Path(sys.argv[0]).resolve(), Path(sysconfig.get_path("scripts"), "netplan").resolve()}
    for folder in (OTHER_PLACE, *os.environ.get("PATH", "").split(os.pathsep)):
        found = shutil.which("netplan", path=folder) if folder else None
        if found and Path(found).resolve() not in ours:
            return found
    return None
