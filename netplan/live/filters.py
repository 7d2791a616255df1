"""Filters behind a pipe: whether one prints no more than what is piped into it. One that has more words than
options, and its one pattern or program, reads a file; one with an option that is not known may.

Options: POSIX and the manuals of GNU coreutils, grep, sed, gawk, and of util-linux column, jq, tar; words of
NX-OS behind ``grep``: its command reference.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from netplan.live.commands import takes_next
from netplan.live.programs import word_set
from netplan.records import dataclass

_OF_CLI = word_set(
    "json json-pretty display no-more nomore include exclude begin section match except find last count nz"
    " compare refresh trim save append redirect xml"
)
"""Filters of EOS, NX-OS and Junos, which may be shortened."""
_EDITORS = frozenset({"ex", "red"})
"""Programs of a shell that are called as short forms of those."""
_LONG = word_set(
    "ignore-case invert-match line-number count color colour extended-regexp fixed-strings perl-regexp"
    " word-regexp line-regexp only-matching no-filename quiet silent line-buffered max-count context"
    " before-context after-context regexp-extended unbuffered raw-output compact-output sort-keys tab indent"
    " monochrome-output color-output exit-status numeric-sort reverse unique version-sort table separator"
    " delimiter output-delimiter fields characters only-delimited complement lines bytes wrap stdout"
    " decompress width spaces chop-long-lines quit-if-one-screen no-init append output-format prettyPrint"
)
"""Long options that read nothing and are no pattern."""
_WITH_WORDS = {"--arg": 2, "--argjson": 2, "--indent": 1}
"""Of jq: words behind the option."""
_MOST = 2000


@dataclass(frozen=True, slots=True)
class _Form:
    """``letters``: of options that take the next word; ``pattern``: of those that are a pattern or program;
    ``reads``: of those that read a file, or run one. ``words``: of the command that are no file."""

    letters: str = ""
    words: int = 0
    pattern: str = ""
    reads: str = ""


_GREP = _Form("efABCm", 1, "ef", "rRd")
_FORMS: Mapping[str, _Form] = {
    "grep": _GREP,
    "egrep": _GREP,
    "fgrep": _GREP,
    "sed": _Form("el", 1, "e", "f"),
    "awk": _Form("Fve", 1, "e", "fiElLDdoW"),
    "jq": _Form(words=1, reads="fL"),
    "yq": _Form("oI", 1, reads="fL"),
    "head": _Form("nc"),
    "tail": _Form("nc"),
    "sort": _Form("ktST"),
    "uniq": _Form("fsw"),
    "cut": _Form("bcdf"),
    "column": _Form("cs"),
    "fold": _Form("w"),
    "fmt": _Form("w"),
    "nl": _Form("bdfhilnsvw"),
    "base64": _Form("w"),
    **dict.fromkeys(
        ("cat", "more", "less", "wc", "tac", "gzip", "xz", "col", "dos2unix", "ansi2txt"), _Form()
    ),
    **dict.fromkeys(("tee", "tr", "Tee-Object", "Out-File", "Out-String"), _Form(words=_MOST)),
}
"""``tee`` writes its files; so do those of PowerShell."""
FILTERS = frozenset({*_FORMS, "tar"})
_TAR = re.compile(r"-?[a-bd-zA-Z]*f -|-?[a-bd-eg-zA-Z]+")
_KEYWORD = re.compile(
    r"(?:count|ignore-case|invert-match|line-exp|line-number|word-exp|(?:next|prev) [0-9]+) "
)
_LINES = re.compile(r"(?:head|last|tail) lines [0-9]+|wc lines")
"""Of NX-OS."""
_PLACE = r"(?:[0-9]+|\$|/(?:[^/\\]|\\.)*/I?)"
_OF_SED = re.compile(
    rf"[;\s]*(?:{_PLACE}(?:,[+~]?{_PLACE})? ?!?)? ?"
    r"(?:[pdqPDG=]|s(?P<mark>[/|#,:@!%])(?:(?!(?P=mark))[^\\]|\\.)*(?P=mark)(?:(?!(?P=mark))[^\\]|\\.)*"
    r"(?P=mark)[gpIi0-9]*)[;\s]*(?:(?<=[;\s])|\Z)",
    re.DOTALL,
)
_AWK_READS = re.compile(r"getline|system|@|\bARG[VC]\b|print[^;}\n]*\|")
_JQ_READS, _YQ = re.compile(r"\s*(?:import|include)\b"), re.compile(r"\.(?!.*\bload).*", re.DOTALL)


def is_filter(words: Sequence[str]) -> bool:
    """Whether it prints no more than what is piped into it."""
    name = words[0].rpartition("/")[2]
    if name in ("python", "python3"):
        return list(words[1:]) == ["-m", "json.tool"]
    if name == "tar":
        return _TAR.fullmatch(" ".join(words[1:])) is not None
    if (form := _FORMS.get(name)) is not None:
        own = _own(words[1:], form)
        return _LINES.fullmatch(" ".join(words)) is not None or (own is not None and _prints(name, own))
    runs = name in _EDITORS or any(word.startswith("-") for word in words[1:] if name == "find")
    return not runs and any(each.startswith(name.lower()) for each in _OF_CLI)


def _own(words: Sequence[str], form: _Form) -> list[str] | None:
    """Its patterns or programs; None where a word of it may be a file."""
    said, plain, at = list[str](), list[str](), 0
    if form is _GREP:
        words = _without_keywords(words)
    while at < len(words):
        word = words[at]
        at += 1
        if word == "--":
            plain += words[at:]
            break
        if word == "-" or not word.startswith("-"):
            plain += [word] if word != "-" or form.words else []
            continue
        option = _option(word, words[at : at + 1], form)
        if option is None:
            return None
        said += option[0]
        at += option[1]
    return None if len(plain) > (0 if said else form.words) else said + plain


def _option(word: str, behind: Sequence[str], form: _Form) -> tuple[Sequence[str], int] | None:
    """Its pattern or program, if it is one, and how many words behind it are its own; None where it may read
    a file."""
    if word.startswith("--"):
        known = word[2:].partition("=")[0] in _LONG or word in _WITH_WORDS
        return ((), _WITH_WORDS.get(word, 0)) if known else None
    letters = word[1:]
    first = next((letter for letter in letters if letter in form.letters + form.reads), " ")
    if first in form.reads:
        return None
    takes = takes_next(letters, form.letters)
    own = behind if takes else [letters.partition(first)[2]]
    return own if first in form.pattern else (), int(takes)


def _without_keywords(words: Sequence[str]) -> Sequence[str]:
    at = 0
    while at < len(words) and (found := _KEYWORD.match(" ".join([*words[at : at + 2], ""]))):
        at += found[0].count(" ")
    return words[at:]


def _prints(name: str, programs: Sequence[str]) -> bool:
    """Whether its programs read and run nothing."""
    for program in programs:
        if len(program) > _MOST:
            return False
        if name == "sed" and not _is_sed(program):
            return False
        if name == "awk" and _AWK_READS.search(program):
            return False
        if (name == "jq" and _JQ_READS.match(program)) or (name == "yq" and not _YQ.fullmatch(program)):
            return False
    return True


def _is_sed(program: str) -> bool:
    """Of commands that print, delete and replace alone."""
    at = 0
    while at < len(program):
        found = _OF_SED.match(program, at)
        if found is None or found.end() == at:
            return False
        at = found.end()
    return True
