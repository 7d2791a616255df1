"""``kubernetes/README.md``: for the person who applies it."""

from __future__ import annotations

from collections.abc import Iterable

from netplan import resources
from netplan.model.artifact import Artifact
from netplan.model.overview import Overview
from netplan.model.stages import STAGES
from netplan.render.jinja import environment
from netplan.render.objects import ROOT


def render_overview(overview: Overview, site: str, artifacts: Iterable[Artifact]) -> Artifact:
    """``artifacts``: the objects, of which only the stages are named."""
    folders = {"/".join(artifact.path.split("/")[:2]) for artifact in artifacts}
    stages = [stage for stage in STAGES if f"{ROOT}/{stage.folder}" in folders]
    jinja = environment(resources.templates() / ROOT)
    text = jinja.get_template("README.md.j2").render(overview=overview, site=site, stages=stages)
    return Artifact(path=f"{ROOT}/README.md", text=text, kind="overview", entities=("cluster",))
