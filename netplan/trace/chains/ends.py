"""Resolves ``namespace/pod``, ``kind/name`` or ``kind/name/part`` to a pod of the files."""

from __future__ import annotations

import difflib

from netplan.model.site import PATH
from netplan.report import few
from netplan.trace.chains.model import Chains, PodChain
from netplan.trace.model import TraceError

_SHOWN = 12
_WITHOUT_SITE = f"without {PATH}, an end is written NAMESPACE/NAME or KIND/NAME"


def chain_at(chains: Chains, text: str) -> PodChain:
    """The chain of a pod. Raises TraceError that lists the names there are."""
    found = [pod for pod in chains.pods if _is(pod, text)]
    several = {pod.name for pod in found}
    if len(several) > 1:
        names = ", ".join(f"{end_of(pod)} ({pod.place})" for pod in found[:_SHOWN])
        raise TraceError(f"{text} matches several pods: {names}")
    if found:
        return found[0]
    if "@" in text:
        raise TraceError(f"{_WITHOUT_SITE}, such as {end_of(chains.pods[0])}; {text} names a host")
    known = [end_of(pod) for pod in chains.pods]
    close = difflib.get_close_matches(text, known)
    near = f"did you mean {close[0]}? " if close else ""
    there = few(known, _SHOWN)
    raise TraceError(f"there is no pod {text} with an attachment; {near}there are {there}")


def end_of(pod: PodChain) -> str:
    """How the command line names a pod: kind/name, with the part if the object has several."""
    thing = pod.pod.thing
    part = pod.name.removeprefix(str(thing)).strip()
    name = thing.name or _generated(pod)
    return f"{thing.kind.lower()}/{name}{f'/{part}' if part else ''}"


def _generated(pod: PodChain) -> str:
    """``generateName`` of an object without a name."""
    name = pod.pod.thing.metadata.get("generateName")
    return name if isinstance(name, str) else ""


def _is(pod: PodChain, text: str) -> bool:
    thing = pod.pod.thing
    part = pod.name.removeprefix(str(thing)).strip()
    name = thing.name or _generated(pod)
    heads = [name, f"{thing.kind.lower()}/{name}", f"{thing.namespace or 'default'}/{name}"]
    heads.append(f"{thing.namespace or 'default'}/{thing.kind.lower()}/{name}")
    wanted = text if text in heads else _lower_kind(text)
    return wanted in heads or (bool(part) and wanted in [f"{head}/{part}" for head in heads])


def _lower_kind(text: str) -> str:
    """Kinds in any case, as kubectl takes them."""
    head, slash, rest = text.partition("/")
    return f"{head.lower()}{slash}{rest}"
