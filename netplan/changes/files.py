"""Differences between the files of hosts and pods of two renders, by kind of file."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from netplan.changes.effects import Effects
from netplan.changes.model import ChangeKind, Effect, Touched
from netplan.changes.sides import Side
from netplan.model.artifact import Artifact
from netplan.model.document import Places, SourceMap
from netplan.model.folding import folded
from netplan.model.nic_text import NIC_SCRIPT, read_nic_script
from netplan.model.ranges import gathered
from netplan.model.site import SiteFacts
from netplan.model.values import natural
from netplan.reading.kubernetes.kubeyaml import parse
from netplan.reading.kubernetes.objects import inside, listing, mapping
from netplan.report import count
from netplan.verify.read import read

_HOSTS, _PODS = "hosts/", "pods/"
_TESTS = ("nccl-test", "check-rails.sh", "README.md")
_POLICY = "admission-policy.yaml"


_NUMBER = re.compile(r"\b\d+\b")
"""A value; digits in an interface name are not one."""


def host_effects(old: Side, new: Side, facts: SiteFacts, effects: Effects) -> Iterator[Touched]:
    """One row for files with the same effect and change, with the hosts that have them."""
    found: dict[tuple[str, str, Effect], list[str]] = {}
    for path in _unlike(old, new, _HOSTS):
        owner, _, name = path.removeprefix(_HOSTS).partition("/")
        effect = effects.of_file(_kind(name, path, old, new))
        if effect.word != "none":
            found.setdefault((name, _state(path, old, new), effect), []).append(owner)
    groups: dict[tuple[str, Effect, tuple[str, ...]], list[str]] = {}
    for (name, state, effect), owners in found.items():
        groups.setdefault((state, effect, tuple(owners)), []).append(name)
    for (state, effect, owned), names in groups.items():
        files = ", ".join(run.texts[0] for run in folded(("", (name,)) for name in names))
        yield Touched("hosts", files, state, effect, _hosts(owned, facts))


def name_effects(sites: tuple[SiteFacts, SiteFacts], effects: Effects) -> Iterator[Touched]:
    """Hosts that are new, gone, of another type or with other labels, even if none of their files differs."""
    before, after = ({host.name: host for host in side.hosts} for side in sites)
    for name in sorted({*before, *after}, key=natural):
        was, now = before.get(name), after.get(name)
        if was is None or now is None:
            kind: ChangeKind = "gone" if now is None else "new"
            host = was or now
            yield Touched(
                "hosts", name, f"{kind}, {host.type if host else ''}", effects.names[kind], kind=kind
            )
        elif was.type != now.type:
            said = f"type {was.type} -> {now.type}"
            yield Touched("hosts", name, said, effects.names["type"], kind="type")
        elif was.labels != now.labels:
            said = _relabelled(was.labels, now.labels)
            yield Touched("hosts", name, said, effects.names["labels"], kind="labels")


def _relabelled(was: Mapping[str, str], now: Mapping[str, str]) -> str:
    keys = sorted(key for key in {**was, **now} if was.get(key) != now.get(key))
    return ", ".join(f"label {key} {was.get(key, 'none')} -> {now.get(key, 'none')}" for key in keys)


def _kind(name: str, path: str, old: Side, new: Side) -> str:
    """Kind of a file's change. A NIC script that changes the PFC mask of a port takes the link down, so it is
    a kind of its own."""
    if not NIC_SCRIPT.match(path) or path not in old.texts or path not in new.texts:
        return name
    texts = (old.texts[path], new.texts[path])
    said = [(read.trust, read.pfc) if read else None for read in map(read_nic_script, texts)]
    same = said[0] is not None and said[0] == said[1] and len(set(map(_commands, texts))) == 1
    return f"{name} without PFC" if same else name


def _commands(script: str) -> tuple[str, ...]:
    """Commands of a script without their numbers and ports."""
    lines = (_NUMBER.sub("0", line) for line in script.splitlines())
    return tuple(line for line in lines if line and not line.startswith(("apply ", "netdev=", "#")))


def _hosts(owners: Sequence[str], facts: SiteFacts) -> str:
    """Hosts of the types and hosts with files of their own, each once."""
    named = {host.name for host in facts.hosts if host.type in owners or host.name in owners}
    whose = gathered(sorted(owners, key=natural))
    return f"{count(len(named), 'host')}: {whose}" if named else whose


def pod_effects(old: Side, new: Side, effects: Effects) -> Iterator[Touched]:
    """One row for each workload."""
    found: dict[str, list[str]] = {}
    for path in _unlike(old, new, _PODS):
        if path.count("/") > 1:
            found.setdefault(path.split("/")[1], []).append(path)
    for workload, paths in sorted(found.items(), key=lambda item: natural(item[0])):
        if all(path.rpartition("/")[2].startswith((*_TESTS, _POLICY)) for path in paths):
            yield Touched(
                "pods", workload, *_beside_pods(f"{_PODS}{workload}/{_POLICY}", paths, new, effects)
            )
            continue
        said = _of_pod(f"{_PODS}{workload}/pod.yaml", old, new)
        if said == _DIFFER and f"{_PODS}{workload}/routes.yaml" in paths:
            said = _ROUTES
        yield Touched("pods", workload, said, effects.pods[_POD_KINDS.get(said, "pods-changed")])


def _beside_pods(policy: str, paths: list[str], new: Side, effects: Effects) -> tuple[str, Effect]:
    """Differences in files that no running pod was made from."""
    if policy not in paths:
        return "test jobs", effects.pods["tests-changed"]
    return "admission policy", effects.pods["policy-changed" if policy in new.texts else "policy-gone"]


def _of_pod(path: str, old: Side, new: Side) -> str:
    """Differences in the example pod: networks, devices, variables by name."""
    before, after = _pod(path, old), _pod(path, new)
    if before is None or after is None:
        return "new" if after else "gone" if before else _DIFFER
    unlike = [part for part in _PARTS if before[part] != after[part]]
    own, theirs = before["variables"], after["variables"]
    changed = [name for name in sorted({*own, *theirs}, key=natural) if own.get(name) != theirs.get(name)]
    said = [f"variables {', '.join(changed)}" if part == "variables" else part for part in unlike]
    return ", ".join(said) or _DIFFER


_PARTS = ("image", "node selector", "networks", "devices", "variables", "commands")
_DIFFER, _ROUTES = "its files differ", "routes of its rails"
_POD_KINDS = {"new": "pods-new", "gone": "pods-gone", _ROUTES: "pods-routes"}


def _pod(path: str, side: Side) -> Mapping[str, Any] | None:
    """The parts of an example pod that are compared by name; None if there is no readable one."""
    things = read([Artifact(path, side.texts[path], "pods")]).tree.things if path in side.texts else ()
    if not things:
        return None
    body = things[0].body
    containers = listing(inside(body, ("spec", "containers")))
    container = mapping(containers[0]) if containers else {}
    return {
        "image": container.get("image"),
        "node selector": inside(body, ("spec", "nodeSelector")),
        "networks": inside(body, ("metadata", "annotations")),
        "devices": container.get("resources"),
        "variables": {str(e.get("name")): e for e in listing(container.get("env")) if isinstance(e, dict)},
        "commands": _without_images(inside(body, ("spec", "initContainers"))),
    }


def _without_images(containers: Any) -> list[Any]:
    return [
        {key: value for key, value in mapping(each).items() if key != "image"} for each in listing(containers)
    ]


def _unlike(old: Side, new: Side, top: str) -> list[str]:
    paths = {path for side in (old, new) for path in side.texts if path.startswith(top)}
    return sorted((p for p in paths if _differ(p, old.texts.get(p), new.texts.get(p))), key=natural)


def _differ(path: str, before: str | None, after: str | None) -> bool:
    """Whether two files differ in content, not only in form."""
    if before is None or after is None or before == after:
        return before != after
    said = _SAID.get(path.rpartition(".")[2], _settings)
    return said(before) != said(after)


def _settings(text: str) -> str:
    """Content of a systemd, modprobe or sysctl file."""
    return _uncommented(text, ("#", ";"))


def _script(text: str) -> str:
    """Content of a shell script; its first line names the shell."""
    first, _, rest = text.partition("\n")
    return f"{first}\n{_uncommented(rest, ('#',))}"


def _uncommented(text: str, marks: tuple[str, ...]) -> str:
    lines = (line.strip() for line in text.splitlines())
    return "\n".join(line for line in lines if line and not line.startswith(marks))


def _below_heading(text: str) -> str:
    """Content of a file for people: comments are instructions too, except for the heading."""
    first, _, rest = text.partition("\n")
    return rest if first.startswith("# ") else text


def _data(text: str) -> str:
    """The documents of a YAML file, as text because 1 == True; the whole file if it is not YAML."""
    parsed = parse("", text, Places(SourceMap()))
    return text if parsed.problems else repr([body for body, _ in parsed.documents])


def _nothing(_: str) -> str:
    """A page about the other files has no content of its own."""
    return ""


_SAID: Mapping[str, Callable[[str], str]] = {
    "sh": _script,
    "txt": _below_heading,
    "yaml": _data,
    "json": str,
    "md": _nothing,
}
"""By the end of the file name; any other file has settings."""


def _state(path: str, old: Side, new: Side) -> str:
    if path not in old.texts:
        return "new"
    return "changed" if path in new.texts else "removed: delete it by hand"
