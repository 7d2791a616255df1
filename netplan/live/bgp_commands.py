"""Which sessions a command about BGP shows: only words that are known say so.

FRR: FRRouting/frr fbfc8222 bgpd/bgp_vty.c (show_ip_bgp_summary, show_ip_bgp_neighbors); SONiC:
sonic-utilities 691b1bbc show/bgp_frr_v4.py; EOS and NX-OS: their command references; Junos: docs.juniper.net,
show bgp summary and show bgp neighbor (another logical-system is another router).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import pairwise

_ANOTHER = re.compile(r"[;&]|\s-c\s")
"""Between two commands behind one prompt."""
_OF_ALL = ("summary", "neighbors", "neighbours", "ipv4", "ipv6", "unicast", "all", "default")
_FORMS = ("json", "wide", "brief", "detail", "extensive", "terse", "native", "pretty", "no-more", "verbose")
_PARTS = ("established", "failed")
_NAMED = ("vrf", "view", "instance", "exact-instance")
_NAMED_PARTS = ("group", "peer-group", "remote-as")
_OPTIONS = ("-n", "--namespace", "-d", "--display", "-o", "--output")
_WORDS: Mapping[str, int] = {
    **dict.fromkeys((*_OF_ALL, *_FORMS, *_PARTS), 0),
    **dict.fromkeys((*_NAMED, *_NAMED_PARTS, *_OPTIONS), 1),
}
"""Word -> words behind it that belong to it."""
_ADDRESS = re.compile(r"[0-9A-Fa-f]{0,4}(?:[.:][0-9A-Fa-f]{0,4}){2,7}")
_BGP, _SHOW = re.compile(r"\bbgp\b"), re.compile(r"\bsho?w?\b")
_OPTION = re.compile(
    r"-[nd]\S*|-o|--(?:namespace|display|output)(?:=\S+)?|--operational|--rev(?:=operational)?"
)
"""Of SONiC for its ASICs; of NVUE: --filter shows a part (NVUE Reference, Common Options)."""
_SHORTEST = 2


def strange_word(command: str) -> str:
    """Of the commands about BGP, if each has one, a word that may mean another address family, another router
    or anything else; empty if there is none."""
    found = [next((word for word in words if not known_word(word)), "") for words in _asked(command)]
    return found[0] if found and all(found) else ""


def of_some(command: str) -> bool:
    """Whether a command about BGP shows sessions that it names."""
    words = [known_word(word) or word for each in _asked(command) for word in each]
    return any(word in (*_PARTS, *_NAMED_PARTS) or _ADDRESS.fullmatch(word) for word in words)


def vrf_named(command: str) -> str:
    """The first VRF or instance in a command; empty without one."""
    words = re.sub("['\"<>]", " ", command.partition("|")[0]).split()
    named = (value for word, value in pairwise(words) if known_word(word) in _NAMED and value != "exec")
    return next(named, "")


def _asked(command: str) -> Iterator[list[str]]:
    """The words behind bgp of each command, without those that belong to the one before them."""
    for each in _ANOTHER.split(command.partition("|")[0]):
        before, *behind = _BGP.split(re.sub("['\"<>]", " ", each), maxsplit=1)
        if behind and _SHOW.search(before):
            yield list(_without_values(behind[0].split()))


def _without_values(words: list[str]) -> Iterator[str]:
    skip = 0
    for word in words:
        if not skip:
            yield word
        skip = skip - 1 if skip else _WORDS.get(known_word(word), 0)


def known_word(word: str) -> str:
    """The word that it is short for; an address or an option for itself."""
    if _ADDRESS.fullmatch(word) or word.isdecimal() or _OPTION.fullmatch(word):
        return word
    low = word.lower()
    short = (known for known in _WORDS if len(low) >= _SHORTEST and known.startswith(low))
    return low if low in _WORDS else next(short, "")
