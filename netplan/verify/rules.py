"""Runs the rules between objects on netplan's own tree: those of ``netplan.rules.kubernetes``, some under
other codes than for anybody's files, and two about files that only netplan writes."""

from __future__ import annotations

import re
from collections.abc import Mapping

from netplan.diagnostics import Diagnostic, Path, Severity
from netplan.graph.kubernetes.cluster import ObjectGraph
from netplan.graph.kubernetes.gather import cluster_of
from netplan.model.rulebook import BOOK, Code, register
from netplan.rules import kubernetes  # noqa: F401  importing the package registers its rules
from netplan.rules.kubernetes.registry import RULES, ObjectFinding, run_rule
from netplan.verify import routes, stages
from netplan.verify.problems import problem
from netplan.verify.read import Read

OURS: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "NP312": ("pod MTU above that of its node", ("NP312",)),
    "NP417": ("pods mark packets that NICs do not keep lossless", ("NP417",)),
    "NP529": ("ARP flux between the rails of a pod", ("NP529",)),
    "NP737": ("broken chain from container to DeviceClass", ("NP730", "NP732", "NP744", "NP745")),
    "NP911": ("resource that nothing produces", ("NP757",)),
    "NP912": (
        "attachments and devices of a pod do not match",
        ("NP762", "NP758", "NP763", "NP769", "NP747", "NP798"),
    ),
    "NP913": ("pool that does not fit its network", ("NP759", "NP778", "NP670", "NP777", "NP790")),
    "NP914": ("resources claim the same devices", ("NP788",)),
    "NP916": ("plugin chain that routes wrongly", ("NP770", "NP771", "NP772", "NP773", "NP749")),
    "NP917": ("duplicate object name", ("NP760", "NP761")),
    "NP919": (
        "policy or network that does not fit the NICs",
        ("NP672", "NP673", "NP674", "NP782", "NP783", "NP785", "NP791"),
    ),
    "NP920": ("object where its operator does not read it", ("NP755", "NP685", "NP789")),
}
"""Code of a finding in netplan's own tree -> its title, and the rules that find it; `netplan.verify.left_out`
has the others, each with the reason."""


def gathered(read: Read) -> ObjectGraph:
    """The object graph of the files, shared by all rules."""
    texts = {path: a.text for path, a in read.artifacts.items() if path.startswith("hosts/")}
    return cluster_of(read.tree, {}, whole=True, texts=texts)


def text_problems(read: Read, cluster: ObjectGraph) -> list[Diagnostic]:
    """NP901: JSON texts inside objects that their consumers cannot parse."""
    return _found(read, cluster, "NP901", ("NP753",), {})[1]


Told = Mapping[tuple[int, Path], str]
"""Object and path of a finding -> its code."""


def _found(
    read: Read, cluster: ObjectGraph, code: str, rules: tuple[str, ...], told: Told
) -> tuple[list[ObjectFinding], list[Diagnostic], int]:
    """Findings of the rules, without duplicate texts and without places that another code tells; the largest
    number of subjects of one of the rules."""
    ran = [run_rule(cluster, rule) for rule in rules]
    new = [f for answer in ran for f in answer.findings if told.get((id(f.thing), f.at), code) == code]
    texts = dict.fromkeys((f.thing.file, f"{f.thing}: {f.message}") for f in new)
    found = [problem(code, read.artifacts[path], text) for path, text in texts]
    return new, found, max(answer.looked_at for answer in ran)


def run_rules(read: Read, cluster: ObjectGraph) -> tuple[list[Diagnostic], dict[str, int]]:
    """Findings of every rule, and how many subjects each checked."""
    found: list[Diagnostic] = []
    counts: dict[str, int] = {}
    told: dict[tuple[int, Path], str] = {}
    for code, (_, rules) in OURS.items():
        new, problems, counts[code] = _found(read, cluster, code, rules, told)
        told |= {(id(each.thing), each.at): code for each in new}
        found += problems
    things = stages.objects(read.tree)
    counts |= {"NP915": int(bool(things)), "NP918": len(read.routes)}
    misplaced = stages.listed(read.tree, things) if things else ()
    found += (problem("NP915", read.artifacts[path], message) for path, message in misplaced)
    for each in read.routes:
        wrong = routes.tables(each.body)
        found += (problem("NP918", read.artifacts[each.file], message) for message in wrong)
    return found, counts


_BUG = "This is a bug in netplan: report it with the inventory."
_PARAGRAPH = re.compile(r"\*\*(Why|Fix|Source)\.\*\*")


def _parts(explanation: str) -> dict[str, str]:
    """Splits an explanation into its paragraphs; the introduction is ``""``."""
    first, *rest = _PARAGRAPH.split(explanation)
    named = dict(zip(rest[::2], rest[1::2], strict=True))
    return {"": first.strip()} | {name: text.strip() for name, text in named.items()}


def _derived(code: str) -> Code:
    title, codes = OURS[code]
    each = {rule: _parts(RULES[rule].explanation) for rule in codes}
    said = "\n\n".join(f"{rule}: {parts['']}" if len(each) > 1 else parts[""] for rule, parts in each.items())
    why, source = ("\n".join(parts[name] for parts in each.values()) for name in ("Why", "Source"))
    return _code(code, title, f"{said}\n\n**Why.** {why}\n**Fix.** {_BUG}\n**Source.** {source}")


def _code(code: str, title: str, text: str) -> Code:
    return Code(code=code, title=title, severity=Severity.ERROR, kind="derived", text=text)


_ONLY_OURS = {
    "NP915": ("kustomization.yaml does not list the object files", stages.listed.__doc__ or ""),
    "NP918": ("routing tables that collide", routes.tables.__doc__ or ""),
}
DERIVED: dict[str, Code] = {code: _derived(code) for code in OURS} | {
    code: _code(code, title, text) for code, (title, text) in _ONLY_OURS.items()
}
"""Codes whose explanation is about netplan's own tree, which is right by construction."""
for _one in DERIVED.values():
    if _one.code not in BOOK:  # the others share code and text with the rule for anybody's files
        register(_one)
