"""Files for operating systems: one template each, printed from a HostPlan."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from netplan import resources
from netplan.model.artifact import Artifact
from netplan.model.hosts import HostPlan
from netplan.render.jinja import environment

KIND = "hosts"


@dataclass(frozen=True, slots=True)
class _File:
    """One output file; ``names`` are what the template gets beside ``host`` and ``site``."""

    path: str
    template: str
    names: dict[str, object]
    executable: bool = False


def render_hosts(plans: Iterable[HostPlan], site: str) -> Iterator[Artifact]:
    """All files below ``hosts/``, in the order of the plans."""
    jinja = environment(resources.templates() / "host")
    for plan in plans:
        for file in _files(plan):
            text = jinja.get_template(file.template).render(host=plan, site=site, **file.names)
            yield Artifact(
                path=f"hosts/{plan.name}/{file.path}",
                text=text,
                kind=KIND,
                entities=(plan.entity,),
                executable=file.executable,
            )


def _files(plan: HostPlan) -> Iterator[_File]:
    for link in plan.links:
        yield _File(f"10-{link.hca}.link", "link.j2", {"link": link})
    for network in plan.networks:
        yield _File(f"20-{network.hca}.network", "network.j2", {"network": network})
    if plan.keep_foreign_routes:
        yield _File("networkd.conf.d/10-netplan.conf", "networkd.conf.j2", {})
    if plan.sysctl is not None:
        yield _File("sysctl.d/90-rdma.conf", "sysctl.conf.j2", {})
    if plan.netns_mode is not None:
        yield _File("modprobe.d/rdma.conf", "modprobe.conf.j2", {})
    if plan.modules:
        yield _File("modules-load.d/rdma.conf", "modules-load.conf.j2", {})
    if plan.memlock is not None and plan.memlock.unit is not None:
        yield _File(f"{plan.memlock.unit}.service.d/10-rdma-memlock.conf", "memlock.conf.j2", {})
    yield from _nic_files(plan)
    if plan.firmware is not None:
        yield _File("firmware-commands.txt", "firmware-commands.txt.j2", {})
    yield from _readmes(plan)


def _nic_files(plan: HostPlan) -> Iterator[_File]:
    if plan.qos is not None:
        for script in plan.qos.scripts:
            yield _File(script.file, f"nic/{script.driver}.sh.j2", {"script": script}, executable=True)
        yield _File("rdma-nic-qos.service", "nic-qos.service.j2", {})


def _readmes(plan: HostPlan) -> Iterator[_File]:
    if plan.readme is not None:
        yield _File("README.md", "README.md.j2" if plan.readme.kind == "node" else "hypervisor.md.j2", {})
    if plan.stated:
        yield _File("README.md", "stated.md.j2", {})
