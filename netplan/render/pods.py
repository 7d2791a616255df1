"""Everything below ``pods/``, rendered from WorkloadPlans."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator
from typing import Any

from netaddr import IPNetwork

from netplan import resources
from netplan.model.admission import LABEL
from netplan.model.artifact import Artifact
from netplan.model.workloads import RailRoutes, WorkloadPlan
from netplan.render.admission import policy
from netplan.render.dump import dump_yaml, written
from netplan.render.jinja import environment
from netplan.render.jobs import objects
from netplan.render.pod_patches import component, rails, replacements
from netplan.render.pod_spec import pod_template

KIND = "pods"
_APPLY = "instead of the component; cluster-wide: an administrator applies it. For new pods with label {}: {}"


def render_pods(plans: Iterable[WorkloadPlan], site: str) -> Iterator[Artifact]:
    """Kustomize component, example pod, routes, scripts, test jobs and README of every workload."""
    templates = environment(resources.templates() / "pod")
    for plan in plans:
        exports = [shlex.quote(f"{each.name}={each.value}") for each in plan.env]
        names = {"plan": plan, "site": site, "exports": exports}
        script = templates.get_template("rail-routes.sh.j2").render(names) if plan.scripted else None
        for path, text in _yaml_files(plan, site, script):
            yield _artifact(plan, path, text)
        if script is not None:
            yield _artifact(plan, "rail-routes.sh", script, executable=True)
        if plan.routed:
            check = templates.get_template("check-rails.sh.j2").render(names)
            yield _artifact(plan, "check-rails.sh", check, executable=True)
        yield _artifact(plan, "README.md", templates.get_template("README.md.j2").render(names))


def _artifact(plan: WorkloadPlan, path: str, text: str, executable: bool = False) -> Artifact:
    return Artifact(
        path=f"pods/{plan.name}/{path}",
        text=text,
        kind=KIND,
        entities=(f"workloads.{plan.name}",),
        executable=executable,
    )


def _yaml_files(plan: WorkloadPlan, site: str, script: str | None) -> Iterator[tuple[str, str]]:
    header = f"site {site}: workload {plan.name}"
    values = rails(plan, script)
    yield "kustomization.yaml", dump_yaml([component(plan, values)], header)
    yield "rails/kustomization.yaml", dump_yaml([replacements(plan, values)], header)
    yield "rails/pod-rails.yaml", dump_yaml([values], header)
    if plan.admission_api is not None:
        lines = f"{header}\n{_APPLY.format(LABEL, plan.name)}"
        yield "admission-policy.yaml", dump_yaml(policy(plan, plan.admission_api, values), lines)
    if plan.routes:
        yield "routes.yaml", dump_yaml([_routing(plan)], header)
    if plan.workload.image is not None:
        yield "pod.yaml", dump_yaml([_pod(plan, script)], header)
    for job in plan.jobs:
        yield job.file, dump_yaml(objects(plan, job, script), header)


def _pod(plan: WorkloadPlan, script: str | None) -> dict[str, Any]:
    """An idle pod for inspecting the network from inside and for running the check."""
    template = pod_template(plan, script, {}, {"command": ["sleep", "infinity"]}, spread=False)
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": plan.name, "namespace": plan.workload.namespace, **template["metadata"]},
        "spec": {"restartPolicy": "Never", **template["spec"]},
    }


def _routing(plan: WorkloadPlan) -> dict[str, Any]:
    stated = {"unbound_traffic": True} if plan.workload.unbound_traffic else {}
    return {**stated, "interfaces": [_routes(r) for r in plan.routes]}


def _routes(routes: RailRoutes) -> dict[str, Any]:
    """Routes of one interface and address family as data. The README explains the keys."""
    rule = {"priority": routes.priority, "from": _text(routes.source) or "each address of the interface"}
    on_link = {"to": _text(routes.subnet) or "node-prefix", "scope": "link"}
    gateway = str(routes.gateway) if routes.gateway is not None else "node-gateway"
    default = {
        "gateway": [{"to": "default", "via": gateway}],
        "unreachable": [{"to": "default", "type": "unreachable"}],
    }
    table = [on_link, *({"to": str(n), "via": gateway} for n in routes.via), *default.get(routes.default, [])]
    main = [on_link] if routes.connected_in_main else []
    return written(
        {
            "interface": routes.interface,
            "rail": routes.rail,
            "family": f"ipv{routes.version}",
            "back_end": routes.back_end,
            "table": routes.table,
            "rule": written(rule) if routes.tabled else None,
            "routes": table if routes.tabled else None,
            "main": [*main, *({"to": str(n), "via": gateway} for n in routes.main_via)],
            "gateway_owner": "external" if routes.gateway_outside else None,
            "by_default": [str(n) for n in routes.by_default],
            "gratuitous_arp": ("script" if routes.back_end == "script" else "nobody")
            if routes.announce
            else None,
        }
    )


def _text(network: IPNetwork | None) -> str | None:
    return None if network is None else str(network)
