"""Who writes the NetworkAttachmentDefinitions: who does so today, unless netplan needs in them what the
operator's kind has no field for (NP717), or a second namespace (NP720)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from netplan.importing.facts import Site, place
from netplan.importing.networks import Attachment, NetworkRow
from netplan.importing.text import Entry, todo
from netplan.model.modes import MODES, Mode

_MODES: Mapping[str, Mode] = {str(name): mode for name, mode in MODES.items()}


def nads_entry(site: Site, rows: Iterable[NetworkRow]) -> Entry:
    rows = list(rows)
    writers = {part.text("writer"): part for row in rows for part in row.parts}
    if len(writers) > 1:
        return todo("one writer of NetworkAttachmentDefinitions", "an operator writes some, but not all")
    for writer, part in writers.items():
        poor = next(_beyond(site, rows), "") if writer == "operator" else ""
        return todo("netplan; today an operator writes them", poor) if poor else _as_today(writer, part)
    return todo("netplan, or operator", "no network is in the dumps")


def _as_today(writer: str, part: Attachment) -> Entry:
    return Entry(writer, f"{'/'.join(part.of)}, {place(part.fields['writer'].at)}")


def _beyond(site: Site, rows: Iterable[NetworkRow]) -> Iterator[str]:
    """What netplan needs and the operator's kind cannot say."""
    stated = [name for name, _ in site.prefixed("cluster", (), "rdma_mode/")]
    exclusive = any(name.endswith("/exclusive") for name in stated)
    for row in rows:
        mode = _MODES.get(row.first.text("mode"))
        if mode is None or mode.operator_kind is None:
            continue
        needs = [what for what, needed in _needs(row, mode, exclusive) if needed]
        if len(row.namespaces) > 1:
            needs.append("a second namespace")
        if needs:
            at = place(row.first.fields["mode"].at)
            what = f"network {row.name} ({at}) needs {' and '.join(needs)}"
            yield f"{what}, which a {mode.operator_kind} cannot express"


def _needs(row: NetworkRow, mode: Mode, exclusive: bool) -> Iterator[tuple[str, bool]]:
    """As NP717 does."""
    if mode.operator_kind == "SriovIBNetwork":
        yield "a P_Key", "pkey" in row.first.fields
        yield "rdmaIsolation in exclusive mode", exclusive
    elif mode.operator_kind != "SriovNetwork":
        yield "the rdma plugin in exclusive mode", exclusive and mode.rdma == "chain"
        yield "sysctls", bool(row.rails) and mode.link != "infiniband"
        yield "sbr", row.first.text("routing") == "sbr"
