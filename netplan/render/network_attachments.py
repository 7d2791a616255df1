"""NetworkAttachmentDefinitions that netplan writes itself."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from netplan.model.artifact import Artifact
from netplan.model.kubernetes import Attachment
from netplan.model.plan import Plan
from netplan.render.cni import conflist
from netplan.render.dump import Json
from netplan.render.objects import object_file

RESOURCE_ANNOTATION = "k8s.v1.cni.cncf.io/resourceName"


def render_network_attachments(plan: Plan) -> Iterator[Artifact]:
    """One file per namespace and network, with all of its attachments."""
    files: dict[tuple[str, str], list[Attachment]] = defaultdict(list)
    for attachment in plan.kubernetes.attachments:
        if attachment.owner_kind == "NetworkAttachmentDefinition":
            for namespace in attachment.namespaces:
                files[namespace, attachment.network.name].append(attachment)
    for (namespace, network), attachments in sorted(files.items()):
        path = f"network-attachments/{namespace}/{network}.yaml"
        objects = [definition(a, namespace) for a in attachments]
        yield object_file(plan.fabric.site, path, objects, f"network {network}", [f"networks.{network}"])


def definition(attachment: Attachment, namespace: str) -> dict[str, Any]:
    """The NAD, with the resource annotation by which Multus finds the device."""
    metadata: dict[str, Any] = {"name": attachment.name, "namespace": namespace}
    if attachment.resource is not None:
        metadata["annotations"] = {RESOURCE_ANNOTATION: attachment.resource.full_name}
    return {
        "apiVersion": "k8s.cni.cncf.io/v1",
        "kind": "NetworkAttachmentDefinition",
        "metadata": metadata,
        "spec": {"config": Json(conflist(attachment))},
    }
