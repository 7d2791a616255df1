"""``site.json`` against the other files: a file that shows more than site.json asks for means somebody
weakened it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress

from netplan.catalog import hca_rows
from netplan.model.site import PATH, SiteFacts, SiteHca
from netplan.reading.site import read_site
from netplan.trace.cabling import peers
from netplan.trace.model import Fault, unproved
from netplan.write.parts import is_other_site


def unasked(site: SiteFacts, texts: Mapping[str, str]) -> Iterator[Fault]:
    """Hosts, switches and pods that have files but are not in ``site.json``, and the reverse."""
    known = site.named | site.links.keys()
    tops = (("hosts", "host", known), ("switches", "switch", site.switches.keys()))
    for top, one, names in tops:
        for name in _folders(texts, top):
            if name not in names:
                yield unproved(f"{top}/{name}/ has files, but {PATH} has no such {one}")
    known = site.named.union(site.switches, *_others(texts))
    seen: set[str] = set()
    for peer, place in peers(texts):
        if peer not in known and peer not in seen:
            seen.add(peer)
            yield unproved(f"{place} has a cable to {peer}, which is in no row of {PATH}")
    for cable in site.cables:
        if cable.peer_kind == "host" and cable.peer not in site.named:
            yield unproved(
                f"{PATH} has a cable from {cable.switch} {cable.port} to {cable.peer}, but no such host"
            )
    pods = {*_folders(texts, "pods")}
    for name in sorted(pods ^ {*site.workloads}):
        said = f"pods/{name}/ has files, but {PATH} has no such workload"
        yield unproved(
            said if name in pods else f"{PATH} has workload {name}, but pods/{name}/ does not exist"
        )


def _others(texts: Mapping[str, str]) -> Iterator[frozenset[str]]:
    """Hosts of the other clusters on the fabric, read from each ``site.json`` that can be read."""
    for path, text in texts.items():
        if is_other_site(path):
            with suppress(ValueError):
                yield read_site(text).named


def _folders(texts: Mapping[str, str], top: str) -> list[str]:
    """Folders with more in them than files for people."""
    paths = (path.split("/") for path in texts if path.startswith(f"{top}/"))
    return sorted({path[1] for path in paths if len(path) > 2 and path[-1] != "README.md"})


def card_faults(hca: SiteHca, kind: str, host: str) -> Iterator[Fault]:
    """A port used differently from what ``site.json`` says. ``kind``: main plugin of the pod's network."""
    row = hca_rows().get(hca.model)
    if row is not None and hca.link and hca.link not in row["links"]:
        links = " or ".join(row["links"])
        yield unproved(f"{hca.name} of {host} is {hca.link} ({PATH}), a {hca.model} is {links}")
    if hca.use not in ("", "vf") and kind in ("sriov", "ib-sriov"):
        yield unproved(f"{hca.name} of {host} is for use as {hca.use} ({PATH}), pods take its VFs by {kind}")
    if hca.link == "infiniband" and kind == "sriov":
        yield unproved(f"{hca.name} of {host} is {hca.link} ({PATH}), plugin {kind} is for Ethernet")
