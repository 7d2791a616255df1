"""A fabric with unknown parts, because the inventory is wrong there."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import fields
from typing import Any

from netplan.model.fabric import Fabric


class UnknownPartError(Exception):
    """An unknown part was read; conclusions from it would be meaningless."""


def with_unknown(fabric: Fabric, names: Collection[str]) -> Fabric:
    """The same fabric, which raises this error when one of these fields is read."""

    def guarded(self: Fabric, name: str) -> Any:
        if name in names:
            raise UnknownPartError(name)
        return object.__getattribute__(self, name)

    kind = type("PartialFabric", (Fabric,), {"__slots__": (), "__getattribute__": guarded})
    partial: Fabric = kind(**{field.name: getattr(fabric, field.name) for field in fields(fabric)})
    return partial
