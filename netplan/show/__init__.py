"""The resolved inventory or the plan, each value with its origin: ``tree``, ``origin``, then ``output``."""

from netplan.show.origin import OriginOf, origin_in
from netplan.show.output import as_data, origins, text_lines
from netplan.show.tree import PLAN, Item, UnknownPathError, find, inventory_tree

__all__ = [
    "PLAN",
    "Item",
    "OriginOf",
    "UnknownPathError",
    "as_data",
    "find",
    "inventory_tree",
    "origin_in",
    "origins",
    "text_lines",
]
