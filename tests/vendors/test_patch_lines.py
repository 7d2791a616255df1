"""The line of a JSON patch that a message names: that of the operation, for the port and queue meant."""

from __future__ import annotations

import pytest

from netplan.reading.switches import read_switch

PATCH = """\
[
  {"op": "remove", "path": "/BUFFER_QUEUE/Ethernet0|3-4"},
  {"op": "add", "path": "/BUFFER_QUEUE/Ethernet0|3", "value": {"profile": "egress_lossless_profile"}},
  {"op": "add", "path": "/BUFFER_QUEUE/Ethernet0|4", "value": {"profile": "q_lossy_profile"}},
  {
    "op": "add",
    "path": "/BUFFER_QUEUE/Ethernet4|3-4",
    "value": {"profile": "q_lossy_profile"}
  },
  {"op": "add", "path": "/PORT_QOS_MAP/Ethernet0/pfc_enable", "value": "3"}
]
"""


@pytest.mark.parametrize(
    ("fact", "port", "number", "line"),
    [
        ("queue-buffer", "Ethernet0", 3, 3),
        ("queue-lossy", "Ethernet0", 4, 4),
        ("queue-lossy", "Ethernet0", 3, None),
        ("queue-lossy", "Ethernet4", 3, 5),
        ("queue-lossy", "Ethernet4", None, 5),
        ("pfc-again", "Ethernet0", None, 10),
        ("pfc-again", "Ethernet4", None, None),
    ],
)
def test_a_patch_states_a_row_in_the_line_of_its_operation(
    fact: str, port: str, number: int | None, line: int | None
) -> None:
    switch = read_switch("leaf-1", "sonic", {"buffers.patch.json": PATCH})
    assert switch.line(PATCH, fact, port, number) == line


@pytest.mark.parametrize(
    "text", ["[", "[1]", '[{"op": "add"}]', '[{"op": "add", "path": 1}]', "[]", '[{"op"']
)
def test_a_patch_that_cannot_be_read_has_no_lines(text: str) -> None:
    switch = read_switch("leaf-1", "sonic", {"buffers.patch.json": PATCH})
    assert switch.line(text, "queue-buffer", "Ethernet0", 3) is None
