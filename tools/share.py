"""Write what the wheel installs below ``share/``: man pages and shell completions, generated from the
commands.

``python tools/share.py``; with ``--check`` only compare. No dates: the same commands give the same bytes.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import click
from click.shell_completion import get_completion_class

import netplan.cli
from netplan import __version__
from netplan.cli import program
from tools.made_file import renew

SHARE = Path(__file__).resolve().parent.parent / "share"
NAMES = ("netplan", "rdma-netplan")
"""Console scripts of the distribution."""
COMPLETIONS = {
    "bash": "bash-completion/completions/{}",
    "zsh": "zsh/site-functions/_{}",
    "fish": "fish/vendor_completions.d/{}.fish",
}
"""Shell -> its folder below share/ (bash-completion, zsh and fish manuals)."""


def man_page() -> str:
    """netplan(1): the group with all of its commands."""
    lines = [
        f'.TH NETPLAN 1 "" "rdma-netplan {__version__}" "netplan manual"',
        ".SH NAME",
        "netplan, rdma\\-netplan \\- RDMA network configuration of Kubernetes clusters from one inventory",
        ".SH SYNOPSIS",
        ".B netplan",
        "[OPTIONS] COMMAND [ARGS]...",
        ".SH DESCRIPTION",
        *_prose(program.help or ""),
        ".PP",
        "This is not Canonical's netplan, which configures the interfaces of Ubuntu hosts.",
        ".SH COMMANDS",
    ]
    for name in program.commands:
        lines += _command(name)
    lines += [".SH EXIT STATUS", *_prose((netplan.cli.__doc__ or "").partition("Exit status:")[2])]
    lines += [".SH SEE ALSO", "The manual: docs/ of the repository, or \\fBmake manual\\fR."]
    return "\n".join(lines) + "\n"


def _command(name: str) -> Iterator[str]:
    command = program.commands[name]
    with click.Context(command, info_name=f"netplan {name}", **program.context_settings) as context:
        usage = " ".join(command.collect_usage_pieces(context))
        records = [option.get_help_record(context) for option in command.get_params(context)]
    yield f".SS {_text(f'netplan {name} {usage}')}"
    yield from _prose(command.help or "")
    for flags, meaning in filter(None, records):
        if flags.startswith("-"):
            yield from (".TP", f".B {_text(flags)}", _text(meaning))
    if command.epilog:
        yield ".PP"
        yield from _prose(command.epilog)


def _prose(text: str) -> Iterator[str]:
    """Paragraphs; one that click must not wrap, and lists, keep their lines."""
    for index, paragraph in enumerate(re.split(r"\n\s*\n", text.strip())):
        lines = [line.rstrip() for line in paragraph.replace("\b", "").strip("\n").splitlines()]
        kept = "\b" in paragraph or paragraph.lstrip().startswith("- ")
        if index:  # directly below a heading .PP has no effect: mandoc -T lint warns
            yield ".PP"
        if kept:
            yield from (".nf", *(_text(line) for line in lines if line), ".fi")
        else:
            yield from (_text(line.strip()) for line in lines)


def _text(line: str) -> str:
    """A line escaped for roff."""
    escaped = line.replace("\\", "\\e").replace("-", "\\-").replace("`", "\\(ga")
    return f"\\&{escaped}" if escaped.startswith((".", "'")) else escaped


def completion(shell: str, name: str) -> str:
    """What click prints for ``_NAME_COMPLETE=SHELL_source``."""
    found = get_completion_class(shell)
    assert found is not None
    variable = f"_{name.replace('-', '_').upper()}_COMPLETE"
    maker = found(program, {}, name, variable)
    return str(maker.source_template % maker.source_vars()).strip() + "\n"


def texts() -> dict[str, str]:
    """Path below share/ -> text."""
    made = {"man/man1/netplan.1": man_page(), "man/man1/rdma-netplan.1": ".so man1/netplan.1\n"}
    for name in NAMES:
        made |= {path.format(name): completion(shell, name) for shell, path in COMPLETIONS.items()}
    return made


def main() -> int:
    return renew(SHARE, texts().items(), "Write the man pages and shell completions.", "run make docs")


if __name__ == "__main__":
    sys.exit(main())
