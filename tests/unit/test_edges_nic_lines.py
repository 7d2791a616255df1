"""Edge cases, one fact per case: lines of the NIC script that differ from what netplan writes."""

from __future__ import annotations

import re

import pytest

from netplan.reading.nic_scripts import _Line, _odd, rows_of_functions

FAIL = ['echo "rdma-nic-qos: $*" >&2', "exit 1"]
KNOWN = (
    _Line(re.compile("set -eu"), "once"),
    _Line(re.compile(r"apply \w+"), "any"),
    _Line(re.compile(r"trust \w+"), "trust"),
    _Line(re.compile("trusted"), "trust"),
)


def script(*lines: str) -> str:
    return "\n".join(["#!/bin/sh", "set -eu", *lines, ""])


def function(*body: str, name: str = "fail") -> list[str]:
    return [f"{name}() {{", *(f"    {line}" for line in body), "}"]


@pytest.mark.parametrize(
    ("body", "line"),
    [
        (FAIL, None),
        ([FAIL[0].replace("qos:", "qos-bnxt:"), FAIL[1]], None),
        (["echo x", FAIL[1]], 4),
        ([FAIL[0], "exit 2"], 5),
        ([*FAIL, "echo x"], 6),
        ([*FAIL, "echo x", "echo y"], 6),
        ([FAIL[0]], 4),
        ([FAIL[0].replace(" >", " \\\n>"), FAIL[1]], None),
        ([FAIL[0].replace(" >", " \\\n>"), "exit 2"], 6),
        ([], 0),
    ],
)
def test_a_function_of_the_script_is_as_it_was_written(body: list[str], line: int | None) -> None:
    found = list(_odd(KNOWN[:2], script(*function(*body))))
    assert found == ([] if line is None else [(line, "changes the function fail")])


@pytest.mark.parametrize(
    ("lines", "found"),
    [
        (["apply ens1", "apply ens2"], []),
        (["set -eu"], [(3, "is there twice: set -eu")]),
        (["echo x"], [(3, "is not read: echo x")]),
        (["# echo x", "", "echo \\", "  x \\"], [(5, "is not read: echo x")]),
        (["trust dscp"], [(0, "lacks a line like trusted")]),
        (["trusted"], [(0, "lacks a line like trust w+")]),
        (["trust dscp", "trusted"], []),
        (["trust dscp", "trust pcp", "trusted"], [(4, "is there twice: trust pcp")]),
        (['true || fail "x"'], [(3, 'is not read: true || fail "x"'), (0, "lacks the function fail")]),
        (["true || fail"], [(3, "is not read: true || fail")]),
        ([*function(*FAIL), 'true || fail "x"'], [(7, 'is not read: true || fail "x"')]),
        (function("apply ens1", "echo y", name="own"), [(5, "is not read: echo y")]),
    ],
)
def test_lines_of_the_script_are_those_of_its_driver(lines: list[str], found: list[tuple[int, str]]) -> None:
    assert list(_odd(KNOWN, script(*lines))) == found


@pytest.mark.parametrize(
    ("lines", "opened", "closed"),
    [
        (["if a; then", "fi"], 1, 1),
        (["if a; then", "if b; then", "fi"], 2, 1),
        (["  if a; then", "  fi", "fi"], 1, 2),
        (["if a", "fi"], 0, 1),
    ],
)
def test_blocks_of_a_script_end(lines: list[str], opened: int, closed: int) -> None:
    """A line that is cut in two would run what stands behind it under another condition."""
    told = [text for at, text in _odd(KNOWN[:1], script(*lines)) if not at]
    wanted = f"begins {opened} blocks like if .*; then and ends {closed}"
    assert told == [wanted] * (opened != closed)


def test_a_script_begins_with_its_shell_and_lacks_no_line() -> None:
    assert list(_odd(KNOWN[:1], "#!/bin/bash\nset -eu\n")) == [
        (1, "is not #!/bin/sh, which runs it: #!/bin/bash")
    ]
    assert list(_odd(KNOWN[:1], "#!/bin/sh\n")) == [(0, "lacks a line like set -eu")]
    long = f"#!/bin/{'x' * 90}"
    assert next(_odd((), long)) == (1, f"is not #!/bin/sh, which runs it: {long[:80]}")


def test_lines_outside_and_inside_of_functions() -> None:
    text = "a\n\n# b\nf() {\n  c \\\n  d\n}\ne \\"
    assert rows_of_functions(text) == {"": [(1, "a"), (8, "e")], "f": [(5, "c d")]}
