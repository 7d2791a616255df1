"""Whether a host loads the drivers of its ports when it boots."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from netplan.graph.drivers import kept_out, needed
from netplan.graph.hosts import file_of
from netplan.model.site import SiteHca, SiteHost
from netplan.trace.model import Fault, Verdict


def driver_faults(
    texts: Mapping[str, str], host: SiteHost, hcas: Sequence[SiteHca], container: bool
) -> Iterator[Fault]:
    """Lines of the host's modprobe.d file about the modules of its ports. ``container``: one loads them."""
    found = file_of(texts, host, "modprobe.d/rdma.conf")
    if found is None:
        return
    names = ", ".join(hca.name for hca in hcas)
    for each in kept_out(*found, needed(hca.model for hca in hcas)):
        said = f"{each.text} ({found[0]}:{each.line.line})"
        if each.sure and not (container and each.line.section == "blacklist"):
            text = f"{host.name} does not load {each.module} for {names}: {said}"
            yield Fault(Verdict.LOST, text)
        else:
            text = f"what loads {each.module} on {host.name} is not followed: {said}"
            yield Fault(Verdict.UNPROVED, text)
