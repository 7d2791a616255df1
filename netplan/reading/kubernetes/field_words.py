"""Messages about values that a list of fields rejects: what is wrong with one, and what to write."""

from __future__ import annotations

import json
from typing import Any

_MESSAGE_MAX = 200


def wrong(error: Any) -> str:
    """``is '8', not an integer``"""
    value = _shown(error.instance)
    wanted = error.validator_value
    if error.validator == "type":
        names = [wanted] if isinstance(wanted, str) else [name for name in wanted if name != "null"]
        return f"is {value}, not {' or '.join(_KINDS.get(name, name) for name in names)}"
    if error.validator == "enum":
        return (
            f"is {value}, not one of {', '.join(_shown(word) for word in wanted if word not in (None, ''))}"
        )
    if error.validator in ("minimum", "maximum"):
        return f"is {value}, the {error.validator} is {wanted}"
    return f"is refused: {error.message[:_MESSAGE_MAX]}"


_KINDS = {
    "string": "text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "object": "a map",
    "array": "a list",
}


def _shown(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= 60 else f"{text[:57]}..."


def advice(error: Any) -> str:
    value, wanted = error.instance, error.validator_value
    texts = wanted == "string" or "string" in (error.schema.get("type") or ()) or error.validator == "enum"
    if isinstance(value, bool) and texts:
        return 'quote it: unquoted, on, off, yes and no are true and false in YAML 1.1 ("on", "off")'
    if isinstance(value, int | float) and texts:
        return f'quote it: "{value}"'
    if value == "":
        return "write a value, or leave out the field"
    if isinstance(value, str) and wanted in ("integer", "number", "boolean"):
        return "write it without quotes"
    if error.validator in ("minimum", "maximum"):
        return f"write {wanted} or {'more' if error.validator == 'minimum' else 'less'}"
    return "write one of these" if error.validator == "enum" else "write a value of the kind named"
