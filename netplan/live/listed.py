"""A list of outputs without anything around them, as ``{{ out.stdout | to_nice_json }}`` of Ansible's
modules ``*_command`` writes it: one for each command (docs of arista.eos.eos_command and
cisco.nxos.nxos_command, Return Values).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from netplan.live.model import Reading, Unsure, Whole
from netplan.live.objects import Found

_MOST = 100


def entries(data: Any) -> Sequence[Any]:
    """Of a list of objects and lists; empty for anything else."""
    found = data if isinstance(data, list) and len(data) <= _MOST else []
    return found if all(isinstance(each, (dict, list)) and each for each in found) else []


def are_different(outputs: Iterable[Found]) -> bool:
    """Whether each says something, and no two are the same output, as those of two machines are. Summaries of
    IPv4 and IPv6 are of one machine if they have one router ID."""
    told, router = set[str](), set[str]()
    for output in outputs:
        shown = _shown(output)
        local = (one for one in shown if isinstance(one, Reading) and one.subject == "local")
        own = {f"{one.field} {one.found}" for one in local}
        kinds = {str(one.kind) for one in shown}
        again = kinds & told
        one_router = again == {"bgp"} and own and own == router
        if not kinds or (again and not one_router):
            return False
        told |= kinds
        router = router or own
    return True


def _shown(output: Found) -> list[Reading | Whole]:
    said = (one for each in output for one in (each.found if isinstance(each, Unsure) else (each,)))
    return [one for one in said if isinstance(one, (Reading, Whole))]
