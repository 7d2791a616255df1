"""Commands of switches that show the switch itself: the output of any other command may be of another
machine, or of a file.

Of SONiC: sonic-net/sonic-utilities 691b1bbc setup.py, scripts; of EOS, NX-OS and Junos: their command
references (``show``, filters behind a pipe).
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from netplan.live.programs import word_set

_TOPICS = word_set(
    "interfaces vlans vlan-brief ip ipv6 bgp lldp pfc priority-flow-control queuing queue mac"
    " mac-address-table qos roce running-config version route arp clock class-of-service l2-learning"
    " buffer ecn policy-map"
)
"""Words behind ``show``, which may be short for ``sh``."""
_OF_SWITCH = word_set(
    "nv net vtysh bridge sysctl ip ethtool lldpctl lldpcli ecnconfig mmuconfig pfcwd pfc crm config"
    " counterpoll sonic-cfggen sonic-clear sonic-db-cli pfcstat intfutil intfstat portstat portconfig"
    " queuestat watermarkstat lldpshow sfpshow sfputil nbrshow fdbshow ipintutil aclshow"
    " terminal term configure conf enable en end stty pwd whoami id set top up"
)
_HIERARCHY = word_set(
    "interfaces protocols vlans class-of-service routing-instances routing-options forwarding-options"
    " policy-options switch-options system chassis groups firewall snmp"
)
"""Behind ``edit`` of Junos: at a shell it is a program that shows a file."""
_IN_CONTAINER = re.compile(r"(?:bgp|lldp)[0-9]{0,2}")
_INNER = re.compile(r"(?:-n ?[0-9.]+ |-\S+ |asic[0-9]{1,3} |sudo )*(?P<words>\w[^;|&$`()<>]*)")
"""Of one command behind another: no more than its words."""
_CURL = frozenset({"curl", "wget"})
_URL = re.compile(r"(?:.{0,40}=)?(?P<all>https?://.{1,4000})", re.DOTALL)
_HOST = re.compile(r"https?://(?:[^/@\s]{0,80}@)?(?P<host>\[[0-9A-Fa-f:]{2,45}\]|[A-Za-z0-9._-]{1,255})")
_PLACE = re.compile(r"[0-9]{1,3}(?:\.[0-9]{1,3}){3}|[A-Za-z0-9._-]+:[0-9]+(?:/.*)?|\[[0-9A-Fa-f:]+\].*")
"""An address without a scheme."""
_PROXIES = ("-x", "--proxy", "--resolve", "--connect-to", "-K", "--config", "--socks")


def shows_itself(words: Sequence[str]) -> bool:
    """Whether a command with these words shows the switch where it is typed."""
    folder, _, name = words[0].rpartition("/")
    if folder and not folder.startswith(("/bin", "/sbin", "/usr/")):
        return False
    if name == "docker":
        return _in_container(words)
    if name in ("watch", "sonic-netns-exec"):
        inner = _INNER.fullmatch(" ".join(words[1:]))
        return inner is not None and shows_itself(inner["words"].split())
    if name in ("sh", "show", "sho"):
        return name != "sh" or is_short_show(words)
    if name == "edit":
        return _HIERARCHY.issuperset(words[1:2])
    return name in _OF_SWITCH or words[0] == "for"


def is_short_show(words: Sequence[str]) -> bool:
    """``sh int status`` at a switch, not ``sh FILE``."""
    topic = "".join(words[1:2]).lower()
    return words[0] == "sh" and len(topic) > 1 and any(each.startswith(topic) for each in _TOPICS)


def _in_container(words: Sequence[str]) -> bool:
    """SONiC's containers have the network of the switch. Lists of them are none that is read."""
    plain = [word for word in words[1:] if not word.startswith("-")]
    return list(words[1:]) in (["ps"], ["ps", "-a"], ["images"], ["version"]) or (
        plain[:1] == ["exec"]
        and _IN_CONTAINER.fullmatch("".join(plain[1:2])) is not None
        and plain[2:3] in (["vtysh"], ["lldpctl"], ["lldpcli"])
    )


def asked_of(words: Sequence[str]) -> list[str]:
    """The hosts that the addresses of curl or wget name, one that is not known as an empty name."""
    found = list[str]()
    for word in words:
        if (url := _URL.fullmatch(word)) is not None:
            host = _HOST.match(url["all"])
            found.append(host["host"] if host is not None else "")
    strange = any(_PLACE.fullmatch(word) or word.startswith(_PROXIES) for word in words[1:])
    return [*found, ""] if found and strange and words[0].rpartition("/")[2] in _CURL else found


def nested(name: str, words: Sequence[str]) -> str | None:
    """The command that one runs at the same machine, as text; None of any other."""
    if name in ("FastCli", "Cli", "cli", "vsh") and len(words) > 1:
        return words[words.index("-c") + 1] if "-c" in words[:-1] else " ".join(words[1:])
    if list(words[:3]) == ["start", "shell", "command"]:
        return " ".join(words[3:])
    if name == "run" and len(words) > 1:  # of NX-OS and Junos
        return " ".join(words[2:] if words[1] == "bash" else words[1:])
    return None
