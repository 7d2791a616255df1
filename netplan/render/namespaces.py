"""Namespaces that must exist before anything is created in them.

Whoever created one (a chart's ``--create-namespace``, the team whose pods run there) stays its owner: only
the name is stated, and the annotations that keep GitOps tools from removing it.
"""

from __future__ import annotations

from collections.abc import Iterator

from netplan.model.artifact import Artifact
from netplan.model.plan import Plan
from netplan.render.objects import object_file


def render_namespaces(plan: Plan) -> Iterator[Artifact]:
    site = plan.fabric.site
    for name in plan.overview.namespaces:
        body = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}}
        yield object_file(site, f"namespaces/{name}.yaml", [body], f"namespace {name}", ["cluster"])
