"""Everything below ``delivery/``: means to copy the files of ``hosts/`` to the hosts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from netplan import resources
from netplan.model.artifact import Artifact
from netplan.model.delivery import STATE, DeliveryPlan
from netplan.render.delivery_ansible import ansible_files
from netplan.render.delivery_butane import butane_files
from netplan.render.delivery_daemonset import daemonset_files
from netplan.render.dump import dump_yaml
from netplan.render.jinja import environment

KIND = "delivery"


def render_delivery(plan: DeliveryPlan | None, hosts: Iterable[Artifact], site: str) -> Iterator[Artifact]:
    """``hosts``: the artifacts below ``hosts/``, whose texts a DaemonSet embeds."""
    if plan is None:
        return
    for path, entity, documents in _files(plan, hosts):
        yield Artifact(
            path=f"{KIND}/{path}",
            text=dump_yaml(documents, f"site {site}: written by netplan from the inventory"),
            kind=KIND,
            entities=(entity,),
        )
    text = environment(resources.templates() / "delivery").get_template("README.md.j2")
    yield Artifact(
        path=f"{KIND}/README.md",
        text=text.render(plan=plan, site=site, state=STATE),
        kind=KIND,
        entities=("cluster.host_delivery",),
    )


def _files(plan: DeliveryPlan, hosts: Iterable[Artifact]) -> Iterator[tuple[str, str, list[object]]]:
    if plan.by.ansible:
        yield from ansible_files(plan)
    if plan.by.butane is not None:
        yield from butane_files(plan, plan.by.butane)
    if plan.by.image is not None:
        yield from daemonset_files(plan, plan.by.image, {a.path: a.text for a in hosts})
