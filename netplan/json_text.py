"""``json.loads`` whose errors have the same words and place on every Python.

From 3.13 on a comma before a closing bracket is an error of its own, at the comma (python/cpython v3.13.0,
Lib/json/decoder.py); 3.11 and 3.12 report the bracket. Here it is always the newer error.
"""

from __future__ import annotations

import json
from typing import Any

_WHITESPACE = " \t\n\r"
_AFTER_COMMA = {
    ("Expecting property name enclosed in double quotes", "}"): "Illegal trailing comma before end of object",
    ("Expecting value", "]"): "Illegal trailing comma before end of array",
}
"""(words of 3.11 and 3.12, the character there) -> words from 3.13 on."""


def loads(text: str, **hooks: Any) -> Any:
    """``hooks``: as of ``json.loads``. Raises json.JSONDecodeError."""
    try:
        return json.loads(text, **hooks)
    except json.JSONDecodeError as error:
        raise as_of_today(error) from None


def as_of_today(error: json.JSONDecodeError) -> json.JSONDecodeError:
    """The error of Python 3.13 and newer."""
    words = _AFTER_COMMA.get((error.msg, error.doc[error.pos : error.pos + 1]))
    before = error.doc[: error.pos].rstrip(_WHITESPACE)
    if words is None or not before.endswith(","):
        return error
    return json.JSONDecodeError(words, error.doc, len(before) - 1)
