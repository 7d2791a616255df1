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
from netplan.live.noise import UNAME, is_noise
from netplan.reading.tables import Line

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
_SECOND_ROW = re.compile(r"(?:[\u2570\u2514][\u2500-]{0,3})?[$#%>\u276f\u279c\u03bb\u00bb](?: .*)?")
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
        elif not is_noise(line.text):
            first = inside = False
        yield line


def in_one_line(lines: Sequence[Line]) -> Iterator[Line]:
    """``ssh leaf-1 <<EOF | tee FILE``, ``> show vlan brief`` and ``> EOF`` as one command; so lines behind
    ``\\``."""
    at = 0
    while at < len(lines):
        line = lines[at]
        more = _further(lines, at + 1)
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
    """Prompts of two rows, as Git Bash and themes of zsh have them: the first one has a user or a folder, a
    blank line above it, and stands so above several."""
    firsts = [number for number in range(len(lines) - 1) if _is_first_row(lines, number)]
    count = Counter(lines[number].text for number in firsts)
    upper = {each for each in firsts if count[lines[each].text] > 1}
    for number, line in enumerate(lines):
        if number - 1 in upper:
            yield Line(f"{lines[number - 1].text.strip()} {line.text}", line.at)
        elif number not in upper:
            yield line


def _is_first_row(lines: Sequence[Line], number: int) -> bool:
    above = lines[number - 1].text if number else ""
    two = _SECOND_ROW.fullmatch(lines[number + 1].text) and _FIRST_ROW.search(lines[number].text)
    return two is not None and not above.strip()


def _further(lines: Sequence[Line], start: int) -> list[str]:
    found = list[str]()
    for line in lines[start : start + _MOST]:
        if not line.text.startswith(_MORE) and line.text != _MORE.strip():
            break
        found.append(line.text[len(_MORE) :].strip())
    return found
