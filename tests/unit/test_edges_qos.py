"""Edge cases, one fact per case: QoS of one port, and copies of a workload's pods."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
import yaml

from netplan.graph.qos import Proof, QosChain
from netplan.graph.site_qos import mapped, unlike_site
from netplan.model.readback import Implied, ReadQos, Stand, Steps
from netplan.model.site import SiteClass, SiteQos, SiteWatchdog
from netplan.trace.copies import copies
from tests.unit.edges import things
from tests.unit.test_edges_pods_trace import workload


def numbers(*each: int) -> frozenset[int]:
    return frozenset(each)


ONE_TO_ONE = {dscp: numbers(0) for dscp in range(64)} | {26: numbers(3), 48: numbers(6)}
QOS = ReadQos(
    queues=ONE_TO_ONE,
    groups=ONE_TO_ONE,
    pfc=numbers(3),
    pfc_queues={3: numbers(3)},
    pfc_groups={3: numbers(3)},
    buffers=numbers(3),
    lossy_buffers=numbers(0, 6),
    queue_buffers=numbers(3),
    lossy_queues=numbers(0, 6),
    marking=numbers(3),
    watchdog=numbers(3),
    strict=numbers(6),
    fixed=True,
    weights={3: numbers(50), 0: numbers(50)},
    ecn_percent={3: numbers(10)},
    detection_ms=numbers(200),
    restoration_ms=numbers(2000),
)
STATES = numbers()
CHAIN = QosChain(
    place="leaf-1 Ethernet0",
    trust="dscp",
    qos=QOS,
    headroom_m=40,
    states=frozenset({"trust", "strict", "weight"}),
    stands={
        "ecn-percent": Stand("q", "ecn"),
        "watchdog-detection": Stand("q", "wd"),
        "watchdog-restoration": Stand("q", "wr"),
    },
    ecn={3: (100, 400)},
    steps=Steps(ecn_bytes=10, watchdog_ms=100),
    folder="f/",
)


def chain(**changes: Any) -> QosChain:
    """Keys of the QoS begin with ``qos_``."""
    own = {key.removeprefix("qos_"): value for key, value in changes.items() if key.startswith("qos_")}
    others = {key: value for key, value in changes.items() if not key.startswith("qos_")}
    return replace(CHAIN, qos=replace(QOS, **own), **others)


OPEN, REFUTED, UNLIKE = Proof.OPEN, Proof.REFUTED, Proof.UNLIKE
IMPLIED = {
    "pfc-queue": Implied("x"),
    "group": Implied("x"),
    "buffer": Implied("x", numbers(3)),
    "watchdog": Implied("x"),
}


@pytest.mark.parametrize(
    ("change", "found"),
    [
        ({}, []),
        ({"trust": "pcp"}, [(OPEN, "dscp")]),
        ({"trust": None}, [(REFUTED, "trust")]),
        ({"trust": None, "states": numbers()}, []),
        ({"comments": frozenset({"qos_map"})}, []),
        ({"comments": frozenset({"qos_map"}), "qos_queues": {}}, [(OPEN, "dscp")]),
        ({"comments": frozenset({"dscp_trust"})}, [(OPEN, "trust")]),
        ({"qos_queues": {}}, [(REFUTED, "dscp")]),
        ({"qos_queues": {26: numbers(3, 4)}}, [(OPEN, "dscp")]),
        ({"qos_pfc": numbers()}, [(REFUTED, "pfc")]),
        ({"qos_pfc": numbers(), "comments": frozenset({"pfc"})}, [(OPEN, "pfc")]),
        ({"qos_pfc": numbers(4), "qos_pfc_queues": {4: numbers(4)}}, [(REFUTED, "pfc")]),
        ({"qos_pfc_queues": {3: numbers(4)}}, [(REFUTED, "pfc")]),
        ({"qos_pfc_queues": {}}, [(OPEN, "pfc-queue")]),
        ({"qos_pfc": numbers(3, 4)}, [(OPEN, "pfc-queue")]),
        ({"qos_pfc_queues": {}, "implied": IMPLIED}, []),
        ({"qos_groups": {}}, [(OPEN, "group")]),
        ({"qos_groups": {}, "implied": IMPLIED}, []),
        ({"qos_groups": {26: numbers(3, 4)}}, [(OPEN, "group")]),
        ({"qos_groups": {26: numbers(4)}, "qos_buffers": numbers(4)}, [(REFUTED, "group")]),
        ({"qos_pfc_groups": {}}, [(OPEN, "pfc-group")]),
        ({"qos_pfc_groups": {3: numbers(4)}}, [(REFUTED, "group")]),
        ({"qos_pfc_again": numbers(4), "told": frozenset({"pfc-again"})}, [(OPEN, "pfc")]),
        ({"qos_pfc_again": numbers(3), "told": frozenset({"pfc-again"})}, []),
        ({"qos_pfc_again": numbers(4)}, []),
        ({"qos_fixed": False}, []),
        ({"qos_fixed": False, "states": frozenset({"pfc-fixed"})}, [(OPEN, "pfc-fixed")]),
        ({"qos_lossy_buffers": numbers(3)}, [(REFUTED, "buffer")]),
        ({"qos_buffers": numbers(4)}, [(OPEN, "buffer")]),
        ({"qos_buffers": numbers(4), "implied": IMPLIED}, []),
        ({"qos_buffers": numbers(4), "implied": IMPLIED, "told": frozenset({"buffer"})}, [(OPEN, "buffer")]),
        ({"qos_buffers": numbers(4), "implied": {"buffer": Implied("x", numbers(4))}}, [(OPEN, "buffer")]),
        ({"qos_lossy_queues": numbers(3)}, [(REFUTED, "queue-buffer")]),
        ({"qos_queue_buffers": numbers()}, [(OPEN, "queue-buffer")]),
        ({"headroom_m": 39}, [(REFUTED, "headroom")]),
        ({"headroom_m": None}, [(OPEN, "headroom")]),
        ({"headroom_m": None, "implied": {"headroom": Implied("x")}}, []),
        ({"lengths": {100: numbers(40, 300)}}, []),
        ({"lengths": {100: numbers(300)}}, [(REFUTED, "headroom")]),
        ({"lengths": {200: numbers(300)}}, []),
        ({"qos_unmarked": numbers(3)}, [(REFUTED, "ecn")]),
        ({"qos_unmarked": numbers(3), "qos_watchdog": numbers()}, [(REFUTED, "ecn"), (OPEN, "watchdog")]),
        ({"qos_marking": numbers(4)}, [(OPEN, "ecn")]),
        ({"qos_unwatched": numbers(3)}, [(REFUTED, "watchdog")]),
        ({"qos_watchdog": numbers(4)}, [(OPEN, "watchdog")]),
        ({"qos_watchdog": numbers(4), "implied": IMPLIED}, []),
    ],
)
def test_a_port_is_a_lossless_hop_or_says_why_not(
    change: dict[str, Any], found: list[tuple[Proof, str]]
) -> None:
    answer = chain(**change).lossless(26, 40, 100)
    assert [(each.proof, each.fact) for each in answer.doubts] == found
    assert answer.proof is max((proof for proof, _ in found), default=Proof.PROVED)


@pytest.mark.parametrize(
    ("change", "first", "found"),
    [
        ({}, True, []),
        ({}, False, []),
        ({"qos_strict": numbers()}, True, [(REFUTED, "cnp")]),
        ({"qos_strict": numbers()}, False, []),
        ({"qos_pfc": numbers(6)}, True, [(REFUTED, "cnp")]),
        ({"qos_pfc_queues": {3: numbers(3, 6)}}, True, [(REFUTED, "cnp")]),
        ({"trust": "pcp"}, True, [(OPEN, "dscp")]),
    ],
)
def test_congestion_notifications_wait_behind_nothing(
    change: dict[str, Any], first: bool, found: list[Any]
) -> None:
    assert [(each.proof, each.fact) for each in chain(**change).control(48, first)] == found


def test_what_is_not_stated_is_told_with_the_line_that_would() -> None:
    told = CHAIN.open("ecn-percent", "x").text
    assert told == "x of leaf-1 Ethernet0 is not stated; ecn would prove it (f/q)"
    line = replace(CHAIN, stands={"ecn": Stand("q", "ecn <port>")}).open("ecn", "x").text
    assert line.endswith("; ecn Ethernet0 would prove it (f/q)")
    assert "is not stated, and netplan knows no line of its NOS" in CHAIN.open("x", "x").text
    assert (CHAIN.at("x"), replace(CHAIN, folder="").at("x"), CHAIN.at("ecn-percent")) == (
        "(f/)",
        "(no file)",
        "(f/q)",
    )
    assert replace(CHAIN, line=lambda *_: 7).at("ecn-percent") == "(f/q:7)"


# What the site states


def classes(**roce: Any) -> tuple[SiteClass, ...]:
    plain: dict[str, Any] = {
        "bandwidth_percent": 50,
        "ecn_bytes": (100, 400),
        "ecn_percent": 10,
        "ecn": True,
        "strict": False,
    }
    return (
        SiteClass(name="roce", dscp=26, priority=3, lossless=True, **{**plain, **roce}),
        SiteClass(name="cnp", dscp=48, priority=6, lossless=False, ecn=False, strict=True),
    )


SITE = SiteQos(
    classes=classes(),
    best_effort_percent=50,
    watchdog=SiteWatchdog(poll_ms=100, detection_ms=200, restoration_ms=2000),
)


def unlike(given: QosChain, site: SiteQos = SITE) -> list[tuple[Proof, str]]:
    return [(each.proof, each.fact) for each in unlike_site(given, site, mapped(given, site))]


@pytest.mark.parametrize(
    ("change", "found"),
    [
        ({}, []),
        ({"qos_queues": {}}, []),
        ({"qos_queues": {**ONE_TO_ONE, 10: numbers(3)}}, [(UNLIKE, "dscp")]),
        ({"qos_queues": {**ONE_TO_ONE, 10: numbers(5)}}, [(UNLIKE, "dscp")]),
        ({"qos_queues": {d: q for d, q in ONE_TO_ONE.items() if d != 10}}, []),
        (
            {
                "qos_queues": {d: q for d, q in ONE_TO_ONE.items() if d != 10},
                "stands": {"dscp-rest": Stand("q", "x")},
            },
            [(OPEN, "dscp-rest")],
        ),
        ({"qos_groups": {**ONE_TO_ONE, 10: numbers(3)}}, [(UNLIKE, "group")]),
        ({"qos_groups": {**ONE_TO_ONE, 10: numbers(5)}}, []),
        (
            {
                "qos_groups": {**ONE_TO_ONE, 10: numbers(5)},
                "implied": {"buffer-lossy": Implied("x", numbers(7))},
            },
            [(OPEN, "buffer-lossy")],
        ),
        (
            {
                "qos_groups": {**ONE_TO_ONE, 10: numbers(5)},
                "implied": {"buffer-lossy": Implied("x", numbers(5))},
            },
            [],
        ),
        ({"qos_groups": {**ONE_TO_ONE, 10: numbers(5)}, "implied": {"buffer-lossy": Implied("x")}}, []),
        ({"qos_strict": numbers()}, [(UNLIKE, "strict")]),
        ({"qos_strict": numbers(), "states": frozenset({"weight"})}, []),
        ({"qos_strict": numbers(3, 6)}, [(UNLIKE, "strict")]),
        ({"qos_weights": {3: numbers(25), 0: numbers(25)}}, []),
        ({"qos_weights": {3: numbers(49), 0: numbers(51)}}, [(UNLIKE, "weight")]),
        ({"qos_weights": {3: numbers(50)}}, [(OPEN, "weight")]),
        ({"qos_weights": {3: numbers(49), 0: numbers(51)}, "states": numbers()}, []),
        (
            {"qos_weights": {3: numbers(49), 0: numbers(51)}, "states": frozenset({"share"})},
            [(UNLIKE, "share")],
        ),
        ({"qos_shares": {3: numbers(50), 0: numbers(50)}}, []),
        ({"qos_shares": {3: numbers(50), 0: numbers(40, 51)}}, [(OPEN, "share")]),
        ({"qos_shares": {6: numbers(10)}}, [(OPEN, "share")]),
        ({"ecn": {3: (91, 409)}}, []),
        ({"ecn": {3: (90, 400)}}, [(UNLIKE, "ecn")]),
        ({"ecn": {3: (100, 410)}}, [(UNLIKE, "ecn")]),
        ({"ecn": {3: (1, 2)}, "steps": Steps()}, []),
        ({"ecn": {}}, []),
        ({"qos_ecn_percent": {3: numbers(9)}}, [(UNLIKE, "ecn-percent")]),
        ({"qos_ecn_percent": {}}, [(OPEN, "ecn-percent")]),
        ({"qos_ecn_percent": {}, "stands": {}}, []),
        ({"qos_detection_ms": numbers(299)}, []),
        ({"qos_detection_ms": numbers(300)}, [(UNLIKE, "watchdog-polls")]),
        (
            {"qos_detection_ms": numbers(300), "told": frozenset({"watchdog-detection"})},
            [(UNLIKE, "watchdog-detection")],
        ),
        ({"qos_detection_ms": numbers()}, [(OPEN, "watchdog-detection")]),
        ({"qos_restoration_ms": numbers(1900)}, [(UNLIKE, "watchdog-polls")]),
        ({"qos_restoration_ms": numbers()}, [(OPEN, "watchdog-restoration")]),
    ],
)
def test_a_port_is_as_the_site_states(change: dict[str, Any], found: list[tuple[Proof, str]]) -> None:
    assert unlike(chain(**change)) == found


@pytest.mark.parametrize(
    ("site", "found"),
    [
        (replace(SITE, classes=()), []),
        (replace(SITE, classes=classes(ecn=False, ecn_bytes=None)), [(OPEN, "ecn")]),
        (replace(SITE, classes=classes(bandwidth_percent=None)), []),
        (replace(SITE, classes=classes(bandwidth_percent=0), best_effort_percent=100), [(UNLIKE, "weight")]),
        (replace(SITE, best_effort_percent=None), []),
        (replace(SITE, best_effort_percent=49), [(UNLIKE, "weight")]),
        (replace(SITE, watchdog=None), [(OPEN, "watchdog-detection")]),
        (replace(SITE, classes=classes(strict=None)), []),
        (replace(SITE, classes=classes(ecn_percent=None)), []),
        (replace(SITE, classes=classes(ecn_percent=11)), [(UNLIKE, "ecn-percent")]),
    ],
)
def test_only_what_the_site_states_is_compared(site: SiteQos, found: list[tuple[Proof, str]]) -> None:
    assert unlike(CHAIN, site) == found


# Copies of a pod


LIMITS = {"nvidia.com/gpu": 8, "nvidia.com/rail": 1}
MAIN: Mapping[str, Any] = {
    "name": "main",
    "env": [{"name": "NCCL_IB_TC", "value": "106"}, {"name": "HOME", "value": "/"}],
    "resources": {"limits": LIMITS},
    "securityContext": {"capabilities": {"add": ["IPC_LOCK"]}},
    "volumeMounts": [{"name": "shm", "mountPath": "/dev/shm"}],
}
SPEC: Mapping[str, Any] = {
    "nodeSelector": {"gpu": "h100"},
    "volumes": [{"name": "shm", "emptyDir": {"medium": "Memory"}}],
    "initContainers": [{"name": "init", "command": ["sh", "-c", "a\nb"]}],
}


def said(
    main: Mapping[str, Any] | None = None,
    networks: str = "apps/rail@net1",
    name: str = "test",
    **spec: Any,
) -> list[str]:
    """Findings for a second, changed pod."""

    def pod(called: str, container: Mapping[str, Any], text: str, more: Mapping[str, Any]) -> str:
        annotations = {"k8s.v1.cni.cncf.io/networks": text}
        meta = {"name": called, "namespace": "apps", "annotations": annotations}
        whole = {
            "apiVersion": "v1",
            "kind": "Pod",
            "metadata": meta,
            "spec": {"containers": [container], **more},
        }
        return yaml.safe_dump(yaml.safe_load(yaml.safe_dump(whole, sort_keys=False)), sort_keys=False)

    texts = {
        "pods/job/pod.yaml": pod("job", dict(MAIN), "apps/rail@net1", dict(SPEC)),
        "pods/job/test.yaml": pod(name, {**MAIN, **(main or {})}, networks, {**SPEC, **spec}),
        "pods/other/pod.yaml": pod("other", {"name": "other"}, "", {}),
    }
    cluster = things(texts)
    own = next(each for each in cluster.pods if each.thing.file == "pods/job/pod.yaml")
    return [each.text for each in copies(replace(workload(), pod=own), cluster)]


def limits(**change: int) -> dict[str, Any]:
    return {"resources": {"limits": {**LIMITS, **{key.replace("__", "/"): n for key, n in change.items()}}}}


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({}, None),
        ({"networks": "rail@net1"}, None),
        ({"networks": "apps/rail@net2"}, "the list of networks is apps/rail@net2 ("),
        ({"nodeSelector": {"gpu": "b200"}}, "the selection of nodes is gpu=b200 ("),
        ({"nodeSelector": {}}, "the selection of nodes is not stated ("),
        ({"main": {"env": [{"name": "NCCL_IB_TC", "value": "0"}]}}, "NCCL_IB_TC is 0 ("),
        ({"main": {"env": []}}, "NCCL_IB_TC is not stated ("),
        ({"main": {"env": [*MAIN["env"], {"name": "NCCL_DEBUG", "value": "INFO"}]}}, None),
        (
            {"main": {"env": [*MAIN["env"], {"name": "UCX_TLS", "value": "x" * 81}]}},
            f"UCX_TLS is {'x' * 80}... (",
        ),
        ({"main": limits(rail=2)}, None),
        (
            {"main": {"resources": {"limits": {**LIMITS, "nvidia.com/rail": 2}}}},
            "the limit of nvidia.com/rail is 2 (",
        ),
        ({"main": {"resources": {"limits": {**LIMITS, "nvidia.com/gpu": 4}}}}, None),
        ({"main": {"securityContext": {}}}, "capability IPC_LOCK is not stated ("),
        ({"main": {"volumeMounts": []}}, "mount of shm is not stated ("),
        ({"volumes": []}, "volume shm is not stated ("),
        (
            {"initContainers": [{"name": "init", "command": ["sh", "-c", "a\nc"]}]},
            "command of init container init is ",
        ),
        ({"main": {"command": ["mpirun", "-x", "NCCL_IB_TC=0"]}}, "NCCL_IB_TC is 0 ("),
        ({"main": {"command": ["sh", "-c", "mpirun -x 'NCCL_IB_TC=106'"]}}, None),
        ({"main": {"args": ["UCX_TLS=tcp"]}}, "UCX_TLS is tcp ("),
        ({"main": {"args": ["NCCL_DEBUG=INFO"]}}, None),
        ({"main": {"args": ["NCCL_IB_DISABLE=1"]}}, "NCCL_IB_DISABLE is 1 ("),
        ({"main": {"args": ["NCCL_IB_DISABLE=1"]}, "name": "test-tcp"}, None),
        (
            {"main": {"env": [*MAIN["env"], {"name": "NCCL_IB_DISABLE", "value": "1"}]}, "name": "test-tcp"},
            None,
        ),
    ],
)
def test_pods_of_one_folder_are_alike(change: dict[str, Any], words: str | None) -> None:
    found = said(**change)
    assert len(found) == (words is not None), found
    assert all(text.startswith(str(words)) for text in found), found
    assert all("pods/job/test.yaml:" in text and "pods/job/pod.yaml:" in text for text in found)


def test_a_script_of_several_lines_is_not_printed() -> None:
    first = said(main={"env": [{"name": "NCCL_IB_TC", "value": "a\nb"}]})
    (text,) = first
    assert text.startswith("NCCL_IB_TC differs between pods/job/pod.yaml:")


def test_a_launcher_passes_its_variables_on() -> None:
    launcher = {
        "resources": {},
        "securityContext": {},
        "volumeMounts": [],
        "env": [{"name": "NCCL_IB_TC", "value": "0"}],
    }
    (text,) = said(main=launcher, networks="", nodeSelector={}, volumes=[], initContainers=[])
    assert text.startswith("NCCL_IB_TC is 0 (pods/job/test.yaml:")
    assert said(main={**launcher, "env": MAIN["env"]}, networks="", nodeSelector={}) == []


@pytest.mark.parametrize(
    ("most", "size", "found"),
    [
        (9000, 9000, [(OPEN, "headroom")]),  # the port takes 9,100
        (9099, 0, [(OPEN, "headroom")]),
        (9100, 9000, []),
        (8999, 9000, [(REFUTED, "headroom")]),
        (None, 9000, [(OPEN, "headroom-mtu")]),
    ],
)
def test_headroom_is_for_the_largest_packet(most: int | None, size: int, found: list[Any]) -> None:
    given = chain(
        states=CHAIN.states | {"headroom-mtu"},
        ip_mtu=9100,
        qos_headroom_mtus={26: most} if most is not None else {},
    )
    assert [(doubt.proof, doubt.fact) for doubt in given.lossless(26, 40, 100, size).doubts] == found
    assert chain(ip_mtu=9100).lossless(26, 40, 100, size).doubts == ()  # no line of the NOS has it
