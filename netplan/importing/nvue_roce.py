"""What ``qos roce`` of NVUE sets without a line of its own for each class.

Lossless mode: DSCP / 8 is the switch priority, priorities 3 and 6 have traffic classes 3 and 6, all others
class 0; class 6 is strict, 3 and 0 share the rest; ECN from 150,000 to 1,500,000 bytes with probability 100;
PFC on priority 3 (CumulusNetworks/docs 05e49539 RDMA-over-Converged-Ethernet-RoCE.md). A group of settings
that the configuration states itself is read from there.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping

from netplan.diagnostics import Source
from netplan.importing.facts import Fact, Remark, Value

_ROCE = re.compile(
    r"^(?:[ \t]*\"?roce\"?:[ ]*\{?[ \t]*\n((?:[ \t]+\"?[a-z-]+\"?: *[\"']?[\w-]+[\"']?,?[ \t]*\n){1,6})"
    r"|nv set qos roce(?: ([^\n]*))?$)",
    re.M,
)
_OFF = re.compile(r"\b(?:state|enable)\"?:? *[\"']?(?:disabled|off)\b")
_MODE = re.compile(r"\bmode\"?:? *[\"']?([a-z][a-z-]*)")
_OWN = r"^(?:[ \t]*\"?{0}\"?:|nv set qos {0} )"
Group = tuple[tuple[str, str, Value], ...]
"""Class, field and value."""
_DSCP: Group = tuple((str(n), "dscp", tuple(map(str, range(8 * n, 8 * n + 8)))) for n in (3, 6))
SETTINGS: Mapping[str, Group] = {
    "mapping": _DSCP,
    "egress-scheduler": (("6", "scheduling", "strict"), ("3", "weight", 50), ("0", "weight", 50)),
    "congestion-control": (
        ("3", "kmin_bytes", 150_000),
        ("3", "kmax_bytes", 1_500_000),
        ("3", "probability_percent", 100),
    ),
    "pfc": (("3", "lossless", True),),
}
"""Key of the configuration -> what is set where the key is not there. ``egress-queue-mapping`` goes with
``mapping``."""


def profile_classes(text: str, at: Callable[[int], Source]) -> Iterator[Fact | Remark]:
    found = [*_ROCE.finditer(text)]
    said = " ".join((one[1] or one[2] or "") for one in found)
    if not found or _OFF.search(said):
        return
    modes = [mode[1] for mode in _MODE.finditer(said)]
    where = at(found[0].start())
    if modes and modes[-1] != "lossless":
        why = "the classes of this mode are not taken; state fabric.qos"
        yield Remark(where, f"qos roce mode {modes[-1]}: {why}", alike=f"qos roce mode {modes[-1]}")
        return
    for number, field, value in _unstated(text):
        yield Fact("class", (number,), field, value, where)


def _unstated(text: str) -> Iterator[tuple[str, str, Value]]:
    for key, group in SETTINGS.items():
        own = (key, "egress-queue-mapping") if key == "mapping" else (key,)
        if not any(re.search(_OWN.format(each), text, re.M) for each in own):
            yield from group
