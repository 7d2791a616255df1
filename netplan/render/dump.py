"""The only YAML and JSON writers."""

from __future__ import annotations

import json
import pickle
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import yaml

from netplan.render.marks import Form, mark

_Base: Any = getattr(yaml, "CSafeDumper", yaml.SafeDumper)
"""libyaml's emitter if available; a test holds both to the same bytes."""


class _Dumper(_Base):  # type: ignore[misc]
    """Block style, keys in the given order, no aliases, multi-line text as literal blocks."""

    def ignore_aliases(self, data: object) -> bool:
        return True

    def represent_data(self, data: object) -> Any:
        """By type where it has a representer: the base also notes each object, to find aliases."""
        representer = self.yaml_representers.get(type(data))
        return representer(self, data) if representer is not None else super().represent_data(data)


_NUMBER = re.compile(
    r"[-+]?(?:0o[0-7_]+|(?:\.[0-9_]+|[0-9][0-9_]*(?:\.[0-9_]*)?)(?:[eE][-+]?[0-9]+)?)", re.ASCII
)
"""Text in YAML 1.1, but numbers for the API's clients (go-yaml/yaml v2 resolve.go): 1e3, 0o17. So it is
quoted."""


def _text(dumper: Any, value: str) -> Any:
    style = "|" if "\n" in value else "'" if _NUMBER.fullmatch(value) else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", value, style=style)


class OneLine(dict[str, Any]):
    """A mapping written on one line with everything in it."""


class Json:
    """Data embedded in a YAML document as JSON text."""

    def __init__(self, data: Any) -> None:
        self.data = data


def _json(dumper: Any, value: Json) -> Any:
    return _text(dumper, f"{dump_json(value.data)}\n")


def _one_line(dumper: Any, value: OneLine) -> Any:
    return dumper.represent_mapping("tag:yaml.org,2002:map", value, flow_style=True)


_Dumper.add_representer(str, _text)
_Dumper.add_representer(OneLine, _one_line)
_Dumper.add_representer(Json, _json)


def dump_yaml(objects: Sequence[Any], header: str) -> str:
    """YAML documents below a comment. Text that a YAML 1.1 reader would take for another type is quoted."""
    comment = "".join(f"# {line}\n" for line in header.splitlines())
    documents = [_document(each) for each in objects]
    if len(documents) > 1 and not all(map(_stands_alone, objects, documents)):
        return comment + _dumped(objects)
    return comment + "---\n".join(documents)


def _document(value: Any) -> str:
    plain: list[str] = []
    form = _form(pickle.dumps(_with_marks(value, plain)))
    return form.filled(plain) if form.numbers == tuple(range(len(plain))) else _dumped([value])


def _stands_alone(value: Any, document: str) -> bool:
    """Whether the document's text is the same on its own as among other documents."""
    return isinstance(value, dict) and not document.endswith("...\n")


def _dumped(objects: Sequence[Any]) -> str:
    return str(
        yaml.dump_all(
            objects,
            Dumper=_Dumper,
            sort_keys=False,
            default_flow_style=False,
            width=1 << 20,
            allow_unicode=False,
        )
    )


_PLAIN = re.compile(r"[a-z]+[0-9-](?:[a-z0-9-]*[a-z0-9])?|[0-9]+(?:\.[0-9]+){3}(?:/[0-9]+)?", re.ASCII)
"""Letters followed by a digit or hyphen, and IPv4 addresses: text to every YAML reader, so never quoted."""


def _with_marks(value: Any, plain: list[str]) -> Any:
    """A copy with each plain text replaced by a mark and appended to ``plain``."""
    kind = type(value)
    if kind is str and _PLAIN.fullmatch(value):
        plain.append(value)
        return mark(len(plain) - 1)
    if kind is dict or kind is OneLine:
        return kind({key: _with_marks(each, plain) for key, each in value.items()})
    if kind is list or kind is tuple:
        return [_with_marks(each, plain) for each in value]
    if kind is Json:
        return Json(_with_marks(value.data, plain))
    return value


@lru_cache(maxsize=256)
def _form(document: bytes) -> Form:
    """Layout of a pickled object with marks. Cached: thousands of pools that differ only in name and
    addresses share one."""
    return Form(_dumped([pickle.loads(document)]))


def dump_json(value: Any) -> str:
    """JSON for human readers: two spaces of indent, one entry per line, keys in the given order."""
    return json.dumps(value, indent=2, ensure_ascii=True)


def written(values: Mapping[str, Any]) -> dict[str, Any]:
    """The entries with content: no None, no empty list or mapping."""
    return {key: value for key, value in values.items() if value is not None and value != [] and value != {}}
