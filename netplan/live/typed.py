"""Lines that end in a command whose output is read, whatever stands before it: a prompt of any form, or
another command that runs it elsewhere.

Prompts of two lines: Kali Linux, oh-my-zsh (theme bira) and starship; with more than the name: EOS User
Manual (prompt %H.%D{%T}%P), NX-OS (routing-context), zsh and csh: unconfirmed at their sources.
"""

from __future__ import annotations

import re

from netplan.live.commands import own
from netplan.live.interrupted import stands_out
from netplan.live.prompts import Prompt
from netplan.live.titles import WORD, may_be_machine

_ENDS = re.compile(r"[$#%>\u276f\u279c\u03bb\u00bb\u25b6\u26a1\u2717] *")
_READ = (
    r"(?:\S{0,40}/)?(?:ip(?: -\S+)+ [al]\w*(?: .*)?|(?:rdma|devlink) -\S+ \S.*|lshw -\S+|lspci -.*"
    r"|(?:mlx|mst)config .*|nvidia-smi topo -m|lldpctl\b.*|lldpcli .*|bridge (?:-\S+ )*vlan\b.*"
    r"|show? \S.*|sh \S.*|nv show .*|vtysh .*|sysctl net\..*|ecnconfig -l|pfcwd (?:show|config|stats)\b.*)"
)
_READS = re.compile(
    r"\b(?:ip|rdma|devlink|lshw|lspci|...config|topo|lldp...|bridge|show?|sh|vtysh|sysctl|ecnconfig|pfcwd)\b"
)
"""A word of each of them."""
_TYPED = re.compile(rf"(?P<around>(?:\S+ +){{0,15}}?)['\"]?{_READ}")
_PATH = re.compile(r"[~/]\S* +")
_RUNS = re.compile(
    r"(?:sudo +)?(?:ssh|sshpass|srun|pdsh|clush|pssh|parallel-ssh|ansible|salt|kubectl|oc|docker|podman"
    r"|nerdctl|crictl|lxc|incus|gcloud|virsh|machinectl) "
)
"""Commands that run another one elsewhere: they need no prompt before them."""
_USER = re.compile(r"[A-Za-z0-9._-]{1,64}[@\u327f]")
_JSON = re.compile(r"[\"{}|]|\[(?![A-Za-z0-9])")
_FIRST = re.compile(r"^\s*[\u250c\u256d\u250f]|[@\u327f]|[~/]\S*\s*$| in [~/]")
"""Of a line that is the first one of a prompt: it has a frame, a user or a path."""
_NOT_NAMED = re.compile(rf"^\s*\([^)]*\)|{_USER.pattern}|[~/]\S*|\[[0-9:.TZ-]+\]")
_LONGEST = 300
_SHORT = 100


def typed(line: str, above: str, known: frozenset[str]) -> Prompt | None:
    """``above``: the line above it, which has the name of a prompt of two lines. Nothing of a command of the
    machine that speaks already, behind a prompt without a name."""
    text = line.strip()
    if len(text) > _LONGEST or _JSON.match(text) or _READS.search(text) is None:
        return None
    ends = reversed([0, *(found.end() for found in _ENDS.finditer(text))])
    return next(filter(None, (_typed_at(text, end, above, known) for end in ends)), None)


def _typed_at(text: str, end: int, above: str, known: frozenset[str]) -> Prompt | None:
    """``end``: of what may be a prompt."""
    command = text[end:]
    found = _TYPED.fullmatch(command) or _TYPED.fullmatch(command := _PATH.sub("", command, count=1))
    if found is None:
        return None
    runs = _RUNS.match(command)
    if not (end or runs):
        return None
    own_line = WORD.search(text[:end]) is not None
    prompt = text[:end] if own_line else _prompt(above)
    name = _name(prompt, known) or ("" if runs else _name(found["around"], known))
    if not name and (own_line or _FIRST.search(prompt)):
        name = _word(prompt)
    return Prompt(name, command) if name or runs else None


def is_read(command: str) -> bool:
    """Whether it runs a program of hosts whose output is read."""
    return _TYPED.fullmatch(command) is not None


def _prompt(above: str) -> str:
    """A line that may be the first one of a prompt: no row of a table, no JSON."""
    text = above.strip()
    return text if len(text) <= _SHORT and "  " not in text and not _JSON.match(text) else ""


def _word(prompt: str) -> str:
    """One that may be the name of a machine though it has no digit: no environment, user, path or time."""
    words = WORD.findall(_NOT_NAMED.sub(" ", prompt))
    return next((word for word in words if stands_out(word)), "")


def _name(prompt: str, known: frozenset[str]) -> str:
    """The machine of the inventory in it, else a word that may be the name of another one."""
    words = WORD.findall(_USER.sub(" ", prompt))
    mine = next((word for word in words if own(word, known)), "")
    return mine or next(filter(may_be_machine, words), "")
