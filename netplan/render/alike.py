"""What a template reads of a switch. Switches that are alike in that have one text, which is printed once.

What a template does not read cannot change what it prints. Its syntax tree, with all that it includes, says
which fields of ``switch`` it reads; below them, fields of any name that occurs in it at all, which is more
than it reads, never less. The name of the switch, where it is printed as it stands, is filled in.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from functools import cache
from typing import Any

from jinja2 import Environment, nodes

from netplan.model.switching import SwitchPlan
from netplan.records import dataclass

_OWN = frozenset({"id", "at", "router_id", "loopbacks", "networks", "neighbours", "families"})
"""Fields that are another switch's never: a template that reads one of them is printed for each."""
_BLANK = "\0name\0"
_PLAIN = frozenset({str, int, bool, float, frozenset, type(None)})
_WORD = re.compile(r"[A-Za-z_]\w*")
_REFERRING = (nodes.Include, nodes.Extends, nodes.Import, nodes.FromImport)


Memo = dict[tuple[int, tuple[str, ...]], tuple[object, Hashable]]
"""By the identity of an object, which it keeps alive, and the names read of it."""


@dataclass(frozen=True, slots=True)
class Reads:
    """``fields``: of the switch; ``names``: of everything below, sorted. ``named``: the text has its name."""

    fields: tuple[str, ...]
    names: tuple[str, ...]
    named: bool

    def of(self, plan: SwitchPlan, memo: Memo) -> Hashable:
        """What the template reads of a switch: of two with the same it prints the same. ``memo``: of parts
        that switches share, such as their QoS."""
        parts = (self._part(getattr(plan, name), memo) for name in self.fields)
        return plan.nos, plan.release.name, *parts

    def _part(self, part: Any, memo: Memo) -> Hashable:
        if isinstance(part, tuple):
            return _seen(part, self.names)
        key = (id(part), self.names)
        if key not in memo:
            memo[key] = (part, _seen(part, self.names))
        return memo[key][1]


def unnamed(plan: SwitchPlan) -> SwitchPlan:
    """A switch with a blank in the place of its name."""
    return replace(plan, name=_BLANK)


def filled_in(text: str, plan: SwitchPlan) -> str:
    return text.replace(_BLANK, plan.name)


def reads(environment: Environment, template: str) -> Reads | None:
    """None where a template is to be printed for each switch."""
    trees = list(_trees(environment, template, set()))
    if not all(tree is not None and _opaque(tree) for tree in trees):
        return None
    accesses = [found for tree in trees if tree is not None for found in tree.find_all(nodes.Getattr)]
    of_switch = {access.attr for access in accesses if _is_switch(access.node)}
    texts = (text for tree in trees if tree is not None for text in _texts(tree))
    names = {access.attr for access in accesses}.union(*map(_WORD.findall, texts))
    if of_switch & _OWN:
        return None
    return Reads(tuple(sorted(of_switch - {"name"})), tuple(sorted(names)), "name" in of_switch)


def _opaque(tree: nodes.Template) -> bool:
    """Whether it reads fields of the switch only, hands the switch itself to nothing, prints its name, if at
    all, as it stands, and works out no name of a field: ``row[unit ~ "_bytes"]``."""
    named = [name.name for name in tree.find_all(nodes.Name)]
    of_switch = [access.attr for access in tree.find_all(nodes.Getattr) if _is_switch(access.node)]
    printed = [node for out in tree.find_all(nodes.Output) for node in out.nodes if _is_name(node)]
    whole = "page" in named or named.count("switch") != len(of_switch)
    stated = all(isinstance(item.arg, nodes.Const | nodes.Slice) for item in tree.find_all(nodes.Getitem))
    return not whole and stated and of_switch.count("name") == len(printed)


def _is_switch(node: nodes.Node) -> bool:
    return isinstance(node, nodes.Name) and node.name == "switch"


def _is_name(node: nodes.Node) -> bool:
    return isinstance(node, nodes.Getattr) and node.attr == "name" and _is_switch(node.node)


def _texts(tree: nodes.Template) -> Iterator[str]:
    """Fields may be named by a text: ``selectattr("name")``, ``row["values"]``."""
    return (c.value for c in tree.find_all(nodes.Const) if isinstance(c.value, str))


def _trees(environment: Environment, template: str, known: set[str]) -> Iterator[nodes.Template | None]:
    """The template and all that it refers to; None for one that is not known before it is printed."""
    if template in known:
        return
    known.add(template)
    assert environment.loader is not None
    tree = environment.parse(environment.loader.get_source(environment, template)[0])
    yield tree
    for node in tree.find_all(_REFERRING):
        named = node.template  # type: ignore[attr-defined]  # all four have it
        if isinstance(named, nodes.Const) and isinstance(named.value, str):
            yield from _trees(environment, named.value, known)
        else:
            yield None


def _seen(value: Any, names: tuple[str, ...]) -> Hashable:
    kind = type(value)
    if kind in _PLAIN:
        return value  # type: ignore[no-any-return]
    if kind is tuple or kind is list:
        return tuple([_seen(item, names) for item in value])
    if is_dataclass(kind):
        known = _known(kind, names)
        return value if known is None else tuple([_seen(getattr(value, name), names) for name in known])
    if isinstance(value, Mapping):
        return tuple((key, _seen(item, names)) for key, item in value.items())
    return str(value)


@cache
def _known(kind: type, names: tuple[str, ...]) -> tuple[str, ...] | None:
    """Names that are fields or properties of a class; None where the whole counts: it is printed as a text of
    its own, or a method is called."""
    own = {field.name for field in fields(kind)}
    found = tuple(name for name in names if name in own or hasattr(kind, name))
    if "__str__" in vars(kind) or any(callable(getattr(kind, name, None)) for name in found):
        return None
    return found
