"""The command group: exit status, crashes, and commands of another program."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from keyword import iskeyword
from typing import Any, NoReturn

import click

from netplan import __version__
from netplan.cli.documents import asked_format, put_failure
from netplan.cli.otherwise import OTHER_VERBS, other_verb
from netplan.cli.signals import ending_like_interrupt
from netplan.cli.terminal import survive_any_stream

NOT_RUN, BUG, INTERRUPTED = 2, 3, 130
READER_LEFT = 141
"""What a shell reports for a program killed by SIGPIPE: 128 + 13."""


_MODULES: Mapping[str, str] = {
    "validate": "build",
    "render": "build",
    "diff": "diff",
    "trace": "trace",
    "report": "page",
    "graph": "page",
    "check-live": "live",
    "krm": "krm",
    "show": "look",
    "explain": "look",
    "schema": "look",
    "init": "starting",
    "import": "importing",
}
"""Command, in the order of the help -> the module of this package that defines it."""


class Commands(Mapping[str, click.Command]):
    """Commands by name; a command's module is loaded on demand."""

    def __getitem__(self, name: str) -> click.Command:
        function = f"{name}_" if iskeyword(name) else name.replace("-", "_")
        found: click.Command = getattr(import_module(f"netplan.cli.{_MODULES[name]}"), function)
        return found

    def __iter__(self) -> Iterator[str]:
        return iter(_MODULES)

    def __len__(self) -> int:
        return len(_MODULES)


class Program(click.Group):
    """Commands return their exit status; every other way a run can end is mapped to one here."""

    def main(  # type: ignore[override]  # never returns: click's standalone_mode=False is not offered
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        **extra: Any,
    ) -> NoReturn:
        arguments = list(sys.argv[1:] if args is None else args)
        name = prog_name or "netplan"
        survive_any_stream()
        self._main_shell_completion(extra, name, complete_var)
        with ending_like_interrupt():
            status = self._status(name, arguments, extra)
        sys.exit(status)

    def _status(self, name: str, arguments: list[str], extra: dict[str, Any]) -> int:
        try:
            return self._run(name, arguments, extra)
        except BrokenPipeError:
            _discard_output()
            return READER_LEFT
        except OSError as error:
            _discard_output()
            sys.stderr.write(f"{name}: cannot write the output: {error.strerror}\n")
            return NOT_RUN

    def _run(self, name: str, arguments: list[str], extra: dict[str, Any]) -> int:
        form = asked_format(arguments)
        try:
            with self.make_context(name, arguments.copy(), **extra) as context:
                return int(self.invoke(context))
        except click.exceptions.Exit as end:
            return end.exit_code
        except click.ClickException as problem:
            return _failed(problem, form)
        except (KeyboardInterrupt, click.Abort):
            sys.stderr.write(f"\n{name}: interrupted\n")
            put_failure("interrupted", form)
            return INTERRUPTED
        except Exception as error:
            if isinstance(error, OSError) and error.filename is None:
                raise  # no file was opened, so it was a write to standard output that failed
            sys.stderr.write(_crash_report(error, name, self._verb(arguments)))
            put_failure(f"{type(error).__name__}: a bug in netplan, see standard error", form)
            return BUG

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        return super().get_command(ctx, cmd_name) or (
            other_verb(cmd_name) if cmd_name in OTHER_VERBS else None
        )

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.commands)  # in the order of the table, not alphabetical

    def _verb(self, arguments: Sequence[str]) -> str:
        return next((argument for argument in arguments if argument in self.commands), "")


def _failed(problem: click.ClickException, form: str) -> int:
    parameter = problem.param if isinstance(problem, click.BadParameter) else None
    not_offered = parameter is not None and parameter.name == "form"  # so no document is expected
    if not_offered or not put_failure(problem.format_message(), form):
        problem.show()
    return NOT_RUN


def _crash_report(error: Exception, name: str, verb: str) -> str:
    """Place of the crash and how to report it, without the exception's message, which may quote the
    inventory."""
    import traceback  # only a crash needs it

    frames = [
        (frame.f_globals.get("__name__", "?"), line, frame.f_code.co_name)
        for frame, line in traceback.walk_tb(error.__traceback__)
    ]
    module, line, function = frames[-1]
    report = (
        f"{name}: this is a bug in netplan, not in the inventory\n"
        f"  command:   netplan {verb}\n"
        f"  version:   netplan {__version__}, Python {sys.version.split()[0]}, {sys.platform}\n"
        f"  exception: {type(error).__name__} in {module}, line {line}, {function}()\n"
        "  to report: open an issue in the project's repository with these lines; they do not quote the\n"
        "             inventory; NETPLAN_DEBUG=1 adds the traceback, which may quote it\n"
    )
    if os.environ.get("NETPLAN_DEBUG"):
        report += "".join(traceback.format_exception(error))
    return report


def _discard_output() -> None:
    """The reader of standard output is gone: send the interpreter's last flush to /dev/null."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (OSError, ValueError):  # not a real file, as in a test
        return


@click.group(
    cls=Program,
    commands=Commands(),
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
    epilog="Exit status: 0 ok, 1 problems or differences, 2 could not run, 3 a bug, 130 interrupted.",
)
@click.version_option(__version__, message=f"netplan {__version__}")
def program() -> None:
    """Generate every CNI, RDMA, switch and pod configuration from one inventory of hosts, HCAs, VLANs and
    subnets.

    INVENTORY is a YAML file, a directory of YAML files, or - for standard input.
    """
