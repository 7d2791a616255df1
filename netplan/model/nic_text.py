"""What a NIC QoS script sets, read back from its text: for whoever judges rendered files.

One row of patterns per tool; a script of another form is not judged.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

NIC_SCRIPT = re.compile(r"hosts/[^/]+/rdma-nic-qos[a-z0-9-]*\.sh\Z")
"""Path of a NIC QoS script in a rendered tree."""

_MLNX_PFC = re.compile(r"--pfc ([01](?:,[01]){7})\b")
_MLNX_DSCP = re.compile(r"--dscp2prio set,(\d+),([0-7])\b")
_MLNX_TRUST = re.compile(r"--trust=(\w+)")
_DCB_PFC = re.compile(r"\bdcb pfc set dev \S+ prio-pfc all:off((?: [0-7]:on)*)")
_DCB_DSCP = re.compile(r"\bdcb app add dev \S+ dscp-prio (\d+):([0-7])\b")
_NICCTL_TRUST = re.compile(r"^nicctl update qos --classification-type (\w+)", re.MULTILINE)
_NICCTL_DSCP = re.compile(
    r"^nicctl update qos dscp-to-priority --dscp (\d+) --priority ([0-7])\b", re.MULTILINE
)
_NICCTL_PFC = re.compile(r"^nicctl update qos pfc --priority ([0-7]) --no-drop enable", re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class NicText:
    """``priorities``: DSCP -> priority, those it names; every other is priority 0. ``pfc``: lossless ones."""

    trust: str | None
    priorities: dict[int, int]
    pfc: frozenset[int]


def read_nic_script(text: str) -> NicText | None:
    """None for a script whose tool nobody here can read."""
    return next(
        (reader(text) for tool, reader in _READERS.items() if re.search(tool, text, re.MULTILINE)), None
    )


def _pairs(pattern: re.Pattern[str], text: str) -> dict[int, int]:
    return {int(dscp): int(priority) for dscp, priority in pattern.findall(text)}


def _mlnx_qos(text: str) -> NicText:
    pfc, trust = _MLNX_PFC.search(text), _MLNX_TRUST.search(text)
    bits = pfc[1].split(",") if pfc else []
    on = frozenset(p for p, bit in enumerate(bits) if bit == "1")
    return NicText(trust=trust[1] if trust else None, priorities=_pairs(_MLNX_DSCP, text), pfc=on)


def _dcb(text: str) -> NicText:
    """An entry for a code point is what makes the port trust them."""
    pfc, pairs = _DCB_PFC.search(text), _pairs(_DCB_DSCP, text)
    on = frozenset(int(part[0]) for part in pfc[1].split()) if pfc else frozenset()
    return NicText(trust="dscp" if pairs else None, priorities=pairs, pfc=on)


def _nicctl(text: str) -> NicText:
    """The last of several classifications holds."""
    types, on = _NICCTL_TRUST.findall(text), frozenset(int(p) for p in _NICCTL_PFC.findall(text))
    return NicText(trust=types[-1] if types else None, priorities=_pairs(_NICCTL_DSCP, text), pfc=on)


_READERS: Mapping[str, Callable[[str], NicText]] = {
    r"^ *mlnx_qos -i ": _mlnx_qos,
    r"^ *dcb (ets|pfc|app) ": _dcb,
    r"^ *nicctl update qos ": _nicctl,
}
"""By a line of the tool."""
