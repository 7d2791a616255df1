"""What the command behind a prompt says of its output: whether it is a part or no state; and the names of
machines in it."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache

from netplan.live.bgp_commands import strange_word, vrf_named
from netplan.live.programs import SHOW_FILE

_FILTER = re.compile(r"\|(?!['\" ]*(?:json|display json|no-more|tee|cat)\b)")
_ONE = re.compile(
    r"\bvid +[0-9]|\bdev +\S"
    r"|\s(?:-n|--namespace)[ =]*['\"]?asic[0-9]|\s(?:-d|--display)[ =]*frontend\b|\bnetns +exec\b"
    r"|\bsonic-netns-exec\b|\bvtysh +-n *[0-9]|\bdocker +exec +(?:-\S+ +)*[a-z]+[0-9]{1,2} "
)
"""Of one VLAN or interface, or of one ASIC (sonic-net/sonic-utilities 691b1bbc
utilities_common/multi_asic.py, multi_asic_click_options; sonic-net/sonic-buildimage 086b03bd
files/scripts/sonic-netns-exec, dockers/docker-fpm-frr/base_image_files/vtysh)."""
_FILE = re.compile(
    rf"(?:^|[\s;&(/])(?:{'|'.join(sorted(SHOW_FILE - {'tar'}))})(?=[\s<]+\S)"
    r"|\bgit show\b|\bunzip +-p\b|\btar +-?[a-zA-Z]*O"
    r"|\b(?:show file|file show)\b|\bjson\.tool(?=[\s<]+\S)"
)
"""Programs that show a file, where no other output is piped into them."""
OTHER_FAMILY = re.compile(
    r"\b(?:evp?n?|l2vp?n?|vpnv[46]|vpn-ipv[46]|ipv[46] +vpn|flowspec|multicast|rt-filter|labeled-unicast"
    r"|encap|link-state)\b"
)
_FAMILY = re.compile(r"\bip(?:v([46])\b| +bgp\b)")
_OTHER_ROUTER = re.compile(r"\b(?:logical-sys\w*|tenant) +\S")
"""Of Junos: a router of its own within the switch (docs.juniper.net, show interfaces, show vlans)."""
_OTHER_FRR = re.compile(r"\bvtysh\b.*\s(?:-N|--pathspace)\b")
_ANOTHER = re.compile(r"[;&]|\s-c\s")
"""Between two commands behind one prompt."""
_STORED = re.compile(r"\bnv config\b|\s--(?:applied|pending|startup)\b|(?:\s--|[?&])rev[ =](?!operational\b)")
"""NVUE Reference, Common Options, Revision Options: all but ``--operational`` show a configuration; so does
its REST API (NVIDIA NVUE API, ``/nvue_v1/interface?rev=applied``)."""
_OPTIONS_WITH_VALUE = frozenset("BbcDEeFIiJLlmOoPpQRSWw")
"""ssh(1), OpenSSH 9.6: options that take the next word."""
_HOST_NAME = re.compile(r"-\w*o ?hostname[= ](?P<host>\S+)", re.IGNORECASE)
_ENGINE = re.compile(r"-re[01]\Z")
"""Junos: the usual host-name in groups re0 and re1, of a switch with two Routing Engines."""
Forms = Mapping[str, Sequence[str]]


def is_filtered(command: str) -> bool:
    """Whether a command shows a part of what it could, such as ``| grep Ethernet0`` or ``dev ens1``."""
    return bool(_FILTER.search(command) or _ONE.search(command))


def why_no_state(command: str) -> str:
    """Why an output says nothing of what the plan states; empty if it does."""
    first = command.partition("|")[0]
    if _FILE.search(first):
        return "the content of a file, not what runs"
    asked = [each for each in _ANOTHER.split(first) if re.search(r"\b(?:show|bgp)\b", each)]
    if asked and all(re.search(r"\bbgp\b", each) and OTHER_FAMILY.search(each) for each in asked):
        return "BGP summary of another address family"
    if _OTHER_FRR.search(first):
        return "of another instance of FRR (pathspace)"
    if _OTHER_ROUTER.search(first):
        return "of another logical system"
    if word := strange_word(first):
        return f"of a command about BGP that says more than is known of it: {word[:40]}"
    return "of a stored configuration, not what runs" if _STORED.search(first) else ""


def vrf_of(command: str) -> str:
    """The VRF that a command about BGP asks for, all for several; empty for another command or none."""
    if not re.search(r"\bbgp\b", command):
        return ""
    return vrf_named(command) or "default"


def family_of(command: str) -> str:
    """The one address family that commands about BGP ask for, as FRR names it; empty for several or none."""
    of_bgp = [each for each in _ANOTHER.split(command) if re.search(r"\bbgp\b", each)]
    asked = {version or "4" for each in of_bgp for version in _FAMILY.findall(each) or ("any",)}
    return f"IPv{asked.pop()} Unicast" if asked in ({"4"}, {"6"}) else ""


def destination(words: Sequence[str]) -> tuple[str, Sequence[str]]:
    """Behind ``ssh``: the first word that is neither an option nor its value, without user and port; and what
    stands behind it and further options. With ``-o HostName=X`` that one."""
    host, skip, end = "", False, len(words)
    for at, word in enumerate(words):
        if skip:
            skip = False
        elif word.startswith("-"):
            skip = takes_next(word[1:], _OPTIONS_WITH_VALUE)
        elif host:
            end = at
            break
        else:
            host = word.strip("'\"").removeprefix("ssh://").rpartition("@")[2]
    named = _HOST_NAME.search(" ".join(words[:end])) if host else None
    return named["host"] if named else host.partition(":")[0], words[end:] if host else ()


def takes_next(letters: str, with_value: Collection[str]) -> bool:
    """Of the letters behind one hyphen the first with a value has it behind itself, or in the next word."""
    at = next((n for n, letter in enumerate(letters) if letter in with_value), None)
    return at is not None and at == len(letters) - 1


@lru_cache(4096)
def own(prompted: str, known: frozenset[str]) -> str:
    """The machine with a prompt's name, in any case, and with or without a domain in either; empty if none
    has it, or two."""
    if prompted in known:
        return prompted
    whole, heads = _forms(known)
    low = prompted.lower()
    for form in (low, low.partition(".")[0], _ENGINE.sub("", low)):
        if len(fitting := whole.get(form, ())) == 1:
            return fitting[0]
    fitting = () if "." in low else heads.get(low, ())
    return fitting[0] if len(fitting) == 1 else ""


@lru_cache(4)
def _forms(known: frozenset[str]) -> tuple[Forms, Forms]:
    """Name in lower case, and its part before the first dot -> names."""
    whole: dict[str, list[str]] = {}
    heads: dict[str, list[str]] = {}
    for name in sorted(known):
        whole.setdefault(name.lower(), []).append(name)
        heads.setdefault(name.lower().partition(".")[0], []).append(name)
    return whole, heads
