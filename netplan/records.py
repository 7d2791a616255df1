"""A ``dataclass`` decorator for frozen classes with slots that imports faster than the standard library's.

The standard library generates and compiles six methods per class at import: 1.2 ms for each of the 320
classes that a small ``validate`` loads, a third of its run time, and 120 of them are never instantiated. Here
five of the methods are functions shared by all classes, and ``__init__`` is generated only once more than a
few objects are made. Otherwise the classes behave the same; `tests/unit/test_records.py` compares them with
the standard library's. Any other class (``order=True``, ``__post_init__`` and so on) is passed on to the
standard library; such a class cannot inherit from one made here.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Iterable
from operator import attrgetter
from typing import TYPE_CHECKING, Any, TypeVar, cast

C = TypeVar("C")
Fields = tuple["dataclasses.Field[Any]", ...]
_UNUSUAL = re.compile("ClassVar|InitVar|KW_ONLY")
_FEW = 25
"""Break-even: creating this many objects without a generated ``__init__`` takes as long as compiling one."""
_LEFT_OUT = object()
"""Sentinel for an omitted argument whose value a default factory makes."""


def _dataclass(bare: type | None = None, /, **options: Any) -> Any:
    """As ``dataclasses.dataclass``, with or without options."""
    ours = options.keys() <= {"frozen", "slots", "kw_only", "eq"} and options.get("frozen")

    def made(cls: type) -> Any:
        if not ours or not options.get("slots") or hasattr(cls, "__post_init__"):
            return dataclasses.dataclass(**options)(cls)
        cls.__doc__ = cls.__doc__ or cls.__name__  # else dataclasses computes the signature for it
        own = frozenset(vars(cls))
        make = dataclasses.dataclass(
            init=False, repr=False, eq=False, slots=True, kw_only=options.get("kw_only", False)
        )
        record: Any = _made(cls, make)
        fields = dataclasses.fields(record)
        methods = _methods(record, fields)
        if options.get("eq", True):
            methods |= _comparing(fields)
        for name in methods.keys() - own:
            setattr(record, name, methods[name])
        return record

    return made if bare is None else made(bare)


def _made(cls: type, make: Callable[[type], Any]) -> Any:
    """Apply ``make`` to a class, hiding string annotations from it while it runs.

    It would search each one three times, for the three special field types; they are hidden only if none
    names such a type.
    """
    annotations = dict(vars(cls).get("__annotations__", {}))
    if any(not isinstance(text, str) or _UNUSUAL.search(text) for text in annotations.values()):
        return make(cls)
    cls.__annotations__ = dict.fromkeys(annotations, object)
    record = make(cls)
    record.__annotations__ = annotations
    for field in dataclasses.fields(record):
        field.type = annotations.get(field.name, field.type)
    return record


if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
else:
    dataclass = _dataclass


def _methods(cls: Any, fields: Fields) -> dict[str, Callable[..., Any]]:
    left = _FEW

    def first_init(self: Any, /, *values: Any, **named: Any) -> None:
        nonlocal left
        left -= 1
        if left < 0 or not _filled(self, fields, values, named):
            cls.__init__ = _init_of(cls)
            cls.__init__(self, *values, **named)

    return {
        "__init__": first_init,
        "__repr__": _repr,
        "__setattr__": _no_assignment,
        "__delattr__": _no_deletion,
        "__getstate__": _state,
        "__setstate__": _set_state,
    }


def _filled(self: Any, fields: Fields, values: tuple[Any, ...], named: dict[str, Any]) -> bool:
    """Assign the arguments without a generated ``__init__``; False if they do not match the fields."""
    given = dict(zip([field.name for field in fields if not field.kw_only], values, strict=False)) | named
    if len(given) < len(values) + len(named):
        return False
    for field in fields:
        if field.name in given:
            value = given.pop(field.name)
        elif field.default_factory is not dataclasses.MISSING:
            value = field.default_factory()
        elif field.default is not dataclasses.MISSING:
            value = field.default
        else:
            return False
        object.__setattr__(self, field.name, value)
    return not given


def _init_of(cls: Any) -> Callable[..., None]:
    """Generate ``__init__``. While it assigns the slots, the object has `_open`'s class: bypassing the
    refusing ``__setattr__`` for every assignment would take ten times as long."""
    scope: dict[str, Any] = {
        "_set": object.__setattr__,
        "_open": _open(cls),
        "_left_out": _LEFT_OUT,
    }
    fields = dataclasses.fields(cls)
    parameters = [_parameter(field, scope) for field in fields if not field.kw_only]
    if any(field.kw_only for field in fields):
        parameters += ["*", *(_parameter(field, scope) for field in fields if field.kw_only)]
    lines = [
        f"def __init__({', '.join(['self', *parameters])}):",
        "  _kind = self.__class__",
        "  _set(self, '__class__', _open)",
        *(f"  self.{field.name} = {_argument(field)}" for field in fields),
        "  self.__class__ = _kind",
    ]
    source = "\n".join(lines)
    exec(compile(source, f"<{cls.__qualname__}.__init__>", "exec"), scope)
    init: Callable[..., None] = scope["__init__"]
    init.__qualname__ = f"{cls.__qualname__}.__init__"
    return init


def _open(cls: Any) -> type:
    """A class with the same slots as a frozen one that allows assignment."""
    own = {name: value for name, value in vars(cls).items() if name in ("__slots__", "__orig_bases__")}
    plain = {"__setattr__": object.__setattr__, "__delattr__": object.__delattr__}
    return type(cls.__name__, cls.__bases__, own | plain)


def copier(cls: type[C], *own: str) -> Callable[..., C]:
    """A function that copies an object of ``cls`` except for the fields ``own``, whose values are its further
    arguments in this order: a fourth of the time that ``__init__`` takes for 20 fields."""
    fields = [field.name for field in dataclasses.fields(cast(Any, cls))]
    scope: dict[str, Any] = {"_new": object.__new__, "_open": _open(cls), "_kind": cls}
    lines = [
        f"def copied(_first, {', '.join(own)}):",
        "  _made = _new(_open)",
        *(f"  _made.{name} = {name if name in own else f'_first.{name}'}" for name in fields),
        "  _made.__class__ = _kind",
        "  return _made",
    ]
    exec(compile("\n".join(lines), f"<copier of {cls.__qualname__}>", "exec"), scope)
    copied: Callable[..., C] = scope["copied"]
    return copied


def _parameter(field: dataclasses.Field[Any], scope: dict[str, Any]) -> str:
    """The parameter's source, ``name`` or ``name=default``; the default is added to ``scope``."""
    if field.default_factory is not dataclasses.MISSING:
        scope[f"_make_{field.name}"] = field.default_factory
        return f"{field.name}=_left_out"
    if field.default is dataclasses.MISSING:
        return field.name
    scope[f"_default_{field.name}"] = field.default
    return f"{field.name}=_default_{field.name}"


def _argument(field: dataclasses.Field[Any]) -> str:
    if field.default_factory is dataclasses.MISSING:
        return field.name
    return f"_make_{field.name}() if {field.name} is _left_out else {field.name}"


def _comparing(fields: Fields) -> dict[str, Callable[..., Any]]:
    compared = _values(field.name for field in fields if field.compare)
    hashed = _values(field.name for field in fields if (field.compare if field.hash is None else field.hash))

    def equal(self: Any, other: Any) -> bool:
        return compared(self) == compared(other) if other.__class__ is self.__class__ else NotImplemented

    def hash_of(self: Any) -> int:
        return hash(hashed(self))

    return {"__eq__": equal, "__hash__": hash_of}


def _values(names: Iterable[str]) -> Callable[[Any], tuple[Any, ...]]:
    """A function that returns these fields' values of an object as a tuple."""
    wanted = tuple(names)
    if len(wanted) > 1:
        return attrgetter(*wanted)
    return lambda self: tuple([getattr(self, name) for name in wanted])


def _repr(self: Any) -> str:
    shown = (
        f"{field.name}={getattr(self, field.name)!r}" for field in dataclasses.fields(self) if field.repr
    )
    return f"{type(self).__qualname__}({', '.join(shown)})"


def _no_assignment(self: Any, name: str, value: Any) -> None:
    raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")


def _no_deletion(self: Any, name: str) -> None:
    raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")


def _state(self: Any) -> list[Any]:
    """Field values, for copying and pickling."""
    return [getattr(self, field.name) for field in dataclasses.fields(self)]


def _set_state(self: Any, state: list[Any]) -> None:
    for field, value in zip(dataclasses.fields(self), state, strict=True):
        object.__setattr__(self, field.name, value)
