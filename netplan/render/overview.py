"""``kubernetes/README.md``, for whoever applies the objects."""

from __future__ import annotations

from collections.abc import Iterable

from netplan import resources
from netplan.model.artifact import Artifact
from netplan.model.plan import Plan
from netplan.model.stages import present
from netplan.render.gitops import steps
from netplan.render.jinja import environment
from netplan.render.objects import ROOT


def render_overview(plan: Plan, artifacts: Iterable[Artifact]) -> Artifact:
    """``artifacts``: the objects; only their stages are listed."""
    paths = [artifact.path for artifact in artifacts]
    applied = plan.gitops is not None and bool(steps(plan.gitops, paths))
    jinja = environment(resources.templates() / ROOT)
    text = jinja.get_template("README.md.j2").render(
        overview=plan.overview,
        gitops=plan.gitops,
        applied=applied,
        site=plan.fabric.site,
        stages=present(paths),
    )
    return Artifact(path=f"{ROOT}/README.md", text=text, kind="overview", entities=("cluster",))
