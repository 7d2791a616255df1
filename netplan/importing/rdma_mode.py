"""The RDMA network namespace mode: running on the nodes, configured for them, or needed by networks.

The inventory states the running mode, else the configured one, else the needed one. If two contradict each
other, the value is TODO with both places. The rdma plugin in a network's chain, and ``rdmaIsolation`` of
ib-sriov, need exclusive mode; the RDMA-shared device plugin needs shared mode (Mellanox/rdma-cni
README.md, Mellanox/k8s-rdma-shared-dev-plugin README.md). In exclusive mode, a network of RDMA devices
without that plugin gives a pod none.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from netplan.importing.facts import Conflict, Said, Site, place
from netplan.importing.text import Entry, clash, todo, told
from netplan.model.modes import mode_of

ROLES: Mapping[str, str] = {
    "running": "running on the nodes",
    "wanted": "configured for the nodes",
    "needed": "needed by a network or device plugin",
}
"""The most reliable first."""
_ALONE = "exclusive, in which pods of a network without the rdma plugin have no RDMA device"
_MOVED = frozenset({"sriov", "ib-sriov", "host-device"})


def rdma_mode_entry(site: Site) -> Entry | None:
    """None if no source states it; a question if two sources disagree."""
    conflict = next(rdma_conflicts(site), None) or next(_disagreeing(site), None)
    if conflict is not None:
        return clash(conflict)
    if (shared := _shared_hca(site)) is not None and (mode := _exclusive(site)) is not None:
        where = f"the nodes are exclusive ({place(mode.at)}), in which no RDMA device is shared"
        return todo(f"shared, or exclusive without {shared.value} ({place(shared.at)})", where)
    found = (told(Said(mode, said.at)) for role in ROLES for mode, said in _modes(site, role).items())
    return next(found, None)


def _exclusive(site: Site) -> Said | None:
    """Where the most reliable source says so."""
    modes = next(filter(None, (_modes(site, role) for role in ROLES)), {})
    return modes.get("exclusive")


def _shared_hca(site: Site) -> Said | None:
    """The first network whose pods share an HCA."""
    for of in site.every("network"):
        said = site.said("network", of, "mode")
        mode = mode_of(str(said.value)) if said is not None else None
        if said is not None and mode is not None and mode.sharing == "always":
            return Said(f"network {'/'.join(of)}, whose {said.value} pods share HCAs", said.at)
    return None


def rdma_conflicts(site: Site) -> Iterator[Conflict]:
    """Every contradiction of the most reliable source, with both places."""
    used: tuple[str, str, Said] | None = None
    for role in ROLES:
        found = _modes(site, role)
        if len(found) > 1:
            yield _between(role, role, found)
        for mode, said in found.items():
            used = used or (role, mode, said)
            if mode != used[1] and role != used[0]:
                yield _between(used[0], role, {used[1]: used[2], mode: said})
    if used is not None and used[1] == "exclusive" and (bare := _without_plugin(site)) is not None:
        yield Conflict("cluster", (), "rdma_mode", Said(_ALONE, used[2].at), bare)


def _disagreeing(site: Site) -> Iterator[Conflict]:
    """Dumps of a network of which one has the rdma plugin and the other has not."""
    for of in site.every("network"):
        if (conflict := site.conflict("network", of, "rdma")) is not None:
            one, other = (
                Said(f"network {'/'.join(of)} {'with' if said.value else 'without'} the rdma plugin", said.at)
                for said in (conflict.one, conflict.other)
            )
            yield Conflict("cluster", (), "rdma_mode", one, other)


def _modes(site: Site, role: str) -> dict[str, Said]:
    return dict(site.prefixed("cluster", (), f"rdma_mode/{role}/"))


def _between(role: str, other_role: str, found: Mapping[str, Said]) -> Conflict:
    (mode, said), (other, at) = list(found.items())[:2]
    one, two = Said(f"{mode}, {ROLES[role]}", said.at), Said(f"{other}, {ROLES[other_role]}", at.at)
    return Conflict("cluster", (), "rdma_mode", one, two)


def _without_plugin(site: Site) -> Said | None:
    """The first network of RDMA devices whose chain does not move them into the pod."""
    devices = {of[0] for of in site.every("resource") if site.said("resource", of, "rdma") is not None}
    for of in site.every("network"):
        mode, resource = site.said("network", of, "mode"), site.text("network", of, "resource")
        isolated = site.said("network", of, "rdma") or site.conflict("network", of, "rdma")
        if mode is not None and mode.value in _MOVED and resource in devices and not isolated:
            return Said(f"network {'/'.join(of)}", mode.at)
    return None
