"""Networks beside the rails that pods of a rail's network share VFs with: an inventory has a resource, and a
range of VFs, for each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from netplan.importing.facts import place
from netplan.importing.hosts import HostKind
from netplan.importing.networks import NetworkRow
from netplan.importing.text import INEXPRESSIBLE, Entry, todo
from netplan.model.inventory_text import flow_list


def shared_vfs(row: NetworkRow, rows: Sequence[NetworkRow], kinds: Sequence[HostKind]) -> Mapping[str, Entry]:
    """Keys of a network; empty for one with a resource of its own, or on rails."""
    wanted = {*row.resources}
    other = next((each for each in rows if each.rails and wanted & {*each.resources}), None)
    if row.rails or other is None:
        return {}
    named = [each for kind in kinds for each in kind.named]
    hcas = dict.fromkeys(name for name, card in named if wanted & {*card.resources})
    said = row.first.fields["resource"]
    what = f"{INEXPRESSIBLE}: a resource that network {other.name} has too; state another one"
    vfs = f"VFs of this network alone, such as 4-7; state the others at network {other.name}"
    return {
        "hcas": Entry(flow_list(hcas), "those of its resource"),
        "resource_name": todo(what, f"{said.value} ({place(said.at)})"),
        "vf_range": todo(vfs, "today both take any VF of the resource"),
    }
