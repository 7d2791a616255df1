"""A DaemonSet per host type, whose pods copy files from ConfigMaps onto their nodes."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from netplan import resources
from netplan.model.delivery import STATE, DeliveryPlan, HostFile, TypeDelivery
from netplan.records import dataclass
from netplan.render.jinja import environment
from netplan.render.objects import kustomization

_FILES = "/files"
LIMIT = 900_000
"""Maximum bytes of data per ConfigMap; the API server accepts 1 MiB (kubernetes.io, ConfigMap,
restrictions)."""

Object = dict[str, Any]
Texts = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class _Part:
    """A file in a ConfigMap: ``key`` in its data, ``path`` and ``mode`` in the mounted volume."""

    key: str
    path: str
    mode: int
    text: str


def daemonset_files(plan: DeliveryPlan, image: str, texts: Texts) -> Iterator[tuple[str, str, list[object]]]:
    """(path, entity, objects) of each file. ``texts``: files of ``hosts/`` by path."""
    namespace = plan.by.namespace
    entity = "cluster.host_delivery"
    script = environment(resources.templates() / "delivery").get_template("install.sh.j2").render(state=STATE)
    yield "daemonset/namespace.yaml", entity, [_namespace(namespace)]
    for kind in plan.types:
        maps = _config_maps(kind, namespace, script, texts)
        objects = [m for m, _ in maps]
        sources = [s for _, s in maps]
        pods = _daemonset(kind, namespace, image, sources, _digest(objects))
        yield f"daemonset/{kind.name}.yaml", kind.files.entity, [*objects, pods]
    listed = ["namespace.yaml", *sorted(f"{k.name}.yaml" for k in plan.types)]
    yield "daemonset/kustomization.yaml", entity, [kustomization(listed)]


def _namespace(name: str) -> Object:
    labels = {f"pod-security.kubernetes.io/{mode}": "privileged" for mode in ("enforce", "audit", "warn")}
    return {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name, "labels": labels}}


def _config_maps(
    kind: TypeDelivery, namespace: str, script: str, texts: Texts
) -> list[tuple[Object, Object]]:
    """(ConfigMap, projection of its files into the volume) pairs."""
    of_type = [_Part("install.sh", "install.sh", 0o755, script)]
    of_type += _parts("type", "type", kind.files.files, texts)
    name = f"netplan-hosts-{kind.name}"
    out = [_config_map(name, namespace, of_type)]
    for i, parts in enumerate(_chunks(_own(kind, texts)), 1):
        out.append(_config_map(f"{name}-own-{i}", namespace, parts))
    return out


def _own(kind: TypeDelivery, texts: Texts) -> Iterator[list[_Part]]:
    """Files of single hosts that replace those of the type."""
    for host in kind.own:
        mine = tuple((p, f) for p, f in host.files if p.startswith(f"{host.name}/"))
        yield list(_parts(host.name, f"hosts/{host.name}", mine, texts))


def _chunks(groups: Iterable[list[_Part]]) -> Iterator[list[_Part]]:
    chunk: list[_Part] = []
    for group in groups:
        if chunk and sum(len(p.text) for p in (*chunk, *group)) > LIMIT:
            yield chunk
            chunk = []
        chunk = chunk + group
    if chunk:
        yield chunk


def _parts(name: str, folder: str, files: tuple[tuple[str, HostFile], ...], texts: Texts) -> Iterator[_Part]:
    lines = "".join(f"{'0755' if f.executable else '0644'} {f.destination}\n" for _, f in files)
    yield _Part(f"{name}_list", f"{folder}/list", 0o644, lines)
    yield _Part(f"{name}_commands", f"{folder}/commands", 0o644, "".join(_commands(f) for _, f in files))
    for i, (path, file) in enumerate(files):
        key = f"{name}_{i}_{path.rpartition('/')[2]}"
        yield _Part(key, f"{folder}/root{file.destination}", 0o644, texts[f"hosts/{path}"])


def _commands(file: HostFile) -> str:
    stated = (*(("safe", c) for c in file.safe), *(("disruptive", c) for c in file.disruptive))
    return "".join(f"{kind} {file.destination} {' '.join(command)}\n" for kind, command in stated)


def _config_map(name: str, namespace: str, parts: list[_Part]) -> tuple[Object, Object]:
    items = [{"key": p.key, "path": p.path, "mode": p.mode} for p in parts]
    return (
        {
            "apiVersion": "v1",
            "kind": "ConfigMap",
            "metadata": {"name": name, "namespace": namespace},
            "data": {p.key: p.text for p in parts},
        },
        {"configMap": {"name": name, "items": items}},
    )


def _digest(objects: list[Object]) -> str:
    """Digest of everything a pod installs. As an annotation it restarts the pods when a file changes."""
    text = "".join(f"{k}\0{v}\0" for o in objects for k, v in o["data"].items())
    return hashlib.sha256(text.encode()).hexdigest()


def _daemonset(kind: TypeDelivery, namespace: str, image: str, sources: list[Object], digest: str) -> Object:
    labels = {"app.kubernetes.io/name": "netplan-hosts", "app.kubernetes.io/instance": kind.name}
    return {
        "apiVersion": "apps/v1",
        "kind": "DaemonSet",
        "metadata": {"name": f"netplan-hosts-{kind.name}", "namespace": namespace, "labels": labels},
        "spec": {
            "selector": {"matchLabels": labels},
            "template": {
                "metadata": {"labels": labels, "annotations": {"checksum/files": digest}},
                "spec": _pod(kind, image, sources),
            },
        },
    }


def _pod(kind: TypeDelivery, image: str, sources: list[Object]) -> Object:
    """Pod spec. With hostPID, nsenter reaches the host's own systemd and network."""
    node = {"name": "NODE_NAME", "valueFrom": {"fieldRef": {"fieldPath": "spec.nodeName"}}}
    mounts = [
        {"name": "files", "mountPath": _FILES, "readOnly": True},
        {"name": "host", "mountPath": "/host"},
    ]
    return {
        "hostPID": True,
        "automountServiceAccountToken": False,
        "terminationGracePeriodSeconds": 1,
        "nodeSelector": dict(kind.selector),
        "tolerations": [{"operator": "Exists"}],
        "initContainers": [
            {
                "name": "install",
                "image": image,
                "command": ["sh", f"{_FILES}/install.sh"],
                "env": [node],
                "securityContext": {"privileged": True, "runAsUser": 0},
                "volumeMounts": mounts,
            }
        ],
        "containers": [
            {
                "name": "wait",
                "image": image,
                "command": ["tail", "-f", "/dev/null"],
                "resources": {"requests": {"cpu": "1m", "memory": "4Mi"}},
                "securityContext": {"allowPrivilegeEscalation": False, "capabilities": {"drop": ["ALL"]}},
            }
        ],
        "volumes": [
            {"name": "files", "projected": {"sources": sources}},
            {"name": "host", "hostPath": {"path": "/", "type": "Directory"}},
        ],
    }
