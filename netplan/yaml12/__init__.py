"""Parse one YAML text into plain data, with the source position of every value.

Built on the parser's events, without a node tree. Scalars follow the YAML 1.2 core schema, not
PyYAML's 1.1 defaults: under 1.1 an unquoted MAC ``11:22:33:44:55:10`` is an integer, a PCI address
``0000:10:00.0`` a float, and ``on`` a boolean.

Problems are values, never exceptions:

NP001  not YAML: syntax, bad UTF-8, a control character
NP002  duplicate key
NP003  a merge key ``<<``
NP004  too large, nested too deeply, an alias that contains itself or expands without bound
NP005  an explicit tag, a number no inventory can use, a key that is not text
NP006  more than one document in a file
NP009  an alias without an anchor, an anchor name used twice
"""

from __future__ import annotations

from typing import Any

import yaml

from netplan.diagnostics import Diagnostic
from netplan.model.document import Places, unix_text
from netplan.records import dataclass
from netplan.yaml12.builder import MAX_DEPTH, MAX_NODES, Builder
from netplan.yaml12.scalars import FORBIDDEN, plain_value

__all__ = ["MAX_DEPTH", "MAX_NODES", "PARSER", "Parsed", "parse", "plain_value"]

PARSER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""libyaml if PyYAML was built with it, else the pure Python parser: same result, about 30 times slower."""


@dataclass(frozen=True, slots=True)
class Parsed:
    """One parsed file. ``data`` is None if the file is empty or reading stopped within its first document;
    ``root`` is the offset of the top-level value."""

    data: Any
    problems: list[Diagnostic]
    root: int


def parse(name: str, text: str, places: Places, parser: Any = PARSER) -> Parsed:
    """Read one file; positions go to ``places``. ``parser`` is a PyYAML loader class, used for its events."""
    text = unix_text(text)
    builder = Builder(places, places.sources.add(name, text))
    forbidden = FORBIDDEN.search(text)
    if forbidden:
        builder.refuse_character(forbidden[0], forbidden.start())
    else:
        builder.run(text, parser)
    return Parsed(builder.data, builder.problems, builder.root)
