"""JSON Schemas without references: each one replaced with what it leads to."""

from __future__ import annotations

from collections.abc import Callable
from posixpath import dirname, join, normpath
from typing import Any

Read = Callable[[str], Any]
"""Path of a schema file -> its content."""


def inlined(schema: Any, file: str, read: Read) -> Any:
    """``schema`` from ``file`` with its references replaced; what several references lead to is one object. A
    schema must not refer to itself."""
    return _Inliner(read).value(schema, file)


class _Inliner:
    def __init__(self, read: Read) -> None:
        self.read, self.done = read, dict[tuple[str, str], Any]()

    def value(self, schema: Any, file: str) -> Any:
        if isinstance(schema, list):
            return [self.value(part, file) for part in schema]
        if not isinstance(schema, dict):
            return schema
        beside = {
            key: self.value(part, file) if isinstance(part, dict | list) else part
            for key, part in schema.items()
            if key != "$ref" and key != "$defs"
        }
        return {**self._target(schema["$ref"], file), **beside} if "$ref" in schema else beside

    def _target(self, reference: str, file: str) -> Any:
        name, _, pointer = reference.partition("#")
        key = (normpath(join(dirname(file), name)) if name else file, pointer)
        if key not in self.done:
            target = self.read(key[0])
            for part in pointer.split("/")[1:]:
                target = target[part]
            whole = self.value(target, key[0])
            self.done[key] = {name: part for name, part in whole.items() if name not in ("$schema", "$id")}
        return self.done[key]
