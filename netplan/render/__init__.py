"""Plan -> artifacts. A kind is one function here and one row in KINDS."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace

from netplan.diagnostics import Diagnostic
from netplan.model.artifact import Artifact
from netplan.model.nos import NosProfile
from netplan.model.plan import Plan
from netplan.model.shard import WHOLE, Shard
from netplan.render.argo_cd import render_argo_cd
from netplan.render.cabling import render_cabling
from netplan.render.charts import render_efa, render_gpu_operator
from netplan.render.delivery import render_delivery
from netplan.render.device_plugins import render_device_plugins
from netplan.render.dra import render_dra
from netplan.render.flux import render_flux
from netplan.render.hosts import render_hosts
from netplan.render.ipam import render_ipam
from netplan.render.known import KnownFiles
from netplan.render.kueue import render_kueue
from netplan.render.kustomization import render_kustomizations
from netplan.render.namespaces import render_namespaces
from netplan.render.network_attachments import render_network_attachments
from netplan.render.network_operator import render_network_operator
from netplan.render.overview import render_overview
from netplan.render.pods import render_pods
from netplan.render.site import render_site
from netplan.render.site_templates import template_problems
from netplan.render.spiderpool import render_spiderpool
from netplan.render.sriov import render_sriov
from netplan.render.switches import render_sources, render_switches

_KUBERNETES: Mapping[str, Callable[[Plan], Iterable[Artifact]]] = {
    "namespaces": render_namespaces,
    "network-attachments": render_network_attachments,
    "device-plugin": render_device_plugins,
    "sriov": render_sriov,
    "network-operator": render_network_operator,
    "gpu-operator": render_gpu_operator,
    "ipam": render_ipam,
    "efa": render_efa,
    "dra": render_dra,
    "spiderpool": render_spiderpool,
}


def render(
    plan: Plan,
    nos: Mapping[str, NosProfile],
    problems: list[Diagnostic] | None = None,
    shard: Shard = WHOLE,
    known: KnownFiles | None = None,
) -> tuple[Artifact, ...]:
    """Every artifact, sorted by path; in a shard without hosts and switches of other shards. ``problems``
    collects errors in a site's templates. ``known``: files of switches that earlier runs rendered."""
    site = plan.fabric.site
    artifacts = [a for function in _KUBERNETES.values() for a in function(plan)]
    artifacts += [*render_kustomizations(site, artifacts), render_overview(plan, artifacts)]
    artifacts += [
        *render_argo_cd(plan, artifacts),
        *render_flux(plan, artifacts),
        *_rest(plan, nos, problems, shard, known),
    ]
    return tuple(sorted(artifacts, key=lambda a: a.path))


def _rest(
    plan: Plan,
    nos: Mapping[str, NosProfile],
    problems: list[Diagnostic] | None,
    shard: Shard,
    known: KnownFiles | None,
) -> Iterator[Artifact]:
    """Artifacts of the site, switches, hosts and pods. Switches and hosts are limited to the shard, unless a
    delivery exists: it reads all host files."""
    site = plan.fabric.site
    part = replace(plan, switches=tuple(s for s in plan.switches if shard.has(f"switches/{s.name}/")))
    yield render_site(plan)
    yield from render_switches(part.switches, nos, site, problems, known)
    yield from render_sources(plan.switches, nos, site)
    yield from render_cabling(part)
    every = plan.delivery is not None
    hosts = tuple(render_hosts((h for h in plan.hosts if every or shard.has(f"hosts/{h.name}/")), site))
    yield from hosts
    yield from render_delivery(plan.delivery, hosts, site)
    yield from render_pods(plan.workloads, site)
    yield from render_kueue(plan.kueue, site)


__all__ = ["KINDS", "KnownFiles", "render", "template_problems"]

KINDS = (
    *_KUBERNETES,
    "kustomization",
    "overview",
    "argocd",
    "flux",
    "site",
    "switches",
    "hosts",
    "delivery",
    "pods",
)
"""Values of ``--only``."""
