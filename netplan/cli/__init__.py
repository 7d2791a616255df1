"""The command line: it parses arguments, runs the pipeline, prints the results and sets the exit status.

Exit status:

- 0: no problems, or nothing to change.
- 1: the inventory has errors (with `--strict`, also warnings), or `render --check` or `diff` found
  differences.
- 2: netplan could not run: wrong usage, an input that cannot be read or holds no inventory, an output
  directory that cannot be written, a name that does not exist.
- 3: a bug in netplan. `NETPLAN_DEBUG=1` adds the traceback, which may quote the inventory.
- 130: interrupted by ^C, SIGTERM or SIGHUP. If only some files were written, the next render writes the rest.
- 141: the reader of the output closed the pipe, as in `netplan show site.yaml | head`.

Diagnostics and the summary line go to standard error, results to standard output; with `--format json`,
everything goes to standard output as one object. `--quiet` prints only what makes the run fail.

Findings have a severity: an error always fails, a warning fails with `--strict`, a note (`info` in JSON)
never does. Colours are used on a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`; `--color` overrides
both. No command opens a network connection.

Compiled templates are cached in `$NETPLAN_CACHE_DIR`, `$XDG_CACHE_HOME/netplan` or `~/.cache/netplan`, which
may be deleted; so are the parsed entries of inventory files above 256 KiB and, for 100 switches or more, the
digests of their files, so that a run after an edit parses and validates only what changed and renders only
switches whose plan changed. Templates are code: if anyone but you and root can write to that folder or one
above it, the cache is neither written nor read. An empty `NETPLAN_CACHE_DIR` disables it.

Shell completion is click's: put `eval "$(_NETPLAN_COMPLETE=bash_source netplan)"` into `~/.bashrc`
(`zsh_source` and `fish_source` for the other shells; `_RDMA_NETPLAN_COMPLETE` for the name `rdma-netplan`).
"""

from __future__ import annotations

import gc
import sys
from typing import NoReturn

from netplan.cli.group import program

__all__ = ["main", "program"]

COLLECT_AFTER = 1_000_000
"""Number of objects. At Python's default of 700 the collector runs 190 times in a small `validate`, takes a
tenth of its time and frees 4,000 of 140,000 objects: what is loaded stays in use. At 200,000 it takes a tenth
of the plan stage of 12,500 hosts; peak memory is the same."""


def main(name: str | None = None) -> NoReturn:
    """Entry point of the console scripts; ``name``: the program's name in usage messages."""
    gc.set_threshold(COLLECT_AFTER)
    try:
        program.main(prog_name=name or sys.argv[0].rpartition("/")[2])
    finally:
        gc.freeze()  # else the interpreter scans all objects before it exits: a fifth of a small run
