"""The files of the waves: what to apply, and what rolls it back."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Mapping
from io import StringIO
from typing import Any

from netplan.changes.commands import Change
from netplan.changes.ends import HOSTS, Ends
from netplan.changes.model import Touched
from netplan.changes.objects import Key
from netplan.changes.policies import Clash, clashes, ordered
from netplan.changes.show_waves import wave_markdown
from netplan.changes.switches import plugged
from netplan.changes.wave import Course, Wave
from netplan.model.artifact import Artifact
from netplan.model.ranges import gathered
from netplan.model.values import natural
from netplan.printable import printable
from netplan.render.dump import dump_yaml

PAGE = "README.md"
_KIND = "waves"


def wave_files(course: Course, ends: Ends) -> Iterator[Artifact]:
    """``wave-N/`` for every wave with files: switches, objects, hosts, pods; plus a page about all waves."""
    page = [f"# From {ends.old.name} to {ends.new.name}", "", *wave_markdown(course, whole=True)]
    yield Artifact(PAGE, "\n".join(map(printable, page)) + "\n", _KIND)
    for number, wave in enumerate(course.waves, 1):
        for path, text in _files(number, wave, ends):
            yield Artifact(f"wave-{number}/{path}", text if text.endswith("\n") else f"{text}\n", _KIND)


def _files(number: int, wave: Wave, ends: Ends) -> Iterator[tuple[str, str]]:
    if wave.of_switches:
        for name in wave.targets:
            yield from _of_switch(name, number, wave, ends)
    elif wave.of_hosts:
        yield from _of_hosts(wave, ends)
    elif wave.kind == "cables":
        yield "cables.csv", _of_cables(ends)
    elif wave.kind in ("pods", "start"):
        yield from _of_pods(wave.targets, ends)
    elif wave.kind == "objects":
        yield from _of_objects(ends)
    elif wave.kind in ("objects-clear", "objects-remove"):
        yield from _of_gone(ends, wave.kind == "objects-clear")


def _of_switch(name: str, number: int, wave: Wave, ends: Ends) -> Iterator[tuple[str, str]]:
    versions = (wave.before.version(name), wave.after.version(name))
    change, back = ends.change(name, *versions), ends.change(name, *reversed(versions))
    top = f"switches/{name}"
    if change is None or back is None:
        page = ends.new.texts.get(f"{top}/{PAGE}")
        yield from ([(f"{top}/{PAGE}", page)] if page is not None else ())
        for folder, version in ((top, versions[1]), (f"rollback/{top}", versions[0])):
            yield from ((f"{folder}/{file}", text) for file, text in ends.files(name, version).items())
        return
    yield from _both_ways(name, f"wave-{number}", change, back)


def rollout_files(commands: Mapping[str, tuple[Change, Change]]) -> Iterator[Artifact]:
    """From what switches run to what is planned for them."""
    for name, (change, back) in commands.items():
        for path, text in _both_ways(name, "rollout", change, back):
            yield Artifact(path, text if text.endswith("\n") else f"{text}\n", _KIND)


def _both_ways(name: str, wave: str, change: Change, back: Change) -> Iterator[tuple[str, str]]:
    top = f"switches/{name}"
    yield from ((f"{top}/{file}", text) for file, text in parts_of("change", change))
    yield from ((f"{top}/{file}", text) for file, text in parts_of("rollback", back))
    yield f"{top}/{PAGE}", _page(name, wave, change, back)


def parts_of(word: str, change: Change) -> Iterator[tuple[str, str]]:
    """(name, text): ``change.json``, or ``change-1.json`` and ``change-2.json`` if there are several."""
    for number, part in enumerate(change.parts, 1):
        place = f"-{number}" if len(change.parts) > 1 else ""
        yield f"{word}{place}.{part.suffix}", part.text


def _page(name: str, wave: str, change: Change, back: Change) -> str:
    """What a person does with the files of one switch."""
    out = [f"# {name}", ""]
    out += ["## Apply", "", *_steps("change", wave, change), ""]
    out += ["## Roll back", "", *_steps("rollback", f"{wave}-back", back), ""]
    return "\n".join(map(printable, out))


def _steps(word: str, wave: str, change: Change) -> Iterator[str]:
    names = [file for file, _ in parts_of(word, change)]
    for file, part in zip(names, change.parts, strict=True):
        given = (*part.before, part.apply)
        commands = [each.replace("{file}", file).replace("{wave}", wave) for each in given]
        yield from ["```", *commands, "```", *([f"Source: {part.source}"] if part.source else []), ""]
    for title, texts in (("By hand", change.by_hand), ("Confirm on the switch", change.confirm)):
        if texts:
            yield from (f"{title}:", "", *(f"- {text}" for text in texts), "")
    if not (change.parts or change.by_hand):
        yield "Nothing."


def _of_cables(ends: Ends) -> str:
    """Ports whose cable changes: peer before and after."""
    before, after = map(plugged, ends.facts)
    out = StringIO()
    rows = csv.writer(out, lineterminator="\n")
    rows.writerow(("switch", "port", "before", "after"))
    for place in sorted({*before, *after}, key=lambda place: tuple(map(natural, place))):
        if before.get(place) != after.get(place):
            rows.writerow((*place, before.get(place, ""), after.get(place, "")))
    return out.getvalue()


def _of_hosts(wave: Wave, ends: Ends) -> Iterator[tuple[str, str]]:
    states = (wave.before, wave.after)
    old, new = (_under(ends.host_texts(state.hosts), HOSTS) for state in states)
    yield from _replaced("hosts", old, new)
    yield f"hosts/{PAGE}", "\n".join(map(printable, _page_of_hosts(wave.effects)))


def _page_of_hosts(effects: Iterable[Touched]) -> Iterator[str]:
    """What activates a file: units to restart, commands to run, or nothing."""
    yield from ("# Hosts", "", "Install the files as those of the whole tree are installed, then:", "")
    for each in effects:
        source = f" ({each.effect.source})" if each.effect.source else ""
        on = f" on {each.where}" if each.where else ""
        yield f"- `{each.target}`, {each.change}{on}: {each.effect.what}{source}"
    yield from ("", "The files in `rollback/hosts/` are installed in the same way.")


def _of_pods(workloads: Iterable[str], ends: Ends) -> Iterator[tuple[str, str]]:
    """Patches and examples, which a job uses like those of the tree."""
    for name in workloads:
        folder = f"pods/{name}"
        yield from _replaced(folder, *(_under(side.texts, f"{folder}/") for side in (ends.old, ends.new)))


def _replaced(folder: str, old: Mapping[str, str], new: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """New files, old files for the way back, and files to remove."""
    for top, mine, theirs in ((folder, new, old), (f"rollback/{folder}", old, new)):
        yield from ((f"{top}/{path}", text) for path, text in mine.items() if theirs.get(path) != text)
        gone = sorted(path for path in theirs if path not in mine)
        if gone:
            yield f"{top}/remove.txt", "".join(f"{path}\n" for path in gone)


def _under(texts: Mapping[str, str], top: str) -> dict[str, str]:
    return {path.removeprefix(top): text for path, text in texts.items() if path.startswith(top)}


def _of_gone(ends: Ends, first: bool) -> Iterator[tuple[str, str]]:
    """``first``: objects that cannot coexist with others."""
    before, after = ends.applied.bodies
    keys = (
        ends.applied.cleared if first else {key for key in before if key not in after} - ends.applied.cleared
    )
    gone = {key: before[key] for key in keys}
    how = "kubectl delete -f" if first else "kubectl delete -f, or a GitOps robot that prunes"
    yield "kubernetes/delete.yaml", _dumped(gone, how)
    yield "rollback/kubernetes/apply.yaml", _dumped(gone, "kubectl apply -f")


def _of_objects(ends: Ends) -> Iterator[tuple[str, str]]:
    before, after = ends.applied.bodies
    changed = {key: body for key, body in after.items() if before.get(key) != body}
    how = "kubectl apply -f, or what a GitOps robot applies"
    yield "kubernetes/apply.yaml", _dumped(changed, how, ends.applied.clashes)
    old = {key: before[key] for key in changed if key in before and key not in ends.applied.cleared}
    fresh = {key: body for key, body in changed.items() if key not in old}
    if old:
        back = clashes(*reversed(ends.applied.objects))
        yield "rollback/kubernetes/apply.yaml", _dumped(old, "kubectl apply -f", back)
    if fresh:
        yield "rollback/kubernetes/delete.yaml", _dumped(fresh, "kubectl delete -f")


def _dumped(found: Mapping[Key, Any], how: str, others: tuple[Clash, ...] = ()) -> str:
    """A policy that releases VFs comes before the one that takes them."""
    order = ordered(sorted(found), others, found)
    first = gathered(key[2] for key in order if any(key == each.old for each in others))
    more = f"; in this order: {first} give up VFs that others take" if first else ""
    return dump_yaml([found[key] for key in order], f"{how}{more}")
