"""Which machine or pod a name is: of files, folders, pods and what prompts and titles say."""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import lru_cache

from netplan.live.headings import COMMAND_WORDS, is_command
from netplan.records import dataclass

UNNAMED = frozenset({"sonic", "cumulus", "localhost", "switch"})
"""What a switch of SONiC, Cumulus, Arista EOS or NX-OS is called before somebody gives it a name."""
_NO_OUTPUT = (
    ".cfg",
    ".conf",
    ".diff",
    ".html",
    ".j2",
    ".link",
    ".md",
    ".network",
    ".py",
    ".rst",
    ".service",
    ".sh",
)
"""Configurations, pages and programs: they may hold what an output would, and say nothing of what runs."""


_BEFORE = re.compile(r"sonic_dump_|[0-9]{4}-?[0-9]{2}-?[0-9]{2}(?:[t_-]?[0-9]{2}[0-9:-]{2,6}z?)?[-_. ]+")
"""Of the archive of ``show techsupport`` (sonic-utilities scripts/generate_dump), or a date and time."""
_TO_ANOTHER = re.compile(r"(?:^|[-_. ])(?:to|from|via|through|vs|behind|not|peer)[-_. ]+[a-z]")
"""A machine of no plan may stand behind it: ``leaf-1-to-core-77.txt``."""
_ROLE = re.compile(
    r"(?<![a-z0-9.])(?:(?:super-?)?spine|leaf|core|tor|agg|dist|edge|border|sw|switch|rtr|router|fw|firewall"
    r"|host|server|srv|worker|dgx|hgx)[-_]?[0-9]+(?![a-z])"
)
"""So machines are called: ``leaf-1/core-77.txt``, ``leaf-1_spine1.txt``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """``switches``: by name; ``machines``: they and the hosts; ``workloads``: of pods."""

    switches: Collection[str]
    machines: frozenset[str]
    workloads: Collection[str]


def is_output(name: str) -> bool:
    """Whether a file of a folder may be what a command printed."""
    return not name.lower().endswith(_NO_OUTPUT)


def named(name: str, known: Collection[str]) -> str:
    """``dumps/leaf-1/bgp.txt``, ``leaf-1.txt`` or ``leaf-1-bgp.txt``: the longest name that fits."""
    return by_name(name, known)[0]


def by_name(name: str, known: Collection[str]) -> tuple[str, bool]:
    """The longest of the known names that the file, or the folder nearest to it, is named after; whether it
    is the file. Nothing if what stands behind it is named after another one, too."""
    return _by_name(name, frozenset(known))


@lru_cache(256)
def _by_name(name: str, known: frozenset[str]) -> tuple[str, bool]:
    below = list[str]()
    for depth, part in enumerate(reversed(re.split(r"[/\\]", name))):
        if fitting := [each for each in known if is_named_after(part, each)]:
            found = max(sorted(fitting), key=len)
            others = " ".join((part.lower().partition(found.lower())[2], *below))
            unsure = any(form.search(others) for form in (_TO_ANOTHER, _ROLE)) or _names_another(
                others, found, known
            )
            return ("", False) if unsure else (found, depth == 0)
        below.append(part)
    return "", False


def _names_another(text: str, name: str, known: Collection[str]) -> bool:
    """Whether one of the known names, with any digits, is in it: ``leaf-1-leaf-2``, ``leaf-1/leaf-99``."""
    forms = {re.sub("[0-9]+", "0", each.lower()) for each in known if re.search("[A-Za-z]", each)}
    longest = sorted(forms, key=len, reverse=True)
    any_of = "|".join(re.escape(each).replace("0", "[0-9]+") for each in longest)
    found = re.findall(rf"(?<![a-z0-9])(?:{any_of})(?![a-z0-9])", text.lower()) if forms else []
    return any(each != name.lower() for each in found)


def is_named_after(part: str, name: str) -> bool:
    """``leaf-1``, ``leaf-1.txt``, ``LEAF-1-bgp.txt``, ``leaf-1 (1).txt``, ``20261129-leaf-1.txt``,
    ``show_vlan_brief_leaf-1.txt``, ``bgp_leaf-1.json``"""
    before, found, behind = part.lower().partition(name.lower())
    if not found or behind[:1] not in ("", "-", ".", "_", " "):
        return False
    if not before or _BEFORE.fullmatch(before):
        return True
    words = re.split("[-_. ]+", before)
    return before[-1] in "-_. " and (is_command(" ".join(words)) or COMMAND_WORDS.issuperset(words[:-1]))


def workload_of(pod: str, workloads: Collection[str]) -> str:
    """The workload that a pod is named after."""
    fitting = [each for each in workloads if pod == each or pod.startswith(f"{each}-")]
    return max(fitting, key=len, default="")


def exec_of(command: str, workloads: Collection[str]) -> str:
    """The workload of the pod that ``kubectl exec`` or ``oc rsh`` is about."""
    words = command.partition(" -- ")[0].split()
    opens = next((at + 1 for at, word in enumerate(words) if word in ("exec", "rsh")), len(words))
    behind = words[opens:] if "exec" in words or "oc" in words else []
    pods, skip = list[str](), False
    for word in behind:
        if not skip and not word.startswith("-"):
            pods.append(word.rpartition("/")[2])
        skip = word in ("-n", "-c", "--namespace", "--container", "--context")
    return workload_of(pods[0], workloads) if pods else ""
