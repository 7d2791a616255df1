"""Check Kubernetes YAML of any origin: ``netplan validate [INVENTORY...] --rendered DIR|- [--crds DIR]``.

Reading order: ``reading.kubernetes``: ``files`` (which files are read), ``kubeyaml`` (text to data with
positions), ``load`` (which documents are objects), ``objects``, ``fields`` and ``crds`` (lists of fields);
``graph.kubernetes``: ``cluster`` and ``gather`` (the objects as a cluster), ``asking`` and ``needs`` (pods
compared with an inventory); ``rules.kubernetes``: ``registry`` and one of its modules.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from netplan.diagnostics import Diagnostic
from netplan.graph.kubernetes.cluster import ObjectGraph
from netplan.graph.kubernetes.gather import cluster_of
from netplan.graph.kubernetes.needs import needs_of
from netplan.graph.kubernetes.unseen import unseen
from netplan.load import InputError
from netplan.model.document import Document
from netplan.model.plan import Plan
from netplan.model.site import PATH, SiteFacts
from netplan.reading.kubernetes.crds import given
from netplan.reading.kubernetes.files import Found, read_directory, read_input
from netplan.reading.kubernetes.load import load_tree
from netplan.reading.kubernetes.objects import read_texts
from netplan.reading.site import read_site
from netplan.records import dataclass
from netplan.rules.kubernetes import shape  # noqa: F401  importing the package registers its rules
from netplan.rules.kubernetes.registry import RULES, run_rules

__all__ = ["RULES", "Checked", "check_input", "check_texts", "gathered", "order"]

FIRST = ("NP753", "NP754", "NP752", "NP750", "NP751", "NP797")
"""Rules about a single object; they run before rules between objects, which skip what these find unusable."""


def order() -> tuple[str, ...]:
    """Codes of all rules, in execution order."""
    return (*FIRST, *(code for code in sorted(RULES) if code not in FIRST))


def gathered(
    found: Found, base: str, crds: Mapping[str, str] | None = None, plan: Plan | None = None
) -> tuple[ObjectGraph, tuple[Diagnostic, ...]]:
    """The object graph of the texts, and the problems in reading them."""
    tree = load_tree(found, base, meant=plan is not None)
    for thing in tree.things:
        read_texts(thing)
    definitions = given(crds or {}, {thing.kind for thing in tree.things})
    needs = needs_of(plan) if plan is not None else None
    cluster = cluster_of(tree, definitions.definitions, needs, site=_site(found.texts, base))
    return cluster, (*tree.problems, *definitions.problems)


def _site(texts: Mapping[str, str], base: str) -> SiteFacts | None:
    """Host facts from a tree that netplan rendered; None if absent, or if the file is not netplan's."""
    text = texts.get(f"{base.rstrip('/')}/{PATH}" if base else PATH)
    try:
        return None if text is None else read_site(text)
    except ValueError:
        return None


@dataclass(frozen=True, slots=True)
class Checked:
    """``document``: the texts, for reports that quote them; it contains no inventory."""

    diagnostics: tuple[Diagnostic, ...]
    document: Document
    checked: Mapping[str, int]
    skipped: tuple[str, ...]


def check_input(given: str, crds: str | None = None, plan: Plan | None = None) -> Checked:
    """Check the objects below a directory, or from standard input (``-``). ``plan``: of the inventory to
    compare them with. Raises InputError if there is nothing to check or ``crds`` contains no CRD."""
    found = read_input(given)
    definitions = read_directory(crds).texts if crds is not None else {}
    if crds is not None and not any("CustomResourceDefinition" in text for text in definitions.values()):
        raise InputError(f"{crds} holds no CustomResourceDefinition; name the directory the CRDs are in")
    base = "" if given == "-" else given
    return _checked(found, definitions, base, plan)


def check_texts(
    texts: Mapping[str, str],
    crds: Mapping[str, str] | None = None,
    *,
    base: str = "",
    skipped: tuple[str, ...] = (),
    large: tuple[str, ...] = (),
    plan: Plan | None = None,
) -> Checked:
    """As ``check_input``, for texts in memory (file name -> text). ``base``: the directory they are in."""
    return _checked(Found(dict(texts), large, skipped), crds, base, plan)


def _unread(problems: Iterable[Diagnostic]) -> list[str]:
    """Which files were not read to their end: one with a key twice is, but for the second value."""
    ends = [d.source.file for d in problems if d.source and d.code in ("NP001", "NP004")]
    files = list(dict.fromkeys(ends))
    if not files:
        return []
    what = "file was" if len(files) == 1 else "files were"
    return [f"{len(files):,} {what} not checked from the first fault on (first: {files[0]})"]


def _checked(found: Found, crds: Mapping[str, str] | None, base: str, plan: Plan | None) -> Checked:
    cluster, problems = gathered(found, base, crds, plan)
    tree = cluster.tree
    diagnostics, counts = run_rules(cluster, order())
    if tree.empty and not (problems or diagnostics):  # values and kustomizations alone are no objects
        raise InputError(tree.empty)
    notes = list(tree.skipped)
    notes += unseen(cluster)
    if not any(counts.values()):
        notes.append(f"{len(tree.things):,} objects are of kinds that netplan does not check")
    notes += _unread(problems)
    document = Document(None, (), tree.places.sources.names, None, tree.places)
    return Checked((*problems, *diagnostics), document, counts, tuple(notes))
