"""Edge cases, one fact per case: chains of pods as ``trace`` draws them: trees, a table, two side by side."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from netplan.graph.qos import Proof
from netplan.trace.chains.compare import Compared, Comparison, Pair
from netplan.trace.chains.draw import lines_of
from netplan.trace.chains.model import Chain, Chains, Doubt, Line, Meets, PodChain, Step

NOBODY: Any = None
MTU = Step(name="mtu", lines=(Line("9000 of macvlan", "n.yaml:9"),))
NO_MTU = Doubt(proof=Proof.OPEN, text="no file states it")
REFUSED = Doubt(
    proof=Proof.REFUTED, text="10 is above 9", place="n.yaml:3", code="NP312", hint="lower one of them"
)


def pod(name: str = "train", *chains: Chain, steps: tuple[Step, ...] = ()) -> PodChain:
    own = (Step(name="pod", lines=(Line("container main has 8 GPUs", f"{name}.yaml:7"),)), *steps)
    return PodChain(pod=NOBODY, name=name, place=f"{name}.yaml:1", steps=own, chains=chains)


def chain(interface: str, *steps: Step, place: str = "train.yaml:5") -> Chain:
    attached = Step(name="attachment", lines=(Line(f"rail as {interface}", place),))
    return Chain(interface=interface, network="a/rail", steps=(attached, *steps), meets=Meets())


def drawn(*pods: PodChain, unseen: tuple[str, ...] = (), **how: Any) -> list[str]:
    return list(lines_of(Chains(pods=pods, objects=1, unseen=unseen), pods, **how))


def test_a_pod_is_a_tree_of_its_steps_and_those_of_its_interfaces() -> None:
    """A step with neither lines nor doubts is left out; a line states its place where it has one."""
    environment = Step(name="environment", lines=(Line("NCCL_IB_TC=106"), Line("NCCL_DEBUG=INFO")))
    steps = (Step(name="claims"), environment)
    mtu = Step(name="mtu", lines=(Line("10 of macvlan"),), doubts=(REFUSED, NO_MTU))
    assert drawn(pod("train", chain("net1", mtu), steps=steps), unseen=("no site.json",)) == [
        "train (train.yaml:1): refuted",
        "  + pod          container main has 8 GPUs (train.yaml:7)",
        "  + environment  NCCL_IB_TC=106",
        "                 NCCL_DEBUG=INFO",
        "  net1",
        "    + attachment   rail as net1 (train.yaml:5)",
        "    X mtu          10 of macvlan",
        "                   refuted NP312: 10 is above 9 (n.yaml:3); lower one of them",
        "                   not proved: no file states it",
        "",
        "not seen: no site.json",
    ]


def test_a_step_without_a_line_that_is_in_doubt_is_drawn() -> None:
    doubted = Step(name="claims", doubts=(NO_MTU,))
    assert drawn(pod(steps=(doubted,)))[2:] == ["  ~ claims       not proved: no file states it", ""]


@pytest.mark.parametrize(
    ("second", "heads"),
    [
        (MTU, ["  net1, net2"]),
        (replace(MTU, lines=(Line("1500 of macvlan", "n.yaml:9"),)), ["  net1", "  net2"]),
        (replace(MTU, lines=(Line("9000 of macvlan", "n.yaml:10"),)), ["  net1", "  net2"]),
        (replace(MTU, doubts=(NO_MTU,)), ["  net1", "  net2"]),
    ],
)
def test_interfaces_that_differ_only_in_what_attaches_them_are_drawn_once(
    second: Step, heads: list[str]
) -> None:
    lines = drawn(pod("train", chain("net1", MTU), chain("net2", second, place="train.yaml:6")))
    assert [line for line in lines if line.startswith("  net")] == heads
    assert [line.strip() for line in lines if "rail as" in line] == [
        "+ attachment   rail as net1 (train.yaml:5)",
        ("" if len(heads) == 1 else "+ attachment   ") + "rail as net2 (train.yaml:6)",
    ]
    assert len([line for line in lines if " mtu " in line]) == len(heads)


@pytest.mark.parametrize(
    ("number", "same"),
    [
        (1, []),
        (2, ["  the same for b (b.yaml:1)"]),
        (4, ["  the same for b (b.yaml:1), c (c.yaml:1), d (d.yaml:1)"]),
        (5, ["  the same for b (b.yaml:1), c (c.yaml:1), d (d.yaml:1) and 1 more"]),
    ],
)
def test_pods_that_differ_only_in_where_they_stand_are_drawn_once(number: int, same: list[str]) -> None:
    pods = [pod(name, chain("net1", MTU, place=f"{name}.yaml:5")) for name in "abcde"[:number]]
    lines = drawn(*pods)
    assert [line for line in lines if "the same for" in line] == same
    assert lines[0] == "a (a.yaml:1): not proved"
    assert len([line for line in lines if line.endswith(": not proved")]) == 1


@pytest.mark.parametrize(
    "other",
    [
        pod("b", replace(chain("net1", MTU), interface="net2")),
        pod("b", chain("net1", replace(MTU, lines=(Line("9000 of macvlan", "m.yaml:9"),)))),
        pod("b", chain("net1", replace(MTU, doubts=(NO_MTU,)))),
        pod("b", chain("net1", MTU), steps=(Step(name="claims", lines=(Line("claim n: nics"),)),)),
    ],
)
def test_pods_that_differ_in_what_they_meet_are_drawn_each(other: PodChain) -> None:
    lines = drawn(pod("a", chain("net1", MTU)), other)
    assert [line for line in lines if line.endswith(": not proved")] == [
        "a (a.yaml:1): not proved",
        "b (b.yaml:1): not proved",
    ]
    assert lines.count("") == 2


def test_only_the_pods_that_are_asked_for_are_drawn() -> None:
    one, other = pod("a"), pod("b")
    chains = Chains(pods=(one, other), objects=2, unseen=())
    assert [line for line in lines_of(chains, [other]) if line.endswith("not proved")] == [
        "b (b.yaml:1): not proved"
    ]


@pytest.mark.parametrize(
    ("doubts", "said"),
    [
        ((1, 2, 3), ["~ mtu          not proved: port 1 is down (and 2 like it)"]),
        ((1, 2), ["~ mtu          not proved: port 1 is down (and 1 like it)"]),
        ((1,), ["~ mtu          not proved: port 1 is down"]),
    ],
)
def test_doubts_that_differ_in_numbers_are_said_once(doubts: tuple[int, ...], said: list[str]) -> None:
    step = Step(name="mtu", doubts=tuple(Doubt(proof=Proof.OPEN, text=f"port {n} is down") for n in doubts))
    assert [line.strip() for line in drawn(pod("a", chain("net1", step))) if "is down" in line] == said


def test_doubts_of_two_proofs_or_two_codes_are_said_each() -> None:
    plain = Doubt(proof=Proof.OPEN, text="port 1 is down")
    step = Step(name="mtu", doubts=(plain, replace(plain, proof=Proof.REFUTED), replace(plain, code="NP1")))
    lines = [line for line in drawn(pod("a", chain("net1", step))) if "is down" in line]
    assert len(lines) == 3
    assert not any("like it" in line for line in lines)


def test_what_would_move_the_cursor_is_escaped() -> None:
    step = Step(name="mtu", lines=(Line("9000\x1b[2J"),))
    lines = drawn(pod("a\n", chain("net\x07", step)), unseen=("\u202e",))
    assert "\x1b" not in "".join(lines)
    assert lines[0] == "a\\n (a\\n.yaml:1): not proved"
    assert lines[2] == "  net\\x07"
    assert lines[4] == "    + mtu          9000\\x1b[2J"
    assert lines[-1] == "not seen: \\u202e"


def test_colours_are_those_of_the_verdicts() -> None:
    step = Step(name="mtu", doubts=(REFUSED, NO_MTU))
    lines = drawn(pod("a", chain("net1", step)), color=True)
    assert lines[0] == "a (a.yaml:1): \x1b[31mrefuted\x1b[m"
    assert lines[1].startswith("  \x1b[32m+\x1b[m pod  ")
    assert lines[4].startswith("    \x1b[31mX\x1b[m mtu          \x1b[31mrefuted NP312")
    assert lines[5] == f"{' ' * 19}\x1b[36mnot proved: no file states it\x1b[m"
    assert not any("\x1b" in line for line in drawn(pod("a", chain("net1", step))))


HEAD = "pod  attachment  network  resource  device  vlan  mtu  addresses  routes"


def test_a_table_has_a_row_for_each_interface_and_for_a_pod_without_one() -> None:
    refused = Step(name="mtu", doubts=(REFUSED,))
    unsure = pod("b", steps=(Step(name="claims", doubts=(NO_MTU,)),))
    lines = drawn(pod("train", chain("net1", refused), chain("net2", MTU)), unsure, matrix=True)
    assert lines == [
        "2 pods: refuted",
        f"              {HEAD}",
        "  train net1  +    +           .        .         .       .     X    .          .",
        "  train net2  +    +           .        .         .       .     +    .          .",
        "  b           ~    .           .        .         .       .     .    .          .",
        "  + proved, ~ not proved, X refuted, . no such step",
        "  refuted NP312: 10 is above 9 (n.yaml:3); lower one of them",
        "  not proved: no file states it",
    ]


def test_a_table_of_one_pod_that_nothing_refutes() -> None:
    lines = drawn(pod("b", chain("net1", MTU)), matrix=True, unseen=("no site.json",))
    assert lines[0] == "1 pod: not proved"
    assert lines[-1] == "not seen: no site.json"
    assert len(lines) == 5


def test_the_mark_of_a_pod_is_that_of_its_worst_step() -> None:
    steps = (Step(name="claims", doubts=(REFUSED,)), Step(name="environment", doubts=(NO_MTU,)))
    row = drawn(pod("b", steps=steps), matrix=True)[2]
    assert row.startswith("  b  X    .  ")


def test_marks_of_a_table_are_coloured_and_stay_in_their_columns() -> None:
    refused = Step(name="mtu", doubts=(REFUSED,))
    lines = drawn(pod("b", chain("net1", refused)), matrix=True, color=True)
    assert lines[0] == "1 pod: \x1b[31mrefuted\x1b[m"
    assert lines[2].startswith("  b net1  \x1b[32m+\x1b[m    \x1b[32m+\x1b[m           .        ")
    assert "\x1b[31mX\x1b[m    .          ." in lines[2]
    assert lines[4].startswith("  \x1b[31mrefuted NP312")


def test_two_pods_are_drawn_and_compared_interface_by_interface() -> None:
    one, other = pod("a", chain("net1", MTU)), pod("b", chain("net2", MTU))
    rows = (
        Compared("network", "the same, rail", Proof.PROVED),
        Compared("mtu", "9000 and 1500", Proof.REFUTED),
    )
    lone = (Compared("interface", "b has no interface left for it", Proof.OPEN),)
    pairs = (Pair(start="net1", end="net2", rows=rows), Pair(start="net3", end=None, rows=lone))
    classes = (Compared("traffic class", "only one of the two sets it", Proof.OPEN),)
    comparison = Comparison(start=one, end=other, pairs=pairs, rows=classes)
    lines = drawn(one, other, comparison=comparison, unseen=("no site.json",))
    assert lines[0] == "a (a.yaml:1): not proved"
    assert lines[5] == ""
    assert lines[6] == "b (b.yaml:1): not proved"
    assert lines[11:] == [
        "",
        "a -> b: refuted",
        "  net1 -> net2",
        "    + network        the same, rail",
        "    X mtu            9000 and 1500",
        "  net3",
        "    ~ interface      b has no interface left for it",
        "  ~ traffic class  only one of the two sets it",
        "",
        "not seen: no site.json",
    ]
    painted = drawn(one, other, comparison=comparison, color=True)
    assert painted[12] == "a -> b: \x1b[31mrefuted\x1b[m"
    assert painted[14:16] == [
        "    \x1b[32m+\x1b[m network        the same, rail",
        "    \x1b[31mX\x1b[m mtu            \x1b[31m9000 and 1500\x1b[m",
    ]


def test_a_pod_compared_with_itself_is_drawn_once() -> None:
    one = pod("a", chain("net1", MTU))
    comparison = Comparison(start=one, end=one, pairs=(), rows=())
    lines = drawn(one, comparison=comparison)
    assert lines.count("a (a.yaml:1): not proved") == 1
    assert lines[-2:] == ["a -> a: not proved", ""]
