"""Who writes the NetworkAttachmentDefinitions: whoever does so today, unless netplan needs a setting for
which the operator's kind has no field (NP717), or a second namespace (NP720)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from netplan.importing.facts import Site, place
from netplan.importing.kubernetes.spiderpool import LEFT
from netplan.importing.networks import FoundNetwork, NetworkRow
from netplan.importing.text import Entry, todo
from netplan.model.modes import LACKS, Mode, mode_of

_WORDS: Mapping[str, str] = {
    "pkey": "a P_Key",
    "rdmaIsolation": "rdmaIsolation in exclusive mode",
    "the rdma plugin": "the rdma plugin in exclusive mode",
}


def nads_entry(site: Site, rows: Iterable[NetworkRow]) -> Entry:
    rows = list(rows)
    writers = {part.text("writer"): part for row in rows for part in row.parts}
    if len(writers) > 1 or "" in writers:
        return todo("one writer of NetworkAttachmentDefinitions", "an operator writes some, but not all")
    for writer, part in writers.items():
        poor = next(_beyond(site, rows), "") if writer == "operator" else ""
        return todo("netplan; today an operator writes them", poor) if poor else _as_today(writer, part)
    left = "that netplan reads " if site.said("cluster", (), LEFT) is not None else ""
    return todo("netplan, or operator", f"no network {left}is in the dumps")


def _as_today(writer: str, part: FoundNetwork) -> Entry:
    return Entry(writer, f"{'/'.join(part.of)}, {place(part.fields['writer'].at)}")


def _beyond(site: Site, rows: Iterable[NetworkRow]) -> Iterator[str]:
    """What netplan needs and the operator's kind cannot express."""
    stated = [name for name, _ in site.prefixed("cluster", (), "rdma_mode/")]
    exclusive = any(name.endswith("/exclusive") for name in stated)
    for row in rows:
        mode = mode_of(row.first.text("mode"))
        if mode is None or mode.operator_kind is None:
            continue
        needed = _needs(row, mode, exclusive)
        needs = [_WORDS.get(what, what) for what in needed if what in LACKS[mode.operator_kind]]
        if len(row.namespaces) > 1:
            needs.append("a second namespace")
        if needs:
            at = place(row.first.fields["mode"].at)
            what = f"network {row.name} ({at}) needs {' and '.join(needs)}"
            yield f"{what}, which a {mode.operator_kind} cannot express"


def _needs(row: NetworkRow, mode: Mode, exclusive: bool) -> list[str]:
    """As far as the dumps show, in the words of NP717."""
    needs = {
        "pkey": "pkey" in row.first.fields,
        "rdmaIsolation": exclusive and mode.rdma == "isolation",
        "the rdma plugin": exclusive and mode.rdma == "chain",
        "sysctls": bool(row.rails) and mode.link != "infiniband",
        "sbr": row.first.text("routing") == "sbr",
    }
    return [what for what, needed in needs.items() if needed]
