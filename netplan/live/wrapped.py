"""What stands around outputs that came through an API of a switch, or through Ansible.

Shapes: EOS eAPI, ``{"jsonrpc": ..., "result": [...]}``: aristanetworks/anta 68667e0e asynceapi/device.py
(jsonrpc_exec: one object for each command). NX-API, JSON-RPC, ``{"jsonrpc": ..., "result": {"body": ...}}``
or a list of them: napalm-automation/napalm ee70e634 napalm/nxapi_plumbing/api_client.py; ``ins_api``, with
``outputs.output`` one object or a list, each with ``input`` and ``body``: CiscoDevNet/netprog_basics
network_device_apis/nxapi/example1.py. Ansible, ``stdout`` with one value for each command: docs of
arista.eos.eos_command and cisco.nxos.nxos_command, Return Values; of ansible.builtin.debug, ``"out.stdout"``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from netplan.live.objects import text
from netplan.records import dataclass

_LEADS = ("ins_api", "outputs", "output", "result", "results", "stdout", "body")
"""Keys that lead to outputs."""
_API = frozenset(
    {"jsonrpc", "id", "input", "command", "cmd", "msg", "code", "type", "version", "sid", "encoding"}
)
_ANSIBLE = frozenset(
    {"changed", "failed", "invocation", "warnings", "deprecations", "ansible_facts", "stdout_lines", "item"}
    | {"ansible_loop_var", "rc", "start", "end", "delta", "stderr", "stderr_lines"}
)
"""Keys that stand beside those."""

_STDOUT = re.compile(r"\w{1,80}\.stdout(?:_lines|\[[0-9]{1,3}\])?")


@dataclass(frozen=True, slots=True)
class Output:
    """``command``: that the wrapper says it is of; empty if it does not."""

    data: Any
    command: str = ""


def answers(data: Any, command: str = "") -> Iterator[Output]:
    """The outputs in it, each as the switch prints it; of anything else the whole."""
    if isinstance(data, list) and any(map(_lead, data)):
        for one in data:
            yield from answers(one, command)
    elif lead := _lead(data):
        command = next((said for key in ("input", "command", "cmd") if (said := text(data, key))), command)
        inner = data[lead]
        for one in inner if isinstance(inner, list) else [inner]:
            yield from answers(one, command)
    else:
        yield Output(data, command)


def _lead(data: Any) -> str:
    if not isinstance(data, dict):
        return ""
    leads = [key for key in _LEADS if key in data] or [key for key in data if _is_shown(key, data[key])]
    return leads[0] if leads and data.keys() <= _API | _ANSIBLE | {leads[0]} else ""


def _is_shown(key: str, value: Any) -> bool:
    """Of a variable that Ansible's debug shows: outputs, or what a module returned."""
    returned = isinstance(value, dict) and {"changed", "stdout"} <= value.keys()
    return returned or _STDOUT.fullmatch(key) is not None or (key == "msg" and not isinstance(value, str))
