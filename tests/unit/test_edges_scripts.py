"""Edge cases, one fact per case: the script of a pod, what it sets up, and lines that are not read."""

from __future__ import annotations

from ipaddress import ip_address, ip_network
from typing import Any

import pytest

from netplan.trace.linux import Namespace, Owned
from netplan.trace.shell import ScriptError, changes_routes, run_script, unread
from netplan.trace.wiring import _beside as beside
from netplan.trace.wiring import _script as script_faults
from tests.unit.test_edges_pods_trace import FILE, workload

SCRIPT = "set -eu\nip -4 route replace default via 10.0.0.1 dev net1 table 7\n"


ADMIN = {"securityContext": {"runAsUser": 0, "capabilities": {"add": ["NET_ADMIN"]}}}


@pytest.mark.parametrize(
    ("change", "wanted"),
    [
        ({}, None),
        ({"command": ["bash", "-c", SCRIPT]}, None),
        ({"command": ["python", "-c", SCRIPT]}, f"{FILE}:18: python -c is not sh -c"),
        ({"command": ["sh", "-e", SCRIPT]}, "sh -e is not sh -c"),
        ({"securityContext": {"runAsUser": 0}}, "has no NET_ADMIN"),
        ({"securityContext": {"runAsUser": 0, "privileged": True}}, None),
        ({"securityContext": {"capabilities": {"add": ["NET_ADMIN"]}}}, "is not told to run as user 0"),
        ({"securityContext": {"runAsUser": 1, "privileged": True}}, "is not told to run as user 0"),
        ({"command": ["sh", "-c", SCRIPT + "ip link set net1 down\n"]}, "is not read: ip link set net1 down"),
    ],
)
def test_a_script_is_run_with_its_rights(change: dict[str, Any], wanted: str | None) -> None:
    found = list(script_faults(workload(init={"command": ["sh", "-c", SCRIPT], **ADMIN, **change})))
    assert len(found) == (wanted is not None), found
    assert all(str(wanted).partition("18")[2] in each.text or str(wanted) in each.text for each in found), (
        found
    )


def test_a_script_stands_beside_the_pod_as_the_pod_runs_it() -> None:
    path = "pods/job/rail-routes.sh"
    runs = workload(init={"command": ["sh", "-c", SCRIPT]})
    assert list(beside(runs, {})) == []
    assert list(beside(runs, {path: SCRIPT})) == []
    (text,) = (each.text for each in beside(runs, {path: SCRIPT.replace("10.0.0.1", "10.0.0.2")}))
    assert text.endswith("runs another script than pods/job/rail-routes.sh, from line 2 on")
    (text,) = (each.text for each in beside(workload(), {path: SCRIPT}))
    assert text == f"no init container of {FILE} runs {path}"


def test_a_text_of_several_lines_that_changes_routes_is_a_script() -> None:
    assert changes_routes(SCRIPT)
    assert not changes_routes(SCRIPT.splitlines()[1])
    assert not changes_routes("set -eu\nip route show\n")


@pytest.mark.parametrize(
    ("line", "known"),
    [
        ("ip -4 route replace default dev net1", True),
        ("ip -4 route del default dev net1", True),
        ("ip -4 rule add from 10.0.0.1 lookup 7 pref 9", True),
        ("ip -4 rule flush", False),
        ("ip -4 route add default dev net1", False),
        ("ip -4 route show", True),
        ("ip neigh show", True),
        ("ip link set net1 up", False),
        ("echo x > /proc/sys/y", True),
        ("a=1 b=2", True),
        ("a=1 run", False),
        ("[ x = y ] || fail z", True),
        ("[ x = y ] || exit 1", False),
        ("fail", True),
        ("done", True),
        ("for x; do", True),
        ("while read -r x; do", True),
        ("own=$(address 4 net1)", True),
        ('set -- $(link "$own" first)', True),
        ("echo 'x", False),
        ("| cat", False),
    ],
)
def test_a_line_of_a_script_is_known_or_not_read(line: str, known: bool) -> None:
    text = f"fail() {{\n  exit 1\n}}\n{line}\n"
    assert list(unread(text)) == ([] if known else [(4, line)])


def space_of(own: str = "10.0.0.4/24") -> Namespace:
    space = Namespace()
    ip, _, length = own.partition("/")
    prefix = ip_network(f"{ip}/{length}", strict=False)
    space.addresses["net1"] = (Owned(ip=ip_address(ip), prefix=prefix, gateway=None),)
    return space


LINKED = """\
own=$(address 4 net1)
set -- $(link "$own" {end})
ip -4 route replace default via $2 dev net1 table 7 metric 5
ip -4 route replace unreachable $1 table 8
ip -4 rule add from 10.0.0.4 lookup 7 pref 100
"""


@pytest.mark.parametrize(
    ("own", "end", "via"),
    [
        ("10.0.0.4/24", "first", "10.0.0.1"),
        ("10.0.0.4/24", "last", "10.0.0.254"),
        ("10.0.0.5/31", "first", "10.0.0.4"),
        ("10.0.0.5/31", "last", "10.0.0.4"),
        ("10.0.0.5/30", "last", "10.0.0.6"),
    ],
)
def test_a_script_works_out_the_far_end_of_a_link(own: str, end: str, via: str) -> None:
    space = space_of(own)
    run_script(LINKED.format(end=end), space)
    (route,) = space.table(7)
    assert (str(route.via), route.dev, route.metric) == (via, "net1", 5)
    (none,) = space.table(8)
    assert (str(none.dst), none.dev) == (str(ip_network(own, strict=False)), None)
    assert [(str(rule.source), rule.table, rule.priority) for rule in space.rules] == [
        ("10.0.0.4/32", 7, 100)
    ]


def test_a_script_deletes_and_flushes_what_it_names() -> None:
    space = space_of()
    run_script(LINKED.format(end="first") + "ip -4 rule del pref 100\n", space)
    assert list(space.rules) == []
    run_script("ip -4 route del default via 10.0.0.2 dev net1 table 7\n", space)
    assert len(space.table(7)) == 1
    run_script("ip -4 route del default via 10.0.0.1 dev net1 table 7\n", space)
    assert len(space.table(7)) == 0
    run_script("ip -4 route flush table 8\n", space)
    assert len(space.table(8)) == 0
    with pytest.raises(ScriptError, match="net1 has no IPv6 address"):
        run_script("own=$(address 6 net1)\n", space)
    with pytest.raises(ScriptError, match="not understood: ip -4 route replace default via x dev net1"):
        run_script("ip -4 route replace default via x dev net1\n", space)


def test_a_function_runs_its_loop_over_what_shift_leaves() -> None:
    text = """\
install() {
  dev=$2
  shift 2
  for prefix; do
    ip -4 route replace $prefix dev $dev table 7
  done
}
show() {
  ip route show
}
install 4 net1 10.1.0.0/16 10.2.0.0/16
show $9
"""
    space = space_of()
    run_script(text, space)
    assert [str(route.dst) for route in space.table(7)] == ["10.2.0.0/16", "10.1.0.0/16"]


def ran(text: str, *addresses: str) -> Namespace:
    """Net1 has the addresses; the script has run."""
    space = Namespace()
    space.addresses["net1"] = tuple(
        Owned(ip=ip_address(each.partition("/")[0]), prefix=ip_network(each, strict=False))
        for each in addresses or ("10.0.0.4/24",)
    )
    run_script(text, space)
    return space


def routes(space: Namespace, table: int = 7) -> list[tuple[str, str | None, str | None, int]]:
    return [(str(r.dst), r.dev, None if r.via is None else str(r.via), r.metric) for r in space.table(table)]


INSTALL = """\
install() {
  dev=$2 table=$1
  shift 2
  for prefix; do
    # to each
    ip -4 route replace $prefix dev $dev table $table || fail "no route"

    ip -4 route replace unreachable $prefix table 8
  done
  ip -4 rule add from 10.0.0.4/32 lookup $table pref ${table}0
}
"""


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (INSTALL + "install 7 net1 10.1.0.0/16\n", [("10.1.0.0/16", "net1", None, 0)]),
        (INSTALL + "install 7 net1\n", []),
        (INSTALL + "install 9 net1 10.1.0.0/16\n", []),
        ("ip -4 route replace default dev net1 table 7$0\n", [("0.0.0.0/0", "net1", None, 0)]),
        ("ip -4 route replace default dev net1 table 7$1\n", [("0.0.0.0/0", "net1", None, 0)]),
        ("ip -6 route replace default dev net1 table 7\n", [("::/0", "net1", None, 0)]),
        (
            "ip -4 route replace 10.1.0.9/16 via 10.0.0.1 dev net1 table 7 metric 3\n",
            [("10.1.0.0/16", "net1", "10.0.0.1", 3)],
        ),
        ("ip -4 route replace default dev net1 table 7 > /dev/null x\n", [("0.0.0.0/0", "net1", None, 0)]),
        ("ip -4 route replace default dev net1 table 7 2>/dev/null\n", [("0.0.0.0/0", "net1", None, 0)]),
        ("ip -4 route replace default dev net1 table 7 && x\n", [("0.0.0.0/0", "net1", None, 0)]),
        ("x=1 ip -4 route replace default dev net1 table 7\n", []),
        ("echo 'x\nip -4 route replace default dev net1 table 7\n", [("0.0.0.0/0", "net1", None, 0)]),
        ("ip -4 route show table 7\necho ip -4 route replace default dev net1 table 7\n", []),
    ],
)
def test_a_script_installs_routes(text: str, found: list[tuple[str, str | None, str | None, int]]) -> None:
    space = ran(text)
    assert routes(space) == found
    assert routes(ran("ip -4 route replace default dev net1\n"), 254) == [("0.0.0.0/0", "net1", None, 0)]
    assert routes(ran("ip -4 route replace default dev net1 table main\n"), 254) == [
        ("0.0.0.0/0", "net1", None, 0)
    ]


def test_what_follows_a_loop_is_run_too() -> None:
    space = ran(INSTALL + "install 7 net1 10.1.0.0/16 10.2.0.0/16\n")
    assert routes(space, 8) == [("10.2.0.0/16", None, None, 0), ("10.1.0.0/16", None, None, 0)]
    assert [(str(r.source), r.table, r.priority) for r in space.rules] == [("10.0.0.4/32", 7, 70)]


def test_the_address_is_the_first_of_its_family() -> None:
    text = 'own=$(address {} net1)\nset -- $(link "$own" last)\nip -4 route replace $1 dev net1 table 7\n'
    owned = ("fd00::4/64", "10.0.0.4/24", "10.9.0.4/24")
    assert routes(ran(text.format(4), *owned)) == [("10.0.0.0/24", "net1", None, 0)]
    assert routes(ran(text.format(6), *owned)) == [("fd00::/64", "net1", None, 0)]
    with pytest.raises(ScriptError, match="net1 has no IPv4 address"):
        ran(text.format(4), "fd00::4/64")


@pytest.mark.parametrize(
    ("command", "left"),
    [
        ("del 10.1.0.0/16 dev net1 table 7", ["10.2.0.0/16"]),
        ("del 10.1.0.0/16 dev net2 table 7", ["10.2.0.0/16", "10.1.0.0/16"]),
        ("del 10.2.0.0/16 dev net1 table 7", ["10.1.0.0/16"]),
        ("del unreachable 10.2.0.0/16 table 7", ["10.2.0.0/16", "10.1.0.0/16"]),
        ("flush table 7", []),
        ("flush table 9", ["10.2.0.0/16", "10.1.0.0/16"]),
        ("replace 10.1.0.0/16 dev net2 table 7", ["10.2.0.0/16", "10.1.0.0/16"]),
    ],
)
def test_a_script_takes_away_the_route_it_names(command: str, left: list[str]) -> None:
    made = "".join(f"ip -4 route replace 10.{n}.0.0/16 dev net1 table 7\n" for n in (1, 2))
    assert [dst for dst, *_ in routes(ran(f"{made}ip -4 route {command}\n"))] == left


def test_a_rule_is_for_the_network_of_an_address() -> None:
    space = ran("ip -4 rule add from 10.0.0.4/24 lookup 7 pref 9\n")
    assert [(str(r.source), r.table, r.priority) for r in space.rules] == [("10.0.0.0/24", 7, 9)]


def test_rules_are_taken_away_until_none_is_left() -> None:
    made = "".join(f"ip -4 rule add from 10.0.0.{n} lookup 7 pref {n}\n" for n in (1, 2))
    assert [
        r.priority for r in ran(f"{made}while ip -4 rule del pref 1 2>/dev/null; do :; done\n").rules
    ] == [2]
    assert [r.priority for r in ran(f"{made}ip -4 rule del pref 3\n").rules] == [1, 2]


@pytest.mark.parametrize(
    "line",
    [
        "ip -4 route replace 10.1.0.0/16 table 7",
        "ip -4 route replace x dev net1",
        "ip -4 route replace default dev",
        "ip -4 route replace default dev net1 table",
        "ip -x route replace default dev net1",
        "ip -4 route replace default via x dev net1",
        "ip -4 route replace default via $gw dev net1",
        "ip -4 rule add from 10.0.0.4 lookup 7",
        "ip -4 rule del lookup 7",
        "ip -4 route flush",
    ],
)
def test_a_command_that_is_not_understood_is_named(line: str) -> None:
    with pytest.raises(ScriptError) as caught:
        ran(f"{line}\n")
    assert str(caught.value) == f"not understood: {line}"


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("run $dev", [(3, "run $dev")]),
        ("dev=$1", []),
        ("ip -4 route show", []),
        ("fail x", [(3, "fail x")]),
        ("# run", []),
    ],
)
def test_of_a_function_that_changes_routes_every_line_is_read(line: str, found: list[Any]) -> None:
    changing = f"install() {{\n  ip -4 route replace default dev net1\n  {line}\n}}\n"
    assert list(unread(changing)) == found
    assert list(unread(changing.replace("ip -4 route replace default dev net1", "ip route show"))) == []
    assert list(unread(f"{changing}set -eu\ninstall a\nrun\n")) == [(7, "run"), *found]
