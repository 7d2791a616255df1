"""Files for operating systems, each from one template and a HostPlan."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from netplan import resources
from netplan.model.artifact import Artifact
from netplan.model.delivery import HostFile
from netplan.model.hosts import HostPlan
from netplan.render.jinja import environment

KIND = "hosts"


def render_hosts(plans: Iterable[HostPlan], site: str) -> Iterator[Artifact]:
    """All files below ``hosts/``, in the order of the plans."""
    jinja = environment(resources.templates() / "host")
    for plan in plans:
        subjects = _subjects(plan)
        for file in (*plan.files, *_readmes(plan)):
            about = {file.about[0]: subjects[file.about]} if file.about is not None else {}
            yield Artifact(
                path=f"hosts/{plan.name}/{file.path}",
                text=jinja.get_template(file.template).render(host=plan, site=site, **about),
                kind=KIND,
                entities=(plan.entity,),
                executable=file.executable,
            )


def _subjects(plan: HostPlan) -> dict[tuple[str, str], object]:
    """Parts of the plan that files print, by HostFile.about."""
    found: dict[tuple[str, str], object] = {("link", k.hca): k for k in plan.links}
    found |= {("network", n.hca): n for n in plan.networks}
    return found | {("script", s.file): s for s in (plan.qos.scripts if plan.qos is not None else ())}


def _readmes(plan: HostPlan) -> Iterator[HostFile]:
    if plan.readme is not None:
        yield _readme("README.md.j2" if plan.readme.kind == "node" else "hypervisor.md.j2")
    if plan.stated:
        yield _readme("stated.md.j2")


def _readme(template: str) -> HostFile:
    return HostFile(path="README.md", shown="README.md", template=template, destination=None, effect="")
