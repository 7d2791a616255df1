"""Fields of a running object against those of a planned one."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from netplan.reading.kubernetes.objects import inside

_METADATA = ("labels", "annotations")
_ANNOTATIONS = ("metadata", "annotations")
_LEAST = ("apiVersion", "kind", "status")
_DEFAULTS = {"logLevel": "info", "poolType": "ippool", "resourcePrefix": "rdma"}
"""What holds without the key (k8snetworkplumbingwg/sriov-network-operator 249e2001
config/crd/bases/sriovnetwork.openshift.io_sriovnetworks.yaml, logLevel; Mellanox/nvidia-k8s-ipam 3ce4a34
README.md, poolType; Mellanox/k8s-rdma-shared-dev-plugin README.md, resourcePrefix: netplan states it for the
SR-IOV device plugin, whose default is another)."""
_ANY_CASE = frozenset({"linkType"})
"""``eth`` or ``ETH`` (the same repository, api/v1/sriovnetworknodepolicy_types.go)."""
_CHAINS = frozenset({"metaPlugins"})
"""Entries of a list without its brackets (the same file)."""
_WHOLE = frozenset({"nodeSelector"})
"""A key more selects fewer nodes, whoever wrote it."""
_ALONE = frozenset({"exclusions", "excludeIPs"})
"""Of a pool also where netplan writes none: fewer addresses are given out than are planned."""
Path = tuple[str | int, ...]
Unlike = tuple[Path, Any, Any]
"""(path, planned value, running value)."""


def unlike_fields(planned: dict[str, Any], running: dict[str, Any]) -> Iterator[Unlike]:
    """Of an object: what netplan writes, and what a pool excludes. Applying the plan keeps the fields of
    others."""
    for key, value in planned.items():
        if key == "metadata":
            for part in _METADATA:
                yield from _within(value.get(part), inside(running, ("metadata", part)), ("metadata", part))
        elif key not in _LEAST:
            yield from _within(value, running.get(key), (key,))


def unlike_beyond_names(
    planned: dict[str, Any], running: dict[str, Any], names: Mapping[str, Collection[str]]
) -> Iterator[Unlike]:
    """Of an object that replaces one of another name: all that either states, as the old one goes, without
    what labels and annotations say of who made it. ``names``: running -> planned, of all such objects."""
    for key in dict.fromkeys([*planned, *running]):
        if key != "metadata" and key not in _LEAST:
            for at, one, other in _within(planned.get(key), running.get(key), (key,), whole=True):
                if not (isinstance(other, str) and one in names.get(other, ())):
                    yield at, one, other
    own, theirs = (inside(body, _ANNOTATIONS) or {} for body in (planned, running))
    for name in sorted(own.keys() & theirs.keys()):
        yield from _within(own[name], theirs[name], (*_ANNOTATIONS, name))


def _within(planned: Any, running: Any, at: Path, whole: bool = False) -> Iterator[Unlike]:
    """Paths where the running value lacks what is planned, with both values. Empty values do not count: the
    API server drops them. ``whole``: in a JSON text, which nobody else writes into, in a selector, or of
    another object."""
    if (planned is None and not whole) or _same(planned, running, at[-1]):
        return
    one, other = _opened(planned, running, at[-1])
    whole = whole or one is not planned or at[-1] in _WHOLE
    if isinstance(one, dict) and isinstance(other, dict):
        for key in _keys(one, other, whole):
            yield from _within(one.get(key), other.get(key), (*at, str(key)), whole or key in _ALONE)
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for index, pair in enumerate(zip(one, other, strict=True)):
            yield from _within(*pair, (*at, index), whole)
    elif not _same(one, other, at[-1]):
        yield at, one, other


def _keys(planned: Mapping[str, Any], running: Mapping[str, Any], whole: bool) -> list[str]:
    """Those to compare, in order."""
    return list(dict.fromkeys([*planned, *(key for key in running if whole or key in _ALONE)]))


def _by_type(entries: Any) -> dict[str, Any]:
    """Plugins of a chain, each by its type, where no two have one."""
    types = [inside(each, ("type",)) for each in entries] if isinstance(entries, list) else []
    named = all(isinstance(each, str) for each in types) and len({*types}) == len(types)
    return dict(zip(types, entries, strict=True)) if types and named else {}


def _same(planned: Any, running: Any, key: str | int) -> bool:
    """A quantity may be written as a number or as text."""
    if key in _DEFAULTS:
        planned, running = planned or _DEFAULTS[str(key)], running or _DEFAULTS[str(key)]
    if planned in (None, "", [], {}) and running in (None, "", [], {}):
        return True
    if isinstance(planned, bool) or isinstance(running, bool):
        return planned is running
    scalars = isinstance(planned, str | int | float) and isinstance(running, str | int | float)
    one, other = (str(each).lower() if key in _ANY_CASE else str(each) for each in (planned, running))
    return planned == running or (scalars and one == other)


def _opened(planned: Any, running: Any, key: str | int) -> tuple[Any, Any]:
    """JSON texts as data, and chains of other plugins by type, to compare them by field."""
    one, other = planned, running
    if isinstance(planned, str) and isinstance(running, str):
        one, other = (_data(f"[{text}]" if key in _CHAINS else text) for text in (planned, running))
    if not all(isinstance(each, dict | list) for each in (one, other)):
        return planned, running
    by_type = _by_type(one), _by_type(other)
    return by_type if all(by_type) and {*by_type[0]} != {*by_type[1]} else (one, other)


def _data(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None
