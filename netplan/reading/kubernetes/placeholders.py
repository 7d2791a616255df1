"""Placeholders in what others wrote: what a tool or a person replaces before an API server sees the text."""

from __future__ import annotations

import re
from typing import Any

_TEMPLATED = re.compile(
    r"\$[A-Za-z_{(]|\{\{|\[\[\s*\w+\s*\]\]|<path:|<%|<[A-Za-z][\w.-]*>|@[A-Za-z_][\w.-]*@|\A\s*_[A-Za-z]\w*_\s*\Z"
    r"|\b(?:CHANGE_?ME|REPLACE_?ME|YOUR[_-][A-Z_-]+)\b|\b(?:TODO|FIXME)(?:\b|_)|\A\s*(?:\.\.\.|\u2026)\s*\Z"
    r"|\{(?:\d+\.\.\d+|[a-z]\.\.[a-z])\}"
    r"|\b[xX]{3}\b|\b(?:\d+|[xX])\.[xX]\b|\AENC\[[A-Z0-9_]+,|\A\s*<[A-Za-z][^<>]*>\s*\Z"
)
"""What Flux, envsubst, Helm, Argo CD plugins and shells replace before the API server sees it; @name@ of
build tools; a whole value _name_, which a kustomization replaces (openstack-k8s-operators/architecture
0b12d3f lib/control-plane/base); what sops encrypted (getsops/sops README.rst: ENC[AES256_GCM,...]); what a
person replaces: <name> (NVIDIA/ais-k8s manifests/multus), <networks, such as a,b> as a whole value,
YOUR_NAME, TODO_RAIL0_CIDR (NVIDIA's network-operator-docs), xxx, 10.0.0.x; rail{0..7}, a row of objects
(GNU Bash manual, Brace Expansion); "..." for what a page leaves out."""


def templated(value: Any) -> bool:
    """Whether the text still has placeholders to be replaced."""
    return isinstance(value, str) and _TEMPLATED.search(value) is not None


def final(value: Any) -> bool:
    """Whether no text in the value, at any depth, has placeholders to be replaced."""
    if isinstance(value, dict):
        return all(final(key) and final(item) for key, item in value.items())
    if isinstance(value, list):
        return all(map(final, value))
    return not templated(value)


_NAMED = re.compile(r"\$\{\w+\}")
_STRING = re.compile(r'"(?:[^"\\\n]|\\.)*"')


def only_in_strings(text: str) -> bool:
    """Whether all placeholders of a text are ``${NAME}`` in strings: JSON stays JSON with any values."""
    return not templated(_NAMED.sub("", text)) and not templated(_STRING.sub('""', text))


_WORD = re.compile(r"_{0,2}(?!TRUE\b|FALSE\b|NULL\b|NONE\b)[A-Z][A-Z0-9_]{2,}(?![a-z])")
"""In place of a value: VLAN_ID or __MTU__."""


def is_name_at(text: str, at: int) -> bool:
    """Whether the name of a value, which a script replaces, begins at a place in a text."""
    return _WORD.match(text, at) is not None
