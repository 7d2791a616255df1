"""Modes of ``qos roce`` of NVUE whose classes are not taken. What lossless mode sets: ``profiles`` of
``templates/switch/cumulus-nvue/readback.yaml``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from netplan.diagnostics import Source
from netplan.importing.facts import Remark

_ROCE = re.compile(
    r"^(?:[ \t]*\"?roce\"?:[ ]*\{?[ \t]*\n((?:[ \t]+\"?[a-z-]+\"?: *[\"']?[\w-]+[\"']?,?[ \t]*\n){1,6})"
    r"|nv set qos roce(?: ([^\n]*))?$)",
    re.M,
)
_OFF = re.compile(r"\b(?:state|enable)\"?:? *[\"']?(?:disabled|off)\b")
_MODE = re.compile(r"\bmode\"?:? *[\"']?([a-z][a-z-]*)")


def other_modes(text: str, at: Callable[[int], Source]) -> Iterator[Remark]:
    found = [*_ROCE.finditer(text)]
    said = " ".join((one[1] or one[2] or "") for one in found)
    if not found or _OFF.search(said):
        return
    modes = [mode[1] for mode in _MODE.finditer(said)]
    if modes and modes[-1] != "lossless":
        why = "the classes of this mode are not taken; state fabric.qos"
        yield Remark(
            at(found[0].start()), f"qos roce mode {modes[-1]}: {why}", alike=f"qos roce mode {modes[-1]}"
        )
