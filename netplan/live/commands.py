"""What the command behind a prompt says of its output: whose it is, and whether it is a part or no state."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

_FILTER = re.compile(r"\|(?! *(?:json|display json|no-more)\b)")
_ONE = re.compile(
    r"\bvlan +(?:id +)?[0-9]|\bvlan +name +\S|\bvid +[0-9]|\bdev +\S"
    r"|\bneighbou?rs? +[0-9A-Fa-f]{0,4}[.:]|\b(?:failed|established)\b"
    r"|\bpfcwd (?:show )?config +[^\s;&>|-]"
    r"|\s(?:-n|--namespace)[ =]*['\"]?asic[0-9]|\s(?:-d|--display)[ =]*frontend\b|\bnetns +exec\b"
)
"""Of one VLAN, interface or neighbour, of some sessions, or of one ASIC (sonic-net/sonic-utilities 691b1bbc
utilities_common/multi_asic.py, multi_asic_click_options)."""
_VRF = re.compile(r"\b(?:vrf|view|instance) +(\S{1,64})")
_FILE = re.compile(
    r"(?:^|[\s;&(/])(?:(?:z|bz|xz)?cat|less|more|head|tail|vim?|nano|grep|sed|awk|jq)(?=[\s<]+\S)"
    r"|\b(?:show file|file show)\b"
)
"""Programs that show a file, where no other output is piped into them."""
_OTHER_FAMILY = re.compile(
    r"\b(?:evpn|l2vpn|vpnv[46]|vpn-ipv[46]|ipv[46] +vpn|flowspec|multicast|rt-filter|labeled-unicast|encap"
    r"|link-state)\b"
)
_FAMILY = re.compile(r"\bip(?:v([46])\b| +bgp\b)")
_ANOTHER = re.compile(r"[;&]|\s-c\s")
"""Between two commands behind one prompt."""
_STORED = re.compile(r"\bnv config\b|\s--(?:applied|pending|startup)\b|\s--rev[ =](?!operational\b)")
"""NVUE Reference, Common Options, Revision Options: all but ``--operational`` show a configuration."""
_OPTIONS_WITH_VALUE = frozenset("BbcDEeFIiJLlmOoPpQRSWw")
"""ssh(1), OpenSSH 9.6: options that take the next word."""
_OTHER_REMOTES = frozenset({"telnet", "mosh", "rsh", "pdsh", "clush", "pssh", "parallel-ssh", "ansible"})


def shows_part(command: str) -> bool:
    """Whether a command shows a part of a list only, such as ``| grep Ethernet0`` or ``show vlan 103``."""
    return bool(_FILTER.search(command) or _ONE.search(command))


def why_no_state(command: str) -> str:
    """Why an output says nothing of what the plan states; empty if it does."""
    first = command.partition("|")[0]
    if _FILE.search(first):
        return "the content of a file, not what runs"
    if re.search(r"\bbgp\b", first) and _OTHER_FAMILY.search(first):
        return "BGP summary of another address family"
    return "of a stored configuration, not what runs" if _STORED.search(first) else ""


def vrf_of(command: str) -> str:
    """The VRF that a command about BGP asks for, all for several; empty for another command or none."""
    if not re.search(r"\bbgp\b", command):
        return ""
    asked = _VRF.search(command)
    return asked[1] if asked is not None else "default"


def family_of(command: str) -> str:
    """The one address family that commands about BGP ask for, as FRR names it; empty for several or none."""
    of_bgp = [each for each in _ANOTHER.split(command) if re.search(r"\bbgp\b", each)]
    asked = {version or "4" for each in of_bgp for version in _FAMILY.findall(each) or ("any",)}
    return f"IPv{asked.pop()} Unicast" if asked in ({"4"}, {"6"}) else ""


def asked(command: str, known: Collection[str], whose: str) -> str:
    """The switch that a command asks over ``ssh``, empty if it is none that is planned; else ``whose``, of
    the prompt."""
    words = command.partition("|")[0].split()
    programs = [word.rpartition("/")[2] for word in words]
    if "ssh" in programs:
        last = len(programs) - 1 - programs[::-1].index("ssh")
        return own(_destination(words[last + 1 :]), known)
    return "" if _OTHER_REMOTES & set(programs) else whose


def _destination(words: Sequence[str]) -> str:
    """The first word that is neither an option nor its value, without user and port."""
    skip = False
    for word in words:
        if skip:
            skip = False
        elif word.startswith("-"):
            skip = _takes_next(word[1:])
        else:
            host = word.strip("'\"").removeprefix("ssh://").rpartition("@")[2]
            return host.partition(":")[0]
    return ""


def _takes_next(letters: str) -> bool:
    """Of the letters behind one hyphen the first with a value has it behind itself, or in the next word."""
    at = next((n for n, letter in enumerate(letters) if letter in _OPTIONS_WITH_VALUE), None)
    return at is not None and at == len(letters) - 1


def own(prompted: str, known: Collection[str]) -> str:
    """The switch with a prompt's name, in any case and with or without a domain; empty if none has it."""
    if prompted in known:
        return prompted
    low = prompted.lower()
    for form in (low, low.partition(".")[0]):
        fitting = [each for each in known if each.lower() == form]
        if len(fitting) == 1:
            return fitting[0]
    return ""
