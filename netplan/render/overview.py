"""``kubernetes/README.md``: for the person who applies it."""

from __future__ import annotations

from netplan import resources
from netplan.model.artifact import Artifact
from netplan.model.overview import Overview
from netplan.render.jinja import environment


def render_overview(overview: Overview, site: str) -> Artifact:
    jinja = environment(resources.templates() / "kubernetes")
    text = jinja.get_template("README.md.j2").render(overview=overview, site=site)
    return Artifact(path="kubernetes/README.md", text=text, kind="overview", entities=("cluster",))
