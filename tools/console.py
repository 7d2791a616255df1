"""Run the ``console`` blocks of the manual and write their output: ``python tools/console.py [PAGE...]``.

With ``--check`` it writes nothing and compares. The blocks of one page share a new, empty working directory
and run in order; a block with ``title="NAME"`` after its language is the file NAME there. A line that begins
with ``$ `` is a command; the lines below it are its output, standard error included. ``netplan ARGUMENTS``,
also with a pipe or redirection, runs in this process, which keeps a manual of a hundred commands fast;
anything else runs in bash. A line ``$ echo $?`` prints the exit status of the previous command.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import click.testing

from netplan.cli import program

ROOT = Path(__file__).resolve().parent.parent
BLOCK = re.compile(
    r'^```(?:console|\w+ title="(?P<file>[\w.-]+)")\n(?P<text>.*?)^```$', re.DOTALL | re.MULTILINE
)
NETPLAN = re.compile(r"netplan (?P<arguments>[^|>&;]*?)(?P<both> 2>&1)?(?: (?P<rest>[|>].*))?", re.DOTALL)
PROMPT = "$ "
PROGRAMS = frozenset(
    [
        "cat",
        "cp",
        "cut",
        "diff",
        "echo",
        "find",
        "git",
        "grep",
        "head",
        "ls",
        "mkdir",
        "printf",
        "sed",
        "sort",
        "tail",
        "touch",
        "true",
        "wc",
    ]
)
"""Programs that a page may run besides netplan: they only read and write files of its working directory."""
ENVIRONMENT = {
    "PATH": os.defpath,
    "NETPLAN_CACHE_DIR": "",
    "LC_ALL": "C.UTF-8",
    "GIT_CONFIG_GLOBAL": "/dev/null",
    "GIT_AUTHOR_NAME": "you",
    "GIT_AUTHOR_EMAIL": "you@example.com",
    "GIT_COMMITTER_NAME": "you",
    "GIT_COMMITTER_EMAIL": "you@example.com",
}


class Done(NamedTuple):
    """A command's output, standard error included, and its exit status."""

    text: str
    status: int


def pages() -> list[Path]:
    """The README and the pages of the manual with a console block."""
    every = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    return [page for page in every if BLOCK.search(page.read_text(encoding="utf-8"))]


def renewed(text: str) -> str:
    """``text`` of a page with the current output of its commands."""
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        last = Done("", 0)

        def block(found: re.Match[str]) -> str:
            nonlocal last
            if found["file"]:
                Path(found["file"]).write_text(found["text"], encoding="utf-8")
                return found[0]
            lines = ["```console"]
            for command in commands(found["text"]):
                last = run(command, last)
                lines += [PROMPT + command.replace("\n", "\n> "), *last.text.splitlines()]
            return "\n".join([*(line.rstrip() for line in lines), "```"])

        return BLOCK.sub(block, text)


def commands(block: str) -> Iterator[str]:
    """The commands of a block; the line after a trailing backslash belongs to the command."""
    lines = iter(block.splitlines())
    if block and not block.startswith(PROMPT):
        raise ValueError(f"a console block begins with {PROMPT!r}: without output it is a block of sh")
    for line in lines:
        if line.startswith(PROMPT):
            command = line.removeprefix(PROMPT)
            while command.endswith("\\"):
                command += "\n" + next(lines).removeprefix("> ")
            yield command


def run(command: str, last: Done) -> Done:
    """Run ``command`` in the working directory; ``last``: the previous command."""
    if command == "echo $?":
        return Done(f"{last.status}\n", 0)
    called = NETPLAN.fullmatch(command)
    if not called:
        return _bash(command, "")
    arguments = shlex.split(called["arguments"].replace("\\\n", " "))
    result = click.testing.CliRunner(env=ENVIRONMENT).invoke(program, arguments, prog_name="netplan")
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    if not called["rest"]:
        return Done(result.output, result.exit_code)
    rest = f"cat {called['rest']}" if called["rest"].startswith(">") else called["rest"].removeprefix("|")
    piped = _bash(rest, result.output if called["both"] else result.stdout)
    shown = "" if called["both"] else result.stderr
    return Done(shown + piped.text, result.exit_code or piped.status)


def _bash(command: str, text: str) -> Done:
    if foreign := {words[0] for words in _calls(command)} - PROGRAMS:
        raise ValueError(f"a console block runs {', '.join(sorted(foreign))}: make it a block of sh or text")
    done = subprocess.run(
        ["bash", "-c", command],
        input=text,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env=ENVIRONMENT,
        timeout=60,
        check=False,
    )
    return Done(done.stdout, done.returncode)


def _calls(command: str) -> Iterator[list[str]]:
    """The words of each command on a line, separated by pipes, ``&&`` and semicolons."""
    lexer = shlex.shlex(command, posix=True, punctuation_chars="|&;")
    lexer.whitespace_split = True
    words: list[str] = []
    for word in lexer:
        if set(word) <= set("|&;") and word:
            yield words
            words = []
        else:
            words.append(word)
    yield words


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument(
        "--check", action="store_true", help="write nothing; fail where a page shows other output"
    )
    parser.add_argument("pages", nargs="*", type=Path, help="pages to run; left out, all of them")
    arguments = parser.parse_args()
    old = []
    for page in [path.resolve() for path in arguments.pages] or pages():
        text = page.read_text(encoding="utf-8")
        try:
            new = renewed(text)
        except ValueError as error:
            sys.exit(f"{page.relative_to(ROOT)}: {error}")
        if new == text:
            continue
        old.append(page)
        if not arguments.check:
            page.write_text(new, encoding="utf-8")
    what = "shows other output, run make docs" if arguments.check else "written"
    for page in old:
        print(f"{page.relative_to(ROOT)}: {what}")
    return int(arguments.check and bool(old))


if __name__ == "__main__":
    sys.exit(main())
