"""What stands above and between outputs where a person logs in and types: messages of a login, which are left
out, and commands of several lines, which become one.

Messages: SONiC (a login shown in sonic-net/sonic-mgmt docs/testbed/README.testbed.VsSetup.md), Debian
(base-files). A login below another one is to another machine: its first line, ``Linux NAME ...``, stays.
"""

from __future__ import annotations

import re
import shlex
from collections import Counter
from collections.abc import Iterator, Sequence

from netplan.live.names import UNNAMED
from netplan.live.noise import UNAME, is_noise, named_in
from netplan.reading.tables import PROMPT_ENDS, Line

_UNAME = re.compile(UNAME)
_LOGIN = re.compile(
    r"You are on|-- Software for Open Networking in the Cloud --"
    r"|Unauthorized access and/or use are prohibited\.|All access and/or use are subject to monitoring\."
    r"|Help: +https?://(?:sonic-net|azure)\.github\.io/SONiC/"
    r"|The programs included with the Debian GNU/Linux system are free software;"
    r"|the exact distribution terms for each program are described in the"
    r"|individual files in /usr/share/doc/\*/copyright\."
    r"|Debian GNU/Linux comes with ABSOLUTELY NO WARRANTY, to the extent|permitted by applicable law\."
    r"|Last login: [A-Z][a-z]{2} [A-Z][a-z]{2} [ 0-9][0-9] [0-9:]{8} (?:[A-Z]{2,5} )?[0-9]{4}"
    r"(?: (?:from|on) \S{1,255}){0,2}"
)
_GREETING = frozenset({"You are on"})
_HERE = re.compile(r"<<-?[ ]*(?P<quote>['\"]?)(?P<word>\w{1,40})(?P=quote)(?P<rest>(?:[ ][^<]*)?)\Z")
_MORE = "> "
"""Of bash, before each further line of a command (bash(1), PS2)."""
_FIRST_ROW = re.compile(r"\S@\S|\u327f|(?:^|[ \[])~(?:[/\] ]|$)")
_ENDS = rf"[{PROMPT_ENDS}]"
_MARK = re.compile(rf"(?:[\u2570\u2514][\u2500-]{{0,3}}(?: ?{_ENDS})?|{_ENDS})(?: +|\Z)")
_WITH_COMMAND = re.compile(rf"{_ENDS}(?: |\Z)")
_ASKS = re.compile(r"(?:sudo +)?(?:ssh|sshpass|kubectl|oc|k) |(?:exit|logout)?\Z")
_CHANGES = re.compile(r"[~/\[(]|[0-9:.]{4,12}\Z|[^\w@]+\Z")
"""Of the first row: a folder, the time, or a frame."""
_MOST = 200


def without_logins(lines: Sequence[Line]) -> Iterator[Line]:
    """Above all other lines the login is to the machine that the file is about."""
    first, inside = True, False
    for line in lines:
        text = line.text.strip()
        uname = _UNAME.fullmatch(text)
        if uname is not None or (first and text in _GREETING):
            inside = True
            if uname is None or (first and uname["uname"].lower() in UNNAMED):
                continue
        elif inside and _LOGIN.fullmatch(text):
            continue
        elif not is_noise(line.text) and named_in(line.text) is None:
            first = inside = False
        yield line


def in_one_line(lines: Sequence[Line]) -> Iterator[Line]:
    """``ssh leaf-1 <<EOF | tee FILE``, ``> show vlan brief`` and ``> EOF`` as one command; so lines behind
    ``\\``."""
    at = 0
    while at < len(lines):
        line = lines[at]
        more = _further(lines, at + 1) if "<<" in line.text or line.text.endswith("\\") else []
        found = _HERE.search(line.text) if more else None
        if found is not None and found["word"] in more:
            given = more[: more.index(found["word"])]
            at += len(given) + 1
            text = f"{line.text[: found.start()]}{shlex.quote('; '.join(given))}{found['rest']}"
            line = Line(text, line.at)
        else:
            while more and line.text.endswith("\\"):
                line, at = Line(line.text[:-1] + more.pop(0), line.at), at + 1
        yield line
        at += 1


def in_one_row(lines: Sequence[Line]) -> Iterator[Line]:
    """Prompts of two rows, as Git Bash and themes of zsh have them: the first one has a user or a folder, and
    stands so above several, or above a command that names a machine or pod itself."""
    firsts = [number for number in range(len(lines) - 1) if _is_first_row(lines, number)]
    count = Counter(lines[number].text for number in firsts)
    asked = (n for n in firsts if _ASKS.match(_MARK.sub("", lines[n + 1].text)))
    upper = {*asked, *(n for n in firsts if count[lines[n].text] > 1)}
    for number, line in enumerate(lines):
        if number - 1 in upper:
            yield Line(f"{_whose(lines[number - 1].text)} $ {_MARK.sub('', line.text)}", line.at)
        elif number not in upper:
            yield line


def _whose(first: str) -> str:
    """User and machine in the first row, else its first word: the rest may change from prompt to prompt."""
    words = first.split()
    user = next((word for word in words if "@" in word or "\u327f" in word), "")
    if user:
        return user.partition(":")[0]
    return f"~ {next((word for word in words if _CHANGES.match(word) is None), '')}".rstrip()


def _is_first_row(lines: Sequence[Line], number: int) -> bool:
    first = lines[number].text
    begins = _FIRST_ROW.search(first) and _WITH_COMMAND.search(first) is None
    return bool(begins and _MARK.match(lines[number + 1].text))


def _further(lines: Sequence[Line], start: int) -> list[str]:
    found = list[str]()
    for line in lines[start : start + _MOST]:
        if not line.text.startswith(_MORE) and line.text != _MORE.strip():
            break
        found.append(line.text[len(_MORE) :].strip())
    return found
