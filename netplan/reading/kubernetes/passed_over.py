"""What is not judged: templates, fixtures, input of tools, and what is not in use."""

from __future__ import annotations

import difflib
import posixpath
import re
from collections.abc import Iterable, Mapping
from typing import Any

from netplan.diagnostics import Diagnostic
from netplan.reading.kubernetes.kubeyaml import ParsedFile
from netplan.reading.kubernetes.objects import inside, mapping
from netplan.reading.kubernetes.placeholders import templated

TEMPLATE = re.compile(
    r"\{\{|\{%|%\{|\$\{[A-Za-z_]\w*\}|^[ \t]*\$[A-Z][A-Z0-9_]*[ \t]*$"
    r"|: %[A-Za-z_]\w*%|: \|[A-Za-z][\w-]+\|$|[:-] @[A-Za-z_][\w.-]*@\s*$"
    r"|(?:^|[\s:-]) ?![A-Za-z][\w:.-]*(?=\s|$)"
    r"|^[ \t]*\{[A-Za-z_]\w*\}[ \t]*$|\A\s*/\*"
    r"|^[ \t]+\.\.\.[ \t]*$|^\.\.\.[ \t]*\n(?=[ \t]*[^\s#-])",
    re.MULTILINE,
)
"""Placeholders of Helm, Jinja, Terraform (%{), envsubst (${name}), shells ($NAME on a line), Python ({name}
on a line), Sphinx (|name|) and build tools (@name@, %name%), tags of CloudFormation (!Ref, !Sub), Ansible and
mkdocs, which no Kubernetes client knows, and a line of dots for what a page leaves out; at the left it ends a
document if nothing but a comment or a document follows (YAML 1.2.2, 9.1.4). A text that begins with /* is
switched off."""
_FILLED_IN = re.compile(
    r"""^\s*<[A-Za-z][\w.-]*>\s*$|(?:^|["':])[A-Z][A-Z0-9]*_[A-Z0-9_]+\s*$|[:-] %[sdv]\s*$"""
    r"""|\*\*\w+\*\*|[:-] \{[A-Za-z_]\w*\}\S"""
)
"""A line that does not parse because a script or a program replaces a word of it: <name> alone,
NAME_IN_CAPITALS at the left or right behind a quote or colon, %s, **NAME**, {name} before more of a value."""
_UNUSED = re.compile(
    r"(?:^|[-_./])(?:not-needed|unused|[a-z]*archived?|legacy|deprecated|(?:disabl|deactivat)ed|obsolete|backup)(?:[-_./]|\Z)",
    re.IGNORECASE,
)
"""Folders whose name says that their content is not applied."""


_EXPECTED = re.compile(r"(?:\A|/)\d+-(?:assert|errors?)(?:[-_][\w-]+)?\.ya?ml\Z")


def is_expected(file: str) -> bool:
    """Whether a file holds what a test waits for, by its name for KUTTL (kudobuilder/kuttl
    docs/testing/steps.md): parts of objects, or those that must not be there."""
    return _EXPECTED.search(file) is not None


def is_fixture(file: str, base: str) -> bool:
    """Whether a folder below ``base`` is one of fixtures, as Go names it (go.dev/cmd/go, testdata), in any
    case."""
    return "testdata" in posixpath.dirname(file.removeprefix(base)).lower().split("/")


def is_unused(file: str, base: str) -> bool:
    """Whether a folder below ``base`` says that the file is not applied."""
    return _UNUSED.search(posixpath.dirname(file.removeprefix(base))) is not None


def is_filled_in(parsed: ParsedFile, text: str) -> bool:
    """Whether the line of the first problem, or the one before it, is to be filled in."""
    source = parsed.problems[0].source
    lines = text.split("\n")[max(0, source.line - 2) : source.line] if source else []
    return any(map(_FILLED_IN.search, lines))


def causes(problems: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Without duplicate keys, and keys that are none, just before the place that does not parse: one line at
    the wrong place is both."""
    every = list(problems)
    broken = {(p.source.file, p.source.line) for p in every if p.source and p.code == "NP001"}
    before = broken | {(file, line - 1) for file, line in broken}
    return [
        p
        for p in every
        if p.code not in ("NP002", "NP005") or not p.source or (p.source.file, p.source.line) not in before
    ]


_WITHOUT_DOT = ("", "apps", "batch", "autoscaling", "policy", "extensions")


def _is_of_a_generator(body: Mapping[str, Any]) -> bool:
    """Whether no API server can have its group, as in input of a generator (ranPolicyGenerator/v1): those of
    Kubernetes alone have no dot, that of a CRD must have one (kubernetes/kubernetes b70f2bbc
    staging/src/k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation/validation.go,
    validateCustomResourceDefinitionSpec)."""
    group, slash, _ = str(body.get("apiVersion")).rpartition("/")
    if not slash or "." in group or templated(group):
        return False
    return not difflib.get_close_matches(group.lower(), _WITHOUT_DOT, 1, 0.7)


_LOCAL = "config.kubernetes.io/local-config"
"""Annotation of objects that kustomize uses but does not output (openstack-k8s-operators/architecture
0b12d3f examples/dt/bgp-l3-xl/control-plane/networking/nncp/values.yaml)."""
_FUNCTION = "config.kubernetes.io/function"
"""Annotation of the configuration of a KRM function, which no API server sees (kubernetes-sigs/kustomize
12f9e639 hack/krmFunctionBenchmark)."""


def is_of_a_tool(body: Mapping[str, Any]) -> bool:
    """Whether a tool reads the object, and no API server ever sees it."""
    annotations = mapping(inside(body, ("metadata", "annotations")))
    return annotations.get(_LOCAL) in ("true", True) or _FUNCTION in annotations or _is_of_a_generator(body)


_FIXTURE = "uidValue"
"""In objects that tests of the API generate: each field has its own name as value (kubernetes/kubernetes
staging/src/k8s.io/api/testdata)."""


def is_generated(body: Mapping[str, Any]) -> bool:
    """Whether a test of the API generated the object."""
    return bool(inside(body, ("metadata", "uid")) == _FIXTURE)
