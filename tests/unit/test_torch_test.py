"""The all-reduce test of torchrun jobs, run with a minimal fake torch whose ranks are threads."""

from __future__ import annotations

import sys
import threading
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from netplan.plan.torch_test import PROGRAM


class Tensor:
    """A vector, represented by its first few values."""

    def __init__(self, values: list[float]) -> None:
        self.values = values

    def _each(self, other: Any, op: Any) -> Tensor:
        others = other.values if isinstance(other, Tensor) else [other] * len(self.values)
        return Tensor([float(op(a, b)) for a, b in zip(self.values, others, strict=True)])

    def __add__(self, other: Any) -> Tensor:
        return self._each(other, lambda a, b: a + b)

    def __mul__(self, other: Any) -> Tensor:
        return self._each(other, lambda a, b: a * b)

    def __ne__(self, other: object) -> Tensor:  # type: ignore[override]
        return self._each(other, lambda a, b: a != b)

    def remainder(self, by: int) -> Tensor:
        return self._each(by, lambda a, b: a % b)

    def sum(self) -> float:
        return sum(self.values)

    def item(self) -> float:
        return self.values[0]

    def zero_(self) -> None:
        self.values = [0.0] * len(self.values)


class World:
    """Ranks that meet in all_reduce; ``broken``: the rank with a wrong sum."""

    def __init__(self, size: int, broken: int | None) -> None:
        self.size, self.broken = size, broken
        self.barrier = threading.Barrier(size)
        self.given: dict[int, Tensor] = {}
        self.local = threading.local()

    def all_reduce(self, data: Tensor) -> None:
        self.given[self.local.rank] = data
        self.barrier.wait(30)
        columns = zip(*(t.values for t in self.given.values()), strict=True)
        total = [sum(column) for column in columns]
        if self.local.rank == self.broken and total != [0.0] * len(total) and len(total) > 1:
            total[-1] += 1
        self.barrier.wait(30)
        data.values = total
        self.barrier.wait(30)

    def module(self) -> dict[str, ModuleType]:
        torch, dist = ModuleType("torch"), ModuleType("torch.distributed")
        names: dict[str, Any] = {
            "init_process_group": lambda backend: None,
            "get_rank": lambda: self.local.rank,
            "get_world_size": lambda: self.size,
            "all_reduce": self.all_reduce,
            "destroy_process_group": lambda: None,
        }
        vars(dist).update(names)
        vars(torch).update(
            distributed=dist,
            float32=None,
            cuda=SimpleNamespace(set_device=lambda n: None, synchronize=lambda: None),
            arange=lambda n, device, dtype: Tensor([float(i) for i in range(20)]),
            full=lambda shape, value, device: Tensor([value]),
        )
        return {"torch": torch, "torch.distributed": dist}


@pytest.fixture
def one_gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {"NNODES": "2", "NGPUS": "2", "LOCAL_RANK": "0"}.items():
        monkeypatch.setenv(name, value)


def ends(size: int, monkeypatch: pytest.MonkeyPatch, broken: int | None = None) -> list[Any]:
    """Result of each rank: None, or its exit value."""
    world = World(size, broken)
    for name, module in world.module().items():
        monkeypatch.setitem(sys.modules, name, module)
    found: list[Any] = [None] * size

    def rank(number: int) -> None:
        world.local.rank = number
        try:
            exec(compile(PROGRAM, "all_reduce", "exec"), {})
        except SystemExit as left:
            found[number] = left.code

    threads = [threading.Thread(target=rank, args=(n,)) for n in range(size)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    return found


@pytest.mark.usefixtures("one_gpu")
def test_the_right_sum_passes_and_prints_the_bandwidth(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert ends(4, monkeypatch) == [None] * 4
    printed = capsys.readouterr().out.splitlines()
    assert len(printed) == 12
    assert all(line.endswith("GB/s bus bandwidth") for line in printed[:-1])
    assert printed[-1] == "passed: 4 ranks"


@pytest.mark.usefixtures("one_gpu")
def test_a_world_of_another_size_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    assert ends(1, monkeypatch) == ["FAILED: the world has 1 ranks, not 4"]


@pytest.mark.usefixtures("one_gpu")
def test_a_wrong_value_on_one_rank_fails_all(monkeypatch: pytest.MonkeyPatch) -> None:
    assert ends(4, monkeypatch, broken=2) == ["FAILED: wrong values on 1 of 4 ranks"] * 4


def test_kubernetes_expands_nothing_in_it() -> None:
    assert "$(" not in PROGRAM
