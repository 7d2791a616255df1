"""Cited sources are public: no private notes, no file of this package as a source."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from netplan.explain import entries
from netplan.model.rulebook import Code
from tests.upstream import REPOSITORY
from tools import docs

_SHEETS = (
    r"\b[Ff]acts, (?:kubernetes|pod-routing|switches|workloads|peers|changes|sources|[0-9])",
    r"\([Ff]acts[):]",
    r"(?<!/)\bfacts/",
    r"\b(?:[Ff]act sheet|rail rules)\b",
    r"\b(?:switches|kubernetes|peers|changes|style|design)\.md\b",
    r"(?<!Comware )\bV[0-9]{1,3}\b",
    r"\bB[0-9]{1,2}\.[0-9]+\b",
    r"\b[Aa]ppendix [AB]\b",
    r"\bDesign: (?![A-Z])",  # not a type annotation
    r"§",
)
_SHEET = re.compile("|".join(_SHEETS))
"""Citations of notes outside the repository: sheet and section, row, design page."""

OURS = ("netplan", "schemas", "templates", "docs", "inventories", "tests", "tools")
_DATA = re.compile(r"\b(?:nos|commands|readback)\.yaml\b|(?<!/)\bcatalog\b(?!/)")
_WORD = re.compile(r"[^\s,;()]+")
_SOURCE = re.compile(r"\*\*Source\.\*\*(.*?)(?:\n\n|\Z)", re.DOTALL)

TEXTS = {".py", ".yaml", ".json", ".j2", ".md", ".sh"}

_OPENED = re.compile(
    r"(?<![\w./-])[\w-][\w.-]*/[\w.-]+@[0-9a-f]{7,40} [\w.-]+(?:/|\.\w)"  # repository, commit, path
    r"|(?<![\w./@-])(?:[a-z0-9-]+\.)+[a-z]{2,}/\S"  # address of a page
)


_UNPINNED = re.compile(
    r"(?<![\w./@-])(?!(?:device|src|files|controllers|pkg|cfgmgr|orchagent)/)[A-Za-z0-9][\w-]*/[A-Za-z0-9][\w.-]*,?\s+"
    r"(?:[\w.*-]+/)*[\w*-]+\.(?:go|md|ya?ml|ini|lua|j2|cpp|hpp|[ch]|py|yang|conf|json|rst)\b"
)
"""A repository with a path, and no commit or release between them."""


def written() -> Iterator[Path]:
    """Hand-written files; generated pages are checked through what they are generated from."""
    for folder in ("netplan", "schemas", "templates", "docs", "tests/vendors", "tests/acme"):
        for path in sorted((REPOSITORY / folder).rglob("*")):
            if path.suffix in TEXTS and not (folder == "docs" and path.name in docs.PAGES):
                yield path
    yield from (REPOSITORY / name for name in ("README.md", "CONTRIBUTING.md"))


def grammars() -> dict[str, dict[str, str]]:
    """Grammar of a NOS in the tests -> its sources by name."""
    tests = REPOSITORY / "tests"
    paths = [*sorted((tests / "vendors").glob("*.yaml")), tests / "acme" / "grammar.yaml"]
    return {path.stem: yaml.safe_load(path.read_text(encoding="utf-8"))["sources"] for path in paths}


def can_be_opened(source: str) -> bool:
    """Whether it names a file of a repository at a commit, or the address of a page."""
    return _OPENED.search(source) is not None


_DOCUMENT = re.compile(
    r"\b[\w.-]+/[\w.-]*\w|(?:[a-z0-9-]+\.)+(?:com|dev|io|net|org)\b"  # file of a repository, page
    r"|\b(?:RFC|IEEE) \d|\bEDOC\d|\w\(\d\)|\b(?:SIGCOMM|CoNEXT) \d"
    r"|\b(?:[Aa]rchitecture|[Mm]anual|[Ss]pecification|[Ss]tatement|release notes)\b"
    r"|netplan's own rule|\b[Aa]rithmetic\b"
)
"""What a Source is: a file, a page, a standard, a manual page, a paper, a manual, or netplan's own."""

_NO_OWNER = re.compile(
    r"(?<![\w/.-])(?:(?:ib-)?sriov-cni|ib-kubernetes|k8s-rdma-shared-dev-plugin|multus-cni|nvidia-k8s-ipam|rdma-cni"
    r"|sriov-network-device-plugin|sriov-network-operator)(?=#\d|,? (?:README|[0-9a-f]{7}|v\d|[\w.-]+/))"
)
"""Repositories with a fork in another organization, cited by name only."""


def cited_sheets(text: str) -> list[str]:
    return [match.group() for match in _SHEET.finditer(text)]


def wrong_source(explanation: str) -> str:
    """Why the Source of a check is not valid, or ""."""
    found = _SOURCE.search(explanation)
    if found is None:
        return "no source"
    text = found.group(1).strip()
    if len(re.findall(r"\w", text)) < 3:
        return "empty"
    own = [match.group() for match in (*_DATA.finditer(text), *_NO_OWNER.finditer(text))]
    own += [word for word in _WORD.findall(text) if _is_ours(word.rstrip(".:"))]
    return " ".join(own) or ("" if _DOCUMENT.search(text) else "no document")


def _is_ours(word: str) -> bool:
    """Whether it is a path in this repository, unlike another project's ``docs/configuration.md``."""
    head, slash, _ = word.partition("/")
    return bool(slash) and head in OURS and (REPOSITORY / word).exists()


def checks() -> list[Code]:
    """All codes except those of reading and resolving, whose findings have no source but the text itself."""
    return [entry for entry in entries().values() if entry.kind != "stage"]


def test_no_file_cites_a_sheet_that_readers_do_not_have():
    paths = list(written())
    assert len(paths) > 400
    found = {
        f"{path.relative_to(REPOSITORY)}": cited
        for path in paths
        if (cited := cited_sheets(path.read_text(encoding="utf-8")))
    }
    assert found == {}


@pytest.mark.parametrize("name", docs.PAGES)
def test_no_page_cites_a_sheet_that_readers_do_not_have(name: str):
    assert cited_sheets(docs.page_text(name)) == []


def test_the_source_of_a_check_is_public():
    every = checks()
    assert len(every) > 300
    assert {entry.code: wrong for entry in every if (wrong := wrong_source(entry.explanation))} == {}


def test_the_source_of_a_check_has_a_commit():
    found = {e.code: m.group() for e in checks() if (m := _UNPINNED.search(sources_of(e.explanation)))}
    assert found == {}


def sources_of(explanation: str) -> str:
    return " ".join(part for each in _SOURCE.findall(explanation) for part in each.split())


@pytest.mark.parametrize(
    ("source", "pinned"),
    [
        ("sonic-net/sonic-swss cfgmgr/buffermgr.cpp", False),
        ("sonic-net/sonic-swss e6b0c5b5 cfgmgr/buffermgr.cpp", True),
        ("kubernetes/kubernetes v1.34.4 api/openapi-spec/swagger.json", True),
        ("kubernetes-sigs/jobset, README.md", False),
        ("arista.com/en/um-eos/eos-quality-of-service; RFC 2474", True),
    ],
)
def test_a_source_without_a_commit_is_found(source: str, pinned: bool):
    assert (_UNPINNED.search(source) is None) is pinned


@pytest.mark.parametrize(
    "text",
    [
        "the larger of both (facts, pod-routing 1.6).",
        "**Source.** Facts, switches E.1",
        "(facts: every component has another one)",
        "whereabouts does not (facts)",
        "see facts/kubernetes.md 5.3",
        "V54 of the paper",
        "table ids, V25",
        "as B7.1 says",
        "Fields: appendix A",
        "Design: a rail is one HCA",
        "design.md §5",
        "a fact sheet warns of",
    ],
)
def test_a_cited_sheet_is_found(text: str):
    assert cited_sheets(text) != []


@pytest.mark.parametrize(
    "text",
    [
        "H3C Comware V7 platform ARP command reference",
        "Huawei CloudEngine V300R023C00",
        "k8snetworkplumbingwg/sriov-cni v2.10.0",
        "facts, comments, problems = read_files(rules, files)",
        "facts:\n  ports:",
        "artifacts, pod-routing",
        "docs/pod-routing.md and docs/workloads.md",
        "Juniper validated design, AI back end",
    ],
)
def test_what_only_looks_like_one_is_not(text: str):
    assert cited_sheets(text) == []


@pytest.mark.parametrize(
    ("source", "wrong"),
    [
        ("", "no source"),
        ("**Source.**", "empty"),
        ("**Source.** ; .", "empty"),
        ("**Source.** netplan/plan/ecn.py", "netplan/plan/ecn.py"),
        ("**Source.** RFC 2474; netplan/catalog/optics.yaml, a row", "netplan/catalog/optics.yaml"),
        ("**Source.** schemas/inventory.schema.json, gateway_owner", "schemas/inventory.schema.json"),
        ("**Source.** docs/addresses.md.", "docs/addresses.md."),
        ("**Source.** limits.mtu_max of the NOS's nos.yaml", "nos.yaml"),
        ("**Source.** The catalog row's source.", "catalog"),
        ("**Source.** NVIDIA Onyx and Cumulus RoCE profile", "no document"),
        ("**Source.** Kubernetes, nodeSelector.", "no document"),
        ("**Source.** sriov-network-operator pkg/webhook/validate.go", "sriov-network-operator"),
        ("**Source.** RFC 2474; k8s-rdma-shared-dev-plugin#72", "k8s-rdma-shared-dev-plugin"),
        ("**Source.** k8snetworkplumbingwg/sriov-network-operator 249e200 api/v1/helper.go", ""),
        ("**Source.** Guo et al., RDMA over Commodity Ethernet at Scale, SIGCOMM 2016", ""),
        ("**Source.** systemd.link(5) Name=", ""),
        ("**Source.** k8snetworkplumbingwg/multus-cni docs/configuration.md, namespaceIsolation", ""),
        ("**Source.** aws/eks-charts stable/aws-efa-k8s-device-plugin/templates/daemonset.yaml", ""),
        ("**Source.** netplan's own rule: a name is used once.", ""),
        ("**Source.** IEEE 802.1Qbb\n\nnetplan/plan/ecn.py is not part of it.", ""),
    ],
)
def test_a_source_that_is_none_is_found(source: str, wrong: str):
    assert wrong_source(f"A rule.\n\n**Why.** So.\n**Fix.** Do.\n{source}") == wrong


def test_a_reader_can_open_every_source_of_a_grammar():
    every = grammars()
    assert len(every) > 8
    closed = {
        f"{nos}: {name}": source
        for nos, sources in every.items()
        for name, source in sources.items()
        if not can_be_opened(source)
    }
    assert closed == {}


@pytest.mark.parametrize(
    ("source", "opened"),
    [
        ("aristanetworks/avd@3cac535c python-avd/pyavd/j2templates/eos/arp.j2", True),
        ("ipspace/netlab@771eeee README.md, BGP", True),
        ("HPE 12900E, arp timer aging, support.hpe.com/techhub/eginfolib/504747181.htm", True),
        ("H3C, Configuring PFC, h3c.com/en/d_202407/2215988_294551_0.htm", True),
        ("B7.1", False),
        ("B4.4, AVD qos.schema.yml", False),
        ("onyx_qos.py", False),
        ("L6, plugins/modules/onyx_protocol.py", False),
        ("templates/switch/onyx/nos.yaml", False),
        ("aristanetworks/avd, schema_fragments", False),
        ("aristanetworks/avd@main python-avd/pyavd", False),
        ("aristanetworks/avd@3cac535c", False),
        ("Apstra DCQCN configlet", False),
        ("published configurations of H3C S98xx switches", False),
    ],
)
def test_what_a_reader_can_open(source: str, opened: bool):
    assert can_be_opened(source) is opened
