"""Classes of NX-OS policies under names of the site's own, or of the default template, as those that count up
with the qos-group: the names that the rules read back. Every line keeps its number.

Nexus 9000 NX-OS 10.4 QoS guide: Configuring Network QoS (``class-map type network-qos match-any NAME``,
``match qos-group n``; ``c-8q-nq3``, ``c-nq3`` of templates with 4 queues) and Configuring Queuing
(``class-map type queuing match-any NAME``, ``c-out-8q-q3``, ``c-out-q3``). In a policy map ``class NAME`` is
short for ``class type network-qos NAME``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping

_CALLED: Mapping[str, str] = {"network-qos": "c-8q-nq", "queuing": "c-out-8q-q"}
_TEMPLATE: Mapping[str, str] = {"network-qos": "c-nq", "queuing": "c-out-q"}
"""Type of a policy -> the name of a class up to its number, and that of templates with 4 queues."""
_MADE = re.compile(
    r"^class-map type (network-qos|queuing) (?:match-(?:any|all) )?(\S+)[ \t]*\n"
    r"((?:[ \t]+[^\n]*(?:\n|\Z))*)",
    re.M,
)
_GROUP = re.compile(r"[ \t]+match qos-group ([0-7])[ \t]*\n?")
_POLICY = re.compile(
    r"^policy-map type (network-qos|queuing) [^\n]*\n(?:[ \t]+[^\n]*(?:\n|\Z)|(?:!|[ \t]*)\n)*", re.M
)
_CLASS = re.compile(r"^([ \t]+class )(?:type (?:network-qos|queuing) )?(\S+)[ \t]*$", re.M)


def with_numbers(text: str) -> str:
    """Each such class under the name with the number of its qos-group; others as they are."""
    if "policy-map type " not in text:
        return text
    numbers = dict(_numbers(text))
    return _POLICY.sub(lambda policy: _CLASS.sub(_renamed(policy[1], numbers), policy[0]), text)


def _numbers(text: str) -> Iterator[tuple[tuple[str, str], str]]:
    """(type, name of a class) -> its qos-group."""
    for kind, name in _TEMPLATE.items():
        for number in (*map(str, range(8)), "-default"):
            yield (kind, f"{name}{number}"), number
        yield (kind, "class-default"), "-default"
    for found in _MADE.finditer(text):
        if (group := _GROUP.fullmatch(found[3])) is not None:
            yield (found[1], found[2]), group[1]


def _renamed(kind: str, numbers: Mapping[tuple[str, str], str]) -> Callable[[re.Match[str]], str]:
    def name(found: re.Match[str]) -> str:
        number = numbers.get((kind, found[2]))
        return found[0] if number is None else f"{found[1]}type {kind} {_CALLED[kind]}{number}"

    return name
