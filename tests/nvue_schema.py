"""The closed schema of what NVUE is given, in the words of a release.

``nvue.schema.json`` has the words of 5.14 and older. 5.15 renamed some (New-and-Changed-NVUE-Commands.md):
they are renamed in the schema here, so that each release accepts its own words and none of the other's.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

FILE = Path(__file__).parent / "nvue.schema.json"
_ON = {"$ref": "#/$defs/on"}


@cache
def nvue_schema(release: str) -> Any:
    schema = json.loads(FILE.read_text())
    if release == "5.14":
        return schema
    assert release == "5.15"
    schema["$defs"]["on"] = {"const": "enabled"}
    return _renamed(schema)


def _renamed(node: Any) -> Any:
    if isinstance(node, list):
        return [_renamed(item) for item in node]
    if not isinstance(node, dict):
        return node
    out = {key: _renamed(value) for key, value in node.items()}
    properties, required = out.get("properties", {}), out.get("required", [])
    if properties.get("enable") == _ON:
        properties["state"] = properties.pop("enable")
        out["required"] = ["state" if key == "enable" else key for key in required]
    if "ip" in properties:
        properties["ipv4"] = properties["ipv6"] = properties.pop("ip")
        if "ip" in required:
            out["required"] = [key for key in required if key != "ip"]
            out["anyOf"] = [{"required": ["ipv4"]}, {"required": ["ipv6"]}]
    if out.get("not") == {"required": ["ip", "bridge"]}:
        out["not"] = {"anyOf": [{"required": [key, "bridge"]} for key in ("ipv4", "ipv6")]}
    return out
