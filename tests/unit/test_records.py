"""Records behave like frozen dataclasses of the standard library."""

from __future__ import annotations

import copy
import dataclasses
import pickle
import sys
from collections.abc import Callable
from dataclasses import FrozenInstanceError, field, replace
from typing import Any, Generic, TypeVar

import pytest

from netplan import records

T = TypeVar("T")
STANDARD, OURS = "standard", "ours"


def classes(dataclass: Callable[..., Any]) -> dict[str, Any]:
    """One class of each form that netplan uses."""

    @dataclass(frozen=True, slots=True)
    class Plain:
        name: str
        mtu: int = 9000
        lanes: list[int] = field(default_factory=list)

    @dataclass(frozen=True, slots=True, kw_only=True)
    class Named:
        """Documented."""

        name: str = "x"
        at: tuple[str, ...] = field(compare=False, repr=False)
        self_made: dict[str, int] = field(default_factory=dict, hash=False)

        @property
        def short(self) -> str:
            return self.name[:1]

    @dataclass(frozen=True, slots=True, kw_only=True)
    class Below(Named, Generic[T]):
        more: Any = None

    @dataclass(frozen=True, slots=True, eq=False)
    class Itself:
        name: str

    @dataclass(frozen=True, slots=True)
    class One:
        name: str

    @dataclass(frozen=True, slots=True)
    class Nothing:
        pass

    @dataclass(frozen=True, slots=True)
    class Told:
        name: str

        def __eq__(self, other: object) -> bool:
            return True

        def __hash__(self) -> int:
            return 7

        def __repr__(self) -> str:
            return "told"

    @dataclass(frozen=True, slots=True)
    class Given:
        name: str

        def __init__(self, number: int) -> None:
            object.__setattr__(self, "name", str(number))

    found = (Plain, Named, Below, Itself, One, Nothing, Told, Given)
    return {each.__name__: each for each in found}


MADE: dict[str, list[tuple[tuple[Any, ...], dict[str, Any]]]] = {
    "Plain": [(("a",), {}), (("a", 9000, []), {}), (("a", 1), {"lanes": [1]}), (("b",), {"mtu": 9000})],
    "Named": [((), {"at": ()}), ((), {"at": ("x",)}), ((), {"at": (), "name": "y", "self_made": {"a": 1}})],
    "Below": [((), {"at": ()}), ((), {"at": (), "more": 1}), ((), {"at": (), "more": float("nan")})],
    "Itself": [(("a",), {}), (("a",), {})],
    "One": [(("a",), {}), (("b",), {}), (("a",), {})],
    "Nothing": [((), {}), ((), {})],
    "Told": [(("a",), {}), (("b",), {})],
    "Given": [((1,), {}), ((2,), {})],
}
REFUSED: dict[str, list[tuple[tuple[Any, ...], dict[str, Any]]]] = {
    "Plain": [((), {}), (("a", 1, [], 2), {}), (("a",), {"name": "b"}), (("a",), {"other": 1})],
    "Named": [((), {}), (("x",), {"at": ()})],
    "Nothing": [((1,), {})],
}


@pytest.fixture(params=[0, records._FEW], ids=["many", "few"])
def number(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Number of objects after which a class gets its own ``__init__``: 0, and more than the tests create."""
    monkeypatch.setattr(records, "_FEW", request.param)


@pytest.fixture(params=MADE)
def both(request: pytest.FixtureRequest, number: None) -> tuple[str, Any, Any]:
    name = request.param
    return name, classes(dataclasses.dataclass)[name], classes(records.dataclass)[name]


def objects(name: str, cls: Any) -> list[Any]:
    return [cls(*values, **copy.deepcopy(named)) for values, named in MADE[name]]


def hash_of(value: Any) -> Any:
    try:
        return hash(value)
    except TypeError as error:
        return str(error)


def told(error: Exception) -> str:
    return str(error).replace("classes.<locals>.", "")


def test_objects_are_alike(both):
    name, standard, ours = both
    theirs, found = objects(name, standard), objects(name, ours)
    assert [repr(one) for one in found] == [repr(one) for one in theirs]
    assert [[a == b for b in found] for a in found] == [[a == b for b in theirs] for a in theirs]
    if name != "Itself":
        assert [hash_of(one) for one in found] == [hash_of(one) for one in theirs]
    assert [dataclasses.asdict(one) for one in found[:2]] == [dataclasses.asdict(one) for one in theirs[:2]]
    assert all(a != b for a, b in zip(found, theirs, strict=True) if name != "Told")


def test_classes_are_alike(both):
    _, standard, ours = both
    for what in ("__slots__", "__match_args__", "__qualname__", "__module__"):
        assert getattr(ours, what) == getattr(standard, what)
    fields = [(f.name, f.type, f.kw_only, f.compare) for f in dataclasses.fields(ours)]
    assert fields == [(f.name, f.type, f.kw_only, f.compare) for f in dataclasses.fields(standard)]


def test_nothing_can_be_changed(both):
    name, standard, ours = both
    for one, other in zip(objects(name, ours), objects(name, standard), strict=True):
        for change in (lambda o: setattr(o, "name", 1), lambda o: delattr(o, "name")):
            with pytest.raises(FrozenInstanceError) as ours_said:
                change(one)
            if name != "Nothing":
                with pytest.raises(FrozenInstanceError) as theirs_said:
                    change(other)
                assert str(ours_said.value) == str(theirs_said.value)


@pytest.mark.parametrize("name", REFUSED)
@pytest.mark.usefixtures("number")
def test_wrong_arguments_are_refused_in_the_same_words(name):
    standard, ours = classes(dataclasses.dataclass)[name], classes(records.dataclass)[name]
    for values, named in REFUSED[name]:
        with pytest.raises(TypeError) as theirs:
            standard(*values, **named)
        for _ in ("first", "second"):
            with pytest.raises(TypeError) as found:
                ours(*values, **named)
            assert told(found.value) == told(theirs.value)


@pytest.mark.usefixtures("number")
def test_a_factory_makes_one_for_each_object():
    plain = classes(records.dataclass)["Plain"]
    assert plain("a").lanes is not plain("a").lanes


def test_one_is_replaced():
    named = classes(records.dataclass)["Named"]
    one = replace(named(at=("x",)), name="y")
    assert (one.name, one.at, one.short) == ("y", ("x",), "y")


@records.dataclass(frozen=True, slots=True)
class Kept:
    name: str
    lanes: tuple[int, ...] = ()


def test_copies_and_pickles():
    one = Kept("a", (1, 2))
    assert [copy.copy(one), copy.deepcopy(one), pickle.loads(pickle.dumps(one))] == [one] * 3


@pytest.mark.usefixtures("number")
def test_an_object_of_a_class_below_stays_one():
    plain = classes(records.dataclass)["Plain"]
    below = type("Below", (plain,), {"__slots__": ()})
    assert type(below("a")) is below


def test_init_is_written_once_and_only_for_a_class_with_many_objects(monkeypatch):
    written = []
    real = records._init_of

    def counted(cls):
        written.append(cls.__name__)
        return real(cls)

    monkeypatch.setattr(records, "_init_of", counted)
    made = classes(records.dataclass)
    assert written == []
    some = [made["One"]("a") for _ in range(records._FEW)]
    assert written == []
    some += [made["One"]("a") for _ in range(2)]
    assert written == ["One"]
    assert set(some) == {made["One"]("a")}


@pytest.mark.parametrize(
    "options",
    [{"frozen": True}, {"slots": True}, {"frozen": True, "slots": True, "order": True}, {}],
    ids=str,
)
def test_other_classes_are_left_to_the_standard_library(options):
    class Each:
        number: int = 0

    dataclass: Any = records.dataclass
    made = dataclass(**options)(Each) if options else dataclass(Each)
    assert made.__init__.__code__.co_filename == "<string>"
    assert made(1) == made(1)


def test_what_is_to_be_done_after_init_is_left_to_the_standard_library():
    @records.dataclass(frozen=True, slots=True)
    class Each:
        number: int

        def __post_init__(self) -> None:
            if self.number < 0:
                raise ValueError("negative")

    with pytest.raises(ValueError, match="negative"):
        Each(-1)


def test_a_traceback_names_the_class():
    with pytest.raises(TypeError) as found:
        Kept()  # type: ignore[call-arg]
    assert "Kept.__init__()" in str(found.value)
    assert sys.getsizeof(Kept("a")) < 100  # slots


def test_a_copy_with_other_values() -> None:
    named = classes(records.dataclass)["Named"]
    first = named(name="a", at=("hosts", "a"), self_made={"x": 1})
    copied = records.copier(named, "at", "name")(first, ("hosts", "b"), "b")
    assert type(copied) is named
    assert copied == replace(first, name="b")
    assert (copied.at, copied.self_made) == (("hosts", "b"), {"x": 1})
    assert copied.self_made is first.self_made
    with pytest.raises(FrozenInstanceError):
        copied.name = "c"
