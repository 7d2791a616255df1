"""Every code netplan can report, and the text ``netplan explain`` prints for it."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator, Mapping, Sequence

from netplan.catalog import hca_rows, switch_rows
from netplan.diagnostics import Severity
from netplan.model.rulebook import BOOK, Code
from netplan.resolve.hosts import hca_model
from netplan.resolve.switches import switch_model


class UnknownCodeError(Exception):
    """The code does not exist; the message suggests similar ones."""


def entries() -> Mapping[str, Code]:
    """All rules, sorted by code."""
    from netplan import checks, config_db, rendered, verify  # noqa: F401  importing them registers their rules

    return dict(sorted(BOOK.items()))


def find(code: str) -> list[Code]:
    """The rule with this code, or all rules with this prefix, ignoring case. Raises `UnknownCodeError`."""
    every = entries()
    wanted = code.upper()
    found = [every[wanted]] if wanted in every else [e for e in every.values() if e.code.startswith(wanted)]
    if not found:
        close = difflib.get_close_matches(wanted, every, n=3)
        near = f"did you mean {' or '.join(close)}?" if close else "`netplan explain` lists them all"
        raise UnknownCodeError(f"there is no code {code}; {near}")
    return found


def list_lines(found: Iterable[Code]) -> Iterator[str]:
    """One line per rule: code, severity, title."""
    width = max(len(severity.name) for severity in Severity)
    for each in found:
        yield f"{each.code}  {each.severity.name.lower():<{width}}  {each.title}"


def entry_text(entry: Code) -> str:
    """A rule's explanation as plain text for a terminal."""
    text = entry.explanation.replace("**", "").replace("``", "`")
    return f"{entry.code} ({entry.grade}, {entry.kind}): {entry.title}\n\n{text}\n"


def model_lines() -> Iterator[str]:
    """Tables of the built-in HCA and switch models."""
    hcas = [hca_model(name, row) for name, row in hca_rows().items()]
    switches = [switch_model(name, row) for name, row in switch_rows().items()]
    yield "HCA models, for host_types.TYPE.hcas.NAME.model"
    yield from _table(
        [("model", "PF", "VF", "max VFs", "Gb/s", "links", "source")]
        + [
            (m.name, f"{m.vendor}:{m.pf_id}", m.vf_id or "-", str(m.max_vfs), _speeds(m.speeds_gbps),
             ",".join(m.links), m.source)
            for m in hcas
        ]
    )  # fmt: skip
    yield ""
    yield "switch models, for switch_types.TYPE.model"
    yield from _table(
        [("model", "ASIC", "ports", "Gb/s", "host table", "source")]
        + [
            (m.name, m.asic, str(m.ports), _speeds(m.speeds_gbps), str(m.host_table or "unknown"), m.source)
            for m in switches
        ]
    )


def _speeds(speeds: Iterable[int]) -> str:
    return ",".join(map(str, speeds))


def _table(rows: Sequence[tuple[str, ...]]) -> Iterator[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        yield f"  {'  '.join(cells)}".rstrip()
