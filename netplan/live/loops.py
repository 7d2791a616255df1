"""Loops over commands of a switch, and groups of commands, written out: the command line then says what it
shows."""

from __future__ import annotations

import re

from netplan.live.forms import shows_itself

_QUOTED = r"(?:'[\w ./:=,-]{1,200}'|\"[\w ./:=,-]{1,200}\")"
_LOOP = re.compile(
    rf"\bfor +(?P<name>[A-Za-z_]\w{{0,39}}) +in(?P<words>(?: +{_QUOTED}){{1,40}}) *; *do +"
    r"(?P<body>[^\\]{1,500}?); *done\b"
)
_WORD = re.compile(_QUOTED)
_GROUP = re.compile(
    r"\s*(?:\((?P<inner>[^(){}$`\\]{1,2000})\)|\{ (?P<list>[^(){}$`\\]{1,2000}); *\})"
    r"(?P<rest> *(?:[0-9]?[|>&].*)?)"
)
_TITLE = re.compile(r"\s*echo\b[^$`|&<>]*")


def written_out(command: str) -> str:
    """``for c in 'show vlan brief' 'show ip interfaces'; do echo $c; $c; done`` as both commands; any other
    one as it is."""
    text = _LOOP.sub(_bodies, command) if "for" in command else command
    group = _GROUP.fullmatch(text)
    inner = (group["inner"] or group["list"]) if group is not None else ""
    return f"{inner.strip(' ;')}{group['rest']}" if group is not None and _is_whole(inner) else text


def _is_whole(text: str) -> bool:
    """Whether no quote in it is open."""
    return text.count("'") % 2 == text.count('"') % 2 == 0


def _bodies(loop: re.Match[str]) -> str:
    body, words = loop["body"], [each[1:-1].strip() for each in _WORD.findall(loop["words"])]
    plain = _is_whole(body) and not re.search(r"\b(?:do|done|for)\b", body)
    if not (plain and all(word and shows_itself(word.split()) for word in words)):
        return loop[0]
    variable = re.compile(rf"\$(?:\{{{loop['name']}\}}|{loop['name']}\b)")
    given = (each for word in words for each in variable.sub(word, body).split(";"))
    return "; ".join(each.strip() for each in given if not (_TITLE.fullmatch(each) and _is_whole(each)))
