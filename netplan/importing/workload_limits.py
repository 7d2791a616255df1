"""What ``validate`` refuses of pods as they run, as a question at the workload: RDMA devices beside the rails
(NP656), huge pages without CPU or memory (NP615), more GPUs than a host type has (NP603)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from netplan.importing.cards import Card
from netplan.importing.facts import Said, Site, place
from netplan.importing.hosts import HostKind
from netplan.importing.networks import NetworkRow
from netplan.importing.text import Entry, listed, todo
from netplan.model.modes import mode_of

_NAMES = "NCCL_IB_HCA and UCX_NET_DEVICES, or vf_rdma_prefix of the rails' HCAs and UCX_NET_DEVICES alone"


def limits_of(
    site: Site,
    fields: Mapping[str, Said],
    rows: Sequence[NetworkRow],
    kinds: Sequence[HostKind],
    per_node: int,
    on: Said,
) -> Mapping[str, Entry]:
    """``rows``: networks of the pods; ``kinds``: host types of their nodes; ``on``: where they are stated."""
    found: dict[str, Entry] = {}
    if others := [*_others(site, rows, kinds)]:
        what = f"pods see RDMA devices of {listed(others)} beside the rails (NP656)"
        found["env"] = todo(_NAMES, f"{what}, {place(on.at)}")
    pages = fields.get("hugepages_2mi_mib")
    if pages is not None and not fields.keys() & {"memory_mib", "cpus", "unread/memory_mib", "unread/cpus"}:
        found["memory_mib"] = todo(
            "memory of a pod, or cpus", f"huge pages need one (NP615), {place(pages.at)}"
        )
    gpus = fields.get("gpus")
    least = min((count for kind in kinds for count in _gpus(kind)), default=0)
    if gpus is not None and isinstance(gpus.value, int) and least and gpus.value * per_node > least:
        what = f"{per_node} pods of {gpus.value} GPUs on one node, and a host type has {least} (NP603)"
        found["pods_per_node"] = todo("pods on one node; or a workload for each host type", what)
    return found


def _gpus(kind: HostKind) -> Iterator[int]:
    for _, said in kind.gpus:
        if isinstance(said.value, int):
            yield said.value


def _others(site: Site, rows: Sequence[NetworkRow], kinds: Iterable[HostKind]) -> Iterator[str]:
    """Networks beside rails whose RDMA devices pods see, where nothing names those of the rails."""
    cards = [card for kind in kinds for card in kind.cards]
    of_rails = [row for row in rows if row.rails]
    if not of_rails or all(_is_named(row, cards) for row in of_rails):
        return
    modes = [name for name, _ in site.prefixed("cluster", (), "rdma_mode/")]
    exclusive = any(name.endswith("/exclusive") for name in modes)
    yield from (row.name for row in rows if _is_beside(row, cards, exclusive))


def _is_beside(row: NetworkRow, cards: Iterable[Card], exclusive: bool) -> bool:
    """On other cards than the rails', whose RDMA devices pods see."""
    mode = mode_of(row.first.text("mode"))
    if row.rails or mode is None or (exclusive and mode.rdma == "none"):
        return False
    own = [card for card in cards if {*row.resources} & {*card.resources}]
    return not own or any(card.rail is None for card in own)


def _is_named(row: NetworkRow, cards: Iterable[Card]) -> bool:
    """Whether its pods take whole HCAs, all with the name of their RDMA device."""
    mode = mode_of(row.first.text("mode"))
    own = [card for card in cards if card.rail in row.rails]
    return mode is not None and mode.takes != "vf" and all(card.text("rdma_device") for card in own)
