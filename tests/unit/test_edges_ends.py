"""Edge cases, one fact per case: the ends of a trace."""

from __future__ import annotations

from typing import Any

import pytest

from netplan.trace import ends
from netplan.trace.chains.ends import chain_at
from netplan.trace.model import DEVICE_BOUND, FLOWS, TraceError
from tests.unit.some import some

HOSTS = {name: some(name=name) for name in ("gpu-1", "gpu-2", "cpu-1")}
NICS = {"net1": some(name="net1", rail=0), "net2": some(name="net2", rail=3)}


def site_of(hosts: dict[str, list[str]], **more: Any) -> Any:
    """``hosts``: workload -> where its pods run."""
    routes = some(unbound=False)
    workloads = {name: some(name=name, routes=routes) for name in hosts}
    return some(
        workloads=workloads,
        hosts=HOSTS,
        hosts_of=lambda workload: [HOSTS[name] for name in hosts[workload.name]],
        fabric=None,
        bgp=None,
        **more,
    )


SITE = site_of({"idle": [], "job": ["gpu-1", "gpu-2"]})


@pytest.fixture(autouse=True)
def built(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pods as they are asked for."""

    def build(site: Any, workload: Any, host: Any, slot: int = 0) -> Any:
        space = some(addresses={})
        intended = {("net1", "net1")}
        return some(workload=workload.name, host=host, slot=slot, nics=NICS, space=space, intended=intended)

    monkeypatch.setattr(ends, "build_pod", build)


@pytest.mark.parametrize(("rail", "name"), [("net1", "net1"), ("0", "net1"), ("3", "net2")])
def test_an_end_is_an_interface_or_a_rail(rail: str, name: str) -> None:
    first: Any = ends.end_of(SITE, f"job@gpu-2/{rail}")
    second: Any = ends.end_of(SITE, f"job@gpu-2/{rail}", 1)
    pod, found = first
    assert (pod.workload, pod.host.name, pod.slot, found) == ("job", "gpu-2", 0, name)
    assert second[0].slot == 1


NO_RAIL = "pods of job have no interface or rail"
NO_FORM = ("", "job", "job@", "job@gpu-1", "job@gpu-1/", "@gpu-1/0", "job@/0")
FORM = "is not WORKLOAD@HOST/RAIL, such as job@gpu-1/0"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        *((text, f"{text} {FORM}") for text in NO_FORM),
        ("jop@gpu-1/0", "there is no workload jop; did you mean job? there are idle, job"),
        ("job@gpu-3/0", "there is no host gpu-3; did you mean gpu-2? there are gpu-1, gpu-2"),
        (
            "job@cpu-1/0",
            "pods of job do not run on cpu-1: its labels do not match; "
            "did you mean gpu-1? there are gpu-1, gpu-2",
        ),
        ("idle@cpu-1/0", "pods of idle do not run on cpu-1: its labels do not match; there is none"),
        ("job@gpu-1/1", f"{NO_RAIL} 1; there are net1, net2"),
        ("job@gpu-1/net3", f"{NO_RAIL} net3; did you mean net2? there are net1, net2"),
    ],
)  # fmt: skip
def test_what_is_no_end(text: str, said: str) -> None:
    with pytest.raises(TraceError) as error:
        ends.end_of(SITE, text)
    assert str(error.value) == said


def test_an_example_where_no_pod_runs_is_made_up() -> None:
    with pytest.raises(TraceError, match=r"such as training@gpu-001/rail0\Z"):
        ends.end_of(site_of({"idle": []}), "x")


@pytest.mark.parametrize(
    ("start", "end", "shared", "slots"),
    [
        ("job@gpu-1/0", "job@gpu-2/0", False, (0, 0)),
        ("job@gpu-1/0", "job@gpu-1/0", True, (0, 1)),
        ("job@gpu-1/0", "other@gpu-1/0", False, (0, 1)),
        ("job@gpu-1/0", "job@gpu-1/0", False, None),
    ],
)
def test_two_pods_of_one_host(
    monkeypatch: pytest.MonkeyPatch, start: str, end: str, shared: bool, slots: Any
) -> None:
    monkeypatch.setattr(ends, "shared_by_pods", lambda site, workload: shared)
    site = site_of({"job": ["gpu-1", "gpu-2"], "other": ["gpu-1"]})
    if slots is None:
        alone = "a pod of job takes the HCAs of gpu-1: there is no second host it could send to"
        with pytest.raises(TraceError, match=alone):
            ends.ends_of(site, start, end)
    else:
        both: Any = ends.ends_of(site, start, end)
        a, b = both
        assert (a[0].slot, b[0].slot) == slots
        assert f"{b[0].workload}@{b[0].host.name}/0" == end


@pytest.mark.parametrize(
    ("a", "b", "flows", "families"),
    [
        ({}, {}, (DEVICE_BOUND,), ["IPv4"]),
        ({"net1": [4]}, {"net1": [4]}, FLOWS, ["IPv4"]),
        ({"net1": [4, 6]}, {"net1": [6, 4]}, FLOWS, ["IPv4", "IPv6"]),
        ({"net1": [6]}, {"net1": [6, 4]}, FLOWS, ["IPv6"]),
        ({"net1": [6]}, {"net1": [4]}, FLOWS, ["IPv4"]),
    ],
)
def test_walks_between_two_ends(
    monkeypatch: pytest.MonkeyPatch, a: Any, b: Any, flows: Any, families: Any
) -> None:
    def pod(owned: dict[str, list[int]], workload: str) -> Any:
        addresses = {name: [some(ip=some(version=v)) for v in each] for name, each in owned.items()}
        return some(workload=workload, space=some(addresses=addresses), intended={("net1", "net1")})

    class Walker:
        def __init__(self, *_: Any) -> None: ...

        def walk(self, start: Any, end: Any, flow: Any, version: int) -> Any:
            return flow, version

    monkeypatch.setattr(ends, "Walker", Walker)
    for one, other, start, meant in (
        ("job", "job", "net1", True),
        ("job", "job", "net2", False),
        ("job", "idle", "net2", True),
    ):
        both = (pod(a, one), start), (pod(b, other), "net1")
        if start == "net2":
            both[0][0].space.addresses["net2"] = both[0][0].space.addresses.get("net1", ())
        monkeypatch.setattr(ends, "ends_of", lambda *_, both=both: both)
        found: Any = ends.walks_between(SITE, "x", "y")
        assert list(found.families) == families
        assert all(tuple(flow for flow, _ in walks) == flows for walks in found.families.values())
        assert [walks[0][1] for walks in found.families.values()] == [int(name[-1]) for name in families]
        assert (found.start, found.end, found.meant, found.unbound) == ("x", "y", meant, False)


def test_an_unbound_workload_at_either_end_makes_unbound_sockets_count(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    site = site_of({"job": ["gpu-1"], "other": ["gpu-2"]})
    site.workloads["other"].routes = some(unbound=True)
    monkeypatch.setattr(ends, "Walker", lambda *_: some(walk=lambda *_: None))
    assert ends.walks_between(site, "job@gpu-1/0", "other@gpu-2/0").unbound
    assert ends.walks_between(site, "other@gpu-2/0", "job@gpu-1/0").unbound


def test_workloads_by_name() -> None:
    assert [each.name for each in ends.workloads_named(SITE, None)] == ["idle", "job"]
    assert [each.name for each in ends.workloads_named(SITE, "job")] == ["job"]
    for site, name, said in (
        (SITE, "x", "there is no workload x; there are idle, job"),
        (site_of({}), "x", "there is no workload x; there is none"),
        (site_of({}), None, "there is no workload"),
    ):
        with pytest.raises(TraceError) as error:
            ends.workloads_named(site, name)
        assert str(error.value) == said


class Job:
    kind, metadata = "Job", {"generateName": "gen-"}

    def __init__(self, name: str, namespace: str | None) -> None:
        self.name, self.namespace = name, namespace

    def __str__(self) -> str:
        return f"Job {f'{self.namespace}/' if self.namespace else ''}{self.name}".strip()


def chain(name: str, namespace: str | None = "own", part: str = "", place: str = "a.yaml:1") -> Any:
    thing = Job(name, namespace)
    return some(pod=some(thing=thing), name=f"{thing} {part}".strip(), place=place)


@pytest.mark.parametrize(
    "text", ["train", "job/train", "own/train", "own/job/train", "JOB/train", "Job/train"]
)
def test_names_of_a_pod_of_files(text: str) -> None:
    wanted = chain("train")
    assert chain_at(some(pods=[chain("other"), wanted]), text) is wanted


def test_parts_and_generated_names_of_pods_of_files() -> None:
    worker, launcher = chain("train", part="Worker"), chain("train", part="Launcher")
    generated, free = chain("", "own"), chain("x", None)
    chains: Any = some(pods=[worker, launcher, generated, free])
    for text, found in (
        ("train/Worker", worker),
        ("job/train/Launcher", launcher),
        ("own/job/train/Launcher", launcher),
        ("gen-", generated),
        ("default/x", free),
    ):
        assert chain_at(chains, text) is found
    with pytest.raises(TraceError) as error:
        chain_at(chains, "train")
    assert str(error.value) == (
        "train matches several pods: job/train/Worker (a.yaml:1), job/train/Launcher (a.yaml:1)"
    )


WITH = "with an attachment;"
TWELVE = ", ".join(f"job/j{number}" for number in range(12))
NO_SITE = "without site.json, an end is written NAMESPACE/NAME or KIND/NAME"


@pytest.mark.parametrize(
    ("count", "text", "said"),
    [
        (2, "job-9", f"there is no pod job-9 {WITH} there are job/j0, job/j1"),
        (2, "j0x", f"there is no pod j0x {WITH} there are job/j0, job/j1"),
        (2, "job/j2", f"there is no pod job/j2 {WITH} did you mean job/j1? there are job/j0, job/j1"),
        (13, "x", f"there is no pod x {WITH} there are {TWELVE} and 1 more"),
        (12, "x", f"there is no pod x {WITH} there are {TWELVE}"),
        (1, "j@gpu-1", f"{NO_SITE}, such as job/j0; j@gpu-1 names a host"),
    ],
)  # fmt: skip
def test_what_is_no_pod_of_files(count: int, text: str, said: str) -> None:
    with pytest.raises(TraceError) as error:
        chain_at(some(pods=[chain(f"j{number}") for number in range(count)]), text)
    assert str(error.value) == said
