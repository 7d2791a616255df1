"""Settings that mean the same in other words: the words that the rules of the NOS read back. Every line keeps
its number.

EOS: a traffic class that no line maps to a queue uses the queue with its number: the RoCE guide of ROCm
(docs.amd.com, Arista switches) maps DSCP 26 to class 3, sets ECN in uc-tx-queue 3 and has no such line.
NX-OS: a class map with one ``match`` means the same with ``match-all``, ``match-any`` or neither. Names of
code points: RFC 2474, 2597, 3246.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping

from netplan.reading.switches.columns import spans
from netplan.reading.switches.config_db_words import in_new_words
from netplan.reading.switches.ecn_units import in_bytes
from netplan.reading.switches.nxos_names import with_numbers

EOS_DSCP = re.compile(
    r"^qos map dscp [0-9 ,-]+ to traffic-class ([0-7])( drop-precedence [0-9])?[ \t]*$", re.M
)
EOS_ECN = re.compile(
    r"^([ \t]+random-detect ecn minimum-threshold )([0-9]{1,9}) ([a-z]+)( maximum-threshold )([0-9]{1,9}) "
    r"\3( max-mark-probability [0-9]{1,3})?( weight [0-9]+)?[ \t]*$",
    re.M,
)
_MAPPED = re.compile(r"^qos map traffic-class ([0-7][0-7 ,-]{0,20}) to (?:uc-)?tx-queue ([0-7])", re.M)
NXOS_CLASS = re.compile(
    r"^class-map type qos (?:match-all )?(?!match-)(\S+)[ \t]*\n((?:[ \t]+[^\n]*(?:\n|\Z))*)", re.M
)
NXOS_ECN = re.compile(
    r"^([ \t]+random-detect minimum-threshold )([0-9]{1,9}) ([a-z]+)( maximum-threshold )([0-9]{1,9}) \3 ",
    re.M,
)
MATCH = re.compile(r"^[ \t]+match ", re.M)
_NXOS_NAMED = re.compile(r"^([ \t]+match dscp )([a-z0-9, -]*[a-z][a-z0-9, -]*?)[ \t]*$", re.M)
_CODE_POINTS: Mapping[str, int] = {
    **{f"cs{number}": 8 * number for number in range(8)},
    **{f"af{row}{drop}": 8 * row + 2 * drop for row in range(1, 5) for drop in range(1, 4)},
    "ef": 46,
    "default": 0,
}


def _mapped(text: str) -> Mapping[int, int]:
    """EOS: the queue of each class that a line maps."""
    return {number: int(found[2]) for found in _MAPPED.finditer(text) for number in spans(found[1])}


def unmapped_classes(text: str) -> Iterator[tuple[str, int]]:
    """EOS: classes without a queue of their own, each with the offset of the first map of DSCP."""
    mapped = _mapped(text)
    first: dict[str, int] = {}
    for found in EOS_DSCP.finditer(text):
        first.setdefault(found[1], found.start())
    yield from ((number, at) for number, at in sorted(first.items()) if int(number) not in mapped)


def _eos(text: str) -> str:
    return EOS_ECN.sub(_eos_ecn, EOS_DSCP.sub(lambda found: found[0].removesuffix(found[2] or ""), text))


def _eos_queues(text: str) -> str:
    """Below the lines, the queues of classes that no line maps."""
    added = (f"qos map traffic-class {number} to tx-queue {number}\n" for number, _ in unmapped_classes(text))
    return "\n".join((text, *added)) if EOS_DSCP.search(text) else text


def _eos_ecn(found: re.Match[str]) -> str:
    """A weight is passed over where a probability is there: the rules read that."""
    ends = in_bytes(found[2], found[5], found[3])
    if ends is None:
        return found[0]
    return f"{found[1]}{ends[0]} bytes{found[4]}{ends[1]} bytes{found[6] or ' weight 0'}"


def _nxos(text: str) -> str:
    text = _NXOS_NAMED.sub(_numbered, NXOS_CLASS.sub(_any, with_numbers(text)))
    return NXOS_ECN.sub(_nxos_ecn, text)


def _any(found: re.Match[str]) -> str:
    if len(MATCH.findall(found[2])) != 1:
        return found[0]
    return f"class-map type qos match-any {found[1]}\n{found[2]}"


def _numbered(found: re.Match[str]) -> str:
    words = [word for word in re.split("[ ,]+", found[2]) if word]
    numbers = [str(_CODE_POINTS.get(word, word)) for word in words]
    return f"{found[1]}{','.join(numbers)}" if all(n.isdecimal() for n in numbers) else found[0]


def _nxos_ecn(found: re.Match[str]) -> str:
    ends = in_bytes(found[2], found[5], found[3])
    return found[0] if ends is None else f"{found[1]}{ends[0]} bytes{found[4]}{ends[1]} bytes "


WORDS: Mapping[str, Callable[[str], str]] = {
    "arista-eos": _eos,
    "cisco-nxos": _nxos,
    "sonic": in_new_words,
}
"""NOS -> the text in netplan's words."""
NAMED: Mapping[str, Callable[[str], str]] = {"cisco-nxos": with_numbers}
"""NOS -> the text with the names of its classes alone in netplan's words."""
SHIPPED: Mapping[str, Callable[[str], str]] = {"arista-eos": _eos_queues}
"""NOS -> a running configuration with the lines that it leaves out because they are as shipped. Not for
proofs: no source states it for every ASIC."""
