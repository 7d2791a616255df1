"""``kubernetes/README.md``: for the person who applies it."""

from __future__ import annotations

from collections.abc import Iterable

from netplan import resources
from netplan.model.artifact import Artifact
from netplan.model.plan import Plan
from netplan.model.stages import present
from netplan.render.jinja import environment
from netplan.render.objects import ROOT


def render_overview(plan: Plan, artifacts: Iterable[Artifact]) -> Artifact:
    """``artifacts``: the objects, of which only the stages are named."""
    stages = present(artifact.path for artifact in artifacts)
    jinja = environment(resources.templates() / ROOT)
    text = jinja.get_template("README.md.j2").render(
        overview=plan.overview, gitops=plan.gitops, site=plan.fabric.site, stages=stages
    )
    return Artifact(path=f"{ROOT}/README.md", text=text, kind="overview", entities=("cluster",))
