"""Rewrite schemas/kubernetes/pod-extra.json, the pod fields that an inventory may state below ``extra``:
``python tools/pod_fields.py``; with ``--check`` only compare.

Names and types are from Kubernetes' own OpenAPI documents, oldest and newest; what netplan decides itself
(netplan/model/pod_fields.py) is left out, with a hint in its place. Texts use the same alphabet as the
inventory's other free texts.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from netplan.model.pod_fields import OWN
from tools.made_file import ROOT, make

TARGET = ROOT / "schemas" / "kubernetes" / "pod-extra.json"
VERSIONS = ("1.30", "1.34")
POD_SPEC = "io.k8s.api.core.v1.PodSpec"
TEXT = {"type": "string", "pattern": "^[A-Za-z0-9 ,.:;/_()+=@%^-]*$", "maxLength": 1024}
KEY = "^([a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?/)?[A-Za-z0-9]([A-Za-z0-9_.-]{0,61}[A-Za-z0-9])?$"
BOUNDS = {"int32": 2**31, "int64": 2**53}
"""For int64, what every JSON reader preserves."""
ENTRIES_MAX = 1000

Schema = dict[str, Any]


def text(upstream: Path) -> str:
    """The file as it should be, from the OpenAPI documents in the folder NETPLAN_UPSTREAM."""
    maker = _Maker(
        [
            json.loads((upstream / "kubernetes-openapi" / f"v{v}.json").read_text())["definitions"]
            for v in VERSIONS
        ]
    )
    root = maker.type(POD_SPEC, OWN)
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "https://rdma-netplan.dev/schemas/kubernetes/pod-extra.json",
        "title": "Pod fields of a site",
        "description": "Fields of core/v1 PodSpec that a site states. Made by tools/pod_fields.py.",
        **root,
        "x-netplan-own": dict(OWN),
        "$defs": dict(sorted(maker.made.items())),
    }
    return json.dumps(schema, indent=2) + "\n"


class _Maker:
    def __init__(self, documents: list[dict[str, Schema]]) -> None:
        self.documents, self.made = documents, dict[str, Schema]()

    def type(self, name: str, without: Any = ()) -> Schema:
        """A closed schema with the fields of any version."""
        every = {field for d in self.documents for field in d.get(name, {}).get("properties", {})}
        properties = {field: self._field(name, field) for field in sorted(every - set(without))}
        required = sorted(set(self.documents[-1][name].get("required", ())) & properties.keys())
        schema: Schema = {"type": "object", "additionalProperties": False, "properties": properties}
        return schema | ({"required": required} if required else {})

    def _field(self, owner: str, field: str) -> Schema:
        have = [field in d.get(owner, {}).get("properties", {}) for d in self.documents]
        lacking = [v for v, there in zip(VERSIONS, have, strict=True) if not there]
        newest = next(d for d, there in zip(reversed(self.documents), reversed(have), strict=True) if there)
        words = (
            f"{owner.rpartition('.')[2]}.{field} of Kubernetes{''.join(f', not in {v}' for v in lacking)}."
        )
        marked = {"x-netplan-not-in": lacking} if lacking else {}
        return {"description": words, **self._value(newest[owner]["properties"][field]), **marked}

    def _value(self, upstream: Schema) -> Schema:
        if "$ref" in upstream:
            name = upstream["$ref"].rpartition("/")[2]
            short = name.rpartition(".")[2]
            if short not in self.made:
                self.made[short] = {}
                self.made[short] = {"description": f"{short} of Kubernetes.", **self.type(name)}
            return {"$ref": f"#/$defs/{short}"}
        kind = upstream["type"]
        if kind == "array":
            items = {"description": "One entry.", **self._value(upstream["items"])}
            return {"type": kind, "items": items, "maxItems": ENTRIES_MAX}
        if kind == "object":
            below = {"description": "Value.", **self._value(upstream["additionalProperties"])}
            names = {"pattern": KEY}
            return {
                "type": kind,
                "propertyNames": names,
                "additionalProperties": below,
                "maxProperties": ENTRIES_MAX,
            }
        if kind == "integer":
            bound = BOUNDS[upstream["format"]]
            return {"type": kind, "minimum": -bound, "maximum": bound - 1}
        return dict(TEXT) if kind == "string" else {"type": kind}


if __name__ == "__main__":
    sys.exit(make(TARGET, text, sys.argv[1:]))
