"""What an object begins with: its apiVersion and kind, also where they are not as they should be."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from netplan.diagnostics import Diagnostic, Severity
from netplan.model.document import Places

_OBJECT = re.compile(
    r"""(?:^(?:- *)?|\A\s*)["']?apiVersion["']?\s*:|\A\s*\{[^{}]*"apiVersion"\s*:""", re.MULTILINE
)
_JSON_OBJECT = re.compile(r"""^[ \t]*\{?[ \t]*"apiVersion"\s*:""", re.MULTILINE)
"""What an object begins with: the key at the left, or of the first map in JSON, whose lists are indented.
Further in, objects are data of another text."""


def begins_object(text: str) -> bool:
    in_json = text.lstrip()[:1] in ("{", "[") and _JSON_OBJECT.search(text)
    return bool(in_json or _OBJECT.search(text))


def head_fault(body: dict[str, Any], places: Places) -> Diagnostic | None:
    """Of a map that would be an object but for one of its two first keys."""
    if null := _null_name(body):
        return _fault(body, places, null, f"an object without {null}: it is required and null", null)
    if version := _missing_version(body):
        named = f"{body['kind']} {body['metadata']['name']}"
        message = f"{named} has no apiVersion: kubectl refuses it"
        return _fault(body, places, "kind", message, f"apiVersion: {version}")
    if key := _in_other_case(body):
        meant = "apiVersion" if key.lower() == "apiversion" else "kind"
        return _fault(body, places, key, f"an object without {meant}: {key} is not read", meant)
    return None


def _fault(body: dict[str, Any], places: Places, key: str, message: str, meant: str) -> Diagnostic:
    at = next(key_at for name, _, key_at, _ in places.entries(body) if name == key)
    source = places.sources.source(at)
    return Diagnostic("NP752", Severity.ERROR, (key,), message, f"write {meant}", source)


_NETWORKS = "k8s.v1.cni.cncf.io/networks"
_VERSIONS = {
    **dict.fromkeys(("Deployment", "StatefulSet", "DaemonSet", "ReplicaSet"), "apps/v1"),
    **dict.fromkeys(("Job", "CronJob"), "batch/v1"),
    "Pod": "v1",
    "NetworkAttachmentDefinition": "k8s.cni.cncf.io/v1",
}
"""apiVersion of kinds whose objects may lack it: networks of pods, and pods that ask for them."""
_KIND = re.compile(rf"""^["']?kind["']?\s*:\s*["']?(?:{"|".join(_VERSIONS)})\b""", re.MULTILINE)


def may_hold_object(text: str) -> bool:
    """Whether a text is worth reading: it has an apiVersion, or seems to lack only that."""
    return "apiversion" in text.lower() or _may_lack_version(text)


def _may_lack_version(text: str) -> bool:
    return ("NetworkAttachmentDefinition" in text or _NETWORKS in text) and _KIND.search(text) is not None


def _missing_version(body: Mapping[str, Any]) -> str:
    """The apiVersion that an object lacks, else "": it has a name and a spec, and nothing else is missing."""
    metadata, spec = body.get("metadata"), body.get("spec")
    whole = isinstance(spec, dict) and isinstance(metadata, dict) and isinstance(metadata.get("name"), str)
    if not whole or any(isinstance(key, str) and key.lower() == "apiversion" for key in body):
        return ""
    version = _VERSIONS.get(str(body.get("kind")), "")
    asks = body.get("kind") == "NetworkAttachmentDefinition" or _annotated(body)
    return version if asks else ""


def _annotated(value: Any) -> bool:
    """Whether a map at any depth has the networks annotation."""
    if isinstance(value, dict):
        return _NETWORKS in value or any(map(_annotated, value.values()))
    return isinstance(value, list) and any(map(_annotated, value))


def _null_name(body: Mapping[str, Any]) -> str:
    """Which of apiVersion and kind an object states as null, else ""."""
    named = [body[key] for key in ("apiVersion", "kind") if key in body]
    if "metadata" not in body or len(named) < 2 or not all(isinstance(v, str | None) for v in named):
        return ""
    return next((key for key in ("kind", "apiVersion") if body[key] is None and any(named)), "")


def _in_other_case(body: Mapping[str, Any]) -> str:
    """The key that stands for apiVersion or kind in letters of another case, else ""."""
    keys = [key for key in body if isinstance(key, str) and key.lower() in ("apiversion", "kind")]
    strange = [key for key in keys if key not in ("apiVersion", "kind")]
    return strange[0] if len(keys) == 2 and len(strange) == 1 and "metadata" in body else ""
